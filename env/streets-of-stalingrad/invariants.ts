import type { StateView } from "../core/layout.js";
import * as words from "./layout.js";
import {
  ASK_MOVE_GROUP,
  AWAY,
  BANK_SHIFT,
  boxOf,
  DISMOUNTED,
  F_ACTOR,
  F_ASK,
  F_HEX,
  F_UNIT,
  FRAME_WORDS,
  FRAMES,
  isBox,
  KNOWN,
  LATEST_RETURN,
  LEFT,
  LIES_OPEN,
  PIN_HELD,
  PINNED,
  OUT,
  POOL,
  RIDES,
  SHOWN,
  TASK_BITS,
  UNTOLD,
  WALK,
} from "./layout.js";
import { GERMAN, SOVIET } from "./roster.js";
import { BOXES } from "./schema.js";
import { isSilenced } from "./rules/administration/ammunition.js";
import { isAside } from "./rules/units/arrivals.js";
import { workersAt } from "./rules/units/tasks.js";
import { isVehicle } from "./rules/units/units.js";
import type { Tables } from "./state.js";
import { enemyOf, firstIn, frameOf, isOver, nextIn, originOf, siteOf, taskHex, taskOf } from "./state.js";

/** The first violated invariant, or null. */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  return (
    brokenTime(tables, s) ??
    brokenStacks(tables, s) ??
    brokenUnits(tables, s) ??
    brokenTasks(tables, s) ??
    brokenFrames(tables, s)
  );
}

function brokenTime(tables: Tables, s: StateView): string | null {
  const { layout } = tables;
  if (s[layout.turn]! < 1 || s[layout.turn]! > s[layout.lastTurn]!)
    return `turn ${s[layout.turn]} of ${s[layout.lastTurn]}`;
  if (s[layout.phase]! < 1 || s[layout.phase]! > 15) return `phase ${s[layout.phase]}`;
  if (!(s[layout.stage]! in words.STAGES)) return `stage ${s[layout.stage]}`;
  return null;
}

/**
 * Each unit on the map stands once in the stack of its hex, in slot order; sides that can hold a hex don't share it.
 */
function brokenStacks(tables: Tables, s: StateView): string | null {
  const { board, layout, roster } = tables;
  const met = new Uint8Array(tables.units);
  for (let h = 0; h < tables.hexes; h++) {
    const fights = [false, false];
    let last = -1;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (u <= last || u >= tables.units) return `the stack of ${board.ids[h]} is not in order`;
      if (s[layout.place + u] !== h) return `${roster.counters[u]!.id} lies in ${board.ids[h]} and stands elsewhere`;
      met[u] = 1;
      last = u;
      if (roster.zocUnit[u] === 1) fights[roster.side[u]!] = true;
    }
    if (fights[0] === true && fights[1] === true) return `both sides stand in ${board.ids[h]}`;
  }
  for (let u = 0; u < tables.units; u++) {
    const place = s[layout.place + u]!;
    if (place >= 0 && met[u] === 0) return `${roster.counters[u]!.id} is in no stack`;
    if (!isPlace(tables, place)) return `${roster.counters[u]!.id} is nowhere`;
  }
  return null;
}

function isPlace({ hexes, river }: Tables, place: number): boolean {
  if (isBox(place)) return river.inPlay[boxOf(place)] === true;
  return place < hexes && (place >= AWAY - LATEST_RETURN || place === OUT || (place === UNTOLD && river.any));
}

