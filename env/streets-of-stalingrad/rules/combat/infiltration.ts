import type { State, StateView } from "../../../core/layout.js";
import type { Play } from "../../../core/play.js";
import { ENEMY, HEX, PASS, unitBase } from "../../actions.js";
import { LOSSES } from "../../charts.js";
import * as events from "../../events/infiltration.js";
import {
  ANNOUNCED_NONE,
  ASK_INFIL_TARGET,
  DRM_LEADER,
  DRM_TARGET_LEADER,
  F_FOCUS,
  F_NEED,
  F_UNIT,
  KNOWN,
  PINNED,
  ROLL_INFILTRATION,
  ROLL_INFILTRATION_FIRE,
  SPENT,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import {
  announcedOf,
  firstIn,
  frameOf,
  frameUnit,
  give,
  has,
  nextIn,
  placeOf,
  pop,
  push,
  setAnnounced,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { armyMayAttack } from "../units/army.js";
import { isIn } from "../units/bridges.js";
import { worth } from "../units/command.js";
import { chosenIn, countIn } from "../units/faces.js";
import { clearDrms, pins, rollCrt } from "../units/fire.js";
import { lookRound, moveUnit, reveal, tellMixed } from "../units/hidden.js";
import { settleLosses } from "../units/leaders.js";
import { eliminate } from "../units/losses.js";
import { fits } from "../units/stacking.js";
import { stopTasks } from "../units/tasks.js";

const INFANTRY = KINDS.indexOf("infantry");
/** 26 September. Rule: SOS 13.1 */
const FIRST_TURN = 14;
/** Hexes from other Soviet units, and on the way back. Rule: SOS 13.1, SOS 13.8 */
const FAR = 4;

/** True when a unit may go along with Herman: it is infantry of his hex that can attack. Rule: SOS 13.1, ruling R117 */
function isPartner(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.side[unit] !== SOVIET || roster.kind[unit] !== INFANTRY || roster.af[unit] === 0) return false;
  return placeOf(tables, s, unit) === placeOf(tables, s, roster.herman) && !has(tables, s, unit, PINNED | SPENT);
}

/** True when any unit may infiltrate in this phase. Rule: SOS 13.1, ruling R97 */
function mayBegin(tables: Tables, s: StateView): boolean {
  const { board, layout, roster } = tables;
  if (roster.herman < 0 || s[layout.turn]! < FIRST_TURN || !armyMayAttack(tables, s, SOVIET)) return false;
  const hex = placeOf(tables, s, roster.herman);
  return hex >= 0 && board.volga[hex] === 0;
}

/** Decision `infil.unit`: who goes with Herman, if there is a target for them. */
export function fillPartners(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (!mayBegin(tables, s)) return 0;
  let n = 0;
  for (let u = firstIn(tables, s, placeOf(tables, s, tables.roster.herman)); u >= 0; u = nextIn(tables, s, u)) {
    if (!isPartner(tables, s, u) || markTargets(tables, s, u, null, 0) === 0) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + PASS] = 1;
  return n + 1;
}

/** In a city or industrial hex they go over Germans and their mines. Rule: SOS 13.2 */
const isBuiltUp = (tables: Tables, hex: number): boolean =>
  tables.board.zocEnters[hex] === 0 && tables.board.volga[hex] === 0;

/** True when German units beside a hex have a zone of control in it, or may have one. Rule: SOS 2.12, SOS 13.2 */
function isHeldUp(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  if (isBuiltUp(tables, hex)) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    for (let u = h < 0 ? -1 : firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== GERMAN) continue;
      if (has(tables, s, u, KNOWN) ? roster.zocUnit[u] === 1 : announcedOf(tables, s, h) !== ANNOUNCED_NONE)
        return true;
    }
  }
  return false;
}

/** True when a Soviet unit that stays behind is within four hexes. Rule: SOS 13.1 */
function isNear(tables: Tables, s: StateView, hex: number, partner: number): boolean {
  const { board, roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    if (u === partner || u === roster.herman || roster.blind[u] === 1 || placeOf(tables, s, u) < 0) continue;
    if (board.distance(placeOf(tables, s, u), hex) <= FAR) return true;
  }
  return false;
}

/**
 * Finds the hexes that Herman and his partner can come to from a hex: `tables.reached` has them in their order,
 * `tables.steps` how many steps each takes, -1 for none. Rule: SOS 13.2, SOS 13.8, ruling R117
 *
 * @param most steps
 * @param back no matter how far from others
 * @returns how many
 */
