import type { HexId, Tables, UnitId } from "./data.js";

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
