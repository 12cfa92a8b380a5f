import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { DIE, UNIT } from "../actions.js";
import { CHIT, isArmed, TYPE } from "../data.js";
import type { Tables } from "../data.js";
import * as events from "../events/combat.js";
import { ARMOR, ENGINEERS, PIONIERS, type Raiser } from "../raisers.js";
import {
  ANSWER,
  type AreaId,
  ask,
  chitHas,
  chitPlaceOf,
  CHITS,
  clearCombat,
  combatAreaOf,
  CONTROL,
  DECISION,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  L,
  NO_CHIT_KIND,
  placeOf,
  sovietCounterIn,
  SOVIETS,
  sovietsIn,
  STAGE,
  unitHas,
  type UnitId,
  UNITS,
  type UnitType,
} from "../state.js";
import { chitOf, killUnit, loseStep, returnChit } from "./counters.js";
import { attackUnit, returnCombatChits } from "./events.js";
import { chooseEngineerDie, chooseLoss, chooseTarget } from "./solitaire-choices.js";
import { combatDice, decide, germanTotal, sovietTotal } from "./odds.js";

export function startCombat(tables: Tables, s: State, a: AreaId, play: Play): void {
  if (play.narrator !== null) events.combatBegins(tables, a, play);
  s[L.pendingCombats]! &= ~(1 << a);
  clearCombat(s);
  s[L.combatArea] = a + 1;
}

/**
 * Goes on with the combat up to the next decision; false when its losses are over (stage `fin`). Ruling R19: the order.
 */
export function continueCombat(tables: Tables, s: State, play: Play): boolean {
  const a = combatAreaOf(s);
  for (;;) {
    switch (s[L.combatStage]) {
      case STAGE.stuka:
        if (s[L.combatStuka] === ANSWER.open) {
          if (s[L.stuka] === 1) return asked(s, DECISION.stuka, a);
          s[L.combatStuka] = ANSWER.no;
        }
        s[L.combatStage] = STAGE.at;
        break;
      case STAGE.at:
        if (askGuns(tables, s, a, play)) return true;
        if (germansIn(s, a) === 0) {
          if (play.narrator !== null) events.noCombat(tables, a, play);
          returnCombatChits(tables, s, a, play); // ruling R5: no combat
          clearCombat(s);
          return false;
        }
        s[L.combatStage] = STAGE.decl;
        break;
      case STAGE.decl:
        if (askDeclarations(tables, s, a, play)) return true;
        rollCombat(tables, s, a, play);
        s[L.combatStage] = STAGE.mods;
        break;
      case STAGE.mods:
        if (askDice(tables, s, a, play)) return true;
        decide(tables, s, a);
        if (play.narrator !== null) events.combatDecided(tables, s, a, play);
        s[L.combatStage] = STAGE.sovHits;
        break;
      case STAGE.sovHits:
        if (askSovietLoss(tables, s, a, play)) return true;
        s[L.combatStage] = STAGE.gerHits;
        break;
      case STAGE.gerHits:
        if (s[L.germanHitCount]! > 0 && germansIn(s, a) > 0) return asked(s, DECISION.gerHit, a);
        s[L.combatStage] = STAGE.fin;
        finishCombat(tables, s, a, play);
        return false;
      default:
        return false;
    }
  }
}

function asked(s: State, kind: number, a: AreaId): true {
  ask(s, kind, a);
  return true;
}

/** True when this Soviet gun was turned face-up in `a` this turn. */
const surprises = (tables: Tables, s: StateView, u: UnitId, a: AreaId): boolean =>
  placeOf(s, u) === a && isArmed(tables.data, u) && unitHas(s, u, FLAG.revealedThisTurn);

/**
 * True when this Soviet unit shoots before the combat. Rule: SS 9.3; ruling R41: only guns turned face-up this turn, or
 * with the option `guns=area` all of an area where one was.
 */
const shoots = (tables: Tables, s: StateView, u: UnitId, a: AreaId, surprise: boolean): boolean =>
  tables.allGunsShoot ? surprise && placeOf(s, u) === a && isArmed(tables.data, u) : surprises(tables, s, u, a);

