import type { Play } from "../../core/play.js";
import { setBit } from "../../core/bits.js";
import type { Json, JsonObject } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions } from "../../core/position-options.js";
import { parseWith } from "../../core/schema.js";
import { SANDBOX } from "../data.js";
import { hexesFault, placeFault, ridesFault, stacksFault, supplyFault, timeFault, unitFault } from "../faults.js";
import * as words from "../layout.js";
import { EAST_BOXES } from "../map/river.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { lookRound } from "../rules/units/hidden.js";
import { nameReserves } from "../rules/movement/reserves.js";
import { noteFriends } from "../rules/units/mines.js";
import { isBeside, ONE_TURN, phasesOf } from "../rules/units/tasks.js";
import { isHeadquarters } from "../rules/units/army.js";
import { groundStukas } from "../rules/administration/weather.js";
import { isCutOff, noteGermanLeaders, traceSupply } from "../rules/units/supply.js";
import { awaitsOrder, isZoned } from "../rules/units/zoc.js";
import { FIRST_STAGE, sideOfPhase } from "../sequence.js";
import type { Tables } from "../state.js";
import { BOXES } from "../schema.js";
import {
  enemyOf,
  give,
  has,
  phasesLeft,
  placeOf,
  put,
  setAnnounced,
  setExtra,
  setMark,
  setOrigin,
  setSite,
  siteOf,
} from "../state.js";
import { proceed } from "../turn.js";
import { readMissions, readSpotted } from "./guns.js";
import { GAME, hexNamed, refuse, refuseFault, unitNamed } from "../names.js";
import { readFrames } from "./read-frames.js";
import { readRecords } from "./read-records.js";
import { checkLeaders } from "./stacks.js";
import { COUNTER_KEYS, FIXED_KEYS, type PositionDoc, positionSchema, type UnitDoc } from "./schema.js";

/**
 * Reads a position document and runs on to its first decision. Spec 9.
 *
 * @throws KesselError `bad-position` with the JSON path and the reason
 */
export function readPosition(tables: Tables, raw: JsonObject, s: State, play: Play): void {
  if (setUp(tables, raw, s, play)) proceed(tables, s, play);
}

/**
 * Reads a position document, and does not run on.
 *
 * @returns false: the game has ended
 */
export function setUp(tables: Tables, raw: JsonObject, s: State, play: Play): boolean {
  const doc = parseWith(positionSchema, raw, "bad-position", GAME);
  checkGame(tables, doc);
  readTime(tables, doc, s);
  readUnits(tables, doc, s);
  readHexes(tables, doc, s);
  readKnowledge(tables, doc, s);
  tables.stirred.all = true;
  lookRound(tables, s, play); // ways depend on what is known
  readZones(tables, doc, s);
  readSupply(tables, doc, s);
  if (doc.ended === true) {
    if (doc.decision !== undefined) refuse("decision", "the game has ended, nobody decides");
    s[tables.layout.over] = 1;
  } else readFrames(tables, doc, s);
  refuseFault(ridesFault(tables, s) ?? stacksFault(tables, s) ?? hexesFault(tables, s));
  checkLeaders(tables, s, doc.units ?? {});
  if (doc.reserves === undefined && s[tables.layout.stage] === words.STAGE_RESERVES && doc.ended !== true)
    nameReserves(tables, s, sideOfPhase(s[tables.layout.phase]!));
  readRecords(tables, doc, s);
  return doc.ended !== true;
}

/** What a game is made from has to agree with the game that was loaded. */
function checkGame(tables: Tables, doc: PositionDoc): void {
  const { setting } = tables;
  const listed = doc.options?.["scenario"];
  const scenario = doc.scenario ?? listed ?? SANDBOX;
  if (listed !== undefined && listed !== scenario)
    refuse("options.scenario", `the position is of ${scenario} and of ${listed}; name the scenario once`);
  if (scenario !== setting.scenario)
    refuse("scenario", `the position is of ${scenario}, the game was made for ${setting.scenario}`);
  checkOptions(GAME, tables.options, doc.options);
  for (const key of FIXED_KEYS)
    if ((doc[key] !== undefined || setting.scenario === SANDBOX) && !isSame(doc[key], setting.start[key]))
      refuse(key, "it differs from what the game was made with; load the game with this position");
}

