import { KesselError } from "../../env/index.js";

/** All-reduce between learners that train one net on games of their own, in lockstep. */
export interface AllReduce {
  /** 0 .. size - 1; learner 0 leads. */
  readonly rank: number;
  readonly size: number;
  /**
   * Replaces each number by its sum over all learners. Every learner calls it with equally many numbers and gets the
   * same.
   */
  sum(x: Float64Array): void;
  /** Tells that this learner is at work; called at every run of its net. */
  advance(): void;
  /** Buffers for a common step; null for a single learner. */
  readonly shared: SharedStep | null;
}

/** Buffers that all learners share, each as long as the weights of the net. */
export interface SharedStep {
  /** Gradients, by rank. */
  readonly gradients: readonly Float32Array[];
  readonly weights: Float32Array;
  /** The optimiser's running means. */
  readonly m: Float32Array;
  readonly v: Float32Array;
}

/** A learner that trains alone. */
export const SINGLE_LEARNER: AllReduce = {
  rank: 0,
  size: 1,
  sum: () => undefined,
  advance: () => undefined,
  shared: null,
};

/** Shared memory of the learners; can be sent to threads. */
export interface AllReduceMemory {
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
/** From here on, how often each learner has called `advance`. */
const ADVANCES = 3;

/** Milliseconds after which the leading learner gives up when no other one advances. */
const PATIENCE = 600_000;

/** Most numbers summed at once: losses, counts, results against every member of a league. */
const MAX_SUMS = 1 << 14;

export function allReduceMemory(size: number, weights: number): AllReduceMemory {
  return {
    size,
    weights,
    control: new SharedArrayBuffer((ADVANCES + size) * 4),
    sums: new SharedArrayBuffer(2 * size * MAX_SUMS * 8),
    step: new SharedArrayBuffer((size + 3) * weights * 4),
  };
}

/** All-reduce over shared memory. Sums are taken in the order of ranks, so the order of arrival has no effect. */
export class SharedMemoryAllReduce implements AllReduce {
  readonly size: number;
  readonly shared: SharedStep;
  private readonly control: Int32Array;
  /** Two buffers used alternately, so that none is overwritten while others read it; one slot per rank. */
  private readonly buffers: readonly (readonly Float64Array[])[];
  private turn = 0;

  constructor(
    { size, weights, control, sums, step }: AllReduceMemory,
    readonly rank: number,
    private readonly patience = PATIENCE,
  ) {
    this.size = size;
    this.control = new Int32Array(control);
    this.buffers = [0, 1].map((turn) =>
      Array.from({ length: size }, (_, r) => new Float64Array(sums, (turn * size + r) * MAX_SUMS * 8, MAX_SUMS)),
    );
    const part = (k: number) => new Float32Array(step, k * weights * 4, weights);
    this.shared = {
      gradients: Array.from({ length: size }, (_, r) => part(r)),
      weights: part(size),
      m: part(size + 1),
      v: part(size + 2),
    };
  }

  advance(): void {
    Atomics.add(this.control, ADVANCES + this.rank, 1);
  }

  /**
   * @throws Error when another learner has failed @throws KesselError `time-limit` to the leading learner, when the
   * others do not advance
   */
  sum(x: Float64Array): void {
    const slots = this.buffers[this.turn]!;
    this.turn = 1 - this.turn;
    slots[this.rank]!.set(x);
    this.barrier();
    x.fill(0);
    for (const slot of slots) for (let i = 0; i < x.length; i++) x[i]! += slot[i]!;
  }

  /** Marks this learner as failed and wakes the others, which then throw. */
  fail(): void {
    Atomics.store(this.control, FAILED, 1);
    Atomics.add(this.control, ROUND, 1);
    Atomics.notify(this.control, ROUND);
  }

  /** Waits until every learner has arrived. */
  private barrier(): void {
    const { control, size } = this;
    const round = Atomics.load(control, ROUND);
    if (Atomics.add(control, ARRIVED, 1) === size - 1) {
      Atomics.store(control, ARRIVED, 0);
      Atomics.add(control, ROUND, 1);
      Atomics.notify(control, ROUND);
    } else if (Atomics.load(control, FAILED) === 0) this.awaitRound(round);
    if (Atomics.load(control, FAILED) === 1) throw new Error("another learner has failed");
  }

  /**
   * Waits until the round has ended. Its number alone says so: the last to arrive counts it up and then wakes the
   * others, and when it is held up in between, it wakes those who wait for the next round already. Only the leading
   * learner loses patience: it does work of its own while the others wait.
   */
  private awaitRound(round: number): void {
    const { control, rank, patience } = this;
    while (Atomics.load(control, ROUND) === round) {
      const before = this.advances();
      const woken = Atomics.wait(control, ROUND, round, rank === 0 ? patience : Infinity);
      if (woken === "timed-out" && this.advances() === before)
        throw new KesselError(
          "time-limit",
          `the other learners have done nothing for ${Math.round(patience / 1000)} s; --resume goes on after the last checkpoint`,
        );
    }
  }

  private advances(): number {
    let sum = 0;
    for (let rank = 0; rank < this.size; rank++) sum += Atomics.load(this.control, ADVANCES + rank);
    return sum;
  }
}
