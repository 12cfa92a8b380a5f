import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import {
  type ClassId,
  type CounterId,
  FIRST_COUNTER,
  FIRST_HEX,
  GERMAN_COLUMN,
  type HexId,
  INTERCEPTOR,
  MECH,
  NO_CLASS,
  NONMECH,
  RAID,
  SEC,
  SHOCK_FIRST,
  SOVIET_OTHER,
  SUPPORT,
  type Tables,
} from "../data.js";
import { BATTLE, DEAD, PHASE, AFTER_FIRST_FIRE, AFTER_MAIN_FIRE } from "../layout.js";
import * as events from "../events/battle.js";
import { germansFired, interceptorFired, sovietFired, unitsLost } from "../events/fire.js";
import { captured } from "../events/front.js";
import { stopped } from "../events/turn.js";
import { countersAt } from "../events/words.js";
import { activeArmy, battleHex, clearBattle, endActivation, originHex } from "../state.js";
import { breakOut } from "./breakout.js";
import { fire, germanModifier, takeSovietLosses } from "./fire.js";
import { capture, markPocket, redrawFront, settleControl } from "./front.js";
import { countForce, dismissRaids, dismissSupport, formDefence, leaveGarrison } from "./garrison.js";
import { toNextBox } from "./pool.js";

/** The force enters a marked hex: the defence is formed and the battle begins. Rule: SC 9.2, SC 8.4 */
export function beginBattle(tables: Tables, s: State, hex: HexId, from: HexId, play: Play): void {
  const { L } = tables;
  s[L.battleHex] = hex + 1;
  s[L.from] = from + 1;
  s[L.round] = 1;
  markPocket(tables, s, hex);
  s[L.relief] = s[L.pocketSize]! > 0 ? 1 : 0;
  if (play.narrator !== null) {
    events.attacked(tables, s, from, play);
    if (s[L.relief] === 1) events.pocketThreatened(tables, s, play);
  }
  if (!formDefence(tables, s, hex, play)) return;
  const units = countForce(tables, s, BATTLE);
  if (play.narrator !== null && units > 0) events.defenceFormed(tables, s, units, play);
  if (units === 0) {
    if (play.narrator !== null) events.onlyMarkers(tables, s, play); // Rule: SC 8.10
    winBattle(tables, s, play);
  } else openRound(tables, s, play);
}

/** Before each round the player may send VI IC, while it is ready. Rule: SC 10.11, ruling R12 */
export function openRound(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  s[L.committed] = 0;
  s[L.shockFirst] = 0;
  if (s[L.interceptor] === 1) s[L.phase] = PHASE.commit;
  else fightRound(tables, s, play);
}

/** VI IC flies in this round, and is spent. Rule: SC 10.11, ruling R12 */
export function sendInterceptor(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  s[L.committed] = 1;
  if (!tables.spentWhenFired) s[L.interceptor] = 0;
  if (play.narrator !== null) events.interceptorSent(tables, s, play);
  fightRound(tables, s, play);
}

/** Steps 1 to 7 of a round, up to the first loss the player has to choose. Rule: SC 2.5, SC 10.1 */
export function fightRound(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  if (tables.armies[army]!.shock) {
    if (s[L.armyFired + army] === 0 && s[L.round] === 1 && s[L.relief] === 0) s[L.shockFirst] = 1;
    s[L.armyFired + army] = 1; // ruling R11: used up by this round, whichever step the army fires in
  }
  if (play.narrator !== null) events.roundBegun(tables, s, play);
  if (s[L.shockFirst] === 1) {
    sovietsFire(tables, s, s[L.armySteps + army]!, SHOCK_FIRST, play);
    takeGermanLosses(tables, s, AFTER_FIRST_FIRE, play);
  } else stepsTwoToFour(tables, s, play);
}

/** Soviet ground units fire, `n` steps with a die each; the hits wait in the state. Rule: SC 2.7, SC 10.1 */
function sovietsFire(tables: Tables, s: State, n: number, column: number, play: Play): void {
  const modifier = raidBonus(tables, s);
  const hits = fire(tables, n, column, modifier, play);
  s[tables.L.hits] = hits;
  if (play.narrator !== null) sovietFired(tables, s, column, modifier, hits, play);
}

