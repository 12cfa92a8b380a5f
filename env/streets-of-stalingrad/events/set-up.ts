import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { KNOWN } from "../layout.js";
import { SIDES } from "../roster.js";
import { has, placeOf, type Tables } from "../state.js";
import { eventOf, say } from "./say.js";
import { isOwn, reveals } from "./common.js";
import { SIDE_WORDS, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set.

/**
 * Units are set up. Nobody else sees where before their side is ready, because the order would reveal which counter is
 * which.
 */
export function placed(tables: Tables, units: readonly number[], play: Play): void {
  const side = tables.roster.side[units[0]!]!;
  const ids = units.map((u) => unitId(tables, u));
  const event = eventOf("placed", { by: SIDES[side]!, units: ids });
  const many = ids.length > 8 ? counted(ids.length, "unit") : listed(ids, "nobody");
  const does = ids.length === 1 ? "is" : "are";
  play.narrator!.tellEach((viewer) =>
    isOwn(viewer, side) ? { ...event, text: `${SIDE_WORDS[side]!} ${many} ${does} set up.` } : null,
  );
}

/** A side has set up: all see its counters now. */
export function stands(tables: Tables, s: StateView, side: number, play: Play): void {
  const { roster } = tables;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) if (placeOf(tables, s, u) >= 0) n++;
  const text = `The ${SIDE_WORDS[side]!} side has set up ${counted(n, "counter")}.`;
  say(play, "set-up", { by: SIDES[side]!, text, amount: n });
  for (let u = 0; u < tables.units; u++)
    if (placeOf(tables, s, u) >= 0 && has(tables, s, u, KNOWN) && roster.side[u] === side) reveals(tables, s, u, play);
}
