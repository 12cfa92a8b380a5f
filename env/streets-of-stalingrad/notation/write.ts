import { hasBit } from "../../core/bits.js";
import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { SANDBOX } from "../data.js";
import * as words from "../layout.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { isVisible } from "../rules/units/hidden.js";
import { isZoned } from "../rules/units/zoc.js";
import { isReserve } from "../rules/movement/movement.js";
import { sideOfPhase, rootOf } from "../sequence.js";
import type { Tables } from "../state.js";
import { announcedOf, enemyOf, extraOf, frameHex, frameUnit, has, isOver, markOf, placeOf } from "../state.js";
import { FATES, ICA_RESULTS, RESULTS } from "../charts.js";
import { columnName } from "../events/words.js";
import { writeMissions, writeSpotted } from "./guns.js";
import { COUNTER_KEYS, FIXED_KEYS, GAME, NOTATION } from "./schema.js";

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

type Doc = Record<string, Json>;

/** The whole position as a document, without what is at its default. Spec 9. */
export function writePosition(tables: Tables, s: StateView): JsonObject {
  const { board, layout, roster, setting } = tables;
  const { scenario = SANDBOX, ...options } = tables.options;
  const sandbox = scenario === SANDBOX;
  const doc: Doc = { game: GAME, notation: NOTATION, scenario, options };
  if (sandbox) for (const key of FIXED_KEYS) if (setting.start[key] !== undefined) doc[key] = setting.start[key];
  doc["turn"] = s[layout.turn]!;
  doc["phase"] = s[layout.phase]!;
  doc["stage"] = words.STAGES[s[layout.stage]!]!;
  if (s[layout.lastTurn] !== tables.lastTurn) doc["lastTurn"] = s[layout.lastTurn]!;
  if (s[layout.adjust] !== 0) doc["vp"] = { adjust: s[layout.adjust]! };
  if (isOver(tables, s)) doc["ended"] = true;
  const [available, used] = [s[layout.stukasAvailable]!, s[layout.stukasUsed]!];
  if (available + used > 0) doc["stukas"] = { ...(available > 0 ? { available } : {}), ...(used > 0 ? { used } : {}) };
  doc["units"] = Object.fromEntries(
    roster.counters.flatMap((c, u): [string, Json][] => {
      const unit = writeUnit(tables, s, u, sandbox);
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
  const attacked = board.ids.filter((_, h) => (s[layout.hexState + h]! & words.ATTACKED) !== 0);
  if (attacked.length > 0) doc["attacked"] = attacked;
  const barraged = board.ids.filter((_, h) => (s[layout.hexState + h]! & words.BARRAGED) !== 0);
  if (barraged.length > 0) doc["barraged"] = barraged;
  writeKnowledge(tables, s, doc);
  writeFrames(tables, s, doc);
  const records = Array.from({ length: s[layout.recordCount]! }, (_, i) => writeRecord(tables, s, i));
  if (records.length > 0) doc["resolutions"] = records;
  return doc;
}

function writeUnit(tables: Tables, s: StateView, unit: number, sandbox: boolean): JsonObject | null {
  const place = placeOf(tables, s, unit);
  const start = (tables.setting.start["units"] ?? {}) as Record<string, JsonObject>;
  const given = start[tables.roster.counters[unit]!.id];
  if (place === words.POOL && (given === undefined || !sandbox)) return null;
  const doc: Doc = {};
  if (sandbox && given !== undefined)
    for (const key of COUNTER_KEYS) if (given[key] !== undefined) doc[key] = given[key];
  if (place !== words.POOL) doc["at"] = placeName(tables, place);
  for (const [key, flag] of FLAG_KEYS) if (has(tables, s, unit, flag)) doc[key] = true;
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
  const spotted = writeSpotted(tables, s, unit);
  if (spotted.length > 0) doc["spotted"] = spotted;
  return doc;
}

const placeName = (tables: Tables, place: number): string =>
  place === words.DEAD ? "dead" : place < words.DEAD ? `turn-${words.AWAY - place}` : tables.board.ids[place]!;

function writeBombs(tables: Tables, s: StateView, hex: number): Json | null {
  const list = [GERMAN, SOVIET].flatMap((side): Json[] => {
    const word = s[tables.layout.bombs + side * tables.hexes + hex]!;
    if (word === 0) return [];
    const mode = ((word >> 12) & 15) === 1 ? "interdict" : "fired";
    return [{ side: SIDES[side]!, af: word & 0xfff, mode, until: word >> 16 }];
  });
  return list.length === 0 ? null : list;
}

/** What a side knows beyond what it sees now, and reserves that were named when the phase began. */
function writeKnowledge(tables: Tables, s: StateView, doc: Doc): void {
  const { roster } = tables;
  const onMap = (side: number, test: (u: number) => boolean) =>
    roster.counters.flatMap((c, u) => (c.side === side && placeOf(tables, s, u) >= 0 && test(u) ? [c.id] : []));
  const known = ([GERMAN, SOVIET] as const).map((side) =>
    onMap(enemyOf(side), (u) => has(tables, s, u, words.KNOWN) && !isVisible(tables, s, u)),
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
  const named = onMap(side, (u) => has(tables, s, u, words.RESERVE));
  const now = onMap(side, (u) => isReserve(tables, s, u));
  if (named.join() !== now.join()) doc["reserves"] = named;
}

function writeFrames(tables: Tables, s: StateView, doc: Doc): void {
  const { layout } = tables;
  const depth = s[layout.depth]!;
  if (depth === 0) return;
  const frames = Array.from({ length: depth }, (_, i) => writeFrame(tables, s, layout.frames + i * words.FRAME_WORDS));
  doc["decision"] = frames[depth - 1]!;
  const below = frames.slice(0, -1);
  const root = words.ASKS[rootOf(s[layout.stage]!)];
  if (below.length > 1 || (below.length === 1 && below[0]!["ask"] !== root)) doc["frames"] = below;
}

/** One frame with the args of its kind. Spec 9.2. */
function writeFrame(tables: Tables, s: StateView, frame: number): JsonObject {
  const { board, layout, roster } = tables;
  const word = (i: number) => s[frame + i]!;
  const ask = word(words.F_ASK);
  const doc: Doc = { ask: words.ASKS[ask]!, actor: SIDES[word(words.F_ACTOR)]! };
  const hexId = (h: number) => board.ids[h]!;
  const list = (bits: number) => roster.counters.flatMap((c, u) => (has(tables, s, u, bits) ? [c.id] : []));
  const put = (key: string, value: Json) => {
    if (value !== false && !(Array.isArray(value) && value.length === 0)) doc[key] = value;
  };
  if (ask !== words.WALK && frameHex(s, frame) >= 0) doc["hex"] = hexId(frameHex(s, frame));
  const unit = frameUnit(s, frame);
  if (unit >= 0 && ask !== words.ASK_OP_GROUP && ask !== words.ASK_OP_TABLE) doc["unit"] = roster.counters[unit]!.id;
  const path = Array.from({ length: s[layout.pathLength]! }, (_, i) => s[layout.path + i]!);
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      doc["group"] = list(words.GROUP);
      put(
        "via",
        path.filter((h) => (h & words.WAYPOINT) !== 0).map((h) => hexId(h & ~words.WAYPOINT)),
      );
      put("waypoint", word(words.F_HOLD) === 1);
      put("spent", word(words.F_MP) === 0 ? false : word(words.F_MP) / 2);
      doc["kind"] = words.MOVES[word(words.F_MOVE)]!;
      break;
    case words.WALK:
      doc["group"] = list(words.GROUP);
      put("path", path.map(hexId).reverse());
      put("mp", word(words.F_MP) === 0 ? false : word(words.F_MP) / 2);
      doc["kind"] = words.MOVES[word(words.F_MOVE)]!;
      put("hold", word(words.F_HOLD) === 1);
      put("passed", word(words.F_FLAG) === 1);
      put("due", word(words.F_STEP) === 1);
      break;
    case words.ASK_BOMB_UNIT:
    case words.ASK_BOMB_TABLE:
      put("units", list(words.FIRING));
      put("attackers", list(words.ATTACKER));
      put("stukas", word(words.F_STUKAS) === 0 ? false : word(words.F_STUKAS));
      if (word(words.F_STEP) > 0) doc["step"] = word(words.F_STEP);
      break;
    case words.ASK_LEADER:
      put("anywhere", word(words.F_LEADER) === 1);
      put("due", word(words.F_FLAG) === 1);
      break;
    case words.ASK_AA:
      put("units", list(words.FIRING));
      if (word(words.F_NEED) > 0) doc["mission"] = word(words.F_NEED) - 1;
      break;
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP:
    case words.ASK_OP_TABLE:
      doc["group"] = list(words.GROUP);
      put(
        "firing",
        unit < 0
          ? []
          : [roster.counters[unit]!.id, ...list(words.FIRING).filter((x) => x !== roster.counters[unit]!.id)],
      );
      break;
    case words.ASK_ATTACK_UNIT:
    case words.ASK_ATTACK_MODE:
    case words.ASK_ATTACK_DRM:
      put("attackers", list(words.ATTACKER));
      if (word(words.F_FLAG) === 1) doc["mode"] = "accelerate";
      put("stukas", word(words.F_STUKAS) === 0 ? false : word(words.F_STUKAS));
      if (word(words.F_TABLE) > 0) doc["table"] = words.TABLES[word(words.F_TABLE) - 1]!;
      writeCommitted(s, frame, doc);
      doc["step"] = word(words.F_STEP);
      break;
    case words.ASK_RETREAT_UNIT:
    case words.ASK_RETREAT_HEX:
      put("retreated", list(words.RETREATED));
      break;
    case words.ASK_FIRE_TARGET:
    case words.ASK_FIRE_UNIT:
    case words.ASK_FIRE_TABLE:
      put("fires", writeFires(tables, s));
      break;
    case words.ASK_LOSS:
      doc["need"] = word(words.F_NEED);
      doc["from"] = list(words.EXPOSED);
      doc["cause"] = words.CAUSES[word(words.F_CAUSE)]!;
      put("pin", word(words.F_FLAG) === 1);
      put("prior", list(words.FIRST_LOSS));
      put("losses", word(words.F_LEADER) >> 4 === 0 ? false : word(words.F_LEADER) >> 4);
      put("sniper", (word(words.F_LEADER) & 15) === 0 ? false : word(words.F_LEADER) & 15);
      break;
    case words.ASK_AFTER_CHOICE:
    case words.ASK_AFTER_UNIT:
    case words.ASK_AFTER_HEX:
      doc["left"] = list(words.LEFT);
      doc["steps"] = word(words.F_STEPS);
      if (word(words.F_NEED) > 0) doc["first"] = roster.counters[word(words.F_NEED) - 1]!.id;
      put("retreated", writeGone(tables, s, frame));
      break;
    case words.ASK_ADVANCE:
      put("attackers", list(word(words.F_FLAG) === 1 ? words.COUNTER : words.ATTACKER));
      put("entered", list(words.ENTERED));
      break;
    case words.ASK_ICA:
      put("list", list(words.COUNTER));
      if (word(words.F_STEP) > 0) doc["step"] = word(words.F_STEP);
      put("driven", word(words.F_FLAG) === 1);
      break;
    default:
  }
  return doc;
}

/** The units that retreated after the first, in their order. */
const writeGone = ({ roster }: Tables, s: StateView, frame: number): string[] =>
  Array.from({ length: words.THEN }, (_, i) => s[frame + words.F_THEN + i]! - 1)
    .filter((u) => u >= 0)
    .map((u) => roster.counters[u]!.id);

/** What of an attack is committed; `false` only where the armor is asked for after engineers were held back. */
function writeCommitted(s: StateView, frame: number, doc: Doc): void {
  const committed = s[frame + words.F_COMMIT]!;
  const asksArmor = (committed & words.COMMIT_ASKS_ARMOR) !== 0;
  if ((committed & words.COMMIT_ENGINEERS) !== 0) doc["drmEngineer"] = true;
  else if (asksArmor) doc["drmEngineer"] = false;
  if ((committed & words.COMMIT_ARMOR) !== 0) doc["drmArmor"] = true;
  if ((committed & words.COMMIT_GAVE_WAY) !== 0) doc["gaveWay"] = true;
  if ((committed & words.COMMIT_CLEARED) !== 0) doc["cleared"] = true;
  if ((committed & words.COMMIT_FLAK) !== 0) doc["flak"] = true;
}

function writeFires(tables: Tables, s: StateView): Json[] {
  const { fires, fireCount } = tables.layout;
  return Array.from({ length: s[fireCount]! }, (_, i): Json => {
    const word = s[fires + i]!;
    const units = tables.roster.counters.flatMap((c, u) =>
      extraOf(tables, s, u, words.FIRE_SHIFT) === i + 1 ? [c.id] : [],
    );
    return {
      hex: tables.board.ids[words.fireHex(word)]!,
      units,
      ...(word >> words.FIRE_TABLE_SHIFT > 0 ? { table: words.TABLES[(word >> words.FIRE_TABLE_SHIFT) - 1]! } : {}),
      ...((word & words.FIRE_DONE) !== 0 ? { done: true } : {}),
    };
  });
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
  if (kind === "leader")
    return { kind, die: word(words.R_DIE), drm: word(words.R_DRMS), ...end, result: FATES[word(words.R_RESULT)]! };
  const drms = Object.fromEntries(
    words.DRMS.flatMap((name, k) => (words.drmOf(s, at, k) !== 0 ? [[name, words.drmOf(s, at, k)]] : [])),
  );
  return {
    kind,
    table: word(words.R_COLUMN) < words.WBBT_COLUMN ? "CRT" : "WBBT",
    hex: tables.board.ids[word(words.R_HEX) - 1]!,
    points: word(words.R_POINTS),
    column: columnName(tables, word(words.R_COLUMN)),
    die: word(words.R_DIE),
    drms,
    drm: words.DRMS.reduce((sum, _, k) => sum + words.drmOf(s, at, k), 0),
    ...end,
    result: RESULTS[word(words.R_RESULT)]!,
  };
}
