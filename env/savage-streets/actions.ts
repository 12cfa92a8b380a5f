import type { StateView } from "../core/layout.js";
import actionsFile from "./data/actions.json" with { type: "json" };
import type { Data, Rules } from "./data.js";
import * as data from "./data.js";
import { chitAreas } from "./rules/chits.js";
import { breakthroughTargets, mayJoin } from "./rules/breakthrough.js";
import { dieAllowed, hitAllowed, lossAllowed } from "./rules/combat.js";
import { isTarget } from "./rules/events.js";
import { germanEntryAreas, landingChoices, mayTry } from "./rules/reinforcement.js";
import { chitMayMove, isSmg, sovietDestinations, unitMayMove } from "./rules/soviet-movement.js";
import { sovietStackFits } from "./rules/counters.js";
import * as state from "./state.js";

// own constants, for speed: see core/layout.ts
const { CHIT, TYPE } = data;
const { AREAS, chitHas, chitPlaceOf, CHITS, F, GERMANS, KIND, kindOf, L, placeOf, UNITS, unitHas } = state;

const first = (each: string | null, text: string): number =>
  actionsFile.blocks.find((b) => b.each === each && b.text === text)!.first;

/** First action of each block. */
export const PASS = first(null, "pass");
export const YES = first(null, "yes");
export const AREA = first("areas", "area");
export const UNIT = first("units", "unit");
export const CHIT_AT = first("chits", "chit");
export const DIE = first("dice", "die");

/** The strings of all actions, in index order. */
export function actionNames(data: Data): string[] {
  const lists: Readonly<Record<string, readonly string[]>> = {
    areas: data.areaIds,
    units: data.unitIds,
    chits: data.chitIds,
    dice: ["1", "2", "3", "4", "5", "6"],
  };
  return actionsFile.blocks.flatMap((b) => (b.each === null ? [b.text] : lists[b.each]!.map((x) => `${b.text} ${x}`)));
}

/** Sets the actions of the areas in `areas`; returns how many. */
function setAreas(mask: Uint8Array, at: number, areas: number): number {
  let n = 0;
  for (let m = areas; m !== 0; m &= m - 1) {
    mask[at + AREA + 31 - Math.clz32(m & -m)] = 1;
    n++;
  }
  return n;
}

function setPass(mask: Uint8Array, at: number): number {
  mask[at + PASS] = 1;
  return 1;
}

function setBoth(mask: Uint8Array, at: number): number {
  mask[at + YES] = 1;
  return 1 + setPass(mask, at);
}

/** Writes the mask of the decision at hand; returns how many actions are legal. */
export function legalMask(r: Rules, s: StateView, mask: Uint8Array, at: number): number {
  mask.fill(0, at, at + DIE + 6);
  const area = s[L.dArea]! - 1;
  const unit = s[L.dUnit]! - 1;
  switch (kindOf(s)) {
    case KIND.setupPlace:
      return setAreas(mask, at, setupAreas(r, s, unit));
    case KIND.gerPlace:
      return setAreas(mask, at, germanEntryAreas(r, s, unit));
    case KIND.reinfPick:
      return setPass(mask, at) + setWaiting(r, s, mask, at);
    case KIND.reinfArea:
      return setAreas(mask, at, landingChoices(r, s, unit));
    case KIND.chitPlace:
      return setAreas(mask, at, chitAreas(r, s));
    case KIND.sovPick:
      return setPass(mask, at) + setMovers(r, s, mask, at);
    case KIND.sovDest:
      return setAreas(mask, at, destinations(r, s, unit));
    case KIND.sovExcess:
      return setExcess(r, s, mask, at, area);
    case KIND.gerPick:
      return setPass(mask, at) + setUnmoved(s, mask, at, -1);
    case KIND.gerStep:
      return setAreas(mask, at, r.data.adjacent[placeOf(s, unit)]!) + (s[L.dFirst] === 1 ? 0 : setPass(mask, at));
    case KIND.cmdArea:
      return setPass(mask, at) + setAreas(mask, at, commandAreas(s));
    case KIND.cmdUnit:
      return setPass(mask, at) + setUnmoved(s, mask, at, area);
    case KIND.combatArea:
      return setAreas(mask, at, s[L.pending]! | s[L.free]!) + (s[L.pending] === 0 ? setPass(mask, at) : 0);
    case KIND.stuka:
    case KIND.schwere:
    case KIND.pionier:
    case KIND.engineer:
      return setBoth(mask, at);
    case KIND.diePionier:
    case KIND.dieEngineer:
      return setDice(s, mask, at);
    case KIND.dieArmor:
      return setPass(mask, at) + setDice(s, mask, at);
    case KIND.btDest:
      return setPass(mask, at) + setAreas(mask, at, breakthroughTargets(r, s, area));
    case KIND.btUnit:
      return (s[L.btUnits] === 0 ? 0 : setPass(mask, at)) + setGermans(r, s, mask, at, area);
    case KIND.sovHit:
      return setLosses(r, s, mask, at, area);
    default:
      return setGermans(r, s, mask, at, area);
  }
}

