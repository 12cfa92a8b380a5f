import {
  type Env,
  EventLog,
  EVERYTHING,
  type GameEvent,
  KesselError,
  oneOf,
  playReplay,
  sceneOf,
  shown,
  SPECTATOR,
  standingOf,
  type State,
  type Viewer,
} from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import { LastMade } from "./drawing-cache.js";
import { evaluatorsOf, isCasual, mayLookBack } from "./evaluators.js";
import { type BaseCache, picture } from "./picture.js";
import { Reviewer } from "./review/reviewer.js";
import type { ReviewThreads } from "./review/threads.js";
import type { ExportRequest, Eyes, Judged, Moment, Review, ReviewReply, ReviewRequest } from "./review-frame.js";
import { logLine } from "./view.js";

/** The position of a game and what led to it. */
interface Step {
  readonly state: State;
  readonly actor: string | null;
  readonly action: number;
  /** By viewer. */
  readonly events: ReadonlyMap<Viewer, readonly GameEvent[]>;
}

/** Pictures of a film: a minute and a half. */
const MOST_FILMED = 150;
/** Pictures of one table that are made at a time or wait for it. */
const MOST_DRAWING = 4;

/** What is made once for all who ask, and who waits for it. */
interface Making<T> {
  readonly made: Promise<T>;
  readonly listeners: Set<Tell>;
}

