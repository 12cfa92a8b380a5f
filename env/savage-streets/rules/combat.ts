import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Rules } from "../data.js";
import * as state from "../state.js";
import { chitOf, killUnit, loseStep, returnChit } from "./counters.js";
import { attackUnit, returnCombatChits } from "./events.js";
import { chooseEngineerDie, chooseLoss, chooseTarget } from "./solitaire-choices.js";
import { combatDice, decide, germanTotal, sovietTotal } from "./odds.js";

// own constants, for speed: see core/layout.ts
const { CHIT, isArmed, TYPE } = data;
const {
  ANSWER,
  ask,
  chitHas,
  chitPlaceOf,
  CHITS,
  clearCombat,
  CONTROL,
  F,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  KIND,
  L,
  placeOf,
  SOVIETS,
  sovietCounterIn,
  sovietsIn,
  STAGE,
  UNITS,
  unitHas,
} = state;

export function startCombat(s: State, a: number): void {
  s[L.pending]! &= ~(1 << a);
  clearCombat(s);
  s[L.cbArea] = a + 1;
}

/** Goes on with the combat up to the next decision; false when its losses are over (stage `fin`). Ruling R19: the order. */
export function continueCombat(r: Rules, s: State, dice: Dice): boolean {
  const a = s[L.cbArea]! - 1;
  for (;;) {
    switch (s[L.cbStage]) {
      case STAGE.stuka:
        if (s[L.cbStuka] === ANSWER.open) {
          if (s[L.stuka] === 1) return asked(s, KIND.stuka, a);
          s[L.cbStuka] = ANSWER.no;
        }
        s[L.cbStage] = STAGE.at;
        break;
      case STAGE.at:
        if (askGuns(r, s, a, dice)) return true;
        if (germansIn(s, a) === 0) {
          returnCombatChits(r, s, a); // ruling R5: no combat
          clearCombat(s);
          return false;
        }
        s[L.cbStage] = STAGE.decl;
        break;
      case STAGE.decl:
        if (askDeclarations(r, s, a)) return true;
        rollCombat(r, s, a, dice);
        s[L.cbStage] = STAGE.mods;
        break;
      case STAGE.mods:
        if (askDice(r, s, a)) return true;
        decide(r, s, a);
        s[L.cbStage] = STAGE.sovHits;
        break;
      case STAGE.sovHits:
        if (askSovietLoss(r, s, a)) return true;
        s[L.cbStage] = STAGE.gerHits;
        break;
      case STAGE.gerHits:
        if (s[L.gerHitsN]! > 0 && germansIn(s, a) > 0) return asked(s, KIND.gerHit, a);
        s[L.cbStage] = STAGE.fin;
        finishCombat(r, s, a);
        return false;
      default:
        return false;
    }
  }
}

function asked(s: State, kind: number, a: number): true {
  ask(s, kind, a);
  return true;
}

/** Does this Soviet unit shoot before the combat? Rule: SS 9.3; ruling R41: only guns turned face-up this turn. */
const shoots = (r: Rules, s: StateView, u: number, a: number): boolean =>
  placeOf(s, u) === a && isArmed(r.data, u) && unitHas(s, u, F.fresh);

/** Targets of 9.3 one after the other, then the dice. */
function askGuns(r: Rules, s: State, a: number, dice: Dice): boolean {
  if (!r.antitank) return false;
  let armor = false;
  for (let u = 0; u < GERMANS; u++) if (placeOf(s, u) === a && r.data.type[u] === TYPE.armor) armor = true;
  if (!armor) return false;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!shoots(r, s, u, a) || s[L.cbTarget + u - GERMANS] !== 0) continue;
    if (!r.solo) {
      ask(s, KIND.atTarget, a, u);
      return true;
    }
    s[L.cbTarget + u - GERMANS] = chooseTarget(r, s, a, -1, s, L.cbTarget, SOVIETS) + 1;
  }
  for (let i = 0; i < SOVIETS; i++) {
    const target = s[L.cbTarget + i]! - 1;
    s[L.cbTarget + i] = 0;
    if (target >= 0 && placeOf(s, target) === a) attackUnit(r, s, target, dice);
  }
  return false;
}

