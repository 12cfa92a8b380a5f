import { actionSpace, type ActionSpace, type Single } from "../core/decision.js";
import type { Setting } from "./data.js";
import type { HexId, UnitId } from "./layout.js";
import { BOXES } from "./schema.js";

/** Controls in the order of their numbers; those of later rules are named already, so that numbers never change. */
export const CONTROLS = [
  "pass",
  "done",
  "yes",
  "no",
  "all",
  "stay",
  "hold",
  "auto",
  "crt",
  "wbbt",
  "interdict",
  "normal",
  "accelerate",
  "declare-end",
  "continue",
  "via",
  "dismount",
  "remount",
  "unload",
  "retreat",
  "sacrifice",
  "build-bridge",
  "build-minefield",
  "build-fort",
  "remove-bridge",
  "remove-minefield",
  "remove-fort",
  "abandon-task",
] as const;
export const PASS = 0;
export const DONE = 1;
export const YES = 2;
export const NO = 3;
export const ALL = 4;
export const STAY = 5;
export const HOLD = 6;
export const AUTO = 7;
export const CRT = 8;
export const WBBT = 9;
export const INTERDICT = 10;
export const NORMAL = 11;
export const ACCELERATE = 12;
export const DECLARE_END = 13;
export const CONTINUE = 14;
export const VIA = 15;
export const DISMOUNT = 16;
export const REMOUNT = 17;
export const UNLOAD = 18;
export const RETREAT = 19;
export const SACRIFICE = 20;
/** First of the controls that begin a task, in the order of `TASKS`. */
export const BUILD = 21;
export const ABANDON = 27;

const CONTROL_COUNT = 40;
const NUMBERS = 32;
/** First action that names a number. */
export const NUMBER = CONTROL_COUNT;
/** First action that names a box. */
export const BOX = NUMBER + NUMBERS;
const ENEMIES = 24;
/** First action that names an enemy counter of a hex. Ruling R79. */
export const ENEMY = BOX + BOXES.length + 1;

/** Marks an action as legal. @returns 1, so that callers can count them */
export function allow(mask: Uint8Array, action: number): 1 {
  mask[action] = 1;
  return 1;
}

/** What the numbers in each range of actions stand for: each control is a range of its own. */
export type Ranges = { readonly [C in (typeof CONTROLS)[number]]: Single } & {
  readonly reserved: number;
  readonly number: number;
  readonly box: number;
  readonly "no-box": Single;
  readonly enemy: number;
  readonly hex: HexId;
  readonly unit: UnitId;
};

/** The action space of a board and a roster. */
export const spaceFor = (hexes: number, units: number): ActionSpace<Ranges> =>
  actionSpace<Ranges>({
    ...(Object.fromEntries(CONTROLS.map((c) => [c, 1])) as Record<(typeof CONTROLS)[number], number>),
    reserved: CONTROL_COUNT - CONTROLS.length,
    number: NUMBERS,
    box: BOXES.length,
    "no-box": 1,
    enemy: ENEMIES,
    hex: hexes,
    unit: units,
  });
/** Names of the ranges, the same on every board. */
export const RANGES = spaceFor(0, 0).ranges;

/** First action that names a hex; unit actions follow after the hexes. */
export const HEX = ENEMY + ENEMIES;
/** First action that names a unit. */
export const unitBase = (hexes: number): number => HEX + hexes;

/** The strings of all actions in index order: 104 + hexes + units. */
export function actionNames({ board, roster }: Setting): string[] {
  const count = (n: number, name: (i: number) => string) => Array.from({ length: n }, (_, i) => name(i));
  return [
    ...count(CONTROL_COUNT, (i) => CONTROLS[i] ?? `reserved-${i}`),
    ...count(NUMBERS, (i) => `n ${i}`),
    ...BOXES.map((b) => `box ${b}`),
    "box -",
    ...count(ENEMIES, (i) => `enemy ${i}`),
    ...board.ids.map((id) => `hex ${id}`),
    ...roster.counters.map((c) => `unit ${c.id}`),
  ];
}