/** True when two values are equal, in any order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((k) => isSame(x[k], y[k]));
}

function readTime(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout, setting } = tables;
  const start = setting.start as Pick<PositionDoc, "turn" | "phase" | "stage" | "stukas">;
  const sandbox = setting.scenario === SANDBOX;
  const own = sandbox ? {} : start;
  s[layout.turn] = doc.turn ?? own.turn ?? 2;
  s[layout.phase] = doc.phase ?? own.phase ?? 3;
  const phase = s[layout.phase]!;
  const first = FIRST_STAGE[phase - 1]!;
  if (first < 0) refuse("phase", `phase ${phase} has no decision`);
  const given = doc.stage ?? (doc.phase === undefined ? own.stage : undefined);
  const stage = given === undefined ? first : words.STAGES.indexOf(given as words.StageName);
  s[layout.stage] = stage;
  const firstTurn = sandbox ? s[layout.turn]! : tables.firstTurn;
  const last = doc.lastTurn ?? tables.lastTurn;
  s[layout.lastTurn] = tables.maxTurns === 0 ? last : Math.min(last, firstTurn + tables.maxTurns - 1);
  refuseFault(timeFault(tables, s));
  readRegiments(tables, doc, s);
  s[layout.adjust] = doc.vp?.adjust ?? 0;
  doc.vp?.counted.forEach((formation, i) => {
    const row = setting.withdrawals.findIndex((w) => w.formation === formation);
    if (row < 0) refuse(`vp.counted[${i}]`, `no formation ${formation} is to be withdrawn`);
    s[layout.penalties]! |= 1 << row;
  });
  // Rule: SOS 15.51
  const stukas = doc.stukas ?? (sandbox ? undefined : own.stukas);
  s[layout.stukasAvailable] = stukas?.available ?? 0;
  s[layout.stukasUsed] = stukas?.used ?? 0;
  readAdministration(tables, doc, s);
}

/** Weather, ammunition, points for replacements, army leaders who came back. */
function readAdministration(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout } = tables;
  s[layout.weather] = words.WEATHERS.indexOf(doc.weather);
  if (s[layout.weather] === 1) groundStukas(tables, s);
  SIDES.forEach((name, side) => {
    const at = layout.ammo + side * words.AMMO_WORDS;
    s[at + words.AMMO_SHORT] = doc.ammo[name]?.short ?? 0;
    s[at + words.AMMO_SAVED] = doc.ammo[name]?.saved ?? 0;
    const since = doc.commandSince[name] ?? 0;
    if (since > s[layout.turn]!) refuse(`commandSince.${name}`, `it is turn ${s[layout.turn]} now`);
    if (doc.returning.includes(name) && since !== s[layout.turn])
      refuse("returning", `commandSince.${name} is this turn where its leader came back in this phase`);
    s[layout.commandSince + side] =
      since === s[layout.turn] ? since | (doc.returning.includes(name) ? words.RETURNS : 0) : 0;
  });
  s[layout.replacements + words.POINTS_PZ] = doc.replacements.german?.pz ?? 0;
  s[layout.replacements + words.POINTS_GERMAN] = doc.replacements.german?.af ?? 0;
  s[layout.replacements + words.POINTS_SOVIET] = doc.replacements.soviet?.af ?? 0;
}

/** Regiments of the NKVD whose reliability was rolled for. Rule: SOS 16.83 */
function readRegiments(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout, roster, setting } = tables;
  const own = setting.scenario === SANDBOX ? undefined : (setting.start["nkvdChecked"] as string[] | undefined);
  (doc.nkvdChecked ?? own ?? []).forEach((id, i) => {
    const regiment = roster.regiments.indexOf(id);
    if (regiment < 0) refuse(`nkvdChecked[${i}]`, `no NKVD counter is of a regiment ${id}`);
    setBit(s, layout.nkvdChecked, regiment, true);
  });
}

