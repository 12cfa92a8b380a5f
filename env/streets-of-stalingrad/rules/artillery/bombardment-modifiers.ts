import type { StateView } from "../../../core/layout.js";
import {
  BY_CRT,
  DRM_ADJACENT_LEADER,
  DRM_ARMOR_TARGET,
  DRM_ENEMY_LEADER,
  DRM_FORT,
  DRM_LWOP,
  DRM_TARGET_MINES,
  DRM_TERRAIN,
} from "../../layout.js";
import { enemyOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { isSeenFromAir } from "./air.js";
import { hasArmor, shiesArmor } from "../units/armor.js";
import { chiefIn, worth } from "../units/command.js";
import { addFirerDrms, clearDrms } from "../units/fire.js";
import { addGunDrms } from "./guns.js";
import { hasLeaderBeside } from "../units/leaders.js";
import { isMinedBy } from "../units/mines.js";
import { FOOT, FORTIFIED, SOFT, targetsIn } from "../units/targets.js";

/**
 * Makes up the modifiers of a bombardment, or of guns that fire alone. Rule: SOS 9.71, SOS 14.6
 *
 * @param boats the flotilla fires with them
 */
export function makeDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  table: number,
  guns: (gun: number) => boolean,
  stukas: number,
  seen = false,
  boats = false,
): void {
  const { board, drms, roster } = tables;
  const enemy = enemyOf(side);
  clearDrms(tables);
  addGunDrms(tables, s, hex, guns, table);
  const there = targetsIn(tables, s, enemy, hex, seen);
  if ((there & FORTIFIED) !== 0 && (there & SOFT) !== 0) drms[DRM_FORT] = 1; // Rule: SOS 17.31
  if (isMinedBy(tables, s, side, hex)) drms[DRM_TARGET_MINES] = -1; // Rule: SOS 17.23
  const armor = hasArmor(tables, s, enemy, hex, seen);
  let shies = stukas > 0 || boats;
  let underlined = false;
  let shells = false;
  for (const gun of roster.guns) {
    if (!guns(gun)) continue;
    shells = true;
    addFirerDrms(tables, s, gun, false);
    if (roster.antiTank[gun] === 1) underlined = true;
    if (armor && shiesArmor(tables, s, gun, hex)) shies = true;
  }
  // beside guns theirs is the one modifier of spotting. Rule: SOS 14.31, SOS 15.17, ruling R135
  if (stukas > 0 && !shells && isSeenFromAir(tables, s, hex)) drms[DRM_LWOP] = -1;
  if (table !== BY_CRT) return;
  if (armor && shies && !underlined) drms[DRM_ARMOR_TARGET] = 1;
  drms[DRM_TERRAIN] = ((there & FOOT) !== 0 ? board.footDrm : board.drm)[hex]!;
  const chief = chiefIn(tables, s, enemy, hex, seen);
  if (chief >= 0) drms[DRM_ENEMY_LEADER] = worth(tables, s, chief);
  if (hasLeaderBeside(tables, s, enemy, hex, seen)) drms[DRM_ADJACENT_LEADER] = 1;
}
