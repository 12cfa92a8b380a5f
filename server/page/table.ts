import { type Rematches, rematchesOf } from "./rematch.js";
import type { Agent } from "../../agents/agent.js";
import {
  Env,
  foresee,
  type Game,
  KesselError,
  type MapAnswer,
  oneOf,
  ruleById,
  searchRules,
  shown,
  type State,
  type Viewer,
  waysOf,
} from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import { deputyFor } from "../session/hand-over.js";
import { OneDecision } from "../session/one-decision.js";
import type { Seat } from "../session/session.js";
import { shortLines, stoppedOnMap } from "../text/orders.js";
import { diff, type Frame, type Reply, type Request } from "./frame.js";
import { LastMade } from "./drawing-cache.js";
import { TableLesson } from "./learn/lesson.js";
import type { TablePuzzle } from "./learn/puzzle.js";
import type { BaseCache } from "./picture.js";
import { type Branch, failed, TableReview } from "./review.js";
import type { ReviewThreads } from "./review/threads.js";
import { frameOf, questionsOf, type View, viewOf } from "./view.js";

/** Somebody who looks at a table through a socket. */
export interface Guest {
  readonly viewer: Viewer;
  send(reply: Reply): void;
}

export interface TableServices {
  /** Who is asked for a hint. */
  readonly advisor: (game: Game) => Promise<Seat>;
  /** Who decides in the place of an agent that has to move now. */
  readonly quick: (game: Game, player: number) => Promise<Seat>;
  readonly log: (what: string, about: Readonly<Record<string, unknown>>) => void;
  /** Makes a game out of a position of another one. */
  readonly branch: Branch;
  /** What looks back at games. */
  readonly threads: ReviewThreads;
  /** The game is over and the last who looked has left. */
  readonly done: () => void;
}

/** While an agent thinks, guests get a report this often, ms. */
const THINKING_MS = 50;

/** What changes in a patch without changing the decision: a choice that is under way stays good. */
const ASIDE: ReadonlySet<string> = new Set(["n", "set", "seats", "unsaved"]);

/** Seconds between tries to write what a full disk refused. */
const RETRY_SECONDS = 5;

/** One session with those who look at it: plays agents on, sends every guest what changed for that guest. */
export class Table {
  readonly players: readonly string[];
  private readonly guests = new Map<Guest, Frame>();
  /** How the review reaches each guest: always the same function, by which it knows that somebody waits already. */
  private readonly tells = new WeakMap<Guest, (reply: Reply) => void>();
  private readonly views = new Map<
    Viewer,
    { readonly version: number; readonly view: View; readonly made: LastMade }
  >();
  /** The last frame's number, by viewer: one for all would reveal how many decisions of others are hidden. */
  private readonly numbers = new Map<Viewer, number>();
  private playing: Promise<void> | null = null;
  /** One after the other. */
  private hints = Promise.resolve();
  private closed = false;
  private readonly retry: NodeJS.Timeout;
  private readonly review: TableReview;
  private readonly lesson: TableLesson | null;

  constructor(
    private readonly open: OpenSession,
    private readonly bases: BaseCache,
    private readonly services: TableServices,
    /** What is to be solved here, where the table is a puzzle. */
    private readonly puzzle: TablePuzzle | null = null,
  ) {
    this.players = open.session.game.players;
    this.review = new TableReview(open, bases, services.branch, services.threads);
    this.lesson = open.header.lesson === true ? new TableLesson(open) : null;
    this.retry = setInterval(() => {
      if (open.file.unsaved > 0 && open.file.retry()) this.tellAll();
    }, RETRY_SECONDS * 1000);
    this.retry.unref();
  }

  /** The games that the person at a seat can begin now. */
  rematches(viewer: Viewer): Rematches {
    return rematchesOf(this.open, viewer);
  }

  get watched(): boolean {
    return this.guests.size > 0;
  }

  /** Somebody comes: gets the whole frame, and the game goes on if it waits for an agent. */
  join(guest: Guest): void {
    const frame = this.frame(guest.viewer, this.nextNumber(guest.viewer), guest);
    this.guests.set(guest, frame);
    this.tells.set(guest, (reply) => this.tell(guest, reply));
    this.tell(guest, { op: "frame", frame });
    this.tellAll(guest);
    this.goOn();
  }

