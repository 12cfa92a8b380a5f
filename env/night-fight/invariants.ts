import type { StateView } from "../core/layout.js";
import { COLUMNS, GERMANS, type Tables, UNITS, FIRST_UNIT, FIRST_COLUMN, NO_UNIT } from "./data.js";
import { decisions } from "./decisions/index.js";
import {
  activeOf,
  columnOf,
  DEAD,
  EXITED,
  germansIn,
  GONE,
  has,
  isHidden,
  L,
  OFF,
  OVER,
  phaseOf,
  placeOf,
  POOL,
  SEEN,
  WAITING,
  contactHex,
} from "./state.js";

/** Invariants between decisions. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  return germanViolation(tables, s) ?? sovietViolation(tables, s) ?? decisionViolation(tables, s);
}

function germanViolation(tables: Tables, s: StateView): string | null {
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const place = placeOf(s, u);
    const name = tables.unitNames[u]!;
    if (place < 0) {
      if (place !== POOL && place !== WAITING && place !== EXITED && place !== DEAD) return `${name} is at ${place}`;
      if (place !== WAITING && s[L.flags + u] !== 0) return `${name} is off the map and marked`;
      continue;
    }
    if (tables.ablaze[place] === 1) return `${name} stands in fire`;
    if (germansIn(s, place) > tables.rules.stacking)
      return `${germansIn(s, place)} units stand in ${tables.ids[place]}`;
    for (let k = GERMANS; k < UNITS; k++)
      if (placeOf(s, k) === place) return `${name} and ${tables.unitNames[k]} stand in ${tables.ids[place]}`;
    for (let c = FIRST_COLUMN; c < COLUMNS; c++)
      if (columnOf(s, c) === place) return `${name} and a column stand in ${tables.ids[place]}`;
  }
  return null;
}

function sovietViolation(tables: Tables, s: StateView): string | null {
  let hidden = 0;
  for (let k = GERMANS; k < UNITS; k++) {
    const place = placeOf(s, k);
    const name = tables.unitNames[k]!;
    if (place < 0 && ((place !== POOL && place !== DEAD) || s[L.flags + k] !== 0))
      return `${name} is at ${place}, marks ${s[L.flags + k]}`;
    if (has(s, k, SEEN) && tables.dummy[k] === 1) return `${name} is spotted and still there`;
    if (isHidden(s, k)) hidden++;
  }
  const contacts = s[L.contacts]!;
  if (hidden !== contacts) return `${hidden} counters lie face down, ${contacts} are recorded`;
  for (let j = 0; j < contacts; j++) {
    const h = contactHex(s, j);
    if (j > 0 && h < s[L.contactHexes + j - 1]!) return "contacts aren't in rising order";
    let there = 0;
    let recorded = 0;
    for (let k = GERMANS; k < UNITS; k++) if (isHidden(s, k) && placeOf(s, k) === h) there++;
    for (let i = 0; i < contacts; i++) if (s[L.contactHexes + i] === h) recorded++;
    if (there !== recorded) return `${there} counters lie in ${tables.ids[h]}, ${recorded} are recorded`;
  }
  return null;
}

function decisionViolation(tables: Tables, s: StateView): string | null {
  const phase = phaseOf(s);
  if (decisions.holds(phase) !== (activeOf(s) !== NO_UNIT)) return `phase ${phase} with active unit ${activeOf(s)}`;
  if (s[L.result]! > 0 !== (phase === OVER)) return `result ${s[L.result]} in phase ${phase}`;
  if (s[L.turn]! < 1 || s[L.turn]! > tables.rules.turns) return `turn ${s[L.turn]}`;
  if (s[L.budget]! < 0) return `${s[L.budget]} points left`;
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (columnOf(s, c) < 0 && columnOf(s, c) !== OFF && columnOf(s, c) !== GONE)
      return `column ${c + 1} is at ${columnOf(s, c)}`;
  return null;
}