function readUnits(tables: Tables, doc: PositionDoc, s: State): void {
  const { roster, setting, layout } = tables;
  const start = (setting.start["units"] ?? {}) as Record<string, JsonObject>;
  const sandbox = setting.scenario === SANDBOX;
  const units = doc.units ?? {};
  for (const id of Object.keys(units)) if (roster.index(id) < 0) refuse(`units.${id}`, "the game has no such unit");
  roster.counters.forEach((c, u) => {
    s[layout.place + u] = words.POOL;
    const given = units[c.id];
    const own = start[c.id];
    if (given !== undefined) checkCounter(given, own, c.id, sandbox);
    const at = given?.at ?? (sandbox && given === undefined ? undefined : (own?.["at"] as string | undefined));
    // who is still to be set up has no place. Ruling R3
    const waits =
      s[layout.stage] === words.STAGE_SETUP && given?.at === undefined && (tables.zones?.group[u] ?? -1) >= 0;
    let place = placeNamed(tables, waits ? "pool" : (at ?? "pool"), `units.${c.id}.at`);
    if (given?.untold === true) {
      if (place !== words.DEAD)
        refuse(`units.${c.id}.untold`, "only a battery that was lost in a box of the East Bank");
      place = words.UNTOLD;
    }
    put(tables, s, u, place);
    if (given?.aside === true || (place === words.POOL && isHeadquarters(tables, u)))
      s[layout.work + u]! |= words.ASIDE;
    refuseFault(placeFault(tables, s, u));
    if (given === undefined) return;
    readFlags(tables, given, s, u, `units.${c.id}`);
    refuseFault(unitFault(tables, s, u));
  });
  readSpotted(tables, units, s);
  readMissions(tables, doc, s);
}

/** Printed values of a unit have to be those of its counter. */
function checkCounter(given: UnitDoc, own: JsonObject | undefined, id: string, sandbox: boolean): void {
  for (const key of COUNTER_KEYS) {
    const value = given[key as keyof UnitDoc] as Json | undefined;
    if (value === undefined ? sandbox && own?.[key] !== undefined : value !== own?.[key])
      refuse(`units.${id}.${key}`, `the counter has ${JSON.stringify(own?.[key] ?? null)}`);
  }
}

function placeNamed(tables: Tables, at: string, path: string): number {
  if (at === "pool") return words.POOL;
  if (at === "dead") return words.DEAD;
  const away = /^turn-(\d+)$/.exec(at);
  if (away !== null) {
    const turn = Number(away[1]);
    if (turn < 1 || turn > words.LATEST_RETURN)
      refuse(path, `leaders return in turns 1 to ${words.LATEST_RETURN}, not ${turn}`);
    return words.AWAY - turn;
  }
  if (at === "out") return words.OUT;
  const box = BOXES.indexOf(at as (typeof BOXES)[number]);
  if (box < 0) return hexNamed(tables, at, path);
  return words.boxPlace(box);
}

/** The box to which a unit on a Volga hex goes back. Rule: SOS 8.70 */
function readOrigin(tables: Tables, given: UnitDoc, s: State, unit: number, path: string): void {
  if (given.from === undefined) return;
  const box = BOXES.indexOf(given.from);
  // the word has no room for the boxes off the map. Rule: SOS 8.70
  if (box >= EAST_BOXES) refuse(`${path}.from`, `box ${given.from} is not in play`);
  setOrigin(tables, s, unit, box);
}

function readFlags(tables: Tables, given: UnitDoc, s: State, unit: number, path: string): void {
  const flags = [
    [given.pinned, words.PINNED],
    [given.spent, words.SPENT],
    [given.pinHeld, words.PIN_HELD],
    [given.shown, words.SHOWN],
    [given.ordered, words.ORDERED],
    [given.opFired, words.OP_FIRED],
    [given.defFired, words.DEF_FIRED],
    [given.dismounted, words.DISMOUNTED],
    [given.modeChanged, words.MODE_CHANGED],
    [given.unready, words.UNREADY],
    [given.fresh, words.FRESH],
    [given.aaFired, words.AA_FIRED],
    [given.noMove, words.NO_MOVE],
    [given.noSpot, words.NO_SPOT],
    [given.firedAf, words.FIRED_AF],
    [given.newPin, words.NEW_PIN],
    [given.bereft, words.BEREFT],
    [given.unpinned, words.UNPINNED],
    [given.liesOpen, words.LIES_OPEN],
    [given.noMoveNext, words.NO_MOVE_NEXT],
  ] as const;
  let bits = 0;
  for (const [on, flag] of flags) if (on) bits |= flag;
  if (given.stopped && tables.roster.leader[unit] === 0) refuse(`${path}.stopped`, "only leaders are stopped so");
  give(tables, s, unit, bits);
  setExtra(tables, s, unit, words.OP_PHASE_SHIFT, given.opFiredIn ?? 0);
  setExtra(tables, s, unit, words.OOS_SHIFT, given.oos ?? 0);
  if (given.lost !== undefined && placeOf(tables, s, unit) !== words.DEAD) refuse(`${path}.lost`, "it is not lost");
  const lostNow = given.lost?.[0] === s[tables.layout.turn] ? given.lost?.[1] : undefined;
  setExtra(tables, s, unit, words.GUN_PHASE_SHIFT, given.ifPhase ?? lostNow ?? 0);
  if (given.used) s[tables.layout.work + unit]! |= words.USED;
  if (given.silenced) s[tables.layout.work + unit]! |= words.SILENCED;
  readTask(tables, given, s, unit, path);
  readRide(tables, given, s, unit);
  readBank(tables, given, s, unit, path);
  readOrigin(tables, given, s, unit, path);
}

