import type { Game } from "../../env/index.js";
import type { Matrix } from "./net-ops.js";

/** Width of a row of `map` or `units` for a net: observed features, then static ones. */
export const rowFeatures = (game: Game, table: "map" | "units"): number =>
  game.observation[table].length + (game.statics[table]?.features.length ?? 0);

/** `[rows, rowFeatures]`: zeros for observed features, then the static features; null without static features. */
export function staticRows(game: Game, table: "map" | "units"): Matrix | null {
  const fixed = game.statics[table];
  if (fixed === undefined) return null;
  const columns = rowFeatures(game, table);
  const data = new Float32Array(fixed.values.length * columns);
  fixed.values.forEach((values, r) => data.set(values, (r + 1) * columns - values.length));
  return { rows: fixed.values.length, columns, data };
}
