import type { World } from "../state.js";
import { refuse } from "./schema.js";

/** Index of a hex named at `path`. */
export function hexNamed(world: World, id: string, path: string): number {
  const h = world.board.index(id);
  return h >= 0 ? h : refuse(path, `hex ${id} is not inside the bounds`);
}

/** Slot of a unit named at `path`. */
export function unitNamed(world: World, id: string, path: string): number {
  const u = world.roster.index(id);
  return u >= 0 ? u : refuse(path, `there is no unit ${id}`);
}