function findWays(tables: Tables, s: StateView, from: number, partner: number, most: number, back: boolean): number {
  const { board, reached, steps } = tables;
  steps.fill(-1);
  steps[from] = 0;
  reached[0] = from;
  let n = 1;
  for (let i = 0; i < n; i++) {
    const h = reached[i]!;
    if (steps[h] === most || (i > 0 && isHeldUp(tables, s, h))) continue;
    for (let d = h * 6; d < h * 6 + 6; d++) {
      const to = board.neighbours[d]!;
      if (to < 0 || steps[to]! >= 0 || board.footCost[d] === 0) continue;
      if (!isBuiltUp(tables, to) && isIn(tables, s, GERMAN, to)) continue;
      if (!back && !isNear(tables, s, to, partner)) continue;
      steps[to] = steps[h]! + 1;
      reached[n++] = to;
    }
  }
  return n;
}

/** True when a hex has German units that can be attacked, as far as the Soviet side knows. Rule: SOS 13.3 */
function isTarget(tables: Tables, s: StateView, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== GERMAN) continue;
    if (has(tables, s, u, KNOWN) ? roster.stackUnit[u] === 1 : announcedOf(tables, s, hex) !== ANNOUNCED_NONE)
      return true;
  }
  return false;
}

/** @param mask null: the first target is enough @returns how many hexes can be attacked */
function markTargets(tables: Tables, s: StateView, partner: number, mask: Uint8Array | null, at: number): number {
  const { neighbours } = tables.board;
  const count = findWays(tables, s, placeOf(tables, s, partner), partner, Infinity, false);
  let n = 0;
  for (let i = 0; i < count; i++) {
    const h = tables.reached[i]!;
    if (isIn(tables, s, GERMAN, h)) continue;
    for (let d = h * 6; d < h * 6 + 6; d++) {
      const to = neighbours[d]!;
      if (to < 0 || (mask !== null && mask[at + to] === 1) || !isTarget(tables, s, to)) continue;
      if (mask === null) return 1;
      mask[at + to] = 1;
      n++;
    }
  }
  return n;
}

/** The partner is named; the target comes next. */
export function namePartner(tables: Tables, s: State, unit: UnitId): void {
  const frame = push(tables, s, ASK_INFIL_TARGET, SOVIET);
  s[frame + F_UNIT] = unit + 1;
}

/** Decision `infil.target`: a hex, then one of its combat units. Rule: SOS 13.3 */
export function fillTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  if (s[frame + F_FOCUS] === 0) return markTargets(tables, s, frameUnit(s, frame), mask, at + HEX);
  for (let k = 0; k < s[frame + F_NEED]!; k++) mask[at + ENEMY + k] = 1;
  return s[frame + F_NEED]!;
}

const isCombatUnit = (tables: Tables, _s: StateView, unit: number): boolean => tables.roster.stackUnit[unit] === 1;

/** The hex is named: its owner says how many combat units it has. With none another may be named. Ruling R7. */
export function nameTargetHex(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const n = countIn(tables, s, GERMAN, hex, isCombatUnit);
  if (play.narrator !== null) events.counts(tables, hex, n, play);
  if (n === 0) {
    setAnnounced(tables, s, hex, ANNOUNCED_NONE);
    return;
  }
  s[frame + F_FOCUS] = hex + 1;
  s[frame + F_NEED] = n;
}

/**
 * Herman and his partner attack a unit, which is lost to any result, and fires back with its stack if it is not; then
 * they go back. Rule: SOS 13.3, SOS 13.4, SOS 13.5, SOS 13.6, SOS 13.7, SOS 13.8, ruling R40
 *
 * @param closes closes their stage: there is one infiltration a phase
 */
