import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { FIRST_TYPE, FIRST_UNIT, GERMAN_TYPES, GERMANS, type Tables, type UnitId } from "../data.js";
import { titleOf } from "../events/words.js";
import { mayBuy } from "../rules/purchase.js";
import { activeOf, countAt, L, placeOf, turnOf, WAITING } from "../state.js";

export const inTurn = (t: Tables, s: StateView): string => `Turn ${turnOf(s)} of ${t.rules.turns}`;

const placesOf = (t: Tables, s: StateView, u: UnitId): string[] => (placeOf(s, u) < 0 ? [] : [t.ids[placeOf(s, u)]!]);

/** The unit that moves or fires, and where it is. */
export const activeUnit = (t: Tables, s: StateView): { units: string[]; places: string[] } => ({
  units: [t.unitNames[activeOf(s)]!],
  places: placesOf(t, s, activeOf(s)),
});

/** A unit to choose, and where it is. */
export function unitNow(
  t: Tables,
  s: StateView,
  u: UnitId,
  text: (name: string, where: string) => string,
): Exclude<Meaning, string> {
  const places = placesOf(t, s, u);
  const where = places.length === 0 ? "off the map" : `in ${places[0]!}`;
  return { text: text(titleOf(t, u), where), units: [t.unitNames[u]!], places };
}

/** Warns of units that could still act. */
export function unused(may: (u: UnitId) => boolean, done: string): string | null {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (may(u)) n++;
  return n === 0 ? null : `${counted(n, "unit")} ${n === 1 ? "has" : "have"} not ${done}.`;
}

/** Warns of points that could still buy something. */
export function wastedPoints(t: Tables, s: StateView): string | null {
  let more = false;
  for (let type = FIRST_TYPE; type < GERMAN_TYPES.length; type++) if (mayBuy(t, s, type)) more = true;
  if (!more) return null;
  const nobody = countAt(s, WAITING) === 0 ? "No unit was bought: the game is lost. " : "";
  return `${nobody}${counted(s[L.budget]!, "point")} would be wasted.`;
}
