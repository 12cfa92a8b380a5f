import type { StateView } from "../core/layout.js";
import { stateFault } from "./faults.js";
import * as words from "./layout.js";
import {
  ASK_MOVE_GROUP,
  AWAY,
  boxOf,
  F_ACTOR,
  F_ASK,
  F_HEX,
  F_UNIT,
  FRAME_WORDS,
  FRAMES,
  FRESH,
  isBox,
  KNOWN,
  LATEST_RETURN,
  LEFT,
  OUT,
  PICKS,
  RIDES,
  SHOWN,
  TASK_SIDE_BITS,
  UNTOLD,
  WALK,
} from "./layout.js";
import { isBeside } from "./rules/units/tasks.js";
import { BOXES } from "./schema.js";
import type { Tables } from "./state.js";
import { enemyOf, firstIn, frameOf, isOver, nextIn, siteOf, taskHex, taskOf } from "./state.js";

/** Invariants between decisions of a game that was played from its start. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  const broken =
    brokenTime(tables, s) ??
    brokenStacks(tables, s) ??
    brokenUnits(tables, s) ??
    brokenTasks(tables, s) ??
    brokenFrames(tables, s);
  if (broken !== null) return broken;
  const found = stateFault(tables, s);
  return found === null ? null : `${found.path}: ${found.reason}`;
}

function brokenTime(tables: Tables, s: StateView): string | null {
  const { layout } = tables;
  if (s[layout.turn]! < 1) return `turn ${s[layout.turn]}`;
  if (s[layout.phase]! < 1 || s[layout.phase]! > 15) return `phase ${s[layout.phase]}`;
  if (!(s[layout.stage]! in words.STAGES)) return `stage ${s[layout.stage]}`;
  return null;
}

/** Each unit on the map is once in the stack of its hex, in slot order. */
function brokenStacks(tables: Tables, s: StateView): string | null {
  const { board, layout, roster } = tables;
  const met = new Uint8Array(tables.units);
  for (let h = 0; h < tables.hexes; h++) {
    let last = -1;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (u <= last || u >= tables.units) return `the stack of ${board.ids[h]} is not in order`;
      if (s[layout.place + u] !== h)
        return `${roster.counters[u]!.id} is in the stack of ${board.ids[h]} and its place is elsewhere`;
      met[u] = 1;
      last = u;
    }
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
    if (place < 0 && s[layout.next + u] !== 0) return `${id} is off the map and in a stack`;
    if ((flags & SHOWN) !== 0 && (flags & KNOWN) === 0) return `${id} is face up and not known`;
    if ((flags & LEFT) !== 0 && isOver(tables, s)) return `${id} has to retreat after the end`;
    // the group that broke through last stays fresh while another is chosen
    if (s[layout.depth] === 1 && (flags & PICKS & ~FRESH) !== 0) return `${id} is picked for nothing`;
  }
  return null;
}

/** True when a group is formed or on its way. */
const hasOrder = (tables: Tables, s: StateView): boolean =>
  frameOf(tables, s, ASK_MOVE_GROUP) >= 0 || frameOf(tables, s, WALK) >= 0;

/**
 * Each task is at its hex for the enemy to see, and a passenger rides while an order is formed or carried out. Ruling
 * R109.
 */
function brokenTasks(tables: Tables, s: StateView): string | null {
  const { layout, roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    const { id } = roster.counters[u]!;
    if ((s[layout.work + u]! & RIDES) !== 0 && !hasOrder(tables, s)) return `${id} rides on nothing`;
    const task = taskOf(tables, s, u);
    if (task === 0) continue;
    const hex = taskHex(tables, s, u);
    const beside = (s[layout.work + u]! & TASK_SIDE_BITS) !== 0;
    if (hex < 0 || beside !== isBeside(task) || siteOf(tables, s, roster.side[u]!, hex) !== task)
      return `${id} works at nothing`;
  }
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
