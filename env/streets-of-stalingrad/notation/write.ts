import { hasBit } from "../../core/bits.js";
import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { listedOptions } from "../../core/options.js";
import { SANDBOX } from "../data.js";
import { decisionOfKind } from "../decisions/index.js";
import * as words from "../layout.js";
import { GAME, placeId } from "../names.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { isVisible } from "../rules/units/hidden.js";
import { isHeadquarters } from "../rules/units/army.js";
import { isAside } from "../rules/units/arrivals.js";
import { isGuarded } from "../rules/units/mines.js";
import { isCutOff, isSurrounded, traceSupply } from "../rules/units/supply.js";
import { isZoned } from "../rules/units/zoc.js";
import { isReserve } from "../rules/movement/reserves.js";
import { sideOfPhase, rootOf } from "../sequence.js";
import { BOXES } from "../schema.js";
import type { Tables } from "../state.js";
import {
  announcedOf,
  boxAt,
  enemyOf,
  extraOf,
  frameHex,
  frameUnit,
  has,
  isOver,
  markOf,
  originOf,
  phasesLeft,
  placeOf,
  taskHex,
  taskOf,
} from "../state.js";
import { FATES, ICA_RESULTS, RESULTS } from "../charts.js";
import { boxResultText, columnName } from "../events/words.js";
import { writeMissions, writeSpotted } from "./guns.js";
import { WORDS } from "./read-records.js";
import { isSecondLeader } from "./stacks.js";
import { COUNTER_KEYS, FIXED_KEYS, NOTATION } from "./schema.js";

const FLAG_KEYS = [
  ["pinned", words.PINNED],
  ["spent", words.SPENT],
  ["pinHeld", words.PIN_HELD],
  ["shown", words.SHOWN],
  ["ordered", words.ORDERED],
  ["opFired", words.OP_FIRED],
  ["defFired", words.DEF_FIRED],
  ["dismounted", words.DISMOUNTED],
  ["modeChanged", words.MODE_CHANGED],
  ["unready", words.UNREADY],
  ["fresh", words.FRESH],
  ["aaFired", words.AA_FIRED],
  ["noMove", words.NO_MOVE],
  ["noSpot", words.NO_SPOT],
  ["firedAf", words.FIRED_AF],
  ["newPin", words.NEW_PIN],
  ["bereft", words.BEREFT],
  ["unpinned", words.UNPINNED],
  ["liesOpen", words.LIES_OPEN],
  ["noMoveNext", words.NO_MOVE_NEXT],
] as const;

const RIDE_KEYS = [
  ["carried", words.CARRIED],
  ["unloads", words.UNLOADS],
  ["aboard", words.ABOARD],
  ["tookTroop", words.TOOK_TROOP],
  ["tookChief", words.TOOK_CHIEF],
] as const;

type Doc = Record<string, Json>;

/** Options that are not listed at these values: published positions are older. */
const LEFT_OUT: Readonly<Record<string, string | boolean>> = {
  ammunition: "scenario",
  armyLeaders: "scenario",
  riverZones: true,
  flotillaDefends: true,
};

