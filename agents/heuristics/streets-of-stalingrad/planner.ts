import type { Game, Seed } from "../../../env/index.js";
import { DONE, HEX } from "../../../env/streets-of-stalingrad/actions.js";
import { PINNED } from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { firstIn, has, nextIn } from "../../../env/streets-of-stalingrad/state.js";
import { Odds } from "./german.js";
import type { Ask } from "./policy.js";

/** What a pinned defender adds to the worth of an attack: he neither retreats nor counter-attacks, and stays pinned under the marker. */
const PINNED_WORTH = 0.4;
/** What a hex opposite to friends, beside what is attacked, adds to its worth: two opposite hexes make the Assault Advantage. */
const OPPOSITE = 0.6;
/** Chance of eliminating everybody at which a breakthrough is tried. */
const SURE = 0.5;

/** Bombards what can be attacked next, marks the hexes that are pinned, and comes from opposite sides. */
export class Planner extends Odds {
  constructor(game: Game, seed: Seed) {
    super(game, seed, "heuristic:planner");
  }

  protected override bombWorth(ask: Ask, hex: number): number {
    const worth = super.bombWorth(ask, hex);
    if (worth === 0) return 0;
    const near =
      this.besides(ask, hex) > 0
        ? 3
        : this.distanceTo(hex, (h) => this.estimate.count(ask.s, GERMAN, h) > 0) <= 3
          ? 1
          : 0;
    return near * worth;
  }

  /** Hexes beside one in which Germans stand. */
  private besides({ s }: Ask, hex: number): number {
    const { board } = this.tables;
    let n = 0;
    for (let d = hex * 6; d < hex * 6 + 6; d++)
      if (board.neighbours[d]! >= 0 && this.estimate.count(s, GERMAN, board.neighbours[d]!) > 0) n++;
    return n;
  }

  protected override worth(ask: Ask, hex: number, shift: number): number {
    let pinned = 0;
    for (let u = firstIn(this.tables, ask.s, hex); u >= 0; u = nextIn(this.tables, ask.s, u))
      if (has(this.tables, ask.s, u, PINNED)) pinned++;
    return super.worth(ask, hex, shift) + PINNED_WORTH * pinned;
  }

  protected override placeWorth(ask: Ask, hex: number): number {
    return super.placeWorth(ask, hex) + (this.isOpposite(ask, hex) ? OPPOSITE : 0);
  }

  /** Do friends stand on the other side of an enemy beside the hex? */
  private isOpposite({ s }: Ask, hex: number): boolean {
    const { board } = this.tables;
    for (let d = 0; d < 6; d++) {
      const enemy = board.neighbours[hex * 6 + d]!;
      const beyond = enemy < 0 ? -1 : board.neighbours[enemy * 6 + d]!;
      if (beyond < 0 || this.estimate.count(s, SOVIET, enemy) === 0) continue;
      if (this.estimate.count(s, GERMAN, beyond) > 0) return true;
    }
    return false;
  }

  protected override breakThrough(ask: Ask): number {
    const chance = (h: number) => this.estimate.attack(ask.s, GERMAN, h, 0).destroys;
    const hex = this.bestHex(ask, chance);
    return hex >= 0 && chance(hex) >= SURE ? HEX + hex : DONE;
  }
}
