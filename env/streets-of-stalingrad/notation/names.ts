import type { Tables } from "../state.js";
import { refuse } from "./schema.js";

/** Index of a hex named at `path`. */
export function hexNamed(tables: Tables, id: string, path: string): number {
  const h = tables.board.index(id);
  return h >= 0 ? h : refuse(path, `hex ${id} is not inside the bounds`);
}

/** Slot of a unit named at `path`. */
export function unitNamed(tables: Tables, id: string, path: string): number {
  const u = tables.roster.index(id);
  return u >= 0 ? u : refuse(path, `there is no unit ${id}`);
}
