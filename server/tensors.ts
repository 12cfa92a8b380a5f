import { type Batch, type Feature, type Game, type Observation, shapesOf, TENSORS, type TensorName, tensorSizes } from "../env/index.js";
import type { Dtype, TensorEntry } from "./protocol.js";

const BYTES: Readonly<Record<Dtype, number>> = { float32: 4, float64: 8, int32: 4, uint8: 1 };
/** Tensors begin at multiples of this in their frame. */
const ALIGN = 64;

const product = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

// Frames are made of zeroed memory: between tensors nothing of the server's may travel.

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
    for (let r = 0, k = 0; r < rows; r++) for (let i = 0; i < n; i++, k++) out[k] = (from[at + k]! - low[i]!) * scale[i]! + 0.5;
  }
}

/** A data frame and what it holds. `slot` numbers the memory it was written to, for the client to free. */
export interface Packed {
  /** Left out when they are those that the client was told with `make`. */
  readonly tensors?: readonly TensorEntry[] | undefined;
  readonly data: Uint8Array;
  readonly slot?: number | undefined;
}

/** Slots that a client may leave unfreed before replies are written to memory of their own. */
const SLOTS = 8;

/** Memory of one frame, and as float32 the observation of each environment within it. */
interface Slot {
  readonly frame: Buffer;
  readonly rows: readonly Observation[] | null;
}

/**
 * Writes what a batch shows into data frames. Sockets send from the memory they are given, so a frame's memory is used
 * again only when the client has said that it received the frame.
 */
export class BatchPacker {
  /** Bytes of one frame, `final_*` rows included. */
  readonly capacity: number;
  private readonly base = new FrameLayout();
  private readonly slots: (Slot | undefined)[] = [];
  private readonly taken: boolean[] = [];
  private readonly sizes: Record<TensorName, number>;
  private readonly quantizers: Record<TensorName, Quantizer> | null;
  /** Bytes of the batch's arrays (which stay the same objects), as `base` lists them after the observation. */
  private readonly sources: readonly Uint8Array[];

  /** @param extra int32 [B, players] sent along as `opponents`, if any */
  constructor(
    private readonly batch: Batch,
    private readonly dtype: "float32" | "uint8",
    extra: Int32Array | null,
  ) {
    const { game, size } = batch;
    this.sizes = tensorSizes(game.observation);
    this.quantizers = dtype === "uint8" ? quantizers(game) : null;
    const P = game.players.length;
    this.addObservation(this.base, "", size);
    const rest: [name: string, dtype: Dtype, shape: readonly number[], values: Uint8Array | Int32Array | Float32Array][] = [
      ["mask", "uint8", [size, game.actions.length], batch.mask],
      ["actors", "int32", [size], batch.actors],
      ["rewards", "float32", [size, P], batch.rewards],
      ["terminated", "uint8", [size], batch.terminated],
      ["truncated", "uint8", [size], batch.truncated],
      ["decisions", "int32", [size], batch.decisions],
      ["episodes", "int32", [size], batch.episodes],
    ];
    if (extra !== null) rest.push(["opponents", "int32", [size, P], extra]);
    for (const [name, type, shape] of rest) this.base.add(name, type, shape);
    this.sources = rest.map(([, , , values]) => bytesOf(values));
    this.capacity = this.base.bytes + (batch.final === null ? 0 : this.finalBytes(size));
  }

  /** What frames hold, unless they say otherwise. */
  get tensors(): readonly TensorEntry[] {
    return this.base.entries;
  }

  /** The client has received the frame in slot `n`. */
  free(n: number): void {
    if (n < SLOTS) this.taken[n] = false;
  }

  /** The state of affairs after a reset or step, as one frame. */
  pack(): Packed {
    const { batch, base } = this;
    const slot = this.take();
    const { frame, rows } = slot === undefined ? this.newSlot() : this.slots[slot]!;
    const { entries } = base;
    let e: number = TENSORS.length;
    if (rows !== null) batch.observeInto(rows);
    else {
      batch.observeAll();
      TENSORS.forEach((t, k) => this.writeRows(t, batch.observations.all[t], 0, batch.size, frame, entries[k]![3]));
    }
    for (const source of this.sources) frame.set(source, entries[e++]![3]);
    const ended = batch.final === null ? [] : endedRows(batch.finalWritten);
    const layout = ended.length === 0 ? base : this.packFinal(ended, frame);
    return { tensors: layout === base ? undefined : layout.entries, data: frame.subarray(0, layout.bytes), slot };
  }