function brokenUnits(tables: Tables, s: StateView): string | null {
  const { layout, roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    const flags = s[layout.flags + u]!;
    const { id } = roster.counters[u]!;
    const place = s[layout.place + u]!;
    if (place === UNTOLD && roster.battery[u] === 0) return `${id} was lost in a box and is no battery`;
    if (place < 0 && ((flags !== 0 && !isBox(place)) || s[layout.next + u] !== 0))
      return `${id} is off the map and marked`;
    if (originOf(tables, s, u) >= 0 && (place < 0 || tables.board.volga[place] === 0))
      return `${id} is on no Volga hex and came from a box`;
    if (isAside(tables, s, u) && (place !== POOL || roster.leader[u] === 0))
      return `${id} is aside and not in the pool`;
    if (isSilenced(tables, s, u) && roster.rationed[u] === 0) return `${id} is silenced and is not short of ammunition`;
    if ((flags & DISMOUNTED) !== 0 && roster.carried[u] === 0) return `${id} has no vehicles to leave`;
    const bank = (s[layout.extra + u]! >> BANK_SHIFT) & 15;
    if (bank !== 0 && !(isVehicle(tables, s, u) && tables.board.banks.isBank(place, bank)))
      return `${id} stands on a bank that is none`;
    if ((flags & PIN_HELD) !== 0 && (flags & PINNED) === 0) return `${id} has the marker of a pin and is not pinned`;
    if ((flags & SHOWN) !== 0 && (flags & KNOWN) === 0) return `${id} is face up and not known`;
    if ((flags & LIES_OPEN) !== 0 && (flags & SHOWN) === 0) return `${id} lies open and is not face up`;
    if ((flags & LEFT) !== 0 && isOver(tables, s)) return `${id} has to retreat after the end`;
  }
  return null;
}

/** Is a group formed or on its way? */
const hasOrder = (tables: Tables, s: StateView): boolean =>
  frameOf(tables, s, ASK_MOVE_GROUP) >= 0 || frameOf(tables, s, WALK) >= 0;

/** Each task stands at its hex for the enemy to see, and nothing stands there that nobody does. Ruling R109. */
function brokenTasks(tables: Tables, s: StateView): string | null {
  const { board, layout, roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    if ((s[layout.work + u]! & TASK_BITS) === 0) continue;
    const { id } = roster.counters[u]!;
    if (!tables.engineers[roster.side[u]!]!.includes(u)) return `${id} is no engineer and works`;
    if (s[layout.place + u]! < 0) return `${id} is off the map and works`;
    const task = taskOf(tables, s, u);
    if (task === 0) continue;
    const hex = taskHex(tables, s, u);
    if (hex < 0 || siteOf(tables, s, roster.side[u]!, hex) !== task) return `${id} works at nothing`;
  }
  for (let u = 0; u < tables.units; u++)
    if ((s[layout.work + u]! & RIDES) !== 0 && !(roster.rider[u] !== 0 && hasOrder(tables, s)))
      return `${roster.counters[u]!.id} rides on nothing`;
  for (let h = 0; h < tables.hexes; h++)
    for (const side of [GERMAN, SOVIET])
      if (siteOf(tables, s, side, h) !== 0 && workersAt(tables, s, side, h) === 0)
        return `nobody works in ${board.ids[h]}`;
  return null;
}

function brokenFrames(tables: Tables, s: StateView): string | null {
  const { layout } = tables;
  const depth = s[layout.depth]!;
  if (depth < 0 || depth > FRAMES) return `${depth} frames`;
  if ((depth === 0) !== isOver(tables, s)) return "frames do not fit the end of the game";
  for (let i = 0; i < FRAMES; i++) {
    const frame = layout.frames + i * FRAME_WORDS;
    if (i >= depth) {
      for (let w = 0; w < FRAME_WORDS; w++) if (s[frame + w] !== 0) return `frame ${i} is left over`;
      continue;
    }
    const ask = s[frame + F_ASK]!;
    if (ask !== WALK && !(ask in words.ASKS)) return `frame ${i} asks nothing`;
    if (enemyOf(enemyOf(s[frame + F_ACTOR]!)) !== s[frame + F_ACTOR]) return `nobody decides in frame ${i}`;
    if (s[frame + F_HEX]! < 0 || s[frame + F_HEX]! > tables.hexes + BOXES.length) return `frame ${i} is about no hex`;
    if (s[frame + F_UNIT]! < 0 || s[frame + F_UNIT]! > tables.units) return `frame ${i} is about no unit`;
  }
  return null;
}
