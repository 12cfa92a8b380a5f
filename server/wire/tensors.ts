import {
  type Feature,
  type Game,
  type Observation,
  shapesOf,
  TENSORS,
  type TensorName,
  tensorSizes,
} from "../../env/index.js";
import type { FrameTarget } from "./shared-memory.js";
import { EXPANSION_TENSORS, type ExpansionTensor } from "./expansion-tensors.js";
import type { Dtype, TensorEntry } from "./protocol.js";

export const BYTES: Readonly<Record<Dtype, number>> = { float32: 4, float64: 8, int32: 4, uint8: 1 };
/** Rows of a reply to `expand` that fit the memory that a batch keeps. */
const KEPT_EXPANSION = 256;
/** Tensors begin at multiples of this in their frame. */
const ALIGN = 64;

const product = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

// Frames are allocated zeroed, so that padding between tensors carries nothing of the server's memory.

/** Places tensors one after the other in a data frame. */
export class FrameLayout {
  readonly entries: TensorEntry[] = [];
  bytes = 0;

  add(name: string, dtype: Dtype, shape: readonly number[]): number {
    const offset = Math.ceil(this.bytes / ALIGN) * ALIGN;
    this.entries.push([name, dtype, shape, offset]);
    this.bytes = offset + product(shape) * BYTES[dtype];
    return offset;
  }
}

/** Turns float32 rows into bytes, `round((x - low) / (high - low) * 255)` by the range of each feature. */
class Quantizer {
  private readonly low: Float32Array;
  private readonly scale: Float32Array;

  constructor(features: readonly Feature[], rows: number) {
    const n = features.length * rows;
    this.low = Float32Array.from({ length: n }, (_, i) => features[i % features.length]!.range[0]);
    this.scale = Float32Array.from({ length: n }, (_, i) => {
      const [low, high] = features[i % features.length]!.range;
      return high > low ? 255 / (high - low) : 0;
    });
  }

  write(from: Float32Array, at: number, rows: number, out: Uint8Array): void {
    const { low, scale } = this;
    const n = low.length;
    for (let r = 0, k = 0; r < rows; r++)
      for (let i = 0; i < n; i++, k++) out[k] = (from[at + k]! - low[i]!) * scale[i]! + 0.5;
  }
}

/** A data frame and its tensors. `slot` numbers the memory it was written to, which the client frees. */
export interface PackedFrame {
  /** Left out when they are those of the reply to `make`. */
  readonly tensors?: readonly TensorEntry[] | undefined;
  /** Left out when the client reads it from shared memory. */
  readonly data?: Uint8Array | undefined;
  readonly slot?: number | undefined;
  /** The batch uses the memory again: nothing is left to collect. */
  readonly kept?: true;
}

/** What the frames of some batches hold. */
export interface BesideTensors {
  /** `opponents` int32 [B, players]: which agent of a pool plays. */
  readonly pools: boolean;
  /** `potentials` float32 [B, n]: the game's potentials of the true states. */
  readonly potentials: boolean;
  /** `final_*` tensors, when episodes ended. */
  readonly finals: boolean;
  /** Some environments of the batch only, and `environments` int32 [K] says which. */
  readonly some: boolean;
  /** Replies to `expand` are written to the same memory. */
  readonly nodes: boolean;
}

/** The layout of a batch's frames, and how their tensors are encoded. */
export class FrameShape {
  readonly base = new FrameLayout();
  /** Bytes of one frame, `final_*` rows included. */
  readonly capacity: number;
  readonly sizes: Readonly<Record<TensorName, number>>;
  readonly quantizers: Readonly<Record<TensorName, Quantizer>> | null;

