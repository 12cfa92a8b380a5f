import type { State, StateView } from "../core/layout.js";
import { AREAS, CITY_FIRST, CITY_LAST, GUMRAK, VOLGA, Z, type AreaId, type SideId } from "./data.js";
import type { Tables } from "./data.js";
import { ATTRITION, AWAIT_REROLL, GERMAN, DECISION, DECISION_KINDS, L, SOVIET } from "./layout.js";

export * from "./layout.js";

export const unitsIn = (s: StateView, side: SideId, area: AreaId): number => s[L.units + side * AREAS + area]!;
/** The side whose player turn it is. */
export const activeOf = (s: StateView): SideId => s[L.active]! as SideId;
/** The side that decides. */
export const actorOf = (s: StateView): SideId => s[L.actor]! as SideId;
export const enemyOf = (side: SideId): SideId => (1 - side) as SideId;
/** The area of the decision, below 0 for none. */
export const areaOf = (s: StateView): AreaId => (s[L.area]! - 1) as AreaId;
/** The area of the Artillery marker, 0 for none. */
export const markerOf = (s: StateView): AreaId => s[L.artillery]! as AreaId;
export const cmdOf = (s: StateView, side: SideId): number => s[L.cmd + side]!;
export const reserveOf = (s: StateView, side: SideId): number => s[L.reserve + side]!;
export const hasRight = (s: StateView, side: SideId, right: number): boolean => (s[L.rights + side]! & right) !== 0;
export const hasFort = (s: StateView, area: AreaId): boolean => s[L.fort + area] === 1;
export const capturedBy = (s: StateView, area: AreaId): SideId => (s[L.captured + area]! - 1) as SideId;
export const isCaptured = (s: StateView, area: AreaId): boolean => s[L.captured + area] !== 0;
export const markerOn = (s: StateView, area: AreaId): boolean => area !== Z && s[L.artillery] === area;
/** Own Area 6 of a side. */
export const area6 = (side: SideId): AreaId => (side === SOVIET ? VOLGA : GUMRAK);
/** Area meant by the number on a unit die. */
export const areaOfDie = (side: SideId, n: number): AreaId => (n === 6 ? area6(side) : (n as AreaId));

export const spend = (s: State, side: SideId, cmd: number): void => {
  s[L.cmd + side]! -= cmd;
};
/** A marker from the reserve to the map; the caller has checked that there is one. */
export const addUnit = (s: State, side: SideId, area: AreaId): void => {
  s[L.units + side * AREAS + area]!++;
  s[L.reserve + side]!--;
};
/** A marker from the map to the reserve. Rule: ruling R52 */
export const removeUnits = (s: State, side: SideId, area: AreaId, n: number): void => {
  s[L.units + side * AREAS + area]! -= n;
  s[L.reserve + side]! += n;
};
export const moveUnit = (s: State, side: SideId, from: AreaId, to: AreaId): void => {
  s[L.units + side * AREAS + from]!--;
  s[L.units + side * AREAS + to]!++;
};

/** Places left for a side in an area, 0 if captured or not open to it. Rule: PS 3 Unit dice */
export function room(tables: Tables, s: StateView, side: SideId, area: AreaId): number {
  if (area >= VOLGA) return area === area6(side) ? s[L.max6 + side]! - unitsIn(s, side, area) : 0;
  return isCaptured(s, area) ? 0 : tables.cap[area]! - unitsIn(s, side, area);
}

/** No side holds or takes an area. */
export const NOBODY = -1 as SideId;

/** Who controls a city area: its captor, otherwise the side with more units, or -1. Ruling R6 */
export function controller(s: StateView, area: AreaId): SideId {
  if (isCaptured(s, area)) return capturedBy(s, area);
  const d = unitsIn(s, SOVIET, area) - unitsIn(s, GERMAN, area);
  return d > 0 ? SOVIET : d < 0 ? GERMAN : NOBODY;
}

/** Who would capture a city area if the test ran now, or -1. Rule: PS 6, PS Area 1, PS Area 4, rulings R7, R33, R48 */
export function captor(tables: Tables, s: StateView, area: AreaId): SideId {
  if (isCaptured(s, area)) return NOBODY;
  const soviet = unitsIn(s, SOVIET, area);
  const german = unitsIn(s, GERMAN, area);
  if (soviet === german) return NOBODY;
  const side = soviet > german ? SOVIET : GERMAN;
  if (Math.max(soviet, german) < tables.stars[area]!) return NOBODY;
  if (area === tables.grainElevator && Math.min(soviet, german) > 0) return NOBODY;
  if (side === GERMAN && hasFort(s, area) && soviet > 0) return NOBODY;
  return side;
}

/** Captured areas of a side. */
export function areasOf(s: StateView, side: SideId): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) if (s[L.captured + a] === side + 1) n++;
  return n;
}

/** Victory points of a side's captured areas. */
export function vpOf(tables: Tables, s: StateView, side: SideId): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) if (s[L.captured + a] === side + 1) n += tables.vp[a]!;
  return n;
}

/** Opens a decision and clears the fields of the last one. */
export function ask(s: State, kind: number, actor: SideId): void {
  s[L.kind] = kind;
  s[L.actor] = actor;
  for (let i = L.area; i < L.explicit; i++) s[i] = 0;
  s[L.awaiting] = 0;
}

/** Clears all dice. */
export function clearDice(s: State): void {
  for (let i = L.loose; i <= L.picked; i++) s[i] = 0;
}

/** Phases, as positions name them and as `globals` shows them. */
export const PHASES = ["roll", "resolve", "infiltration", "combat", "victory", "over"] as const;

const [ROLL, RESOLVE, INFILTRATION, COMBAT, VICTORY, OVER] = [0, 1, 2, 3, 4, 5];
const PHASE_OF_KIND = Uint8Array.from(DECISION_KINDS, (k) => {
  if (k === "dice" || k === "chance") return ROLL;
  if (k === "place" || k === "reroll" || k === "lose" || k === "fortify") return RESOLVE;
  if (k === "artillery" || k === "fight" || k === "pioneer") return COMBAT;
  return k === "guards" ? VICTORY : k === "over" ? OVER : INFILTRATION;
});

/** The phase follows from the decision. */
export function phaseOf(s: StateView): number {
  const kind = s[L.kind]!;
  if (kind === DECISION.raze && s[L.source] === ATTRITION) return COMBAT;
  if (kind === DECISION.chance && s[L.awaiting] === AWAIT_REROLL) return RESOLVE;
  return PHASE_OF_KIND[kind]!;
}

/** True when there is combat to come this turn in a city area, before the test for its capture. */
export function combatAhead(tables: Tables, s: StateView, area: AreaId): boolean {
  if (isCaptured(s, area) || unitsIn(s, SOVIET, area) === 0 || unitsIn(s, GERMAN, area) === 0) return false;
  if (phaseOf(s) !== COMBAT) return phaseOf(s) < COMBAT;
  if (s[L.kind] === DECISION.fight) return false; // Z comes last
  return areaOf(s) >= 0 && tables.combatOrder.indexOf(area) >= tables.combatOrder.indexOf(areaOf(s));
}
