import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { GERMANS, HEXES, UNITS, type UnitId, type HexId, FIRST_UNIT, NO_UNIT } from "../data.js";
import type { Tables } from "../data.js";
import { addMissedDie, isOpen, makeKnown } from "../contacts.js";
import { sees } from "./sight.js";
import * as events from "../events/index.js";
import {
  clearFlags,
  douseFlares,
  FIRED,
  has,
  isBright,
  L,
  lightFlare,
  MOVED,
  onMap,
  placeOf,
  SEEN,
  SUPPRESSED,
  contactHex,
} from "../state.js";
import { attack, mayAttack } from "./combat.js";
import { endIfNoneLeft } from "./victory.js";

/**
 * A flare, if the die says so; it burns until the turn ends. The die falls when the Soviet step begins, or with the
 * option `flare=fire-phase` when the Germans have moved, and so burns while they look and fire. Rule: NF reconstructed
 * flare, ruling N11
 */
export function flareStep(tables: Tables, s: State, play: Play): void {
  const flare = play.dice.d6();
  if (tables.flareOn[flare] === 1) fireFlare(s);
  if (play.narrator !== null) events.tellFlare(tables, s, flare, tables.flareOn[flare] === 1, play);
}

/** The Soviet step: every unit looks for a target and fires. Rule: NF reconstructed soviet fire */
export function sovietStep(tables: Tables, s: State, play: Play): void {
  if (!tables.flareBeforeFire) flareStep(tables, s, play);
  markAlertContacts(tables, s);
  if (play.narrator !== null) events.tellWatch(play);
  for (let k = GERMANS; k < UNITS; k++) {
    if (tables.dummy[k] === 1) continue;
    if (isOpen(s, k)) recordMissedDice(tables, s, k);
    if (!onMap(s, k) || has(s, k, SUPPRESSED)) continue;
    const h = placeOf(s, k);
    const target = findTarget(tables, s, k, h, has(s, k, SEEN));
    if (target < 0) continue;
    const missing = missingFaces(tables, s, h, target);
    const die = play.dice.d6();
    const hidden = !has(s, k, SEEN);
    if (play.narrator !== null) events.tellLook(tables, k, h, target, die, missing + 1, hidden, play);
    if (die <= missing) continue;
    if (hidden) {
      makeKnown(tables, s, k);
      if (play.narrator !== null) events.tellTurnedUp(tables, h, [k], play);
    }
    if (attack(tables, s, k, target, play) && endIfNoneLeft(tables, s, play)) return;
  }
}

/** Lights the hex of the first German on the map. */
function fireFlare(s: State): void {
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!onMap(s, u)) continue;
    lightFlare(s, placeOf(s, u));
    return;
  }
}

/**
 * The nearest German in sight and range that Soviet unit `k`, if it is in hex `h`, may attack, then the lowest number;
 * -1 for none. Face down it fires only at close range.
 */
function findTarget(tables: Tables, s: StateView, k: UnitId, h: HexId, seen: boolean): UnitId {
  let nearest = seen ? tables.range[k]! : Math.min(tables.range[k]!, tables.rules.sovietSpotting.unspottedReach);
  let best = NO_UNIT;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const to = placeOf(s, u);
    if (to < 0) continue;
    const distance = tables.distance[h * HEXES + to]!;
    if (distance > nearest || (distance === nearest && best >= 0)) continue;
    if (!mayAttack(tables, s, k, u, distance) || !sees(tables, h, to)) continue;
    best = u;
    nearest = distance;
  }
  return best;
}

/** Faces of the die with which a Soviet unit in `h` fails to make out German `target`; at most 0 when it can't fail. */
function missingFaces(tables: Tables, s: StateView, h: HexId, target: UnitId): number {
  const m = tables.rules.sovietSpotting;
  const to = placeOf(s, target);
  return tables.distance[h * HEXES + to]! + m.needBeyondDistance - (isBright(tables, s, to) ? m.lit : 0) - 1;
}

/** Marks in `tables.hexCounts` the contacts that have a German in reach; their number only falls later in the step. */
function markAlertContacts(tables: Tables, s: StateView): void {
  const reach = tables.rules.sovietSpotting.unspottedReach;
  for (let j = 0; j < s[L.contacts]!; j++) {
    const h = contactHex(s, j);
    tables.hexCounts[h] = 0;
    for (let u = FIRST_UNIT; u < GERMANS; u++)
      if (onMap(s, u) && tables.distance[h * HEXES + placeOf(s, u)]! <= reach) tables.hexCounts[h] = 1;
  }
}

/** Records for each contact the die that counter `k` would roll there now. Reads only what the player knows. */
function recordMissedDice(tables: Tables, s: State, k: UnitId): void {
  for (let j = 0; j < s[L.contacts]!; j++) {
    const h = contactHex(s, j);
    if (tables.hexCounts[h] === 0) continue;
    const target = findTarget(tables, s, k, h, false);
    if (target >= 0) addMissedDie(s, j, k, missingFaces(tables, s, h, target));
  }
}

/**
 * Removes suppression of Soviet units, flares and the marks of German units. Rule: NF 11.1 (17.0), NF reconstructed
 * results
 */
export function endTurn(s: State, play: Play): void {
  if (play.narrator !== null) events.tellTurnEnd(play);
  for (let k = GERMANS; k < UNITS; k++) clearFlags(s, k, SUPPRESSED);
  for (let u = FIRST_UNIT; u < GERMANS; u++) clearFlags(s, u, MOVED | FIRED);
  douseFlares(s);
}
