import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { breakOut } from "./breakout.js";
import { fire, germanModifier, takeSovietLosses } from "./fire.js";
import { capture, markPocket, redrawFront, settleControl } from "./front.js";
import { countForce, dismissRaids, dismissSupport, formDefence, leaveGarrison } from "./garrison.js";
import { toNextBox } from "./pool.js";

// own constants, for speed: see core/layout.ts
const { GERMAN_COLUMN, INTERCEPTOR, MECH, NONMECH, RAID, SEC, SHOCK_FIRST, SOVIET_OTHER, SUPPORT } = data;
const { activeArmy, BATTLE, battleHex, clearBattle, DEAD, endActivation, P, STAGE_A, STAGE_B } = state;

/** The force enters a marked hex: the defence is formed and the battle begins. Rule: SC 9.2, SC 8.4 */
export function beginBattle(w: World, s: State, hex: number, from: number, dice: Dice): void {
  const { L } = w;
  s[L.battleHex] = hex + 1;
  s[L.from] = from + 1;
  s[L.round] = 1;
  markPocket(w, s, hex);
  s[L.relief] = s[L.pocketSize]! > 0 ? 1 : 0;
  if (!formDefence(w, s, hex, dice)) return;
  if (countForce(w, s, BATTLE) === 0)
    winBattle(w, s, dice); // SC 8.10: markers only
  else openRound(w, s, dice);
}

/** Before each round the player may send VI IC, while it is ready. Rule: SC 10.11, ruling R12 */
export function openRound(w: World, s: State, dice: Dice): void {
  const { L } = w;
  s[L.committed] = 0;
  if (s[L.interceptor] === 1) s[L.phase] = P.commit;
  else fightRound(w, s, dice);
}

/** Steps 1 to 7 of a round, up to the first loss the player has to choose. Rule: SC 10.1 */
export function fightRound(w: World, s: State, dice: Dice): void {
  const { L } = w;
  const army = activeArmy(w, s);
  s[L.shockFirst] = 0;
  if (w.t.armies[army]!.shock) {
    if (s[L.armyFired + army] === 0 && s[L.round] === 1 && s[L.relief] === 0) s[L.shockFirst] = 1;
    s[L.armyFired + army] = 1; // ruling R11: used up by this round, whichever step the army fires in
  }
  if (s[L.shockFirst] === 1) {
    s[L.hits] = fire(w, s[L.armySteps + army]!, SHOCK_FIRST, raidBonus(w, s), dice);
    takeGermanLosses(w, s, STAGE_A, dice);
  } else stepsTwoToFour(w, s, dice);
}

/** Each Raid adds to Soviet ground dice in the first round. Rule: SC 10.10 */
function raidBonus(w: World, s: StateView): number {
  countForce(w, s, BATTLE);
  const { value, firstOnly } = w.t.supportModifier[RAID]!;
  return firstOnly && s[w.L.round] !== 1 ? 0 : value * w.force[4 + RAID]!;
}

/** Steps 2, 3: German mech, then nonmech fire. Step 4: the Soviets who have not fired. Rule: SC 10.1 */
function stepsTwoToFour(w: World, s: State, dice: Dice): void {
  const { L } = w;
  if (!germansFire(w, s, MECH, dice) || !germansFire(w, s, NONMECH, dice)) return;
  const army = activeArmy(w, s);
  let n = s[L.host] === army + 1 ? s[L.engineer]! : 0;
  if (s[L.shockFirst] === 0) n += s[L.armySteps + army]!;
  s[L.hits] = fire(w, n, SOVIET_OTHER, raidBonus(w, s), dice);
  takeGermanLosses(w, s, STAGE_B, dice);
}

/** Steps 5 to 7: security units, VI IC, the end of the round; only the attacker may break off. Rule: SC 10.1, SC 10.3, SC 10.11, ruling R13 */
function stepsFiveToSeven(w: World, s: State, dice: Dice): void {
  const { L } = w;
  if (!germansFire(w, s, SEC, dice)) return;
  if (s[L.committed] === 1) interceptorFires(w, s, dice);
  if (countForce(w, s, BATTLE) === 0) {
    winBattle(w, s, dice);
    return;
  }
  if (s[L.round] === 1) dismissRaids(w, s);
  if (s[L.mp]! >= w.t.extraRoundCost) s[L.phase] = P.press;
  else withdraw(w, s); // ruling R19
}

