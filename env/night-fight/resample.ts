import type { Rng } from "../core/dice/rng.js";
import type { State, StateView } from "../core/layout.js";
import { GERMANS, SOVIETS, UNITS, type UnitId, sovietOf } from "./data.js";
import type { Tables } from "./data.js";
import { chanceOfMissing } from "./contacts.js";
import { isKnown, L, POOL } from "./state.js";
import type { Row } from "../core/brand.js";

const TRIES = 5000;

/**
 * Deals again the Soviet counters that the player does not know, to the contacts on the map and the reserve. The
 * probability of a deal is proportional to the likelihood of the player's observations: equal draws at the start; each
 * die that a contact would have missed in a Soviet step; and the draws for columns, which are likelier from a reserve
 * with few real units.
 *
 * Rejection sampling. A proposal deals contacts in turn, the most restricted first, each counter by the chance that it
 * had missed its dice there. The deal is then kept with the chance that corrects for counters no longer free and for
 * the draws. So accepted deals have the exact distribution, and tries are few: without missed dice or draws the first
 * one is kept. After 5000 rejected tries a deal by the missed dice alone is kept, and `resample` returns false; no test
 * has met that. Literature: J. von Neumann, Various techniques used in connection with random digits (1951).
 */
export class Resampler {
  /** Chance of the missed dice by `contact * SOVIETS + counter`, 0 for counters that are known. */
  private readonly chance = new Float64Array(SOVIETS * SOVIETS);
  private readonly total = new Float64Array(SOVIETS);
  /** Contacts with missed dice, the most restricted first; then the others. */
  private readonly order = new Int32Array(SOVIETS);
  /** Unknown counters that aren't dealt yet. */
  private readonly free = new Int32Array(SOVIETS);
  private readonly dealt = new Int32Array(SOVIETS) as Row<UnitId, Int32Array>;
  private telling = 0;

  constructor(private readonly tables: Tables) {}

  /**
   * @returns false when no deal was accepted after many tries; then the last one is kept, weighted by the missed dice
   *   alone
   */
  resample(s: StateView, out: State, rng: Rng): boolean {
    this.weigh(s);
    const kept = this.deal(s, rng);
    for (let i = 0; i < out.length; i++) out[i] = s[i]!;
    for (let k = GERMANS; k < UNITS; k++) if (!isKnown(s, k)) out[L.place + k] = POOL;
    for (let j = 0; j < s[L.contacts]!; j++) out[L.place + this.dealt[j]!] = s[L.contactHexes + j]!;
    rng.freshStream(out);
    return kept;
  }

  private weigh(s: StateView): void {
    const n = s[L.contacts]!;
    let last = n;
    this.telling = 0;
    for (let j = 0; j < n; j++) {
      let total = 0;
      let tells = false;
      for (let k = 0; k < SOVIETS; k++) {
        const c = isKnown(s, sovietOf(k)) ? 0 : chanceOfMissing(s, j, sovietOf(k));
        this.chance[j * SOVIETS + k] = c;
        total += c;
        if (s[L.missedDice + j * SOVIETS + k] !== 0) tells = true;
      }
      this.total[j] = total;
      if (!tells) {
        this.order[--last] = j;
        continue;
      }
      let i = this.telling++;
      for (; i > 0 && this.total[this.order[i - 1]!]! > total; i--) this.order[i] = this.order[i - 1]!;
      this.order[i] = j;
    }
  }

  private deal(s: StateView, rng: Rng): boolean {
    for (let tries = 0; tries < TRIES; tries++) {
      const keep = this.propose(s, rng) * this.drawChance(s);
      if (keep >= 1 || rng.float() < keep) return true;
    }
    while (this.propose(s, rng) === 0) continue;
    return false;
  }

  /**
   * Deals `dealt`, one counter for each contact.
   *
   * @returns the acceptance probability by the missed dice; 0 for a dead end
   */
  private propose(s: StateView, rng: Rng): number {
    const { chance, total, order, free, dealt } = this;
    const n = s[L.contacts]!;
    let left = 0;
    for (let k = 0; k < SOVIETS; k++) if (!isKnown(s, sovietOf(k))) free[left++] = k;
    let keep = 1;
    for (let i = 0; i < n; i++) {
      const j = order[i]!;
      let pick = 0;
      if (i < this.telling) {
        let sum = 0;
        for (let f = 0; f < left; f++) sum += chance[j * SOVIETS + free[f]!]!;
        if (sum <= 0) return 0;
        keep *= sum / total[j]!;
        let x = rng.float() * sum;
        pick = -1;
        for (let f = 0; f < left && x >= 0; f++) {
          const c = chance[j * SOVIETS + free[f]!]!;
          if (c === 0) continue;
          pick = f;
          x -= c;
        }
      } else pick = rng.below(left);
      dealt[j] = sovietOf(free[pick]!);
      free[pick] = free[--left]!;
    }
    return Math.min(keep, 1);
  }

  /**
   * Likelihood of the draws for columns relative to the smallest possible reserve. Each draw took one of the real units
   * in the reserve.
   */
  private drawChance(s: StateView): number {
    const drawn = s[L.drawnForColumns]!;
    if (drawn === 0) return 1;
    const contacts = s[L.contacts]!;
    let real = 0;
    for (let k = GERMANS; k < UNITS; k++) if (!isKnown(s, k) && this.tables.dummy[k] === 0) real++;
    const least = Math.max(0, real - contacts);
    for (let j = 0; j < contacts; j++) if (this.tables.dummy[this.dealt[j]!] === 0) real--;
    let chance = 1;
    for (let i = 1; i <= drawn; i++) chance *= (least + i) / (real + i);
    return chance;
  }
}