export function infiltrate(
  tables: Tables,
  s: State,
  k: number,
  play: Play,
  closes: (tables: Tables, s: State, play: Play) => void,
): void {
  const { drms, losses, roster } = tables;
  const frame = topFrame(tables, s);
  const partner = frameUnit(s, frame);
  const { herman } = roster;
  const hex = s[frame + F_FOCUS]! - 1;
  const start = placeOf(tables, s, partner);
  const target = chosenIn(tables, s, GERMAN, hex, k, isCombatUnit);
  pop(tables, s);
  closes(tables, s, play);
  if (target < 0) return;
  const from = hexToAttackFrom(tables, s, partner, hex);
  for (const u of [partner, herman]) {
    reveal(tables, s, u, play);
    if (from !== start) moveUnit(tables, s, u, from, play);
  }
  reveal(tables, s, target, play);
  if (play.narrator !== null) events.infiltrates(tables, partner, herman, target, start, from, hex, play);
  tellMixed(tables, play);
  lookRound(tables, s, play);
  stopTasks(tables, s, GERMAN, play);
  give(tables, s, partner, SPENT);
  clearDrms(tables);
  drms[DRM_LEADER] = -worth(tables, s, herman);
  const attack = rollCrt(tables, s, ROLL_INFILTRATION, hex, roster.af[partner]!, 0, play.dice);
  if (play.narrator !== null) events.roll(tables, s, SOVIET, [partner, herman], play);
  if (LOSSES[attack]! > 0 || pins(attack)) {
    losses.units = 1;
    losses.sniper = 0;
    losses.hex = hex;
    eliminate(tables, s, target, "infiltration", play);
    settleLosses(tables, s, GERMAN, play);
  } else if (firesBack(tables, s, hex, from, play)) {
    for (const u of [partner, herman]) eliminate(tables, s, u, "infiltration", play);
    return;
  }
  goBack(tables, s, partner, start, play);
}

/**
 * All combat units of the hex fire.
 *
 * @returns true when the partner is lost, and Herman too. Rule: SOS 13.6, SOS 13.7
 */
function firesBack(tables: Tables, s: State, hex: number, at: number, play: Play): boolean {
  const { charts, drms, roster } = tables;
  const units: number[] = [];
  let points = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== GERMAN || roster.stackUnit[u] === 0 || roster.df[u] === 0) continue;
    reveal(tables, s, u, play);
    units.push(u);
    points += roster.df[u]!;
  }
  if (charts.column(points) < 0) return false;
  clearDrms(tables);
  drms[DRM_TARGET_LEADER] = worth(tables, s, roster.herman);
  const result = rollCrt(tables, s, ROLL_INFILTRATION_FIRE, at, points, 0, play.dice);
  if (play.narrator !== null) events.roll(tables, s, GERMAN, units, play);
  return LOSSES[result]! > 0 || pins(result);
}

/** The hex beside the target that takes the fewest steps. Ruling R40. */
function hexToAttackFrom(tables: Tables, s: StateView, partner: number, hex: number): number {
  const { board, reached, steps } = tables;
  const count = findWays(tables, s, placeOf(tables, s, partner), partner, Infinity, false);
  let best = -1;
  for (let i = 0; i < count; i++) {
    const h = reached[i]!;
    if (board.distance(h, hex) !== 1 || isIn(tables, s, GERMAN, h)) continue;
    if (best < 0 || steps[h]! < steps[best]! || (steps[h] === steps[best] && h < best)) best = h;
  }
  return best;
}

/**
 * They go back to where they came from, or to the nearest other Soviet unit; if that is too far both are lost. Rule:
 * SOS 13.8, ruling R40
 */
function goBack(tables: Tables, s: State, partner: number, start: number, play: Play): void {
  const { reached, roster, steps } = tables;
  const { herman } = roster;
  const from = placeOf(tables, s, partner);
  if (from === start) return;
  const count = findWays(tables, s, from, partner, FAR, true);
  let to = steps[start]! >= 0 && !isIn(tables, s, GERMAN, start) ? start : -1;
  for (let i = 1; i < count && to < 0; i++) if (isHome(tables, s, reached[i]!, partner)) to = reached[i]!;
  if (to < 0) {
    for (const u of [partner, herman]) eliminate(tables, s, u, "infiltration", play);
    return;
  }
  for (const u of [partner, herman]) moveUnit(tables, s, u, to, play);
  if (play.narrator !== null) events.comesBack(tables, partner, herman, from, to, play);
  tellMixed(tables, play);
}

/** True when a Soviet unit is in a hex, and there is room for them. */
function isHome(tables: Tables, s: StateView, hex: number, partner: number): boolean {
  const { herman } = tables.roster;
  const friends = countIn(tables, s, SOVIET, hex, isCombatUnit) > 0;
  return friends && fits(tables, s, SOVIET, hex, partner) && fits(tables, s, SOVIET, hex, herman);
}

/** How often a deal contradicts what was said of combat units in a hex. */
export function combatFaults(tables: Tables, s: StateView, hex: number): number {
  const frame = frameOf(tables, s, ASK_INFIL_TARGET);
  if (frame < 0 || s[frame + F_FOCUS] !== hex + 1) return 0;
  return Math.abs(countIn(tables, s, GERMAN, hex, isCombatUnit) - s[frame + F_NEED]!);
}