/** The whole position as a document, without what is at its default. Spec 9. */
export function writePosition(tables: Tables, s: StateView): JsonObject {
  const { board, layout, roster, setting } = tables;
  const { scenario = SANDBOX, setup = "fixed", ...listed } = listedOptions(tables.options);
  const others = Object.fromEntries(Object.entries(listed).filter(([id, value]) => LEFT_OUT[id] !== value));
  const options = setting.zones === null ? others : { ...others, setup };
  const sandbox = scenario === SANDBOX;
  const doc: Doc = { game: GAME, notation: NOTATION, scenario, options };
  if (sandbox) for (const key of FIXED_KEYS) if (setting.start[key] !== undefined) doc[key] = setting.start[key];
  doc["turn"] = s[layout.turn]!;
  doc["phase"] = s[layout.phase]!;
  doc["stage"] = words.STAGES[s[layout.stage]!]!;
  if (s[layout.lastTurn] !== tables.lastTurn) doc["lastTurn"] = s[layout.lastTurn]!;
  const checked = roster.regiments.filter((_, r) => hasBit(s, layout.nkvdChecked, r));
  if (checked.length > 0) doc["nkvdChecked"] = checked;
  const counted = setting.withdrawals.flatMap(({ formation }, i) =>
    ((s[layout.penalties]! >> i) & 1) === 1 ? [formation] : [],
  );
  if (s[layout.adjust] !== 0 || counted.length > 0)
    doc["vp"] = { adjust: s[layout.adjust]!, ...(counted.length > 0 ? { counted } : {}) };
  if (isOver(tables, s)) doc["ended"] = true;
  const [available, used] = [s[layout.stukasAvailable]!, s[layout.stukasUsed]!];
  if (available + used > 0) doc["stukas"] = { ...(available > 0 ? { available } : {}), ...(used > 0 ? { used } : {}) };
  writeAdministration(tables, s, doc);
  const cut = cutOffNow(tables, s);
  doc["units"] = Object.fromEntries(
    roster.counters.flatMap((c, u): [string, Json][] => {
      const unit = writeUnit(tables, s, u, sandbox, cut[u]!);
      return unit === null ? [] : [[c.id, unit]];
    }),
  );
  const byHex = (key: string, of: (h: number) => Json | null) => {
    const rows = board.ids.flatMap((id, h): [string, Json][] => {
      const value = of(h);
      return value === null ? [] : [[id, value]];
    });
    if (rows.length > 0) doc[key] = Object.fromEntries(rows);
  };
  byHex("marks", (h) => [null, ["attack"], ["attack-done"], ["breakthru"]][markOf(tables, s, h)]!);
  byHex("announced", (h) => [null, "none", "zoc"][announcedOf(tables, s, h)]!);
  byHex("bombs", (h) => writeBombs(tables, s, h));
  const missions = writeMissions(tables, s);
  if (missions.length > 0) doc["missions"] = missions;
  const crossed = writeCrossed(tables, s);
  if (Object.keys(crossed).length > 0) doc["crossed"] = crossed;
  const attacked = board.ids.filter((_, h) => (s[layout.hexState + h]! & words.ATTACKED) !== 0);
  if (attacked.length > 0) doc["attacked"] = attacked;
  const barraged = board.ids.filter((_, h) => (s[layout.hexState + h]! & words.BARRAGED) !== 0);
  if (barraged.length > 0) doc["barraged"] = barraged;
  const friendly = board.ids.filter((_, h) => (s[layout.hexState + h]! & words.FRIENDLY_MINE) !== 0);
  if (friendly.join() !== guardedMines(tables, s).join()) doc["friendlyMines"] = friendly;
  writeKnowledge(tables, s, doc);
  writeFrames(tables, s, doc);
  const records = Array.from({ length: s[layout.recordCount]! }, (_, i) => writeRecord(tables, s, i));
  if (records.length > 0) doc["resolutions"] = records;
  return doc;
}

/** Results of the Administrative Phase: weather, ammunition, replacement points, army leaders that came back. */
function writeAdministration({ layout }: Tables, s: StateView, doc: Doc): void {
  if (s[layout.weather] === 1) doc["weather"] = words.WEATHERS[1];
  const entries = (of: (side: number) => Record<string, number>) =>
    SIDES.flatMap((name, side): [string, Doc][] => {
      const row = Object.entries(of(side)).filter(([, n]) => n !== 0);
      return row.length === 0 ? [] : [[name, Object.fromEntries(row)]];
    });
  const ammo = entries((side) => {
    const at = layout.ammo + side * words.AMMO_WORDS;
    return { short: s[at + words.AMMO_SHORT]!, saved: s[at + words.AMMO_SAVED]! };
  });
  if (ammo.length > 0) doc["ammo"] = Object.fromEntries(ammo);
  const points = entries((side) =>
    side === GERMAN
      ? { pz: s[layout.replacements + words.POINTS_PZ]!, af: s[layout.replacements + words.POINTS_GERMAN]! }
      : { af: s[layout.replacements + words.POINTS_SOVIET]! },
  );
  if (points.length > 0) doc["replacements"] = Object.fromEntries(points);
  const since = SIDES.flatMap((name, side): [string, number][] => {
    const turn = s[layout.commandSince + side]! & ~words.RETURNS;
    return turn === 0 ? [] : [[name, turn]];
  });
  if (since.length > 0) doc["commandSince"] = Object.fromEntries(since);
  const returning = SIDES.filter((_, side) => (s[layout.commandSince + side]! & words.RETURNS) !== 0);
  if (returning.length > 0) doc["returning"] = returning;
}

