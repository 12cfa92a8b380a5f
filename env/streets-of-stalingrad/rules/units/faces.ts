import type { StateView } from "../../../core/layout.js";
import { KNOWN, type UnitId } from "../../layout.js";
import { firstIn, has, nextIn, type Tables } from "../../state.js";

/** True when a unit may be chosen. */
type Test = (tables: Tables, s: StateView, unit: number) => boolean;

/** How many units of a side in a hex pass a test. */
export function countIn(tables: Tables, s: StateView, side: number, hex: number, passes: Test): number {
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && passes(tables, s, u)) n++;
  return n;
}

/**
 * The counter that `enemy k` names among those of a side in a hex that pass a test: first those whose faces are known,
 * in slot order, then those that are face down, in an order that nobody can know. Rulings R79, R80
 *
 * @returns -1 where none passes
 */
export function chosenIn(tables: Tables, s: StateView, side: number, hex: number, k: number, passes: Test): UnitId {
  const known: UnitId[] = [];
  const unseen: UnitId[] = [];
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && passes(tables, s, u)) (has(tables, s, u, KNOWN) ? known : unseen).push(u);
  const turn = s[tables.layout.turn]!;
  unseen.sort((a, b) => mixed(s, hex, turn, a) - mixed(s, hex, turn, b) || a - b);
  const all = [...known, ...unseen];
  return all[Math.min(k, all.length - 1)] ?? (-1 as UnitId);
}

/** The known one of those that `enemy k` names, -1 where it is face down. */
export function knownIn(tables: Tables, s: StateView, side: number, hex: number, k: number, passes: Test): UnitId {
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && has(tables, s, u, KNOWN) && passes(tables, s, u) && n++ === k) return u;
  return -1 as UnitId;
}

/** A number from the stream of the game, hex, turn and unit. The stream goes no further by it. */
function mixed(s: StateView, hex: number, turn: number, unit: number): number {
  let h = s[0]! ^ Math.imul(s[1]!, 0x9e3779b1) ^ Math.imul(hex + 1, 0x85ebca6b) ^ Math.imul(turn, 0xc2b2ae35);
  h ^= Math.imul(unit + 1, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}
