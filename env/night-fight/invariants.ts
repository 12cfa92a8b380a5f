import type { StateView } from "../core/layout.js";
import { COLUMNS, GERMANS, type Tables, UNITS, FIRST_UNIT, FIRST_COLUMN, NO_UNIT } from "./data.js";
import { decisions } from "./decisions/index.js";
import { stateFault } from "./faults.js";
import {
  activeOf,
  columnOf,
  DEAD,
  EXITED,
  GONE,
  isHidden,
  L,
  OFF,
  OVER,
  phaseOf,
  placeOf,
  POOL,
  WAITING,
  contactHex,
} from "./state.js";

/** Invariants between decisions. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  const words = wordViolation(tables, s);
  if (words !== null) return words;
  const fault = stateFault(tables, s);
  return fault === null ? null : `${fault.path}: ${fault.reason}`;
}

/** Invariants of the words of a state, which no document can break. @returns the first violation, or null */
function wordViolation(tables: Tables, s: StateView): string | null {
  return placeViolation(tables, s) ?? contactViolation(tables, s) ?? phaseViolation(s);
}

function placeViolation(tables: Tables, s: StateView): string | null {
  for (let u = FIRST_UNIT; u < UNITS; u++) {
    const place = placeOf(s, u);
    const known = place >= 0 || place === POOL || place === DEAD;
    if (!known && !(u < GERMANS && (place === WAITING || place === EXITED)))
      return `${tables.unitNames[u]!} is at ${place}`;
  }
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (columnOf(s, c) < 0 && columnOf(s, c) !== OFF && columnOf(s, c) !== GONE)
      return `column ${c + 1} is at ${columnOf(s, c)}`;
  return null;
}

/** The counters face down are recorded by their hexes, in rising order. */
function contactViolation(tables: Tables, s: StateView): string | null {
  let hidden = 0;
  for (let k = GERMANS; k < UNITS; k++) if (isHidden(s, k)) hidden++;
  const contacts = s[L.contacts]!;
  if (hidden !== contacts) return `${hidden} counters are face down, ${contacts} are recorded`;
  for (let j = 0; j < contacts; j++) {
    const h = contactHex(s, j);
    if (j > 0 && h < s[L.contactHexes + j - 1]!) return "contacts aren't in rising order";
    let there = 0;
    let recorded = 0;
    for (let k = GERMANS; k < UNITS; k++) if (isHidden(s, k) && placeOf(s, k) === h) there++;
    for (let i = 0; i < contacts; i++) if (s[L.contactHexes + i] === h) recorded++;
    if (there !== recorded) return `${there} counters are in ${tables.ids[h]}, ${recorded} are recorded`;
  }
  return null;
}

/** The decision goes with the active unit and the result. */
function phaseViolation(s: StateView): string | null {
  const phase = phaseOf(s);
  if (decisions.holds(phase) !== (activeOf(s) !== NO_UNIT)) return `phase ${phase} with active unit ${activeOf(s)}`;
  return s[L.result]! > 0 !== (phase === OVER) ? `result ${s[L.result]} in phase ${phase}` : null;
}
