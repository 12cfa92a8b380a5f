import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, ALL, DONE, PASS, unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import { GERMAN } from "../../roster.js";
import {
  ASK_ICA,
  CAUSE_COUNTER,
  CAUSE_COUNTER_LOST,
  COUNTER,
  EXPOSED,
  F_ACTOR,
  F_FLAG,
  F_STEP,
  PINNED,
  R_DRMS,
  ROLL_ICA,
  SPENT,
} from "../../layout.js";
import * as events from "../../events/combat.js";
import {
  anyHas,
  enemyOf,
  firstIn,
  frameHex,
  give,
  has,
  nextIn,
  placeOf,
  pop,
  push,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { ICA_A1, ICA_D1R2 } from "../../charts.js";
import { openAdvance } from "./advance.js";
import { openAfter } from "./after.js";
import { record } from "../units/fire.js";
import { reveal } from "../units/hidden.js";
import { settleLosses } from "../units/leaders.js";
import { hasLossUnit, takeLosses } from "../units/losses.js";
import { leaderIn } from "../movement/reserves.js";
import { isArmored } from "../units/units.js";
import { unitsWith } from "../../events/words.js";

/** Steps of a counter-attack: asked, losses taken, driven back, hex occupied. */
export const ICA_ASKS = 0;
export const ICA_ROLLED = 1;
export const ICA_RETREATED = 2;
export const ICA_OCCUPIED = 3;

const INFANTRY = KINDS.indexOf("infantry");
const SP_GUN = KINDS.indexOf("sp-gun");

/**
 * Asks the defender for a counter-attack on the hex just entered, in every phase as often. Rule: SOS 12.1, SOS 12.2,
 * ruling R39
 */
export function openIca(tables: Tables, s: State, side: number, hex: number): void {
  push(tables, s, ASK_ICA, side, hex);
}

/**
 * True when a unit may take part: all units beside the hex, in one hex or in several. Rule: SOS 12.3, SOS 12.4, SOS
 * 12.5
 */
function mayCounter(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  if (from < 0 || board.sideTo(from, hex) < 0 || has(tables, s, unit, PINNED | SPENT | COUNTER)) return false;
  if (roster.af[unit] === 0) return false;
  const armor = isArmored(tables, s, unit);
  if (roster.indirect[unit] === 1 || !(armor || roster.infantryType[unit] === 1)) return false;
  if (roster.side[unit] === GERMAN) return true;
  // of the Soviet units infantry and armor, no engineers, flame-throwers or guns
  if (roster.kind[unit] === SP_GUN || !(armor || roster.kind[unit] === INFANTRY)) return false;
  return roster.guards[unit] === 1 || leaderIn(tables, s, from, false);
}

/** Decision `ica.unit`. */
export function fillIca(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!mayCounter(tables, s, u, hex)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  if (n > 1) n += allow(mask, at + ALL);
  return n + allow(mask, at + (anyHas(tables, s, COUNTER) ? DONE : PASS));
}

/** All units that may take part. */
export function counterWithAll(tables: Tables, s: State): void {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (mayCounter(tables, s, u, frameHex(s, frame))) give(tables, s, u, COUNTER);
}

/** Rolls the counter-attack: die plus AF minus DF, no other modifier. Rule: SOS 12.6, SOS 12.7 */
export function rollIca(tables: Tables, s: State, play: Play): void {
  const { charts, roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  let sum = 0;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, COUNTER)) {
      sum += roster.af[u]!;
      reveal(tables, s, u, play);
    }
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) sum -= roster.df[u]!;
  const die = play.dice.d10();
  const result = charts.ica(die + sum);
  s[record(tables, s, ROLL_ICA, -1, 0, 0, die, die + sum, result) + R_DRMS] = sum;
  if (play.narrator !== null) events.counterAttack(tables, s, side, unitsWith(tables, s, COUNTER), hex, play);
  s[frame + F_STEP] = ICA_ROLLED;
  s[frame + F_FLAG] = result === ICA_D1R2 ? 1 : 0;
  const lost = result === ICA_A1;
  takeAll(tables, s, EXPOSED);
  for (let u = 0; u < tables.units; u++)
    if (lost ? has(tables, s, u, COUNTER) : placeOf(tables, s, u) === hex && roster.lossUnit[u] === 1)
      give(tables, s, u, EXPOSED);
  const owner = lost ? side : enemyOf(side);
  if (!takeLosses(tables, s, owner, hex, 1, lost ? CAUSE_COUNTER_LOST : CAUSE_COUNTER, false, play))
    settleLosses(tables, s, owner, play);
}

/** The counter-attack on top of the stack goes on after its roll. Rule: SOS 12.6 */
export function continueIca(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  const occupant = enemyOf(side);
  switch (s[frame + F_STEP]) {
    case ICA_ROLLED:
      s[frame + F_STEP] = ICA_RETREATED;
      if (s[frame + F_FLAG] === 1 && hasLossUnit(tables, s, occupant, hex))
        openAfter(tables, s, occupant, hex, 2, play);
      return;
    case ICA_RETREATED:
      s[frame + F_STEP] = ICA_OCCUPIED;
      openAdvance(tables, s, side, hex, COUNTER);
      return;
    default:
      if (play.narrator !== null) events.counterEnds(tables, side, unitsWith(tables, s, COUNTER), hex, play);
      for (let u = 0; u < tables.units; u++) if (has(tables, s, u, COUNTER)) give(tables, s, u, SPENT);
      takeAll(tables, s, COUNTER);
      pop(tables, s);
  }
}
