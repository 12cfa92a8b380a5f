import { counted, listed } from "../../core/words.js";
import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { CHIT, LANDING, type Tables } from "../data.js";
import { germanStackFits } from "../rules/counters.js";
import {
  type AreaId,
  AREAS,
  askedArea,
  askedCounter,
  chitsIn,
  combatAreaOf,
  CONTROL,
  controlOf,
  FIRST_AREA,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  isUnit,
  L,
  NO_AREA,
  NO_UNIT,
  placeOf,
  sovietCounterIn,
  sovietsIn,
  turnOf,
  unitHas,
  type UnitId,
} from "../state.js";
import { LAST_TURN } from "../rules/victory.js";
import { germanTotal, sovietTotal } from "../rules/odds.js";
import { combatAhead } from "./reach.js";
import { germanLosesNow } from "./standing.js";
import { areaId, chitsAt, faces, placeName, unitId, unitIds, unitText } from "../events/words.js";

/** The unit of the decision at hand, if it is about one. */
export function unitsAsked(tables: Tables, s: StateView): string[] {
  const counter = askedCounter(s);
  return counter >= 0 && isUnit(counter) ? unitIds(tables, [counter]) : [];
}

/** The area of the decision at hand: as a sentence names it, and as actions do. */
export const areaHere = (tables: Tables, s: StateView): string => placeName(tables, askedArea(s));
export const aboutArea = (tables: Tables, s: StateView) => ({ places: [areaId(tables, askedArea(s))] });
export const aboutUnit = (tables: Tables, s: StateView) => ({ units: unitsAsked(tables, s) });

/** Where the combat is, what the sides have there, what they threw. */
export const combatHere = (tables: Tables, s: StateView): string => placeName(tables, combatAreaOf(s));
export const aboutCombat = (tables: Tables, s: StateView) => ({ places: [areaId(tables, combatAreaOf(s))] });
export const combatValues = (tables: Tables, s: StateView): string =>
  `combat value ${germanTotal(tables, s, combatAreaOf(s))} against ${sovietTotal(tables, s, combatAreaOf(s))}`;
export function combatDice(s: StateView): string {
  const german = faces(s, L.germanDice, s[L.germanDiceCount]!).join(" ");
  const soviet = faces(s, L.sovietDice, s[L.sovietDiceCount]!).join(" ");
  return `German dice ${german}, Soviet dice ${soviet}`;
}

/** A choice that is a unit. */
export function unitMeaning(tables: Tables, s: StateView, u: UnitId, text: string): Exclude<Meaning, string> {
  const a = placeOf(s, u);
  return { text, units: [unitId(tables, u)], places: a < AREAS ? [areaId(tables, a)] : [] };
}

/** `I/194 (combat value 4, 2 MP) in 5 Rail Station`: a unit on the map. */
export const unitThere = (tables: Tables, s: StateView, u: UnitId): string =>
  `${unitText(tables, s, u)} in ${placeName(tables, placeOf(s, u))}`;

/** A choice that is an area, for the unit of the decision if it is about one. */
export const areaMeaning = (tables: Tables, s: StateView, a: AreaId, text: string): Exclude<Meaning, string> => ({
  text,
  places: [areaId(tables, a)],
  units: unitsAsked(tables, s),
});

/** German units that could still move. @param area one, or `NO_AREA` for all */
export function unmoved(s: StateView, area: AreaId): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const a = placeOf(s, u);
    if (a < AREAS && (area < 0 || a === area) && !unitHas(s, u, FLAG.moved)) n++;
  }
  return n;
}

function endOfMovement(s: StateView): string | null {
  const n = unmoved(s, NO_AREA);
  return n === 0 ? null : `${counted(n, "German unit")} ${n === 1 ? "has" : "have"} not moved.`;
}

/** Units over the limit of SS 1.21 at the end of movement. */
function crowdedAtEnd(tables: Tables, s: StateView): string | null {
  const names: string[] = [];
  for (let a = FIRST_AREA; a < AREAS; a++)
    if (!germanStackFits(tables, s, a, NO_UNIT)) names.push(placeName(tables, a));
  return names.length === 0 ? null : `Over the stacking limit in ${listed(names, "none")}: the excess is eliminated.`;
}

