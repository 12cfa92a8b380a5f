import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { SUPPORT } from "../data.js";
import {
  BATTLE,
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
  AFTER_FIRST_FIRE,
  TRACK,
} from "../layout.js";
import { activeArmy, battleHex, partisanHex } from "../state.js";
import type { Tables } from "../data.js";

export const GAME = "strike-counterstrike";
export const POSITION_VERSION = 1;

/**
 * The position as a document.
 *
 * @param full names what lies under markers and lists the pool; otherwise the player's form, with "?" and no pool
 */
export function writePosition(tables: Tables, s: StateView, full: boolean): JsonObject {
  const { L } = tables;
  const id = (hex: number): string => tables.grid.ids[hex]!;
  const hexesWhere = (test: (h: number) => boolean): string[] => tables.grid.ids.filter((_, h) => test(h));
  const counters = (test: (c: number) => boolean): string[] =>
    tables.counters.filter((_, c) => test(c)).map((c) => c.id);
  const at = (place: number, site = 0) => counters((c) => s[L.place + c] === place && s[L.site + c] === site);
  const active = activeArmy(tables, s);
  const partisan = partisanHex(tables, s);

  const armies: Record<string, Json> = {};
  tables.armies.forEach((a, i) => {
    const hex = s[L.armyHex + i]!;
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
  for (let h = 0; h < tables.hexCount; h++) {
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
    ...(active >= 0 ? { active: { army: tables.armies[active]!.id, mp: s[L.mp]! } } : {}),
    ...(battleHex(tables, s) >= 0 ? { battle: writeBattle(tables, s) } : {}),
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

function writeBattle(tables: Tables, s: StateView): JsonObject {
  const { L } = tables;
  const fighting = (support: boolean): string[] =>
    tables.counters.filter((c, i) => s[L.place + i] === BATTLE && (c.cls === SUPPORT) === support).map((c) => c.id);
  const stage = s[L.stage]!;
  return {
    hex: tables.grid.ids[battleHex(tables, s)]!,
    from: tables.grid.ids[s[L.from]! - 1]!,
    relief: s[L.relief] === 1,
    pocket: tables.grid.ids.filter((_, h) => s[L.pocket + h] === 1),
    round: s[L.round]!,
    units: fighting(false),
    support: fighting(true),
    interceptor: s[L.committed] === 1,
    hits: s[L.hits]!,
    ...(stage > 0 ? { stage: stage === AFTER_FIRST_FIRE ? "A" : "B" } : {}),
    shockFirst: s[L.shockFirst] === 1,
  };
}