  /** Sends a reply when everything that has happened so far is on the disk. */
  tell(guest: Guest, reply: Reply): void {
    this.open.file.whenOnDisk(() => guest.send(reply));
  }

  /** The disk failed. Guests learn at once that it isn't kept yet, and what happened when it is. */
  tellUnsaved(): void {
    const message = "not saved yet: the disk refuses; it is tried again, and you see what happened when it is saved";
    for (const guest of this.guests.keys()) guest.send({ op: "error", code: "limit", message });
  }

  leave(guest: Guest): void {
    this.guests.delete(guest);
    if (this.closed) return;
    if (this.open.session.over && !this.watched && this.open.file.unsaved === 0) this.services.done();
    else this.tellAll();
  }

  /** Carries out what a guest asks. @throws KesselError */
  async ask(guest: Guest, request: Exclude<Request, { op: "sit" | "ping" }>): Promise<void> {
    const { session } = this.open;
    switch (request.op) {
      case "act":
        this.checkTurn(guest, request.n);
        if (this.puzzle !== null)
          return this.tell(guest, { op: "solved", n: request.n, ...this.puzzle.answer(request.action) });
        this.lesson?.check(request.action);
        session.choose(request.action);
        this.tellAll();
        return this.goOn();
      case "undo": {
        this.checkTurn(guest, request.n);
        this.refuseTaught("a lesson takes nothing back", "nothing is played in a puzzle that could be taken back");
        const why = session.undo();
        this.tellAll();
        if (why !== null) throw new KesselError("illegal-action", `that can't be taken back: ${why}`);
        return;
      }
      case "ways": {
        this.checkTurn(guest, request.n);
        const ways = waysOf(session.game, session.env.state, guest.viewer, request.unit);
        return this.tell(guest, { ...request, op: "ways", ways });
      }
      case "order":
      case "goOn": {
        this.checkTurn(guest, request.n);
        this.refuseTaught("the lesson goes step by step", "a puzzle is answered with one choice");
        const ordered = request.op === "order" ? session.order(request.order) : session.goOn();
        this.tellAll();
        const { stopped, warning } = ordered;
        const why = stopped === null ? null : stoppedOnMap(stopped);
        const carriedOut = { order: request.order, stopped: why, warning, lines: shortLines(ordered) };
        this.tell(guest, { op: "ordered", ...carriedOut });
        return this.goOn();
      }
      case "handOver": {
        this.checkTurn(guest, request.n);
        this.refuseTaught("the lesson goes step by step", "a puzzle is solved without help");
        const deputy = await deputyFor(session, request);
        this.checkTurn(guest, request.n); // it took a while
        session.handOver(deputy);
        return this.tellAll();
      }
      case "deputyOn": {
        const deputy = session.deputyOf(guest.viewer);
        // two pages of one seat may ask for the same step
        if (deputy === null || request.n !== this.frameNumber(guest) || session.actor !== guest.viewer) return;
        deputy.granted = request.all ? Infinity : 1;
        return this.goOn();
      }
      case "handBack":
        if (guest.viewer < 0) throw new KesselError("bad-seat", "spectators decide nothing");
        session.handBack(guest.viewer);
        return this.tellAll();
      case "odds":
        this.checkTurn(guest, request.n);
        return this.tell(guest, {
          op: "odds",
          n: request.n,
          action: request.action,
          odds: session.odds(guest.viewer, request.action),
          leads: foresee(session.game, session.env.state, guest.viewer, request.action),
        });
      case "hint":
        this.checkTurn(guest, request.n);
        this.refuseTaught("the lesson says what to do", "a puzzle is solved without a hint");
        // not awaited: what the guest asks next doesn't wait for it
        this.hints = this.hints
          .then(() => this.hint(guest, request.n))
          .catch(failed(this.tells.get(guest)!, "the hint failed"));
        return;
      case "rule":
        return this.tell(guest, { op: "rules", words: request.words, rules: this.rules(request.words) });
      case "ask":
        return this.tell(guest, { ...request, op: "answer", answer: this.answer(request) });
      case "resign":
        if (guest.viewer < 0) throw new KesselError("bad-seat", "spectators can't give up");
        this.refuseTaught("a lesson isn't lost; leave it when you like", "a puzzle isn't lost; leave it when you like");
        session.resign(guest.viewer);
        return this.tellAll();
      case "moveNow":
        if (guest.viewer < 0) throw new KesselError("bad-seat", "spectators can't hurry an agent");
        return this.moveNow();
      case "playOn": {
        if (guest.viewer < 0) throw new KesselError("bad-seat", "spectators don't play on");
        const [state, seats] = this.fromHere();
        const links = await this.services.branch(this.open, state, seats);
        return this.tell(guest, { op: "branched", links });
      }
      case "whole": {
        const frame = this.frame(guest.viewer, this.nextNumber(guest.viewer), guest);
        this.guests.set(guest, frame);
        return this.tell(guest, { op: "frame", frame });
      }
      default:
        return this.review.answer(guest.viewer, request, this.frameNumber(guest), this.tells.get(guest)!);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.retry);
    // the file is let go at once, not when the threads have ended: somebody may come back meanwhile and open it again
    await Promise.all([this.open.close(), this.review.close()]);
  }