/** Targets of SS 9.3 one after the other, then the dice. */
function askGuns(tables: Tables, s: State, a: AreaId, play: Play): boolean {
  if (!tables.antitank) return false;
  let armor = false;
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) === a && tables.data.type[u] === TYPE.armor) armor = true;
  if (!armor) return false;
  let surprise = false;
  for (let u = GERMANS; u < UNITS; u++) if (surprises(tables, s, u, a)) surprise = true;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!shoots(tables, s, u, a, surprise) || s[L.gunTarget + u - GERMANS] !== 0) continue;
    if (!tables.solo) {
      ask(s, DECISION.atTarget, a, u);
      return true;
    }
    aimGun(tables, s, u, chooseTarget(tables, s, a, NO_CHIT_KIND, s, L.gunTarget, SOVIETS), play);
  }
  for (let i = 0; i < SOVIETS; i++) {
    const target = (s[L.gunTarget + i]! - 1) as UnitId;
    s[L.gunTarget + i] = 0;
    if (target >= 0 && placeOf(s, target) === a)
      attackUnit(tables, s, target, play, tables.data.unitIds[GERMANS + i]!, "SS 9.3");
  }
  return false;
}

/** True when a gun may aim at `u`, a German unit of the area. Rule: SS 9.3. */
export const gunMayHit = (tables: Tables, _s: StateView, u: UnitId): boolean => tables.data.type[u] === TYPE.armor;

/** Gun `u` aims at a German unit; its die falls when all guns are aimed. Rule: SS 9.3. */
export function aimGun(tables: Tables, s: State, u: UnitId, target: UnitId, play: Play): void {
  if (play.narrator !== null) events.aimed(tables, tables.data.unitIds[u]!, target, placeOf(s, u), "SS 9.3", play);
  s[L.gunTarget + u - GERMANS] = target + 1;
}

/** True when an unsuppressed German unit of this is type in `a`. */
export function readyGerman(tables: Tables, s: StateView, a: AreaId, type: UnitType): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) === a && tables.data.type[u] === type && !unitHas(s, u, FLAG.suppressed)) return true;
  return false;
}

function sovietType(tables: Tables, s: StateView, a: AreaId, type: UnitType): boolean {
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a && tables.data.type[u] === type) return true;
  return false;
}

/** In the order SS 9.6, SS 9.1 German, SS 9.1 Soviet. Rule: SS 9.6, SS 9.1; rulings R29, R32. */
function askDeclarations(tables: Tables, s: State, a: AreaId, play: Play): boolean {
  if (s[L.combatSchwere] === ANSWER.open) {
    if (tables.schwere && s[L.schwere] === 1 && germansIn(s, a) >= 2) return asked(s, DECISION.schwere, a);
    s[L.combatSchwere] = ANSWER.no;
  }
  if (s[L.combatPionier] === ANSWER.open) {
    if (tables.engineers && readyGerman(tables, s, a, TYPE.engineer)) return asked(s, DECISION.pionier, a);
    s[L.combatPionier] = ANSWER.no;
  }
  if (s[L.combatEngineer] === ANSWER.open) {
    const may = tables.engineers && sovietType(tables, s, a, TYPE.engineer);
    if (may && !tables.solo) return asked(s, DECISION.engineer, a);
    s[L.combatEngineer] = may ? ANSWER.yes : ANSWER.no;
    if (may && play.narrator !== null) events.declared(tables, "engineer", true, a, play);
  }
  return false;
}

/** The Stuka is sent, or kept back. Rule: SS 7.1. */
export function declareStuka(tables: Tables, s: State, yes: boolean, play: Play): void {
  s[L.combatStuka] = yes ? ANSWER.yes : ANSWER.no;
  if (yes) s[L.stuka] = 0;
  if (play.narrator !== null) events.declared(tables, "stuka", yes, combatAreaOf(s), play);
}

/** Rule: SS 9.6. */
export function declareSchwere(tables: Tables, s: State, yes: boolean, play: Play): void {
  s[L.combatSchwere] = yes ? ANSWER.yes : ANSWER.no;
  if (yes) s[L.schwere] = 0;
  if (play.narrator !== null) events.declared(tables, "schwere", yes, combatAreaOf(s), play);
}