/** The same for a unit about to enter an area. @param when it is too late for others to leave */
export function crowded(tables: Tables, s: StateView, a: AreaId, unit: UnitId, when: string): string | null {
  return germanStackFits(tables, s, a, unit)
    ? null
    : `That is over the stacking limit: the excess ${when} is eliminated.`;
}

/** Warnings one after the other; null for none. */
function joined(...warnings: readonly (string | null)[]): string | null {
  const found = warnings.filter((w) => w !== null);
  return found.length === 0 ? null : found.join(" ");
}

const LOSES = "The game ends, and the German side loses.";

/** True when a breakthrough is the last chance of a German who would lose now. */
const lastChance = (tables: Tables, s: StateView): string | null =>
  turnOf(s) === LAST_TURN && s[L.pendingCombats] === 0 && germanLosesNow(tables, s) ? LOSES : null;

/** On the last turn without a combat to come, the end of movement is the end of the game. */
function losing(tables: Tables, s: StateView): string | null {
  for (let a = FIRST_AREA; a < AREAS; a++) if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) return null;
  return turnOf(s) === LAST_TURN && germanLosesNow(tables, s) ? LOSES : null;
}

/** What the end of movement costs the German side. */
export const movementWarning = (tables: Tables, s: StateView): string | null =>
  joined(endOfMovement(s), crowdedAtEnd(tables, s), losing(tables, s));

/** A breakthrough that is not made. */
export const breakthroughWarning = (tables: Tables, s: StateView): string | null =>
  joined("The breakthrough is lost for good.", lastChance(tables, s));

export const hasStrongpoint = (tables: Tables, s: StateView, a: AreaId): boolean =>
  chitsAt(s, a).some((c) => tables.data.chitKind[c] === CHIT.strongpoint);

/** What the Soviet side has in an area. */
export function ownThere(s: StateView, a: AreaId): string {
  const parts = [
    ...(sovietsIn(s, a) > 0 ? [counted(sovietsIn(s, a), "unit")] : []),
    ...(chitsIn(s, a) > 0 ? [counted(chitsIn(s, a), "chit")] : []),
  ];
  return parts.length === 0 ? "nothing of yours there" : `${parts.join(" and ")} of yours there`;
}

export const germansHere = (s: StateView, a: AreaId): string =>
  germansIn(s, a) > 0 ? `, ${counted(germansIn(s, a), "German unit")}` : "";

/** What a German unit meets in an area. */
export function step(s: StateView, a: AreaId): string {
  const germans = germansIn(s, a) > 0 ? `${counted(germansIn(s, a), "German unit")} there` : "no German there";
  if (sovietCounterIn(s, a))
    return `${germans}, ${counted(sovietsIn(s, a) + chitsIn(s, a), "Soviet counter")}: it must stop`;
  const takes = controlOf(s, a) !== CONTROL.german && controlOf(s, a) !== CONTROL.none;
  return `${germans}, no Soviet counter${takes ? ": it takes control" : ""}`;
}

/** MP that the unit of a step has spent when it is done. */
export const spent = (tables: Tables, s: StateView, unit: UnitId): number =>
  tables.data.mp[unit]! - s[L.decisionMp]! + 1;

/** A step with what it costs and leads to. */
export function stepOf(tables: Tables, s: StateView, unit: UnitId, a: AreaId): string {
  const ahead = sovietCounterIn(s, a) ? `; ${combatAhead(tables, s, unit, a)}` : "";
  return `MP ${spent(tables, s, unit)} of ${tables.data.mp[unit]!}: ${step(s, a)}${ahead}`;
}

export function underFire(tables: Tables): string {
  const on = (result: number): string =>
    [1, 2, 3, 4, 5, 6].filter((d) => tables.data.underFire[d] === result).join(" or ");
  return `It lands on ${on(LANDING.land)}, is turned away on ${on(LANDING.away)} and lost on ${on(LANDING.eliminated)}.`;
}
