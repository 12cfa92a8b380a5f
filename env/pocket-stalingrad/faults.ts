import { type Fault, fault } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import { ACTIONS } from "./actions.js";
import { AREA_IDS, AREAS, CITY_FIRST, CITY_LAST, GUMRAK, type AreaId, type Tables, VOLGA, Z } from "./data.js";
import { BY_KIND, decisions } from "./decisions/index.js";
import { SIDE_WORDS } from "./events/words.js";
import { judge } from "./rules/victory.js";
import {
  actorOf,
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
} from "./state.js";

/**
 * Why a state can't be one of the game, and where its document shows it; or null. The reader refuses what has one, and
 * play never reaches one.
 */
export function stateFault(tables: Tables, s: StateView): Fault | null {
  return (
    turnFault(tables, s) ??
    unitsFault(tables, s) ??
    areasFault(s) ??
    diceFault(s) ??
    decisionFault(tables, s) ??
    endFault(tables, s)
  );
}

function turnFault(tables: Tables, s: StateView): Fault | null {
  if (s[L.turn]! > tables.turns) return fault("turn", `is ${s[L.turn]}, the game has ${tables.turns} turns`);
  const phase = PHASES[phaseOf(s)]!;
  const nobodys = phase === "combat" || phase === "victory" || phase === "over";
  if (nobodys && s[L.active] !== NO_SIDE) return fault("active", `is null in phase ${phase}`);
  if (!nobodys && s[L.active] === NO_SIDE) return fault("active", `names a side in phase ${phase}`);
  return null;
}

/** 20 markers a side, six to an area. Rule: PS Components */
function unitsFault(tables: Tables, s: StateView): Fault | null {
  for (let side = SOVIET; side <= GERMAN; side++) {
    const name = SIDES[side]!;
    let all = s[L.reserve + side]!;
    for (let a = Z; a < AREAS; a++) {
      const n = unitsIn(s, side, a);
      const cap = a < VOLGA ? tables.cap[a]! : a === VOLGA + side ? s[L.max6 + side]! : 0;
      if (n < 0 || n > cap) return fault(`areas.${AREA_IDS[a]}.${name}`, `${n} units, the maximum is ${cap}`);
      all += n;
    }
    if (all !== tables.unitsPerSide || s[L.reserve + side]! < 0)
      return fault(`${name}.reserve`, `makes ${all} ${name} units in all, there are ${tables.unitsPerSide}`);
    if (s[L.cmd + side]! < 0) return fault(`${name}.cmd`, `is ${s[L.cmd + side]}`);
  }
  return null;
}

/** Nothing is left on captured areas; only city areas are captured or fortified. */
function areasFault(s: StateView): Fault | null {
  for (let a = Z; a <= GUMRAK; a++) {
    const path = `areas.${AREA_IDS[a]}`;
    const city = a >= CITY_FIRST && a <= CITY_LAST;
    if (!city && (s[L.fort + a] !== 0 || s[L.captured + a] !== 0)) return fault(path, "is no city area");
    if (s[L.shieldUsed + a] === 1 && !hasFort(s, a)) return fault(`${path}.shieldUsed`, "there is no Fortification");
    const wrong = s[L.captured + a] === 0 ? null : capturedFault(s, a, path);
    if (wrong !== null) return wrong;
  }
  return null;
}

function capturedFault(s: StateView, a: AreaId, path: string): Fault | null {
  if (unitsIn(s, SOVIET, a) + unitsIn(s, GERMAN, a) > 0)
    return fault(`${path}.captured`, "a captured area has no units");
  if (hasFort(s, a)) return fault(`${path}.fort`, "a captured area has no Fortification");
  return s[L.artillery] === a ? fault("artillery", `area ${AREA_IDS[a]} is captured`) : null;
}

/** True when this phase has dice. */
export const hasDice = (s: StateView): boolean => phaseOf(s) <= 1;