/** Rule: SS 9.1. */
export function declarePionier(tables: Tables, s: State, yes: boolean, play: Play): void {
  s[L.combatPionier] = yes ? ANSWER.yes : ANSWER.no;
  if (play.narrator !== null) events.declared(tables, "pionier", yes, combatAreaOf(s), play);
}

/** Rule: SS 9.1. */
export function declareEngineer(tables: Tables, s: State, yes: boolean, play: Play): void {
  s[L.combatEngineer] = yes ? ANSWER.yes : ANSWER.no;
  if (play.narrator !== null) events.declared(tables, "engineer", yes, combatAreaOf(s), play);
}

/** Totals, dice pools and dice, German ones first. Rule: SS 7.1, SS 6.3, SS 6.6, SS 9.6. */
function rollCombat(tables: Tables, s: State, a: AreaId, play: Play): void {
  const { pool } = tables.data;
  const german = germanTotal(tables, s, a);
  const soviet = sovietTotal(tables, s, a);
  s[L.germanTotal] = german;
  s[L.sovietTotal] = soviet;
  let g = combatDice(pool, german, soviet);
  if (s[L.combatStuka] === ANSWER.yes) g += pool.stuka;
  if (s[L.combatSchwere] === ANSWER.yes) g += pool.schwereAngriff;
  let v = combatDice(pool, soviet, german);
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || !chitHas(s, c, FLAG.faceUp)) continue;
    if (tables.data.chitKind[c] === CHIT.artillery) v += pool.perArtillery;
    else if (tables.data.chitKind[c] === CHIT.counterattack) v += pool.perCounterattack;
  }
  s[L.germanDiceCount] = g;
  s[L.sovietDiceCount] = v;
  for (let i = 0; i < g; i++) s[L.germanDice + i] = play.dice.d6();
  for (let i = 0; i < v; i++) s[L.sovietDice + i] = play.dice.d6();
  if (play.narrator !== null) events.combatDice(tables, s, a, play);
}

/** Armour without an opponent that can harm it. Rule: SS 9.2, SS 9.21. */
function armorUnopposed(tables: Tables, s: StateView, a: AreaId): boolean {
  if (!tables.armor || !readyGerman(tables, s, a, TYPE.armor)) return false;
  return (
    !sovietType(tables, s, a, TYPE.armor) &&
    !sovietType(tables, s, a, TYPE.antitank) &&
    chitOf(tables, s, a, CHIT.molotov, FLAG.faceUp) < 0
  );
}

/** Which die the Pioniers, the armour, the Engineers raise. Rule: SS 9.1, SS 9.21. */
function askDice(tables: Tables, s: State, a: AreaId, play: Play): boolean {
  const done = s[L.dieChoicesDone]!;
  if (s[L.combatPionier] === ANSWER.yes && (done & PIONIERS.done) === 0) return asked(s, DECISION.diePionier, a);
  if ((done & ARMOR.done) === 0 && armorUnopposed(tables, s, a)) return asked(s, DECISION.dieArmor, a);
  if (s[L.combatEngineer] === ANSWER.yes && (done & ENGINEERS.done) === 0) {
    if (!tables.solo) return asked(s, DECISION.dieEngineer, a);
    raiseDie(tables, s, ENGINEERS, chooseEngineerDie(s), play);
  }
  return false;
}

/** Adds one to a die, up to 6; `die` -1 leaves them as they are. */
export function raiseDie(tables: Tables, s: State, raiser: Raiser, die: number, play: Play): void {
  if (play.narrator !== null) events.dieRaised(tables, s, raiser, die, combatAreaOf(s), play);
  s[L.dieChoicesDone]! |= raiser.done;
  if (die < 0) return;
  const at = raiser.dice + die;
  s[at] = Math.min(6, s[at]! + 1);
}

/** True when this die may be chosen. One per value, a 6 only if there is nothing else. Ruling R32. */
function dieAllowed(s: StateView, raiser: Raiser, die: number): boolean {
  const at = raiser.dice;
  const n = s[raiser.count]!;
  if (die >= n) return false;
  const value = s[at + die]!;
  for (let i = 0; i < n; i++) {
    if (i < die && s[at + i] === value) return false;
    if (value === 6 && s[at + i]! < 6) return false;
  }
  return true;
}