  /**
   * @param size rows
   * @param beside what frames hold beside the tensors of every batch
   */
  constructor(
    readonly game: Game,
    readonly size: number,
    readonly dtype: "float32" | "uint8",
    beside: BesideTensors,
  ) {
    this.sizes = tensorSizes(game.observation);
    this.quantizers = dtype === "uint8" ? quantizers(game) : null;
    const P = game.players.length;
    this.addObservation(this.base, "", size);
    this.base.add("mask", "uint8", [size, game.actions.length]);
    this.base.add("actors", "int32", [size]);
    this.base.add("rewards", "float32", [size, P]);
    this.base.add("terminated", "uint8", [size]);
    this.base.add("truncated", "uint8", [size]);
    this.base.add("decisions", "int32", [size]);
    this.base.add("episodes", "int32", [size]);
    if (beside.pools) this.base.add("opponents", "int32", [size, P]);
    if (beside.potentials) this.base.add("potentials", "float32", [size, Object.keys(game.potentials).length]);
    if (beside.some) this.base.add("environments", "int32", [size]);
    const whole = this.base.bytes + (beside.finals ? this.finalBytes() : 0);
    this.capacity = Math.max(whole, beside.nodes ? this.expansion(KEPT_EXPANSION, EXPANSION_TENSORS).bytes : 0);
  }

  /** Offset of a tensor in bytes. */
  offset(name: string): number {
    return this.base.entries.find(([n]) => n === name)![3];
  }

  /** A reply of `n` rows to `expand`. */
  expansion(n: number, tensors: readonly ExpansionTensor[]): FrameLayout {
    const A = this.game.actions.length;
    const shapes = shapesOf(this.game.observation);
    const layout = new FrameLayout();
    const others = {
      mask: ["uint8", [n, A]],
      actors: ["int32", [n]],
      rewards: ["float32", [n, this.game.players.length]],
      terminated: ["uint8", [n]],
      exact: ["uint8", [n]],
      policy: ["float32", [n, A]],
      value: ["float32", [n]],
    } as const;
    for (const t of EXPANSION_TENSORS) {
      if (!tensors.includes(t)) continue;
      const [dtype, shape] =
        t in others ? others[t as keyof typeof others] : [this.dtype, [n, ...shapes[t as TensorName]]];
      layout.add(t, dtype, shape);
    }
    return layout;
  }

  addObservation(layout: FrameLayout, prefix: string, rows: number): void {
    const shapes = shapesOf(this.game.observation);
    for (const t of TENSORS) layout.add(prefix + t, this.dtype, [rows, ...shapes[t]]);
  }

  /** Bytes of `rows` rows of a tensor that begin at `from[at]`; uint8 ones are written to `cells`. */
  encode(t: TensorName, from: Float32Array, at: number, rows: number, cells?: Uint8Array): Uint8Array {
    const n = rows * this.sizes[t];
    if (this.quantizers === null) return bytesOf(from.subarray(at, at + n));
    const out = cells?.subarray(0, n) ?? new Uint8Array(n);
    this.quantizers[t].write(from, at, rows, out);
    return out;
  }

  /** A frame of observations alone, `n` rows. */
  pack(all: Observation, n: number): PackedFrame {
    const layout = new FrameLayout();
    this.addObservation(layout, "", n);
    const frame = Buffer.alloc(layout.bytes);
    TENSORS.forEach((t, e) => frame.set(this.encode(t, all[t], 0, n), layout.entries[e]![3]));
    return { tensors: layout.entries, data: frame };
  }

  /**
   * Completes a written frame: when episodes ended, appends `final_rows [K]` and their last observations.
   */
  finish(target: FrameTarget, ended: readonly FinalObservations[], slot: number | undefined): PackedFrame {
    const K = ended.reduce((n, e) => n + e.rows.length, 0);
    if (K === 0) return { data: target.sent(this.base.bytes), slot, kept: true };
    const layout = new FrameLayout();
    layout.entries.push(...this.base.entries);
    layout.bytes = this.base.bytes;
    const at = layout.add("final_rows", "int32", [K]);
    target.put(bytesOf(Int32Array.from(ended.flatMap((e) => e.rows))), at);
    this.addObservation(layout, "final_", K);
    const first = this.base.entries.length + 1;
    TENSORS.forEach((_, k) => {
      let to = layout.entries[first + k]![3];
      for (const e of ended) {
        if (e.rows.length === 0) continue;
        target.put(e.tensors[k]!, to);
        to += e.tensors[k]!.length;
      }
    });
    return { tensors: layout.entries, data: target.sent(layout.bytes), slot, kept: true };
  }

