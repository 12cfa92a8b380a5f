import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Data, Rules } from "../data.js";
import * as state from "../state.js";
import { chitOf, currentCv } from "./counters.js";

// own constants, for speed: see core/layout.ts
const { CHIT, TYPE } = data;
const {
  ANSWER,
  chitHas,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  F,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  L,
  placeOf,
  SOVIET,
  sovietsIn,
  UNITS,
  unitHas,
} = state;

/**
 * Dice one side rolls before chits, Stuka and options. Rule: SS 7.1.
 *
 * @param mine combat value of that side
 * @param theirs combat value of the other side
 */
export function combatDice(pool: Data["pool"], mine: number, theirs: number): number {
  if (mine < theirs) return pool.lesser;
  if (mine === theirs) return pool.equal;
  return mine > 2 * theirs ? pool.greater + pool.moreThanDouble : pool.greater;
}

/** Do all three battalions (and the HQ) of a regiment lie in `a`, unsuppressed? Rule: SS 9.42; ruling R30. */
function completeRegiments(r: Rules, s: StateView, a: number, german: boolean): number {
  let n = 0;
  for (let g = 0; g < r.data.regiments.length; g++) {
    const { battalions, hq, three } = r.data.regiments[g]!;
    if (!three || hq >= 0 !== german) continue;
    let complete = hq < 0 || (placeOf(s, hq) === a && !unitHas(s, hq, F.suppressed));
    for (let k = 0; k < battalions.length && complete; k++)
      complete = placeOf(s, battalions[k]!) === a && !unitHas(s, battalions[k]!, F.suppressed);
    if (complete) n++;
  }
  return n;
}

/** Is a battalion of the HQ's regiment with it, suppressed or not? Rule: SS 9.41; ruling R30. */
function withBattalion(r: Rules, s: StateView, hq: number, a: number): boolean {
  const { battalions } = r.data.regiments[r.data.regimentOf[hq]!]!;
  for (let k = 0; k < battalions.length; k++) if (placeOf(s, battalions[k]!) === a) return true;
  return false;
}

/** Is nothing but armour there, facing infantry? Rule: SS 9.22; ruling R31: any other German unit supports. */
function armorUnsupported(r: Rules, s: StateView, a: number): boolean {
  for (let u = 0; u < GERMANS; u++) if (placeOf(s, u) === a && r.data.type[u] !== TYPE.armor) return false;
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a && r.data.type[u]! <= TYPE.engineer) return true;
  return false;
}

/** Combat value of the German side in `a`. Rule: SS 7.1, 9.2, 9.22, 9.4, 9.41, 9.42. */
export function germanTotal(r: Rules, s: StateView, a: number): number {
  const lessArmor = r.armor && armorUnsupported(r, s, a);
  let total = r.integrity ? completeRegiments(r, s, a, true) : 0;
  for (let u = 0; u < GERMANS; u++) {
    if (placeOf(s, u) !== a) continue;
    const type = r.data.type[u];
    let cv = currentCv(r, s, u);
    if (cv > 0 && lessArmor && type === TYPE.armor) cv--;
    if (cv > 0 && r.integrity && type === TYPE.hq && !withBattalion(r, s, u, a)) cv--;
    total += cv;
  }
  return total;
}

/** Combat value of the Soviet side in `a`: units, stars, strongpoint. Rule: SS 7.1, 6.5, 9.42. */
export function sovietTotal(r: Rules, s: StateView, a: number): number {
  let total = r.data.stars[a]! + (r.integrity ? completeRegiments(r, s, a, false) : 0);
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a) total += r.data.full[u]!;
  if (chitOf(r, s, a, CHIT.strongpoint, F.faceUp) >= 0) total++;
  if (controlOf(s, a) === CONTROL.german) total--;
  return total;
}

