import { MECH, NONMECH, SEC, type CompiledData } from "../../../env/strike-counterstrike/data.js";
import { Rng } from "../../../env/index.js";

/** Losses that a pocket hex's breakout inflicts, mean and standard deviation, in steps. */
const BREAKOUT_MEAN = 1.65;
const BREAKOUT_SPREAD = 1.5;
/**
 * Counters a pocket hex brings into a breakout, mean and standard deviation, and the part of them drawn from the pool.
 */
const JOIN_DRAWN = 0.85;
const JOIN_MEAN = 2.5;
const JOIN_SPREAD = 1.71;

const KINDS = 3; // ordinary, relief force, shock army firing first
const STEPS = 20;
const ROUNDS = 4;
const UNITS = 9;
const TRIALS = 160;

/**
 * Chances of battles, from trial battles with the tables of the game: by steps of the force, rounds it can pay for,
 * defending units, and whether a shock army fires first or a relief force defends.
 */
export class Odds {
  /** [kind][rounds][units][steps] */
  private readonly win = new Float32Array(KINDS * ROUNDS * UNITS * STEPS);
  /** Steps left on average, lost battles counted with what is left too. */
  private readonly left = new Float32Array(KINDS * ROUNDS * UNITS * STEPS);
  /** Shares of the classes in the pool, cumulative. */
  private readonly classShares: readonly number[];

  constructor(private readonly data: CompiledData) {
    const classes = [MECH, NONMECH, SEC].map((k) => data.slotsOf[k]!.length);
    const all = classes.reduce((n, x) => n + x, 0);
    this.classShares = [classes[0]! / all, (classes[0]! + classes[1]!) / all];
    this.win.fill(-1);
  }

  /** @param units of a known garrison, or 0 for one still to be drawn */
  chance(steps: number, rounds: number, units: number, shock: boolean, relief: boolean): number {
    return this.look(this.win, steps, rounds, units, shock, relief);
  }

  /** Steps that the force may expect to have after the battle. */
  stepsAfter(steps: number, rounds: number, units: number, shock: boolean, relief: boolean): number {
    return this.look(this.left, steps, rounds, units, shock, relief);
  }

  private look(
    table: Float32Array,
    steps: number,
    rounds: number,
    units: number,
    shock: boolean,
    relief: boolean,
  ): number {
    const kind = relief ? 1 : shock ? 2 : 0;
    const r = Math.min(rounds, ROUNDS - 1);
    const s = Math.min(steps, STEPS - 1);
    if (r < 1 || s < 1) return 0;
    if (units > 0) return this.entry(table, kind, r, Math.min(units, UNITS - 1), s);
    let sum = 0;
    for (let d = 1; d <= 6; d++) sum += this.entry(table, kind, r, relief ? 1 + d : d, s);
    return sum / 6;
  }

  /** From the table; computed on first use. */
  private entry(table: Float32Array, kind: number, rounds: number, units: number, steps: number): number {
    const at = this.index(kind, rounds, units, steps);
    if (this.win[at]! < 0) this.measure(at, kind, rounds, units, steps);
    return table[at]!;
  }

  private index(kind: number, rounds: number, units: number, steps: number): number {
    return ((kind * ROUNDS + rounds) * UNITS + units) * STEPS + steps;
  }

  private measure(at: number, kind: number, rounds: number, units: number, steps: number): void {
    const rng = new Rng(`odds ${at}`); // so that an entry does not depend on the order of use
    let won = 0;
    let left = 0;
    for (let i = 0; i < TRIALS; i++) {
      const end = this.trial(kind, rounds, units, steps, rng);
      if (end > 0) won++;
      left += Math.abs(end);
    }
    this.win[at] = won / TRIALS;
    this.left[at] = left / TRIALS;
  }

  /** One battle. @returns steps left, negative when the hex was not won */
  private trial(kind: number, rounds: number, units: number, steps: number, rng: Rng): number {
    const { crt } = this.data;
    const force = [0, 0, 0];
    for (let i = 0; i < units; i++) {
      const x = rng.float();
      force[x < this.classShares[0]! ? MECH : x < this.classShares[1]! ? NONMECH : SEC]!++;
    }
    const bonus = kind === 1 ? this.data.breakInModifier : 0;
    const hits = (n: number, column: number, add: number): number => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += crt[column * 8 + Math.min(7, 1 + rng.below(6) + add)]!;
      return sum;
    };
    const kill = (n: number): void => {
      for (const k of [MECH, NONMECH, SEC]) {
        const m = Math.min(n, force[k]!);
        force[k]! -= m;
        n -= m;
      }
    };
    let left = steps;
    for (let round = 1; round <= rounds; round++) {
      const first = kind === 2 && round === 1;
      if (first) kill(hits(left, 0, 0));
      for (const k of [MECH, NONMECH]) {
        left -= hits(force[k]!, 2 + k, bonus);
        if (left <= 0) return 0;
      }
      if (!first) kill(hits(left, 1, 0));
      if (force[MECH]! + force[NONMECH]! + force[SEC]! === 0) return left;
      left -= hits(force[SEC]!, 2 + SEC, bonus);
      if (left <= 0) return 0;
    }
    return -left;
  }
}

/** Chance that an army has `steps` steps left when the pocket of a hex has broken out. */
export function survivesBreakout(steps: number, pocket: number): number {
  return below((steps - 0.5 - BREAKOUT_MEAN * pocket) / (BREAKOUT_SPREAD * Math.sqrt(pocket)));
}

/** Chance that a breakout from a pocket of `pocket` hexes empties the pool. */
export function breakoutEmpties(pool: number, pocket: number): number {
  const needed = pool - 3.5; // the relief force is drawn before
  return below((JOIN_MEAN * JOIN_DRAWN * pocket - needed) / (JOIN_SPREAD * Math.sqrt(pocket)));
}

/** Standard normal distribution function, an approximation. */
function below(x: number): number {
  return 1 / (1 + Math.exp(-1.702 * x));
}
