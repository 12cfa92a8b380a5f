import words from "./data/actions.json" with { type: "json" };
import type { CompiledData } from "./data.js";

export const DONE = 0;
export const STOP = 1;
export const PRESS = 2;
export const WITHDRAW = 3;
export const COMMIT = 4;
export const HOLD = 5;
/** + class */
export const LOSE = 6;
export const CONCEDE = 9;
/** + army slot */
export const ARMY = 10;

/** First action that names a hex: after the words and the armies. */
export const firstHex = (tables: CompiledData): number => ARMY + tables.armies.length;

/** The strings of all actions, in index order. */
export function actionNames(tables: CompiledData): string[] {
  return [
    ...words.words.map((x) => x.action),
    ...tables.armies.map((a) => `army ${a.id}`),
    ...tables.grid.ids.map((id) => `hex ${id}`),
  ];
}
