import { hasBit, setBit } from "../../../core/bits.js";
import type { State, StateView } from "../../../core/layout.js";
import { unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import {
  ASK_ATTACK_UNIT,
  ASK_SPOT,
  FIRE_SHIFT,
  FIRING,
  F_ACTOR,
  F_STEP,
  F_UNIT,
  isBox,
  MARK_ATTACK,
  NEW_PIN,
  NO_SPOT,
  PINNED,
  SERVED_DRM_SHIFT,
  SERVED_HEX_SHIFT,
  SERVED_LEADER,
  spotDrmIn,
  spotterIn,
  targetIn,
  type UnitId,
} from "../../layout.js";
import {
  boxAt,
  frameHex,
  frameOf,
  frameUnit,
  has,
  markingSide,
  markOf,
  placeOf,
  pop,
  push,
  setExtra,
  take,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { commands } from "../units/command.js";
import { isAtWall, isWalledOff } from "../units/wall.js";

const OP = KINDS.indexOf("op");

/**
 * True when a unit sees a target, and is free to look there. Rule: SOS 14.23, SOS 14.25, SOS 14.94, SOS 14.96, ruling
 * R43
 */
function seesTarget(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  // Rule: SOS 14.29, SOS 14.52
  if (boxAt(tables, hex) >= 0)
    return roster.kind[unit] === OP && from >= 0 && from === board.sight.hill && isFree(tables, s, unit, from);
  if (from < 0 || roster.spotter[unit] === 0 || !board.sight.spots(from, hex, roster.kind[unit] === OP)) return false;
  return isFree(tables, s, unit, from) && !isWalledOff(tables, s, unit, hex);
}

/**
 * True when a unit may spot, and is free to. Rule: SOS 14.21, SOS 14.23, SOS 14.94, SOS 14.96, ruling R43
 *
 * @param from where it is
 */
function isFree(tables: Tables, s: StateView, unit: number, from: number): boolean {
  if (tables.roster.spotter[unit] === 0 || has(tables, s, unit, NO_SPOT)) return false;
  if (has(tables, s, unit, PINNED) && !has(tables, s, unit, NEW_PIN)) return false;
  return !isBusy(tables, s, tables.roster.side[unit]!, from);
}

/** Units under an attack marker look only at who attacks them. Rule: SOS 14.23 */
function isBusy(tables: Tables, s: StateView, side: number, hex: number): boolean {
  if (markOf(tables, s, hex) !== MARK_ATTACK || markingSide(tables, s) === side) return false;
  const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
  return attack < 0 || frameHex(s, attack) !== hex || s[attack + F_STEP]! < 5;
}

/** The modifier of a gun whose target this unit sees. Rule: SOS 14.31 */
function modifier(tables: Tables, s: StateView, gun: number, spotter: number, hex: number): number {
  const { drm } = tables.charts.spotting;
  if (spotter === gun) return drm.self;
  const own = commands(tables, s, spotter, gun);
  if (tables.roster.kind[spotter] === OP) return own ? drm["op-own"] : drm["op-other"];
  if (tables.board.distance(placeOf(tables, s, spotter), hex) === 1)
    return own ? drm["adjacent-own"] : drm["adjacent-other"];
  return own ? drm["area-own"] : drm["area-other"];
}

/** True when a spotter can serve one more gun in this phase. Rule: SOS 14.22, SOS 14.24, ruling R89 */
function hasCapacity(tables: Tables, s: StateView, gun: number, spotter: number, hex: number): boolean {
  const { charts, layout, roster } = tables;
  if (spotter === gun) return true;
  const op = roster.kind[spotter] === OP;
  const leader = roster.leader[spotter] === 1;
  let points = roster.af[gun]!;
  let units = 1;
  for (const g of roster.guns) {
    const word = s[layout.served + g]!;
    const by = spotterIn(word);
    if (word === 0 || by === g) continue;
    if (by === spotter) {
      points += roster.af[g]!;
      units++;
      if (!op && targetIn(word) !== hex) return false;
    } else if (!op && !leader && sharesCapacity(tables, s, spotter, by, targetIn(word) === hex)) return false;
  }
  const { capacity } = charts.spotting;
  const level = roster.counters[spotter]!.type.opLevel;
  if (op) return level !== undefined && level !== "LW" && points <= capacity[level];
  return units <= (leader ? capacity.leaderUnits : 1);
}

/** Units of one hex serve one gun together, so do those of one formation at one target. Rule: SOS 14.24 */
function sharesCapacity(tables: Tables, s: StateView, unit: number, other: number, sameTarget: boolean): boolean {
  const { roster } = tables;
  if (roster.kind[other] === OP || roster.leader[other] === 1) return false;
  if (placeOf(tables, s, unit) === placeOf(tables, s, other)) return true;
  const independent = roster.path[unit]!.length < 2;
  return sameTarget && !independent && roster.counters[other]!.formation === roster.counters[unit]!.formation;
}

/** True when this unit may spot a target for a gun. */
export const maySpot = (tables: Tables, s: StateView, gun: number, spotter: number, hex: number): boolean =>
  tables.roster.side[spotter] === tables.roster.side[gun] &&
  mayLookFor(tables, spotter, gun) &&
  (spotter === gun && isBox(placeOf(tables, s, gun))
    ? hasBit(tables.river.cliffs, 0, hex) // Rule: SOS 14.28
    : seesTarget(tables, s, spotter, hex)) &&
  hasCapacity(tables, s, gun, spotter, hex);

const FLAK88 = KINDS.indexOf("flak88");
/** For an 88 only OPs and leaders spot. Rule: SOS 14.03 */
const mayLookFor = ({ roster }: Tables, spotter: number, gun: number): boolean =>
  roster.kind[gun] !== FLAK88 || roster.kind[spotter] === OP || roster.leader[spotter] === 1;

/**
 * Who spots best for a gun: the lowest modifier, the gun itself, OPs, leaders, others, the lowest slot; -1 nobody.
 * Rule: SOS 14.46, ruling R23
 */
export function bestSpotter(tables: Tables, s: StateView, gun: number, hex: number): number {
  const { roster } = tables;
  const side = roster.side[gun]!;
  let best = -1;
  let least = Infinity;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!maySpot(tables, s, gun, u, hex)) continue;
    const rank = u === gun ? 0 : roster.kind[u] === OP ? 1 : roster.leader[u] === 1 ? 2 : 3;
    const value = modifier(tables, s, gun, u, hex) * 4 + rank;
    if (value < least) [best, least] = [u, value];
  }
  return best;
}

