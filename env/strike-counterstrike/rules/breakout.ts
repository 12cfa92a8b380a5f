import type { Dice } from "../../core/dice.js";
import type { State } from "../../core/layout.js";
import * as data from "../data.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { fire, germanModifier, takeSovietLosses } from "./fire.js";
import { liftMarker } from "./front.js";
import { countForce, rollNumber } from "./garrison.js";
import { drawCounter, layOpen, poolHolds, standIn, toNextBox, toPool } from "./pool.js";

// own constants, for speed: see core/layout.ts
const { GERMAN_COLUMN, MECH, SEC } = data;
const { BATTLE, battleHex, GARRISON, GARRISONED, setMarker } = state;

/**
 * The pocketed Germans strike out of the pocket at the force that closed it: one half-round, no return fire.
 * Rule: SC 8.6, SC 8.7, SC 8.8, rulings R5, R6, R8, R9
 *
 * @returns 1 when the force is destroyed and the hex stays German, 0 when they failed, -1 when the pool ran out
 */
export function breakOut(w: World, s: State, dice: Dice): -1 | 0 | 1 {
  const { L } = w;
  const hex = battleHex(w, s);
  let wanted = 0;
  for (let i = 0; i < s[L.pocketSize]!; i++) wanted += rollNumber(w.t.breakout, dice);
  for (let h = 0; wanted > 0 && h < w.hexes; h++) {
    if (s[L.pocket + h] === 0) continue;
    const joined = join(w, s, h, wanted, hex, dice);
    if (joined < 0) return -1;
    wanted -= joined;
  }
  if (w.t.breakout.drawBeyondPocket)
    for (; wanted > 0; wanted--) {
      const slot = drawCounter(w, s, dice);
      if (slot < 0 || !enlist(w, s, slot, hex, dice) || !poolHolds(w, s)) return -1;
    }
  countForce(w, s, BATTLE);
  let hits = 0;
  for (let cls = MECH; cls <= SEC; cls++)
    hits += fire(w, w.force[cls]!, GERMAN_COLUMN + cls, germanModifier(w, cls, hex, true, w.t.breakoutModifier), dice);
  const succeeded = !takeSovietLosses(w, s, hits);
  for (let c = 0; c < w.counters; c++)
    if (s[L.place + c] === BATTLE) {
      if (succeeded && w.t.support[c] === 0) toPool(w, s, c);
      else toNextBox(w, s, c);
    }
  if (succeeded) return 1;
  for (let h = 0; h < w.hexes; h++) {
    if (s[L.pocket + h] === 0) continue;
    if (s[L.marker + h]! > 0) toNextBox(w, s, liftMarker(w, s, h));
    else if (s[L.marker + h] === GARRISONED) {
      for (let c = 0; c < w.counters; c++) if (s[L.place + c] === GARRISON && s[L.site + c] === h) toNextBox(w, s, c);
      setMarker(w, s, h, 0);
    }
  }
  return 0;
}

/** Counters that lie in a pocket hex take part, up to `wanted`. @returns how many, -1 when the pool ran out */
function join(w: World, s: State, h: number, wanted: number, battle: number, dice: Dice): number {
  const { L } = w;
  if (s[L.marker + h]! > 0) return enlist(w, s, liftMarker(w, s, h), battle, dice) ? 1 : -1;
  if (s[L.marker + h] !== GARRISONED) return 0;
  let joined = 0;
  let stay = 0;
  for (let c = 0; c < w.counters; c++) {
    if (s[L.place + c] !== GARRISON || s[L.site + c] !== h) continue;
    if (joined < wanted) {
      layOpen(w, s, c, BATTLE);
      joined++;
    } else stay++;
  }
  if (stay === 0) setMarker(w, s, h, 0);
  return joined;
}

/** A counter takes part, or the one drawn in Guderian's place. @returns false when the pool ran out */
function enlist(w: World, s: State, slot: number, battle: number, dice: Dice): boolean {
  const fights = standIn(w, s, slot, battle, dice);
  if (fights < 0) return false;
  layOpen(w, s, fights, BATTLE);
  return fights === slot || poolHolds(w, s);
}
