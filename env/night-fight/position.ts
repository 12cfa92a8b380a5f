import { z } from "zod";
import type { KesselError } from "../core/errors.js";
import type { JsonObject } from "../core/game.js";
import type { State } from "../core/layout.js";
import { badPosition, parseWith } from "../core/schema.js";
import { mayFire } from "./actions.js";
import { COLUMNS, GERMANS, RESTORABLE, sees, SOVIETS, type Tables, UNITS } from "./data.js";
import { COLUMN_PLACES, PLACES } from "./notation.js";
import { targetIn } from "./rules/combat.js";
import { mayMove } from "./rules/movement.js";
import { addContact, addSilence, silenceAt, silenceChance } from "./silence.js";
import {
  addWrecks, BUY, clearBoard, columnIn, countAt, DEAD, EXITED, FIRE, FIRED, FOLLOW, germansIn, germansLeft, has, isHidden,
  isKnown, L, lightFlare, MOVE, MOVED, onMap, OVER, PHASES, placeOf, POOL, REINSTATE, SEEN, STEP, SUPPRESSED, TARGET,
  WAITING,
} from "./state.js"; // prettier-ignore

const flag = z.boolean().optional();
const schema = z.strictObject({
  game: z.literal("night-fight").optional(),
  version: z.literal(1).optional(),
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
  active: z
    .strictObject({ unit: z.string(), mp: z.number().int().min(0).optional(), target: z.string().optional() })
    .nullable()
    .optional(),
  ace: z.string().nullable().optional(),
  exited: z.number().int().optional(),
  result: z.number().int().min(2).nullable().optional(),
  drawn: z.number().int().min(0).max(SOVIETS).optional(),
  silent: z.record(z.string(), z.record(z.string(), z.array(z.number().int().min(0).max(5)).min(1).max(15))).optional(),
});
type Doc = z.infer<typeof schema>;

const bad = (path: string, reason: string): KesselError => badPosition("night-fight", path, reason);

/**
 * Reads a position document into `s`. What it leaves out has the value of an empty board; the budget is then untouched
 * while units are bought, else spent.
 *
 * @throws KesselError `bad-position` with path and reason
 */
export function readPosition(t: Tables, json: JsonObject, s: State): void {
  const doc = parseWith(schema, json, "bad-position", "night-fight");
  clearBoard(t, s);
  s[L.phase] = PHASES.indexOf(doc.phase);
  readNumbers(t, doc, s);
  readGermans(t, doc, s);
  readSoviets(t, doc, s);
  readBoard(t, doc, s);
  checkHexes(t, s);
  readActive(t, doc, s);
  readEnd(doc, s);
  readHistory(t, doc, s);
}

function readNumbers(t: Tables, doc: Doc, s: State): void {
  if (doc.turn > t.rules.turns) throw bad("turn", `turns are 1 to ${t.rules.turns}, not ${doc.turn}`);
  if (doc.turn > 1 && s[L.phase]! <= REINSTATE)
    throw bad("turn", `units are bought before turn 1, not in turn ${doc.turn}`);
  const budget = doc.budget ?? (s[L.phase] === BUY ? t.budget : 0);
  if (budget > t.budget) throw bad("budget", `there are ${t.budget} points in all, not ${budget}`);
  s[L.turn] = doc.turn;
  s[L.budget] = budget;
  RESTORABLE.forEach((r, i) => {
    if (doc.reinstated?.[r]) s[L.reinstated + i] = 1;
  });
}

function readGermans(t: Tables, doc: Doc, s: State): void {
  const phase = s[L.phase]!;
  for (const [slot, unit] of Object.entries(doc.german)) {
    const path = `german.${slot}`;
    const u = slotOf(t, path, slot, 0, GERMANS);
    const place = placeFrom(t, `${path}.hex`, unit.hex ?? "pool", PLACES);
    s[L.place + u] = place;
    if (phase <= REINSTATE && place >= 0) throw bad(`${path}.hex`, `no unit is on the map in phase ${doc.phase}`);
    if (phase === BUY && place !== POOL && place !== WAITING)
      throw bad(`${path}.hex`, `in phase buy a unit is in the pool or waiting, not ${unit.hex}`);
    if (place >= 0 && t.ablaze[place] === 1)
      throw bad(`${path}.hex`, `hex ${unit.hex} is ablaze, nothing survives there`);
    for (const [name, bit] of [
      ["moved", MOVED],
      ["fired", FIRED],
      ["supp", SUPPRESSED],
    ] as const) {
      if (!unit[name]) continue;
      if (
        phase <= REINSTATE ||
        (phase === OVER && bit !== SUPPRESSED) ||
        (place < 0 && !(bit === MOVED && place === WAITING))
      )
        throw bad(
          `${path}.${name}`,
          `a unit that is ${place >= 0 ? "on the map" : (unit.hex ?? "pool")} in phase ${doc.phase} can't be so marked`,
        );
      if (bit === FIRED && phase < FIRE) throw bad(`${path}.fired`, `nobody has fired yet in phase ${doc.phase}`);
      s[L.flags + u]! |= bit;
    }
    if (has(s, u, SUPPRESSED) && has(s, u, MOVED | FIRED))
      throw bad(`${path}.supp`, "a suppressed unit neither moves nor fires");
  }
}

