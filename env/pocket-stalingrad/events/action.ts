import { type Kind, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { AREA_IDS, GUMRAK, type Tables, VOLGA, Z, type AreaId, type SideId } from "../data.js";
import { areasOf, GERMAN, L, REASONS, SIDES, SOVIET, vpOf, enemyOf } from "../state.js";
import { areaId, areaText, forces, SIDE_WORDS, sideId, unitsOf } from "./words.js";

/*
 * The events of infiltration, combat and victory. Rules call these only while there is a narrator.
 */

export function tellInfiltration(side: SideId, play: Play): void {
  const text = `The dice are put away; the ${SIDE_WORDS[side]} infiltration phase begins.`;
  say(play, "infiltration", { by: sideId(side), text });
}

/** @param attacks how many of the `paid` attacks are left after Night */
export function tellAnnounced(paid: number, attacks: number, play: Play): void {
  const night = attacks < paid ? `; Night wastes ${paid - attacks}, ${attacks} left` : "";
  const text = `The German side pays ${paid} CMD for ${counted(paid, "air attack")}${night}.`;
  say(play, "air-announced", { rule: `PS ${attacks < paid ? "Night" : "4.1"}`, text, amount: attacks });
}

export function tellReduced(cancelled: number, cmd: number, play: Play): void {
  const text =
    cancelled === 0
      ? "The Soviet side cancels no air attack."
      : `The Soviet side pays ${cmd} CMD and cancels ${counted(cancelled, "air attack")}.`;
  say(play, "air-reduced", { text, amount: cancelled });
}

export function tellCancelled(tables: Tables, area: AreaId, play: Play): void {
  const text = `The Soviet side pays ${tables.costs.nightCancel} CMD: the air attack on ${areaText(tables, area)} is cancelled.`;
  say(play, "air-cancelled", { text, outcome: "air attack cancelled", places: [areaId(area)] });
}

export function tellAirAttack(tables: Tables, area: AreaId, result: "kill" | "absorbed" | "choice", play: Play): void {
  const where = areaText(tables, area);
  const came = {
    kill: "a Soviet unit is killed",
    absorbed: "the Fortification absorbs it",
    choice: "the Fortification has absorbed its kill already",
  }[result];
  say(play, "air-attack", {
    rule: `PS ${result === "kill" ? "4.1" : "Fortify"}`,
    text: `Air attack on ${where}: ${came}.`,
    outcome: result === "kill" ? `Soviet loses 1 in ${areaId(area)}` : "Fortification holds",
    places: [areaId(area)],
    amount: result === "kill" ? 1 : 0,
  });
}

/** @param lost units lost because the Fortification stays */
export function tellRaze(tables: Tables, area: AreaId, razed: boolean, lost: number, play: Play): void {
  const where = areaText(tables, area);
  const text = razed
    ? `The Fortification in ${where} is given up to save a unit.`
    : `The Fortification in ${where} stays${lost > 0 ? `; ${unitsOf(lost)} lost` : ""}.`;
  const outcome = razed ? `Fortification in ${areaId(area)} lost` : `Soviet loses ${lost} in ${areaId(area)}`;
  say(play, "raze", { text, ...(razed || lost > 0 ? { outcome } : {}), places: [areaId(area)] });
}

export function tellSturm(tables: Tables, to: AreaId, cmd: number, play: Play): void {
  const cost = cmd > 0 ? ` for ${cmd} CMD` : "";
  tellMove(tables, "sturm", GERMAN, GUMRAK, to, "Sturm: a German unit infiltrates", cost, play);
}

export function tellCrossing(tables: Tables, s: StateView, to: AreaId, play: Play): void {
  const cost = ` for ${tables.costs.volgaCrossing} CMD; ${s[L.cmd]} left`;
  tellMove(tables, "crossing", SOVIET, VOLGA, to, "A Soviet unit crosses", cost, play);
}

export function tellRatzelMove(tables: Tables, by: SideId, from: AreaId, to: AreaId, play: Play): void {
  const start = `The ${SIDE_WORDS[by]} side has a ${SIDE_WORDS[enemyOf(by)]} unit moved by Ratzel`;
  tellMove(tables, "ratzel-move", by, from, to, start, "", play);
}

export function tellRatzelOver(play: Play): void {
  say(play, "ratzel-over", { text: "The Ratzel moves are over." });
}

export function tellDeploy(tables: Tables, side: SideId, from: AreaId, to: AreaId, play: Play): void {
  tellMove(tables, "deploy", side, from, to, `Deploy: a ${SIDE_WORDS[side]} unit goes`, "", play);
}

export function tellDeployOver(side: SideId, play: Play): void {
  say(play, "deploy-over", { by: sideId(side), text: `The ${SIDE_WORDS[side]} Deploy is over.` });
}

export function tellGuards(tables: Tables, from: AreaId, to: AreaId, play: Play): void {
  const price = from === VOLGA ? tables.costs.guardsFromVolga : tables.costs.guardsFromZ;
  const cost = price > 0 ? ` for ${price} CMD` : "";
  tellMove(tables, "guards", SOVIET, from, to, "A Guards unit infiltrates", cost, play);
}

function tellMove(
  tables: Tables,
  what: Kind,
  by: SideId,
  from: AreaId,
  to: AreaId,
  start: string,
  end: string,
  play: Play,
): void {
  const text = `${start} from ${areaText(tables, from)} to ${areaText(tables, to)}${end}.`;
  say(play, what, { by: sideId(by), text, places: [areaId(from), areaId(to)], amount: 1 });
}

export function tellCombat(play: Play): void {
  say(play, "combat", { text: "Both player turns are over; the combat phase begins." });
}

/** @param before area of the marker before, 0 for none; `after` likewise */
export function tellArtillery(tables: Tables, side: SideId, before: AreaId, after: AreaId, play: Play): void {
  const done =
    after === 0
      ? `takes the Artillery marker off ${areaText(tables, before)}`
      : before === 0
        ? `lays Artillery on ${areaText(tables, after)}`
        : `moves Artillery from ${areaText(tables, before)} to ${areaText(tables, after)}`;
  const places = [before, after].filter((a) => a > 0).map(areaId);
  const text = `The ${SIDE_WORDS[side]} side ${done} for ${tables.costs.artillery} CMD.`;
  say(play, "artillery", { by: sideId(side), text, places });
}

/** @param side who pays, null when nobody does */
export function tellZCombat(tables: Tables, side: SideId | null, play: Play): void {
  const text =
    side === null
      ? "Nobody pays for combat in Z: there is none."
      : `The ${SIDE_WORDS[side]} side pays ${tables.costs.zCombat} CMD for combat in Z.`;
  say(play, "z-combat", { by: side === null ? null : sideId(side), text, places: [areaId(Z)] });
}

export function tellPioneers(tables: Tables, area: AreaId, fort: boolean, play: Play): void {
  const came = fort ? "the Fortification is removed" : "a Soviet unit is killed";
  say(play, "pioneers", {
    text: `Pioneers in ${areaText(tables, area)}, ${tables.costs.pioneer} CMD: ${came}.`,
    outcome: fort ? `Fortification in ${areaId(area)} lost` : `Soviet loses 1 in ${areaId(area)}`,
    places: [areaId(area)],
  });
}

/** Attrition that Artillery keeps from happening. */
export function tellNoAttrition(tables: Tables, area: AreaId, play: Play): void {
  const text = `Artillery lies on ${areaText(tables, area)}: nobody dies there.`;
  say(play, "attrition", { rule: "PS Artillery", text, places: [areaId(area)], amount: 0 });
}

/** A Fortification takes its kill of the turn, or has taken it; the Soviet side is to choose. */
export function tellShield(tables: Tables, area: AreaId, kills: number, play: Play): void {
  const text = `The Fortification in ${areaText(tables, area)} has absorbed its kill; ${counted(kills, "kill")} more would strike.`;
  say(play, "attrition", { rule: "PS Fortify", text, places: [areaId(area)], amount: 0 });
}

/** @param soviet losses of each side; the state is that after them */
export function tellAttrition(
  tables: Tables,
  s: StateView,
  area: AreaId,
  soviet: number,
  german: number,
  play: Play,
): void {
  const text = `Combat in ${areaText(tables, area)}: Soviet loses ${soviet}, German ${german}; left are ${forces(s, area)}.`;
  say(play, "attrition", {
    rule: `PS ${area === Z ? "5 Area Z" : "5"}`,
    text,
    outcome: `${areaId(area)}: Soviet -${soviet}, German -${german}`,
    places: [areaId(area)],
    amount: soviet + german,
  });
}

export function tellCleared(s: StateView, play: Play): void {
  const cmd = [SOVIET, GERMAN].map((side) => `${SIDE_WORDS[side]} ${s[L.cmd + side]}`).join(", ");
  say(play, "cleared", { text: `The turn's Night, rights and CMD end (${cmd} CMD were left).` });
}

export function tellCapture(tables: Tables, s: StateView, side: SideId, area: AreaId, play: Play): void {
  const stars = counted(tables.stars[area]!, "star");
  const text = `The ${SIDE_WORDS[side]} side captures ${areaText(tables, area)} (${forces(s, area)}; ${stars}): ${tables.vp[area]} VP.`;
  say(play, "capture", {
    by: sideId(side),
    text,
    outcome: `${SIDE_WORDS[side]} captures ${areaId(area)}`,
    places: [areaId(area)],
    amount: tables.vp[area]!,
  });
}

/** Why the game ended, as a sentence. */
export function resultText(tables: Tables, s: StateView, winner: number, reason: (typeof REASONS)[number]): string {
  const areas = `${counted(areasOf(s, SOVIET), "Soviet area")}, ${areasOf(s, GERMAN)} German`;
  const vp = `${vpOf(tables, s, SOVIET)} Soviet VP, ${vpOf(tables, s, GERMAN)} German`;
  if (winner === 0) return `The game is a draw: ${areas}; ${vp}.`;
  const won = `The ${SIDE_WORDS[winner - 1]} side wins`;
  if (reason === "sudden") return `${won} with ${areasOf(s, (winner - 1) as SideId)} city areas.`;
  return reason === "areas" ? `${won} with more city areas: ${areas}.` : `${won} on VP: ${areas}; ${vp}.`;
}

export function tellEnd(tables: Tables, s: StateView, play: Play): void {
  const winner = s[L.winner]!;
  say(play, "end", {
    by: winner === 0 ? null : SIDES[winner - 1]!,
    text: resultText(tables, s, winner, REASONS[s[L.reason]!]!),
    outcome: winner === 0 ? "draw" : `${SIDES[winner - 1]} wins`,
    places: [1, 2, 3, 4, 5].filter((a) => s[L.captured + a] !== 0).map((a) => AREA_IDS[a]!),
  });
}
