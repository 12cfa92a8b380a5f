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
import type { FrameTarget } from "../wire/shared-memory.js";
import { BYTES, bytesOf, type FinalObservations, type FrameShape } from "../wire/tensors.js";

/** What observations are written from: a batch, or another thread's view of one. */
export interface ObservationSource {
  readonly game: Game;
  readonly states: readonly State[];
  /** int32, one per state. */
  readonly viewers: Int32Array;
}

/** Most memory for rows that wait to be copied to the frame: what fits the processor's second-level cache. */
const BUFFER_BYTES = 1024 * 1024;
/**
 * Most memory for the rows of a game that updates only what changed, if that is all of them: saved work beats the
 * cache.
 */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Rows that a block is written to; for each tensor their bytes, and their offset in the frame for block 0. */
interface BlockBuffers {
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
  /** Used in turn. With one for each block, a game that updates only what changed finds the same environment again. */
  private readonly buffers: readonly BlockBuffers[];

  /** @param first the first environment's row in the frame */
  constructor(
    private readonly shape: FrameShape,
    private readonly source: ObservationSource,
    first: number,
  ) {
    const n = Math.min(BLOCK_ROWS, source.states.length);
    this.count = Math.ceil(source.states.length / BLOCK_ROWS);
    const bytes = 4 * n * TENSORS.reduce((sum, name) => sum + shape.sizes[name], 0);
    const kept = shape.game.cacheWords !== undefined && this.count * bytes <= KEPT_BYTES;
    const most = kept ? this.count : Math.max(1, Math.floor(BUFFER_BYTES / bytes));
    this.buffers = Array.from({ length: Math.min(this.count, most) }, () => this.newBuffers(n, first));
  }

  private newBuffers(n: number, first: number): BlockBuffers {
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
  write(k: number, target: FrameTarget): void {
    const { shape } = this;
    const { game, states, viewers } = this.source;
    const { rows, cells } = this.buffers[k % this.buffers.length]!;
    const from = k * BLOCK_ROWS;
    const n = Math.min(BLOCK_ROWS, states.length - from);
    for (let r = 0; r < n; r++) game.observe(states[from + r]!, viewers[from + r]!, rows.rows[r]!);
    for (const { name, bytes, row, at } of cells) {
      if (shape.quantizers !== null) shape.encode(name, rows.all[name], 0, n, bytes);
      target.put(n * row === bytes.length ? bytes : bytes.subarray(0, n * row), at + from * row);
    }
  }
}

/** Shares out the blocks of a frame between threads. */
export interface FrameHelp {
  /** Says that the first `n` blocks have moved and may be written. */
  ready(n: number): void;
  /** Takes the next block for the caller to write. @returns -1 when all are taken */
  take(): number;
  /**
   * Waits for the blocks that others took, and gives out no further ones. @returns whether all blocks were written
   */
  finish(): boolean;
}

/** What the slice of a batch adds to its arrays. */
export interface BesideBatch {
  /** int32 [B, players] with pools. */
  readonly opponents: Int32Array | null;
  /** Of the true states, where the client asked for them. */
  readonly potentials: Potentials | null;
}

/** The game's potentials of every environment, of its first player, float32 `[B, n]` in the order of their names. */
export class Potentials {
  readonly values: Float32Array;
  private readonly functions: Game["potentials"][string][];

  constructor(private readonly batch: Batch) {
    this.functions = Object.values(batch.game.potentials);
    this.values = new Float32Array(batch.size * this.functions.length);
  }

  update(): void {
    const { states } = this.batch;
    for (let i = 0, k = 0; i < states.length; i++) for (const f of this.functions) this.values[k++] = f(states[i]!);
  }
}

/**
 * The arrays of a batch that are sent beside observations: their bytes (the same objects for good), and bytes a row.
 */
function columns(batch: Batch, beside: BesideBatch): { name: string; bytes: Uint8Array; row: number }[] {
  const { mask, actors, rewards, terminated, truncated, decisions, episodes, size } = batch;
  const { opponents, potentials } = beside;
  const named = {
    ...{ mask, actors, rewards, terminated, truncated, decisions, episodes },
    ...(opponents && { opponents }),
    ...(potentials && { potentials: potentials.values }),
  };
  return Object.entries(named).map(([name, values]) => {
    const bytes = bytesOf(values);
    return { name, bytes, row: bytes.length / size };
  });
}

/** Writes all environments of a batch, or of a slice of one, into frames. */
export class FrameWriter {
  readonly blocks: BlockWriter;
  /** Bytes of the batch's arrays, and their offsets in the frame. */
  private readonly sources: readonly { readonly bytes: Uint8Array; readonly at: number }[];

