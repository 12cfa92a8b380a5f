import type { State, StateView } from "../../core/layout.js";
import { CHIT, TYPE } from "../data.js";
import type { Data, Tables } from "../data.js";
import {
  ANSWER,
  type AreaId,
  chitHas,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  L,
  NO_UNIT,
  placeOf,
  SOVIET,
  sovietsIn,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";
import { chitOf, currentCv, there } from "./counters.js";

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

/** True when all three battalions (and the HQ) of a regiment are in `a`, unsuppressed. Rule: SS 9.42; ruling R30. */
function completeRegiments(
  tables: Tables,
  s: StateView,
  a: AreaId,
  german: boolean,
  entering: UnitId = NO_UNIT,
): number {
  let n = 0;
  for (let g = 0; g < tables.data.regiments.length; g++) {
    const { battalions, hq, three } = tables.data.regiments[g]!;
    if (!three || hq >= 0 !== german) continue;
    let complete = hq < 0 || (there(s, hq, a, entering) && !unitHas(s, hq, FLAG.suppressed));
    for (let k = 0; k < battalions.length && complete; k++)
      complete = there(s, battalions[k]!, a, entering) && !unitHas(s, battalions[k]!, FLAG.suppressed);
    if (complete) n++;
  }
  return n;
}

/** True when a battalion of the HQ's regiment is with it, suppressed or not. Rule: SS 9.41; ruling R30. */
function withBattalion(tables: Tables, s: StateView, hq: UnitId, a: AreaId, entering: UnitId): boolean {
  const { battalions } = tables.data.regiments[tables.data.regimentOf[hq]!]!;
  for (let k = 0; k < battalions.length; k++) if (there(s, battalions[k]!, a, entering)) return true;
  return false;
}

/** True when only armour is there, against infantry. Rule: SS 9.22; ruling R31: any other German unit supports. */
function armorUnsupported(tables: Tables, s: StateView, a: AreaId, entering: UnitId, known: boolean): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (there(s, u, a, entering) && tables.data.type[u] !== TYPE.armor) return false;
  for (let u = GERMANS; u < UNITS; u++)
    if (placeOf(s, u) === a && tables.data.type[u]! <= TYPE.engineer && (!known || unitHas(s, u, FLAG.faceUp)))
      return true;
  return false;
}

/**
 * Combat value of the German side in `a`. Rule: SS 7.1, SS 9.2, SS 9.22, SS 9.4, SS 9.41, SS 9.42.
 *
 * @param entering a unit counted as if it lay there, or -1
 * @param known as the German side reckons it: Soviet counters that are face-down are not looked at
 */
export function germanTotal(
  tables: Tables,
  s: StateView,
  a: AreaId,
  entering: UnitId = NO_UNIT,
  known = false,
): number {
  const lessArmor = tables.armor && armorUnsupported(tables, s, a, entering, known);
  let total = tables.integrity ? completeRegiments(tables, s, a, true, entering) : 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!there(s, u, a, entering)) continue;
    const type = tables.data.type[u];
    let cv = currentCv(tables, s, u);
    if (cv > 0 && lessArmor && type === TYPE.armor) cv--;
    if (cv > 0 && tables.integrity && type === TYPE.hq && !withBattalion(tables, s, u, a, entering)) cv--;
    total += cv;
  }
  return total;
}

/** Combat value of the Soviet side in `a`: units, stars, strongpoint. Rule: SS 7.1, SS 6.5, SS 9.42. */
export function sovietTotal(tables: Tables, s: StateView, a: AreaId): number {
  let total = tables.data.stars[a]! + (tables.integrity ? completeRegiments(tables, s, a, false) : 0);
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === a) total += tables.data.full[u]!;
  if (chitOf(tables, s, a, CHIT.strongpoint, FLAG.faceUp) >= 0) total++;
  if (controlOf(s, a) === CONTROL.german) total--;
  return total;
}

