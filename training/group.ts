/** Learners that train one net together, each on games of its own; they go through the same steps at the same time. */
export interface Group {
  /** 0 .. size - 1; learner 0 leads. */
  readonly rank: number;
  readonly size: number;
  /** Replaces each number by its sum over all learners; all of them call it, with equally many numbers. Same result for all. */
  sum(x: Float32Array | Float64Array): void;
}

/** A learner by itself. */
export const ALONE: Group = { rank: 0, size: 1, sum: () => undefined };

/** What the learners of a group share. */
export interface GroupMemory {
  readonly size: number;
  /** Largest number of numbers that can be summed at once. */
  readonly capacity: number;
  readonly control: SharedArrayBuffer;
  readonly numbers: SharedArrayBuffer;
}

const ARRIVED = 0;
const ROUND = 1;
const FAILED = 2;

export function groupMemory(size: number, capacity: number): GroupMemory {
  return { size, capacity, control: new SharedArrayBuffer(3 * 4), numbers: new SharedArrayBuffer(2 * size * capacity * 8) };
}

/** A group of threads. Sums are taken in the order of ranks, so that they don't depend on who comes first. */
export class SharedGroup implements Group {
  readonly size: number;
  private readonly control: Int32Array;
  /** By turns, so that nobody overwrites what others still read; each with one slot for each rank. */
  private readonly buffers: readonly (readonly Float64Array[])[];
  private turn = 0;

  constructor(
    { size, capacity, control, numbers }: GroupMemory,
    readonly rank: number,
  ) {
    this.size = size;
    this.control = new Int32Array(control);
    this.buffers = [0, 1].map((turn) => Array.from({ length: size }, (_, r) => new Float64Array(numbers, (turn * size + r) * capacity * 8, capacity)));
  }

  /** @throws Error when another learner has failed */
  sum(x: Float32Array | Float64Array): void {
    const slots = this.buffers[this.turn]!;
    this.turn = 1 - this.turn;
    slots[this.rank]!.set(x);
    this.meet();
    for (let i = 0; i < x.length; i++) {
      let sum = 0;
      for (const slot of slots) sum += slot[i]!;
      x[i] = sum;
    }
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
