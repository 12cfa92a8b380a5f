import type { HexId, Tables, UnitId } from "./data.js";
import { DEAD, EXITED, GONE, OFF, POOL, WAITING } from "./layout.js";

/** Where a counter off the map is, in documents. */
export const PLACES = { pool: POOL, waiting: WAITING, exited: EXITED, dead: DEAD } as const;
/** The same of a Soviet one. */
export const RESERVE = { reserve: POOL, dead: DEAD } as const;
export const COLUMN_PLACES = { off: OFF, gone: GONE } as const;

/** A place as documents name it: a hex, or one of `words`. */
export function placeText(tables: Tables, place: HexId, words: Readonly<Record<string, number>>): string {
  return place >= 0 ? tables.ids[place]! : Object.keys(words).find((w) => words[w] === place)!;
}

/** The number of the counter with this name, from `from` up to `to`, or why there is none. */
export function unitNamed(tables: Tables, name: string, from: UnitId, to: number): UnitId | string {
  const u = tables.unitNames.indexOf(name, from);
  if (u >= from && u < to) return u;
  const range = `they run from ${tables.unitNames[from]!} to ${tables.unitNames[to - 1]!}`;
  return `there is no ${from === 0 ? "German" : "Soviet"} counter ${JSON.stringify(name)}; ${range}`;
}

/** The number of the hex with this id, or why there is none. */
export function hexNamed(tables: Tables, id: string): HexId | string {
  const h = tables.grid.index(id);
  return h < 0 ? `the map has no hex ${JSON.stringify(id)}` : h;
}
