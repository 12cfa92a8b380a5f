/** Learners that train one net together, each on games of its own; they go through the same steps at the same time. */
export interface Group {
  /** 0 .. size - 1; learner 0 leads. */
  readonly rank: number;
  readonly size: number;
  /** Replaces each number by its sum over all learners; all of them call it, with equally many numbers. Same result for all. */
  sum(x: Float64Array): void;
  /** What they share to take a step together; null for a learner by itself. */
  readonly shared: SharedStep | null;
}

/** As many numbers as the net has weights each. */
export interface SharedStep {
  /** Gradients, by rank. */
  readonly gradients: readonly Float32Array[];
  readonly weights: Float32Array;
  /** The optimiser's running means. */
  readonly m: Float32Array;
  readonly v: Float32Array;
}

/** A learner by itself. */
export const ALONE: Group = { rank: 0, size: 1, sum: () => undefined, shared: null };

/** What the threads of a group are given. */
export interface GroupMemory {
  readonly size: number;
  /** Weights of the net. */
  readonly weights: number;
  readonly control: SharedArrayBuffer;
  readonly sums: SharedArrayBuffer;
  readonly step: SharedArrayBuffer;
}

const ARRIVED = 0;
const ROUND = 1;
const FAILED = 2;

/** Most numbers that are summed at once: losses, tallies, the results against a league of any likely size. */
const SUMS = 1 << 14;

export function groupMemory(size: number, weights: number): GroupMemory {
  return {
    size,
    weights,
    control: new SharedArrayBuffer(3 * 4),
    sums: new SharedArrayBuffer(2 * size * SUMS * 8),
    step: new SharedArrayBuffer((size + 3) * weights * 4),
  };
}

/** A group of threads. Sums are taken in the order of ranks, so that they don't depend on who comes first. */
export class SharedGroup implements Group {
  readonly size: number;
  readonly shared: SharedStep;
  private readonly control: Int32Array;
  /** By turns, so that nobody overwrites what others still read; each with one slot for each rank. */
  private readonly buffers: readonly (readonly Float64Array[])[];
  private turn = 0;

  constructor(
    { size, weights, control, sums, step }: GroupMemory,
    readonly rank: number,
  ) {
    this.size = size;
    this.control = new Int32Array(control);
    this.buffers = [0, 1].map((turn) =>
      Array.from({ length: size }, (_, r) => new Float64Array(sums, (turn * size + r) * SUMS * 8, SUMS)),
    );
    const part = (k: number) => new Float32Array(step, k * weights * 4, weights);
    this.shared = {
      gradients: Array.from({ length: size }, (_, r) => part(r)),
      weights: part(size),
      m: part(size + 1),
      v: part(size + 2),
    };
  }

  /** @throws Error when another learner has failed */
  sum(x: Float64Array): void {
    const slots = this.buffers[this.turn]!;
    this.turn = 1 - this.turn;
    slots[this.rank]!.set(x);
    this.meet();
    x.fill(0);
    for (const slot of slots) for (let i = 0; i < x.length; i++) x[i]! += slot[i]!;
  }

  /** Releases the others from waiting for a learner that comes no more. */
  fail(): void {
    Atomics.store(this.control, FAILED, 1);
    Atomics.add(this.control, ROUND, 1);
    Atomics.notify(this.control, ROUND);
  }

  /** Waits until all have come here. */
  private meet(): void {
    const { control, size } = this;
    const round = Atomics.load(control, ROUND);
    if (Atomics.add(control, ARRIVED, 1) === size - 1) {
      Atomics.store(control, ARRIVED, 0);
      Atomics.add(control, ROUND, 1);
      Atomics.notify(control, ROUND);
    } else if (Atomics.load(control, FAILED) === 0) Atomics.wait(control, ROUND, round);
    if (Atomics.load(control, FAILED) === 1) throw new Error("another learner of the group has failed");
  }
}
