import * as state from "../state.js";
import * as scripts from "./script.js";
import type { Script } from "./script.js";

// own constants, for speed: see core/layout.ts
const { AREAS, CHITS, GERMANS, UNITS } = state;
const { CHECKS, IS_CHIT, TOKENS } = scripts;

/** Most tokens that can ever lie in one area. */
export const ROW = UNITS - GERMANS + CHITS;
const MOST_CHITS = 3;

/** The limits of stacking in a story: how full the areas are at each check, and what an exchange of ways would change. */
export class Stacking {
  /** Where each way lies at each check that counts (255: nowhere), and in the last row where each token lies now. */
  private readonly at = new Uint8Array((CHECKS + 1) * TOKENS);
  readonly loc = new Int8Array(this.at.buffer, CHECKS * TOKENS, TOKENS);
  /** Units and chits per check and area, either face. */
  private readonly units = new Int16Array(CHECKS * AREAS);
  private readonly chits = new Int16Array(CHECKS * AREAS);
  /** Checks that some story could break, in their order; the first one still to come. */
  private readonly tight = new Uint8Array(CHECKS);
  private tights = 0;
  private next = 0;

  /** @param lists tokens per area, `ROW` each; `counts` how many */
  constructor(
    private readonly script: Script,
    private readonly mostUnits: number,
    private readonly lists: Int32Array,
    private readonly counts: Int32Array,
  ) {}

  /** Goes back before the first check. @param anew another story is told */
  begin(anew: boolean): void {
    this.next = 0;
    if (anew) this.tights = 0;
  }

  /** Counters too many, over all checks. */
  over(): number {
    let n = 0;
    for (let t = 0; t < this.tights; t++) {
      const c = this.tight[t]! * AREAS;
      for (let a = 0; a < AREAS; a++) n += this.overfull(this.units[c + a]!, this.chits[c + a]!);
    }
    return n;
  }

  private overfull(units: number, chits: number): number {
    return Math.max(0, units - this.mostUnits) + Math.max(0, chits - MOST_CHITS);
  }

  /** Notes where everybody is, and the first time how full the areas are. */
  pass(check: number, anew: boolean): void {
    const { script, at, units, chits, counts, lists } = this;
    if (anew) {
      let tight = false;
      for (let a = 0; a < AREAS; a++) {
        const c = check * AREAS + a;
        const n = counts[a]!;
        units[c] = script.upUnits[c]!;
        chits[c] = script.upChits[c]!;
        if (n + units[c]! > this.mostUnits || n + chits[c]! > MOST_CHITS) tight = true;
        for (let p = 0; p < n; p++) (script.cand[lists[a * ROW + p]!] === IS_CHIT ? chits : units)[c]!++;
      }
      if (tight) this.tight[this.tights++] = check;
    }
    if (this.next >= this.tights || this.tight[this.next] !== check) return;
    this.next++;
    at.copyWithin(check * TOKENS, CHECKS * TOKENS, CHECKS * TOKENS + script.tokens);
  }

  /** Stacking if way `wp` were gone by a unit more (`d` 1) or less and way `wq` the opposite; carried out with `make`. */
  shift(wp: number, wq: number, d: number, make: boolean): number {
    const { at, units, chits } = this;
    let delta = 0;
    for (let t = this.next; t < this.tights; t++) {
      const c = this.tight[t]!;
      const x = at[c * TOKENS + wp]!;
      const y = at[c * TOKENS + wq]!;
      if (x === y) continue;
      if (x < AREAS) {
        const k = c * AREAS + x;
        delta += this.overfull(units[k]! + d, chits[k]! - d) - this.overfull(units[k]!, chits[k]!);
        if (make) {
          units[k]! += d;
          chits[k]! -= d;
        }
      }
      if (y < AREAS) {
        const k = c * AREAS + y;
        delta += this.overfull(units[k]! - d, chits[k]! + d) - this.overfull(units[k]!, chits[k]!);
        if (make) {
          units[k]! -= d;
          chits[k]! += d;
        }
      }
    }
    return delta;
  }
}