/** By unit: true when it is cut off now; for Germans, leaders only, as far as their side knows. Ruling R59. */
function cutOffNow(tables: Tables, s: StateView): boolean[] {
  const { roster } = tables;
  if (tables.administers) traceSupply(tables, s, GERMAN, true);
  const cut = roster.counters.map((_, u) => roster.leader[u] === 1 && isSurrounded(tables, s, u));
  if (tables.river.supplies) traceSupply(tables, s);
  return cut.map((is, u) => (roster.side[u] === SOVIET ? isCutOff(tables, s, u) : is));
}

/** @param cut true when it is cut off now */
function writeUnit(tables: Tables, s: StateView, unit: number, sandbox: boolean, cut: boolean): JsonObject | null {
  const place = placeOf(tables, s, unit);
  const start = (tables.setting.start["units"] ?? {}) as Record<string, JsonObject>;
  const given = start[tables.roster.counters[unit]!.id];
  const aside = isAside(tables, s, unit) && !isHeadquarters(tables, unit);
  if (place === words.POOL && (given === undefined || !sandbox)) {
    if (!aside) return null;
    // who began on the map is read there where no place is named
    return (given?.["at"] ?? "pool") === "pool" ? { aside } : { at: "pool", aside };
  }
  const doc: Doc = {};
  if (sandbox && given !== undefined)
    for (const key of COUNTER_KEYS) if (given[key] !== undefined) doc[key] = given[key];
  if (place !== words.POOL) doc["at"] = placeName(tables, place);
  if (place === words.UNTOLD) doc["untold"] = true;
  if (aside) doc["aside"] = true;
  for (const [key, flag] of FLAG_KEYS) if (has(tables, s, unit, flag)) doc[key] = true;
  if (isSecondLeader(tables, s, unit)) doc["stopped"] = true;
  const zoned = extraOf(tables, s, unit, words.ZONE_SHIFT) === 1;
  if (zoned !== isZoned(tables, s, unit)) doc["zoned"] = zoned;
  const phase = extraOf(tables, s, unit, words.OP_PHASE_SHIFT);
  if (phase > 0) doc["opFiredIn"] = phase;
  const oos = extraOf(tables, s, unit, words.OOS_SHIFT);
  if (oos > 0) doc["oos"] = oos;
  const bank = extraOf(tables, s, unit, words.BANK_SHIFT);
  if (bank > 0) doc["rim"] = (bank & 7) - 1;
  if ((bank & 8) !== 0) doc["onWay"] = true;
  const gunPhase = extraOf(tables, s, unit, words.GUN_PHASE_SHIFT);
  if (gunPhase > 0 && place === words.DEAD) doc["lost"] = [s[tables.layout.turn]!, gunPhase];
  else if (gunPhase > 0) doc["ifPhase"] = gunPhase;
  const isolated = (s[tables.layout.work + unit]! & words.ISOLATED) !== 0;
  if (isolated !== cut) doc["isolated"] = isolated;
  const from = originOf(tables, s, unit);
  if (from >= 0) doc["from"] = BOXES[from]!;
  if ((s[tables.layout.work + unit]! & words.USED) !== 0) doc["used"] = true;
  if ((s[tables.layout.work + unit]! & words.SILENCED) !== 0) doc["silenced"] = true;
  const task = taskOf(tables, s, unit);
  const side = tables.roster.side[unit]!;
  if (task !== 0) {
    const hex = taskHex(tables, s, unit);
    const left = phasesLeft(tables, s, side, hex);
    doc["task"] = { kind: words.TASKS[task - 1]!, hex: placeId(tables, hex), left };
  } else if ((s[tables.layout.work + unit]! & words.TASK_BITS) === words.RESTS) doc["rests"] = true;
  for (const [key, bit] of RIDE_KEYS) if ((s[tables.layout.work + unit]! & bit) !== 0) doc[key] = true;
  const spotted = writeSpotted(tables, s, unit);
  if (spotted.length > 0) doc["spotted"] = spotted;
  return doc;
}