/** Makes a game out of a position of another one. @returns links to its seats */
export type Branch = (
  open: OpenSession,
  position: State,
  seats: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>>>;

/**
 * Looking back at the game of one table: at all of it once it is over; while it goes on, who plays alone against agents
 * looks back at what the own side has seen. And what that seat may believe.
 */
export class TableReview {
  private steps: { readonly version: number; readonly list: readonly Step[] } | null = null;
  private readonly reviewer: Reviewer;
  /** Analyses that are made or being made, by evaluator and who may know them. */
  private readonly made = new Map<string, Making<Review>>();
  /** By moment and evaluator. */
  private judged = { version: -1, list: new Map<string, Making<Judged>>() };
  /** Pictures that are being made. */
  private drawing = 0;
  private believed: { readonly version: number; readonly answer: ReturnType<Reviewer["beliefs"]> } | null = null;

  constructor(
    private readonly open: OpenSession,
    private readonly bases: BaseCache,
    private readonly branch: Branch,
    threads: ReviewThreads,
  ) {
    this.reviewer = new Reviewer(open.session.game, threads);
  }

  /**
   * @param n number of the frame that whoever asks was sent last
   * @param tell the same function each time for the same guest
   * @throws KesselError `unsupported` before the end, or where the owner's data are played with; `bad-option`
   */
  async answer(viewer: Viewer, request: ReviewRequest, n: number, tell: Tell): Promise<void> {
    if (request.op === "beliefs") return this.beliefs(viewer, request.n === n, n, tell);
    const { session, header } = this.open;
    if (!session.over) return this.answerInPlay(viewer, request, tell);
    switch (request.op) {
      case "moment":
        return tell({ op: "moment", moment: this.moment(request.at, request.eyes) });
      case "analyse":
        if (header.data !== null)
          throw new KesselError(
            "unsupported",
            "a game with data of your own is analysed by `kessel games analyse --data`",
          );
        return this.analyse(request.by, null, tell);
      case "judge":
        if (header.data !== null)
          throw new KesselError(
            "unsupported",
            "a game with data of your own is analysed by `kessel games analyse --data`",
          );
        return this.judge(request.at, request.at, request.by, tell);
      case "branch": {
        if (header.data !== null)
          throw new KesselError("unsupported", "a game with data of your own can't be branched");
        const { state, actor } = this.stepAt(request.at);
        if (actor === null) throw new KesselError("bad-option", "the game is over there; go back to play on");
        return tell({ op: "branched", links: await this.branch(this.open, state, request.seats) });
      }
      case "export":
        return this.export(request, request.at, tell);
      case "replay":
        return tell({
          op: "replay",
          name: `${this.name}.json`,
          text: JSON.stringify(session.replay()),
        });
    }
  }

  /** While the game goes on: moments, judgements and an analysis, all from what the own side knows. */
  private answerInPlay(viewer: Viewer, request: ReviewRequest, tell: Tell): void {
    const side = this.open.session.game.players[viewer];
    const refuse = (what: string): never => {
      throw new KesselError("unsupported", what);
    };
    if (side === undefined || !mayLookBack(this.open, viewer))
      return refuse("a game can be looked back at when it is over, or by who plays alone against agents");
    switch (request.op) {
      case "moment":
        if (request.eyes !== side) return refuse(`while the game goes on it is seen as ${shown(side)} saw it`);
        return tell({ op: "moment", moment: this.seenMoment(request.at, viewer) });
      case "analyse":
        this.analyse(request.by, viewer, tell);
        return this.open.session.noteHelp();
      case "judge": {
        const t = this.seen(request.at, viewer);
        if (this.stepAt(t).actor !== side)
          return refuse("you see what the other side could do there when the game is over");
        this.judge(t, request.at, request.by, tell);
        return this.open.session.noteHelp();
      }
      case "export":
        if (request.what !== "svg" && request.what !== "png")
          return refuse("positions and films are made when the game is over");
        if (request.eyes !== side) return refuse(`while the game goes on it is seen as ${shown(side)} saw it`);
        return this.export(request, this.seen(request.at, viewer), tell);
      default:
        return refuse("that is possible when the game is over");
    }
  }

  close(): Promise<void> {
    return this.reviewer.close();
  }

  /** What its files are called. */
  private get name(): string {
    const { session, header } = this.open;
    return `${session.game.type.id}-${header.id.slice(0, 6)}`;
  }

  /** Draws in the thread that looks back; the socket's next questions are answered meanwhile. */
  private export({ what, at, eyes, theme }: ExportRequest, t: number, tell: Tell): void {
    const { game } = this.open.session;
    const viewer = this.viewerOf(eyes);
    const { state } = this.stepAt(t);
    const name = `${this.name}-${at}`;
    if (what === "position") {
      const text = JSON.stringify(game.write(state), null, 2);
      const base64 = Buffer.from(`${text}\n`).toString("base64");
      return tell({ op: "file", name: `${name}.json`, type: "application/json", base64 });
    }
    if (this.drawing >= MOST_DRAWING)
      throw new KesselError("limit", "pictures of this game are being made already; ask when they have come");
    const film = what === "film";
    const states = film ? this.filmed() : [state];
    const scenes = states.map((s) => sceneOf(game, s, viewer));
    const file = film
      ? { name: `${this.name}.png`, type: "image/png" }
      : { name: `${name}.${what}`, type: what === "svg" ? "image/svg+xml" : "image/png" };
    this.drawing++;
    void this.reviewer
      .draw({ scenes, format: what, theme })
      .then(({ base64 }) => tell({ op: "file", ...file, base64 }), failed(tell, "the picture could not be drawn"))
      .finally(() => this.drawing--);
  }

  /** Positions that a film shows: those in which something had happened, evenly thinned where there are many. */
  private filmed(): readonly State[] {
    const { state: end } = this.stepAt(this.open.session.actions.length);
    const states = this.steps!.list.filter((s) => (s.events.get(EVERYTHING)?.length ?? 0) > 0).map((s) => s.state);
    const every = Math.max(1, Math.ceil(states.length / MOST_FILMED));
    return [...states.filter((_, i) => i % every === 0), end];
  }

  private beliefs(viewer: Viewer, isCurrent: boolean, n: number, tell: Tell): void {
    const { session } = this.open;
    if (session.over || !isCasual(this.open, viewer))
      throw new KesselError("unsupported", "you see beliefs when you play alone against agents");
    if (!isCurrent) return; // it is no longer asked
    const { version } = session;
    if (this.believed?.version !== version) {
      const made = { version, answer: this.reviewer.beliefs(session.env.state.slice(), viewer) };
      this.believed = made;
      made.answer.catch(() => {
        if (this.believed === made) this.believed = null; // the next question may get an answer
      });
    }
    // not awaited: what is asked next doesn't wait for it
    void this.believed.answer.then(
      (answer) => {
        if (session.version === version) tell({ op: "beliefs", n, ...answer });
      },
      failed(tell, "the beliefs could not be made"),
    );
  }

  /** @param seat from what this seat knows, while the game goes on; `null` from everything, at its end */
  private analyse(by: string, seat: number | null, tell: Tell): void {
    const { session } = this.open;
    this.checkEvaluator(by);
    const name = seat === null ? by : `${by} ${session.version}`;
    let making = this.made.get(name);
    if (making === undefined) {
      const listeners = new Set<Tell>();
      const progress = (done: number): void => listeners.forEach((t) => t({ op: "progress", by, done }));
      const replay = session.replay();
      if (seat === null) making = { made: this.reviewer.analyse(replay, by, null, progress), listeners };
      else {
        // of what has been looked at in play only the last is kept
        if ([...this.made.values()].some((m) => m.listeners.size > 0))
          throw new KesselError("limit", "this game is being analysed already; ask when that has come");
        this.made.clear();
        const moments = session.moments(seat);
        const roughly = (done: number): void => progress(Math.floor(done * 10) / 10); // in finer steps it would show how many
        making = {
          made: this.reviewer.analyse(replay, by, seat, roughly).then((r) => seenReview(r, moments)),
          listeners,
        };
      }
      this.made.set(name, making);
      making.made.catch(() => this.made.delete(name));
    }
    tell({ op: "progress", by, done: 0 });
    tellWhenMade(making, tell, (review) => ({ op: "review", review }), "the analysis failed");
  }

  /** @throws KesselError `bad-agent` */
  private checkEvaluator(by: string): void {
    const known = evaluatorsOf(this.open.session.game);
    if (!known.includes(by)) throw new KesselError("bad-agent", `${shown(by)} can't analyse here; ${oneOf(known)} can`);
  }

  /** What an evaluator thinks of decision `t`, which the guest calls `at`; asked once, sent to all who ask. */
  private judge(t: number, at: number, by: string, tell: Tell): void {
    this.checkEvaluator(by);
    const { state, actor, action } = this.stepAt(t);
    const { over, version } = this.open.session;
    if (actor === null || action < 0)
      throw new KesselError(
        "bad-option",
        over ? "nothing was decided there: the game is over" : "nothing is decided there yet",
      );
    if (this.judged.version !== version) this.judged = { version, list: new Map() }; // choices may have been taken back
    const judged = this.judged.list;
    const name = `${at} ${by}`;
    let judging = judged.get(name);
    if (judging === undefined) {
      const taken = this.open.session.game.actions[action]!;
      const made = this.reviewer.judge(state, action, by).then((found) => ({ at, by, taken, ...found }));
      judging = { made, listeners: new Set() };
      judged.set(name, judging);
      made.catch(() => judged.delete(name));
    }
    tellWhenMade(judging, tell, (found) => ({ op: "judged", judged: found }), "the judgement failed");
  }

  private moment(at: number, eyes: Eyes): Moment {
    const { session } = this.open;
    const { game } = session;
    const viewer = this.viewerOf(eyes);
    const { state, actor, events } = this.stepAt(at);
    const before = at === 0 ? null : this.stepAt(at - 1);
    const seen =
      before === null || viewer === EVERYTHING
        ? before === null
          ? null
          : game.actions[before.action]!
        : game.describeFor(before.state, before.action, state, viewer);
    return {
      at,
      eyes,
      by: actor,
      ...picture(sceneOf(game, state, viewer), this.bases, new LastMade()),
      standing: standingOf(game, state, viewer),
      line: logLine({
        number: at,
        actor: before?.actor ?? null,
        action: seen,
        forced: false,
        events: events.get(viewer)!,
      }),
    };
  }

  /** Decisions played at a moment of those that `viewer` knows of. @throws KesselError `bad-option` */
  private seen(at: number, viewer: Viewer): number {
    const all = this.open.session.moments(viewer);
    const t = all[at];
    if (t === undefined) throw new KesselError("bad-option", `moments are 0 to ${all.length - 1}, not ${shown(at)}`);
    return t;
  }

  /** A moment of a game that goes on, as the own side saw it. */
  private seenMoment(at: number, viewer: Viewer): Moment {
    const { session } = this.open;
    const { game } = session;
    const { state, actor, action } = this.stepAt(this.seen(at, viewer));
    const entries = session.log(viewer).filter((l) => l.actor !== null);
    return {
      at,
      eyes: game.players[viewer]!,
      by: action < 0 ? null : actor, // what is asked now is not looked back at
      ...picture(sceneOf(game, state, viewer), this.bases, new LastMade()),
      standing: standingOf(game, state, viewer),
      line: at === 0 ? null : logLine(entries[at - 1]!),
    };
  }

  private viewerOf(eyes: Eyes): Viewer {
    const { players } = this.open.session.game;
    if (eyes === "all") return EVERYTHING;
    if (eyes === "watch") return SPECTATOR;
    const player = players.indexOf(eyes);
    if (player < 0)
      throw new KesselError("bad-seat", `there are no eyes ${shown(eyes)}; ${oneOf(["all", "watch", ...players])} are`);
    return player;
  }

  /** @throws KesselError `bad-option` */
  private stepAt(at: number): Step {
    const { version } = this.open.session;
    if (this.steps?.version !== version) this.steps = { version, list: this.played() };
    const { list } = this.steps;
    const step = list[at];
    if (step === undefined)
      throw new KesselError("bad-option", `moments are 0 to ${list.length - 1}, not ${shown(at)}`);
    return step;
  }

  /** Every position of the game: one more than decisions. */
  private played(): Step[] {
    const { session } = this.open;
    const { game } = session;
    const viewers = [EVERYTHING, SPECTATOR, ...game.players.keys()];
    const log = new EventLog(viewers);
    const states: Omit<Step, "action">[] = [];
    const replay = session.replay();
    // the game at hand, so that the owner's data are those of the session
    const type = Object.assign(Object.create(game.type) as typeof game.type, { load: () => game });
    const keep = (env: Env): void => {
      const actor = env.actor >= 0 ? game.players[env.actor]! : null;
      states.push({ state: env.state.slice(), actor, events: new Map(viewers.map((v) => [v, log.take(v)])) });
    };
    playReplay(type, replay, keep, log);
    return states.map((s, i) => ({ ...s, action: game.actions.indexOf(replay.actions[i] ?? "") }));
  }
}

/**
 * The part of an analysis that covers moments which its seat knows of, counted as the seat counts them: how many
 * decisions
 * it has not seen is hidden.
 *
 * @param moments decisions played at each
 */
function seenReview(found: Review, moments: readonly number[]): Review {
  const values = Object.entries(found.values).map(([side, list]) => [side, moments.map((t) => list[t]!)] as const);
  const at = new Map(moments.map((t, i) => [t, i]));
  const counted = <T extends { readonly number: number }>(of: readonly T[]): T[] =>
    of.flatMap((x) => {
      const i = at.get(x.number - 1);
      return i === undefined ? [] : [{ ...x, number: i + 1 }];
    });
  return {
    ...found,
    values: Object.fromEntries(values),
    luck: found.luck === null ? null : moments.slice(0, -1).map((t) => found.luck![t]!),
    sides: found.sides.map((s) => ({ ...s, worst: counted(s.worst) })),
    turningPoints: counted(found.turningPoints),
  };
}

/**
 * Sends it when it is made, while the socket's next questions are answered; a guest that asks again meanwhile gets it
 * once.
 */
function tellWhenMade<T>(
  { made, listeners }: Making<T>,
  tell: Tell,
  reply: (found: T) => ReviewReply,
  what: string,
): void {
  if (listeners.has(tell)) return;
  listeners.add(tell);
  void made.then((found) => tell(reply(found)), failed(tell, what)).finally(() => listeners.delete(tell));
}

/** Tells what went wrong; of an error of our own, no more than `what`. */
export const failed =
  (tell: Tell, what: string) =>
  (e: unknown): void => {
    const { code, message } = e instanceof KesselError ? e : new KesselError("internal", what);
    tell({ op: "error", code, message });
  };

type Tell = (reply: ReviewReply | { readonly op: "error"; readonly code: string; readonly message: string }) => void;