/** One class of Germans fires, its hits taken at once; support markers do not. Rule: SC 10.1, SC 10.2, SC 10.5 @returns false when the force is destroyed */
function germansFire(w: World, s: State, cls: number, dice: Dice): boolean {
  const { L } = w;
  countForce(w, s, BATTLE);
  const n = w.force[cls]!;
  if (n === 0) return true;
  const modifier = germanModifier(
    w,
    cls,
    battleHex(w, s),
    s[L.round] === 1,
    s[L.relief] === 1 ? w.t.breakInModifier : 0,
  );
  if (takeSovietLosses(w, s, fire(w, n, GERMAN_COLUMN + cls, modifier, dice))) return true;
  loseBattle(w, s);
  return false;
}

/** Step 6: one die against each unit, no modifiers. Rule: SC 10.11, ruling R12 */
function interceptorFires(w: World, s: State, dice: Dice): void {
  for (let c = 0; c < w.counters; c++)
    if (s[w.L.place + c] === BATTLE && w.t.cls[c] !== SUPPORT && fire(w, 1, INTERCEPTOR, 0, dice) > 0)
      toNextBox(w, s, c);
}

/**
 * Takes the hits on the Germans as far as no choice is open, then goes on with the round. Rule: SC 10.14, ruling R18
 *
 * @param stage after which step they fell, so that the round goes on there
 */
export function takeGermanLosses(w: World, s: State, stage: number, dice: Dice): void {
  const { L, force } = w;
  const units = countForce(w, s, BATTLE);
  const hits = s[L.hits]!;
  if (hits >= units) {
    for (let cls = MECH; cls <= SEC; cls++) killUnits(w, s, cls, force[cls]!);
    s[L.hits] = 0;
    s[L.stage] = 0;
    winBattle(w, s, dice);
    return;
  }
  if (hits > 0) {
    const only = force[MECH] === units ? MECH : force[NONMECH] === units ? NONMECH : force[SEC] === units ? SEC : -1;
    if (only < 0) {
      s[L.stage] = stage;
      s[L.phase] = P.losses;
      return;
    }
    killUnits(w, s, only, hits);
    s[L.hits] = 0;
  }
  s[L.stage] = 0;
  if (stage === STAGE_A) stepsTwoToFour(w, s, dice);
  else stepsFiveToSeven(w, s, dice);
}

/** The lowest slots of a class die. Rule: SC 2.6, ruling R18 */
export function killUnits(w: World, s: State, cls: number, n: number): void {
  const slots = w.t.slotsOf[cls]!;
  let left = n;
  for (let i = 0; left > 0 && i < slots.length; i++)
    if (s[w.L.place + slots[i]!] === BATTLE) {
      toNextBox(w, s, slots[i]!);
      left--;
    }
}

/** Step 8: the hex is won, unless a breakout from the pocket restores it. Rule: SC 10.1, SC 8.6, SC 9.4, ruling R7 */
function winBattle(w: World, s: State, dice: Dice): void {
  const { L } = w;
  const hex = battleHex(w, s);
  dismissSupport(w, s);
  if (s[L.pocketSize]! > 0) {
    const outcome = breakOut(w, s, dice);
    if (outcome < 0) return; // the pool ran out
    if (outcome === 1) {
      destroyForce(w, s);
      redrawFront(w, s, dice);
      return;
    }
    for (let h = 0; h < w.hexes; h++) if (s[L.pocket + h] === 1) capture(w, s, h);
  }
  capture(w, s, hex);
  clearBattle(w, s);
  settleControl(w, s);
  if (!redrawFront(w, s, dice)) return;
  s[L.phase] = P.move;
  if (s[L.mp] === 0) endActivation(w, s);
}

/** The force is gone; the survivors keep the hex. Rule: SC 10.1 */
function loseBattle(w: World, s: State): void {
  dismissSupport(w, s);
  leaveGarrison(w, s, battleHex(w, s));
  destroyForce(w, s);
}

function destroyForce(w: World, s: State): void {
  s[w.L.armyHex + activeArmy(w, s)] = DEAD;
  clearBattle(w, s);
  endActivation(w, s);
}

/** The force falls back to where it came from and is done for the turn. Rule: SC 9.5, SC 9.6 */
export function withdraw(w: World, s: State): void {
  const { L } = w;
  dismissSupport(w, s);
  leaveGarrison(w, s, battleHex(w, s));
  s[L.armyHex + activeArmy(w, s)] = s[L.from]! - 1;
  clearBattle(w, s);
  endActivation(w, s);
}
