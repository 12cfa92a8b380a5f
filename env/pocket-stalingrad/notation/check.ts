import type { State, StateView } from "../../core/layout.js";
import { badPosition } from "../../core/schema.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, type AreaId } from "../data.js";
import { invariantViolation } from "../invariants.js";
import { judge } from "../rules/victory.js";
import {
  areasOf,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  BREACH,
  DECISION,
  DECISION_KINDS,
  DEPLOY,
  GERMAN,
  hasFort,
  hasRight,
  L,
  NO_SIDE,
  phaseOf,
  PHASES,
  SIDES,
  SOVIET,
  SPECIAL_DICE,
  unitsIn,
  actorOf,
  area6,
} from "../state.js";
import { ACTIONS } from "../actions.js";
import { BY_KIND, decisions } from "../decisions/index.js";
import { SIDE_WORDS } from "../events/words.js";
import { GAME } from "./write.js";

const fail = (path: string, reason: string): never => {
  throw badPosition(GAME, path, reason);
};

/**
 * Refuses positions that play cannot reach, as far as one position shows it.
 *
 * @param given which optional blocks the document had
 */
export function checkPosition(tables: Tables, s: State, given: { dice: boolean; result: boolean }): void {
  if (s[L.turn]! > tables.turns) fail("turn", `is ${s[L.turn]}, the game has ${tables.turns} turns`);
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) checkCity(s, a);
  for (const side of [SOVIET, GERMAN]) {
    const id = side === SOVIET ? "S6" : "G6";
    const n = unitsIn(s, side, area6(side));
    if (n > s[L.max6 + side]!) fail(`areas.${id}.${SIDES[side]}`, `${n} units, the maximum is ${s[L.max6 + side]}`);
  }
  checkTurn(s);
  checkDice(s, given.dice);
  checkDecision(tables, s);
  checkEnd(tables, s, given.result);
  const wrong = invariantViolation(tables, s);
  if (wrong !== null) fail("(top)", wrong);
}

function checkCity(s: StateView, a: AreaId): void {
  const path = `areas.${AREA_IDS[a]}`;
  if (s[L.captured + a] !== 0) {
    if (unitsIn(s, SOVIET, a) + unitsIn(s, GERMAN, a) > 0)
      fail(`${path}.captured`, "no unit stands in a captured area");
    if (hasFort(s, a)) fail(`${path}.fort`, "no Fortification lies in a captured area");
    if (s[L.artillery] === a) fail("artillery", `area ${AREA_IDS[a]} is captured`);
  }
  if (s[L.shieldUsed + a] === 1 && !hasFort(s, a)) fail(`${path}.shieldUsed`, "there is no Fortification");
}

function checkTurn(s: StateView): void {
  const phase = PHASES[phaseOf(s)]!;
  const nobodys = phase === "combat" || phase === "victory" || phase === "over";
  if (nobodys && s[L.active] !== NO_SIDE) fail("active", `is null in phase ${phase}`);
  if (!nobodys && s[L.active] === NO_SIDE) fail("active", `names a side in phase ${phase}`);
}

