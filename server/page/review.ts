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
import { LastMade } from "./kept.js";
import { evaluatorsOf, isCasual } from "./casual.js";
import { type BaseCache, picture } from "./picture.js";
import { Reviewer } from "./review/reviewer.js";
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

/** Makes a game out of a position of another one. @returns links to its seats */
export type Branch = (
  open: OpenSession,
  position: State,
  seats: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>>>;

/** Looking back at the game of one table, once it is over; and what its seat may believe, while it goes on. */
export class TableReview {
  private steps: readonly Step[] | null = null;
  private readonly reviewer: Reviewer;
  /** Analyses that are made or being made, by evaluator, with those who wait for them. */
  private readonly made = new Map<string, { readonly review: Promise<Review>; readonly told: Set<Tell> }>();
  /** By moment and evaluator. */
  private readonly judged = new Map<string, Promise<Judged>>();
  /** Pictures that are being made. */
  private drawing = 0;
  private believed: { readonly version: number; readonly answer: ReturnType<Reviewer["beliefs"]> } | null = null;

  constructor(
    private readonly open: OpenSession,
    private readonly bases: BaseCache,
    private readonly branch: Branch,
  ) {
    this.reviewer = new Reviewer(open.session.game);
  }

  /**
   * @param n number of the frame that whoever asks was sent last
   * @throws KesselError `unsupported` before the end, or where the owner's data are played with; `bad-option`
   */
  async answer(viewer: Viewer, request: ReviewRequest, n: number, tell: Tell): Promise<void> {
    if (request.op === "beliefs") return this.beliefs(viewer, request.n === n, n, tell);
    const { session, header } = this.open;
    if (!session.over) throw new KesselError("unsupported", "a game can be looked back at when it is over");
    switch (request.op) {
      case "moment":
        return tell({ op: "moment", moment: this.moment(request.at, request.eyes) });
      case "analyse":
        if (header.data !== null)
          throw new KesselError("unsupported", "a game with data of your own is analysed by `kessel analyse --data`");
        return this.analyse(request.by, tell);
      case "judge":
        if (header.data !== null)
          throw new KesselError("unsupported", "a game with data of your own is analysed by `kessel analyse --data`");
        return this.judge(request.at, request.by, tell);
      case "branch": {
        if (header.data !== null)
          throw new KesselError("unsupported", "a game with data of your own can't be branched");
        const { state, actor } = this.stepAt(request.at);
        if (actor === null) throw new KesselError("bad-option", "the game is over there; go back to play on");
        return tell({ op: "branched", links: await this.branch(this.open, state, request.seats) });
      }
      case "export":
        return this.export(request, tell);
      case "replay":
        return tell({
          op: "replay",
          name: `${this.name}.json`,
          text: JSON.stringify(session.replay()),
        });
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
  private export({ what, at, eyes, theme }: ExportRequest, tell: Tell): void {
    const { game } = this.open.session;
    const viewer = this.viewerOf(eyes);
    const { state } = this.stepAt(at);
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
    const told = this.steps!.filter((s) => (s.events.get(EVERYTHING)?.length ?? 0) > 0).map((s) => s.state);
    const every = Math.max(1, Math.ceil(told.length / MOST_FILMED));
    return [...told.filter((_, i) => i % every === 0), end];
  }

  private async beliefs(viewer: Viewer, isCurrent: boolean, n: number, tell: Tell): Promise<void> {
    const { session } = this.open;
    if (session.over || !isCasual(this.open, viewer))
      throw new KesselError("unsupported", "beliefs are told to a person who plays alone against agents");
    if (!isCurrent) return; // it is no longer asked
    if (this.believed?.version !== session.version)
      this.believed = {
        version: session.version,
        answer: this.reviewer.beliefs(session.env.state.slice(), viewer),
      };
    const { version } = this.believed;
    const answer = await this.believed.answer;
    if (session.version === version) tell({ op: "beliefs", n, ...answer });
  }

  private async analyse(by: string, tell: Tell): Promise<void> {
    const { session } = this.open;
    this.checkEvaluator(by);
    let making = this.made.get(by);
    if (making === undefined) {
      const told = new Set<Tell>();
      const progress = (done: number): void => told.forEach((t) => t({ op: "progress", by, done }));
      making = { review: this.reviewer.analyse(session.replay(), by, progress), told };
      this.made.set(by, making);
      making.review.catch(() => this.made.delete(by));
    }
    making.told.add(tell);
    tell({ op: "progress", by, done: 0 });
    const { review, told } = making;
    // the socket's next questions are answered meanwhile
    void review
      .then((found) => tell({ op: "review", review: found }), failed(tell, "the analysis failed"))
      .finally(() => told.delete(tell));
  }

  /** @throws KesselError `bad-agent` */
  private checkEvaluator(by: string): void {
    const known = evaluatorsOf(this.open.session.game);
    if (!known.includes(by)) throw new KesselError("bad-agent", `${shown(by)} can't analyse here; ${oneOf(known)} can`);
  }

  /** What an evaluator thinks of one decision; asked once, told to all who ask. */
  private judge(at: number, by: string, tell: Tell): void {
    this.checkEvaluator(by);
    const { state, actor, action } = this.stepAt(at);
    if (actor === null || action < 0)
      throw new KesselError("bad-option", "nothing was decided there: the game is over");
    const name = `${at} ${by}`;
    let judging = this.judged.get(name);
    if (judging === undefined) {
      const taken = this.open.session.game.actions[action]!;
      judging = this.reviewer.judge(state, action, by).then((found) => ({ at, by, taken, ...found }));
      this.judged.set(name, judging);
      judging.catch(() => this.judged.delete(name));
    }
    void judging.then((judged) => tell({ op: "judged", judged }), failed(tell, "the judgement failed"));
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
    this.steps ??= this.played();
    const step = this.steps[at];
    if (step === undefined)
      throw new KesselError("bad-option", `moments are 0 to ${this.steps.length - 1}, not ${shown(at)}`);
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

/** Tells what went wrong; of an error of our own, no more than `what`. */
const failed =
  (tell: Tell, what: string) =>
  (e: unknown): void => {
    const { code, message } = e instanceof KesselError ? e : new KesselError("internal", what);
    tell({ op: "error", code, message });
  };

type Tell = (reply: ReviewReply | { readonly op: "error"; readonly code: string; readonly message: string }) => void;
