import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { AUTO, unitBase } from "../../actions.js";
import * as events from "../../events/administration.js";
import {
  AMMO_SAVED,
  AMMO_SHORT,
  AMMO_WORDS,
  ASK_AMMO,
  boxOf,
  F_ACTOR,
  F_NEED,
  FIRED_AF,
  isBox,
  ROLL_AMMO,
  SILENCED,
  type UnitId,
} from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, type SideIndex, SOVIET } from "../../roster.js";
import { has, placeOf, pop, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { record } from "../units/fire.js";

/** Offset of a side's words in `ammo`. */
export const ammoOf = ({ layout }: Tables, side: number): number => layout.ammo + side * AMMO_WORDS;

export const isSilenced = ({ layout }: Tables, s: StateView, unit: number): boolean =>
  (s[layout.work + unit]! & SILENCED) !== 0;

/**
 * True when a unit may be one that stays silent: a gun on the map or in a box of the East Bank, but no 88 and no Guards
 * Mortar. Rule: SOS 14.72, SOS 14.73, SOS 14.74
 */
export function isRationed(tables: Tables, s: StateView, unit: number): boolean {
  const place = placeOf(tables, s, unit);
  if (tables.roster.rationed[unit] === 0) return false;
  return place >= 0 || (isBox(place) && boxOf(place) < EAST_BOXES);
}

const maySilence = (tables: Tables, s: StateView, unit: number): boolean =>
  isRationed(tables, s, unit) && !isSilenced(tables, s, unit);

/** A new turn begins: guns on the map that stayed silent of themselves saved their AF. Rule: SOS 14.75, ruling R47 */
export function saveAmmunition(tables: Tables, s: State, play: Play): void {
  const { charts, layout, roster } = tables;
  for (let side = GERMAN; side <= SOVIET; side++) {
    const at = ammoOf(tables, side);
    s[at + AMMO_SHORT] = 0;
    let saved = 0;
    for (const gun of roster.guns) {
      if (roster.side[gun] !== side) continue;
      const silent = !isSilenced(tables, s, gun) && !has(tables, s, gun, FIRED_AF);
      if (silent && roster.rationed[gun] === 1 && placeOf(tables, s, gun) >= 0) saved += roster.af[gun]!;
      s[layout.work + gun]! &= ~SILENCED;
    }
    if (saved === 0 || charts.firstAmmunition(side as SideIndex) > s[layout.lastTurn]!) continue;
    s[at + AMMO_SAVED]! += saved;
    if (play.narrator !== null) events.saves(tables, s, side, saved, play);
  }
}

/**
 * A side throws for its ammunition: the die times the number of the date is what may not fire in this turn, less what
 * was saved. Rule: SOS 14.71, SOS 14.72, SOS 14.75, rulings R47, R86
 */
export function rollAmmunition(tables: Tables, s: State, side: number, play: Play): void {
  const factor = tables.charts.ammunitionFactor(side as SideIndex, s[tables.layout.turn]!);
  if (factor === 0) return;
  const die = play.dice.d10();
  const at = ammoOf(tables, side);
  const saved = Math.min(s[at + AMMO_SAVED]!, die * factor);
  s[at + AMMO_SAVED]! -= saved;
  s[at + AMMO_SHORT] = die * factor - saved;
  record(tables, s, ROLL_AMMO, -1, 0, 0, die, 0, die * factor);
  if (play.narrator !== null) events.ammunition(tables, s, side, die, factor, saved, play);
  const need = s[at + AMMO_SHORT]!;
  if (need === 0) return;
  push(tables, s, ASK_AMMO, side);
  s[topFrame(tables, s) + F_NEED] = need;
}

/**
 * Decision `admin.ammo`: a gun that stays silent, or the smallest ones. Where all are needed nobody is asked. Rule: SOS
 * 14.73, SOS 14.74
 */
export function fillAmmunition(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  if (takesAll(tables, s)) return 0;
  let n = 1;
  for (const gun of roster.guns) {
    if (roster.side[gun] !== s[frame + F_ACTOR] || !maySilence(tables, s, gun)) continue;
    mask[at + unitBase(tables.hexes) + gun] = 1;
    n++;
  }
  mask[at + AUTO] = 1;
  return n;
}

/** True when the shortage takes all remaining guns. */
function takesAll(tables: Tables, s: StateView): boolean {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  let sum = 0;
  let least = Infinity;
  for (const gun of roster.guns) {
    if (roster.side[gun] !== s[frame + F_ACTOR] || !maySilence(tables, s, gun)) continue;
    sum += roster.af[gun]!;
    least = Math.min(least, roster.af[gun]!);
  }
  return sum === 0 || sum - least < s[frame + F_NEED]!;
}

/** A gun stays silent. @returns true when that was enough */
function silence(tables: Tables, s: State, gun: number, play: Play): boolean {
  const frame = topFrame(tables, s);
  s[tables.layout.work + gun]! |= SILENCED;
  if (play.narrator !== null) events.staysSilent(tables, gun, play);
  const left = s[frame + F_NEED]! - tables.roster.af[gun]!;
  s[frame + F_NEED] = Math.max(0, left);
  if (left <= 0) s[ammoOf(tables, s[frame + F_ACTOR]!) + AMMO_SAVED]! -= left; // too much is saved. Ruling R47
  return left <= 0;
}

/** The owner names a gun. Rule: SOS 14.73, SOS 14.74 */
export function silenceOne(tables: Tables, s: State, gun: UnitId, play: Play): void {
  if (silence(tables, s, gun, play)) closeAmmunition(tables, s, play);
}

/** The smallest guns stay silent until it is enough, or none is left. Ruling R47 */
export function silenceLeast(tables: Tables, s: State, play: Play): void {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  for (;;) {
    let least = -1;
    for (const gun of roster.guns)
      if (roster.side[gun] === side && maySilence(tables, s, gun) && (least < 0 || roster.af[gun]! < roster.af[least]!))
        least = gun;
    if (least < 0 || silence(tables, s, least, play)) break;
  }
  closeAmmunition(tables, s, play);
}

function closeAmmunition(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.isSilent(tables, s, s[topFrame(tables, s) + F_ACTOR]!, play);
  pop(tables, s);
}
