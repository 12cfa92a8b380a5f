import type { StateView } from "../../../core/layout.js";
import { PINNED } from "../../layout.js";
import { firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { KINDS } from "../../schema.js";

export const BRIDGE = KINDS.indexOf("bridge");
/** Half MP to enter a hex over its bridge. Rule: SOS 17.12 */
export const BRIDGE_COST = 2;

/** The bridge counter in a hex, -1 none. Both sides use it. Rule: SOS 17.11 */
export function bridgeIn(tables: Tables, s: StateView, hex: number): number {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.kind[u] === BRIDGE) return u;
  return -1;
}

/** True when a side has more in a hex than a bridge, which is of both sides. Rule: SOS 17.11 */
export function isIn(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.kind[u] !== BRIDGE) return true;
  return false;
}

/** Notes where bridge counters are on the map, before ways are looked for. */
export function noteBridges(tables: Tables, s: StateView): void {
  tables.bridges = 0;
  for (const bridge of tables.roster.bridges) {
    const hex = placeOf(tables, s, bridge);
    if (hex < 0) continue;
    tables.works[hex] = 1;
    tables.bridges++;
  }
}

/** True when a hex has a bridge counter that can be crossed: no pin is in the hex. Rule: SOS 17.12 */
export function isBridged(tables: Tables, s: StateView, hex: number): boolean {
  let bridged = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (has(tables, s, u, PINNED)) return false;
    if (tables.roster.kind[u] === BRIDGE) bridged = true;
  }
  return bridged;
}
