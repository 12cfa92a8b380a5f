import type { StateView } from "../../../core/layout.js";
import type { Tables } from "../../state.js";
import { firstIn, nextIn } from "../../state.js";

/** What a sniper adds to the fire of the others in a hex: 2 Zaitsev, 1 any other, 0 none. Rule: SOS 16.12, SOS 16.13 */
export function sniperIn(tables: Tables, s: StateView, hex: number): number {
  let most = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    most = Math.max(most, tables.roster.sniper[u]!);
  return most;
}
