import {
  type Batch,
  BLOCK_ROWS,
  type Game,
  observationRows,
  type ObservationRows,
  type State,
  TENSORS,
  type TensorName,
} from "../../env/index.js";
import type { Target } from "../wire/shared-memory.js";
import { BYTES, bytesOf, type Ended, type FrameShape } from "../wire/tensors.js";

/** What observations are made of: a batch, or another thread's view of it. */
export interface Shown {
  readonly game: Game;
  readonly states: readonly State[];
  /** int32, one per state. */
  readonly viewers: Int32Array;
}

/** Memory for rows that a block is written to before it is copied to the frame: as much as stays in the nearest cache. */
const KEPT_BYTES = 1024 * 1024;

/** Rows for a block, and of each tensor the bytes that are copied and where they go when the block is the first. */
interface Kept {
  readonly rows: ObservationRows;
  readonly cells: readonly {
    readonly name: TensorName;
    readonly bytes: Uint8Array;
    readonly row: number;
    readonly at: number;
  }[];
}

/** Writes observations to where they belong in a frame, a block of environments at a time. */
export class BlockWriter {
  /** Number of blocks. */
  readonly count: number;
  /** Taken by blocks in turn; where there is one for each, games that note what they have written find the same environment again. */
  private readonly kept: readonly Kept[];

  /** @param first the first environment's row in the frame */
  constructor(
    private readonly shape: FrameShape,
    private readonly shown: Shown,
    first: number,
  ) {
    const n = Math.min(BLOCK_ROWS, shown.states.length);
    this.count = Math.ceil(shown.states.length / BLOCK_ROWS);
    const bytes = 4 * n * TENSORS.reduce((sum, name) => sum + shape.sizes[name], 0);
    const most = Math.max(1, Math.floor(KEPT_BYTES / bytes));
    this.kept = Array.from({ length: Math.min(this.count, most) }, () => this.keep(n, first));
  }

  private keep(n: number, first: number): Kept {
    const { shape } = this;
    const rows = observationRows(shape.game, n);
    const cells = TENSORS.map((name) => {
      const row = shape.sizes[name] * BYTES[shape.dtype];
      const bytes = shape.quantizers === null ? bytesOf(rows.all[name]) : new Uint8Array(n * row);
      return { name, bytes, row, at: shape.offset(name) + first * row };
    });
    return { rows, cells };
  }

  /** Writes block `k` as its viewers see it. */
  write(k: number, target: Target): void {
    const { shape } = this;
    const { game, states, viewers } = this.shown;
    const { rows, cells } = this.kept[k % this.kept.length]!;
    const from = k * BLOCK_ROWS;
    const n = Math.min(BLOCK_ROWS, states.length - from);
    for (let r = 0; r < n; r++) game.observe(states[from + r]!, viewers[from + r]!, rows.rows[r]!);
    for (const { name, bytes, row, at } of cells) {
      if (shape.quantizers !== null) shape.encode(name, rows.all[name], 0, n, bytes);
      target.put(n * row === bytes.length ? bytes : bytes.subarray(0, n * row), at + from * row);
    }
  }
}

/** Others who write blocks of the same frame. */
export interface Help {
  /** The first `n` blocks may be written. */
  ready(n: number): void;
  /** The next block, which is now the caller's to write; -1 when all are taken. */
  take(): number;
  /** Waits for blocks that others took; no more are given out. @returns whether all were written */
  finish(): boolean;
}

/** The arrays of a batch that are sent beside observations (they stay the same objects): their bytes, and how many a row has. */
function columns(batch: Batch, opponents: Int32Array | null): { name: string; bytes: Uint8Array; row: number }[] {
  const { mask, actors, rewards, terminated, truncated, decisions, episodes, size } = batch;
  const named = { mask, actors, rewards, terminated, truncated, decisions, episodes, ...(opponents && { opponents }) };
  return Object.entries(named).map(([name, values]) => {
    const bytes = bytesOf(values);
    return { name, bytes, row: bytes.length / size };
  });
}

/** Writes what a batch shows, or a slice of one, into frames. */
export class RowWriter {
  readonly blocks: BlockWriter;
  /** Bytes of the batch's arrays (which stay the same objects), and where they go. */
  private readonly sources: readonly { readonly bytes: Uint8Array; readonly at: number }[];

  /**
   * @param first the batch's first environment in the frame
   * @param opponents int32 [B, players] sent along, if any
   */
  constructor(
    readonly shape: FrameShape,
    private readonly batch: Batch,
    private readonly first: number,
    opponents: Int32Array | null,
  ) {
    this.sources = columns(batch, opponents).map(({ name, bytes, row }) => ({
      bytes,
      at: shape.offset(name) + first * row,
    }));
    this.blocks = new BlockWriter(shape, batch, first);
  }