/** True when any unit could spot a target for a gun. */
export function hasSpotter(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  const { roster } = tables;
  const side = roster.side[gun]!;
  for (let u = roster.first(side); u < roster.end(side); u++) if (maySpot(tables, s, gun, u, hex)) return true;
  return false;
}

/**
 * Notes what a side could spot for its guns, and which of these are ready, for `isSpottable`. Holds while nothing
 * changes.
 */
export function noteSpotters(tables: Tables, s: StateView, side: number, isReady: GunTest): void {
  const { board, layout, roster, spots } = tables;
  const { sight } = board;
  let boxed = false;
  spots.clear();
  for (const gun of roster.guns) {
    const word = s[layout.served + gun]!;
    if (word !== 0 && boxAt(tables, targetIn(word)) < 0) setBit(spots.targets, 0, targetIn(word), true);
    if (word !== 0 && spotterIn(word) !== gun) spots.served[spots.servedCount++] = gun;
    if (roster.side[gun] !== side || !isReady(tables, s, gun)) continue;
    spots.guns[spots.gunCount++] = gun;
    boxed ||= isBox(placeOf(tables, s, gun));
  }
  for (let w = 0; w < spots.targets.length; w++)
    spots.byAnybody[w] = boxed ? spots.targets[w]! | tables.river.cliffs[w]! : spots.targets[w]!;
  for (let u = roster.first(side); u < roster.end(side) && spots.gunCount > 0; u++) {
    const from = placeOf(tables, s, u);
    if (from < 0 || !isFree(tables, s, u, from)) continue;
    const walled = isAtWall(tables, s, u);
    if (walled) spots.walled[spots.walledCount++] = u;
    if (roster.kind[u] === OP) {
      sight.byOps.addTo(from, spots.byAnybody);
      if (walled) continue;
      spots.ops[spots.opCount] = u;
      spots.left[spots.opCount++] = opCapacity(tables, s, u);
      continue;
    }
    const serves = hasServed(tables, s, u);
    if (!serves && !walled) {
      if (!hasBit(spots.lookouts, 0, from)) sight.byUnits.addTo(from, spots.byUnits);
      setBit(spots.lookouts, 0, from, true);
      if (roster.leader[u] === 1) sight.byUnits.addTo(from, spots.byLeaders);
    } else if (!serves || roster.gunRange[u]! > 0) sight.byUnits.addTo(from, spots.byAnybody); // a gun spots for itself, whomever it serves
  }
  for (let w = 0; w < spots.byUnits.length; w++) spots.byAnybody[w]! |= spots.byUnits[w]!;
}

type GunTest = (tables: Tables, s: StateView, gun: number) => boolean;