  /**
   * @param first the batch's first environment in the frame
   */
  constructor(
    readonly shape: FrameShape,
    private readonly batch: Batch,
    private readonly first: number,
    private readonly beside: BesideBatch,
  ) {
    this.sources = columns(batch, beside).map(({ name, bytes, row }) => ({
      bytes,
      at: shape.offset(name) + first * row,
    }));
    this.blocks = new BlockWriter(shape, batch, first);
  }

  /** Writes a frame after a reset or step. */
  write(target: FrameTarget, help: FrameHelp | null = null): FinalObservations {
    const { blocks, batch } = this;
    batch.updateViewers();
    if (help !== null) {
      help.ready(blocks.count);
      for (let k = help.take(); k >= 0; k = help.take()) blocks.write(k, target);
    }
    this.beside.potentials?.update();
    for (const { bytes, at } of this.sources) target.put(bytes, at);
    if (help?.finish() !== true) for (let k = 0; k < blocks.count; k++) blocks.write(k, target);
    return this.ended();
  }

  private ended(): FinalObservations {
    const { shape, batch, first } = this;
    if (batch.final === null || !batch.finalWritten.includes(1)) return NO_EPISODE_ENDED;
    const rows: number[] = [];
    for (let i = 0; i < batch.size; i++) if (batch.finalWritten[i] === 1) rows.push(i);
    return { rows: rows.map((row) => first + row), tensors: lastObservations(shape, batch, rows) };
  }
}

const NO_EPISODE_ENDED: FinalObservations = { rows: [], tensors: [] };

/** Bytes of the four tensors of the last observations of episodes that ended in environments `rows`. */
function lastObservations(shape: FrameShape, batch: Batch, rows: readonly number[]): Uint8Array[] {
  const { all } = batch.final!;
  return TENSORS.map((t) => {
    const out = new Uint8Array(rows.length * shape.sizes[t] * BYTES[shape.dtype]);
    rows.forEach((row, k) => out.set(shape.encode(t, all[t], row * shape.sizes[t], 1), (k * out.length) / rows.length));
    return out;
  });
}

/** Writes some environments of a batch into frames, in the order given. */
export class SubsetWriter {
  /** For each tensor of an observation, buffers for the rows that are sent. */
  private readonly cells: readonly {
    readonly name: TensorName;
    readonly values: Float32Array;
    readonly bytes: Uint8Array;
    readonly at: number;
  }[];
  /** The batch's arrays, and buffers for the rows that are sent. */
  private readonly sources: readonly {
    readonly from: Uint8Array;
    readonly bytes: Uint8Array;
    readonly row: number;
    readonly at: number;
  }[];
  private readonly names: Int32Array;

  /**
   * @param rows int32 [K]: the environments, read at each `write`
   * @param row row of the frame that the first of them is written to
   * @param first number of the slice's first environment in messages
   */
  constructor(
    private readonly shape: FrameShape,
    private readonly batch: Batch,
    private readonly rows: Int32Array,
    private readonly row: number,
    private readonly first: number,
    private readonly beside: BesideBatch,
  ) {
    const K = rows.length;
    this.sources = columns(batch, beside).map(({ name, bytes: from, row: each }) => ({
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

  write(target: FrameTarget): FinalObservations {
    const { shape, batch, rows, cells, names } = this;
    const { game, states, viewers, observations } = batch;
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k]!;
      names[k] = this.first + i;
      batch.updateViewers(i, i + 1); // others may wait for an agent, whose view must not be shown
      const seen = observations.rows[i]!;
      game.observe(states[i]!, viewers[i]!, seen);
      for (const { name, values } of cells) values.set(seen[name], k * seen[name].length);
    }
    for (const { name, values, bytes, at } of cells) {
      if (shape.quantizers !== null) shape.encode(name, values, 0, rows.length, bytes);
      target.put(bytes, at);
    }
    this.beside.potentials?.update();
    for (const { from, bytes, row, at } of this.sources) {
      for (let k = 0, to = 0; k < rows.length; k++)
        for (let b = 0, f = rows[k]! * row; b < row; b++) bytes[to++] = from[f + b]!;
      target.put(bytes, at);
    }
    target.put(bytesOf(names), shape.offset("environments") + 4 * this.row);
    return this.ended();
  }

  private ended(): FinalObservations {
    const { shape, batch, rows } = this;
    if (batch.final === null) return NO_EPISODE_ENDED;
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
