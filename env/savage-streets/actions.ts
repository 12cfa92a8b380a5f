import type { StateView } from "../core/layout.js";
import actionsFile from "./data/actions.json" with { type: "json" };
import type { Data, Tables } from "./data.js";
import { CHIT, TYPE } from "./data.js";
import { chitAreas } from "./rules/chits.js";
import { breakthroughTargets, mayJoin } from "./rules/breakthrough.js";
import { dieAllowed, hitAllowed, lossAllowed } from "./rules/combat.js";
import { isTarget } from "./rules/events.js";
import { germanEntryAreas, landingChoices, mayTry } from "./rules/reinforcement.js";
import { chitMayMove, isSmg, sovietDestinations, unitMayMove } from "./rules/soviet-movement.js";
import { sovietStackFits } from "./rules/counters.js";
import {
  AREAS,
  chitHas,
  chitPlaceOf,
  CHITS,
  FLAG,
  GERMANS,
  DECISION,
  decisionOf,
  L,
  placeOf,
  UNITS,
  unitHas,
} from "./state.js";

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

/** Writes the mask of the pending decision. @returns the number of legal actions */
export function legalMask(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  mask.fill(0, at, at + DIE + 6);
  const area = s[L.decisionArea]! - 1;
  const unit = s[L.decisionUnit]! - 1;
  switch (decisionOf(s)) {
    case DECISION.setupPlace:
      return setAreas(mask, at, setupAreas(tables, s, unit));
    case DECISION.gerPlace:
      return setAreas(mask, at, germanEntryAreas(tables, s, unit));
    case DECISION.reinfPick:
      return setPass(mask, at) + setWaiting(tables, s, mask, at);
    case DECISION.reinfArea:
      return setAreas(mask, at, landingChoices(tables, s, unit));
    case DECISION.chitPlace:
      return setAreas(mask, at, chitAreas(tables, s));
    case DECISION.sovPick:
      return setPass(mask, at) + setMovers(tables, s, mask, at);
    case DECISION.sovDest:
      return setAreas(mask, at, destinations(tables, s, unit));
    case DECISION.sovExcess:
      return setExcess(tables, s, mask, at, area);
    case DECISION.gerPick:
      return setPass(mask, at) + setUnmoved(s, mask, at, -1);
    case DECISION.gerStep:
      return (
        setAreas(mask, at, tables.data.adjacent[placeOf(s, unit)]!) +
        (s[L.decisionIsFirstStep] === 1 && !tables.mayStay ? 0 : setPass(mask, at))
      );
    case DECISION.cmdArea:
      return setPass(mask, at) + setAreas(mask, at, commandAreas(s));
    case DECISION.cmdUnit:
      return setPass(mask, at) + setUnmoved(s, mask, at, area);
    case DECISION.combatArea:
      return (
        setAreas(mask, at, s[L.pendingCombats]! | s[L.freeBreakthroughs]!) +
        (s[L.pendingCombats] === 0 ? setPass(mask, at) : 0)
      );
    case DECISION.stuka:
    case DECISION.schwere:
    case DECISION.pionier:
    case DECISION.engineer:
      return setBoth(mask, at);
    case DECISION.diePionier:
    case DECISION.dieEngineer:
      return setDice(s, mask, at);
    case DECISION.dieArmor:
      return setPass(mask, at) + setDice(s, mask, at);
    case DECISION.btDest:
      return setPass(mask, at) + setAreas(mask, at, breakthroughTargets(tables, s, area));
    case DECISION.btUnit:
      return (s[L.breakthroughUnits] === 0 ? 0 : setPass(mask, at)) + setGermans(tables, s, mask, at, area);
    case DECISION.sovHit:
      return setLosses(tables, s, mask, at, area);
    default:
      return setGermans(tables, s, mask, at, area);
  }
}

function setupAreas(tables: Tables, s: StateView, u: number): number {
  let m = 0;
  for (let a = 0; a < AREAS; a++) if ((tables.data.numbered >> a) & 1 && sovietStackFits(tables, s, a, u)) m |= 1 << a;
  return m;
}

function setWaiting(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!mayTry(s, u) || landingChoices(tables, s, u) === 0) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** Destinations of a unit, or of a chit (from `UNITS` on). */
export function destinations(tables: Tables, s: StateView, counter: number): number {
  if (counter < UNITS) return sovietDestinations(tables, s, placeOf(s, counter), isSmg(tables, counter));
  return sovietDestinations(tables, s, chitPlaceOf(s, counter - UNITS), false);
}

function setMovers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!unitMayMove(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  // one action per kind and area: chits of a kind are interchangeable
  let lastKind = -1;
  let seen = 0;
  for (let c = 0; c < CHITS; c++) {
    if (tables.data.chitKind[c] !== lastKind) {
      lastKind = tables.data.chitKind[c]!;
      seen = 0;
    }
    if (!chitMayMove(tables, s, c)) continue;
    const bit = 1 << chitPlaceOf(s, c);
    if (seen & bit) continue;
    seen |= bit;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

/** Units while they are too many, then chits, one per kind and face. Ruling R11. */
function setExcess(tables: Tables, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  if (!sovietStackFits(tables, s, area, -1)) {
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
    const face = tables.data.chitKind[c]! * 2 + (chitHas(s, c, FLAG.faceUp) ? 1 : 0);
    if (face === last || seenBefore(tables, s, c, area, face)) continue;
    last = face;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

function seenBefore(tables: Tables, s: StateView, c: number, area: number, face: number): boolean {
  for (let i = 0; i < c; i++)
    if (chitPlaceOf(s, i) === area && tables.data.chitKind[i]! * 2 + (chitHas(s, i, FLAG.faceUp) ? 1 : 0) === face)
      return true;
  return false;
}

/** Unmoved German units, of one area or (-1) of the whole map. */
function setUnmoved(s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = 0; u < GERMANS; u++) {
    const a = placeOf(s, u);
    if (a >= AREAS || (area >= 0 && a !== area) || unitHas(s, u, FLAG.moved)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

function commandAreas(s: StateView): number {
  let m = 0;
  for (let u = 0; u < GERMANS; u++) if (placeOf(s, u) < AREAS && !unitHas(s, u, FLAG.moved)) m |= 1 << placeOf(s, u);
  return m & ~s[L.areaQueue]!;
}

function setDice(s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let i = 0; i < 6; i++) {
    if (!dieAllowed(s, decisionOf(s), i)) continue;
    mask[at + DIE + i] = 1;
    n++;
  }
  return n;
}

function setLosses(tables: Tables, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== area || !lossAllowed(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** German units of an area that the decision may fall on. */
function setGermans(tables: Tables, s: StateView, mask: Uint8Array, at: number, area: number): number {
  let n = 0;
  for (let u = 0; u < GERMANS; u++) {
    if (placeOf(s, u) !== area || !germanAllowed(tables, s, u, area)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

function germanAllowed(tables: Tables, s: StateView, u: number, area: number): boolean {
  switch (decisionOf(s)) {
    case DECISION.gerHit:
      return hitAllowed(tables, s, u);
    case DECISION.btUnit:
      return mayJoin(s, u);
    case DECISION.atTarget:
      return tables.data.type[u] === TYPE.armor;
    case DECISION.sniperTarget:
      return isTarget(tables, s, CHIT.sniper, area, u);
    case DECISION.molotovTarget:
      return isTarget(tables, s, CHIT.molotov, area, u);
    case DECISION.ambushTarget:
      return isTarget(tables, s, CHIT.ambush, area, u);
    default:
      return true;
  }
}