  /** Observations of `n` rows by themselves. */
  packObservation(all: Observation, n: number): Packed {
    const layout = new FrameLayout();
    this.addObservation(layout, "", n);
    const frame = Buffer.alloc(layout.bytes);
    TENSORS.forEach((t, e) => this.writeRows(t, all[t], 0, n, frame, layout.entries[e]![3]));
    return { tensors: layout.entries, data: frame };
  }

  /** Adds `final_rows [K]` and the last observations of those K environments after the rest. */
  private packFinal(ended: readonly number[], frame: Buffer): FrameLayout {
    const layout = new FrameLayout();
    layout.entries.push(...this.base.entries);
    layout.bytes = this.base.bytes;
    const { all } = this.batch.final!;
    const at = layout.add("final_rows", "int32", [ended.length]);
    ended.forEach((row, k) => frame.writeInt32LE(row, at + 4 * k));
    this.addObservation(layout, "final_", ended.length);
    let e = this.base.entries.length + 1;
    for (const t of TENSORS) {
      const offset = layout.entries[e++]![3];
      const rowBytes = this.sizes[t] * BYTES[this.dtype];
      ended.forEach((row, k) => this.writeRows(t, all[t], row * this.sizes[t], 1, frame, offset + k * rowBytes));
    }
    return layout;
  }

  private writeRows(t: TensorName, from: Float32Array, at: number, rows: number, frame: Buffer, offset: number): void {
    const n = rows * this.sizes[t];
    if (this.quantizers === null) frame.set(bytesOf(from.subarray(at, at + n)), offset);
    else this.quantizers[t].write(from, at, rows, frame.subarray(offset, offset + n));
  }

  private addObservation(layout: FrameLayout, prefix: string, rows: number): void {
    const shapes = shapesOf(this.batch.game.observation);
    for (const t of TENSORS) layout.add(prefix + t, this.dtype, [rows, ...shapes[t]]);
  }

  private finalBytes(size: number): number {
    const layout = new FrameLayout();
    layout.add("final_rows", "int32", [size]);
    this.addObservation(layout, "final_", size);
    return layout.bytes + ALIGN;
  }

  private take(): number | undefined {
    for (let i = 0; i < SLOTS; i++) {
      if (this.taken[i] === true) continue;
      this.taken[i] = true;
      this.slots[i] ??= this.newSlot();
      return i;
    }
    return undefined;
  }

  /** Zeroed memory for a frame; as float32, observations are written straight into it. */
  private newSlot(): Slot {
    const frame = Buffer.alloc(this.capacity);
    if (this.quantizers !== null) return { frame, rows: null };
    const view = (t: TensorName, row: number) => new Float32Array(frame.buffer, frame.byteOffset + this.base.entries[TENSORS.indexOf(t)]![3] + 4 * row * this.sizes[t], this.sizes[t]);
    const rows = Array.from({ length: this.batch.size }, (_, i) => ({ globals: view("globals", i), map: view("map", i), units: view("units", i), decision: view("decision", i) }));
    return { frame, rows };
  }
}

/** Saved states, int32 `[K, words]`, and perhaps a probability each, float64 `[K]`. */
export function statesFrame(states: Int32Array, count: number, probabilities?: readonly number[]): Packed {
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
 * A data frame read as int32; copied only when it isn't aligned.
 *
 * @returns null when its length isn't a multiple of 4
 */
export function asInt32(frame: Uint8Array): Int32Array | null {
  if (frame.byteLength % 4 !== 0) return null;
  if (frame.byteOffset % 4 === 0) return new Int32Array(frame.buffer, frame.byteOffset, frame.byteLength / 4);
  return new Int32Array(Uint8Array.from(frame).buffer);
}

const bytesOf = (a: Float32Array | Int32Array | Uint8Array): Uint8Array => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

function endedRows(written: Uint8Array): number[] {
  const rows: number[] = [];
  for (let i = 0; i < written.length; i++) if (written[i] === 1) rows.push(i);
  return rows;
}

function quantizers(game: Game): Record<TensorName, Quantizer> {
  const { observation } = game;
  return {
    globals: new Quantizer(observation.globals, 1),
    map: new Quantizer(observation.map, observation.mapRows.length),
    units: new Quantizer(observation.units, observation.unitRows.length),
    decision: new Quantizer(observation.decision, 1),
  };
}
