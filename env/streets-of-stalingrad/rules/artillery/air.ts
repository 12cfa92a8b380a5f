import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { ALL, DONE, NUMBER, unitBase } from "../../actions.js";
import { LOSSES } from "../../charts.js";
import * as events from "../../events/air.js";
import { AA_FIRED, ASK_AA, boxPlace, F_NEED, FIRING, NEW_PIN, PINNED, ROLL_AA, UNREADY } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import {
  anyHas,
  boxAt,
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
import { clearDrms, rollCrt } from "../units/fire.js";
import { reveal } from "../units/hidden.js";

const LIFELESS = ["bridge", "minefield", "fortification"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));

/**
 * True when the observer of the Luftwaffe sees a hex. Pinned in this phase or having moved he does: only artillery
 * waits then. Rule: SOS 14.94, SOS 14.96, SOS 15.14, SOS 15.17
 */
export function isSeenFromAir(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < roster.germans; u++) {
    if (roster.airOp[u] === 0 || (has(tables, s, u, PINNED) && !has(tables, s, u, NEW_PIN))) continue;
    const from = placeOf(tables, s, u);
    if (from >= 0 && board.sight.spots(from, hex, true)) return true;
  }
  return false;
}

/**
 * True when Stukas may fly against a hex. Not over Germans, nor beside them where it is built up. Rule: SOS 9.104, SOS
 * 15.13, SOS 15.16, ruling R71
 */
export function mayFly(tables: Tables, s: StateView, hex: number): boolean {
  const { board, layout } = tables;
  if (s[layout.stukasAvailable] === 0 || hasGermans(tables, s, hex)) return false;
  if (board.pinSpends[hex] === 0) return true;
  for (let d = hex * 6; d < hex * 6 + 6; d++)
    if (board.neighbours[d]! >= 0 && hasGermans(tables, s, board.neighbours[d]!)) return false;
  return true;
}

/** True when Germans are in a hex, and not only a bridge, mines or a fort. */
function hasGermans(tables: Tables, s: StateView, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === GERMAN && !LIFELESS.includes(roster.kind[u]!)) return true;
  return false;
}

/**
 * Offers all numbers of Stukas, in attacks and bombardments only. Rule: SOS 15.11, SOS 15.12, SOS 15.15, ruling R48
 *
 * @returns how many actions
 */
export function fillStukas(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const n = s[tables.layout.stukasAvailable]!;
  for (let k = 1; k <= n; k++) mask[at + NUMBER + k] = 1;
  return n;
}

/** Stukas take off; they are back next turn. Rule: SOS 15.11, SOS 15.21, SOS 15.33 */
export function useStukas({ layout }: Tables, s: State, n: number): void {
  s[layout.stukasAvailable]! -= n;
  s[layout.stukasUsed]! += n;
}

/** True when a unit may fire at Stukas over a hex. It needs no line of sight. Rule: SOS 15.42, SOS 15.44, ruling R49 */
function mayFlak(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  const box = boxAt(tables, hex);
  if (roster.flak[unit] === 0 || roster.af[unit] === 0 || (box < 0 ? from < 0 : from !== boxPlace(box))) return false;
  if (has(tables, s, unit, PINNED | UNREADY | AA_FIRED | FIRING)) return false;
  return box >= 0 || board.distance(from, hex) <= roster.range[unit]!; // Rule: SOS 15.43
}

/** Points of anti-aircraft fire that a target has without counters. Rule: SOS 15.43 */
export function ownFlak(tables: Tables, hex: number): number {
  const box = boxAt(tables, hex);
  return box < 0 ? 0 : tables.river.aa[box]!;
}

/**
 * Before Stukas come to a hex the Soviet side is asked for anti-aircraft fire, if it has any. Rule: SOS 15.42
 *
 * @param mission number of the mission from 1 on, 0 an attack
 * @returns false when nobody can fire
 */
export function openFlak(tables: Tables, s: State, hex: number, mission: number): boolean {
  const { roster } = tables;
  for (let u = roster.germans; u < tables.units; u++)
    if (mayFlak(tables, s, u, hex)) {
      s[push(tables, s, ASK_AA, SOVIET, hex) + F_NEED] = mission;
      if (tables.autoAa) nameAllFlak(tables, s);
      return true;
    }
  return false;
}

/** Decision `aa.unit`. */
export function fillFlak(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const hex = frameHex(s, topFrame(tables, s));
  let n = 0;
  for (let u = roster.germans; u < tables.units; u++) {
    if (!mayFlak(tables, s, u, hex)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  if (n > 1) mask[at + ALL] = 1;
  mask[at + DONE] = 1;
  return n > 1 ? n + 2 : n + 1;
}

/** All units in range fire. */
export function nameAllFlak(tables: Tables, s: State): void {
  const hex = frameHex(s, topFrame(tables, s));
  for (let u = tables.roster.germans; u < tables.units; u++) if (mayFlak(tables, s, u, hex)) give(tables, s, u, FIRING);
}

/**
 * The units named fire together, without modifiers: each unit lost by the result is a Stuka that turns back.
 * Rule: SOS 15.41, SOS 15.44, SOS 15.45, SOS 15.46
 *
 * @returns mission as in `openFlak`, and Stukas that turn back
 */
export function fireFlak(tables: Tables, s: State, play: Play): { mission: number; aborted: number } {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const mission = s[frame + F_NEED]!;
  const firers: number[] | null = play.narrator === null ? null : [];
  let points = ownFlak(tables, hex);
  if (anyHas(tables, s, FIRING)) {
    for (let u = tables.roster.germans; u < tables.units; u++) {
      if (!has(tables, s, u, FIRING)) continue;
      firers?.push(u);
      points += tables.roster.af[u]!;
      reveal(tables, s, u, play);
      give(tables, s, u, AA_FIRED);
    }
    takeAll(tables, s, FIRING);
  }
  pop(tables, s);
  return { mission, aborted: points === 0 ? 0 : rollFlak(tables, s, hex, points, firers, play) };
}

/** The die of anti-aircraft fire. @param firers null: nobody listens @returns Stukas that turn back */
export function rollFlak(
  tables: Tables,
  s: State,
  hex: number,
  points: number,
  firers: readonly number[] | null,
  play: Play,
): number {
  clearDrms(tables);
  const result = rollCrt(tables, s, ROLL_AA, hex, points, 0, play.dice);
  if (firers !== null) events.flak(tables, s, firers, play);
  return LOSSES[result]!;
}
