import type { Dice } from "../../core/dice.js";
import type { State } from "../../core/layout.js";
import * as data from "../data.js";
import type { Rules } from "../data.js";
import { ENTRY, note } from "../ledger.js";
import * as state from "../state.js";
import { putUnit } from "./counters.js";

// own constants, for speed: see core/layout.ts
const { TYPE } = data;
const {
  AREAS,
  ask,
  chitHas,
  chitPlaceOf,
  CHITS,
  clearUnit,
  F,
  GERMANS,
  germansIn,
  KIND,
  L,
  markUnit,
  placeOf,
  sovietCounterIn,
  UNITS,
  unitHas,
} = state;

/** Asks which unit to move, or (solo) which area or unit to command. Always asks: `pass` ends the phase. Rule: SS 5.1. */
export function askGermanMove(r: Rules, s: State): void {
  if (!r.solo) ask(s, KIND.gerPick);
  else if (s[L.cmdArea] !== 0) ask(s, KIND.cmdUnit, s[L.cmdArea]! - 1);
  else ask(s, KIND.cmdArea);
}

export function startMove(r: Rules, s: State, u: number): void {
  ask(s, KIND.gerStep, -1, u);
  s[L.dMp] = r.data.mp[u]!;
  s[L.dFirst] = 1;
}

/**
 * One area on, with `mp` left before. Rule: SS 5.1: a Soviet counter of any kind stops the unit; SS 5.2: an empty
 * area changes hands.
 */
export function stepTo(r: Rules, s: State, u: number, a: number, mp: number): void {
  putUnit(r, s, u, a);
  if (mp === 1 || sovietCounterIn(s, a)) {
    markUnit(s, u, F.moved);
    return;
  }
  ask(s, KIND.gerStep, -1, u);
  s[L.dMp] = mp - 1;
}

/** Opens an area for command; an HQ there helps. Rule: SS 10.51; ruling R37: the modifier is fixed now. */
export function openCommand(r: Rules, s: State, a: number): void {
  let drm = 0;
  for (let u = 0; u < GERMANS; u++) if (placeOf(s, u) === a && r.data.type[u] === TYPE.hq) drm = r.data.commandDrm;
  s[L.cmdArea] = a + 1;
  s[L.cmdDrm] = drm;
}

export function closeCommand(s: State): void {
  s[L.queue]! |= 1 << (s[L.cmdArea]! - 1);
  s[L.cmdArea] = 0;
  s[L.cmdDrm] = 0;
}

/** The command roll of one unit. Rule: SS 10.51. */
export function command(r: Rules, s: State, u: number, dice: Dice): void {
  if (dice.d6() + s[L.cmdDrm]! <= r.data.commandMax) startMove(r, s, u);
  else markUnit(s, u, F.moved | F.failed);
}

/** Movement marks go, and all that lies with Germans turns face-up. Rule: SS 5.3. */
export function endGermanMovement(r: Rules, s: State): void {
  for (let u = 0; u < GERMANS; u++) clearUnit(s, u, F.moved | F.failed);
  s[L.queue] = 0;
  s[L.cmdArea] = 0;
  s[L.cmdDrm] = 0;
  for (let a = 0; a < AREAS; a++) if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) reveal(r, s, a);
}

/** Turns everything in `a` face-up. */
export function reveal(r: Rules, s: State, a: number): void {
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== a || unitHas(s, u, F.faceUp)) continue;
    markUnit(s, u, F.faceUp | F.fresh);
    s[L.seenArea + u - GERMANS] = 0;
    s[L.seenTurn + u - GERMANS] = 0;
    note(s, ENTRY.revealUnit, a, 0, u);
  }
  for (let c = 0; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || chitHas(s, c, F.faceUp)) continue;
    s[L.chitFlags + c]! |= F.faceUp;
    note(s, ENTRY.revealChit, a, 0, r.data.chitKind[c]!);
  }
}