function readSoviets(t: Tables, doc: Doc, s: State): void {
  for (const [slot, unit] of Object.entries(doc.soviet)) {
    const path = `soviet.${slot}`;
    if (slot.startsWith("?"))
      throw bad(path, "this is a player's view, which leaves out what lies face down; a position names every counter");
    const k = slotOf(t, path, slot, GERMANS, UNITS);
    const place = placeFrom(t, `${path}.hex`, unit.hex ?? "reserve", { reserve: POOL, dead: DEAD });
    if (place >= 0 && t.ablaze[place] === 1)
      throw bad(`${path}.hex`, `hex ${unit.hex} is ablaze, nothing survives there`);
    if (place < 0 && (unit.seen || unit.supp))
      throw bad(path, `a counter that is ${unit.hex ?? "reserve"} is neither seen nor suppressed`);
    if (unit.seen && t.dummy[k] === 1) throw bad(`${path}.seen`, "a dummy that is turned up is dead");
    if (unit.supp && !unit.seen) throw bad(`${path}.supp`, "only a unit that is seen can be suppressed");
    if (place >= 0 && !unit.seen) addContact(s, k, place);
    else s[L.place + k] = place;
    if (unit.seen) s[L.flags + k]! |= SEEN;
    if (unit.supp) s[L.flags + k]! |= SUPPRESSED;
  }
}

function readBoard(t: Tables, doc: Doc, s: State): void {
  doc.columns?.forEach((text, c) => {
    const place = placeFrom(t, `columns[${c}]`, text, COLUMN_PLACES);
    if (place >= 0 && t.ablaze[place] === 1)
      throw bad(`columns[${c}]`, `hex ${text} is ablaze, nothing survives there`);
    s[L.columns + c] = place;
  });
  for (const [id, n] of Object.entries(doc.wrecks ?? {})) addWrecks(s, hexOf(t, `wrecks.${id}`, id), n);
  doc.flares?.forEach((id, i) => lightFlare(s, hexOf(t, `flares[${i}]`, id)));
  if (doc.ace) s[L.ace] = slotOf(t, "ace", doc.ace, 0, GERMANS);
  const exited = countAt(s, EXITED);
  if (doc.exited !== undefined && doc.exited !== exited)
    throw bad("exited", `${exited} units have the hex "exited", not ${doc.exited}`);
}

/** Stacking, and nobody in a hex of the other side. Rule: NF 11.1 (4.0), NF reconstructed 8 */
function checkHexes(t: Tables, s: State): void {
  for (let u = 0; u < GERMANS; u++) {
    if (!onMap(s, u)) continue;
    const h = placeOf(s, u);
    const path = `german.${t.slots[u]!}.hex`;
    if (germansIn(s, h) > t.rules.stacking)
      throw bad(path, `${germansIn(s, h)} units stand in ${t.ids[h]!}, a hex holds ${t.rules.stacking}`);
    if (columnIn(s, h)) throw bad(path, `a column stands in ${t.ids[h]!}`);
    for (let k = GERMANS; k < UNITS; k++)
      if (placeOf(s, k) === h) throw bad(path, `a Soviet counter lies in ${t.ids[h]!}`);
  }
}

