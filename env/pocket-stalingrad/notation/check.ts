import type { State, StateView } from "../../core/layout.js";
import { badPosition } from "../../core/schema.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables } from "../data.js";
import { invariantViolation } from "../invariants.js";
import { judge } from "../rules/victory.js";
import {
  AIR,
  areaOfDie,
  areasOf,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  BREACH,
  controller,
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
  RATT,
  reserveOf,
  RIGHT_NAMES,
  room,
  SIDES,
  SOVIET,
  SPECIAL_DICE,
  TACTICS,
  unitsIn,
} from "../state.js";
import { hasChoice } from "../steps.js";
import { setLegal } from "../actions.js";
import { GAME } from "./write.js";

const fail = (path: string, reason: string): never => {
  throw badPosition(GAME, path, reason);
};

/** Kinds that only one side can decide. */
const SOLE_ACTOR: Readonly<Record<number, number>> = {
  [DECISION.fortify]: SOVIET,
  [DECISION.announce]: GERMAN,
  [DECISION.reduce]: SOVIET,
  [DECISION.air]: GERMAN,
  [DECISION.cancel]: SOVIET,
  [DECISION.raze]: SOVIET,
  [DECISION.sturm]: GERMAN,
  [DECISION.cross]: SOVIET,
  [DECISION.pioneer]: GERMAN,
  [DECISION.guards]: SOVIET,
};
const BY_ACTIVE = [DECISION.dice, DECISION.place, DECISION.lose, DECISION.deployOut, DECISION.deployIn];
const GERMAN_TURN_ONLY = [DECISION.announce, DECISION.reduce, DECISION.air, DECISION.cancel, DECISION.sturm];
const COMPULSORY = [DECISION.dice, DECISION.place, DECISION.lose];

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
    const n = unitsIn(s, side, side === SOVIET ? 6 : 7);
    if (n > s[L.max6 + side]!) fail(`areas.${id}.${SIDES[side]}`, `${n} units, the maximum is ${s[L.max6 + side]}`);
  }
  checkTurn(s);
  checkDice(s, given.dice);
  checkDecision(tables, s);
  checkEnd(tables, s, given.result);
  const wrong = invariantViolation(tables, s);
  if (wrong !== null) fail("(top)", wrong);
}

function checkCity(s: StateView, a: number): void {
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
  const actor = s[L.actor]!;
  const name = DECISION_KINDS[kind]!;
  const sole = SOLE_ACTOR[kind];
  const wrongActor =
    (sole !== undefined && actor !== sole) ||
    (BY_ACTIVE.includes(kind) && actor !== s[L.active]) ||
    (kind === DECISION.reroll && (tables.pavlov < 0 || actor !== controller(s, tables.pavlov)));
  if (wrongActor) fail("decision.actor", `${SIDES[actor] ?? "nobody"} does not decide ${name} here`);
  const germanOnly = GERMAN_TURN_ONLY.includes(kind) || (kind === DECISION.raze && s[L.source] === AIR);
  if (germanOnly && s[L.active] !== GERMAN) fail("active", `${name} belongs to the German player turn`);
  if (kind === DECISION.fortify && s[L.active] !== SOVIET) fail("active", "fortify belongs to the Soviet player turn");
  checkFields(tables, s, kind);
  checkRights(tables, s, kind);
  if (kind === DECISION.over || kind === DECISION.chance) return;
  if (COMPULSORY.includes(kind)) {
    if (setLegal(tables, s, new Uint8Array(128), 0) === 0) fail("decision", `no action is legal at ${name}`);
  } else if (!hasChoice(tables, s)) fail("decision", `${name} offers nothing but done here, so it is not asked`);
}

/** Rights that some decisions need; Guards and Pioneers without theirs have nothing to choose. */
const NEEDS: Readonly<Record<number, keyof typeof RIGHT_NAMES>> = {
  [DECISION.artillery]: "artillery",
  [DECISION.sturm]: "sturm",
  [DECISION.deployOut]: "deploy",
  [DECISION.deployIn]: "deploy",
};