function checkDice(s: StateView, given: boolean): void {
  const phase = phaseOf(s);
  if (phase > 1) {
    if (given) fail("dice", `are null in phase ${PHASES[phase]}`);
    return;
  }
  if (!given) fail("dice", `are needed in phase ${PHASES[phase]}`);
  let kept = 0;
  let loose = 0;
  for (let f = 0; f < 6; f++) {
    kept += s[L.kept + f]!;
    loose += s[L.loose + f]!;
  }
  const awaiting = s[L.awaiting]!;
  const units = kept + loose;
  let specials = 0;
  for (let d = 0; d < 3; d++) {
    const there = s[L.keptSpecialDice + d]! + s[L.looseSpecialDice + d]! > 0;
    if (there) specials++;
    if (awaiting & AWAIT_SPECIAL[d]! && there)
      fail(`dice.${s[L.keptSpecialDice + d]! > 0 ? "kept" : "loose"}.${SPECIAL_DICE[d]}`, "the die is still awaited");
    if (phase === 1 && s[L.keptSpecialDice + d] === 0)
      fail(`dice.kept.${SPECIAL_DICE[d]}`, "all dice are kept in phase resolve");
  }
  if (awaiting & AWAIT_UNITS && awaiting !== AWAIT_REROLL) {
    if (loose > 0) fail("dice.loose.units", "unit dice are still awaited");
    if (kept === 5) fail("decision.awaiting", "all unit dice are kept, none can be awaited");
    return;
  }
  if (s[L.kind] === DECISION.dice && units === 0 && specials === 0) {
    if (s[L.picked] === 1) fail("dice.picked", "nothing has been rolled yet");
    return;
  }
  if (units !== 5) fail("dice", `${units} unit dice, there are 5`);
  for (let d = 0; d < 3; d++) {
    if (s[L.keptSpecialDice + d]! + s[L.looseSpecialDice + d]! === 0 && !(awaiting & AWAIT_SPECIAL[d]!))
      fail(`dice.loose.${SPECIAL_DICE[d]}`, "the die is missing");
  }
  if (phase === 1 && loose > 0) fail("dice.loose.units", "all dice are kept in phase resolve");
  if (phase === 1 && s[L.picked] === 0) fail("dice.picked", "is true in phase resolve");
}

function checkDecision(tables: Tables, s: State): void {
  const kind = s[L.kind]!;
  const actor = actorOf(s);
  const name = DECISION_KINDS[kind]!;
  const { by, turnOf, optional } = BY_KIND[name];
  if (by !== undefined && actor !== by(tables, s))
    fail("decision.actor", `${SIDES[actor] ?? "nobody"} does not decide ${name} here`);
  const side = turnOf?.(s) ?? null;
  if (side !== null && s[L.active] !== side) fail("active", `${name} belongs to the ${SIDE_WORDS[side]} player turn`);
  checkNumbers(tables, s);
  const wrong = decisions.fault(tables, s, kind);
  if (wrong !== null) fail(wrong.path, wrong.reason);
  if (actor === NO_SIDE) return;
  const legal = decisions.mark(tables, s, kind, new Uint8Array(ACTIONS.length), 0);
  if (legal === 0) fail("decision", `no action is legal at ${name}`);
  if (optional === true && legal === 1) fail("decision", `${name} offers nothing but done here, so it is not asked`);
}

/** What does not depend on the decision. */
function checkNumbers(tables: Tables, s: StateView): void {
  const gumrak = unitsIn(s, GERMAN, GUMRAK);
  if (s[L.paid]! > gumrak) fail("decision.paid", `${s[L.paid]} units were paid for, ${gumrak} stand on Gumrak`);
  if (s[L.left]! > gumrak) fail("decision.left", `${s[L.left]} units may go, ${gumrak} stand on Gumrak`);
  if (s[L.attacks]! > s[L.paid]!) fail("decision.attacks", `${s[L.attacks]} attacks left of ${s[L.paid]} paid for`);
  for (const side of [SOVIET, GERMAN])
    if (hasRight(s, side, BREACH) && (!tables.breachLate || tables.breach === null || !hasRight(s, side, DEPLOY)))
      fail(
        `${SIDES[side]!}.breach`,
        "a Breach is still to take its CMD only before its deploy, with option breach after-deploy",
      );
}

function checkEnd(tables: Tables, s: StateView, given: boolean): void {
  const over = s[L.kind] === DECISION.over;
  if (given && !over) fail("result", "is null until the game is over");
  if (!over) {
    for (const side of [SOVIET, GERMAN])
      if (areasOf(s, side) >= tables.areasToWin)
        fail("areas", `${SIDES[side]} holds ${areasOf(s, side)} areas, the game would be over`);
    return;
  }
  if (!given) fail("result", "is needed when the game is over");
  const verdict = judge(tables, s);
  if (verdict === 0 || (verdict & 3) !== s[L.winner] || verdict >> 2 !== s[L.reason])
    fail("result", "does not follow from the captured areas and the turn");
}