/** Each Raid adds to Soviet ground dice in the first round. Rule: SC 8.2, SC 10.10 */
function raidBonus(tables: Tables, s: StateView): number {
  countForce(tables, s, BATTLE);
  const { value, firstOnly } = tables.supportModifier[RAID]!;
  return firstOnly && s[tables.L.round] !== 1 ? 0 : value * tables.force[4 + RAID]!;
}

/** Steps 2, 3: German mech, then nonmech fire. Step 4: the Soviets who have not fired. Rule: SC 2.7, SC 10.1 */
function stepsTwoToFour(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  if (!germansFire(tables, s, MECH, play) || !germansFire(tables, s, NONMECH, play)) return;
  const army = activeArmy(tables, s);
  let n = s[L.host] === army + 1 ? s[L.engineer]! : 0;
  if (s[L.shockFirst] === 0) n += s[L.armySteps + army]!;
  sovietsFire(tables, s, n, SOVIET_OTHER, play);
  takeGermanLosses(tables, s, AFTER_MAIN_FIRE, play);
}

/**
 * Steps 5 to 7: security units, VI IC, the end of the round; only the attacker may break off. Rule: SC 10.1, SC 10.3,
 * SC 10.11, ruling R13
 */
function stepsFiveToSeven(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  if (!germansFire(tables, s, SEC, play)) return;
  if (s[L.committed] === 1) interceptorFires(tables, s, play);
  if (countForce(tables, s, BATTLE) === 0) {
    winBattle(tables, s, play);
    return;
  }
  if (s[L.round] === 1) dismissRaids(tables, s, play);
  if (play.narrator !== null) events.roundUndecided(tables, s, play);
  if (s[L.mp]! >= tables.extraRoundCost) s[L.phase] = PHASE.press;
  else withdraw(tables, s, "SC 9.6", play); // ruling R19
}

/**
 * One class of Germans fires, a die a unit, its hits taken at once; support markers do not. Rule: SC 2.9, SC 2.11,
 * SC 10.1, SC 10.2, SC 10.5
 *
 * @returns false when the force is destroyed
 */
function germansFire(tables: Tables, s: State, cls: ClassId, play: Play): boolean {
  const { L } = tables;
  countForce(tables, s, BATTLE);
  const n = tables.force[cls]!;
  if (n === 0) return true;
  const modifier = germanModifier(
    tables,
    cls,
    battleHex(tables, s),
    s[L.round] === 1,
    s[L.relief] === 1 ? tables.breakInModifier : 0,
  );
  const hits = fire(tables, n, GERMAN_COLUMN + cls, modifier, play);
  if (play.narrator !== null) germansFired(tables, s, cls, modifier, hits, false, play);
  if (takeSovietLosses(tables, s, hits, play)) return true;
  loseBattle(tables, s, play);
  return false;
}

/** Step 6: one die against each unit, no modifiers. Rule: SC 10.11, ruling R12 */
function interceptorFires(tables: Tables, s: State, play: Play): void {
  const { narrator } = play;
  const { faces } = tables;
  s[tables.L.interceptor] = 0;
  const thrown: number[] | null = narrator === null ? null : [];
  const lost: CounterId[] | null = narrator === null ? null : [];
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++) {
    if (s[tables.L.place + c] !== BATTLE || tables.cls[c] === SUPPORT) continue;
    const hit = fire(tables, 1, INTERCEPTOR, 0, play) > 0;
    thrown?.push(faces[0]!);
    if (!hit) continue;
    toNextBox(tables, s, c, play);
    lost?.push(c);
  }
  if (thrown !== null && lost !== null) interceptorFired(tables, s, thrown, lost, play);
}

/**
 * Takes the hits on the Germans as far as no choice is open, then goes on with the round. Rule: SC 10.14, ruling R18
 *
 * @param stage after which step they fell, so that the round goes on there
 */
export function takeGermanLosses(tables: Tables, s: State, stage: number, play: Play): void {
  const { L, force } = tables;
  const units = countForce(tables, s, BATTLE);
  const hits = s[L.hits]!;
  const before: CounterId[] | null = play.narrator === null ? null : countersAt(tables, s, BATTLE);
  if (hits >= units) {
    for (let cls = MECH; cls <= SEC; cls++) killUnits(tables, s, cls, force[cls]!, play);
    s[L.hits] = 0;
    if (before !== null) unitsLost(tables, s, before, play);
    winBattle(tables, s, play);
    return;
  }
  if (hits > 0) {
    const only =
      force[MECH] === units ? MECH : force[NONMECH] === units ? NONMECH : force[SEC] === units ? SEC : NO_CLASS;
    if (only < 0) {
      s[L.stage] = stage;
      s[L.phase] = PHASE.losses;
      return;
    }
    killUnits(tables, s, only, hits, play);
    s[L.hits] = 0;
    if (before !== null) unitsLost(tables, s, before, play);
  }
  s[L.stage] = 0;
  if (stage === AFTER_FIRST_FIRE) stepsTwoToFour(tables, s, play);
  else stepsFiveToSeven(tables, s, play);
}