/** Does an unsuppressed HQ have another unit with it that is no HQ? Rule: SS 7.2; ruling R23: that one may be suppressed. */
function hqBreaksTies(r: Rules, s: StateView, a: number): boolean {
  let hq = false;
  let other = false;
  for (let u = 0; u < GERMANS; u++) {
    if (placeOf(s, u) !== a) continue;
    if (r.data.type[u] !== TYPE.hq) other = true;
    else if (!unitHas(s, u, F.suppressed)) hq = true;
  }
  return hq && other;
}

function readyHq(r: Rules, s: StateView, a: number): boolean {
  for (let u = 0; u < GERMANS; u++)
    if (placeOf(s, u) === a && r.data.type[u] === TYPE.hq && !unitHas(s, u, F.suppressed)) return true;
  return false;
}

function atLeast(s: StateView, dice: number, n: number, value: number): number {
  let k = 0;
  for (let i = 0; i < n; i++) if (s[dice + i]! >= value) k++;
  return k;
}

function highest(s: StateView, dice: number, n: number): number {
  let high = 0;
  for (let i = 0; i < n; i++) high = Math.max(high, s[dice + i]!);
  return high;
}

/** Compares the dice: winner, hits on both sides, who must take them, breakthrough. Rule: SS 7.2, 7.3, 7.31, 7.32, 6.6. */
export function decide(r: Rules, s: State, a: number): void {
  const gn = s[L.gerDiceN]!;
  const sn = s[L.sovDiceN]!;
  const gHigh = highest(s, L.gerDice, gn);
  const sHigh = highest(s, L.sovDice, sn);
  const counterattack = chitOf(r, s, a, CHIT.counterattack, F.faceUp) >= 0;
  const strongpoint = chitOf(r, s, a, CHIT.strongpoint, F.faceUp) >= 0;
  // equal high dice: the side with more of them
  const edge = gHigh !== sHigh ? gHigh - sHigh : atLeast(s, L.gerDice, gn, gHigh) - atLeast(s, L.sovDice, sn, sHigh);
  const tie = edge === 0;
  const germanWins = tie ? !counterattack && hqBreaksTies(r, s, a) : edge > 0;
  s[L.cbWinner] = (germanWins ? GERMAN : SOVIET) + 1;

  const hits = germanWins ? atLeast(s, L.gerDice, gn, sHigh) : 0;
  s[L.cbSovHits] = hits;
  s[L.cbEngineerFirst] = germanWins && s[L.cbEngineer] === ANSWER.yes ? 1 : 0;
  // ruling R21: a strongpoint counts as a unit
  s[L.cbBreakthrough] = hits > sovietsIn(s, a) + (strongpoint ? 1 : 0) ? 1 : 0;

  const spared = germanWins && onlyArtilleryOrStrongpoint(r, s, a);
  let n = 0;
  if (!spared) s[L.gerHits + n++] = HIT.base;
  if (s[L.cbSchwere] === ANSWER.yes) s[L.gerHits + n++] = HIT.extra;
  // ruling R22: several counterattack chits count their hits once
  const more = !germanWins && counterattack ? atLeast(s, L.sovDice, sn, gHigh) : 0;
  for (let i = 0; i < more; i++) s[L.gerHits + n++] = HIT.counterattack;
  s[L.gerHitsN] = n;
  // ruling R24: obligations exist only with a regular hit
  s[L.cbMustHq] = !spared && tie && sHigh === 6 && readyHq(r, s, a) ? 1 : 0;
  s[L.cbMustPionier] = !spared && !germanWins && s[L.cbPionier] === ANSWER.yes && germansIn(s, a) > 0 ? 1 : 0;
}

/** Rule: SS 7.32, exception; ruling R25: as things stand when the dice are rolled. */
function onlyArtilleryOrStrongpoint(r: Rules, s: StateView, a: number): boolean {
  if (sovietsIn(s, a) > 0) return false;
  for (let c = 0; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || !chitHas(s, c, F.faceUp)) continue;
    const kind = r.data.chitKind[c];
    if (kind !== CHIT.artillery && kind !== CHIT.strongpoint) return false;
  }
  return true;
}
