import type { StateView } from "../core/layout.js";
import actionData from "./data/actions.json" with { type: "json" };
import { CITY_FIRST, CITY_LAST, GUMRAK, VOLGA, Z } from "./data.js";
import type { Tables } from "./data.js";
import {
  ARTILLERY,
  cmdOf,
  GERMAN,
  GUARDS,
  hasFort,
  hasRight,
  isCaptured,
  DECISION,
  L,
  markerOn,
  PIONEERS,
  room,
  SOVIET,
  unitsIn,
} from "./state.js";

export const ACTIONS: readonly string[] = actionData.actions;

const first = (pattern: string): number => {
  const range = actionData.ranges.find((r) => r.pattern === pattern);
  if (range === undefined) throw new RangeError(`actions.json has no range ${pattern}`);
  return range.first;
};

/** First index of each range of the flat action space. */
export const DONE = first("done");
export const ROLL = first("roll");
export const KEEP_UNIT = first("keep unit <n>");
export const KEEP_SPECIAL_DIE = first("keep <die>");
export const PLACE = first("place <n>");
export const REROLL = first("reroll");
export const LOSE = first("lose <area>");
export const FORT = first("fort <city>");
export const ANNOUNCE = first("announce <k>");
export const AIR_TARGET = first("air <target>");
export const CANCEL = first("cancel");
export const REDUCE = first("reduce <k>");
export const RAZE = first("raze");
export const STURM_TO = first("sturm <city>");
export const CROSS = first("cross <city>");
export const RATZEL = first("ratzel <from>-<to>");
export const OUT = first("out <city>");
export const IN = first("in <city>");
export const ARTY = first("arty <city>");
export const ARTY_OFF = first("arty off");
export const PIONEER = first("pioneer");
export const FIGHT = first("fight");
export const GUARDS_Z = first("guards Z-<city>");
export const GUARDS_VOLGA = first("guards 6-<city>");

/** Areas of a Ratzel action: `from * 5 + (to, with from left out)`. */
export const ratzelFrom = (action: number): number => Math.floor((action - RATZEL) / 5);
export const ratzelTo = (action: number): number => {
  const from = ratzelFrom(action);
  const k = (action - RATZEL) % 5;
  return k < from ? k : k + 1;
};

/** Area of `air 1` .. `air 6`: 6 is the Volga. */
export const airArea = (action: number): number => action - AIR_TARGET + 1;

/** May this area be attacked from the air now? Rule: PS 4.1, PS Artillery, ruling R39 */
export function isAirTarget(tables: Tables, s: StateView, area: number): boolean {
  return tables.airTarget[area] === 1 && unitsIn(s, SOVIET, area) > 0 && !isCaptured(s, area) && !markerOn(s, area);
}

export function anyAirTarget(tables: Tables, s: StateView): boolean {
  for (let a = CITY_FIRST; a <= VOLGA; a++) if (isAirTarget(tables, s, a)) return true;
  return false;
}

/** Is there anything for Pioneers to do in this area? Rulings R36, R41 */
export function pioneerUseful(s: StateView, area: number): boolean {
  return unitsIn(s, GERMAN, area) > 0 && (hasFort(s, area) || (unitsIn(s, SOVIET, area) > 0 && !markerOn(s, area)));
}

/** May a side holding Artillery act in an artillery window? Ruling R34 */
export function mayUseArtillery(tables: Tables, s: StateView, side: number): boolean {
  return hasRight(s, side, ARTILLERY) && cmdOf(s, side) >= tables.costs.artillery;
}

/** Sets one mask byte per city area in which `side` has room. */
function markCities(tables: Tables, s: StateView, side: number, base: number, mask: Uint8Array): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    if (room(tables, s, side, a) > 0) {
      mask[base + a - CITY_FIRST] = 1;
      n++;
    }
  }
  return n;
}

/**
 * Sets the mask bytes of the pending decision's legal actions (others are left as they are).
 *
 * @returns how many are legal
 */
export function setLegal(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const kind = s[L.kind]!;
  const actor = s[L.actor]!;
  if (kind === DECISION.dice) return legalDice(s, mask, at);
  if (kind === DECISION.place) return legalPlace(s, mask, at);
  if (kind === DECISION.lose) return legalLose(s, actor, mask, at);
  if (kind === DECISION.over || kind === DECISION.chance) return 0;
  mask[at + DONE] = 1;
  return 1 + legalBesidesDone(tables, s, kind, actor, mask, at);
}

function legalDice(s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  let kept = 0;
  for (let f = 0; f < 6; f++) {
    kept += s[L.kept + f]!;
    if (s[L.loose + f]! > 0) {
      mask[at + KEEP_UNIT + f] = 1;
      n++;
    }
  }
  for (let d = 0; d < 3; d++) {
    kept += s[L.keptSpecialDice + d]!;
    if (s[L.looseSpecialDice + d]! > 0) {
      mask[at + KEEP_SPECIAL_DIE + d] = 1;
      n++;
    }
  }
  // ruling R14: the first throw is an action too
  if ((n === 0 && kept === 0) || (n > 0 && s[L.picked] === 1)) {
    mask[at + ROLL] = 1;
    n++;
  }
  return n;
}