/** Points that an OP can still serve. Rule: SOS 14.22 */
function opCapacity(tables: Tables, s: StateView, op: number): number {
  const { charts, layout, roster } = tables;
  const level = roster.counters[op]!.type.opLevel;
  if (level === undefined || level === "LW") return -1;
  let left: number = charts.spotting.capacity[level];
  for (const gun of roster.guns)
    if (s[layout.served + gun] !== 0 && spotterIn(s[layout.served + gun]!) === op) left -= roster.af[gun]!;
  return left;
}

/**
 * True when a unit that is no OP, or other units of its hex, have served a gun at another hex, so it can't serve one
 * more. The guns that are served have been noted before. Rule: SOS 14.24
 */
function hasServed(tables: Tables, s: StateView, unit: number): boolean {
  const { layout, roster, spots } = tables;
  for (let i = 0; i < spots.servedCount; i++) {
    const by = spotterIn(s[layout.served + spots.served[i]!]!);
    if (by === unit || (roster.leader[unit] === 0 && sharesCapacity(tables, s, unit, by, false))) return true;
  }
  return false;
}

/** The same as `hasSpotter`, after `noteSpotters`. */
export function isSpottable(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  const { board, layout, roster, spots } = tables;
  const { sight } = board;
  if (!hasBit(spots.byAnybody, 0, hex)) return false;
  // who is there may be behind a wall
  const hides = sight.hasWalls && s[layout.top + hex] !== 0 && sight.isWall(hex);
  if (hides || hasBit(spots.targets, 0, hex)) return hasSpotter(tables, s, gun, hex);
  const picky = roster.kind[gun] === FLAK88;
  if (hasBit(picky ? spots.byLeaders : spots.byUnits, 0, hex)) return true;
  for (let i = 0; i < spots.walledCount; i++) if (maySpot(tables, s, gun, spots.walled[i]!, hex)) return true;
  for (let i = 0; i < spots.opCount; i++)
    if (spots.left[i]! >= roster.af[gun]! && sight.byOps.has(placeOf(tables, s, spots.ops[i]!), hex)) return true;
  return !picky && maySpot(tables, s, gun, gun, hex);
}

/** A unit spots for a gun, which limits what else it can do in this phase. */
export function serve(tables: Tables, s: State, gun: number, spotter: number, hex: number): void {
  const { board, layout, roster } = tables;
  const named = spotter !== gun && roster.counters[spotter]!.type.named === true;
  const leads = named && board.distance(placeOf(tables, s, spotter), hex) === 1;
  s[layout.served + gun] =
    (spotter + 1) |
    ((hex + 1) << SERVED_HEX_SHIFT) |
    ((modifier(tables, s, gun, spotter, hex) + 1) << SERVED_DRM_SHIFT) |
    (leads ? SERVED_LEADER : 0);
}

/** Names who spots for a gun, or asks. Ruling R23. */
export function findSpotter(tables: Tables, s: State, gun: number, hex: number): void {
  if (tables.autoSpot) {
    serve(tables, s, gun, bestSpotter(tables, s, gun, hex), hex);
    return;
  }
  const frame = push(tables, s, ASK_SPOT, tables.roster.side[gun]!, hex);
  s[frame + F_UNIT] = gun + 1;
}

/** Decision `spot.pick`. */
export function fillSpotters(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!maySpot(tables, s, frameUnit(s, frame), u, frameHex(s, frame))) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  return n;
}

/** Others took the last spotter: the gun stays silent. */
export function dropGun(tables: Tables, s: State): void {
  const gun = frameUnit(s, topFrame(tables, s));
  pop(tables, s);
  take(tables, s, gun, FIRING);
  setExtra(tables, s, gun, FIRE_SHIFT, 0);
}

/** The spotter is named. */
export function nameSpotter(tables: Tables, s: State, spotter: UnitId): void {
  const frame = topFrame(tables, s);
  serve(tables, s, frameUnit(s, frame), spotter, frameHex(s, frame));
  pop(tables, s);
}

/** True when a gun fires at this hex in this phase. */
export const firesAt = (tables: Tables, s: StateView, gun: number, hex: number): boolean =>
  targetIn(s[tables.layout.served + gun]!) === hex;

/**
 * The spotting modifier of a gun: bonuses go with the spotter who is lost or pinned, penalties stay. Rule: SOS 9.66,
 * ruling R22
 */
export function spotModifier(tables: Tables, s: StateView, gun: number, hex: number): number {
  const word = s[tables.layout.served + gun]!;
  if (word === 0) {
    // not named yet: what it would have
    const best = bestSpotter(tables, s, gun, hex);
    return best < 0 ? 0 : modifier(tables, s, gun, best, hex);
  }
  const value = spotDrmIn(word);
  if (value >= 0) return value;
  const by = spotterIn(word);
  const gone = placeOf(tables, s, by) < 0 || (has(tables, s, by, PINNED) && !has(tables, s, by, NEW_PIN));
  return gone ? 0 : value;
}