  /** Writes the state of affairs after a reset or step. */
  write(target: Target, help: Help | null = null): Ended {
    const { blocks, batch } = this;
    batch.updateViewers();
    if (help !== null) {
      help.ready(blocks.count);
      for (let k = help.take(); k >= 0; k = help.take()) blocks.write(k, target);
    }
    for (const { bytes, at } of this.sources) target.put(bytes, at);
    if (help?.finish() !== true) for (let k = 0; k < blocks.count; k++) blocks.write(k, target);
    return this.ended();
  }

  private ended(): Ended {
    const { shape, batch, first } = this;
    if (batch.final === null || !batch.finalWritten.includes(1)) return NOBODY_ENDED;
    const rows: number[] = [];
    for (let i = 0; i < batch.size; i++) if (batch.finalWritten[i] === 1) rows.push(i);
    return { rows: rows.map((row) => first + row), tensors: lastObservations(shape, batch, rows) };
  }
}

const NOBODY_ENDED: Ended = { rows: [], tensors: [] };

/** Bytes of the four tensors of the last observations of episodes that ended in environments `rows`. */
function lastObservations(shape: FrameShape, batch: Batch, rows: readonly number[]): Uint8Array[] {
  const { all } = batch.final!;
  return TENSORS.map((t) => {
    const out = new Uint8Array(rows.length * shape.sizes[t] * BYTES[shape.dtype]);
    rows.forEach((row, k) => out.set(shape.encode(t, all[t], row * shape.sizes[t], 1), (k * out.length) / rows.length));
    return out;
  });
}

/** Writes what some environments of a batch show into frames, in the order in which they are named. */
export class SomeWriter {
  /** Of each tensor of an observation, room for the rows that are sent. */
  private readonly cells: readonly {
    readonly name: TensorName;
    readonly values: Float32Array;
    readonly bytes: Uint8Array;
    readonly at: number;
  }[];
  /** The batch's arrays, and room for the rows that are sent. */
  private readonly sources: readonly {
    readonly from: Uint8Array;
    readonly bytes: Uint8Array;
    readonly row: number;
    readonly at: number;
  }[];
  private readonly names: Int32Array;

  /**
   * @param rows int32 [K]: the environments, whenever `write` is called
   * @param row of the frame, that the first of them is written to
   * @param first number of the batch's first environment
   */
  constructor(
    private readonly shape: FrameShape,
    private readonly batch: Batch,
    private readonly rows: Int32Array,
    private readonly row: number,
    private readonly first: number,
    opponents: Int32Array | null,
  ) {
    const K = rows.length;
    this.sources = columns(batch, opponents).map(({ name, bytes: from, row: each }) => ({
      from,
      bytes: new Uint8Array(K * each),
      row: each,
      at: shape.offset(name) + row * each,
    }));
    this.cells = TENSORS.map((name) => {
      const values = new Float32Array(K * shape.sizes[name]);
      const bytes = shape.quantizers === null ? bytesOf(values) : new Uint8Array(values.length);
      return { name, values, bytes, at: shape.offset(name) + row * shape.sizes[name] * BYTES[shape.dtype] };
    });
    this.names = new Int32Array(K);
  }

  write(target: Target): Ended {
    const { shape, batch, rows, cells, names } = this;
    const { game, states, viewers, observations } = batch;
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k]!;
      names[k] = this.first + i;
      batch.updateViewers(i, i + 1); // the others may be agents' to see
      const seen = observations.rows[i]!;
      game.observe(states[i]!, viewers[i]!, seen);
      for (const { name, values } of cells) values.set(seen[name], k * seen[name].length);
    }
    for (const { name, values, bytes, at } of cells) {
      if (shape.quantizers !== null) shape.encode(name, values, 0, rows.length, bytes);
      target.put(bytes, at);
    }
    for (const { from, bytes, row, at } of this.sources) {
      for (let k = 0, to = 0; k < rows.length; k++)
        for (let b = 0, f = rows[k]! * row; b < row; b++) bytes[to++] = from[f + b]!;
      target.put(bytes, at);
    }
    target.put(bytesOf(names), shape.offset("environments") + 4 * this.row);
    return this.ended();
  }

  private ended(): Ended {
    const { shape, batch, rows } = this;
    if (batch.final === null) return NOBODY_ENDED;
    const ended = Array.from(rows.keys()).filter((k) => batch.finalWritten[rows[k]!] === 1);
    return {
      rows: ended.map((k) => this.row + k),
      tensors: lastObservations(
        shape,
        batch,
        ended.map((k) => rows[k]!),
      ),
    };
  }
}
