import type { HexGrid } from "../../../env/core/hex.js";

/** What `roots` reach through open hexes, by plain search: the reference for faster ones. */
export function reach(grid: HexGrid, roots: Iterable<number>, open: (h: number) => boolean): Set<number> {
  const found = new Set([...roots].filter(open));
  // a set is walked in the order in which it grows
  for (const h of found)
    for (let d = 0; d < 6; d++) {
      const k = grid.neighbour(h, d);
      if (k >= 0 && open(k)) found.add(k);
    }
  return found;
}