/** Classes of which a unit may be lost, as bytes from `at` on. Rule: SC 10.14 @returns how many */
export function markClasses(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { force } = tables;
  countForce(tables, s, BATTLE);
  let n = 0;
  for (let cls = MECH; cls <= SEC; cls++) {
    if (force[cls] === 0) continue;
    mask[at + cls] = 1;
    n++;
  }
  return n;
}

/** A hit falls on the class that the player chose. Rule: SC 10.14 */
export function loseUnit(tables: Tables, s: State, cls: ClassId, play: Play): void {
  const before: CounterId[] | null = play.narrator === null ? null : countersAt(tables, s, BATTLE);
  killUnits(tables, s, cls, 1, play);
  s[tables.L.hits]!--;
  if (before !== null) unitsLost(tables, s, before, play);
}

/** The lowest slots of a class die. Rule: SC 2.6, ruling R18 */
function killUnits(tables: Tables, s: State, cls: ClassId, n: number, play: Play): void {
  const slots = tables.slotsOf[cls]!;
  let left = n;
  for (let i = 0; left > 0 && i < slots.length; i++)
    if (s[tables.L.place + slots[i]!] === BATTLE) {
      toNextBox(tables, s, slots[i]!, play);
      left--;
    }
}

/** Step 8: the hex is won, unless a breakout from the pocket restores it. Rule: SC 10.1, SC 8.6, SC 9.4, ruling R7 */
function winBattle(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  const hex = battleHex(tables, s);
  dismissSupport(tables, s, play);
  if (s[L.pocketSize]! > 0) {
    const outcome = breakOut(tables, s, play);
    if (outcome < 0) return; // the pool ran out
    if (outcome === 1) {
      destroyForce(tables, s, play);
      redrawFront(tables, s, play);
      return;
    }
    for (let h = FIRST_HEX; h < tables.hexCount; h++) if (s[L.pocket + h] === 1) capture(tables, s, h);
  }
  capture(tables, s, hex);
  if (play.narrator !== null) captured(tables, s, play);
  clearBattle(tables, s);
  settleControl(tables, s, play);
  if (!redrawFront(tables, s, play)) return;
  s[L.phase] = PHASE.move;
  if (s[L.mp] !== 0) return;
  if (play.narrator !== null) stopped(tables, s, play);
  endActivation(tables, s);
}

/** The force is gone; the survivors keep the hex. Rule: SC 10.1 */
function loseBattle(tables: Tables, s: State, play: Play): void {
  dismissSupport(tables, s, play);
  leaveGarrison(tables, s, battleHex(tables, s), play);
  destroyForce(tables, s, play);
}

function destroyForce(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.armyDestroyed(tables, s, play);
  s[tables.L.armyHex + activeArmy(tables, s)] = DEAD;
  clearBattle(tables, s);
  endActivation(tables, s);
}

/** Another round of the battle, for movement points. Rule: SC 9.3 */
export function pressOn(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  s[L.mp]! -= tables.extraRoundCost;
  s[L.round]!++;
  if (play.narrator !== null) events.pressedOn(tables, s, play);
  openRound(tables, s, play);
}

/**
 * The force falls back to where it came from and is done for the turn. Rule: SC 9.5, SC 9.6
 *
 * @param rule SC 9.5 when the player chose so, SC 9.6 when no MP is left
 */
export function withdraw(tables: Tables, s: State, rule: "SC 9.5" | "SC 9.6", play: Play): void {
  const { L } = tables;
  dismissSupport(tables, s, play);
  leaveGarrison(tables, s, battleHex(tables, s), play);
  if (play.narrator !== null) events.fellBack(tables, s, rule, play);
  s[L.armyHex + activeArmy(tables, s)] = originHex(tables, s);
  clearBattle(tables, s);
  endActivation(tables, s);
}
