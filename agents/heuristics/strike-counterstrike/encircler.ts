import type { Game, Seed, State } from "../../../env/index.js";
import { FIRST_HEX, NO_HEX } from "../../../env/strike-counterstrike/data.js";
import { Commander } from "./commander.js";
import { Rings } from "./rings.js";

/** Weights of an encircler's aims. */
export interface Style {
  /** A hex beside Moscow or Tula on turn 1. */
  guarded: number;
  /** A K-Line hex while they are short of the check, and other hexes until then. */
  kHex: number;
  /** A ring, spread over its hexes, and how much less the second and each further ring is worth. */
  ring: number;
  fade: number;
  /** Rings kept in view beyond those still needed. */
  spare: number;
  /** A hex beside a locality, more as its German neighbours get fewer. */
  local: number;
  /** More for a hex that closes a ring. */
  closing: number;
  /** The way west, spread over its hexes, and a western hex at hand. */
  westPath: number;
  westHex: number;
  minAttackScore: number;
  minPressChance: number;
}

export const STYLE: Style = {
  guarded: 100,
  kHex: 12,
  ring: 60,
  fade: 0.35,
  spare: 4,
  local: 12,
  closing: 60,
  westPath: 50,
  westHex: 25,
  minAttackScore: 0.5,
  minPressChance: 0.3,
};

/** Rings that cost more than this, in tenths of effort, are out of reach. */
const FAR_RING = 250;
/** What a hex counts for that is part of a ring already: rings that share hexes are cheaper together. */
const SHARED = 2;

/**
 * Plans rings: for each fortified locality the cheapest set of hexes that cuts it off, and the cheapest way to the
 * west. Works at those four it is nearest to, at the K-Line until its check, at Moscow and Tula first.
 */
export class Encircler extends Commander {
  private readonly rings: Rings;
  private readonly weight: Int32Array;
  private readonly pathCost: Float64Array;
  /** What the ring around each locality costs at least, as far as is known; `Infinity` where none is wanted. */
  private readonly least: Float64Array;
  /** Its cost when last computed, in whatever position. */
  private readonly guess: Float64Array;
  private readonly from: Int16Array;

  constructor(
    name: string,
    game: Game,
    seed: Seed,
    protected readonly style: Style = STYLE,
  ) {
    super(name, game, seed, style.minAttackScore, style.minPressChance);
    this.rings = new Rings(this.tables);
    this.weight = new Int32Array(this.tables.hexCount);
    this.pathCost = new Float64Array(this.tables.hexCount);
    this.least = new Float64Array(this.tables.hexCount);
    this.guess = new Float64Array(this.tables.hexCount);
    this.from = new Int16Array(this.tables.hexCount);
  }

  /** Worth depends on control and turn only. */
  protected override keyOf(s: State): number {
    const { L, hexWords } = this.tables;
    let a = s[L.turn]!;
    let b = 7;
    for (let i = 0; i < hexWords; i++) {
      const x = s[L.germanBits + i]!;
      a = Math.imul(a ^ x, 0x01000193);
      b = Math.imul((b << 5) | (b >>> 27), 0xcc9e2d51) ^ x;
      a ^= a >>> 15;
    }
    return (a >>> 0) * 0x200000 + (Math.imul(b ^ (b >>> 16), 0x85ebca6b) & 0x1fffff);
  }

  protected override writeWorth(s: State): void {
    const { tables, worth, style } = this;
    const { L } = tables;
    const turn = s[L.turn]!;
    if (turn === 1) {
      for (let h = FIRST_HEX; h < tables.hexCount; h++)
        if (s[L.german + h] === 1) worth[h] = tables.guarded[h] === 1 ? style.guarded : 1 + tables.kLine[h]!;
      return;
    }
    if (turn <= 3) {
      const short = s[L.kHeld]! < tables.kRequired + 1;
      for (let h = FIRST_HEX; h < tables.hexCount; h++)
        if (s[L.german + h] === 1) worth[h] = 0.1 + (short ? style.kHex : 0.5) * tables.kLine[h]!;
    }
    this.weigh(turn);
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      if (s[L.german + h] === 1) worth[h]! += 0.5 + style.local * this.encirclementGain(s, h);
    this.planRings(s);
    this.planWest(s, turn);
  }

