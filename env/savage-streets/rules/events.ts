import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Rules } from "../data.js";
import * as state from "../state.js";
import { chitOf, loseStep, returnChit } from "./counters.js";
import { chooseTarget } from "./solitaire-choices.js";

// own constants, for speed: see core/layout.ts
const { ATTACK, CHIT, TYPE } = data;
const {
  AREAS,
  ask,
  chitHas,
  chitPlaceOf,
  CHITS,
  chitsIn,
  F,
  GERMANS,
  germansIn,
  KIND,
  L,
  markUnit,
  placeOf,
  sovietsIn,
} = state;

/** Areas whose revealed chits are resolved, in index order. Rule: SS 6.0. */
export function beginEvents(s: State): void {
  let queue = 0;
  for (let a = 0; a < AREAS; a++) if (germansIn(s, a) > 0 && chitsIn(s, a) > 0) queue |= 1 << a;
  s[L.queue] = queue;
}

/** Starts on one area: surplus strongpoints leave, the rest is laid out in order. Rule: SS 6.5; ruling R14. */
export function openEvents(r: Rules, s: State, a: number, breakthrough: boolean): void {
  s[L.evArea] = a + 1;
  s[L.evBreakthrough] = breakthrough ? 1 : 0;
  s[L.evTodo] = 0;
  let strongpoints = 0;
  for (let c = 0; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a) continue;
    const kind = r.data.chitKind[c]!;
    if (kind === CHIT.strongpoint && strongpoints++ > 0) returnChit(r, s, c);
    if (kind === CHIT.sniper || kind === CHIT.molotov || kind === CHIT.ambush || kind === CHIT.dummy)
      s[L.evTodo]! |= 1 << c;
  }
}

/** May this kind of chit aim at German unit `u`? Rule: SS 6.1, 6.2, 6.4. */
export function isTarget(r: Rules, s: StateView, kind: number, a: number, u: number): boolean {
  if (placeOf(s, u) !== a) return false;
  const type = r.data.type[u];
  if (kind === CHIT.sniper) return type === TYPE.hq;
  return kind === CHIT.molotov ? type === TYPE.armor : type !== TYPE.hq;
}

export function anyTarget(r: Rules, s: StateView, kind: number, a: number): boolean {
  for (let u = 0; u < GERMANS; u++) if (isTarget(r, s, kind, a, u)) return true;
  return false;
}

/** The table of 6.1 against one unit. Rule: SS 6.1, 6.2, 6.4, 9.3. */
export function attackUnit(r: Rules, s: State, u: number, dice: Dice): void {
  const result = r.data.attack[dice.d6()]!;
  if (result === ATTACK.suppressed) markUnit(s, u, F.suppressed);
  else if (result === ATTACK.stepLoss) loseStep(r, s, u);
}

/** Goes on with the open area up to the next decision; false when it is done. */
export function continueEvents(r: Rules, s: State, dice: Dice): boolean {
  const a = s[L.evArea]! - 1;
  let dummy = false;
  while (s[L.evTodo] !== 0) {
    const c = lowest(s[L.evTodo]!);
    const kind = r.data.chitKind[c]!;
    if (kind === CHIT.dummy) {
      rollAmbushes(r, s, dice); // all ambushes are named by now
      dummy = true;
      finishChit(r, s, c);
    } else if (!anyTarget(r, s, kind, a)) finishChit(r, s, c);
    else if (r.solo) aim(r, s, c, chooseTarget(r, s, a, kind, s, L.evTarget, CHITS), dice);
    else {
      ask(
        s,
        kind === CHIT.sniper ? KIND.sniperTarget : kind === CHIT.molotov ? KIND.molotovTarget : KIND.ambushTarget,
        a,
        -1,
        c,
      );
      return true;
    }
  }
  rollAmbushes(r, s, dice);
  closeEvents(r, s, a, dummy);
  return false;
}

const lowest = (mask: number): number => 31 - Math.clz32(mask & -mask);

function finishChit(r: Rules, s: State, c: number): void {
  s[L.evTodo]! &= ~(1 << c);
  returnChit(r, s, c);
}

/** The chit aims at `u`: sniper and molotov shoot at once, ambushes wait until all have a target. */
export function aim(r: Rules, s: State, c: number, u: number, dice: Dice): void {
  const kind = r.data.chitKind[c]!;
  if (kind === CHIT.ambush) {
    s[L.evTodo]! &= ~(1 << c);
    s[L.evTarget + c] = u + 1;
    return;
  }
  attackUnit(r, s, u, dice);
  if (kind === CHIT.sniper) finishChit(r, s, c);
  else s[L.evTodo]! &= ~(1 << c); // ruling R15: a molotov stays until the combat is over
}

/** Ruling R17: no die for a target that is gone. */
function rollAmbushes(r: Rules, s: State, dice: Dice): void {
  const a = s[L.evArea]! - 1;
  for (let c = 0; c < CHITS; c++) {
    const u = s[L.evTarget + c]! - 1;
    if (u < 0) continue;
    if (placeOf(s, u) === a) attackUnit(r, s, u, dice);
  }
  for (let c = 0; c < CHITS; c++) {
    if (s[L.evTarget + c] === 0) continue;
    s[L.evTarget + c] = 0;
    returnChit(r, s, c);
  }
}

/** Rule: SS 6.7; rulings R5 and R18: judged when all is resolved. */
function closeEvents(r: Rules, s: State, a: number, dummy: boolean): void {
  if (germansIn(s, a) === 0) returnCombatChits(r, s, a);
  else if (dummy && s[L.evBreakthrough] === 0 && !barsBreakthrough(r, s, a)) s[L.free]! |= 1 << a;
  s[L.evArea] = 0;
  s[L.evBreakthrough] = 0;
}

const barsBreakthrough = (r: Rules, s: StateView, a: number): boolean =>
  sovietsIn(s, a) > 0 ||
  chitOf(r, s, a, CHIT.artillery, F.faceUp) >= 0 ||
  chitOf(r, s, a, CHIT.strongpoint, F.faceUp) >= 0;

/** All face-up chits of `a` but a strongpoint go back to the pile. Rule: SS 6.2, 6.3, 6.6. */
export function returnCombatChits(r: Rules, s: State, a: number): void {
  for (let c = 0; c < CHITS; c++)
    if (chitPlaceOf(s, c) === a && chitHas(s, c, F.faceUp) && r.data.chitKind[c] !== CHIT.strongpoint)
      returnChit(r, s, c);
}