/** Is an unsuppressed German unit of this type in `a`? */
export function readyGerman(r: Rules, s: StateView, a: number, type: number): boolean {
  for (let u = 0; u < GERMANS; u++)
    if (placeOf(s, u) === a && r.data.type[u] === type && !unitHas(s, u, F.suppressed)) return true;
  return false;
}

function sovietType(r: Rules, s: StateView, a: number, type: number): boolean {
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a && r.data.type[u] === type) return true;
  return false;
}

/** Rule: SS 9.6, then 9.1 German, then 9.1 Soviet; rulings R29, R32. */
function askDeclarations(r: Rules, s: State, a: number): boolean {
  if (s[L.cbSchwere] === ANSWER.open) {
    if (r.schwere && s[L.schwere] === 1 && germansIn(s, a) >= 2) return asked(s, KIND.schwere, a);
    s[L.cbSchwere] = ANSWER.no;
  }
  if (s[L.cbPionier] === ANSWER.open) {
    if (r.engineers && readyGerman(r, s, a, TYPE.engineer)) return asked(s, KIND.pionier, a);
    s[L.cbPionier] = ANSWER.no;
  }
  if (s[L.cbEngineer] === ANSWER.open) {
    const may = r.engineers && sovietType(r, s, a, TYPE.engineer);
    if (may && !r.solo) return asked(s, KIND.engineer, a);
    s[L.cbEngineer] = may ? ANSWER.yes : ANSWER.no;
  }
  return false;
}

/** Totals, dice pools and dice, German ones first. Rule: SS 7.1. */
function rollCombat(r: Rules, s: State, a: number, dice: Dice): void {
  const { pool } = r.data;
  const german = germanTotal(r, s, a);
  const soviet = sovietTotal(r, s, a);
  s[L.gerTotal] = german;
  s[L.sovTotal] = soviet;
  let g = combatDice(pool, german, soviet);
  if (s[L.cbStuka] === ANSWER.yes) g += pool.stuka;
  if (s[L.cbSchwere] === ANSWER.yes) g += pool.schwereAngriff;
  let v = combatDice(pool, soviet, german);
  for (let c = 0; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || !chitHas(s, c, F.faceUp)) continue;
    if (r.data.chitKind[c] === CHIT.artillery) v += pool.perArtillery;
    else if (r.data.chitKind[c] === CHIT.counterattack) v += pool.perCounterattack;
  }
  s[L.gerDiceN] = g;
  s[L.sovDiceN] = v;
  for (let i = 0; i < g; i++) s[L.gerDice + i] = dice.d6();
  for (let i = 0; i < v; i++) s[L.sovDice + i] = dice.d6();
}

/** Bits of `cbDone`. */
const DONE = { pionier: 1, armor: 2, engineer: 4 } as const;

/** Armour without anything to oppose it. Rule: SS 9.2, 9.21. */
function armorUnopposed(r: Rules, s: StateView, a: number): boolean {
  if (!r.armor || !readyGerman(r, s, a, TYPE.armor)) return false;
  return (
    !sovietType(r, s, a, TYPE.armor) &&
    !sovietType(r, s, a, TYPE.antitank) &&
    chitOf(r, s, a, CHIT.molotov, F.faceUp) < 0
  );
}

/** Which die the Pioniers, the armour, the Engineers raise. Rule: SS 9.1, 9.21. */
function askDice(r: Rules, s: State, a: number): boolean {
  const done = s[L.cbDone]!;
  if (s[L.cbPionier] === ANSWER.yes && (done & DONE.pionier) === 0) return asked(s, KIND.diePionier, a);
  if ((done & DONE.armor) === 0 && armorUnopposed(r, s, a)) return asked(s, KIND.dieArmor, a);
  if (s[L.cbEngineer] === ANSWER.yes && (done & DONE.engineer) === 0) {
    if (!r.solo) return asked(s, KIND.dieEngineer, a);
    raiseDie(s, KIND.dieEngineer, chooseEngineerDie(s));
  }
  return false;
}

