import type { Play } from "../../core/play.js";
import { lowest } from "../../core/bits.js";
import type { State, StateView } from "../../core/layout.js";
import { type CounterId, FIRST_COUNTER, type HexId, MECH, NONMECH, RAID, SEC, SUPPORT, type Tables } from "../data.js";
import { BATTLE, GARRISON, GARRISONED } from "../layout.js";
import * as events from "../events/battle.js";
import { supportLeft } from "../events/fire.js";
import { setMarker } from "../state.js";
import { liftMarker } from "./front.js";
import { drawCounter, layOpen, goesOnWithPool, substituteFor, toNextBox } from "./pool.js";

/** Rolls a formula of the tables. Rule: SC 8.3, SC 8.5, SC 8.6 */
export function rollNumber(
  tables: Tables,
  formula: { readonly dice: number; readonly add: number },
  play: Play,
): number {
  const heard = play.narrator !== null;
  let n = formula.add;
  for (let i = 0; i < formula.dice; i++) {
    const face = play.dice.d6();
    if (heard) tables.faces.push(face);
    n += face;
  }
  return Math.max(0, n);
}

/**
 * Forms the force that defends the battle hex: its garrison, or the marker turned up and as many
 * counters as the roll says, whatever else is in the hex. Rule: SC 3.7, SC 6.4, SC 6.5, SC 8.1, SC 8.3, SC 8.5, SC 8.9,
 * rulings R1, R10
 *
 * @returns false when the pool ran out and the game is over
 */
export function formDefence(tables: Tables, s: State, hex: HexId, play: Play): boolean {
  const { L } = tables;
  if (s[L.marker + hex] === GARRISONED) {
    setMarker(tables, s, hex, 0);
    for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
      if (s[L.place + c] === GARRISON && s[L.site + c] === hex) layOpen(tables, s, c, BATTLE);
    if (play.narrator !== null) events.garrisonDefends(tables, s, play);
    return true;
  }
  const marker = liftMarker(tables, s, hex);
  if (play.narrator !== null) events.markerTurnedUp(tables, hex, marker, play);
  if (!joinDefence(tables, s, marker, hex, play)) return false;
  tables.faces.length = 0;
  const n = rollNumber(tables, s[L.relief] === 1 ? tables.relief : tables.regular, play);
  if (play.narrator !== null) events.garrisonRolled(tables, s, n, play);
  const goesOn = drawDefence(tables, s, n, hex, play);
  if (play.narrator !== null) events.defendersDrawn(tables, s, false, play);
  return goesOn;
}

/** @returns false when the pool ran out */
function drawDefence(tables: Tables, s: State, n: number, hex: HexId, play: Play): boolean {
  for (let i = 0; i < n; i++) {
    const slot = drawCounter(tables, s, play);
    if (slot < 0 || !joinDefence(tables, s, slot, hex, play) || !goesOnWithPool(tables, s)) return false;
  }
  return true;
}

/** A counter that has turned up joins the defence, or another in its place. */
function joinDefence(tables: Tables, s: State, slot: CounterId, hex: HexId, play: Play): boolean {
  if (play.narrator !== null && slot === tables.guderian) events.defendersDrawn(tables, s, false, play);
  const fights = substituteFor(tables, s, slot, hex, play);
  if (fights < 0) return false;
  layOpen(tables, s, fights, BATTLE);
  return fights === slot || goesOnWithPool(tables, s);
}

/**
 * Counts units by class and support markers by kind of everything at `place` into `tables.force` (classes at 0..2,
 * kinds at 4 + kind): of a German unit only its class matters. Rule: SC 2.3, SC 2.11
 *
 * @param place of open counters
 * @returns units
 */
export function countForce(tables: Tables, s: StateView, place: number): number {
  const { force, counterWords } = tables;
  const { openBits, place: places } = tables.L;
  force.fill(0);
  for (let i = 0; i < counterWords; i++)
    for (let rest = s[openBits + i]!; rest !== 0; rest &= rest - 1) {
      const c = (i * 32 + lowest(rest)) as CounterId;
      if (s[places + c] !== place) continue;
      const k = tables.cls[c]!;
      if (k === SUPPORT) force[4 + tables.support[c]!]!++;
      else force[k]!++;
    }
  return force[MECH]! + force[NONMECH]! + force[SEC]!;
}

/** Support markers leave the battle for the next turn's box. Rule: SC 8.10, SC 10.12 */
export function dismissSupport(tables: Tables, s: State, play: Play): void {
  dismiss(tables, s, false, play);
}

/** Raids leave after the first round. Rule: SC 10.10 */
export function dismissRaids(tables: Tables, s: State, play: Play): void {
  dismiss(tables, s, true, play);
}

function dismiss(tables: Tables, s: State, raidsOnly: boolean, play: Play): void {
  const slots = tables.slotsOf[SUPPORT]!;
  const left: CounterId[] | null = play.narrator === null ? null : [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (s[tables.L.place + slot] !== BATTLE || (raidsOnly && tables.support[slot] !== RAID)) continue;
    toNextBox(tables, s, slot, play);
    left?.push(slot);
  }
  if (left !== null) supportLeft(tables, s, left, play);
}

/** Units that survived stay in the hex until Phase IV. Rule: SC 8.9 */
export function leaveGarrison(tables: Tables, s: State, hex: HexId, play: Play): void {
  const { L } = tables;
  if (play.narrator !== null) events.garrisonStays(tables, s, play);
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
    if (s[L.place + c] === BATTLE) layOpen(tables, s, c, GARRISON, hex);
  setMarker(tables, s, hex, GARRISONED);
}
