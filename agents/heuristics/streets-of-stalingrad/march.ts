import { isBox, STAGE_NORMAL } from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { FrontFerryman, FrontPlanner } from "./front.js";
import type { Ask } from "./policy.js";

/** More hexes than any way. */
const FAR = 1000;
/** What a hex of the way counts for a unit on the march; a hex that needs a unit counts 1 or more. */
const STEP = 0.05;

/**
 * The planner on a map of the whole city, where most victory hexes are far from the front at first. Units march to the
 * nearest one that no German holds, and attack what is in their way. Leaders and observers beside the enemy stay,
 * unless the objective is near.
 */
export class MarchingPlanner extends FrontPlanner {
  /** True for each victory hex that no German holds: there are units for several. */
  protected override isWanted({ s }: Ask, hex: number): boolean {
    return this.tables.points[hex]! > 0 && this.estimate.count(s, GERMAN, hex) === 0;
  }

  protected override holdsLine(unit: number, hex: number, wanted: number): boolean {
    const leads = this.tables.roster.chief[unit] === 1;
    return leads && this.stacks.beside(SOVIET, hex) && super.holdsLine(unit, hex, wanted);
  }
}

/**
 * The ferryman on a map of the whole city. Units out of contact march to the nearest hex that needs one, however far it
 * is.
 */
export class MarchingFerryman extends FrontFerryman {
  /** Hexes that need a unit. */
  private readonly needy: number[] = [];

  protected override note(ask: Ask): void {
    super.note(ask);
    this.needy.length = 0;
    for (let h = 0; h < this.tables.hexes; h++) if (this.need(ask, h) > 0) this.needy.push(h);
  }

  /** Hexes to the nearest other hex that needs a unit, `FAR` if none does. */
  private toNeed(hex: number): number {
    let best = FAR;
    for (const h of this.needy) if (h !== hex) best = Math.min(best, this.tables.board.distance(h, hex));
    return best;
  }

  protected override hasNeed({ s }: Ask, hex: number, reach: number): boolean {
    if (isBox(hex)) return this.needy.length > 0;
    const distance = this.toNeed(hex);
    if (distance <= reach) return true;
    return distance < FAR && s[this.tables.layout.stage] === STAGE_NORMAL && !this.stacks.beside(GERMAN, hex);
  }

  protected override wayLeft(hex: number): number {
    return STEP * this.toNeed(hex);
  }
}
