import type { StateView } from "../core/layout.js";
import type { Tables } from "./data.js";
import { stateFault } from "./faults.js";
import {
  AREAS,
  chitPlaceOf,
  CHITS,
  chitsIn,
  CONTROL,
  controlOf,
  DEAD,
  DECISION,
  decisionOf,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  HAND,
  L,
  PHASE,
  phaseOf,
  PILE,
  placeOf,
  sovietsIn,
  unitHas,
  UNITS,
  WAITING,
} from "./state.js";

/** Invariants between decisions of a game that was played from its start. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  const words = brokenCounts(tables, s) ?? brokenRanks(tables, s) ?? brokenPlaces(tables, s);
  if (words !== null) return words;
  const fault = stateFault(tables, s);
  return fault === null ? null : `${fault.path}: ${fault.reason}`;
}

function brokenCounts(tables: Tables, s: StateView): string | null {
  for (let a = FIRST_AREA; a < AREAS; a++) {
    const name = tables.data.areaIds[a]!;
    let germans = 0;
    let soviets = 0;
    let chits = 0;
    for (let u = FIRST_UNIT; u < GERMANS; u++) if (placeOf(s, u) === a) germans++;
    for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a) soviets++;
    for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === a) chits++;
    if (germans !== germansIn(s, a) || soviets !== sovietsIn(s, a) || chits !== chitsIn(s, a))
      return `area ${name}: counts ${germansIn(s, a)}, ${sovietsIn(s, a)}, ${chitsIn(s, a)} against ${germans}, ${soviets}, ${chits}`;
    const numbered = ((tables.data.numbered >> a) & 1) === 1;
    if (!numbered && (soviets + chits > 0 || controlOf(s, a) !== CONTROL.none))
      return `lettered area ${name} holds something Soviet or is controlled`;
    if (!numbered) continue;
    const alone =
      germans > 0 && soviets + chits === 0
        ? CONTROL.german
        : germans === 0 && soviets + chits > 0
          ? CONTROL.soviet
          : CONTROL.none;
    if (alone !== CONTROL.none && controlOf(s, a) !== alone)
      return `area ${name}: its only occupant does not control it`;
    if (germans + soviets + chits === 0 && controlOf(s, a) === CONTROL.contested)
      return `area ${name} is contested and empty`;
  }
  return null;
}

function brokenRanks(tables: Tables, s: StateView): string | null {
  for (let u = FIRST_UNIT; u < UNITS; u++) {
    const inStack = tables.solo && u >= GERMANS && placeOf(s, u) < AREAS;
    const rank = s[L.unitRank + u]!;
    if (!inStack && rank !== 0) return `${tables.data.unitIds[u]!} has place ${rank} in no stack`;
    if (!inStack) continue;
    if (rank >= sovietsIn(s, placeOf(s, u)))
      return `${tables.data.unitIds[u]!} has place ${rank} in a stack of ${sovietsIn(s, placeOf(s, u))}`;
    for (let v = GERMANS; v < u; v++)
      if (placeOf(s, v) === placeOf(s, u) && s[L.unitRank + v] === rank)
        return `${tables.data.unitIds[u]!} shares its place in the stack`;
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const place = chitPlaceOf(s, c);
    const inStack = place === HAND || (tables.solo && place < AREAS);
    if (!inStack && s[L.chitRank + c] !== 0) return `${tables.data.chitIds[c]!} has a place in no stack`;
    for (let d = FIRST_CHIT; d < c && inStack; d++)
      if (chitPlaceOf(s, d) === place && s[L.chitRank + d] === s[L.chitRank + c])
        return `${tables.data.chitIds[c]!} shares its place in the stack`;
  }
  return null;
}

function brokenPlaces(tables: Tables, s: StateView): string | null {
  for (let u = FIRST_UNIT; u < UNITS; u++) {
    const place = placeOf(s, u);
    const id = tables.data.unitIds[u]!;
    if (place > DEAD || place < 0 || (u < GERMANS && place === WAITING)) return `${id} is nowhere`;
    if (place >= AREAS && (s[L.unitFlags + u]! & ~FLAG.triedLanding) !== 0) return `${id} has marks off the map`;
    if (unitHas(s, u, FLAG.revealedThisTurn) && !unitHas(s, u, FLAG.faceUp)) return `${id} is revealed and face-down`;
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const place = chitPlaceOf(s, c);
    if (place > HAND || place < 0) return `${tables.data.chitIds[c]!} is nowhere`;
    if (place === PILE && s[L.chitFlags + c] !== 0) return `${tables.data.chitIds[c]!} has marks in the pile`;
    if (place === HAND && phaseOf(s) !== PHASE.chits) return `${tables.data.chitIds[c]!} is in the hand`;
  }
  if ((decisionOf(s) === DECISION.none) !== (phaseOf(s) === PHASE.over))
    return "there is a decision in a finished game, or none in an open one";
  return phaseOf(s) === PHASE.setup && s[L.publicLogLength] !== 0
    ? "the ledger began before the set-up was over"
    : null;
}
