import type { Play } from "../../core/play.js";
import type { By } from "../../core/brand.js";
import type { State, StateView } from "../../core/layout.js";
import { ATTACK, CHIT, TYPE } from "../data.js";
import type { Tables } from "../data.js";
import * as events from "../events/combat.js";
import { breakthroughOpen } from "../events/german.js";
import {
  type AreaId,
  AREAS,
  ask,
  chitHas,
  type ChitId,
  type ChitKind,
  chitPlaceOf,
  CHITS,
  chitsIn,
  DECISION,
  eventAreaOf,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  L,
  lowestChit,
  markUnit,
  NO_UNIT,
  placeOf,
  sovietsIn,
  type UnitId,
} from "../state.js";
import { chitOf, loseStep, returnChit } from "./counters.js";
import { chooseTarget } from "./solitaire-choices.js";

/** Areas whose revealed chits are resolved, in index order. Rule: SS 6.0. */
export function beginEvents(s: State): void {
  let queue = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) if (germansIn(s, a) > 0 && chitsIn(s, a) > 0) queue |= 1 << a;
  s[L.areaQueue] = queue;
}

/** Starts on one area: surplus strongpoints leave, the rest is laid out in order. Rule: SS 6.5; ruling R14. */
export function openEvents(tables: Tables, s: State, a: AreaId, breakthrough: boolean, play: Play): void {
  s[L.eventArea] = a + 1;
  s[L.eventsAfterBreakthrough] = breakthrough ? 1 : 0;
  s[L.eventChitsLeft] = 0;
  let strongpoints = 0;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a) continue;
    const kind = tables.data.chitKind[c]!;
    if (kind === CHIT.strongpoint && strongpoints++ > 0) returnChit(tables, s, c, play, "one too many");
    if (kind === CHIT.sniper || kind === CHIT.molotov || kind === CHIT.ambush || kind === CHIT.dummy)
      s[L.eventChitsLeft]! |= 1 << c;
  }
}

/**
 * True when a sniper, a molotov or an ambush may aim at `u`, a German unit of its area. Rule: SS 6.1, SS 6.2, SS 6.4.
 */
export const sniperMayHit = (tables: Tables, _s: StateView, u: UnitId): boolean => tables.data.type[u] === TYPE.hq;
export const molotovMayHit = (tables: Tables, _s: StateView, u: UnitId): boolean => tables.data.type[u] === TYPE.armor;
export const ambushMayHit = (tables: Tables, _s: StateView, u: UnitId): boolean => tables.data.type[u] !== TYPE.hq;

/** True when this kind of chit may aim at German unit `u`. */
function isTarget(tables: Tables, s: StateView, kind: ChitKind, a: AreaId, u: UnitId): boolean {
  if (placeOf(s, u) !== a) return false;
  if (kind === CHIT.sniper) return sniperMayHit(tables, s, u);
  return kind === CHIT.molotov ? molotovMayHit(tables, s, u) : ambushMayHit(tables, s, u);
}

function anyTarget(tables: Tables, s: StateView, kind: ChitKind, a: AreaId): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (isTarget(tables, s, kind, a, u)) return true;
  return false;
}

/**
 * The table of SS 6.1 against one unit. Rule: SS 6.1, SS 6.2, SS 6.4, SS 9.3.
 *
 * @param shooter for the narrator, as `rule` is: `A sniper`, `20 AT`
 */
export function attackUnit(tables: Tables, s: State, u: UnitId, play: Play, shooter: string, rule: string): void {
  const die = play.dice.d6();
  const result = tables.data.attack[die]!;
  if (play.narrator !== null) events.shot(tables, s, shooter, u, placeOf(s, u), die, result, rule, play);
  if (result === ATTACK.suppressed) markUnit(s, u, FLAG.suppressed);
  else if (result === ATTACK.stepLoss) loseStep(tables, s, u, play);
}

