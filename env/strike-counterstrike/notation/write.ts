import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { StrikeDecisions } from "../decisions/index.js";
import { type CounterId, FIRST_HEX, type HexId, type Tables } from "../data.js";
import {
  BOX,
  DEAD,
  GARRISON,
  GARRISONED,
  PARTISAN_GONE,
  PARTISAN_ON_TRACK,
  PHASES,
  POOL,
  REMOVED,
  RESULTS,
  TRACK,
} from "../layout.js";
import { hexOfArmy, partisanHex, phaseOf } from "../state.js";

export const GAME = "strike-counterstrike";
export const POSITION_VERSION = 1;

/**
 * The position as a document.
 *
 * @param full names what is under markers and lists the pool; otherwise the player's form, with "?" and no pool
 */
export function writePosition(tables: Tables, decisions: StrikeDecisions, s: StateView, full: boolean): JsonObject {
  const { L } = tables;
  const id = (hex: HexId): string => tables.ids[hex]!;
  const hexesWhere = (test: (h: HexId) => boolean): string[] => tables.ids.filter((_, h) => test(h));
  const counters = (test: (c: CounterId) => boolean): string[] =>
    tables.counters.filter((_, c) => test(c)).map((c) => c.id);
  const at = (place: number, site = 0) => counters((c) => s[L.place + c] === place && s[L.site + c] === site);
  const partisan = partisanHex(tables, s);

  const armies: Record<string, Json> = {};
  tables.armies.forEach((a, i) => {
    const hex = hexOfArmy(tables, s, i);
    armies[a.id] = {
      hex: hex === DEAD ? "dead" : hex === TRACK ? "track" : id(hex),
      steps: s[L.armySteps + i]!,
      stopped: s[L.armyStopped + i] === 1,
      fired: s[L.armyFired + i] === 1,
    };
  });
  const control: Record<string, Json> = {};
  const front: Record<string, Json> = {};
  const placed: Record<string, Json> = {};
  const garrisons: Record<string, Json> = {};
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    control[id(h)] = s[L.german + h] === 1 ? "german" : "soviet";
    const marker = s[L.marker + h]!;
    if (marker > 0) front[id(h)] = full ? tables.counters[marker - 1]!.id : "?";
    if (marker > 0) placed[id(h)] = s[L.placed + h]!; // 0 too: only a marker left out is later than every arrival
    if (marker === GARRISONED) garrisons[id(h)] = at(GARRISON, h);
  }
  const track: Record<string, Json> = {};
  for (let turn = 1; turn < 8; turn++)
    if (s[L.boxed + turn]! > 0)
      track[turn] = Array.from({ length: s[L.boxed + turn]! }, (_, i) => at(BOX + turn, i)[0]!);
  const entered: Record<string, Json> = {};
  tables.counters.forEach((c, i) => {
    if (s[L.entered + i]! > 0) entered[c.id] = s[L.entered + i]!;
  });
  return {
    game: GAME,
    version: POSITION_VERSION,
    options: tables.options,
    turn: s[L.turn]!,
    phase: PHASES[s[L.phase]!]!,
    captured: hexesWhere((h) => s[L.german + h] === 0 && tables.startGerman[h] === 1 && h !== partisan),
    armies,
    engineer: { host: s[L.host]! > 0 ? tables.armies[s[L.host]! - 1]!.id : null, steps: s[L.engineer]! },
    front,
    garrisons,
    ...(full ? { pool: counters((c) => s[L.place + c] === POOL) } : {}),
    track,
    removed: at(REMOVED),
    interceptor: s[L.interceptor] === 1 ? "ready" : "spent",
    partisan: s[L.partisan] === PARTISAN_ON_TRACK ? "track" : s[L.partisan] === PARTISAN_GONE ? "gone" : id(partisan),
    replacements: s[L.replacements]!,
    ...decisions.write(tables, s, phaseOf(tables, s)),
    clock: s[L.clock]!,
    entered,
    placed,
    ...(s[L.purge]! >= 0 ? { purge: s[L.purge]! } : {}),
    ...(s[L.result]! > 0 ? { result: RESULTS[s[L.result]!]! } : {}),
    poolSize: s[L.poolSize]!,
    control,
    forts: s[L.forts]!,
    west: s[L.westHeld]!,
    kCount: s[L.kHeld]!,
  };
}
