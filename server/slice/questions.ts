import {
  actorName,
  checkSeed,
  diceFor,
  Env,
  type Game,
  illegalAction,
  type JsonObject,
  KesselError,
  legalNames,
  newState,
  type ActionOutcome,
  outcomesOf,
  type RecordedEpisode,
  RecordingDice,
  type Replay,
  replayView,
  Rng,
  sceneOf,
  type Seed,
  SeededDice,
  type State,
  toReplay,
} from "../../env/index.js";
import type { Request, RequestOf } from "../wire/protocol.js";
import { digest, needPrivilege, type Slice } from "./slice.js";
import { savedWords, saveStates } from "../wire/saved-states.js";
import { type PackedFrame, statesFrame } from "../wire/tensors.js";

/** What an operation replies with: the header's keys, and the data frame if there is one. */
export type Body = Record<string, unknown> & { packed?: PackedFrame };
export type Answer = Body | Promise<Body>;

export type Question = Extract<
  Request,
  { op: "save" | "resample" | "legal" | "position" | "observe" | "render" | "replay" | "outcomes" }
>;

/** Answers a question that numbers environments by their rows in the slice. */
export function answerQuestion(slice: Slice, request: Question): Body {
  if ("env" in request) slice.rows([request.env]);
  return (QUESTIONS[request.op] as (s: Slice, r: Question) => Body)(slice, request);
}

/** Most outcomes or samples in one reply. */
const MOST_OUTCOMES = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
const mostOutcomes = (game: Game): number => Math.min(MOST_OUTCOMES, Math.floor(MOST_BYTES / (4 * savedWords(game))));

/** The operations that move no environment. */
const QUESTIONS: { readonly [O in Question["op"]]: (slice: Slice, request: RequestOf<O>) => Body } = {
  save(slice, request) {
    needPrivilege(slice, "save");
    const { batch, game } = slice;
    const rows = slice.rows(request.which);
    const states = rows.map((i) => batch.states[i]!);
    return { privileged: true, packed: statesFrame(saveStates(game, states), rows.length) };
  },

  resample(slice, request) {
    const { batch, game } = slice;
    const rows = slice.rows(request.which);
    const seed = checkSeed(request.seed);
    const exact: boolean[] = [];
    const states = rows.map((i) => {
      const player = batch.actors[i]!;
      if (player < 0)
        throw new KesselError(
          "not-reset",
          `environment ${slice.name(i)} has no acting player; a sample is drawn from what the acting player knows`,
        );
      const s = newState(game.stateSize);
      exact.push(game.resample(batch.states[i]!, player, s, new Rng(digest(`${seed}/${slice.name(i)}`))));
      return s;
    });
    return { exact, packed: statesFrame(saveStates(game, states), rows.length) };
  },

  legal(slice, request) {
    const { batch, game } = slice;
    const A = game.actions.length;
    return { legal: slice.rows(request.which).map((i) => legalNames(game, batch.mask.subarray(i * A, (i + 1) * A))) };
  },

  position(slice, request) {
    const { batch, game } = slice;
    if (request.whole === true) needPrivilege(slice, "the whole position");
    const rows = slice.rows(request.which);
    const documentOf = (i: number): JsonObject =>
      request.whole === true
        ? game.write(batch.states[i]!)
        : game.view(batch.states[i]!, slice.viewer(i, request.seat));
    return { positions: rows.map(documentOf), ...(request.whole === true && { privileged: true }) };
  },

  observe(slice, request) {
    return { packed: slice.observe(slice.rows(request.which), request.seat) };
  },

  render(slice, request) {
    const { batch, game } = slice;
    const [state, viewer] = [batch.states[request.env]!, slice.viewer(request.env, request.seat)];
    // a picture is drawn from the scene by whoever sends the reply
    if ((request.format ?? "text") === "text") return { text: game.render(state, viewer) };
    return { scene: sceneOf(game, state, viewer) };
  },

  replay(slice, request) {
    const { batch, game } = slice;
    const viewer = slice.viewer(request.env, request.seat);
    if (request.seat === undefined) needPrivilege(slice, "a whole replay");
    else if (!slice.privileged && request.last !== true && !batch.over(request.env))
      throw new KesselError(
        "not-privileged",
        `the episode of environment ${slice.name(request.env)} goes on; its replay is shown when it is over, or to a batch made with privileged: true`,
      );
    const played = batch.recordedEpisode(request.env, request.last);
    if (played === null)
      throw new KesselError(
        "unsupported",
        `there is no record of that episode: make the batch with record: true; an episode whose situation was loaded has none`,
      );
    const replay = recorded(game, played, slice.host.diceKey);
    if (request.seat === undefined) return { replay, privileged: true };
    return { lines: replayView({ ...game.type, load: () => game }, replay, viewer) };
  },

  outcomes(slice, request) {
    needPrivilege(slice, "what may come");
    const { batch, game } = slice;
    const { env, action, samples } = request;
    const A = game.actions.length;
    if (action >= A) throw new KesselError("bad-action", `actions of ${game.type.id} are 0 to ${A - 1}, not ${action}`);
    if (batch.mask[env * A + action] !== 1)
      throw illegalAction(game, game.actions[action]!, actorName(game, batch.states[env]!), batch.legalCounts[env]!);
    const from = batch.states[env]!;
    const most = mostOutcomes(game);
    if (samples !== undefined && samples > most)
      throw new KesselError(
        "limit",
        `at most ${most} samples of ${game.type.id} fit one reply, ${samples} were asked for`,
      );
    const found =
      samples === undefined
        ? outcomesOf(game, from, action, most)
        : sampled(game, from, action, samples, request.seed ?? 0);
    return {
      privileged: true,
      packed: statesFrame(
        saveStates(
          game,
          found.map((o) => o.state),
        ),
        found.length,
        found.map((o) => o.probability),
      ),
    };
  },
};

/** `n` random outcomes of an action, each with a random stream of its own. */
function sampled(game: Game, from: State, action: number, n: number, seed: Seed): ActionOutcome[] {
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

/** @param key of the server's dice: who reads the replay doesn't have it, so it lists the dice */
function recorded(game: Game, { seed, actions }: RecordedEpisode, key: Uint8Array | undefined): Replay {
  const dice = new RecordingDice(diceFor(key));
  const env = new Env(game);
  env.reset(seed, dice);
  const rolled = [dice.script.splice(0)];
  for (const a of actions) {
    env.step(a, dice);
    rolled.push(dice.script.splice(0));
  }
  const names = actions.map((a) => game.actions[a]!);
  return toReplay(game, seed, names, env, key === undefined ? {} : { dice: rolled });
}