/** What an engineer does. Rulings R56, R109 */
function readTask(tables: Tables, given: UnitDoc, s: State, unit: number, path: string): void {
  const { board, layout, roster } = tables;
  if (given.rests) s[layout.work + unit]! |= words.RESTS;
  if (given.task === undefined) return;
  if (given.rests) refuse(`${path}.rests`, "it has a task");
  const side = roster.side[unit]!;
  const place = placeOf(tables, s, unit);
  const { kind, left } = given.task;
  const task = words.TASKS.indexOf(kind) + 1;
  s[layout.work + unit]! |= task;
  const hex = hexNamed(tables, given.task.hex, `${path}.task.hex`);
  if (place < 0) return;
  const d = isBeside(task) ? board.sideTo(place, hex) : -1;
  if (isBeside(task) ? d < 0 : hex !== place)
    refuse(`${path}.task.hex`, isBeside(task) ? "no hex beside its own" : "the engineer works in its own hex");
  const site = siteOf(tables, s, side, hex);
  if (site !== 0 && (site !== task || phasesLeft(tables, s, side, hex) !== left || phasesOf(task, side) === ONE_TURN))
    refuse(`${path}.task`, `another engineer does something else in hex ${given.task.hex}`);
  s[layout.work + unit]! |= (d + 1) << words.TASK_SIDE_SHIFT;
  setSite(tables, s, side, hex, task, left);
}

/** Passengers, and what transports have carried. Rule: SOS 16.44, ruling R104 */
function readRide({ layout }: Tables, given: UnitDoc, s: State, unit: number): void {
  let bits = 0;
  if (given.carried) bits |= words.CARRIED;
  if (given.unloads) bits |= words.UNLOADS;
  if (given.aboard) bits |= words.ABOARD;
  if (given.tookTroop) bits |= words.TOOK_TROOP;
  if (given.tookChief) bits |= words.TOOK_CHIEF;
  s[layout.work + unit]! |= bits;
}

/** Units that began the movement phase in a zone of control; by default those that are in one now. Ruling R137. */
function readZones(tables: Tables, doc: PositionDoc, s: State): void {
  tables.roster.counters.forEach(({ id }, u) => {
    const given = doc.units?.[id]?.zoned;
    if (given === true && !awaitsOrder(tables, s, u)) refuse(`units.${id}.zoned`, "no order of this phase awaits it");
    if (placeOf(tables, s, u) >= 0) setExtra(tables, s, u, words.ZONE_SHIFT, (given ?? isZoned(tables, s, u)) ? 1 : 0);
  });
}

/** Who was cut off when the phase began: who is now, where the position doesn't say. Rule: SOS 19.5 */
function readSupply(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout, river, roster } = tables;
  if (river.supplies) traceSupply(tables, s);
  roster.counters.forEach(({ id }, u) => {
    const given = doc.units?.[id]?.isolated;
    if (given ?? isCutOff(tables, s, u)) s[layout.work + u]! |= words.ISOLATED;
  });
  if (tables.administers) noteGermanLeaders(tables, s);
  roster.counters.forEach(({ id, side }, u) => {
    const given = doc.units?.[id]?.isolated;
    if (side === GERMAN && given === true) s[layout.work + u]! |= words.ISOLATED;
    if (side === GERMAN && given === false) s[layout.work + u]! &= ~words.ISOLATED;
    refuseFault(supplyFault(tables, s, u));
  });
}

/** The bank of a vehicle. Ruling R18. */
function readBank(tables: Tables, given: UnitDoc, s: State, unit: number, path: string): void {
  if (given.rim === undefined) {
    if (given.onWay) refuse(`${path}.onWay`, "a unit on a way across has a rim");
    return;
  }
  setExtra(tables, s, unit, words.BANK_SHIFT, (given.rim + 1) | (given.onWay ? 8 : 0));
}

const MARKS = { attack: words.MARK_ATTACK, "attack-done": words.MARK_DONE, breakthru: words.MARK_BREAKTHRU } as const;

