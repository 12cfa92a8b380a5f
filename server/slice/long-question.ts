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
 * A question that may take long, as plain data, so that any thread with the game can answer it. Its lists have one
 * length, with one row for each part that can be answered separately.
 */
export type LongQuestion =
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
  /** Checks that `save` gave these rows, numbered from `first`. For `load`. */
  | { readonly what: "check"; readonly rows: readonly Int32Array[]; readonly first: number };

/** Keys that some answers need. */
export interface AnswerKeys {
  readonly seal: StateSeal | null;
  readonly diceKey: Uint8Array | undefined;
}

/** Number of rows that can be answered separately; 1 if the question can't be cut. */
export function rowsOf(question: LongQuestion): number {
  if ("states" in question) return question.states.length;
  if ("documents" in question) return question.documents.length;
  return "rows" in question ? question.rows.length : 1;
}

/** Rows `from` to `to` of a question that can be cut, or the whole question. */
export function cutOf(question: LongQuestion, from: number, to: number): LongQuestion {
  switch (question.what) {
    case "resample":
      return {
        what: "resample",
        states: question.states.slice(from, to),
        players: question.players.slice(from, to),
        seeds: question.seeds.slice(from, to),
      };
    case "view":
      return {
        what: "view",
        states: question.states.slice(from, to),
        viewers: question.viewers.slice(from, to),
        whole: question.whole,
      };
    case "read":
      return { what: "read", documents: question.documents.slice(from, to), seeds: question.seeds.slice(from, to) };
    case "check":
      return { what: "check", rows: question.rows.slice(from, to), first: question.first + from };
    default:
      return question;
  }
}

/** @throws KesselError `bad-position`, `bad-state`, `limit` */
export function answerLongQuestion(game: Game, question: LongQuestion, { seal, diceKey }: AnswerKeys): Answer {
  switch (question.what) {
    case "resample": {
      const exact: boolean[] = [];
      const drawn = question.states.map((s, k) => {
        const out = newState(game.stateSize);
        exact.push(game.resample(s, question.players[k]!, out, new Rng(question.seeds[k]!)));
        return out;
      });
      return { exact, packed: statesFrame(saveStates(game, drawn, seal), drawn.length) };
    }
    case "view":
      return {
        positions: question.states.map((s, k) => (question.whole ? game.write(s) : game.view(s, question.viewers[k]!))),
        ...(question.whole && { privileged: true }),
      };
    case "draw":
      return drawnScene(sceneOf(game, question.state, question.viewer), question.format, question.width);
    case "replay": {
      const replay = recorded(game, question.episode, diceKey);
      return question.viewer === null
        ? { replay, privileged: true }
        : { lines: replayView({ ...game.type, load: () => game }, replay, question.viewer) };
    }
    case "outcomes":
      return outcomes(game, question, seal);
    case "read":
      return { states: question.documents.map((doc, k) => readPosition(game, doc, question.seeds[k]!)) };
    case "check":
      checkSaved(game, question.rows, seal, question.first);
      return {};
  }
}

/** Most outcomes or samples in one reply. */
const MOST_OUTCOMES = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
export const mostOutcomes = (game: Game): number =>
  Math.min(MOST_OUTCOMES, Math.floor(MOST_BYTES / (4 * savedWords(game))));

function outcomes(game: Game, asked: Extract<LongQuestion, { what: "outcomes" }>, seal: StateSeal | null): Body {
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
