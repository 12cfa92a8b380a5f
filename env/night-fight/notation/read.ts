import { z } from "zod";
import type { Fault } from "../../core/decision.js";
import type { KesselError } from "../../core/errors.js";
import type { JsonObject } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions, optionsSchema } from "../../core/position-options.js";
import { badPosition, parseWith } from "../../core/schema.js";
import { decisions } from "../decisions/index.js";
import { boardFault, playFault } from "../faults.js";
import { COLUMN_PLACES, hexNamed, PLACES, RESERVE, unitNamed } from "../names.js";
import {
  COLUMNS,
  GERMANS,
  RESTORABLE,
  SOVIETS,
  type Tables,
  UNITS,
  FIRST_UNIT,
  type UnitId,
  type HexId,
} from "../data.js";
import { addContact, addMissedDie, missedDiceAt } from "../contacts.js";
import {
  addWrecks,
  BUY,
  clearBoard,
  countAt,
  EXITED,
  FIRED,
  isKnown,
  L,
  lightFlare,
  MOVED,
  OVER,
  PHASES,
  phaseOf,
  SEEN,
  SUPPRESSED,
} from "../state.js";

const flag = z.boolean().optional();
const schema = z.strictObject({
  game: z.literal("night-fight").optional(),
  version: z.literal(1).optional(),
  options: optionsSchema.optional(),
  turn: z.number().int().min(1),
  phase: z.enum(PHASES),
  budget: z.number().int().min(0).optional(),
  german: z
    .record(z.string(), z.strictObject({ hex: z.string().optional(), moved: flag, fired: flag, supp: flag }))
    .default({}),
  soviet: z.record(z.string(), z.strictObject({ hex: z.string().optional(), seen: flag, supp: flag })).default({}),
  reinstated: z.strictObject(Object.fromEntries(RESTORABLE.map((r) => [r, flag]))).optional(),
  columns: z.array(z.string()).length(COLUMNS).optional(),
  wrecks: z.record(z.string(), z.number().int().min(1).max(99)).optional(),
  flares: z.array(z.string()).optional(),
  active: z.strictObject(decisions.shape).nullable().optional(),
  ace: z.string().nullable().optional(),
  exited: z.number().int().optional(),
  result: z.number().int().min(2).nullable().optional(),
  drawn: z.number().int().min(0).max(SOVIETS).optional(),
  silent: z.record(z.string(), z.record(z.string(), z.array(z.number().int().min(0).max(5)).min(1).max(15))).optional(),
});
export type Doc = z.infer<typeof schema>;

const bad = (path: string, reason: string): KesselError => badPosition("night-fight", path, reason);

/**
 * Reads a position document into `s`. A key left out has the value of an empty board; a budget left out is complete
 * in the purchase phases, otherwise 0; an option left out is the reader's.
 *
 * @throws KesselError `bad-position` with path and reason
 */
export function readPosition(tables: Tables, json: JsonObject, s: State): void {
  const doc = parseWith(schema, json, "bad-position", "night-fight");
  checkOptions("night-fight", tables.options, doc.options);
  clearBoard(tables, s);
  s[L.phase] = PHASES.indexOf(doc.phase);
  readNumbers(tables, doc, s);
  readGermans(tables, doc, s);
  readSoviets(tables, doc, s);
  readBoard(tables, doc, s);
  refuse(boardFault(tables, s));
  readActive(tables, doc, s);
  readEnd(doc, s);
  readKnowledge(tables, doc, s);
  refuse(playFault(tables, s));
}

function refuse(wrong: Fault | null): void {
  if (wrong !== null) throw bad(wrong.path, wrong.reason);
}

function readNumbers(tables: Tables, doc: Doc, s: State): void {
  s[L.turn] = doc.turn;
  s[L.budget] = doc.budget ?? (s[L.phase] === BUY ? tables.budget : 0);
  RESTORABLE.forEach((r, i) => {
    if (doc.reinstated?.[r]) s[L.reinstated + i] = 1;
  });
}

function readGermans(tables: Tables, doc: Doc, s: State): void {
  for (const [name, unit] of Object.entries(doc.german)) {
    const path = `german.${name}`;
    const u = unitOf(tables, path, name, FIRST_UNIT, GERMANS);
    s[L.place + u] = placeFrom(tables, `${path}.hex`, unit.hex ?? "pool", PLACES);
    if (unit.moved) s[L.flags + u]! |= MOVED;
    if (unit.fired) s[L.flags + u]! |= FIRED;
    if (unit.supp) s[L.flags + u]! |= SUPPRESSED;
  }
}

