import { HEXES, type HexId } from "../data.js";
import type { Tables } from "../data.js";

/**
 * True when the line between two hex centres is free. Blocked by cover and fire strictly between, and by fire at either
 * end. The map can't change, so each pair is traced once. Rule: NF reconstructed sight, NF 11.3 F
 */
export function sees(tables: Tables, a: HexId, b: HexId): boolean {
  const at = a * HEXES + b;
  let known = tables.sight[at]!;
  if (known === 0) {
    known = trace(tables, a, b) ? 1 : 2;
    tables.sight[at] = known;
    tables.sight[b * HEXES + a] = known;
  }
  return known === 1;
}

function trace(tables: Tables, a: HexId, b: HexId): boolean {
  if (tables.ablaze[a] === 1 || tables.ablaze[b] === 1) return false;
  const n = tables.grid.line(a, b, tables.line);
  for (let i = 1; i < n - 1; i++) {
    const h = tables.line[i]!;
    // ruling N10: the part of a line off the map is clear
    if (h >= 0 && (tables.cover[h] === 1 || tables.ablaze[h] === 1)) return false;
  }
  return true;
}
