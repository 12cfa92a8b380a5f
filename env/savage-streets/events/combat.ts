import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import type { Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { ATTACK, CHIT, type Tables } from "../data.js";
import type { Raiser } from "../raisers.js";
import { type AreaId, type ChitId, FLAG, GERMAN, HIT, L, unitHas, type UnitId } from "../state.js";
import {
  areaId,
  areaIds,
  CHIT_RULES,
  chitWord,
  controlWord,
  faces,
  placeName,
  SIDE_NAMES,
  SIDES,
  unitId,
} from "./words.js";

/** A chit of the events that has nothing to shoot at. */
export function noTarget(tables: Tables, c: ChitId, a: AreaId, play: Play): void {
  const kind = tables.data.chitKind[c]!;
  const target = kind === CHIT.sniper ? "HQ" : kind === CHIT.molotov ? "armour" : "unit but HQs";
  const text = `The ${chitWord(tables, c)} in ${placeName(tables, a)} finds no ${target} to shoot at.`;
  say(play, "no-target", { rule: CHIT_RULES[kind]!, text, places: [areaId(tables, a)] });
}

/** An ambush, or a gun of SS 9.3, is aimed; dice follow when all are. @param shooter `An ambush`, `20 AT` */
export function aimed(tables: Tables, shooter: string, u: UnitId, a: AreaId, rule: string, play: Play): void {
  const text = `${shooter} in ${placeName(tables, a)} aims at ${unitId(tables, u)}.`;
  say(play, "aimed", { rule, text, units: [unitId(tables, u)], places: [areaId(tables, a)] });
}

/** Reports one shot of the table of SS 6.1 before its effect. */
export function shot(
  tables: Tables,
  s: StateView,
  shooter: string,
  u: UnitId,
  a: AreaId,
  die: number,
  result: number,
  rule: string,
  play: Play,
): void {
  const id = unitId(tables, u);
  const dead = result === ATTACK.stepLoss && unitHas(s, u, FLAG.depleted);
  const effect =
    result === ATTACK.none
      ? "no effect"
      : result === ATTACK.suppressed
        ? `${id} is suppressed`
        : dead
          ? `${id} is eliminated`
          : `${id} loses a step`;
  say(play, "shot", {
    rule,
    text: `${shooter} in ${placeName(tables, a)} shoots at ${id}, die ${die}: ${effect}.`,
    outcome: result === ATTACK.none ? `${id} unhurt` : effect,
    dice: [{ by: "S", purpose: `shot at ${id}`, sides: 6, faces: [die], needed: hitsOn(tables), result: effect }],
    units: [id],
    places: [areaId(tables, a)],
  });
}

/** `3+ suppresses, 5+ costs a step`, as the table has it. */
function hitsOn(tables: Tables): string {
  const least = (result: number): number => [1, 2, 3, 4, 5, 6].find((d) => tables.data.attack[d] === result) ?? 0;
  return `${least(ATTACK.suppressed)}+ suppresses, ${least(ATTACK.stepLoss)}+ costs a step`;
}

export function combatsDue(tables: Tables, s: StateView, play: Play): void {
  const places = areaIds(tables, s[L.pendingCombats]!);
  if (places.length === 0) return;
  const text = `Combats to come: ${listed(places, "none")}.`;
  say(play, "combats-due", { text, places });
}

export function combatBegins(tables: Tables, a: AreaId, play: Play): void {
  const text = `Combat in ${placeName(tables, a)}.`;
  say(play, "combat-begins", { text, places: [areaId(tables, a)] });
}

const DECLARED = {
  stuka: ["SS 7.1", "G", "The Stuka joins the combat: one extra German die", "The Stuka stays away"],
  schwere: ["SS 9.6", "G", "The attack is all-out: one extra German die and one extra German hit", "No all-out attack"],
  pionier: ["SS 9.1", "G", "The Pioniers are committed", "The Pioniers are held back"],
  engineer: ["SS 9.1", "S", "The Engineers are committed", "The Engineers are held back"],
} as const;

/** An answer before the dice of a combat. */
export function declared(tables: Tables, what: keyof typeof DECLARED, yes: boolean, a: AreaId, play: Play): void {
  const [rule, by, accepted, declined] = DECLARED[what];
  const text = `${yes ? accepted : declined}.`;
  say(play, "declared", { rule, by, text, places: [areaId(tables, a)] });
}

/** The dice of both sides. Rule: SS 7.1. */
export function combatDice(tables: Tables, s: StateView, a: AreaId, play: Play): void {
  const german = faces(s, L.germanDice, s[L.germanDiceCount]!);
  const soviet = faces(s, L.sovietDice, s[L.sovietDiceCount]!);
  const [g, v] = [s[L.germanTotal]!, s[L.sovietTotal]!];
  const throwOf = (by: "G" | "S", thrown: number[], value: number, other: number): Throw => ({
    by,
    purpose: "combat",
    sides: 6,
    faces: thrown,
    needed: null,
    result: `highest ${Math.max(...thrown)} (combat value ${value} against ${other})`,
  });
  say(play, "combat-dice", {
    text: `${placeName(tables, a)}: German combat value ${g}, dice ${german.join(" ")}; Soviet ${v}, dice ${soviet.join(" ")}.`,
    dice: [throwOf("G", german, g, v), throwOf("S", soviet, v, g)],
    places: [areaId(tables, a)],
  });
}

/**
 * Reports that a die is raised by one, before it is. @param die -1 when none is
 */
export function dieRaised(tables: Tables, s: StateView, raiser: Raiser, die: number, a: AreaId, play: Play): void {
  const value = s[raiser.dice + die]!;
  const raised = die < 0 ? "no die" : `a ${value} to ${Math.min(6, value + 1)}`;
  say(play, "die-raised", {
    rule: raiser.rule,
    by: raiser.side,
    text: `The ${raiser.raises} ${raised}.`,
    places: [areaId(tables, a)],
  });
}

/** Why equal highest dice went to the winner. Rule: SS 7.2, SS 6.6. */
function tieBreak(german: readonly number[], soviet: readonly number[], winner: number): string {
  const high = Math.max(...german);
  const count = (dice: readonly number[]): number => dice.filter((d) => d === high).length;
  if (count(german) !== count(soviet)) return "the winner has more of them";
  return winner === GERMAN ? "an HQ breaks the tie" : "a tie goes to the Soviet side";
}

/** Who won, with how many hits. Rule: SS 7.2, SS 7.3. */
export function combatDecided(tables: Tables, s: StateView, a: AreaId, play: Play): void {
  const winner = s[L.combatWinner]! - 1;
  const [german, soviet] = [
    faces(s, L.germanDice, s[L.germanDiceCount]!),
    faces(s, L.sovietDice, s[L.sovietDiceCount]!),
  ];
  const [g, v] = [Math.max(...german), Math.max(...soviet)];
  const high =
    g === v
      ? `: both highest dice are ${g}, ${tieBreak(german, soviet, winner)}`
      : `: highest die ${Math.max(g, v)} against ${Math.min(g, v)}`;
  const hits = s[L.sovietLossesLeft]!;
  const own = s[L.germanHitCount]!;
  const losses = [
    ...(winner === GERMAN ? [`${counted(hits, "hit")} on the Soviet side`] : []),
    `${own === 0 ? "no hit" : counted(own, "hit")} on the German side`,
  ];
  const more = s[L.breakthroughEarned] === 1 ? " More hits than Soviet units." : "";
  say(play, "combat-decided", {
    by: SIDES[winner]!,
    text: `The ${SIDE_NAMES[winner]!} side wins in ${placeName(tables, a)}${high}; ${listed(losses, "none")}.${more}`,
    outcome: `${areaId(tables, a)}: ${SIDE_NAMES[winner]!} win${winner === GERMAN ? `, ${counted(hits, "hit")}` : ""}`,
    places: [areaId(tables, a)],
    amount: hits,
  });
}

/** Rule: SS 7.3. */
export function sovietLoss(tables: Tables, u: UnitId, a: AreaId, play: Play): void {
  const id = unitId(tables, u);
  const text = `${id} is eliminated in ${placeName(tables, a)}.`;
  const outcome = `${id} eliminated`;
  say(play, "soviet-loss", { text, outcome, units: [id], places: [areaId(tables, a)] });
}

/**
 * Reports a hit on a German unit before the unit takes it. @param hit code of `HIT`
 */
export function germanHit(tables: Tables, s: StateView, u: UnitId, a: AreaId, hit: number, play: Play): void {
  const id = unitId(tables, u);
  const dead = unitHas(s, u, FLAG.depleted);
  const why =
    hit === HIT.extra ? " of the all-out attack" : hit === HIT.counterattack ? " of the Guards counterattack" : "";
  say(play, "german-hit", {
    rule: hit === HIT.extra ? "SS 9.6" : hit === HIT.counterattack ? "SS 6.6" : "SS 7.32",
    text: `${id} takes the hit${why} in ${placeName(tables, a)} and is ${dead ? "eliminated" : "depleted"}.`,
    outcome: `${id} ${dead ? "eliminated" : "depleted"}`,
    units: [id],
    places: [areaId(tables, a)],
  });
}

/** A combat is over; control is settled. Rule: SS 7.33. */
export function combatEnds(tables: Tables, s: StateView, a: AreaId, play: Play): void {
  const word = controlWord(s, a);
  const text = `The combat in ${placeName(tables, a)} is over: the area is ${word}.`;
  const outcome = `${areaId(tables, a)} ${word}`;
  say(play, "combat-ends", { text, outcome, places: [areaId(tables, a)] });
}

/** Shots before the dice left no German there. Ruling R5. */
export function noCombat(tables: Tables, a: AreaId, play: Play): void {
  const text = `No German is left in ${placeName(tables, a)}: there is no combat.`;
  say(play, "combat-called-off", { text, places: [areaId(tables, a)] });
}