function diceFault(s: StateView): Fault | null {
  if (!hasDice(s)) return null;
  const resolving = phaseOf(s) === 1;
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
      return fault(
        `dice.${s[L.keptSpecialDice + d]! > 0 ? "kept" : "loose"}.${SPECIAL_DICE[d]}`,
        "the die is still awaited",
      );
    if (resolving && s[L.keptSpecialDice + d] === 0)
      return fault(`dice.kept.${SPECIAL_DICE[d]}`, "all dice are kept in phase resolve");
  }
  if (awaiting & AWAIT_UNITS && awaiting !== AWAIT_REROLL) {
    if (loose > 0) return fault("dice.loose.units", "unit dice are still awaited");
    return kept === 5 ? fault("decision.awaiting", "all unit dice are kept, none can be awaited") : null;
  }
  if (s[L.kind] === DECISION.dice && units === 0 && specials === 0)
    return s[L.picked] === 1 ? fault("dice.picked", "nothing has been rolled yet") : null;
  if (units !== 5) return fault("dice", `${units} unit dice, there are 5`);
  for (let d = 0; d < 3; d++)
    if (s[L.keptSpecialDice + d]! + s[L.looseSpecialDice + d]! === 0 && !(awaiting & AWAIT_SPECIAL[d]!))
      return fault(`dice.loose.${SPECIAL_DICE[d]}`, "the die is missing");
  if (resolving && loose > 0) return fault("dice.loose.units", "all dice are kept in phase resolve");
  return resolving && s[L.picked] === 0 ? fault("dice.picked", "is true in phase resolve") : null;
}

function decisionFault(tables: Tables, s: StateView): Fault | null {
  const kind = s[L.kind]!;
  const actor = actorOf(s);
  const name = DECISION_KINDS[kind]!;
  const { by, turnOf, optional } = BY_KIND[name];
  if (by !== undefined && actor !== by(tables, s))
    return fault("decision.actor", `${SIDES[actor] ?? "nobody"} does not decide ${name} here`);
  const side = turnOf?.(s) ?? null;
  if (side !== null && s[L.active] !== side)
    return fault("active", `${name} belongs to the ${SIDE_WORDS[side]} player turn`);
  const wrong = numbersFault(tables, s) ?? decisions.fault(tables, s, kind);
  if (wrong !== null || actor === NO_SIDE) return wrong;
  const legal = decisions.mark(tables, s, kind, new Uint8Array(ACTIONS.length), 0);
  if (legal === 0) return fault("decision", `no action is legal at ${name}`);
  return optional === true && legal === 1
    ? fault("decision", `${name} offers nothing but done here, so it is not asked`)
    : null;
}

/** What does not depend on the decision. */
function numbersFault(tables: Tables, s: StateView): Fault | null {
  const gumrak = unitsIn(s, GERMAN, GUMRAK);
  if (s[L.paid]! > gumrak) return fault("decision.paid", `${s[L.paid]} units were paid for, ${gumrak} are on Gumrak`);
  if (s[L.left]! > gumrak) return fault("decision.left", `${s[L.left]} units may go, ${gumrak} are on Gumrak`);
  if (s[L.attacks]! > s[L.paid]!)
    return fault("decision.attacks", `${s[L.attacks]} attacks left of ${s[L.paid]} paid for`);
  for (const side of [SOVIET, GERMAN])
    if (hasRight(s, side, BREACH) && (!tables.breachLate || tables.breach === null || !hasRight(s, side, DEPLOY)))
      return fault(
        `${SIDES[side]!}.breach`,
        "a Breach is still to take its CMD only before its deploy, with option breach after-deploy",
      );
  return null;
}

function endFault(tables: Tables, s: StateView): Fault | null {
  if (s[L.kind] === DECISION.over) {
    const verdict = judge(tables, s);
    return verdict === 0 || (verdict & 3) !== s[L.winner] || verdict >> 2 !== s[L.reason]
      ? fault("result", "does not follow from the captured areas and the turn")
      : null;
  }
  if (s[L.reason] !== 0) return fault("result", "is null until the game is over");
  for (const side of [SOVIET, GERMAN])
    if (areasOf(s, side) >= tables.areasToWin)
      return fault("areas", `${SIDES[side]} holds ${areasOf(s, side)} areas, the game would be over`);
  return null;
}
