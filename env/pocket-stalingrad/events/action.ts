import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { AREA_IDS, GUMRAK, type Tables, VOLGA, Z, type AreaId, type SideId } from "../data.js";
import { areasOf, GERMAN, L, REASONS, SIDES, SOVIET, vpOf, enemyOf } from "../state.js";
import { tell } from "./dice.js";
import { areaId, areaText, forces, SIDE_WORDS, unitsOf } from "./words.js";

/*
 * What infiltration, combat and victory tell. Rules call these only while somebody listens (`tables.narrator`).
 */

export function tellInfiltration(tables: Tables, side: SideId, play: Play): void {
  const text = `The dice are put away; the ${SIDE_WORDS[side]} infiltration phase begins.`;
  tell(tables, "infiltration", "4", side, text, play);
}

/** @param attacks how many of the `paid` attacks are left after Night */
export function tellAnnounced(tables: Tables, paid: number, attacks: number, play: Play): void {
  const night = attacks < paid ? `; Night wastes ${paid - attacks}, ${attacks} left` : "";
  const text = `The German side pays ${paid} CMD for ${counted(paid, "air attack")}${night}.`;
  tell(tables, "air-announced", attacks < paid ? "Night" : "4.1", GERMAN, text, play, { amount: attacks });
}

export function tellReduced(tables: Tables, cancelled: number, cmd: number, play: Play): void {
  const text =
    cancelled === 0
      ? "The Soviet side cancels no air attack."
      : `The Soviet side pays ${cmd} CMD and cancels ${counted(cancelled, "air attack")}.`;
  tell(tables, "air-reduced", "Night", SOVIET, text, play, { amount: cancelled });
}

export function tellCancelled(tables: Tables, area: AreaId, play: Play): void {
  const text = `The Soviet side pays ${tables.costs.nightCancel} CMD: the air attack on ${areaText(tables, area)} is cancelled.`;
  tell(tables, "air-cancelled", "Night", SOVIET, text, play, { outcome: "air attack cancelled", places: [areaId(area)] });
}

