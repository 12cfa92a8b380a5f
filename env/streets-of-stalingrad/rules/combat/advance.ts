import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { DONE, unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import * as events from "../../events/common.js";
import * as state from "../../state.js";
import type { UnitId } from "../../layout.js";
import type { Tables } from "../../state.js";
import { isBreakthrough, placeMarker, removeMarker } from "../movement/breakthrough.js";
import { moveUnit, tellMixed } from "../units/hidden.js";
import { displace } from "../units/leaders.js";
import { firesAt } from "../artillery/spotting.js";
import { fits } from "../units/stacking.js";
import { mayCross } from "../units/units.js";
import { arrive } from "../movement/walk.js";

const { ASK_ADVANCE, ASK_ICA, ATTACKER, COUNTER, ENTERED, F_ACTOR, F_FLAG, F_UNIT, GROUP, NO_SPOT, PINNED, SPENT } =
  words;
const {
  anyHas,
  enemyOf,
  firstIn,
  frameHex,
  frameOf,
  frameUnit,
  give,
  has,
  nextIn,
  order,
  placeOf,
  pop,
  push,
  take,
  takeAll,
  topFrame,
} = state;

const OP = KINDS.indexOf("op");
const GIVES_WAY = ["sniper", "mine-dog"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));

/**
 * Asks which units enter a hex that was cleared, if it was. Rule: SOS 9.85, SOS 12.6, ruling R37
 *
 * @param bit ATTACKER or COUNTER
 */
export function openAdvance(tables: Tables, s: State, side: number, hex: number, bit: number): void {
  if (isHeld(tables, s, enemyOf(side), hex)) return;
  const frame = push(tables, s, ASK_ADVANCE, side, hex);
  s[frame + F_FLAG] = bit === COUNTER ? 1 : 0;
}

/**
 * True if a unit in a hex keeps attackers out; a lone sniper or mine dog does not. Rule: SOS 16.15, SOS 16.25, ruling
 * R37
 */
function isHeld(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.lossUnit[u] === 1 && !GIVES_WAY.includes(roster.kind[u]!)) return true;
  return false;
}

/**
 * Decision `advance.unit`: adjacent attackers that are neither pinned nor spent, up to the stacking limit.
 * Rule: SOS 9.85, SOS 9.86
 */
export function fillAdvance(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { board, roster } = tables;
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const bit = s[frame + F_FLAG] === 1 ? COUNTER : ATTACKER;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!has(tables, s, u, bit) && !mayFollow(tables, s, u, bit)) continue;
    if (roster.boat[u] === 1 || has(tables, s, u, ENTERED | PINNED | SPENT) || firesAt(tables, s, u, hex)) continue;
    if (roster.chief[u] === 1 && !hasEntered(tables, s)) continue;
    const d = board.sideTo(placeOf(tables, s, u), hex);
    if (d < 0) continue;
    if (!mayCross(tables, s, u, placeOf(tables, s, u), d)) continue;
    if (!fits(tables, s, side, hex, u)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0 || mustEnter(tables, s)) return n;
  mask[at + DONE] = 1;
  return n + 1;
}

/** True when an OP beside the hex may go along with the attackers. Rule: SOS 14.93 */
const mayFollow = (tables: Tables, s: StateView, unit: number, bit: number): boolean =>
  bit === ATTACKER && tables.roster.kind[unit] === OP && placeOf(tables, s, unit) >= 0;

/** True when a combat unit has entered. Leaders and OPs come after. */
function hasEntered(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ENTERED) && tables.roster.chief[u] === 0) return true;
  return false;
}

/** After a breakthrough a unit has to enter. Rule: SOS 10.6 */
const mustEnter = (tables: Tables, s: StateView): boolean =>
  isBreakthrough(tables, s) && frameOf(tables, s, ASK_ICA) < 0 && !anyHas(tables, s, ENTERED);

/**
 * A unit advances; a sniper or mine dog alone in the hex goes to the nearest friends first. Rule: SOS 16.15, SOS 16.25,
 * ruling R50
 */
export function advance(tables: Tables, s: State, unit: UnitId, play: Play): void {
  const frame = topFrame(tables, s);
  for (let u = firstIn(tables, s, frameHex(s, frame)); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] !== tables.roster.side[unit] && GIVES_WAY.includes(tables.roster.kind[u]!)) {
      s[frame + F_UNIT] = unit + 1;
      displace(tables, s, u, false, play);
      return;
    }
  enter(tables, s, unit, play);
}

/** True when a unit is about to enter, now that the way is free. */
export const isEntering = (tables: Tables, s: StateView): boolean => s[topFrame(tables, s) + F_UNIT] !== 0;

/** The unit that was to enter does. */
export function continueAdvance(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  s[frame + F_UNIT] = 0;
  advance(tables, s, unit, play);
}

/** A unit enters, free of opportunity fire. Rule: SOS 9.85 */
function enter(tables: Tables, s: State, unit: number, play: Play): void {
  const hex = frameHex(s, topFrame(tables, s));
  give(tables, s, unit, GROUP | ENTERED);
  if (tables.roster.kind[unit] === OP) {
    give(tables, s, unit, NO_SPOT); // Rule: SOS 14.96
    order(tables, s, unit);
  }
  const from = placeOf(tables, s, unit);
  moveUnit(tables, s, unit, hex, play);
  if (play.narrator !== null) events.goes(tables, s, unit, from, "advances", play);
  tellMixed(tables, play);
  arrive(tables, s, tables.roster.side[unit]!, hex, play);
  take(tables, s, unit, GROUP);
  if (frameOf(tables, s, ASK_ICA) >= 0) removeMarker(tables, s, hex, play);
  else if (isBreakthrough(tables, s)) placeMarker(tables, s, tables.roster.side[unit]!, hex, play);
}

/** No other unit advances. Units that entered after a counter-attack are not countered again. Rule: SOS 12.3 */
export function closeAdvance(tables: Tables, s: State): void {
  pop(tables, s);
  if (frameOf(tables, s, ASK_ICA) >= 0) takeAll(tables, s, ENTERED);
}
