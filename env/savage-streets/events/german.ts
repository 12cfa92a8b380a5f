import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { listed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { type AreaId, L, type UnitId } from "../state.js";
import { areaId, areaIds, placeName, unitId, unitIds } from "./words.js";

/** Rule: SS 2.1. */
export function enters(tables: Tables, u: UnitId, a: AreaId, play: Play): void {
  const text = `${unitId(tables, u)} enters at ${placeName(tables, a)}.`;
  say(play, "enters", { text, units: [unitId(tables, u)], places: [areaId(tables, a)] });
}

/** Rule: SS 1.21. */
export function germanExcess(tables: Tables, u: UnitId, a: AreaId, play: Play): void {
  const text = `${unitId(tables, u)} is one too many in ${placeName(tables, a)} and is eliminated.`;
  const places = [areaId(tables, a)];
  say(play, "excess", { by: "G", text, units: [unitId(tables, u)], places });
}

/**
 * Reports one step of a unit before it is made. @param end why it goes no further, or null
 */
export function germanMove(
  tables: Tables,
  u: UnitId,
  from: AreaId,
  to: AreaId,
  end: "counters" | "points" | null,
  play: Play,
): void {
  const why =
    end === "counters"
      ? " and must stop: Soviet counters lie there"
      : end === "points"
        ? " and has no movement points left"
        : "";
  const text = `${unitId(tables, u)} moves from ${placeName(tables, from)} to ${placeName(tables, to)}${why}.`;
  const places = [areaId(tables, from), areaId(tables, to)];
  say(play, "german-move", { text, units: [unitId(tables, u)], places });
}

export function germanStops(tables: Tables, u: UnitId, a: AreaId, play: Play): void {
  const text = `${unitId(tables, u)} stops in ${placeName(tables, a)}.`;
  const places = [areaId(tables, a)];
  say(play, "german-stops", { text, units: [unitId(tables, u)], places });
}

/** Solitaire. Rule: SS 10.51; ruling R37. */
export function commandOpens(tables: Tables, a: AreaId, modifier: number, play: Play): void {
  const hq = modifier < 0 ? `an HQ there takes ${-modifier} off each roll` : "no HQ helps there";
  const text = `${placeName(tables, a)} is opened for command; ${hq}.`;
  say(play, "command-opens", { text, places: [areaId(tables, a)] });
}

export function commandCloses(tables: Tables, a: AreaId, play: Play): void {
  const text = `${placeName(tables, a)} is closed for command until the next turn.`;
  say(play, "command-closes", { text, places: [areaId(tables, a)] });
}

/** Solitaire: the command roll of one unit. Rule: SS 10.51. */
export function commandRoll(tables: Tables, u: UnitId, a: AreaId, die: number, modifier: number, play: Play): void {
  const obeys = die + modifier <= tables.data.commandMax;
  const id = unitId(tables, u);
  const needed = `${tables.data.commandMax - modifier} or less`;
  say(play, "command-roll", {
    text: `${id} in ${placeName(tables, a)} rolls ${die} for command, needing ${needed}: it ${obeys ? "may move" : "stays where it is"}.`,
    outcome: obeys ? `${id} may move` : `${id} fails its command roll`,
    dice: [{ by: "G", purpose: "command", sides: 6, faces: [die], needed, result: obeys ? "may move" : "stays" }],
    units: [id],
    places: [areaId(tables, a)],
  });
}

/** A breakthrough can be made. @param rule SS 7.31 after a combat, SS 6.7 behind a dummy */
export function breakthroughOpen(tables: Tables, a: AreaId, rule: string, play: Play): void {
  const text = `The Germans may break through from ${placeName(tables, a)} to one area next to it without Germans.`;
  const outcome = `breakthrough from ${areaId(tables, a)} possible`;
  say(play, "breakthrough-open", { rule, text, places: [areaId(tables, a)], outcome });
}

/** The German turns to a breakthrough that waited (SS 6.7). */
export function breakthroughTaken(tables: Tables, a: AreaId, play: Play): void {
  const text = `The Germans turn to the open breakthrough from ${placeName(tables, a)}.`;
  say(play, "breakthrough-taken", { text, places: [areaId(tables, a)] });
}

export function breakthroughsDropped(tables: Tables, s: StateView, play: Play): void {
  const places = areaIds(tables, s[L.freeBreakthroughs]!);
  const text = `The Germans give up the breakthrough from ${listed(places, "none")}.`;
  say(play, "breakthrough-dropped", { rule: "SS 6.7", text, places });
}

export function breakthroughDeclined(tables: Tables, a: AreaId, play: Play): void {
  const text = `The Germans don't break through from ${placeName(tables, a)}.`;
  say(play, "breakthrough-dropped", { rule: "SS 7.31", text, places: [areaId(tables, a)] });
}

/** Reports that units break through together, before they go. Rule: SS 7.31. */
export function breaksThrough(tables: Tables, units: readonly UnitId[], from: AreaId, to: AreaId, play: Play): void {
  const ids = unitIds(tables, units);
  say(play, "breakthrough", {
    text: `${listed(ids, "none")} ${ids.length === 1 ? "breaks" : "break"} through from ${placeName(tables, from)} to ${placeName(tables, to)}.`,
    units: ids,
    places: [areaId(tables, from), areaId(tables, to)],
  });
}

/** Nobody stays for a combat that was to come. Ruling R18. */
export function combatCalledOff(tables: Tables, a: AreaId, play: Play): void {
  const text = `No German stays in ${placeName(tables, a)}: the combat there is called off.`;
  say(play, "combat-called-off", { text, places: [areaId(tables, a)] });
}