function legalPlace(s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let f = 0; f < 6; f++) {
    if (s[L.pending + f]! > 0) {
      mask[at + PLACE + f] = 1;
      n++;
    }
  }
  return n;
}

function legalLose(s: StateView, actor: number, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let a = Z; a <= CITY_LAST + 1; a++) {
    const area = a > CITY_LAST ? (actor === SOVIET ? VOLGA : GUMRAK) : a;
    if (unitsIn(s, actor, area) > 0) {
      mask[at + LOSE + a] = 1;
      n++;
    }
  }
  return n;
}

function legalBesidesDone(
  tables: Tables,
  s: StateView,
  kind: number,
  actor: number,
  mask: Uint8Array,
  at: number,
): number {
  const cmd = cmdOf(s, actor);
  let n = 0;
  switch (kind) {
    case DECISION.reroll:
      mask[at + REROLL] = 1;
      return 1;
    case DECISION.cancel:
      mask[at + CANCEL] = 1;
      return 1;
    case DECISION.raze:
      mask[at + RAZE] = 1;
      return 1;
    case DECISION.fortify:
      if (cmd < tables.costs.fortify) return 0;
      for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
        if (!isCaptured(s, a) && !hasFort(s, a)) {
          mask[at + FORT + a - CITY_FIRST] = 1;
          n++;
        }
      }
      return n;
    case DECISION.announce:
      if (tables.airNeedsTarget && !anyAirTarget(tables, s)) return 0;
      n = Math.max(0, Math.min(unitsIn(s, GERMAN, GUMRAK) - s[L.paid]!, cmd));
      for (let k = 0; k < n; k++) mask[at + ANNOUNCE + k] = 1;
      return n;
    case DECISION.reduce:
      n = Math.min(s[L.attacks]!, Math.floor(cmd / tables.costs.nightCancel));
      for (let k = 0; k < n; k++) mask[at + REDUCE + k] = 1;
      return n;
    case DECISION.air:
      for (let a = CITY_FIRST; a <= VOLGA; a++) {
        if (isAirTarget(tables, s, a)) {
          mask[at + AIR_TARGET + a - 1] = 1;
          n++;
        }
      }
      return n;
    case DECISION.sturm:
      if (s[L.left] === 0 || (s[L.surchargePaid] === 0 && cmd < tables.sturmSurcharge)) return 0;
      return markCities(tables, s, GERMAN, at + STURM_TO, mask);
    case DECISION.cross:
      if (cmd < tables.costs.volgaCrossing || unitsIn(s, SOVIET, VOLGA) === 0) return 0;
      return markCities(tables, s, SOVIET, at + CROSS, mask);
    case DECISION.ratzel:
      return legalRatzel(tables, s, 1 - actor, mask, at);
    case DECISION.deployOut:
      if (unitsIn(s, actor, Z) === 0) return 0;
      return markCities(tables, s, actor, at + OUT, mask);
    case DECISION.deployIn:
      if (room(tables, s, actor, Z) === 0) return 0;
      for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
        if (unitsIn(s, actor, a) > 0) {
          mask[at + IN + a - CITY_FIRST] = 1;
          n++;
        }
      }
      return n;
    case DECISION.artillery:
      if (cmd < tables.costs.artillery) return 0;
      for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
        if (!isCaptured(s, a) && s[L.artillery] !== a) {
          mask[at + ARTY + a - CITY_FIRST] = 1;
          n++;
        }
      }
      if (s[L.artillery] !== 0) {
        mask[at + ARTY_OFF] = 1;
        n++;
      }
      return n;
    case DECISION.fight:
      if (cmd < tables.costs.zCombat) return 0;
      mask[at + FIGHT] = 1;
      return 1;
    case DECISION.pioneer:
      if (cmd < tables.costs.pioneer || !hasRight(s, GERMAN, PIONEERS) || !pioneerUseful(s, s[L.area]! - 1)) return 0;
      mask[at + PIONEER] = 1;
      return 1;
    case DECISION.guards:
      return legalGuards(tables, s, cmd, mask, at);
    default:
      return 0;
  }
}

/** Ratzel: one enemy unit among Z and 1-5 to another of these. Rule: PS 3 Ratt 3, ruling R44 */
function legalRatzel(tables: Tables, s: StateView, enemy: number, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let from = Z; from <= CITY_LAST; from++) {
    if (unitsIn(s, enemy, from) === 0) continue;
    for (let to = Z; to <= CITY_LAST; to++) {
      if (to === from || room(tables, s, enemy, to) === 0) continue;
      mask[at + RATZEL + from * 5 + (to < from ? to : to - 1)] = 1;
      n++;
    }
  }
  return n;
}

/** Rule: PS Guards, ruling R29 */
function legalGuards(tables: Tables, s: StateView, cmd: number, mask: Uint8Array, at: number): number {
  if (!hasRight(s, SOVIET, GUARDS)) return 0;
  let n = 0;
  if (unitsIn(s, SOVIET, Z) > 0 && cmd >= tables.costs.guardsFromZ)
    n += markCities(tables, s, SOVIET, at + GUARDS_Z, mask);
  if (unitsIn(s, SOVIET, VOLGA) > 0 && cmd >= tables.costs.guardsFromVolga)
    n += markCities(tables, s, SOVIET, at + GUARDS_VOLGA, mask);
  return n;
}
