import { bitWords } from "../../core/bits.js";

/** What the spotters of a side could spot at a moment, as `noteSpotters` finds it: sets of hexes, as bits. */
export class Spots {
  /** For every gun; for guns for which only leaders and OPs spot. */
  readonly byUnits: Int32Array;
  readonly byLeaders: Int32Array;
  /** For some gun or other. */
  readonly byAnybody: Int32Array;
  /** Where those are who spot for every gun. */
  readonly lookouts: Int32Array;
  /** Hexes at which guns fire in this phase: capacity counts differently there. */
  readonly targets: Int32Array;
  /** Hexes with a mission of the side. */
  readonly missions: Int32Array;
  /** OPs that are free, and points that they can still serve. */
  readonly ops: Int16Array;
  readonly left: Int16Array;
  opCount = 0;
  /** Free spotters that may be behind a wall. */
  readonly walled: Int16Array;
  walledCount = 0;
  /** Guns that are ready, and which of them reached the latest target. */
  readonly guns: Int16Array;
  gunCount = 0;
  latest = 0;
  /** Units that are ready to attack directly. */
  readonly firers: Int16Array;
  firerCount = 0;
  /** Guns that others serve in this phase. */
  readonly served: Int16Array;
  servedCount = 0;

  constructor(hexes: number, units: number) {
    const set = () => new Int32Array(bitWords(hexes));
    this.byUnits = set();
    this.byLeaders = set();
    this.byAnybody = set();
    this.lookouts = set();
    this.targets = set();
    this.missions = set();
    this.ops = new Int16Array(units);
    this.walled = new Int16Array(units);
    this.left = new Int16Array(units);
    this.guns = new Int16Array(units);
    this.firers = new Int16Array(units);
    this.served = new Int16Array(units);
  }

  clear(): void {
    this.byUnits.fill(0);
    this.byLeaders.fill(0);
    this.byAnybody.fill(0);
    this.lookouts.fill(0);
    this.targets.fill(0);
    this.missions.fill(0);
    this.opCount = 0;
    this.walledCount = 0;
    this.gunCount = 0;
    this.latest = 0;
    this.firerCount = 0;
    this.servedCount = 0;
  }
}