function readSoviets(tables: Tables, doc: Doc, s: State): void {
  for (const [name, unit] of Object.entries(doc.soviet)) {
    const path = `soviet.${name}`;
    if (name.startsWith("?"))
      throw bad(path, "this is a player's view, which leaves out what is face down; a position names every counter");
    const k = unitOf(tables, path, name, GERMANS, UNITS);
    const place = placeFrom(tables, `${path}.hex`, unit.hex ?? "reserve", RESERVE);
    if (place >= 0 && !unit.seen) addContact(s, k, place);
    else s[L.place + k] = place;
    if (unit.seen) s[L.flags + k]! |= SEEN;
    if (unit.supp) s[L.flags + k]! |= SUPPRESSED;
  }
}

function readBoard(tables: Tables, doc: Doc, s: State): void {
  doc.columns?.forEach((text, c) => {
    s[L.columns + c] = placeFrom(tables, `columns[${c}]`, text, COLUMN_PLACES);
  });
  for (const [id, n] of Object.entries(doc.wrecks ?? {})) addWrecks(s, hexOf(tables, `wrecks.${id}`, id), n);
  doc.flares?.forEach((id, i) => lightFlare(s, hexOf(tables, `flares[${i}]`, id)));
  if (doc.ace) s[L.ace] = unitOf(tables, "ace", doc.ace, FIRST_UNIT, GERMANS);
  const exited = countAt(s, EXITED);
  if (doc.exited !== undefined && doc.exited !== exited)
    throw bad("exited", `${exited} units have the hex "exited", not ${doc.exited}`);
}

function readActive(tables: Tables, doc: Doc, s: State): void {
  const phase = phaseOf(s);
  const holds = decisions.holds(phase);
  const { active } = doc;
  if (active === undefined || active === null) {
    if (holds) throw bad("active", `phase ${doc.phase} needs the unit that acts`);
    return;
  }
  if (!holds) throw bad("active", `no unit acts in phase ${doc.phase}`);
  decisions.read(tables, active, s, phase, "active");
}

function readEnd(doc: Doc, s: State): void {
  const over = s[L.phase] === OVER;
  const result = doc.result ?? null;
  if (over !== (result !== null))
    throw bad(
      "result",
      over ? "phase over needs the total of the victory roll" : `there is no result yet in phase ${doc.phase}`,
    );
  if (result !== null) s[L.result] = result;
}

/** Knowledge of the player that the map does not show. */
function readKnowledge(tables: Tables, doc: Doc, s: State): void {
  s[L.drawnForColumns] = doc.drawn ?? 0;
  for (const [id, counters] of Object.entries(doc.silent ?? {})) {
    const h = hexOf(tables, `silent.${id}`, id);
    let found = false;
    for (let j = 0; j < s[L.contacts]!; j++) {
      if (s[L.contactHexes + j] !== h) continue;
      found = true;
      for (const [name, faces] of Object.entries(counters))
        readMissedDice(tables, s, j, `silent.${id}.${name}`, name, faces);
    }
    if (!found) throw bad(`silent.${id}`, `no counter is face down in ${id}`);
  }
}

function readMissedDice(
  tables: Tables,
  s: State,
  j: number,
  path: string,
  name: string,
  faces: readonly number[],
): void {
  const k = unitOf(tables, path, name, GERMANS, UNITS);
  if (isKnown(s, k)) throw bad(path, `${name} is known, so it can't be face down there`);
  if (tables.dummy[k] === 1) throw bad(path, "a dummy is always silent");
  if (faces.includes(0) && faces.length > 1) throw bad(path, "0 can't be combined with other faces");
  // Rule: NF reconstructed soviet fire: the Soviets fire once a turn
  if (faces.length > tables.rules.turns)
    throw bad(
      path,
      `${faces.length} dice; a counter rolls one a turn at most, and there are ${tables.rules.turns} turns`,
    );
  s[missedDiceAt(j, k)] = 0;
  for (const f of faces) addMissedDie(s, j, k, f);
}

function unitOf(tables: Tables, path: string, name: string, from: UnitId, to: number): UnitId {
  const u = unitNamed(tables, name, from, to);
  if (typeof u === "string") throw bad(path, u);
  return u;
}

function hexOf(tables: Tables, path: string, id: string): HexId {
  const h = hexNamed(tables, id);
  if (typeof h === "string") throw bad(path, h);
  return h;
}

function placeFrom(tables: Tables, path: string, text: string, words: Readonly<Record<string, HexId>>): HexId {
  if (Object.hasOwn(words, text)) return words[text]!;
  const h = tables.grid.index(text);
  if (h < 0)
    throw bad(path, `${JSON.stringify(text)} is neither a hex of the map nor ${Object.keys(words).join(", ")}`);
  return h;
}