/** Refuses a decision that no die has given to its side. Rule: PS 3; PS Artillery, PS Sturm, PS 3 Deploy, PS 3 Ratt 3 */
function checkRights(tables: Tables, s: StateView, kind: number): void {
  const name = DECISION_KINDS[kind]!;
  const right = NEEDS[kind];
  if (right !== undefined && !hasRight(s, s[L.actor]!, RIGHT_NAMES[right]))
    fail(`${SIDES[s[L.actor]!]!}.rights`, `the decision ${name} needs the right ${right} among them`);
  if (kind === DECISION.ratzel && s[L.ratzel] === 0)
    fail("ratzel", "is true while a Ratzel move is to be made, which needs a 3 of the Ratt die");
  const needs = (die: number, op: string, effects: readonly (readonly { readonly op: string }[])[]): void => {
    const faces = effects.flatMap((list, f) => (list.some((e) => e.op === op) ? [f + 1] : []));
    const face = s[L.keptSpecialDice + die]!;
    if (!faces.includes(face))
      fail(`dice.kept.${SPECIAL_DICE[die]!}`, `the decision ${name} needs ${faces.join(" or ")}, not ${face}`);
  };
  if (kind === DECISION.fortify) needs(TACTICS, "fortify", tables.tactics[s[L.active]!]!);
  if (kind === DECISION.lose) needs(RATT, "loseUnit", tables.ratt);
}

function checkFields(tables: Tables, s: StateView, kind: number): void {
  const gumrak = unitsIn(s, GERMAN, GUMRAK);
  const night = s[L.night] === 1;
  if (s[L.paid]! > gumrak) fail("decision.paid", `${s[L.paid]} units were paid for, ${gumrak} stand on Gumrak`);
  if (s[L.left]! > gumrak) fail("decision.left", `${s[L.left]} units may go, ${gumrak} stand on Gumrak`);
  if (s[L.attacks]! > s[L.paid]!) fail("decision.attacks", `${s[L.attacks]} attacks left of ${s[L.paid]} paid for`);
  if (kind === DECISION.announce && s[L.paid]! > 0 && night)
    fail("decision.paid", "under Night the total is announced once");
  if ((kind === DECISION.cancel || kind === DECISION.reduce) && !night)
    fail("decision.kind", `${DECISION_KINDS[kind]} needs Night`);
  if (kind === DECISION.cancel && tables.nightTotal)
    fail("decision.kind", "cancel needs option nightResponse per-attack");
  for (const side of [SOVIET, GERMAN])
    if (hasRight(s, side, BREACH) && (!tables.breachLate || tables.breach === null || !hasRight(s, side, DEPLOY)))
      fail(
        `${SIDES[side]!}.breach`,
        "a Breach is still to take its CMD only before its deploy, with option breach after-deploy",
      );
  if (kind === DECISION.reduce && !tables.nightTotal) fail("decision.kind", "reduce needs option nightResponse total");
  if ((kind === DECISION.cancel || kind === DECISION.reduce) && s[L.cmd + SOVIET]! < tables.costs.nightCancel)
    fail("soviet.cmd", `${DECISION_KINDS[kind]} needs ${tables.costs.nightCancel} CMD`);
  if ((kind === DECISION.air || kind === DECISION.reduce) && s[L.attacks] === 0)
    fail("decision.attacks", "no attack is left");
  const area = s[L.area]! - 1;
  if (kind === DECISION.cancel && (tables.airTarget[area] !== 1 || unitsIn(s, SOVIET, area) === 0))
    fail("decision.area", `${AREA_IDS[area]} is no target of an air attack`);
  if (kind === DECISION.raze) {
    if (!hasFort(s, area) || s[L.shieldUsed + area] === 0)
      fail("decision.area", `raze needs a Fortification with a used shield in ${AREA_IDS[area]}`);
    if (s[L.kills]! < 1 || s[L.kills]! > unitsIn(s, SOVIET, area))
      fail("decision.kills", `${s[L.kills]} kills among ${unitsIn(s, SOVIET, area)} Soviet units`);
    if (s[L.source] === AIR && s[L.kills] !== 1) fail("decision.kills", "an air attack makes one kill");
    if (s[L.source] !== AIR && unitsIn(s, GERMAN, area) === 0)
      fail("decision.area", `no German unit stands in ${AREA_IDS[area]}`);
  }
  if (kind === DECISION.pioneer || (kind === DECISION.artillery && area >= 0)) {
    if (!tables.combatOrder.includes(area)) fail("decision.area", `${AREA_IDS[area]} has no combat`);
  }
  if (kind === DECISION.artillery && (s[L.passed]! >> s[L.actor]!) & 1) fail("decision.passed", "the actor has passed");
  if (kind === DECISION.place) checkPlace(tables, s);
}

function checkPlace(tables: Tables, s: StateView): void {
  const side = s[L.actor]!;
  let n = 0;
  for (let f = 0; f < 6; f++) {
    n += s[L.pending + f]!;
    if (s[L.pending + f]! > Math.min(s[L.kept + f]!, room(tables, s, side, areaOfDie(side, f + 1))))
      fail("decision.pending", `too many dice of number ${f + 1}`);
  }
  if (n <= reserveOf(s, side)) fail("decision.pending", "the reserve covers all dice, nothing is to be chosen");
  if (reserveOf(s, side) === 0) fail("decision.pending", "the reserve is empty");
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
