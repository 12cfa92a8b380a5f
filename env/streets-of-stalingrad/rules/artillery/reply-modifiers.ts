import type { StateView } from "../../../core/layout.js";
import {
  BY_CRT,
  DRM_ARMOR_TARGET,
  DRM_BATTALION_GOOD,
  DRM_INTEG_ARMOR,
  DRM_TARGET_LEADER,
  DRM_TARGET_MINES,
} from "../../layout.js";
import { enemyOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { defenceOf, hasPanzerIntegrity, PANZERS_FIRE, shiesArmor } from "../units/armor.js";
import { chiefIn, worth } from "../units/command.js";
import { addFirerDrms, clearDrms } from "../units/fire.js";
import { hasBattalion } from "../units/integrity.js";
import { isMinedBy } from "../units/mines.js";
import { addGunDrms } from "./guns.js";

/** Who fires at what, in defensive or opportunity fire. */
export interface Reply {
  readonly fires: (unit: number) => boolean;
  /** Who of them fires with the AF, as a gun. */
  readonly shells: (unit: number) => boolean;
  /** True when there is armor among the targets. */
  readonly armor: boolean;
  /** True when the other units fire with what they have against vehicles. */
  readonly vehicles: boolean;
}

/**
 * Points and modifiers of fire at attackers or movers. Rule: SOS 9.72, SOS 9.73, SOS 9.92
 *
 * @param seen for a preview: only what the firer knows
 */
export function makeReplyDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  { fires, shells, armor, vehicles }: Reply,
  table: number,
  seen: boolean,
): { points: number; underlined: boolean } {
  const { drms, roster } = tables;
  const direct = table === BY_CRT;
  let points = 0;
  let underlined = false;
  let shies = false;
  clearDrms(tables);
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!fires(u)) continue;
    points += shells(u) ? roster.af[u]! : defenceOf(tables, s, u, hex, vehicles);
    if (roster.antiTank[u] === 1) underlined = true;
    if (armor && shiesArmor(tables, s, u, hex)) shies = true;
    addFirerDrms(tables, s, u, direct);
  }
  addGunDrms(tables, s, hex, shells, table);
  if (isMinedBy(tables, s, side, hex)) drms[DRM_TARGET_MINES] = -1; // Rule: SOS 17.23
  if (!direct) return { points, underlined };
  if (shies && !underlined) drms[DRM_ARMOR_TARGET] = 1;
  if (hasPanzerIntegrity(tables, s, PANZERS_FIRE, fires)) drms[DRM_INTEG_ARMOR] = -1;
  if (hasBattalion(tables, s, fires)) drms[DRM_BATTALION_GOOD] = -1;
  const chief = chiefIn(tables, s, enemyOf(side), hex, seen);
  if (chief >= 0) drms[DRM_TARGET_LEADER] = worth(tables, s, chief);
  return { points, underlined };
}
