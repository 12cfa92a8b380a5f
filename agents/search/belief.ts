import {
  type Feature,
  type Game,
  KesselError,
  newObservation,
  newState,
  type ObservationSpec,
  Rng,
  type Seed,
  type State,
} from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { OnnxModel } from "../onnx.js";
import { MAX_BATCH } from "./leaves.js";
import { openRows } from "./rows.js";

/** Worlds that are weighed for a decision. */
const WORLDS = 128;

/** What a net says of a world: that it was dealt, or that it is true. */
export const VERDICTS = ["dealt", "true"] as const;

const WORLD_GAMES = new WeakMap<Game, Game>();

/**
 * What a belief net looks at, as a game for nets: a world as the deciding player sees it, and beside it as the other
 * player sees it. Its two actions are the verdicts.
 *
 * A net that separates true worlds from dealt ones has learnt how much likelier a world is than `resample` deals it:
 * that is what the odds of its verdicts are (noise-contrastive estimation; Gutmann and Hyvärinen 2010). `resample`
 * deals worlds that fit what a player knows; only games can show which of them the opponent's play leads to.
 *
 * @throws KesselError `unsupported` for a game that has not two players
 */
export function worldGame(game: Game): Game {
  let made = WORLD_GAMES.get(game);
  if (made === undefined) WORLD_GAMES.set(game, (made = makeWorldGame(game)));
  return made;
}

function makeWorldGame(game: Game): Game {
  const sides = game.players.length;
  if (sides !== 2) {
    const why =
      sides === 1 ? "has one player, so that nobody chose" : `is for ${sides} players: nobody can say who chose`;
    throw new KesselError("unsupported", `${game.type.id} ${why} what is hidden`);
  }
  const { observation: spec } = game;
  const both = (list: readonly Feature[]): Feature[] => [
    ...list,
    ...list.map((f) => ({ ...f, name: `other: ${f.name}` })),
  ];
  const observation: ObservationSpec = {
    ...spec,
    globals: both(spec.globals),
    map: both(spec.map),
    units: both(spec.units),
  };
  const own = newObservation(spec);
  const other = newObservation(spec);
  const parts: Partial<Game> = {
    observation,
    cacheWords: 0,
    actions: VERDICTS,
    legalMask(_s, mask, at) {
      mask.fill(1, at, at + VERDICTS.length);
      return VERDICTS.length;
    },
    observe(s, viewer, out) {
      game.observe(s, viewer, own);
      game.observe(s, 1 - viewer, other);
      out.globals.set(own.globals);
      out.globals.set(other.globals, own.globals.length);
      pairRows(own.map, other.map, spec.map.length, out.map);
      pairRows(own.units, other.units, spec.units.length, out.units);
      out.decision.set(own.decision);
    },
  };
  return Object.assign(Object.create(game) as Game, parts);
}

/** Writes each row of `a` and, behind it, that of `b`. */
function pairRows(a: Float32Array, b: Float32Array, width: number, out: Float32Array): void {
  for (let from = 0; from < a.length; from += width)
    for (let i = 0; i < width; i++) {
      out[2 * from + i] = a[from + i]!;
      out[2 * from + width + i] = b[from + i]!;
    }
}

/** Worlds dealt for one decision, and the sums of their weights up to each. */
interface Weighed {
  readonly worlds: readonly State[];
  readonly sums: Float64Array;
}

/** Deals worlds as often as a net finds them likely, from what a seat knows: it reads samples, never the true state. */
export class Belief {
  private readonly worlds: Game;
  private readonly states: State[] = [];

  private constructor(
    private readonly game: Game,
    private readonly model: OnnxModel,
  ) {
    this.worlds = model.game;
  }

  /** @throws KesselError `bad-model`, `unsupported` */
  static async load(bytes: Uint8Array, game: Game, name: string, apart?: number): Promise<Belief> {
    return new Belief(game, await OnnxModel.share(bytes, worldGame(game), name, apart));
  }