/** Marks the dice that may be raised. @returns how many */
export function markDice(s: StateView, raiser: Raiser, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let i = 0; i < 6; i++) {
    if (!dieAllowed(s, raiser, i)) continue;
    mask[at + DIE + i] = 1;
    n++;
  }
  return n;
}

/**
 * Soviet losses; the strongpoint goes last, by itself. Rule: SS 7.3, SS 6.5, SS 9.1; ruling R26: surplus hits are lost.
 */
function askSovietLoss(tables: Tables, s: State, a: AreaId, play: Play): boolean {
  while (s[L.sovietLossesLeft]! > 0 && sovietsIn(s, a) > 0) {
    if (!tables.solo) return asked(s, DECISION.sovHit, a);
    takeSovietLoss(tables, s, chooseLoss(tables, s, a, s[L.engineerTakesNextLoss] === 1), play);
  }
  if (s[L.sovietLossesLeft]! > 0) {
    const c = chitOf(tables, s, a, CHIT.strongpoint, FLAG.faceUp);
    if (c >= 0) returnChit(tables, s, c, play, "destroyed");
    s[L.sovietLossesLeft] = 0;
  }
  return false;
}

/** Rule: SS 9.1: a committed company goes first. */
const lossAllowed = (tables: Tables, s: StateView, u: UnitId): boolean =>
  s[L.engineerTakesNextLoss] === 0 || tables.data.type[u] === TYPE.engineer;

/** Marks the Soviet units of the combat that may be lost. @returns how many */
export function markLosses(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const a = combatAreaOf(s);
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== a || !lossAllowed(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

export function takeSovietLoss(tables: Tables, s: State, u: UnitId, play: Play): void {
  s[L.sovietLossesLeft]!--;
  s[L.engineerTakesNextLoss] = 0;
  if (play.narrator !== null) events.sovietLoss(tables, u, placeOf(s, u), play);
  killUnit(tables, s, u, play);
}

/** True when `u`, a German unit of the area, may take the next hit. Rule: SS 7.32, SS 9.1, SS 9.6; rulings R24, R29. */
export function hitAllowed(tables: Tables, s: StateView, u: UnitId): boolean {
  const a = combatAreaOf(s);
  const type = tables.data.type[u]!;
  const hq = s[L.hqMustTakeHit] === 1;
  const pionier = s[L.pionierMustTakeHit] === 1;
  if (hq || pionier) {
    if (unitHas(s, u, FLAG.suppressed)) return false;
    return (hq && type === TYPE.hq) || (pionier && type === TYPE.engineer);
  }
  return s[L.germanHits] !== HIT.extra || u !== s[L.firstHitUnit]! - 1 || germansIn(s, a) === 1;
}

export function takeGermanHit(tables: Tables, s: State, u: UnitId, play: Play): void {
  const type = tables.data.type[u]!;
  const kind = s[L.germanHits]!;
  const n = s[L.germanHitCount]! - 1;
  for (let i = 0; i < n; i++) s[L.germanHits + i] = s[L.germanHits + i + 1]!;
  s[L.germanHits + n] = 0;
  s[L.germanHitCount] = n;
  if (kind === HIT.base) s[L.firstHitUnit] = u + 1;
  if (type === TYPE.hq) s[L.hqMustTakeHit] = 0;
  if (type === TYPE.engineer) s[L.pionierMustTakeHit] = 0;
  if (play.narrator !== null) events.germanHit(tables, s, u, placeOf(s, u), kind, play);
  loseStep(tables, s, u, play);
}

/** Chits return, control is settled. Rule: SS 7.33; ruling R5: with no unit left the winner controls. */
function finishCombat(tables: Tables, s: State, a: AreaId, play: Play): void {
  const winner = s[L.combatWinner]! - 1;
  returnCombatChits(tables, s, a, play);
  const german = germansIn(s, a) > 0;
  const soviet = sovietCounterIn(s, a);
  if (german && soviet) s[L.control + a] = CONTROL.contested;
  else if (!german && !soviet) s[L.control + a] = winner === GERMAN ? CONTROL.german : CONTROL.soviet;
  if (play.narrator !== null) events.combatEnds(tables, s, a, play);
}
