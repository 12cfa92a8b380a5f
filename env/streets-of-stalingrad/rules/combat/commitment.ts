import type { State, StateView } from "../../../core/layout.js";
import {
  ASK_ATTACK_DRM,
  ASK_ATTACK_MODE,
  ATTACKER,
  COMMIT_ARMOR,
  COMMIT_ASKS_ARMOR,
  COMMIT_ENGINEERS,
  F_ASK,
  F_COMMIT,
  F_STEP,
  FIRST_LOSS,
  EXPOSED,
  KNOWN,
} from "../../layout.js";
import { GERMAN } from "../../roster.js";
import { KINDS, TERRAINS } from "../../schema.js";
import { firstIn, frameHex, give, has, nextIn, placeOf, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { isArmored } from "../units/units.js";

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const FORT = KINDS.indexOf("fortification");
const ESCORTS = kinds("infantry", "armored-infantry", "engineer");
const INFANTRY = kinds("infantry", "armored-infantry");
const BUILT_UP = ["suburb", "city", "industrial", "strongpoint"].map((t) =>
  TERRAINS.indexOf(t as (typeof TERRAINS)[number]),
);

/** True when engineers help against a hex, as far as the attacker knows. Rule: SOS 9.71 */
function isFortified(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  if (BUILT_UP.includes(board.terrain[hex]!)) return true;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.kind[u] === FORT && has(tables, s, u, KNOWN)) return true;
  return false;
}

/** True when combat engineers or flame-throwers attack. */
export function hasEngineers(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && tables.roster.assaultEngineer[u] === 1) return true;
  return false;
}

/** True when a unit may go in beside armor. German infantry and combat engineers, Guards and Marines. */
function escorts(tables: Tables, unit: number): boolean {
  const { roster } = tables;
  if (roster.side[unit] === GERMAN) return ESCORTS.includes(roster.kind[unit]!);
  return roster.guards[unit] === 1 && INFANTRY.includes(roster.kind[unit]!);
}

/** True when attacking armor is in one hex with attacking infantry that it supports. Rule: SOS 9.71 */
export function isCombined(tables: Tables, s: StateView, armor: number): boolean {
  if (!has(tables, s, armor, ATTACKER) || !isArmored(tables, s, armor)) return false;
  for (let u = firstIn(tables, s, placeOf(tables, s, armor)); u >= 0; u = nextIn(tables, s, u))
    if (u !== armor && has(tables, s, u, ATTACKER) && escorts(tables, u)) return true;
  return false;
}

/** True when any armor attacks. */
export function hasCombinedArms(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (isCombined(tables, s, u)) return true;
  return false;
}

/**
 * The attackers are named: asks what is committed, first engineers, then armor; then how they attack. Rule: SOS 9.71,
 * SOS 9.82
 */
export function askCommitment(tables: Tables, s: State): void {
  const frame = topFrame(tables, s);
  const asked = s[frame + F_ASK] === ASK_ATTACK_DRM;
  s[frame + F_ASK] = ASK_ATTACK_DRM;
  s[frame + F_STEP] = 3;
  if (!asked && asksEngineers(tables, s, frameHex(s, frame))) return;
  if ((s[frame + F_COMMIT]! & COMMIT_ASKS_ARMOR) === 0 && hasCombinedArms(tables, s)) {
    s[frame + F_COMMIT]! |= COMMIT_ASKS_ARMOR;
    return;
  }
  s[frame + F_COMMIT]! &= ~COMMIT_ASKS_ARMOR;
  s[frame + F_ASK] = ASK_ATTACK_MODE;
  s[frame + F_STEP] = 4;
}

/** True when engineers would be asked for in an attack on a hex. */
export const asksEngineers = (tables: Tables, s: StateView, hex: number): boolean =>
  hasEngineers(tables, s) && isFortified(tables, s, hex);

/** An answer to `attack.drm`. */
export function commit(tables: Tables, s: State, yes: boolean): void {
  const frame = topFrame(tables, s);
  const bit = (s[frame + F_COMMIT]! & COMMIT_ASKS_ARMOR) !== 0 ? COMMIT_ARMOR : COMMIT_ENGINEERS;
  if (yes) s[frame + F_COMMIT]! |= bit;
  askCommitment(tables, s);
}

/**
 * True when the loss of an attacker exposed to a fire is called for first.
 *
 * @param byGuns a defender in the attacked hex has its AF underlined
 */
function goesFirst(tables: Tables, s: StateView, unit: number, committed: number, byGuns: boolean): boolean {
  if ((committed & COMMIT_ENGINEERS) !== 0 && tables.roster.assaultEngineer[unit] === 1) return true;
  return isArmored(tables, s, unit) && (byGuns || ((committed & COMMIT_ARMOR) !== 0 && isCombined(tables, s, unit)));
}

/**
 * True when a defender of an attacked hex has its AF underlined, whether it fires or not. Rule: SOS 9.82, ruling R75
 */
function hasAntiTank(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.antiTank[u] === 1) return true;
  return false;
}

/**
 * Of the attackers exposed to a fire, those whose loss comes first: who was committed, and armor where a defender in
 * the attacked hex has its AF underlined. Rule: SOS 9.58, SOS 9.82, ruling R75
 *
 * @param committed `F_COMMIT` of the attack
 * @param side of the defenders
 * @param hex that is attacked
 */
export function nameFirstLosses(tables: Tables, s: State, committed: number, side: number, hex: number): void {
  const byGuns = hasAntiTank(tables, s, side, hex);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, EXPOSED) && goesFirst(tables, s, u, committed, byGuns)) give(tables, s, u, FIRST_LOSS);
}

/** True when the defenders of the attacked hex determine the first losses. That shows whether guns are among them. */
export function fitsFirstLosses(tables: Tables, s: StateView, committed: number, side: number, hex: number): boolean {
  const byGuns = hasAntiTank(tables, s, side, hex);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, EXPOSED) && has(tables, s, u, FIRST_LOSS) !== goesFirst(tables, s, u, committed, byGuns))
      return false;
  return true;
}