/** Minefields that have a friend in the hex now. */
const guardedMines = (tables: Tables, s: StateView): string[] =>
  tables.roster.mines
    .map((mine) => [placeOf(tables, s, mine), tables.roster.side[mine]!] as const)
    .filter(([hex, side]) => hex >= 0 && isGuarded(tables, s, side, hex))
    .map(([hex]) => hex)
    .sort((a, b) => a - b)
    .map((hex) => tables.board.ids[hex]!);

function placeName(tables: Tables, place: number): string {
  if (place >= 0 || words.isBox(place)) return placeId(tables, place);
  return place === words.DEAD || place === words.UNTOLD
    ? "dead"
    : place === words.OUT
      ? "out"
      : `turn-${words.AWAY - place}`;
}

/** Who has passed the river in this phase, by arrow or bank hex. Ruling R94. */
function writeCrossed(tables: Tables, s: StateView): Doc {
  const { board, layout } = tables;
  const doc: Doc = {};
  for (let arrow = 1; arrow < words.ARROWS; arrow++) {
    const word = s[layout.crossed + arrow]!;
    const stacks = word & ((1 << words.CROSSED_UNITS_SHIFT) - 1);
    if (word !== 0) doc[String(arrow)] = { stacks, units: word >> words.CROSSED_UNITS_SHIFT };
  }
  board.ids.forEach((id, h) => {
    const [unit, leader] = [words.CROSSED_UNIT, words.CROSSED_LEADER].map(
      (bit) => (s[layout.hexState + h]! & bit) !== 0,
    );
    if (unit === true || leader === true)
      doc[id] = { units: unit === true ? 1 : 0, ...(leader === true ? { leader } : {}) };
  });
  return doc;
}

function writeBombs(tables: Tables, s: StateView, hex: number): Json | null {
  const list = [GERMAN, SOVIET].flatMap((side): Json[] => {
    const word = s[tables.layout.bombs + side * tables.hexes + hex]!;
    if (word === 0) return [];
    const mode = ((word >> 12) & 15) === 1 ? "interdict" : "fired";
    return [{ side: SIDES[side]!, af: word & 0xfff, mode, until: word >> 16 }];
  });
  return list.length === 0 ? null : list;
}

/** A Soviet unit in the open in bad weather: its hex does not determine whether Germans see it. Rule: SOS 7.4 */
const isObscured = (tables: Tables, s: StateView, unit: number): boolean =>
  s[tables.layout.weather] === 1 && tables.roster.side[unit] === SOVIET && !has(tables, s, unit, words.SHOWN);

/**
 * What a side knows beyond what it sees now, in bad weather all Soviets whom it knows; and reserves that were named
 * when the phase began.
 */
function writeKnowledge(tables: Tables, s: StateView, doc: Doc): void {
  const { roster } = tables;
  const inPlay = (side: number, test: (u: number) => boolean) =>
    roster.counters.flatMap((c, u) =>
      c.side === side && (placeOf(tables, s, u) >= 0 || words.isBox(placeOf(tables, s, u))) && test(u) ? [c.id] : [],
    );
  const known = ([GERMAN, SOVIET] as const).map((side) =>
    inPlay(
      enemyOf(side),
      (u) => has(tables, s, u, words.KNOWN) && (isObscured(tables, s, u) || !isVisible(tables, s, u)),
    ),
  );
  if (known.some((list) => list.length > 0)) {
    const [german, soviet] = known as [string[], string[]];
    doc["known"] = {
      ...(german.length > 0 ? { german } : {}),
      ...(soviet.length > 0 ? { soviet } : {}),
    };
  }
  const lost = roster.counters.flatMap((c, u) => (hasBit(s, tables.layout.outOfSight, u) ? [c.id] : []));
  if (lost.length > 0) doc["outOfSight"] = lost;
  if (s[tables.layout.stage] !== words.STAGE_RESERVES || isOver(tables, s)) return;
  const side = sideOfPhase(s[tables.layout.phase]!);
  const named = inPlay(side, (u) => has(tables, s, u, words.RESERVE));
  const now = inPlay(side, (u) => isReserve(tables, s, u));
  if (named.join() !== now.join()) doc["reserves"] = named;
}

