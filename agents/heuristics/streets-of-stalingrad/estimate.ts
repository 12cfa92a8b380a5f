import type { StateView } from "../../../env/index.js";
import { RETREATS, RETREATS_OR_LOSES } from "../../../env/streets-of-stalingrad/board.js";
import { KNOWN, OOS_SHIFT, PINNED, POOL, SPENT } from "../../../env/streets-of-stalingrad/layout.js";
import { extraOf, firstIn, has, nextIn, placeOf, type Tables } from "../../../env/streets-of-stalingrad/state.js";
import { D1P, LOSSES, P } from "../../../env/streets-of-stalingrad/charts.js";

const FACES = 10;

/** What an attack is likely to bring. */
export interface Prospect {
  /** Chance that the hex is left without defenders. */
  clears: number;
  /** Defenders and attackers that are expected to be lost. */
  kills: number;
  losses: number;
}

/**
 * Judges fights by the tables and by what a side knows of the other: unseen counters count as the mean of those left
 * with their back.
 */
export class Estimate {
  constructor(private readonly tables: Tables) {}

  /** Units of a side in a hex. */
  count(s: StateView, side: number, hex: number): number {
    const { tables } = this;
    let n = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (tables.roster.side[u] === side) n++;
    return n;
  }

  /** Expected sum of DF (or AF) of what `side` has in a hex, as `viewer` can tell. */
  strength(s: StateView, side: number, hex: number, viewer: number, attack = false): number {
    const { tables } = this;
    const { roster } = tables;
    const points = attack ? roster.af : roster.df;
    let sum = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== side) continue;
      sum += side === viewer || has(tables, s, u, KNOWN) ? points[u]! : this.meanUnseen(s, u, points);
    }
    return sum;
  }

  /** Mean of what is still unseen with the back of a unit. */
  private meanUnseen(s: StateView, unit: number, points: Uint8Array): number {
    const { tables } = this;
    const { roster } = tables;
    let sum = 0;
    let n = 0;
    for (let u = roster.first(roster.side[unit]!); u < roster.end(roster.side[unit]!); u++) {
      if (roster.tag[u] !== roster.tag[unit] || roster.counters[u]!.spare) continue;
      if (has(tables, s, u, KNOWN) || placeOf(tables, s, u) < POOL) continue;
      sum += points[u]!;
      n++;
    }
    return n === 0 ? 0 : sum / n;
  }

  /** Sum of AF that units of a side beside a hex can attack it with. */
  attackers(s: StateView, side: number, hex: number): { units: number; af: number; oos: number } {
    const { tables } = this;
    const { board, roster } = tables;
    const found = { units: 0, af: 0, oos: 0 };
    for (let u = roster.first(side); u < roster.end(side); u++) {
      const at = placeOf(tables, s, u);
      if (at < 0 || board.sideTo(at, hex) < 0 || has(tables, s, u, PINNED | SPENT) || roster.directFire[u] === 0)
        continue;
      if (roster.af[u] === 0) continue;
      found.units++;
      found.af += roster.af[u]!;
      found.oos = Math.max(found.oos, extraOf(tables, s, u, OOS_SHIFT));
    }
    return found;
  }

  /** Mean losses when fired at on the combat results table. */
  meanLosses(points: number, modifier: number, shift: number, most: number): number {
    const { charts } = this.tables;
    const column = this.columnOf(points, shift);
    if (column < 0) return 0;
    let sum = 0;
    for (let die = 1; die <= FACES; die++) sum += Math.min(most, LOSSES[charts.result(column, die + modifier)]!);
    return sum / FACES;
  }

  private columnOf(points: number, shift: number): number {
    const { charts } = this.tables;
    const column = charts.column(Math.floor(points));
    return column < 0 ? -1 : Math.min(charts.crt.columns.length - 1, column + shift);
  }

  /**
   * What an attack by everybody beside a hex is likely to bring.
   *
   * @param shift columns up for both sides: 1 for a close assault
   */
  attack(s: StateView, side: number, hex: number, shift: number): Prospect {
    const { tables } = this;
    const { board, charts } = tables;
    const enemy = 1 - side;
    const { units, af, oos } = this.attackers(s, side, hex);
    const defenders = this.count(s, enemy, hex);
    const losses = this.meanLosses(this.strength(s, enemy, hex, side), 0, shift, units);
    // fire takes from the attack what it takes from the attackers
    const column = this.columnOf(units === 0 ? 0 : (af * (units - losses)) / units, shift);
    const prospect = { clears: 0, kills: 0, losses };
    if (column < 0) return prospect;
    const modifier = board.footDrm[hex]! + oos;
    const ground = board.retreatOnP[hex];
    for (let die = 1; die <= FACES; die++) {
      const result = charts.result(column, die + modifier);
      const lost = Math.min(defenders, LOSSES[result]!);
      prospect.kills += lost / FACES;
      const drivenOut = (result === P || result === D1P) && (ground === RETREATS || ground === RETREATS_OR_LOSES);
      if (lost === defenders || drivenOut) prospect.clears += 1 / FACES;
    }
    return prospect;
  }
}
