import type { JsonObject } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import { GERMANS, type Tables, UNITS, FIRST_UNIT } from "./data.js";
import { type Doc, writeGerman, writePublic, writeSoviet } from "./notation/write.js";
import { DEAD, has, L, placeOf, POOL, SEEN, contactHex } from "./state.js";

/** What the player knows: counters face down are `?` and their hex, the reserve isn't listed. */
export function writeView(tables: Tables, s: StateView): JsonObject {
  const soviet: Doc = {};
  for (let k = GERMANS; k < UNITS; k++)
    if (placeOf(s, k) === DEAD || has(s, k, SEEN)) soviet[tables.unitNames[k]!] = writeSoviet(tables, s, k);
  for (let j = 0; j < s[L.contacts]!; j++) {
    const hex = tables.ids[contactHex(s, j)]!;
    const before = soviet[`?${hex}`] as { count?: number } | undefined;
    soviet[`?${hex}`] = before === undefined ? { hex } : { hex, count: (before.count ?? 1) + 1 };
  }
  const german: Doc = {};
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) !== POOL) german[tables.unitNames[u]!] = writeGerman(tables, s, u);
  return { ...writePublic(tables, s), german, soviet };
}