  /** Tenths of effort to take a hex; K-Line hexes fall without a battle after turn 3. */
  private weigh(turn: number): void {
    const { tables } = this;
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      this.weight[h] =
        tables.fort[h] === 1 ? 0 : tables.kLine[h] === 1 && turn <= 3 ? 1 : tables.forest[h] === 1 ? 15 : 10;
  }

  private planRings(s: State): void {
    const { tables, worth, weight, rings, least, style } = this;
    const { L } = tables;
    const wanted = Math.max(0, tables.win.fortified - s[L.forts]!) + style.spare;
    for (let f = FIRST_HEX; f < tables.hexCount; f++)
      least[f] = tables.fort[f] === 1 && s[L.german + f] === 1 && s[L.cut + f]! >= 0 ? 0 : Infinity;
    for (let i = 0; i < wanted; i++) {
      const best = this.cheapest(s);
      if (best < 0) return;
      const cost = rings.around(s, best, weight, least[best]!);
      least[best] = Infinity; // taken
      // nearer rings come first, and so does the one that needs fewest hexes more
      const share = style.ring / (1 + style.fade * i) / Math.max(1, cost / 10);
      let cheaper = 0;
      for (let j = 0; j < rings.size; j++) {
        const h = rings.hexes[j]!;
        worth[h]! += share + (rings.size === 1 ? style.closing : 0);
        if (weight[h]! <= SHARED) continue;
        cheaper += weight[h]! - SHARED;
        weight[h] = SHARED;
      }
      for (let f = FIRST_HEX; f < tables.hexCount; f++) least[f]! -= cheaper; // no ring gets cheaper by more
    }
  }

  /**
   * The locality with the cheapest ring, the first of equals, -1 when all are out of reach. `least` gets the costs
   * found.
   */
  private cheapest(s: State): number {
    const { tables, weight, rings, least, guess } = this;
    // cheapest of the last search first, so that the limit prunes most of the rest
    let first = 0;
    for (let f = 1; f < tables.hexCount; f++)
      if (least[f]! < Infinity && (least[first] === Infinity || guess[f]! < guess[first]!)) first = f;
    let best = -1;
    let bound = FAR_RING - 1;
    for (let k = -1; k < tables.hexCount; k++) {
      const f = k < 0 ? first : k;
      if (k === first || least[f]! > bound || (least[f] === bound && best >= 0 && f > best)) continue;
      const cost = rings.around(s, f, weight, bound);
      least[f] = Math.min(cost, bound + 1);
      guess[f] = least[f]!;
      if (cost > bound || (cost === bound && best >= 0 && f > best)) continue;
      bound = cost;
      best = f;
    }
    return best;
  }

  /** The cheapest way to the hexes that count as western, and the next of them. */
  private planWest(s: State, turn: number): void {
    const { tables, worth, weight, style } = this;
    const { L } = tables;
    const missing = tables.win.west - s[L.westHeld]!;
    if (missing <= 0 || turn < 3) return;
    const { neighbours } = tables.grid;
    // Bellman-Ford over German hexes: small map, few rounds
    const cost = this.pathCost.fill(Infinity);
    const from = this.from;
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      if (s[L.german + h] === 0) {
        cost[h] = 0;
        from[h] = -1;
      }
    for (let changed = true; changed;) {
      changed = false;
      for (let h = FIRST_HEX; h < tables.hexCount; h++) {
        if (s[L.german + h] === 0 || tables.fort[h] === 1) continue;
        for (let d = h * 6; d < h * 6 + 6; d++) {
          const k = neighbours[d]!;
          if (k < 0 || cost[k]! + weight[h]! >= cost[h]!) continue;
          cost[h] = cost[k]! + weight[h]!;
          from[h] = k;
          changed = true;
        }
      }
    }
    let goal = NO_HEX;
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      if (tables.western[h] === 1 && s[L.german + h] === 1 && (goal < 0 || cost[h]! < cost[goal]!)) goal = h;
    if (goal < 0 || cost[goal] === Infinity) return;
    const share = style.westPath / Math.max(1, cost[goal]! / 10);
    for (let h: number = goal; h >= 0 && s[L.german + h] === 1; h = from[h]!) worth[h]! += share;
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      if (tables.western[h] === 1 && s[L.german + h] === 1 && s[L.front + h] === 1) worth[h]! += style.westHex;
  }
}
