import type { State } from "../../../env/index.js";
import { FIRST_HEX } from "../../../env/strike-counterstrike/data.js";
import { Commander } from "./commander.js";

/**
 * What a hex beside Moscow or Tula is worth on turn 1, a K-Line hex before its check, a neighbour of a fortified
 * locality later.
 */
const GUARDED = 100;
const K_HEX = 10;
const RING = 6;
const WESTERN = 12;

/**
 * Takes the hexes that the next check counts, wherever chance and price are best; later hexes around fortified
 * localities with few German neighbours left, and western ones.
 */
export class Greedy extends Commander {
  protected override writeWorth(s: State): void {
    const { tables, worth } = this;
    const { L } = tables;
    const turn = s[L.turn]!;
    for (let h = FIRST_HEX; h < tables.hexCount; h++) {
      if (s[L.german + h] === 0) continue;
      if (turn === 1) worth[h] = tables.guarded[h] === 1 ? GUARDED : tables.kLine[h]!;
      else if (turn <= 3) worth[h] = 1 + K_HEX * tables.kLine[h]!;
      else worth[h] = 0.5 + WESTERN * tables.western[h]! + RING * this.encirclementGain(s, h);
    }
  }
}
