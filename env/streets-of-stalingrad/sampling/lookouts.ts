import type { StateView } from "../../core/layout.js";
import { isUnmet, mayBeSeenFrom } from "../rules/units/hidden.js";
import { isBehindWall } from "../rules/units/wall.js";
import { placeOf, type Tables } from "../state.js";

/** What is known of the unseen counters of a hex. */
const MAY_LOOK = 0;
/** A unit in the open that nobody has seen shows that none of them looks out. */
const NONE_LOOKS = 1;
/** The same, unless a wall is between them. */
const WALLED = 2;

/**
 * What units in the open say whose face the enemy doesn't know: no enemy who looks out has them in sight. Their owner
 * sees that they are face down, and so knows that counters there are minefields, forts or bridges. Rule: SOS 7.3,
 * SOS 7.4
 */
export class Lookouts {
  private readonly known: Uint8Array;
  /** Units of the player that nobody has seen. */
  private readonly unmet: Int32Array;
  private count = 0;

  constructor(private readonly tables: Tables) {
    this.known = new Uint8Array(tables.hexes);
    this.unmet = new Int32Array(tables.units);
  }

  /**
   * Notes what the player's own units say.
   *
   * @param unseen the first `count` of them are the unseen units of the other side, those of one back together
   * @param end by unit: where those of its back end
   */
  begin(s: StateView, player: number, unseen: Int32Array, count: number, end: Int32Array): void {
    const { known, tables } = this;
    const { roster } = tables;
    known.fill(MAY_LOOK);
    this.count = -1;
    for (let i = 0, next = 0; i < count; i = next) {
      next = end[unseen[i]!]!;
      let works = 0;
      for (let k = i; k < next; k++) works += roster.blind[unseen[k]!]!;
      if (works === 0) continue; // everybody with this back looks out, and has seen whom there is to see
      if (this.count < 0) this.findUnmet(s, player);
      for (let k = i; k < next && this.count > 0; k++) {
        const hex = placeOf(tables, s, unseen[k]!);
        if (hex >= 0 && known[hex] === MAY_LOOK) known[hex] = this.lookedFrom(s, hex);
      }
    }
  }

  /** What units of the player that nobody has seen say of a hex. */
  private lookedFrom(s: StateView, hex: number): number {
    const { board } = this.tables;
    let known = MAY_LOOK;
    for (let i = 0; i < this.count && known !== NONE_LOOKS; i++)
      if (mayBeSeenFrom(this.tables, s, this.unmet[i]!, hex))
        known = board.sight.hasWalls && board.sight.isWall(hex) ? WALLED : NONE_LOOKS;
    return known;
  }

  private findUnmet(s: StateView, player: number): void {
    const { roster } = this.tables;
    this.count = 0;
    for (let u = roster.first(player); u < roster.end(player); u++)
      if (isUnmet(this.tables, s, u)) this.unmet[this.count++] = u;
  }

  /** True when a unit in a hex would have seen somebody whom nobody has seen. */
  contradicts(s: StateView, unit: number, hex: number): boolean {
    const known = this.known[hex]!;
    if (known === MAY_LOOK || this.tables.roster.blind[unit] === 1) return false;
    if (known === NONE_LOOKS) return true;
    for (let i = 0; i < this.count; i++) {
      const unmet = this.unmet[i]!;
      const sees = mayBeSeenFrom(this.tables, s, unmet, hex);
      if (sees && !isBehindWall(this.tables, s, unit, placeOf(this.tables, s, unmet))) return true;
    }
    return false;
  }
}