/** Goes on with the open area up to the next decision; false when it is done. */
export function continueEvents(tables: Tables, s: State, play: Play): boolean {
  const a = eventAreaOf(s);
  let dummy = false;
  while (s[L.eventChitsLeft] !== 0) {
    const c = lowestChit(s[L.eventChitsLeft]!);
    const kind = tables.data.chitKind[c]!;
    if (kind === CHIT.dummy) {
      rollAmbushes(tables, s, play); // all ambushes are named by now
      dummy = true;
      finishChit(tables, s, c, play);
    } else if (!anyTarget(tables, s, kind, a)) {
      if (play.narrator !== null) events.noTarget(tables, c, a, play);
      finishChit(tables, s, c, play);
    } else if (tables.solo) aim(tables, s, c, chooseTarget(tables, s, a, kind, s, L.ambushTarget, CHITS), play);
    else {
      ask(
        s,
        kind === CHIT.sniper
          ? DECISION.sniperTarget
          : kind === CHIT.molotov
            ? DECISION.molotovTarget
            : DECISION.ambushTarget,
        a,
        NO_UNIT,
        c,
      );
      return true;
    }
  }
  rollAmbushes(tables, s, play);
  closeEvents(tables, s, a, dummy, play);
  return false;
}

function finishChit(tables: Tables, s: State, c: ChitId, play: Play): void {
  s[L.eventChitsLeft]! &= ~(1 << c);
  returnChit(tables, s, c, play);
}

/** The shooter's name for the narrator, and the rule, by kind of chit. */
const SHOOTERS: By<ChitKind, string> = {
  [CHIT.sniper]: "A sniper",
  [CHIT.molotov]: "A molotov",
  [CHIT.ambush]: "An ambush",
};
const SHOT_RULES: By<ChitKind, string> = { [CHIT.sniper]: "SS 6.1", [CHIT.molotov]: "SS 6.2", [CHIT.ambush]: "SS 6.4" };

/** The chit aims at `u`: sniper and molotov shoot at once, ambushes wait until all have a target. */
export function aim(tables: Tables, s: State, c: ChitId, u: UnitId, play: Play): void {
  const kind = tables.data.chitKind[c]!;
  if (kind === CHIT.ambush) {
    if (play.narrator !== null) events.aimed(tables, SHOOTERS[kind]!, u, placeOf(s, u), SHOT_RULES[kind]!, play);
    s[L.eventChitsLeft]! &= ~(1 << c);
    s[L.ambushTarget + c] = u + 1;
    return;
  }
  const shot = kind === CHIT.sniper ? CHIT.sniper : CHIT.molotov;
  attackUnit(tables, s, u, play, SHOOTERS[shot]!, SHOT_RULES[shot]!);
  if (kind === CHIT.sniper) finishChit(tables, s, c, play);
  else s[L.eventChitsLeft]! &= ~(1 << c); // ruling R15: a molotov stays until the combat is over
}

/** Ruling R17: no die for a target that is gone. */
function rollAmbushes(tables: Tables, s: State, play: Play): void {
  const a = eventAreaOf(s);
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const u = (s[L.ambushTarget + c]! - 1) as UnitId;
    if (u < 0) continue;
    if (placeOf(s, u) === a) attackUnit(tables, s, u, play, SHOOTERS[CHIT.ambush]!, SHOT_RULES[CHIT.ambush]!);
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (s[L.ambushTarget + c] === 0) continue;
    s[L.ambushTarget + c] = 0;
    returnChit(tables, s, c, play);
  }
}

/** Rule: SS 6.7; rulings R5 and R18: judged when all is resolved. */
function closeEvents(tables: Tables, s: State, a: AreaId, dummy: boolean, play: Play): void {
  if (germansIn(s, a) === 0) returnCombatChits(tables, s, a, play);
  else if (dummy && s[L.eventsAfterBreakthrough] === 0 && !barsBreakthrough(tables, s, a)) {
    s[L.freeBreakthroughs]! |= 1 << a;
    if (play.narrator !== null) breakthroughOpen(tables, a, "SS 6.7", play);
  }
  s[L.eventArea] = 0;
  s[L.eventsAfterBreakthrough] = 0;
}

const barsBreakthrough = (tables: Tables, s: StateView, a: AreaId): boolean =>
  sovietsIn(s, a) > 0 ||
  chitOf(tables, s, a, CHIT.artillery, FLAG.faceUp) >= 0 ||
  chitOf(tables, s, a, CHIT.strongpoint, FLAG.faceUp) >= 0;

/** All face-up chits of `a` but a strongpoint go back to the pile. Rule: SS 6.2, SS 6.3, SS 6.6. */
export function returnCombatChits(tables: Tables, s: State, a: AreaId, play: Play): void {
  for (let c = FIRST_CHIT; c < CHITS; c++)
    if (chitPlaceOf(s, c) === a && chitHas(s, c, FLAG.faceUp) && tables.data.chitKind[c] !== CHIT.strongpoint)
      returnChit(tables, s, c, play);
}
