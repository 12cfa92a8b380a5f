import type { State } from "../../../env/index.js";
import { FIRST_HEX } from "../../../env/strike-counterstrike/data.js";
import { Commander } from "./commander.js";

const GUARDED = 100;

/**
 * Attacks everywhere to empty the German pool: each battle draws counters, each conquest more markers. Passes the first
 * check like the others, then takes hexes with the most bare Germans behind them and the largest pockets.
 */
export class Drainer extends Commander {
  protected override writeWorth(s: State): void {
    const { tables, worth } = this;
    const { L } = tables;
    const { neighbours } = tables.grid;
    const first = s[L.turn] === 1;
    for (let h = FIRST_HEX; h < tables.hexCount; h++) {
      if (s[L.german + h] === 0 || tables.fort[h] === 1) continue;
      let fresh = 0;
      for (let d = h * 6; d < h * 6 + 6; d++) {
        const k = neighbours[d]!;
        if (k >= 0 && s[L.german + k] === 1 && s[L.front + k] === 0) fresh++;
      }
      // a standing garrison draws nobody
      const drawn = this.unitsIn(s, h) > 0 ? 0 : 2.5;
      worth[h] =
        1 + drawn + fresh + 2.5 * Math.max(0, s[L.cut + h]!) + (first && tables.guarded[h] === 1 ? GUARDED : 0);
    }
  }
}
