import type { StateView } from "../../../core/layout.js";
import { KINDS } from "../../schema.js";
import { ASK_ATTACK_UNIT, ATTACKER, BY_CRT, BY_WBBT, DRM_VOLGA_TARGET, FIRED_AF, MARK_ATTACK } from "../../layout.js";
import { firstIn, frameHex, frameOf, has, markOf, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { attackHasArmor } from "../units/armor.js";
import { makeDrms } from "../artillery/bombardment-modifiers.js";
import { makeReplyDrms } from "../artillery/reply-modifiers.js";
import { isBreakthrough } from "../movement/breakthrough.js";
import { commands } from "../units/command.js";
import { mayShell } from "../artillery/guns.js";
import { firesAt } from "../artillery/spotting.js";

const MORTAR = KINDS.indexOf("mortar");

/**
 * May a gun fire its AF at attackers: not from a hex that is attacked from beside it; in breakthroughs only mortars of
 * the defenders. Rule: SOS 9.52, SOS 9.602, SOS 10.3, SOS 14.06
 */
export function mayShellBack(tables: Tables, s: StateView, gun: number, at: number): boolean {
  const { roster } = tables;
  if (roster.gunRange[gun] === 0) return false;
  const from = placeOf(tables, s, gun);
  const hex = frameHex(s, frameOf(tables, s, ASK_ATTACK_UNIT));
  if (from === hex ? isAttackedBeside(tables, s, hex) : markOf(tables, s, from) === MARK_ATTACK) return false;
  if (isBreakthrough(tables, s) && !(roster.kind[gun] === MORTAR && isCommanded(tables, s, gun, hex))) return false;
  return mayShell(tables, s, gun, at);
}

/**
 * True when a gun named to fire at attackers uses its AF. One that has shelled their hex before in this phase has its
 * DF alone. Rule: SOS 14.02, SOS 14.06
 */
export const shellsBack = (tables: Tables, s: StateView, gun: number, at: number): boolean =>
  firesAt(tables, s, gun, at) && !has(tables, s, gun, FIRED_AF);

/** True when direct-fire attackers are beside the hex. */
function isAttackedBeside(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && roster.directFire[u] === 1 && board.sideTo(placeOf(tables, s, u), hex) >= 0)
      return true;
  return false;
}

/** True when a gun is in the command of a defender in the hex. */
function isCommanded(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === roster.side[gun] && commands(tables, s, u, gun)) return true;
  return false;
}

/**
 * Points and modifiers of a defensive fire. Rule: SOS 9.72, SOS 9.73, SOS 9.92
 *
 * @param fires who takes part
 * @param seen for a preview
 */
export function makeFireDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  fires: (unit: number) => boolean,
  table: number,
  seen = false,
): { points: number; underlined: boolean } {
  const shells = (u: number) =>
    fires(u) &&
    (seen && s[tables.layout.served + u] === 0 ? mayShellBack(tables, s, u, hex) : shellsBack(tables, s, u, hex));
  const armor = attackHasArmor(tables, s, hex);
  const reply = makeReplyDrms(tables, s, side, hex, { fires, shells, armor, vehicles: armor }, table, seen);
  if (table === BY_WBBT) makeDrms(tables, s, side, hex, BY_WBBT, shells, 0);
  if (table === BY_CRT && isOnRiver(tables, s, hex)) tables.drms[DRM_VOLGA_TARGET] = -1; // Rule: SOS 9.72
  return reply;
}

/** True when attackers other than a flotilla are on a Volga hex. Rule: SOS 9.72 */
function isOnRiver(tables: Tables, s: StateView, hex: number): boolean {
  if (tables.board.volga[hex] !== 1) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, ATTACKER) && tables.roster.boat[u] === 0) return true;
  return false;
}