  /**
   * The decisions, with worlds of `rows` sampled by weight. They share memory with the next ones that are weighed.
   *
   * @param rows those that will be sampled; rows of seats that the net knows nothing of are left as they are
   */
  async weigh(decisions: Decisions, rows: readonly number[], rng: Rng): Promise<Decisions> {
    const { states, model } = this;
    const known = rows.filter((row) => model.players.includes(decisions.actors[row]!));
    const dealt: { row: number; state: State }[] = [];
    for (const row of known)
      for (let w = 0; w < WORLDS; w++) {
        const state = (states[dealt.length] ??= newState(this.game.stateSize));
        decisions.sample(row, state, rng);
        dealt.push({ row, state });
      }
    const ratios = await this.logRatios(dealt.map(({ row, state }) => ({ state, viewer: decisions.actors[row]! })));
    const found = new Map<number, Weighed>(
      known.map((row, k) => [
        row,
        {
          worlds: states.slice(k * WORLDS, (k + 1) * WORLDS),
          sums: sumsOfWeights(ratios.subarray(k * WORLDS, (k + 1) * WORLDS)),
        },
      ]),
    );
    const sample: Decisions["sample"] = (row, out, stream) => {
      const weighed = found.get(row);
      if (weighed === undefined) return decisions.sample(row, out, stream);
      const { worlds, sums } = weighed;
      const at = stream.float() * sums.at(-1)!;
      let k = 0;
      while (k < sums.length - 1 && sums[k]! <= at) k++;
      out.set(worlds[k]!);
      stream.freshStream(out);
      return true;
    };
    return Object.create(decisions, { sample: { value: sample } }) as Decisions;
  }

  /** How much likelier each world is than it was dealt, as a logarithm, up to a constant. */
  async logRatios(worlds: readonly { readonly state: State; readonly viewer: number }[]): Promise<Float64Array> {
    const { model } = this;
    const ratios = new Float64Array(worlds.length);
    const size = Math.min(MAX_BATCH, worlds.length);
    const { input, rows } = model.newRows(size);
    const mask = new Uint8Array(size * VERDICTS.length).fill(1);
    for (let from = 0; from < worlds.length; from += size) {
      const n = Math.min(size, worlds.length - from);
      for (let i = 0; i < n; i++) {
        const { state, viewer } = worlds[from + i]!;
        this.worlds.observe(state, viewer, rows[i]!);
      }
      const { policy } = await model.run(input, mask, n);
      for (let i = 0; i < n; i++) ratios[from + i] = policy[2 * i + 1]! - policy[2 * i]!;
    }
    return ratios;
  }

  /** Players whose beliefs it knows, by index. */
  get players(): readonly number[] {
    return this.model.players;
  }

  close(): Promise<void> {
    return this.model.close();
  }
}

/**
 * The part of the worlds that shall count: where one of them has nearly all the weight, as happens when many counters
 * are hidden, ratios are raised to the power that spreads the weight over this part. Measured in Savage Streets, where
 * half or twice that part is as informative.
 */
const LEAST_EFFECTIVE = 0.1;

/**
 * Weights of worlds, the greatest being 1: their ratios, tempered until a tenth of the worlds counts.
 *
 * @param logRatios see `Belief.logRatios`
 */
export function weightsOf(logRatios: Float64Array): Float64Array {
  const most = logRatios.reduce((a, b) => Math.max(a, b), -Infinity);
  const raised = (power: number): Float64Array => logRatios.map((r) => Math.exp(power * (r - most)));
  const enough = (power: number): boolean =>
    effectiveOf(raised(power)) >= Math.max(1, LEAST_EFFECTIVE * logRatios.length);
  if (enough(1)) return raised(1);
  let [low, high] = [0, 1];
  for (let k = 0; k < 16; k++) {
    const power = (low + high) / 2;
    if (enough(power)) low = power;
    else high = power;
  }
  return raised(low);
}

/** The number of equally weighted worlds that would be as informative (Kish's effective sample size). */
export function effectiveOf(weights: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (const w of weights) {
    sum += w;
    squares += w * w;
  }
  return (sum * sum) / squares;
}

/** Sums of the weights up to each world. */
function sumsOfWeights(logRatios: Float64Array): Float64Array {
  let sum = 0;
  return weightsOf(logRatios).map((w) => (sum += w));
}

/** A search among worlds as often as a net finds them likely. */
export class BelievingAgent implements Agent {
  readonly name: string;
  private readonly rng: Rng;

  constructor(
    private readonly agent: Agent,
    private readonly belief: Belief,
    seed: Seed,
  ) {
    this.name = agent.name;
    this.rng = new Rng(`${seed}/belief`);
  }

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const rows = openRows(decisions, out);
    await this.agent.act(rows.length === 0 ? decisions : await this.belief.weigh(decisions, rows, this.rng), out);
  }

  async close(): Promise<void> {
    await this.agent.close?.();
    await this.belief.close();
  }
}