export function tellAirAttack(tables: Tables, area: AreaId, result: "kill" | "absorbed" | "choice", play: Play): void {
  const where = areaText(tables, area);
  const came = {
    kill: "a Soviet unit is killed",
    absorbed: "the Fortification absorbs it",
    choice: "the Fortification has absorbed its kill already",
  }[result];
  tell(tables, "air-attack", result === "kill" ? "4.1" : "Fortify", GERMAN, `Air attack on ${where}: ${came}.`, play, {
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
  tell(tables, "raze", "Fortify", SOVIET, text, play, { ...(razed || lost > 0 ? { outcome } : {}), places: [areaId(area)] });
}

export function tellSturm(tables: Tables, to: AreaId, cmd: number, play: Play): void {
  const cost = cmd > 0 ? ` for ${cmd} CMD` : "";
  tellMove(tables, "sturm", "Sturm", GERMAN, GUMRAK, to, "Sturm: a German unit infiltrates", cost, play);
}

export function tellCrossing(tables: Tables, s: StateView, to: AreaId, play: Play): void {
  const cost = ` for ${tables.costs.volgaCrossing} CMD; ${s[L.cmd]} left`;
  tellMove(tables, "crossing", "4.2", SOVIET, VOLGA, to, "A Soviet unit crosses", cost, play);
}

export function tellRatzelMove(tables: Tables, by: SideId, from: AreaId, to: AreaId, play: Play): void {
  const start = `The ${SIDE_WORDS[by]} side has a ${SIDE_WORDS[enemyOf(by)]} unit moved by Ratzel`;
  tellMove(tables, "ratzel-move", "3 Ratt 3", by, from, to, start, "", play);
}

export function tellRatzelOver(tables: Tables, play: Play): void {
  tell(tables, "ratzel-over", "4.3", null, "The Ratzel moves are over.", play);
}

export function tellDeploy(tables: Tables, side: SideId, from: AreaId, to: AreaId, play: Play): void {
  tellMove(tables, "deploy", "3 Deploy", side, from, to, `Deploy: a ${SIDE_WORDS[side]} unit goes`, "", play);
}

export function tellDeployOver(tables: Tables, side: SideId, play: Play): void {
  tell(tables, "deploy-over", "3 Deploy", side, `The ${SIDE_WORDS[side]} Deploy is over.`, play);
}

export function tellGuards(tables: Tables, from: AreaId, to: AreaId, play: Play): void {
  const price = from === VOLGA ? tables.costs.guardsFromVolga : tables.costs.guardsFromZ;
  const cost = price > 0 ? ` for ${price} CMD` : "";
  tellMove(tables, "guards", "Guards", SOVIET, from, to, "A Guards unit infiltrates", cost, play);
}

function tellMove(
  tables: Tables,
  what: string,
  rule: string,
  by: SideId,
  from: AreaId,
  to: AreaId,
  start: string,
  end: string, play: Play,
): void {
  const text = `${start} from ${areaText(tables, from)} to ${areaText(tables, to)}${end}.`;
  tell(tables, what, rule, by, text, play, { places: [areaId(from), areaId(to)], amount: 1 });
}

export function tellCombat(tables: Tables, play: Play): void {
  tell(tables, "combat", "5", null, "Both player turns are over; the combat phase begins.", play);
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
  tell(tables, "artillery", "Artillery", side, text, play, { places });
}

/** @param side who pays, null when nobody does */
export function tellZCombat(tables: Tables, side: SideId | null, play: Play): void {
  const text =
    side === null
      ? "Nobody pays for combat in Z: there is none."
      : `The ${SIDE_WORDS[side]} side pays ${tables.costs.zCombat} CMD for combat in Z.`;
  tell(tables, "z-combat", "5 Area Z", side, text, play, { places: [areaId(Z)] });
}

export function tellPioneers(tables: Tables, area: AreaId, fort: boolean, play: Play): void {
  const came = fort ? "the Fortification is removed" : "a Soviet unit is killed";
  tell(
    tables,
    "pioneers",
    "Pioneers",
    GERMAN,
    `Pioneers in ${areaText(tables, area)}, ${tables.costs.pioneer} CMD: ${came}.`,
    play, {
      outcome: fort ? `Fortification in ${areaId(area)} lost` : `Soviet loses 1 in ${areaId(area)}`,
      places: [areaId(area)],
    },
  );
}

/** Attrition that Artillery keeps from happening. */
export function tellNoAttrition(tables: Tables, area: AreaId, play: Play): void {
  const text = `Artillery lies on ${areaText(tables, area)}: nobody dies there.`;
  tell(tables, "attrition", "Artillery", null, text, play, { places: [areaId(area)], amount: 0 });
}

/** A Fortification takes its kill of the turn, or has taken it; the Soviet side is to choose. */
export function tellShield(tables: Tables, area: AreaId, kills: number, play: Play): void {
  const text = `The Fortification in ${areaText(tables, area)} has absorbed its kill; ${counted(kills, "kill")} more would strike.`;
  tell(tables, "attrition", "Fortify", null, text, play, { places: [areaId(area)], amount: 0 });
}

/** @param soviet losses of each side; the state is that after them */
export function tellAttrition(tables: Tables, s: StateView, area: AreaId, soviet: number, german: number, play: Play): void {
  const text = `Combat in ${areaText(tables, area)}: Soviet loses ${soviet}, German ${german}; left are ${forces(s, area)}.`;
  tell(tables, "attrition", area === Z ? "5 Area Z" : "5", null, text, play, {
    outcome: `${areaId(area)}: Soviet -${soviet}, German -${german}`,
    places: [areaId(area)],
    amount: soviet + german,
  });
}

export function tellCleared(tables: Tables, s: StateView, play: Play): void {
  const cmd = [SOVIET, GERMAN].map((side) => `${SIDE_WORDS[side]} ${s[L.cmd + side]}`).join(", ");
  tell(tables, "cleared", "6", null, `The turn's Night, rights and CMD end (${cmd} CMD were left).`, play);
}

export function tellCapture(tables: Tables, s: StateView, side: SideId, area: AreaId, play: Play): void {
  const stars = counted(tables.stars[area]!, "star");
  const text = `The ${SIDE_WORDS[side]} side captures ${areaText(tables, area)} (${forces(s, area)}; ${stars}): ${tables.vp[area]} VP.`;
  tell(tables, "capture", "6", side, text, play, {
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
  tell(
    tables,
    "end",
    "Victory",
    winner === 0 ? null : ((winner - 1) as SideId),
    resultText(tables, s, winner, REASONS[s[L.reason]!]!),
    play, {
      outcome: winner === 0 ? "draw" : `${SIDES[winner - 1]} wins`,
      places: [1, 2, 3, 4, 5].filter((a) => s[L.captured + a] !== 0).map((a) => AREA_IDS[a]!),
    },
  );
}