function readHexes(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout } = tables;
  for (const [id, [mark]] of Object.entries(doc.marks))
    setMark(tables, s, hexNamed(tables, id, `marks.${id}`), MARKS[mark!]);
  for (const [id, said] of Object.entries(doc.announced))
    setAnnounced(
      tables,
      s,
      hexNamed(tables, id, `announced.${id}`),
      said === "zoc" ? words.ANNOUNCED_ZOC : words.ANNOUNCED_NONE,
    );
  doc.attacked.forEach((id, i) => {
    s[layout.hexState + hexNamed(tables, id, `attacked[${i}]`)]! |= words.ATTACKED;
  });
  doc.barraged.forEach((id, i) => {
    s[layout.hexState + hexNamed(tables, id, `barraged[${i}]`)]! |= words.BARRAGED;
  });
  readCrossed(tables, doc, s);
  readMines(tables, doc, s);
  for (const [id, list] of Object.entries(doc.bombs)) {
    const h = hexNamed(tables, id, `bombs.${id}`);
    list.forEach(({ side, af, mode, until }, i) => {
      const at = layout.bombs + SIDES.indexOf(side) * tables.hexes + h;
      if (s[at] !== 0) refuse(`bombs.${id}[${i}]`, "a side has one mission a hex");
      s[at] = af | ((mode === "interdict" ? 1 : 2) << 12) | (until << 16);
    });
  }
}

/**
 * Minefields with a friend in the hex when the phase began: those that have one now, where the position doesn't say.
 * Rule: SOS 17.22
 */
function readMines(tables: Tables, doc: PositionDoc, s: State): void {
  if (doc.friendlyMines === undefined) for (const side of [GERMAN, SOVIET]) noteFriends(tables, s, side);
  doc.friendlyMines?.forEach((id, i) => {
    s[tables.layout.hexState + hexNamed(tables, id, `friendlyMines[${i}]`)]! |= words.FRIENDLY_MINE;
  });
}

/** Who has passed the river in this phase. Ruling R94. */
function readCrossed(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout, river } = tables;
  for (const [key, { stacks, units, leader }] of Object.entries(doc.crossed)) {
    const path = `crossed.${key}`;
    if (/^\d{1,2}$/.test(key)) {
      if (river.arrows[Number(key)] !== true) refuse(path, `there is no arrow ${key}`);
      if (leader !== undefined) refuse(`${path}.leader`, "over an arrow any number of leaders may go");
      s[layout.crossed + Number(key)] = (stacks ?? 1) | (units << words.CROSSED_UNITS_SHIFT);
      continue;
    }
    const bank = hexNamed(tables, key, path);
    if (river.isBank[bank] !== true) refuse(path, `nobody comes over the river to hex ${key} off the arrows`);
    if (stacks !== undefined) refuse(`${path}.stacks`, "stacks are counted over arrows alone");
    if (units > 1) refuse(`${path}.units`, "off the arrows one unit passes");
    if (units === 1) s[layout.hexState + bank]! |= words.CROSSED_UNIT;
    if (leader === true) s[layout.hexState + bank]! |= words.CROSSED_LEADER;
  }
}

function readKnowledge(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout } = tables;
  for (const side of SIDES)
    (doc.known?.[side] ?? []).forEach((id, i) => {
      const path = `known.${side}[${i}]`;
      const u = unitNamed(tables, id, path);
      if (tables.roster.side[u] !== enemyOf(SIDES.indexOf(side))) refuse(path, `${id} is no enemy of that side`);
      const place = placeOf(tables, s, u);
      if (place < 0 && !words.isBox(place)) refuse(path, `${id} is not on the map`);
      give(tables, s, u, words.KNOWN);
    });
  // a unit that is face up in a box is known; on the map `lookRound` finds that out
  for (let u = 0; u < tables.units; u++)
    if (words.isBox(placeOf(tables, s, u)) && has(tables, s, u, words.SHOWN)) give(tables, s, u, words.KNOWN);
  doc.outOfSight.forEach((id, i) => setBit(s, layout.outOfSight, unitNamed(tables, id, `outOfSight[${i}]`), true));
  (doc.reserves ?? []).forEach((id, i) => {
    const path = `reserves[${i}]`;
    if (s[tables.layout.stage] !== words.STAGE_RESERVES) refuse("reserves", "they are named in reserves phases only");
    const u = unitNamed(tables, id, path);
    // nobody in a box is one. Rule: SOS 8.35
    if (tables.roster.side[u] !== sideOfPhase(s[tables.layout.phase]!) || placeOf(tables, s, u) < 0)
      refuse(path, `${id} can't move in this phase`);
    give(tables, s, u, words.RESERVE);
  });
}
