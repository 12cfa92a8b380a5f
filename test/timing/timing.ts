import { type Game, Rng, RNG_WORDS, sameSituation, type State } from "../../env/index.js";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import type { Reply } from "../../server/wire/protocol.js";
import { saveStates, StateSeal } from "../../server/wire/saved-states.js";
import { unpack } from "msgpackr";
import type { Starts } from "../conformance/starts.js";

// The time of a reply as a way out: the same question is asked again and again of worlds that a seat can't tell apart,
// and of one of them twice. Times of the twins may differ no more than those of a world and its copy.

/** Replies of one kind of question. */
export interface Timing {
  readonly op: string;
  replies: number;
  pairs: number;
  /**
   * How many deviations the twins' times are further apart than those of a world and its copy: ranks of each pair's
   * times (Mann and Whitney's z, squared), twins less copies, over the error of their mean.
   */
  deviations: number;
  /**
   * How far the medians of two times are apart in microseconds, the upper quartile of pairs: of twins, and of copies.
   */
  twins: number;
  copies: number;
}

/** Deviations beyond which times tell the worlds apart; by chance once in 300,000 times. */
export const MOST_DEVIATIONS = 4.5;
const KEY = new Uint8Array(32).fill(5);
/** A world, its copy, its twin. */
const ARMS = 3;
const ROUNDS = 24;
const WARM_UP = 8;
/** All replies have been read when the next state is loaded. */
const SLOTS_READ = [0, 1, 2, 3, 4, 5, 6, 7];

/** A number of a pair of twins, and of a world and its copy. */
interface Two {
  readonly twins: number;
  readonly copies: number;
}

export interface TimingOptions {
  /** Replies of each kind. */
  readonly replies: number;
  readonly seed: string;
}

/** Times replies about worlds that a seat can't tell apart, in this thread. */
export async function timeTwins(game: Game, starts: Starts, { replies, seed }: TimingOptions): Promise<Timing[]> {
  const rng = new Rng(seed);
  const timed = new TimedServer(game);
  const kinds = new Map<string, { squares: Two[]; apart: Two[]; replies: number }>();
  try {
    await timed.open();
    const done = (): boolean => kinds.size > 0 && Math.max(...[...kinds.values()].map((k) => k.replies)) >= replies;
    for (let tries = 0; !done() && tries < 20 * replies; tries++) {
      const x = starts.pick(tries, rng).slice();
      const player = game.actor(x);
      if (player < 0) continue;
      const y = x.slice();
      game.resample(x, player, y, rng);
      y.set(x.subarray(0, RNG_WORDS)); // the same dice to come
      if (sameSituation(x, y)) continue;
      for (const [op, times] of timed.ask([x, x, y], player, rng)) {
        const kind = kinds.get(op) ?? kinds.set(op, { squares: [], apart: [], replies: 0 }).get(op)!;
        const [a, b, c] = times as [Float64Array, Float64Array, Float64Array];
        kind.replies += ARMS * ROUNDS;
        kind.squares.push({ twins: rankZ(a, c) ** 2, copies: rankZ(a, b) ** 2 });
        kind.apart.push({ twins: Math.abs(median(a) - median(c)), copies: Math.abs(median(a) - median(b)) });
      }
    }
  } finally {
    await timed.close();
  }
  return [...kinds].map(([op, { squares, apart, replies: n }]) => ({
    op,
    replies: n,
    pairs: squares.length,
    deviations: meanOverError(squares.map((s) => s.twins - s.copies)),
    twins: quantile(
      apart.map((p) => p.twins),
      0.75,
    ),
    copies: quantile(
      apart.map((p) => p.copies),
      0.75,
    ),
  }));
}

/** A server in this thread with a batch for each arm. */
class TimedServer {
  private readonly handler: Handler;
  private readonly seal = new StateSeal(KEY);
  private batches: string[] = [];
  private id = 0;

  constructor(private readonly game: Game) {
    this.handler = new Handler({ games: [game.type], load: () => game, stateKey: KEY });
  }

