import type { StateView } from "../../../core/layout.js";
import {
  ATTACKER,
  BY_CRT,
  COMMIT_ARMOR,
  COMMIT_ENGINEERS,
  DRM_ADJACENT_LEADER,
  DRM_ARMOR_TARGET,
  DRM_ASSAULT,
  DRM_COMBINED_ARMS,
  DRM_ENEMY_LEADER,
  DRM_ENGINEER,
  DRM_FORT,
  DRM_IF_SUPPORT,
  DRM_INTEG_ARMOR,
  DRM_LEADER,
  DRM_LWOP,
  DRM_ON_MINES,
  DRM_TERRAIN,
  DRM_VOLGA,
} from "../../layout.js";
import { enemyOf, firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { isSeenFromAir } from "../artillery/air.js";
import { hasArmor, hasPanzerIntegrity, PANZERS_ATTACK, shiesArmor } from "../units/armor.js";
import { chiefIn, worth } from "../units/command.js";
import { hasCombinedArms, hasEngineers } from "./commitment.js";
import { makeDrms } from "../artillery/bombardment-modifiers.js";
import { addFirerDrms, clearDrms } from "../units/fire.js";
import { addGunDrms } from "../artillery/guns.js";
import { addIntegrity } from "../units/integrity.js";
import { hasLeaderBeside } from "../units/leaders.js";
import { isMinedBy } from "../units/mines.js";
import { isArmored } from "../units/units.js";
import { FOOT, FORTIFIED, SOFT, targetsIn } from "../units/targets.js";
import { inZocOf } from "../units/zoc.js";
import { firesDirectly, hasBoat, isShelling, stukasIn } from "./participants.js";

/** Makes up the modifiers of guns and Stukas that attack alone: they bombard. Rule: SOS 14.41 @param seen as below */
export function makeBarrageDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  table: number,
  seen: boolean,
): void {
  const boats = hasBoat(tables, s);
  makeDrms(tables, s, side, hex, table, (gun) => isShelling(tables, s, gun, hex), stukasIn(tables, s), seen, boats);
}

/**
 * Makes up the modifiers of an attack by the units with ATTACKER. Rule: SOS 8.13, SOS 9.71, SOS 9.92, SOS 9.93
 *
 * @param committed `F_COMMIT` of the attack
 * @param seen what the attacker doesn't know of counts as foot, not as armor, fort or leader
 */
export function makeAttackDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  committed: number,
  seen: boolean,
): void {
  const { board, drms, roster } = tables;
  clearDrms(tables);
  const there = targetsIn(tables, s, enemyOf(side), hex, seen);
  drms[DRM_TERRAIN] = ((there & FOOT) !== 0 ? board.footDrm : board.drm)[hex]!;
  if ((there & FORTIFIED) !== 0 && (there & SOFT) !== 0) drms[DRM_FORT] = 1; // Rule: SOS 17.31
  if (hasAssaultAdvantage(tables, s, side, hex)) drms[DRM_ASSAULT] = -1;
  if ((committed & COMMIT_ENGINEERS) !== 0 && hasEngineers(tables, s)) drms[DRM_ENGINEER] = -1;
  if ((committed & COMMIT_ARMOR) !== 0 && hasCombinedArms(tables, s)) drms[DRM_COMBINED_ARMS] = -1;
  const armor = hasArmor(tables, s, enemyOf(side), hex, seen);
  let guns = false;
  let shies = false;
  let shells = false;
  let direct = false;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, ATTACKER)) continue;
    if (roster.leader[u] === 1) {
      drms[DRM_LEADER]! -= worth(tables, s, u);
      continue;
    }
    if (isShelling(tables, s, u, hex)) shells = true;
    else direct = true;
    addFirerDrms(tables, s, u, false);
    if (roster.antiTank[u] === 1) guns = true;
    if (armor && shiesArmor(tables, s, u, hex)) shies = true;
    if (board.volga[placeOf(tables, s, u)] === 1) drms[DRM_VOLGA] = 1;
    if ((roster.infantryType[u] === 1 || isArmored(tables, s, u)) && isOnMines(tables, s, u, seen))
      drms[DRM_ON_MINES] = 1; // Rule: SOS 17.23
  }
  const stukas = stukasIn(tables, s) > 0;
  if ((shies || (stukas && armor)) && !guns) drms[DRM_ARMOR_TARGET] = 1;
  // beside guns theirs is the one modifier of spotting. Rule: SOS 14.31, SOS 15.17, ruling R135
  if (stukas && !shells && isSeenFromAir(tables, s, hex)) drms[DRM_LWOP] = -1;
  if (shells) addGunDrms(tables, s, hex, (gun) => isShelling(tables, s, gun, hex), BY_CRT);
  if (shells && direct) drms[DRM_IF_SUPPORT] = -1;
  const chief = chiefIn(tables, s, enemyOf(side), hex, seen);
  if (chief >= 0) drms[DRM_ENEMY_LEADER] = worth(tables, s, chief);
  if (hasLeaderBeside(tables, s, enemyOf(side), hex, seen)) drms[DRM_ADJACENT_LEADER] = 1;
  addIntegrity(tables, s, side, hex, seen);
  const clear = board.clearForFoot[hex] === 1;
  if (clear && hasPanzerIntegrity(tables, s, PANZERS_ATTACK, (u) => has(tables, s, u, ATTACKER)))
    drms[DRM_INTEG_ARMOR] = -1;
}

/** True when a unit is on a minefield of the enemy. @param seen counts only one that its side knows of */
const isOnMines = (tables: Tables, s: StateView, unit: number, seen: boolean): boolean =>
  tables.roster.mines.length > 0 &&
  isMinedBy(tables, s, enemyOf(tables.roster.side[unit]!), placeOf(tables, s, unit), seen);

/** Attacked from three hexes beside it, two of them opposite, and no way out. Rule: SOS 9.71, ruling R31 */
function hasAssaultAdvantage(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, roster } = tables;
  let from = 0;
  for (let d = 0; d < 6; d++) {
    const h = board.neighbours[hex * 6 + d]!;
    if (h < 0) continue;
    let held = false;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] === side && roster.zocUnit[u] === 1) held = true;
      if (firesDirectly(tables, s, u, hex)) from |= 1 << d;
    }
    if (!held && !inZocOf(tables, s, side, h)) return false;
  }
  const sides = COUNT[from]!;
  return sides >= 3 && (from & (from >> 3) & 7) !== 0;
}

/** Set bits of six. */
const COUNT = Uint8Array.from({ length: 64 }, (_, i) => i.toString(2).replaceAll("0", "").length);