  /** Plays agents on until a person has to decide. */
  private goOn(): void {
    const { session } = this.open;
    if (this.playing !== null || this.closed) return;
    // an agent that answers sooner is not reported as thinking
    const thinking = setInterval(() => this.tellAll(), THINKING_MS);
    const tell = (): void => this.tellAll();
    const played = this.lesson?.goOn(tell) ?? session.advance(tell, () => !this.closed && this.watched);
    this.playing = played
      .catch((e: unknown) => {
        this.services.log("agent-failed", {
          game: session.game.type.id,
          name: e instanceof Error ? e.name : "unknown",
        });
        const why = e instanceof KesselError ? e.message : "the agent failed";
        for (const guest of this.guests.keys()) this.tell(guest, { op: "error", code: "bad-agent", message: why });
      })
      .finally(() => {
        clearInterval(thinking);
        this.playing = null;
        if (!this.closed) this.tellAll();
      });
  }

  private refuseTaught(inLesson: string, inPuzzle: string): void {
    if (this.lesson !== null) throw new KesselError("unsupported", inLesson);
    if (this.puzzle !== null) throw new KesselError("unsupported", inPuzzle);
  }

  /** Where one plays on, and against whom. @throws KesselError `unsupported` */
  private fromHere(): readonly [State, Readonly<Record<string, string>>] {
    if (this.puzzle !== null) {
      const { state, seats } = this.puzzle.playOn();
      return [state, seats];
    }
    if (this.lesson === null) throw new KesselError("unsupported", "this is no lesson; play on here");
    return [this.open.session.env.state, this.lesson.opponents()];
  }

  /** Tells every guest what changed for it; nothing changed, nothing sent. */
  private tellAll(but: Guest | null = null): void {
    for (const [guest, old] of this.guests) {
      if (guest === but) continue;
      const now = this.frame(guest.viewer, old.n, guest);
      const patch = diff(old, now);
      if (patch === null) continue;
      const isAside = Object.keys({ ...patch, ...patch.set }).every((part) => ASIDE.has(part));
      const n = isAside ? old.n : this.nextNumber(guest.viewer);
      this.guests.set(guest, { ...now, n });
      this.tell(guest, { op: "patch", patch: { ...patch, n } });
    }
  }

  /** Goes on when a browser connects again: what was chosen on an earlier frame never fits a later one. */
  private nextNumber(viewer: Viewer): number {
    const n = (this.numbers.get(viewer) ?? 0) + 1;
    this.numbers.set(viewer, n);
    return n;
  }

  private frame(viewer: Viewer, n: number, guest: Guest): Frame {
    const present = new Set([...this.guests.keys(), guest].map((g) => g.viewer));
    const frame = frameOf(this.open, this.view(viewer), viewer, n, present);
    return this.puzzle === null
      ? { ...frame, puzzle: null }
      : { ...frame, puzzle: this.puzzle.view(), briefing: null, deputies: [], several: null };
  }

