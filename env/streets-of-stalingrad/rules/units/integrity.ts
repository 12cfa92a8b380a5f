import type { StateView } from "../../../core/layout.js";
import { GERMAN, type Roster } from "../../roster.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import { ATTACKER, KNOWN } from "../../layout.js";
import { enemyOf, firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { leads } from "./command.js";

const INFANTRY = ["infantry", "armored-infantry"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));
/** Parts of a path down to division, regiment and battalion. */
const DIVISION = 2;
const REGIMENT = 3;
const BATTALION = 4;
/** Companies of a regiment that attack together, and hexes they come from. Rule: SOS 9.73 */
const REGIMENT_UNITS = 4;
const REGIMENT_HEXES = 2;

/** True when a unit counts for integrity. Divisional, independent and some other units don't. Ruling R33. */
const counts = ({ kind, path }: Roster, unit: number): boolean =>
  INFANTRY.includes(kind[unit]!) && path[unit]!.length >= DIVISION;

/** True when a unit has the benefit: German infantry, Guards, and for battalions Marines too. */
function isPicked({ counters, guards, side }: Roster, unit: number, marines: boolean): boolean {
  return side[unit] === GERMAN || (guards[unit] === 1 && (marines || counters[unit]!.type.guards === true));
}

/** True when two units are of one formation, as far down as `parts`. */
function together({ path }: Roster, a: number, b: number, parts: number): boolean {
  if (path[a]!.length < parts || path[b]!.length < parts) return false;
  for (let i = 0; i < parts; i++) if (path[a]![i] !== path[b]![i]) return false;
  return true;
}

/** True when units of one battalion fire from one hex. Rule: SOS 9.73 @param takesPart among those that fire */
export function hasBattalion(tables: Tables, s: StateView, takesPart: (unit: number) => boolean): boolean {
  const { roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    if (!takesPart(u) || !counts(roster, u) || !isPicked(roster, u, true)) continue;
    for (let v = firstIn(tables, s, placeOf(tables, s, u)); v >= 0; v = nextIn(tables, s, v))
      if (v > u && takesPart(v) && counts(roster, v) && together(roster, u, v, BATTALION)) return true;
  }
  return false;
}

/**
 * Modifiers of integrity in an attack by the units with ATTACKER. Rule: SOS 9.73, ruling R33
 *
 * @param seen only defenders that the attacker knows count
 */
export function addIntegrity(tables: Tables, s: StateView, side: number, hex: number, seen: boolean): void {
  const { drms } = tables;
  const attacks = (u: number) => has(tables, s, u, ATTACKER);
  if (hasBattalion(tables, s, attacks)) drms[words.DRM_BATTALION_GOOD] = -1;
  if (hasRegiment(tables, s)) drms[words.DRM_REGIMENT_GOOD] = -1;
  if (isMixed(tables, s, enemyOf(side), hex, seen)) drms[words.DRM_DIVISION_GOOD] = -1;
  for (let u = 0; u < tables.units; u++)
    if (attacks(u) && firstAttackerIn(tables, s, placeOf(tables, s, u)) === u) addPenalties(tables, s, u);
}

const firstAttackerIn = (tables: Tables, s: StateView, hex: number): number => {
  let u = firstIn(tables, s, hex);
  while (u >= 0 && !has(tables, s, u, ATTACKER)) u = nextIn(tables, s, u);
  return u;
};

/** True when four units of one regiment attack from two hexes. */
function hasRegiment(tables: Tables, s: StateView): boolean {
  const { roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, ATTACKER) || !counts(roster, u) || !isPicked(roster, u, false)) continue;
    let units = 1;
    let hexes = 1;
    for (let v = u + 1; v < tables.units; v++) {
      if (!has(tables, s, v, ATTACKER) || !counts(roster, v) || !together(roster, u, v, REGIMENT)) continue;
      units++;
      if (placeOf(tables, s, v) !== placeOf(tables, s, u)) hexes = REGIMENT_HEXES;
    }
    if (units >= REGIMENT_UNITS && hexes >= REGIMENT_HEXES) return true;
  }
  return false;
}

const TRAIN = KINDS.indexOf("armored-train");
/**
 * True when the back of a unit has a flag that makes its hex a mixed one: all but trains, leaders, OPs and snipers.
 * Rule: SOS 16.12, SOS 16.65, ruling R134
 */
const hasFlag = ({ kind, path, stackUnit }: Roster, unit: number): boolean =>
  stackUnit[unit] === 1 && kind[unit] !== TRAIN && path[unit]!.length >= DIVISION;

/** True when a hex has units of different divisions, brigades or corps. Rule: SOS 9.73, ruling R134 */
function isMixed(tables: Tables, s: StateView, side: number, hex: number, seen: boolean): boolean {
  const { roster } = tables;
  let first = -1;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side || !hasFlag(roster, u) || (seen && !has(tables, s, u, KNOWN))) continue;
    if (first < 0) first = u;
    else if (!together(roster, first, u, DIVISION)) return true;
  }
  return false;
}

/** What the attackers of one hex lose by being mixed, unless one leads them all. @param from the first of them */
function addPenalties(tables: Tables, s: StateView, from: number): void {
  const { drms, roster } = tables;
  let battalions = false;
  let regiments = false;
  let divisions = false;
  for (let u = from; u >= 0; u = nextIn(tables, s, u)) {
    if (!has(tables, s, u, ATTACKER)) continue;
    if (roster.leader[u] === 1 && unites(tables, s, u, from)) return;
    if (!counts(roster, u)) continue;
    for (let v = nextIn(tables, s, u); v >= 0; v = nextIn(tables, s, v)) {
      if (!has(tables, s, v, ATTACKER) || !counts(roster, v)) continue;
      const parts = Math.min(roster.path[u]!.length, roster.path[v]!.length);
      if (parts >= BATTALION && !together(roster, u, v, BATTALION)) battalions = true;
      if (parts >= REGIMENT && !together(roster, u, v, REGIMENT)) regiments = true;
      if (!together(roster, u, v, DIVISION)) divisions = true;
    }
  }
  if (battalions) drms[words.DRM_BATTALION_BAD] = 1;
  if (regiments) drms[words.DRM_REGIMENT_BAD] = 1;
  if (divisions && !battalions && !regiments) drms[words.DRM_DIVISION_BAD] = 1;
}

/** True when a leader who attacks leads one of the attackers in his hex. Pavlov and Herman don't. */
function unites(tables: Tables, s: StateView, leader: number, from: number): boolean {
  if (tables.roster.counters[leader]!.type.hero !== undefined) return false;
  for (let u = from; u >= 0; u = nextIn(tables, s, u))
    if (u !== leader && has(tables, s, u, ATTACKER) && leads(tables, leader, u)) return true;
  return false;
}