function setupAreas(r: Rules, s: StateView, u: number): number {
  let m = 0;
  for (let a = 0; a < AREAS; a++) if ((r.data.numbered >> a) & 1 && sovietStackFits(r, s, a, u)) m |= 1 << a;
  return m;
}

function setWaiting(r: Rules, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!mayTry(s, u) || landingChoices(r, s, u) === 0) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** Destinations of a unit, or of a chit (from `UNITS` on). */
export function destinations(r: Rules, s: StateView, counter: number): number {
  if (counter < UNITS) return sovietDestinations(r, s, placeOf(s, counter), isSmg(r, counter));
  return sovietDestinations(r, s, chitPlaceOf(s, counter - UNITS), false);
}

function setMovers(r: Rules, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!unitMayMove(r, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  // one id per kind and area: chits of a kind are alike
  let lastKind = -1;
  let seen = 0;
  for (let c = 0; c < CHITS; c++) {
    if (r.data.chitKind[c] !== lastKind) {
      lastKind = r.data.chitKind[c]!;
      seen = 0;
    }
    if (!chitMayMove(r, s, c)) continue;
    const bit = 1 << chitPlaceOf(s, c);
    if (seen & bit) continue;
    seen |= bit;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

/** Units while they are too many, then chits, one per kind and face. Ruling R11. */
function setExcess(r: Rules, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  if (!sovietStackFits(r, s, area, -1)) {
    for (let u = GERMANS; u < UNITS; u++) {
      if (placeOf(s, u) !== area) continue;
      mask[at + UNIT + u] = 1;
      n++;
    }
    return n;
  }
  let last = -1;
  for (let c = 0; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== area) continue;
    const face = r.data.chitKind[c]! * 2 + (chitHas(s, c, F.faceUp) ? 1 : 0);
    if (face === last || seenBefore(r, s, c, area, face)) continue;
    last = face;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

function seenBefore(r: Rules, s: StateView, c: number, area: number, face: number): boolean {
  for (let i = 0; i < c; i++)
    if (chitPlaceOf(s, i) === area && r.data.chitKind[i]! * 2 + (chitHas(s, i, F.faceUp) ? 1 : 0) === face) return true;
  return false;
}

/** Unmoved German units, of one area or (-1) of the whole map. */
function setUnmoved(s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = 0; u < GERMANS; u++) {
    const a = placeOf(s, u);
    if (a >= AREAS || (area >= 0 && a !== area) || unitHas(s, u, F.moved)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

function commandAreas(s: StateView): number {
  let m = 0;
  for (let u = 0; u < GERMANS; u++) if (placeOf(s, u) < AREAS && !unitHas(s, u, F.moved)) m |= 1 << placeOf(s, u);
  return m & ~s[L.queue]!;
}

function setDice(s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let i = 0; i < 6; i++) {
    if (!dieAllowed(s, kindOf(s), i)) continue;
    mask[at + DIE + i] = 1;
    n++;
  }
  return n;
}

function setLosses(r: Rules, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== area || !lossAllowed(r, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** German units of an area that the decision may fall on. */
function setGermans(r: Rules, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = 0; u < GERMANS; u++) {
    if (placeOf(s, u) !== area || !germanAllowed(r, s, u, area)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

function germanAllowed(r: Rules, s: StateView, u: number, area: number): boolean {
  switch (kindOf(s)) {
    case KIND.gerHit:
      return hitAllowed(r, s, u);
    case KIND.btUnit:
      return mayJoin(s, u);
    case KIND.atTarget:
      return r.data.type[u] === TYPE.armor;
    case KIND.sniperTarget:
      return isTarget(r, s, CHIT.sniper, area, u);
    case KIND.molotovTarget:
      return isTarget(r, s, CHIT.molotov, area, u);
    case KIND.ambushTarget:
      return isTarget(r, s, CHIT.ambush, area, u);
    default:
      return true;
  }
}