  /** Drawn once for each version of the session, however many look and however often who is there changes. */
  private view(viewer: Viewer): View {
    const { version } = this.open.session;
    let known = this.views.get(viewer);
    if (known?.version !== version) {
      const made = known?.made ?? new LastMade();
      known = { version, view: viewOf(this.open, viewer, this.bases, made), made };
      this.views.set(viewer, known);
    }
    return known.view;
  }

  /** What a guest sees now. @throws KesselError `stale` for one who has left while a message was under way */
  private frameNumber(guest: Guest): number {
    const frame = this.guests.get(guest);
    if (frame === undefined) throw new KesselError("stale", "this page was closed before that was carried out");
    return frame.n;
  }

  /** @throws KesselError `stale`, `bad-seat` */
  private checkTurn(guest: Guest, n: number): void {
    const { session } = this.open;
    if (guest.viewer < 0) throw new KesselError("bad-seat", "spectators decide nothing");
    if (session.over) throw new KesselError("closed", "the game is over");
    if (session.actor !== guest.viewer) throw new KesselError("stale", "it is not your decision now");
    const shown = this.frameNumber(guest);
    if (n !== shown) throw new KesselError("stale", `this was chosen on frame ${n}; the situation is frame ${shown}`);
  }

  private async hint(guest: Guest, n: number): Promise<void> {
    const { session } = this.open;
    if (this.guests.get(guest)?.n !== n) return; // the question is no longer asked
    const env = new Env(session.game); // its own: the game may go on meanwhile
    env.restore(session.env.state);
    const agent = (await this.services.advisor(session.game)) as Agent;
    try {
      const decision = new OneDecision(env);
      const choice = new Int32Array(1);
      await agent.act(decision, choice);
      const value = await agent.expectedReturn?.(decision);
      if (this.guests.get(guest)?.n !== n) return;
      const chosen = session.prompt(guest.viewer).choices.find((c) => c.action === choice[0])!;
      session.noteHelp();
      const valued =
        value === undefined ? "" : ` It values your game at ${value.toFixed(2)}, where 1 wins and -1 loses.`;
      this.tell(guest, {
        op: "hint",
        n,
        action: choice[0]!,
        by: agent.name,
        text: `would choose: ${chosen.text}.${valued}`,
      });
    } finally {
      await agent.close?.();
    }
  }

  private rules(words: string): { id: string; says: string; note: string }[] {
    const { type } = this.open.session.game;
    let found = searchRules(type, words);
    try {
      found = [ruleById(type, words)];
    } catch {
      // no rule of that name: what the search found
    }
    const note = (status: string, option?: string, reason?: string): string =>
      status === "done" ? "" : status === "option" ? `option ${option ?? ""}` : `not in this game: ${reason ?? ""}`;
    return found.slice(0, 12).map((r) => ({ id: r.id, says: r.says, note: note(r.status, r.option, r.reason) }));
  }

  /** Asks the map, never the position. @throws KesselError `bad-query` */
  private answer({ kind, from, to }: Extract<Request, { op: "ask" }>): MapAnswer {
    const { game } = this.open.session;
    const kinds = questionsOf(game, this.open.header).map((q) => q.kind);
    if (!kinds.includes(kind))
      throw new KesselError(
        "bad-query",
        `${shown(kind)} can't be asked here; ${oneOf([...kinds, "nothing else"])} can`,
      );
    return game.type.query!({ kind, from, to }, game.options, game.type.data) as unknown as MapAnswer;
  }

  /** Stops an agent that thinks; a quick one takes this decision in its place. */
  private async moveNow(): Promise<void> {
    const { session } = this.open;
    const slow = session.thinking;
    if (slow?.interrupt === undefined) throw new KesselError("unsupported", "no agent is thinking right now");
    const player = session.seats.indexOf(slow);
    const quick = (await this.services.quick(session.game, player)) as Agent;
    if (session.thinking === slow) slow.interrupt(quick);
    else await quick.close?.();
  }
}
