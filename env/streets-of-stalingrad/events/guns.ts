import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, signed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { FATES } from "../charts.js";
import { SIDES } from "../roster.js";
import { KINDS } from "../schema.js";
import type { Tables } from "../state.js";
import { placeOf } from "../state.js";
import { faceText, hexId, hexText, knows, namesFor, SIDE_WORDS, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set.

const DOG = KINDS.indexOf("mine-dog");

/** The rule by which a counter gives way. @param ofLeader by which a leader does */
export function wayGiven({ roster }: Tables, unit: number, ofLeader: string): string {
  if (roster.leader[unit] === 1) return ofLeader;
  return roster.kind[unit] === DOG ? "SOS 16.25" : "SOS 16.15";
}

/** Markers of a mission are placed. Which guns fire, and on which table, is not reported. */
export function plotted(tables: Tables, side: number, hex: number, points: number, play: Play): void {
  say(play, "mission", {
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side lays ${counted(points, "point")} on ${hexText(tables, hex)}.`,
    places: [hexId(tables, hex)],
    amount: points,
  });
}

/** Shells on a hex slow every unit that enters. */
export function interdicts(tables: Tables, side: number, hex: number, points: number, play: Play): void {
  const more = Math.floor(points / 5);
  say(play, "interdicts", {
    by: SIDES[side]!,
    text: `${counted(points, "point")} ${points === 1 ? "interdicts" : "interdict"} ${hexText(tables, hex)}: entering costs ${more} MP more.`,
    places: [hexId(tables, hex)],
    amount: points,
  });
}

/** A leader's die. It reveals who he is. */
export function survival(
  tables: Tables,
  s: StateView,
  leader: number,
  die: number,
  drm: number,
  fate: number,
  rule: string,
  play: Play,
): void {
  const side = tables.roster.side[leader]!;
  const hex = placeOf(tables, s, leader);
  const result = FATES[fate]!;
  say(play, "leader", {
    rule,
    text: `${SIDE_WORDS[side]!} ${unitId(tables, leader)} in ${hexId(tables, hex)}: die ${die} ${signed(drm)}: ${result}.`,
    outcome: `${unitId(tables, leader)}: ${result}`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `survival of ${unitId(tables, leader)}, ${signed(drm)}`,
        sides: 10,
        faces: [die],
        needed: "2 or less eliminated, 3-6 wounded",
        result,
      },
    ],
    units: [unitId(tables, leader)],
    places: [hexId(tables, hex)],
  });
}

/** A wounded leader leaves the map. */
export function wounded(tables: Tables, s: StateView, leader: number, turns: number, play: Play): void {
  const side = tables.roster.side[leader]!;
  say(play, "wounded", {
    text: `${SIDE_WORDS[side]!} ${unitId(tables, leader)} misses ${counted(turns, "whole turn")}.`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `turns that ${unitId(tables, leader)} misses`,
        sides: 10,
        faces: [turns],
        needed: null,
        result: String(turns),
      },
    ],
    units: [unitId(tables, leader)],
    places: [hexId(tables, placeOf(tables, s, leader))],
    amount: turns,
  });
}

/**
 * A leader goes to a unit of his command, a sniper or mine dog to friends, or an OP comes back.
 *
 * @param from hex, negative: from off the map
 * @param ofLeader rule by which a leader goes
 */
export function displaced(
  tables: Tables,
  s: StateView,
  unit: number,
  from: number,
  ofLeader: string,
  play: Play,
): void {
  const rule = from < 0 ? "SOS 14.98" : wayGiven(tables, unit, ofLeader);
  goes(tables, s, unit, from, from < 0 ? "returns" : "displaced", rule, from < 0 ? "comes back" : "makes way", play);
}

/** A leader or OP goes to a unit of its command, however far it is. */
export const reports = (tables: Tables, s: StateView, unit: number, from: number, play: Play): void =>
  goes(tables, s, unit, from, "reports", tables.roster.leader[unit] === 1 ? "SOS 18.15" : "SOS 14.92", "goes", play);

/** Rule of face-down counters. */
const FACE_DOWN = "SOS 7.2";

function goes(
  tables: Tables,
  s: StateView,
  unit: number,
  from: number,
  what: "returns" | "displaced" | "reports",
  rule: string,
  does: string,
  play: Play,
): void {
  const side = tables.roster.side[unit]!;
  const to = placeOf(tables, s, unit);
  const start = from < 0 ? "" : ` from ${hexId(tables, from)}`;
  play.narrator!.tellEach((viewer) => {
    const known = from < 0 || knows(tables, s, unit, viewer); // lost OPs are face up
    const face = known ? ` (${faceText(tables, unit)})` : "";
    return eventOf(what, {
      // the rule names the kind of the unit
      rule: known ? rule : FACE_DOWN,
      by: SIDES[side]!,
      text: `${SIDE_WORDS[side]!} ${known ? unitId(tables, unit) : namesFor(tables, s, [unit], viewer)}${face} ${does}${start} to ${hexText(tables, to)}.`,
      units: known ? [unitId(tables, unit)] : [],
      places: [...(from < 0 ? [] : [hexId(tables, from)]), hexId(tables, to)],
    });
  });
}
