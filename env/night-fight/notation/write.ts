import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import {
  COLUMNS,
  GERMANS,
  HEXES,
  RESTORABLE,
  type Tables,
  UNITS,
  type UnitId,
  FIRST_UNIT,
  FIRST_HEX,
  NO_UNIT,
  type ColumnId,
} from "../data.js";
import { decisions } from "../decisions/index.js";
import { COLUMN_PLACES, PLACES, placeText } from "../names.js";
import { IMPOSSIBLE, missedDiceAt } from "../contacts.js";
import {
  columnOf,
  countAt,
  DEAD,
  EXITED,
  FIRED,
  has,
  isHidden,
  isLit,
  L,
  MOVED,
  OVER,
  PHASES,
  phaseOf,
  placeOf,
  POOL,
  SUPPRESSED,
  turnOf,
  WAITING,
  wrecksIn,
  aceOf,
  contactHex,
} from "../state.js";

export type Doc = Record<string, Json>;

/** The whole position: every counter by its name, hidden ones too. */
export function writePosition(tables: Tables, s: StateView): JsonObject {
  const soviet: Doc = {};
  for (let k = GERMANS; k < UNITS; k++) soviet[tables.unitNames[k]!] = writeSoviet(tables, s, k);
  const german: Doc = {};
  for (let u = FIRST_UNIT; u < GERMANS; u++) german[tables.unitNames[u]!] = writeGerman(tables, s, u);
  return { ...writePublic(tables, s), german, soviet };
}

/** The part that the position and the view share. */
export function writePublic(tables: Tables, s: StateView): Doc {
  const phase = phaseOf(s);
  const wrecks: Doc = {};
  const flares: string[] = [];
  for (let h = FIRST_HEX; h < HEXES; h++) {
    if (wrecksIn(s, h) > 0) wrecks[tables.ids[h]!] = wrecksIn(s, h);
    if (isLit(s, h)) flares.push(tables.ids[h]!);
  }
  const doc: Doc = {
    game: "night-fight",
    version: 1,
    options: tables.options,
    turn: turnOf(s),
    phase: PHASES[phase]!,
    budget: s[L.budget]!,
    reinstated: Object.fromEntries(RESTORABLE.map((r, i) => [r, s[L.reinstated + i] === 1])),
    columns: Array.from({ length: COLUMNS }, (_, c) => placeText(tables, columnOf(s, c as ColumnId), COLUMN_PLACES)),
    wrecks,
    flares,
    exited: countAt(s, EXITED),
  };
  if (decisions.holds(phase)) doc["active"] = decisions.write(tables, s, phase);
  if (aceOf(s) !== NO_UNIT) doc["ace"] = tables.unitNames[aceOf(s)]!;
  if (phase === OVER) doc["result"] = s[L.result]!;
  if (s[L.drawnForColumns]! > 0) doc["drawn"] = s[L.drawnForColumns]!;
  const silent = writeMissedDice(tables, s);
  if (Object.keys(silent).length > 0) doc["silent"] = silent;
  return doc;
}

export function writeGerman(tables: Tables, s: StateView, u: UnitId): Doc {
  const hex = placeText(tables, placeOf(s, u), PLACES);
  if (placeOf(s, u) < 0 && placeOf(s, u) !== WAITING) return { hex };
  return { hex, moved: has(s, u, MOVED), fired: has(s, u, FIRED), supp: has(s, u, SUPPRESSED) };
}

export function writeSoviet(tables: Tables, s: StateView, k: UnitId): Doc {
  if (placeOf(s, k) === POOL) return { hex: "reserve" };
  if (placeOf(s, k) === DEAD) return { hex: "dead" };
  return { hex: tables.ids[placeOf(s, k)]!, seen: !isHidden(s, k), supp: has(s, k, SUPPRESSED) };
}

/** By hex and counter the faces of each die it would have missed there; `[0]` when it can't be there. */
function writeMissedDice(tables: Tables, s: StateView): Doc {
  const silent: Doc = {};
  for (let j = 0; j < s[L.contacts]!; j++) {
    const counters: Doc = {};
    for (let k = GERMANS; k < UNITS; k++) {
      const word = s[missedDiceAt(j, k)]!;
      if (word !== 0) counters[tables.unitNames[k]!] = missedDiceList(word);
    }
    if (Object.keys(counters).length > 0) silent[tables.ids[contactHex(s, j)]!] = counters;
  }
  return silent;
}

function missedDiceList(word: number): number[] {
  if (word === IMPOSSIBLE) return [0];
  const list: number[] = [];
  for (let f = 1; f <= 5; f++) for (let n = (word >> (4 * (f - 1))) & 15; n > 0; n--) list.push(f);
  return list;
}