  private finalBytes(): number {
    const layout = new FrameLayout();
    layout.add("final_rows", "int32", [this.size]);
    this.addObservation(layout, "final_", this.size);
    return layout.bytes + ALIGN;
  }
}

/** The rows whose episode ended in a step, and the bytes of the four tensors of their last observations. */
export interface FinalObservations {
  readonly rows: readonly number[];
  readonly tensors: readonly Uint8Array[];
}

/** Slots of a batch. When the client has freed none, a reply gets memory of its own. */
export const SLOTS = 8;

/**
 * Memory for frames. A socket sends from the memory it is given, so memory is reused only when the client has freed it.
 */
export class Slots<Memory> {
  private readonly made: (Memory | undefined)[] = [];
  private readonly taken: boolean[] = [];

  /** @param make makes the memory of a slot, or for a frame that has none */
  constructor(private readonly make: (slot?: number) => Memory) {}

  /** Memory for a frame; `slot` is undefined when no slot is free. */
  take(): { readonly slot: number | undefined; readonly memory: Memory } {
    for (let slot = 0; slot < SLOTS; slot++) {
      if (this.taken[slot] === true) continue;
      this.taken[slot] = true;
      return { slot, memory: (this.made[slot] ??= this.make(slot)) };
    }
    return { slot: undefined, memory: this.make() };
  }

  /** Frees slot `n`: the client has received its frame, or it was never sent. */
  free(n: number): void {
    if (n < SLOTS) this.taken[n] = false;
  }
}

/** Saved states, int32 `[K, words]`, and perhaps a probability each, float64 `[K]`. */
export function statesFrame(states: Int32Array, count: number, probabilities?: readonly number[]): PackedFrame {
  const layout = new FrameLayout();
  layout.add("states", "int32", [count, states.length / count]);
  if (probabilities === undefined) return { tensors: layout.entries, data: bytesOf(states) };
  const at = layout.add("probabilities", "float64", [count]);
  const frame = Buffer.alloc(layout.bytes);
  frame.set(bytesOf(states));
  probabilities.forEach((p, k) => frame.writeDoubleLE(p, at + 8 * k));
  return { tensors: layout.entries, data: frame };
}

/**
 * Joins frames that each hold rows of some environments.
 *
 * @param places row in the result of each row of each frame
 * @param count rows of the result
 */
export function joinRows(
  frames: readonly PackedFrame[],
  places: readonly (readonly number[])[],
  count: number,
): PackedFrame {
  const layout = new FrameLayout();
  for (const [name, dtype, [, ...shape]] of frames[0]!.tensors!) layout.add(name, dtype, [count, ...shape]);
  const data = Buffer.alloc(layout.bytes);
  layout.entries.forEach(([, dtype, [, ...shape], to], t) => {
    const bytes = product(shape) * BYTES[dtype];
    frames.forEach(({ tensors, data: from }, f) => {
      const at = tensors![t]![3];
      places[f]!.forEach((place, k) =>
        data.set(from!.subarray(at + k * bytes, at + (k + 1) * bytes), to + place * bytes),
      );
    });
  });
  return { tensors: layout.entries, data };
}

/**
 * A data frame read as int32; copied only when it isn't aligned.
 *
 * @returns null when its length isn't a multiple of 4
 */
export function asInt32(frame: Uint8Array): Int32Array | null {
  if (frame.byteLength % 4 !== 0) return null;
  if (frame.byteOffset % 4 === 0) return new Int32Array(frame.buffer, frame.byteOffset, frame.byteLength / 4);
  return new Int32Array(Uint8Array.from(frame).buffer);
}

export const bytesOf = (a: Float32Array | Int32Array | Uint8Array): Uint8Array =>
  new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

function quantizers(game: Game): Record<TensorName, Quantizer> {
  const { observation } = game;
  return {
    globals: new Quantizer(observation.globals, 1),
    map: new Quantizer(observation.map, observation.mapRows.length),
    units: new Quantizer(observation.units, observation.unitRows.length),
    decision: new Quantizer(observation.decision, 1),
  };
}
