import {
  actorName,
  Env,
  type Game,
  illegalAction,
  type JsonObject,
  KesselError,
  legalNames,
  newState,
  type Outcome as Situation,
  outcomesOf,
  type Played,
  type Replay,
  replayView,
  Rng,
  type Seed,
  SeededDice,
  shown,
  type State,
  toReplay,
} from "../env/index.js";
import type { HostedBatch } from "./hosted.js";
import type { RequestOf } from "./protocol.js";
import { readStates, savedWords, saveStates } from "./states.js";
import { asInt32, type Packed, statesFrame } from "./tensors.js";

/** What an operation replies with: keys of the header, and the data frame if there is one. */
export type Body = Record<string, unknown> & { packed?: Packed };
export type Outcome = Body | Promise<Body>;

/** Outcomes in one reply: ways the dice of an action may fall, and samples. */
const MOST_OUTCOMES = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
const mostOutcomes = (game: Game): number => Math.min(MOST_OUTCOMES, Math.floor(MOST_BYTES / (4 * savedWords(game))));

type BatchOp = "reset" | "step" | "save" | "load" | "clone" | "resample" | "legal" | "position" | "observe" | "render" | "replay" | "outcomes";

/** What can be asked of a batch. Each checks its request before anything changes. */
export const BATCH_OPS: { readonly [O in BatchOp]: (hosted: HostedBatch, request: RequestOf<O>, data: Uint8Array) => Outcome } = {
  step(hosted, _request, data) {
    const actions = asInt32(data);
    const { size } = hosted.batch;
    if (actions === null || actions.length !== size)
      throw new KesselError("bad-action", `${size} environments need ${4 * size} bytes of actions (int32), ${data.length} came`);
    return show(hosted, hosted.step(actions));
  },

  reset(hosted, request) {
    if (request.positions !== undefined) needPrivilege(hosted, "a start from a position");
    return show(hosted, hosted.reset(request));
  },

  save(hosted, request) {
    needPrivilege(hosted, "save");
    const { batch, game } = hosted;
    const rows = hosted.rows(request.which);
    const states = rows.map((i) => batch.states[i]!);
    return { privileged: true, packed: statesFrame(saveStates(game, states), rows.length) };
  },

  load(hosted, request, data) {
    needPrivilege(hosted, "load");
    const rows = hosted.rows(request.which);
    const words = asInt32(data);
    if (words === null) throw new KesselError("bad-state", `saved states are int32; ${data.length} bytes came`);
    return show(hosted, hosted.load(rows, readStates(hosted.game, words, rows.length)));
  },

  clone(hosted, request) {
    needPrivilege(hosted, "clone");
    if (request.from.length !== request.to.length) throw new KesselError("bad-option", `from names ${request.from.length} environments and to ${request.to.length}`);
    const { batch } = hosted;
    for (const i of request.from) batch.checkRows([i]);
    const states = request.from.map((i): State => batch.states[i]!.slice());
    return show(hosted, hosted.load(request.to, states));
  },

  resample(hosted, request) {
    const { batch, game } = hosted;
    const rows = hosted.rows(request.which);
    const rng = new Rng(request.seed);
    const exact: boolean[] = [];
    const states = rows.map((i) => {
      const player = batch.actors[i]!;
      if (player < 0) throw new KesselError("not-reset", `environment ${i} waits for nobody; only a player who decides has something to guess`);
      const s = newState(game.stateSize);
      exact.push(game.resample(batch.states[i]!, player, s, rng));
      return s;
    });
    return { exact, packed: statesFrame(saveStates(game, states), rows.length) };
  },

  legal(hosted, request) {
    const { batch, game } = hosted;
    const A = game.actions.length;
    return { legal: hosted.rows(request.which).map((i) => legalNames(game, batch.mask.subarray(i * A, (i + 1) * A))) };
  },

  position(hosted, request) {
    const { batch, game } = hosted;
    if (request.whole === true) needPrivilege(hosted, "the whole position");
    const rows = hosted.rows(request.which);
    const documentOf = (i: number): JsonObject => (request.whole === true ? game.write(batch.states[i]!) : game.view(batch.states[i]!, hosted.viewer(i, request.seat)));
    return { positions: rows.map(documentOf), ...(request.whole === true && { privileged: true }) };
  },

  observe(hosted, request) {
    return { packed: hosted.observe(hosted.rows(request.which), request.seat) };
  },

  render(hosted, request) {
    const { batch, game } = hosted;
    batch.checkRows([request.env]);
    return { text: game.render(batch.states[request.env]!, hosted.viewer(request.env, request.seat)) };
  },

  replay(hosted, request) {
    const { batch, game } = hosted;
    batch.checkRows([request.env]);
    const viewer = hosted.viewer(request.env, request.seat);
    if (request.seat === undefined) needPrivilege(hosted, "a whole replay");
    else if (!hosted.privileged && request.last !== true && !batch.over(request.env))
      throw new KesselError("not-privileged", `the episode of environment ${request.env} goes on; its replay is shown when it is over, or to a batch made with privileged: true`);
    const played = batch.played(request.env, request.last);
    if (played === null)
      throw new KesselError("unsupported", `there is no record of that episode: make the batch with record: true; an episode whose situation was loaded has none`);
    const replay = recorded(game, played);
    if (request.seat === undefined) return { replay, privileged: true };
    return { lines: replayView({ ...game.type, load: () => game }, replay, viewer) };
  },

  outcomes(hosted, request) {
    needPrivilege(hosted, "what may come");
    const { batch, game } = hosted;
    const { env, action, samples } = request;
    batch.checkRows([env]);
    const A = game.actions.length;
    if (action >= A) throw new KesselError("bad-action", `actions of ${game.type.id} are 0 to ${A - 1}, not ${action}`);
    if (batch.mask[env * A + action] !== 1) throw illegalAction(game, game.actions[action]!, actorName(game, batch.states[env]!), batch.legalCounts[env]!);
    const from = batch.states[env]!;
    const most = mostOutcomes(game);
    if (samples !== undefined && samples > most) throw new KesselError("limit", `at most ${most} samples of ${game.type.id} fit one reply, ${samples} were asked for`);
    const found = samples === undefined ? outcomesOf(game, from, action, most) : sampled(game, from, action, samples, request.seed ?? 0);
    return { privileged: true, packed: statesFrame(saveStates(game, found.map((o) => o.state)), found.length, found.map((o) => o.probability)) };
  },
};

/** `n` ways an action can go, each with dice of its own. */
function sampled(game: Game, from: State, action: number, n: number, seed: Seed): Situation[] {
  const rng = new Rng(seed);
  const dice = new SeededDice();
  return Array.from({ length: n }, () => {
    const state = from.slice();
    rng.freshStream(state);
    dice.begin(state);
    game.apply(state, action, dice);
    return { state, probability: 1 / n };
  });
}

function recorded(game: Game, { seed, actions }: Played): Replay {
  const env = new Env(game);
  env.reset(seed);
  const names = actions.map((a) => game.actions[a]!);
  for (const a of actions) env.step(a);
  return toReplay(game, seed, names, env);
}

export function needPrivilege(hosted: HostedBatch, what: string): void {
  if (!hosted.privileged) throw new KesselError("not-privileged", `${what} shows or sets what players don't know; make the batch with privileged: ${shown(true)}`);
}

function show(hosted: HostedBatch, done: void | Promise<void>): Outcome {
  return done === undefined ? { packed: hosted.pack() } : done.then(() => ({ packed: hosted.pack() }));
}
