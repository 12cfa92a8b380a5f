import type { StateView } from "../../../core/layout.js";
import { BANK_SHIFT, KNOWN } from "../../layout.js";
import { extraOf, firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";

/** Bits of a bank that name the side it starts with. */
const RIM = 7;

/**
 * True when a vehicle is behind the Tartar Wall of its own hex, seen from another hex. Who is on which side is public.
 * Rule: SOS 9.40, ruling R18
 */
export function isBehindWall(tables: Tables, s: StateView, unit: number, other: number): boolean {
  const { sight } = tables.board;
  const from = placeOf(tables, s, unit);
  if (!sight.hasWalls || from < 0) return false;
  const rim = (extraOf(tables, s, unit, BANK_SHIFT) & RIM) - 1;
  return rim >= 0 && sight.wallHides(from, rim, other);
}

/** True when the Tartar Wall of its own hex could be between a unit and some observer. */
export function isAtWall(tables: Tables, s: StateView, unit: number): boolean {
  const { sight } = tables.board;
  return sight.hasWalls && (extraOf(tables, s, unit, BANK_SHIFT) & RIM) !== 0 && sight.isWall(placeOf(tables, s, unit));
}

/**
 * True when the Tartar Wall is between a unit and a hex: its own, or that of all units there. A face-down counter may
 * be anything, so it is not behind a wall.
 */
export function isWalledOff(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  if (!board.sight.hasWalls) return false;
  if (isBehindWall(tables, s, unit, hex)) return true;
  const from = placeOf(tables, s, unit);
  let covered = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] === roster.side[unit] || roster.blind[u] === 1) continue;
    if (!has(tables, s, u, KNOWN) || !isBehindWall(tables, s, u, from)) return false;
    covered++;
  }
  return covered > 0;
}
