import {
  diceFor,
  Env,
  type Game,
  type JsonObject,
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
  type Viewer,
} from "../../env/index.js";
import { checkSaved, savedWords, saveStates, type StateSeal } from "../wire/saved-states.js";
import { statesFrame } from "../wire/tensors.js";
import type { Answer, Body } from "./body.js";
import { drawnScene } from "./drawn-scene.js";
import { readPosition } from "./reset.js";

/**
 * What may take long, as plain data: any thread with the game can answer it. Lists are of one length and have a row each
 * for what can be answered row by row.
 */
export type Later =
  | {
      readonly what: "resample";
      readonly states: readonly State[];
      readonly players: readonly number[];
      readonly seeds: readonly string[];
    }
  /** Position documents, each for a viewer, or `whole`. */
  | {
      readonly what: "view";
      readonly states: readonly State[];
      readonly viewers: readonly Viewer[];
      readonly whole: boolean;
    }
  | {
      readonly what: "draw";
      readonly state: State;
      readonly viewer: Viewer;
      readonly format: "svg" | "rgb";
      readonly width: number | undefined;
    }
  /** A viewer null gets the replay itself. */
  | { readonly what: "replay"; readonly episode: RecordedEpisode; readonly viewer: Viewer | null }
  | {
      readonly what: "outcomes";
      readonly state: State;
      readonly action: number;
      readonly samples: number | undefined;
      readonly seed: Seed;
    }
  /** States of position documents, for `reset`: `{states}`. */
  | { readonly what: "read"; readonly documents: readonly JsonObject[]; readonly seeds: readonly Seed[] }
  /** Are these saved rows, numbered from `first` on, what `save` gave? For `load`. */
  | { readonly what: "check"; readonly rows: readonly Int32Array[]; readonly first: number };

/** Keys and the like that some answers need. */
export interface LaterHost {
  readonly seal: StateSeal | null;
  readonly diceKey: Uint8Array | undefined;
}

/** Rows that can be answered one by one; 1 for what can't be cut. */
export function rowsOf(later: Later): number {
  if ("states" in later) return later.states.length;
  if ("documents" in later) return later.documents.length;
  return "rows" in later ? later.rows.length : 1;
}

/** Rows `from` to `to` of what can be cut; anything else as it is. */
export function cutOf(later: Later, from: number, to: number): Later {
  switch (later.what) {
    case "resample":
      return {
        what: "resample",
        states: later.states.slice(from, to),
        players: later.players.slice(from, to),
        seeds: later.seeds.slice(from, to),
      };
    case "view":
      return {
        what: "view",
        states: later.states.slice(from, to),
        viewers: later.viewers.slice(from, to),
        whole: later.whole,
      };
    case "read":
      return { what: "read", documents: later.documents.slice(from, to), seeds: later.seeds.slice(from, to) };
    case "check":
      return { what: "check", rows: later.rows.slice(from, to), first: later.first + from };
    default:
      return later;
  }
}

/** @throws KesselError `bad-position`, `bad-state`, `limit` */
export function answerLater(game: Game, later: Later, { seal, diceKey }: LaterHost): Answer {
  switch (later.what) {
    case "resample": {
      const exact: boolean[] = [];
      const drawn = later.states.map((s, k) => {
        const out = newState(game.stateSize);
        exact.push(game.resample(s, later.players[k]!, out, new Rng(later.seeds[k]!)));
        return out;
      });
      return { exact, packed: statesFrame(saveStates(game, drawn, seal), drawn.length) };
    }
    case "view":
      return {
        positions: later.states.map((s, k) => (later.whole ? game.write(s) : game.view(s, later.viewers[k]!))),
        ...(later.whole && { privileged: true }),
      };
    case "draw":
      return drawnScene(sceneOf(game, later.state, later.viewer), later.format, later.width);
    case "replay": {
      const replay = recorded(game, later.episode, diceKey);
      return later.viewer === null
        ? { replay, privileged: true }
        : { lines: replayView({ ...game.type, load: () => game }, replay, later.viewer) };
    }
    case "outcomes":
      return outcomes(game, later, seal);
    case "read":
      return { states: later.documents.map((doc, k) => readPosition(game, doc, later.seeds[k]!)) };
    case "check":
      checkSaved(game, later.rows, seal, later.first);
      return {};
  }
}

/** Most outcomes or samples in one reply. */
const MOST_OUTCOMES = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
export const mostOutcomes = (game: Game): number =>
  Math.min(MOST_OUTCOMES, Math.floor(MOST_BYTES / (4 * savedWords(game))));

function outcomes(game: Game, asked: Extract<Later, { what: "outcomes" }>, seal: StateSeal | null): Body {
  const { state, action, samples, seed } = asked;
  const found =
    samples === undefined
      ? outcomesOf(game, state, action, mostOutcomes(game))
      : sampled(game, state, action, samples, seed);
  const rows = saveStates(
    game,
    found.map((o) => o.state),
    seal,
  );
  return {
    privileged: true,
    packed: statesFrame(
      rows,
      found.length,
      found.map((o) => o.probability),
    ),
  };
}

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
