import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  Batch,
  type Game,
  NOBODY,
  newState,
  nextBelow,
  observationRows,
  Rng,
  seedStream,
  SeededDice,
  type State,
} from "../../env/index.js";

/** One run of a measure. */
export interface Sample {
  readonly count: number;
  readonly seconds: number;
  /** Processor time of this process (or of the one that did the work), in seconds; null when unknown. */
  readonly cpu: number | null;
}

/** A measure that is repeated in turn with the others. */
export interface Measure {
  readonly name: string;
  /** What `count` counts. */
  readonly unit: string;
  /** `rate`: counts a second. `time`: nanoseconds a count. */
  readonly kind: "rate" | "time";
  /** Length of a run, relative to others. Default 1. */
  readonly lengthFactor?: number;
  /** Runs for about that long. */
  run(seconds: number): Sample | Promise<Sample>;
}

/** Repeats `work`, which returns its count, for that much wall-clock time. */
export function repeatForWallTime(seconds: number, work: () => number): Sample {
  return repeatWhile(work, (began) => performance.now() < began + seconds * 1000);
}

/** Repeats `work` for that much processor time. */
export function repeatForCpuTime(seconds: number, work: () => number): Sample {
  return repeatWhile(work, (_began, cpu) => processorTime(cpu) < seconds);
}

/** Milliseconds of work between two readings of the clocks, since reading processor time has a cost. */
const CLOCK_INTERVAL_MS = 2;

function repeatWhile(work: () => number, goOn: (began: number, cpu: NodeJS.CpuUsage) => boolean): Sample {
  const cpu = process.cpuUsage();
  const began = performance.now();
  let count = 0;
  do {
    const until = performance.now() + CLOCK_INTERVAL_MS;
    do count += work();
    while (performance.now() < until);
  } while (goOn(began, cpu));
  return { count, seconds: (performance.now() - began) / 1000, cpu: processorTime(cpu) };
}