function writeFrames(tables: Tables, s: StateView, doc: Doc): void {
  const { layout } = tables;
  const depth = s[layout.depth]!;
  if (depth === 0) return;
  const frames = Array.from({ length: depth }, (_, i) => writeFrame(tables, s, layout.frames + i * words.FRAME_WORDS));
  doc["decision"] = frames[depth - 1]!;
  const below = frames.slice(0, -1);
  const root = words.ASKS[rootOf(tables, s[layout.stage]!)];
  const [first] = below;
  if (below.length > 1 || (first !== undefined && (first["ask"] !== root || first["step"] !== undefined)))
    doc["frames"] = below;
}

/** One frame with the args of its kind. Spec 9.2. */
function writeFrame(tables: Tables, s: StateView, frame: number): JsonObject {
  const { roster } = tables;
  const kind = s[frame + words.F_ASK]!;
  const { hex, unit, write } = decisionOfKind(kind).frame;
  const doc: Doc = { ask: words.ASKS[kind]!, actor: SIDES[s[frame + words.F_ACTOR]!]! };
  if (hex !== "none" && frameHex(s, frame) >= 0)
    doc[boxAt(tables, frameHex(s, frame)) < 0 ? "hex" : "box"] = placeId(tables, frameHex(s, frame));
  if (unit !== "none" && frameUnit(s, frame) >= 0) doc["unit"] = roster.counters[frameUnit(s, frame)]!.id;
  for (const [key, value] of Object.entries<Json | undefined>(write?.(tables, s, frame) ?? {}))
    if (value !== undefined) doc[key] = value;
  return doc;
}

/** A die of the latest action. Spec 9.4. */
export function writeRecord(tables: Tables, s: StateView, i: number): JsonObject {
  const at = tables.layout.records + i * words.RECORD_WORDS;
  const word = (k: number) => s[at + k]!;
  const kind = words.ROLLS[word(words.R_KIND)]!;
  const end = { mdr: word(words.R_MDR) };
  if (kind === "ica")
    return {
      kind,
      table: "ICA",
      die: word(words.R_DIE),
      drm: word(words.R_DRMS),
      ...end,
      result: ICA_RESULTS[word(words.R_RESULT)]!,
    };
  if (kind === "wound") return { kind, die: word(words.R_DIE) };
  const results = WORDS[kind];
  if (results !== undefined) return { kind, die: word(words.R_DIE), result: results[word(words.R_RESULT)]! };
  if (kind === "leader")
    return { kind, die: word(words.R_DIE), drm: word(words.R_DRMS), ...end, result: FATES[word(words.R_RESULT)]! };
  if (kind === "flotilla" || kind === "ammo" || kind === "stukas")
    return { kind, die: word(words.R_DIE), result: word(words.R_RESULT) };
  if (kind === "eastbank") return writeBoxRecord(tables, s, at);
  const drms = drmsOf(s, at);
  return {
    kind,
    table: word(words.R_COLUMN) < words.WBBT_COLUMN ? "CRT" : "WBBT",
    hex: placeId(tables, word(words.R_HEX) - 1),
    points: word(words.R_POINTS),
    column: columnName(tables, word(words.R_COLUMN)),
    die: word(words.R_DIE),
    drms,
    drm: sumOf(drms),
    ...end,
    result: RESULTS[word(words.R_RESULT)]!,
  };
}

const sumOf = (drms: Readonly<Record<string, number>>): number => Object.values(drms).reduce((sum, n) => sum + n, 0);

const drmsOf = (s: StateView, at: number): Record<string, number> =>
  Object.fromEntries(
    words.DRMS.flatMap((name, k) => (words.drmOf(s, at, k) !== 0 ? [[name, words.drmOf(s, at, k)]] : [])),
  );

/** A die for a box: `P4 DE1`. */
function writeBoxRecord(tables: Tables, s: StateView, at: number): JsonObject {
  const drms = drmsOf(s, at);
  return {
    kind: "eastbank",
    table: "EBBT",
    points: s[at + words.R_POINTS]!,
    column: tables.charts.ebbt.columns[s[at + words.R_COLUMN]!]!,
    die: s[at + words.R_DIE]!,
    drms,
    drm: sumOf(drms),
    mdr: s[at + words.R_MDR]!,
    result: boxResultText(s[at + words.R_RESULT]!),
  };
}