  async open(): Promise<void> {
    const { game } = this;
    for (let k = 0; k < ARMS; k++) {
      const make = { op: "make", game: game.type.id, options: game.options, size: 1, privileged: true };
      const reply = await this.handler.handle("timing", [pack({ ...make, id: 0, autoreset: "disabled" })]);
      this.batches.push((unpack(reply.header) as { batch: string }).batch);
      await this.handler.handle("timing", [pack({ op: "reset", id: 0, batch: this.batches[k]!, seed: 1 })]);
    }
  }

  close(): Promise<void> {
    return this.handler.close();
  }

  /** Asks all that the seat may ask of the worlds, in random order. @returns times of each world in microseconds */
  ask(worlds: readonly State[], player: number, rng: Rng): Map<string, Float64Array[]> {
    const { game } = this;
    const seat = game.players[player]!;
    const mask = new Uint8Array(game.actions.length);
    game.legalMask(worlds[0]!, mask, 0);
    const legal = [...mask.keys()].filter((a) => mask[a] === 1);
    const requests: [string, Record<string, unknown>, Int32Array?][] = [
      ["observe", { seat }],
      ["legal", {}],
      ["position", { seat }],
      ["render", { seat, env: 0 }],
      ["resample", { seed: 5 }],
      ["refused", {}, Int32Array.of(mask.indexOf(0))],
      ["step", {}, Int32Array.of(legal[rng.below(legal.length)]!)],
    ];
    const rows = worlds.map((w) => saveStates(game, [w], this.seal));
    // which batch holds which world changes from pair to pair, and so does nothing else that is particular to one
    const places = shuffled(ARMS, rng);
    const times = new Map<string, Float64Array[]>();
    for (const [name, args, data] of requests) {
      const op = name === "refused" ? "step" : name;
      const taken = worlds.map(() => new Float64Array(ROUNDS));
      const told = new Set<string>();
      const moves = name === "step";
      if (!moves) rows.forEach((row, k) => this.load(places[k]!, row));
      for (let round = -WARM_UP; round < ROUNDS; round++)
        for (const k of shuffled(ARMS, rng)) {
          if (moves) this.load(places[k]!, rows[k]!);
          const { us, reply } = this.put(places[k]!, { op, ...args }, data);
          if (round >= 0) taken[k]![round] = us;
          else told.add(reply);
        }
      if (told.size === 1) times.set(name, taken); // what may be told apart by its text may take its time
    }
    return times;
  }

  private load(place: number, row: Int32Array): void {
    this.put(place, { op: "load", free: SLOTS_READ }, row);
  }

  private put(place: number, request: Record<string, unknown>, data?: Int32Array): { us: number; reply: string } {
    const id = ++this.id % 100; // one byte
    const frames = [pack({ ...request, id, batch: this.batches[place]! })];
    if (data !== undefined) frames.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    const began = process.hrtime.bigint();
    const reply = this.handler.handle("timing", frames) as Reply;
    const us = Number(process.hrtime.bigint() - began) / 1000;
    const head = unpack(reply.header) as Record<string, unknown>;
    const text =
      JSON.stringify({ ...head, id: 0, slot: 0 }) +
      (reply.data === undefined ? "" : Buffer.from(reply.data).toString("latin1"));
    return { us, reply: text };
  }
}

function shuffled(n: number, rng: Rng): number[] {
  const all = Array.from({ length: n }, (_, k) => k);
  for (let k = n - 1; k > 0; k--) {
    const j = rng.below(k + 1);
    [all[k], all[j]] = [all[j]!, all[k]!];
  }
  return all;
}

/** Mann and Whitney's statistic in deviations; positive when the times of one are above those of the other. */
export function rankZ(a: Float64Array, b: Float64Array): number {
  let above = 0;
  for (const x of a) for (const y of b) above += x > y ? 1 : x === y ? 0.5 : 0;
  const [n, m] = [a.length, b.length];
  return (above - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(q * sorted.length)] ?? NaN;
}

function meanOverError(values: readonly number[]): number {
  const mean = values.reduce((s, v) => s + v, 0) / values.length;
  const variance = values.reduce((s, v) => s + (v - mean) ** 2, 0) / (values.length - 1);
  return mean / Math.sqrt(variance / values.length);
}
