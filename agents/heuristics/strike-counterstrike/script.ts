import type { State } from "../../../env/index.js";
import { Greedy } from "./greedy.js";

/** Turn 1 by the book: which army goes for which hexes beside Moscow and Tula, in this order. */
const OPENING: readonly (readonly [army: string, targets: readonly string[]])[] = [
  ["50", ["2413"]],
  ["49", ["2412"]],
  ["16", ["2507"]],
  ["10", ["2612", "2613"]],
  ["61", ["2513"]],
];
const BOOKED = 300;

/** Greedy, with the first turn by a script: its targets come first, in order, with the armies meant for them. */
export class Script extends Greedy {
  protected override writeWorth(s: State): void {
    super.writeWorth(s);
    const { tables, worth } = this;
    const { L } = tables;
    if (s[L.turn] !== 1) return;
    let rank = OPENING.length;
    for (const [army, targets] of OPENING) {
      const a = tables.armies.findIndex((x) => x.id === army);
      rank--;
      if (a < 0 || s[L.armyHex + a]! < 0 || s[L.armyStopped + a] === 1) continue;
      for (const target of targets) {
        const h = tables.grid.index(target);
        // 2513 waits until the finger it holds is gone
        if (h >= 0 && s[L.german + h] === 1 && s[L.cut + h]! <= 0) worth[h] = BOOKED + 50 * rank;
      }
    }
  }
}
