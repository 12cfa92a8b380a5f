import type { Dice } from "../../../core/dice/dice.js";
import type { State, StateView } from "../../../core/layout.js";
import type { Play } from "../../../core/play.js";
import { BOX } from "../../actions.js";
import * as events from "../../events/river.js";
import {
  boxPlace,
  DRM_DATE,
  DRM_LWOP_HILL,
  DRM_SPOT,
  eastResult,
  M_HEX,
  M_POINTS,
  MISSION_DONE,
  MISSION_FLAK,
  MISSION_FROZEN,
  NEW_PIN,
  PINNED,
  R_DRMS,
  ROLL_EASTBANK,
  UNTOLD,
  type HexId,
} from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { boxAt, give, has, placeOf, put, type Tables } from "../../state.js";
import { clearDrms, drmSum, record } from "../units/fire.js";
import { forgetBox, tellMixed } from "../units/hidden.js";
import { openFlak, ownFlak, rollFlak } from "./air.js";
import { mayShell, useGun } from "./guns.js";
import { missionAt, missionHex, missionSide, missionStukas, storeDrms, turnBack } from "./missions.js";
import { firesAt, spotModifier } from "./spotting.js";

/** A box as a target. */
export const boxTarget = ({ hexes }: Tables, box: number): HexId => (hexes + box) as HexId;

/** True when there is a gun in a box that can be hit. Rule: SOS 14.54 */
export function holdsBattery({ layout, roster }: Tables, s: StateView, box: number): boolean {
  const place = boxPlace(box);
  for (const gun of roster.guns) if (roster.battery[gun] === 1 && s[layout.place + gun] === place) return true;
  return false;
}

/**
 * True when guns, or Stukas, have already been named against a target. They bombard boxes separately. Rule: SOS 15.32
 */
function isNamed(tables: Tables, s: StateView, target: number, stukas: boolean): boolean {
  for (let i = 0; i < s[tables.layout.missionCount]!; i++) {
    const mission = missionAt(tables, i);
    if (missionHex(s, mission) === target && missionSide(s, mission) === GERMAN)
      if (missionStukas(s, mission) > 0 === stukas) return true;
  }
  return false;
}

/** True when a gun may be named against a box. Rule: SOS 14.29, SOS 14.52 */
export const mayShellBox = (tables: Tables, s: StateView, gun: number, target: number): boolean =>
  mayShell(tables, s, gun, target) && !isNamed(tables, s, target, false);

/** True when Stukas may fly against a box. They need no observer. Rule: SOS 15.31 */
export const mayBombBox = (tables: Tables, s: StateView, target: number): boolean =>
  s[tables.layout.stukasAvailable] !== 0 && !isNamed(tables, s, target, true);

/**
 * Marks the boxes that the German side may bombard. Rule: SOS 14.54, rulings R25, R119
 *
 * @param flies true when Stukas may
 * @returns their number
 */
export function markBoxes(tables: Tables, s: StateView, flies: boolean, mask: Uint8Array, at: number): number {
  const { guns, gunCount } = tables.spots;
  let n = 0;
  for (let box = 0; box < EAST_BOXES; box++) {
    if (tables.river.inPlay[box] !== true || !holdsBattery(tables, s, box)) continue;
    const target = boxTarget(tables, box);
    let reached = flies && mayBombBox(tables, s, target);
    for (let i = 0; i < gunCount && !reached; i++) reached = mayShellBox(tables, s, guns[i]!, target);
    if (!reached) continue;
    mask[at + BOX + box] = 1;
    n++;
  }
  return n;
}

/** True when a mission against a box is still to be rolled for. */
export function awaitsBoxes(tables: Tables, s: StateView): boolean {
  for (let i = 0; i < s[tables.layout.missionCount]!; i++) if (isDue(tables, s, missionAt(tables, i))) return true;
  return false;
}

const isDue = (tables: Tables, s: StateView, mission: number): boolean =>
  boxAt(tables, missionHex(s, mission)) >= 0 && (s[mission + M_HEX]! & MISSION_DONE) === 0;

/**
 * Rolls for the missions against boxes, one after another: anti-aircraft fire, the die, who is hit. Rule: SOS 14.48,
 * ruling R25
 *
 * @returns true when all is done, false when anti-aircraft fire is asked for
 */
export function resolveBoxes(tables: Tables, s: State, play: Play): boolean {
  for (let i = 0; i < s[tables.layout.missionCount]!; i++) {
    const mission = missionAt(tables, i);
    if (!isDue(tables, s, mission)) continue;
    if (missionStukas(s, mission) > 0 && (s[mission + M_HEX]! & MISSION_FLAK) === 0) {
      const target = missionHex(s, mission);
      s[mission + M_HEX]! |= MISSION_FLAK;
      if (openFlak(tables, s, target, i + 1)) return false;
      const firers = play.narrator === null ? null : [];
      turnBack(tables, s, i, rollFlak(tables, s, target, ownFlak(tables, target), firers, play));
    }
    s[mission + M_HEX]! &= ~MISSION_FLAK;
    resolve(tables, s, mission, play);
  }
  return true;
}

