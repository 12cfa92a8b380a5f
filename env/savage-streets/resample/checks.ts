import { type AreaId, AREAS, FIRST_AREA } from "../state.js";

/** Of an area: before and after the Soviet movement of each turn, losses of excess and landings that failed. */
export const CHECKS = 48;
/**
 * What a stacking check says: units and chits are within the limits; a unit is one too many; the units are within the
 * limits, but a chit is one too many; one or the other is; nothing, but the contents are asked for later.
 */
export const CHECK = { limits: 0, unitExcess: 1, chitExcess: 2, excess: 3, count: 4 } as const;
/** Most chits that an area keeps. */
export const MOST_CHITS = 3;

/**
 * A *stacking check* is an area at a moment of which something is known of the limits of stacking, if some assignment
 * could contradict it. Checks of area `a` are numbered from `a * CHECKS`.
 */
export class Checks {
  /** True when there is any, and one that asks whether a gun is there. */
  any = false;
  askGuns = false;
  readonly count = new Uint8Array(AREAS);
  /** What each says; most units without and with a gun; face-up units, chits and guns there. */
  readonly kind = new Uint8Array(AREAS * CHECKS);
  readonly mostBare = new Int8Array(AREAS * CHECKS);
  readonly mostArmed = new Int8Array(AREAS * CHECKS);
  readonly upUnits = new Int16Array(AREAS * CHECKS);
  readonly upChits = new Int16Array(AREAS * CHECKS);
  readonly upGuns = new Int16Array(AREAS * CHECKS);
  /** Areas whose face-down counters are those of their last check. */
  private unchanged = 0;

  /**
   * @param down face-down counters now in each area
   * @param bare most units that an area keeps without a gun; `armed` with one
   */
  constructor(
    private readonly down: Int32Array,
    private readonly bare: number,
    private readonly armed: number,
  ) {}

  clear(): void {
    this.any = this.askGuns = false;
    this.unchanged = 0;
    this.count.fill(0);
  }

  /** A counter comes to area `a` or leaves it. @returns checks of the area before that */
  next(a: AreaId): number {
    this.unchanged &= ~(1 << a);
    return this.count[a]!;
  }

  /**
   * The limits of stacking hold in all areas up to `end`.
   *
   * @param units face-up ones by areas; `chits`, `guns` likewise
   */
  addLimits(units: ArrayLike<number>, chits: ArrayLike<number>, guns: ArrayLike<number>, end = AREAS): void {
    for (let a = FIRST_AREA; a < end; a++) {
      const up = units[a]!;
      const most = this.down[a]! + up;
      const needsGun = this.bare < this.armed && guns[a] === 0 && most > this.bare;
      if (!needsGun && most <= this.armed && this.down[a]! + chits[a]! <= MOST_CHITS) continue;
      const last = a * CHECKS + this.count[a]! - 1;
      const known =
        (this.unchanged >> a) & 1 &&
        this.upUnits[last] === up &&
        this.upChits[last] === chits[a] &&
        this.upGuns[last] === guns[a];
      if (!known) this.add(a, CHECK.limits, this.bare, this.armed, up, chits[a]!, guns[a]!);
      this.unchanged |= 1 << a;
    }
  }

  /**
   * @param bare most units in area `a` without a gun, `most` with one; `units` face-up ones; `chits`, `guns` likewise
   */
  add(a: AreaId, kind: number, bare: number, most: number, units: number, chits: number, guns: number): void {
    const sure = this.down[a]! + units <= bare && this.down[a]! + chits <= MOST_CHITS;
    if ((sure && kind === CHECK.limits) || this.count[a] === CHECKS) return;
    const c = a * CHECKS + this.count[a]!++;
    this.any = true;
    if (bare < most && (guns === 0 || kind !== CHECK.limits)) this.askGuns = true;
    this.kind[c] = kind;
    this.mostBare[c] = bare;
    this.mostArmed[c] = most;
    this.upUnits[c] = units;
    this.upChits[c] = chits;
    this.upGuns[c] = guns;
    this.unchanged &= ~(1 << a);
  }

  /**
   * A unit was turned away from area `a`. @returns the check of what is there, or -1 if any unit had room
   */
  addTry(a: AreaId, units: number, chits: number, guns: number): number {
    if (this.bare === this.armed || guns > 0 || this.down[a]! + units < this.bare) return -1;
    const c = a * CHECKS + this.count[a]!;
    this.add(a, CHECK.count, this.bare, this.armed, units, chits, guns);
    return c;
  }
}