/** Seconds of processor time that this process has used since `start`. */
export function processorTime(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** A loop of fixed work, so that results of different days and machines are comparable. */
export function calibration(): Measure {
  const words = new Int32Array(4);
  seedStream("calibration", words);
  let sum = 0;
  return {
    name: "calibration loop",
    unit: "draws",
    kind: "rate",
    run: (seconds) =>
      repeatForCpuTime(seconds, () => {
        for (let i = 0; i < 10_000; i++) sum = (sum + nextBelow(words, 6)) | 0;
        return 10_000 + (sum === 1.5 ? 1 : 0); // uses the sum, so that the compiler keeps the loop
      }),
  };
}

/** A batch stepped with random legal actions: no decision is skipped; masks and observations are written. */
export class Stepper {
  readonly batch: Batch;
  private readonly picks: Int32Array;
  private readonly rng: Rng;

  constructor(game: Game, size: number, seed: string) {
    this.batch = new Batch(game, { size, skipForced: false });
    this.picks = new Int32Array(size);
    this.rng = new Rng(seed);
    this.batch.reset(seed);
  }

  /** One step of the whole batch. @returns decisions taken */
  step(): number {
    const { batch, picks, rng } = this;
    const A = batch.game.actions.length;
    const before = batch.asked;
    for (let i = 0; i < batch.size; i++)
      picks[i] = batch.over(i) ? 0 : nthLegal(batch.mask, i * A, rng.below(batch.legalCounts[i]!));
    batch.step(picks);
    return batch.asked - before;
  }
}

/** Index of the `k`-th set entry of `mask` from `at`, counted from 0. */
function nthLegal(mask: Uint8Array, at: number, k: number): number {
  let a = at;
  for (;;) {
    if (mask[a] === 1 && k-- === 0) return a - at;
    a++;
  }
}

/** Positions from the middle of random games. */
export function positions(game: Game, n: number, seed: string): State[] {
  const player = new RandomPlayer(game, seed);
  return Array.from({ length: n }, () => {
    for (let k = player.rng.below(200); k >= 0 || player.game.actor(player.state) < 0; k--) player.step();
    return player.state.slice();
  });
}

/** Plays random games on one state: mask, choice, apply, nothing else. */
class RandomPlayer {
  readonly state: State;
  readonly rng: Rng;
  private readonly mask: Uint8Array;
  private legal = 0;
  private readonly dice = new SeededDice();

  constructor(
    readonly game: Game,
    seed: string,
  ) {
    this.rng = new Rng(seed);
    this.state = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
    this.restart();
  }

  step(): void {
    const { game, state, mask, dice } = this;
    if (game.actor(state) === NOBODY) return this.restart();
    dice.begin(state);
    game.apply(state, nthLegal(mask, 0, this.rng.below(this.legal)), dice);
    this.legal = game.legalMask(state, mask, 0, true);
  }

  private restart(): void {
    this.state.fill(0);
    this.rng.freshStream(this.state);
    this.dice.begin(this.state);
    this.game.start(this.state, this.dice);
    this.legal = this.game.legalMask(this.state, this.mask, 0);
  }
}

/** The measures of one game that need only one thread. */
export function coreMeasures(game: Game): Measure[] {
  const stepper = new Stepper(game, 256, "bench");
  const player = new RandomPlayer(game, "bench");
  const middle = positions(game, 64, "bench");
  const pool = newState(1024 * game.stateSize);
  const slots = Array.from({ length: 1024 }, (_, i) => pool.subarray(i * game.stateSize, (i + 1) * game.stateSize));
  const rng = new Rng("bench/resample");
  const row = observationRows(game, 1).rows[0]!;
  const mask = new Uint8Array(game.actions.length);
  const out = newState(game.stateSize);
  const actors = middle.map((s) => game.actor(s));
  /** Time of one `ask`, over all positions from the middle. */
  const timeOf = (name: string, unit: string, ask: (s: State, actor: number) => void): Measure => ({
    name,
    unit,
    kind: "time",
    run: (t) =>
      repeatForCpuTime(t, () => {
        for (let i = 0; i < 64; i++) ask(middle[i]!, actors[i]!);
        return 64;
      }),
  });
  return [
    {
      name: "batch of 256: apply, mask, observation",
      unit: "decisions",
      kind: "rate",
      run: (t) => repeatForCpuTime(t, () => stepper.step()),
    },
    {
      name: "bare playout: apply, mask",
      unit: "decisions",
      kind: "rate",
      run: (t) =>
        repeatForCpuTime(t, () => {
          for (let i = 0; i < 256; i++) player.step();
          return 256;
        }),
    },
    {
      name: "clone into a pool",
      unit: "clones",
      kind: "time",
      run: (t) =>
        repeatForCpuTime(t, () => {
          for (let i = 0; i < 1024; i++) slots[i]!.set(middle[i & 63]!);
          return 1024;
        }),
    },
    timeOf("resample", "samples", (s, actor) => game.resample(s, actor, out, rng)),
    ...(game.redact === undefined ? [] : [timeOf("redact", "states", (s, actor) => game.redact!(s, actor, out))]),
    {
      name: "load",
      unit: "games",
      kind: "time",
      run: (t) =>
        repeatForCpuTime(t, () => {
          game.type.load(game.options, game.type.data);
          return 1;
        }),
    },
    timeOf("mask", "masks", (s) => void game.legalMask(s, mask, 0)),
    timeOf("observation", "observations", (s, actor) => game.observe(s, actor, row)),
    ...Object.entries(game.benchProbes ?? {}).map(([name, ask]) => timeOf(name, "times", ask)),
  ];
}

export interface Heap {
  readonly steps: number;
  /** Heap after all steps less heap before, both after garbage collection. */
  readonly grownBytes: number;
  /** Bytes allocated per decision, new episodes included. */
  readonly allocatedBytesPerDecision: number;
}

/** Measures the heap while a batch of 256 is stepped. */
export function heapGrowth(game: Game, steps: number): Heap {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const stepper = new Stepper(game, 256, "heap");
  for (let i = 0; i < 400; i++) stepper.step(); // compiled and warm
  gc();
  const before = process.memoryUsage().heapUsed;
  let allocated = 0;
  let done = 0;
  let last = process.memoryUsage().heapUsed;
  while (done < steps) {
    done += stepper.step();
    const now = process.memoryUsage().heapUsed;
    // a lower value means that garbage was collected: what this step allocated is missed then, so steps are measured
    // singly
    if (now > last) allocated += now - last;
    last = now;
  }
  gc();
  return {
    steps: done,
    grownBytes: process.memoryUsage().heapUsed - before,
    allocatedBytesPerDecision: allocated / done,
  };
}