/**
 * Modifiers of fire at a box: spotting and the date alone. Rule: SOS 14.6, SOS 14.31, SOS 15.31, ruling R122
 *
 * @param guns those that fire
 */
export function makeBoxDrms(
  tables: Tables,
  s: StateView,
  target: number,
  guns: (gun: number) => boolean,
  stukas: number,
): void {
  const { charts, drms, layout, roster } = tables;
  clearDrms(tables);
  let worst = -Infinity;
  for (const gun of roster.guns) if (guns(gun)) worst = Math.max(worst, spotModifier(tables, s, gun, target));
  if (worst > -Infinity) drms[DRM_SPOT] = worst;
  if (stukas > 0 && isHillWatched(tables, s)) drms[DRM_LWOP_HILL] = charts.spotting.lwOp;
  drms[DRM_DATE] = charts.dateDrm(s[layout.turn]!);
}

/** True when the observer of the Luftwaffe is on the hill from which the East Bank is seen. Rule: SOS 15.31 */
function isHillWatched(tables: Tables, s: StateView): boolean {
  const { board, roster } = tables;
  if (board.sight.hill < 0) return false;
  for (let u = 0; u < roster.germans; u++)
    if (roster.airOp[u] === 1 && placeOf(tables, s, u) === board.sight.hill)
      if (!has(tables, s, u, PINNED) || has(tables, s, u, NEW_PIN)) return true;
  return false;
}

function resolve(tables: Tables, s: State, mission: number, play: Play): void {
  const { charts, drms, roster } = tables;
  const target = missionHex(s, mission);
  const guns = (gun: number): boolean => roster.side[gun] === GERMAN && firesAt(tables, s, gun, target);
  const stukas = missionStukas(s, mission);
  const shells = stukas === 0;
  makeBoxDrms(tables, s, target, (gun) => shells && guns(gun), stukas);
  storeDrms(tables, s, mission);
  s[mission + M_HEX]! |= MISSION_FROZEN | MISSION_DONE;
  if (shells) for (const gun of roster.guns) if (guns(gun)) useGun(tables, s, gun);
  const points = s[mission + M_POINTS]!;
  const column = charts.column(points, charts.ebbt);
  if (column < 0) return; // all Stukas have turned back
  const die = play.dice.d10();
  const mdr = charts.clamp(die + drmSum(tables), charts.ebbt);
  const row = charts.cell(column, mdr, charts.ebbt);
  const [pinned, eliminated] = [charts.ebbt.pinned[row]!, charts.ebbt.eliminated[row]!];
  const at = record(tables, s, ROLL_EASTBANK, -1, points, column, die, mdr, eastResult(pinned, eliminated));
  for (let i = 0; i < drms.length; i++) s[at + R_DRMS + (i >> 3)]! |= (drms[i]! & 15) << (4 * (i & 7));
  hit(tables, s, boxAt(tables, target), pinned, eliminated, play);
}

/**
 * Batteries of a box are hit at random: first those that are lost, then those that are pinned. Only their owner learns
 * who. Rule: SOS 14.81, rulings R25, R122
 */
function hit(tables: Tables, s: State, box: number, pinned: number, eliminated: number, play: Play): void {
  const { layout, roster, victims } = tables;
  const place = boxPlace(box);
  victims.count = 0;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++)
    if (roster.battery[u] === 1 && s[layout.place + u] === place) victims.list[victims.count++] = u;
  const drawn: number[] | null = play.narrator === null ? null : [];
  const lost = draw(tables, eliminated, drawn, play.dice);
  const left = victims.count - lost;
  // the lost come after the others
  const gone = victims.list.subarray(left, left + lost);
  victims.count = left;
  const hurt = draw(tables, pinned, drawn, play.dice);
  const held = victims.list.subarray(left - hurt, left);
  if (play.narrator !== null) events.boxHit(tables, s, box, [...gone], [...held], drawn!, play);
  for (const u of held) give(tables, s, u, PINNED);
  for (const u of gone) put(tables, s, u, UNTOLD);
  if (lost > 0) forgetBox(tables, s, place, play);
  tellMixed(tables, play);
}

/**
 * Draws `need` of the victims and moves them to the end of the list; without a draw where that is all of them.
 *
 * @returns how many
 */
function draw(tables: Tables, need: number, drawn: number[] | null, dice: Dice): number {
  const { victims } = tables;
  const { list } = victims;
  const all = victims.count;
  if (need >= all) return all;
  for (let k = 0; k < need; k++) {
    victims.count = all - k;
    const i = dice.draw(victims.count, tables.nameVictim);
    const unit = list[i]!;
    drawn?.push(unit);
    // the others keep the order of their slots
    list.copyWithin(i, i + 1, victims.count);
    list[victims.count - 1] = unit;
  }
  victims.count = all;
  return need;
}
