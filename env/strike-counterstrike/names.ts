import { oneOf } from "../core/errors.js";
import type { ArmyId, HexId, Tables } from "./data.js";

/** The hex of that number, or why there is none. */
export function hexNamed(tables: Tables, name: string): HexId | string {
  const h = tables.grid.index(name);
  return h >= 0 ? h : `hex ${name} is not on the map`;
}

/** The army of that name, or why there is none. */
export function armyNamed(tables: Tables, name: string): ArmyId | string {
  const names = tables.armies.map((a) => a.id);
  const a = names.indexOf(name);
  return a >= 0 ? (a as ArmyId) : `there is no army ${name}; armies are ${oneOf(names, 20)}`;
}