function readActive(t: Tables, doc: Doc, s: State): void {
  const phase = s[L.phase]!;
  const { active } = doc;
  const wanted = phase === STEP || phase === TARGET || phase === FOLLOW;
  if (active === undefined || active === null) {
    if (wanted) throw bad("active", `phase ${doc.phase} needs the unit that acts`);
    return;
  }
  if (!wanted) throw bad("active", `no unit acts in phase ${doc.phase}`);
  const u = slotOf(t, "active.unit", active.unit, 0, GERMANS);
  s[L.active] = u;
  if (phase === STEP) {
    if (!mayMove(s, u)) throw bad("active.unit", `${active.unit} can't be moving`);
    const mp = active.mp ?? t.mp[u]!;
    if (mp > t.mp[u]!) throw bad("active.mp", `${active.unit} has ${t.mp[u]!} movement points, not ${mp}`);
    s[L.mp] = mp;
  } else if (active.mp !== undefined) throw bad("active.mp", `nobody moves in phase ${doc.phase}`);
  if (phase === TARGET && !mayFire(t, s, u)) throw bad("active.unit", `${active.unit} can't be choosing a target`);
  if (phase !== FOLLOW) {
    if (active.target !== undefined) throw bad("active.target", `no target is known in phase ${doc.phase}`);
    return;
  }
  if (active.target === undefined) throw bad("active.target", "phase follow needs the hex of the target");
  const h = hexOf(t, "active.target", active.target);
  if (!onMap(s, u) || has(s, u, FIRED | SUPPRESSED)) throw bad("active.unit", `${active.unit} can't fire`);
  if (!sees(t, placeOf(s, u), h) || targetIn(t, s, u, h) < 0)
    throw bad("active.target", `${active.unit} has nothing to fire at in ${active.target}`);
  s[L.target] = h;
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
  const gone = countAt(s, EXITED) + countAt(s, DEAD);
  if (s[L.phase]! >= MOVE && !over && gone > 0 && germansLeft(s) === 0)
    throw bad("phase", "no German unit is waiting or on the map, so the game is over");
}

/** What the player has learnt and the map doesn't show. */
function readHistory(t: Tables, doc: Doc, s: State): void {
  let known = 0;
  for (let k = GERMANS; k < UNITS; k++) if (isKnown(s, k) && t.dummy[k] === 0) known++;
  if ((doc.drawn ?? 0) > known)
    throw bad("drawn", `${doc.drawn} counters can't have been drawn for columns, ${known} are known`);
  s[L.drawn] = doc.drawn ?? 0;
  for (const [id, counters] of Object.entries(doc.silent ?? {})) {
    const h = hexOf(t, `silent.${id}`, id);
    let found = false;
    for (let j = 0; j < s[L.contacts]!; j++) {
      if (s[L.spots + j] !== h) continue;
      found = true;
      for (const [slot, faces] of Object.entries(counters)) readSilence(t, s, j, `silent.${id}.${slot}`, slot, faces);
    }
    if (!found) throw bad(`silent.${id}`, `no counter lies face down in ${id}`);
  }
  for (let k = GERMANS; k < UNITS; k++) {
    if (!isHidden(s, k)) continue;
    for (let j = 0; j < s[L.contacts]!; j++)
      if (s[L.spots + j] === placeOf(s, k) && silenceChance(s, j, k) === 0)
        throw bad(`silent.${t.ids[placeOf(s, k)]!}`, `${t.slots[k]!} lies there, so it can't be impossible`);
  }
}

function readSilence(t: Tables, s: State, j: number, path: string, slot: string, faces: readonly number[]): void {
  const k = slotOf(t, path, slot, GERMANS, UNITS);
  if (isKnown(s, k)) throw bad(path, `${slot} is known, it can't lie there`);
  if (t.dummy[k] === 1) throw bad(path, "a dummy is always silent");
  if (faces.includes(0) && faces.length > 1) throw bad(path, "0 stands alone");
  s[silenceAt(j, k)] = 0;
  for (const f of faces) addSilence(s, j, k, f);
}

function slotOf(t: Tables, path: string, slot: string, from: number, to: number): number {
  const u = t.slots.indexOf(slot, from);
  if (u < from || u >= to)
    throw bad(
      path,
      `there is no ${from === 0 ? "German" : "Soviet"} counter ${JSON.stringify(slot)}; they run from ${t.slots[from]!} to ${t.slots[to - 1]!}`,
    );
  return u;
}

function hexOf(t: Tables, path: string, id: string): number {
  const h = t.grid.index(id);
  if (h < 0) throw bad(path, `the map has no hex ${JSON.stringify(id)}`);
  return h;
}

function placeFrom(t: Tables, path: string, text: string, words: Readonly<Record<string, number>>): number {
  if (Object.hasOwn(words, text)) return words[text]!;
  const h = t.grid.index(text);
  if (h < 0)
    throw bad(path, `${JSON.stringify(text)} is neither a hex of the map nor ${Object.keys(words).join(", ")}`);
  return h;
}