/** Adds one to a die, up to 6; `die` -1 leaves them as they are. */
export function raiseDie(s: State, kind: number, die: number): void {
  const soviet = kind === KIND.dieEngineer;
  s[L.cbDone]! |= soviet ? DONE.engineer : kind === KIND.dieArmor ? DONE.armor : DONE.pionier;
  if (die < 0) return;
  const at = (soviet ? L.sovDice : L.gerDice) + die;
  s[at] = Math.min(6, s[at]! + 1);
}

/** May this die be chosen? One per value, a 6 only if there is nothing else. Ruling R32. */
export function dieAllowed(s: StateView, kind: number, die: number): boolean {
  const soviet = kind === KIND.dieEngineer;
  const at = soviet ? L.sovDice : L.gerDice;
  const n = s[soviet ? L.sovDiceN : L.gerDiceN]!;
  if (die >= n) return false;
  const value = s[at + die]!;
  for (let i = 0; i < n; i++) {
    if (i < die && s[at + i] === value) return false;
    if (value === 6 && s[at + i]! < 6) return false;
  }
  return true;
}

/** Soviet losses; the strongpoint goes last, by itself. Rule: SS 7.3; ruling R26: surplus hits are lost. */
function askSovietLoss(r: Rules, s: State, a: number): boolean {
  while (s[L.cbSovHits]! > 0 && sovietsIn(s, a) > 0) {
    if (!r.solo) return asked(s, KIND.sovHit, a);
    takeSovietLoss(r, s, chooseLoss(r, s, a, s[L.cbEngineerFirst] === 1));
  }
  if (s[L.cbSovHits]! > 0) {
    const c = chitOf(r, s, a, CHIT.strongpoint, F.faceUp);
    if (c >= 0) returnChit(r, s, c);
    s[L.cbSovHits] = 0;
  }
  return false;
}

/** Rule: SS 9.1: a committed company goes first. */
export const lossAllowed = (r: Rules, s: StateView, u: number): boolean =>
  s[L.cbEngineerFirst] === 0 || r.data.type[u] === TYPE.engineer;

export function takeSovietLoss(r: Rules, s: State, u: number): void {
  s[L.cbSovHits]!--;
  s[L.cbEngineerFirst] = 0;
  killUnit(r, s, u);
}

/** May `u`, a German unit of the area, take the next hit? Rule: SS 7.32, 9.1, 9.6; rulings R24, R29. */
export function hitAllowed(r: Rules, s: StateView, u: number): boolean {
  const a = s[L.cbArea]! - 1;
  const type = r.data.type[u]!;
  const hq = s[L.cbMustHq] === 1;
  const pionier = s[L.cbMustPionier] === 1;
  if (hq || pionier) {
    if (unitHas(s, u, F.suppressed)) return false;
    return (hq && type === TYPE.hq) || (pionier && type === TYPE.engineer);
  }
  return s[L.gerHits] !== HIT.extra || u !== s[L.cbFirstHit]! - 1 || germansIn(s, a) === 1;
}

export function takeGermanHit(r: Rules, s: State, u: number): void {
  const type = r.data.type[u]!;
  const kind = s[L.gerHits]!;
  const n = s[L.gerHitsN]! - 1;
  for (let i = 0; i < n; i++) s[L.gerHits + i] = s[L.gerHits + i + 1]!;
  s[L.gerHits + n] = 0;
  s[L.gerHitsN] = n;
  if (kind === HIT.base) s[L.cbFirstHit] = u + 1;
  if (type === TYPE.hq) s[L.cbMustHq] = 0;
  if (type === TYPE.engineer) s[L.cbMustPionier] = 0;
  loseStep(r, s, u);
}

/** Chits return, control is settled. Rule: SS 7.33; ruling R5: with nobody left the winner controls. */
function finishCombat(r: Rules, s: State, a: number): void {
  const winner = s[L.cbWinner]! - 1;
  returnCombatChits(r, s, a);
  const german = germansIn(s, a) > 0;
  const soviet = sovietCounterIn(s, a);
  if (german && soviet) s[L.control + a] = CONTROL.contested;
  else if (!german && !soviet) s[L.control + a] = winner === GERMAN ? CONTROL.german : CONTROL.soviet;
}