/**
 * True when an unsuppressed HQ has another unit with it that is no HQ. Rule: SS 7.2; ruling R23: that one may be
 * suppressed.
 */
function hqBreaksTies(tables: Tables, s: StateView, a: AreaId): boolean {
  let hq = false;
  let other = false;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (placeOf(s, u) !== a) continue;
    if (tables.data.type[u] !== TYPE.hq) other = true;
    else if (!unitHas(s, u, FLAG.suppressed)) hq = true;
  }
  return hq && other;
}

function readyHq(tables: Tables, s: StateView, a: AreaId): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) === a && tables.data.type[u] === TYPE.hq && !unitHas(s, u, FLAG.suppressed)) return true;
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

/**
 * Compares the dice: winner, hits on both sides, who must take them, breakthrough. Rule: SS 7.2, SS 7.3, SS 7.31,
 * SS 7.32, SS 6.3, SS 6.5, SS 6.6, SS 9.1, SS 9.6.
 */
export function decide(tables: Tables, s: State, a: AreaId): void {
  const gn = s[L.germanDiceCount]!;
  const sn = s[L.sovietDiceCount]!;
  const gHigh = highest(s, L.germanDice, gn);
  const sHigh = highest(s, L.sovietDice, sn);
  const counterattack = chitOf(tables, s, a, CHIT.counterattack, FLAG.faceUp) >= 0;
  const strongpoint = chitOf(tables, s, a, CHIT.strongpoint, FLAG.faceUp) >= 0;
  // equal high dice: the side with more of them
  const edge =
    gHigh !== sHigh ? gHigh - sHigh : atLeast(s, L.germanDice, gn, gHigh) - atLeast(s, L.sovietDice, sn, sHigh);
  const tie = edge === 0;
  const germanWins = tie ? !counterattack && hqBreaksTies(tables, s, a) : edge > 0;
  s[L.combatWinner] = (germanWins ? GERMAN : SOVIET) + 1;

  const hits = germanWins ? atLeast(s, L.germanDice, gn, sHigh) : 0;
  s[L.sovietLossesLeft] = hits;
  s[L.engineerTakesNextLoss] = germanWins && s[L.combatEngineer] === ANSWER.yes ? 1 : 0;
  // ruling R21: a strongpoint counts as a unit
  s[L.breakthroughEarned] = hits > sovietsIn(s, a) + (strongpoint ? 1 : 0) ? 1 : 0;

  const spared = germanWins && onlyArtilleryOrStrongpoint(tables, s, a);
  let n = 0;
  if (!spared) s[L.germanHits + n++] = HIT.base;
  if (s[L.combatSchwere] === ANSWER.yes) s[L.germanHits + n++] = HIT.extra;
  // ruling R22: several counterattack chits count their hits once
  const more = !germanWins && counterattack ? atLeast(s, L.sovietDice, sn, gHigh) : 0;
  for (let i = 0; i < more; i++) s[L.germanHits + n++] = HIT.counterattack;
  s[L.germanHitCount] = n;
  // ruling R24: obligations exist only with a regular hit
  s[L.hqMustTakeHit] = !spared && tie && sHigh === 6 && readyHq(tables, s, a) ? 1 : 0;
  s[L.pionierMustTakeHit] = !spared && !germanWins && s[L.combatPionier] === ANSWER.yes && germansIn(s, a) > 0 ? 1 : 0;
}

/** Rule: SS 7.32, exception; ruling R25: as of when the dice are rolled. */
function onlyArtilleryOrStrongpoint(tables: Tables, s: StateView, a: AreaId): boolean {
  if (sovietsIn(s, a) > 0) return false;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || !chitHas(s, c, FLAG.faceUp)) continue;
    const kind = tables.data.chitKind[c];
    if (kind !== CHIT.artillery && kind !== CHIT.strongpoint) return false;
  }
  return true;
}
