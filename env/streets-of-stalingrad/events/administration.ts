import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import {
  AMMO_SAVED,
  AMMO_SHORT,
  AMMO_WORDS,
  boxPlace,
  KNOWN,
  POINTS_GERMAN,
  POINTS_PZ,
  POINTS_SOVIET,
  UNTOLD,
} from "../layout.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { has, placeOf, type Tables } from "../state.js";
import { isOwn } from "./common.js";
import { eventOf, say } from "./say.js";
import { faceText, hexId, hexText, SIDE_WORDS, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set.

const ammo = ({ layout }: Tables, s: StateView, side: number, word: number): number =>
  s[layout.ammo + side * AMMO_WORDS + word]!;

/** AF of guns that stayed silent is saved. */
export function saves(tables: Tables, s: StateView, side: number, saved: number, play: Play): void {
  const all = ammo(tables, s, side, AMMO_SAVED);
  say(play, "ammunition", {
    rule: "SOS 14.75",
    by: SIDES[side]!,
    text: `${SIDE_WORDS[side]!} ammunition: ${saved} AF more ${saved === 1 ? "is" : "are"} saved, ${all} in all.`,
    amount: saved,
  });
}

/** The die of a side's ammunition. @param used what was saved and is used up now */
export function ammunition(
  tables: Tables,
  s: StateView,
  side: number,
  die: number,
  factor: number,
  used: number,
  play: Play,
): void {
  const short = ammo(tables, s, side, AMMO_SHORT);
  const less = used === 0 ? "" : `, less ${used} saved`;
  const result = `${short} AF short`;
  say(play, "ammunition", {
    rule: "SOS 14.72",
    by: SIDES[side]!,
    text: `${SIDE_WORDS[side]!} ammunition: die ${die} times ${factor}${less}: ${result}.`,
    outcome: result,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `${SIDE_WORDS[side]!} ammunition, the die times ${factor}${less}`,
        sides: 10,
        faces: [die],
        needed: null,
        result,
      },
    ],
    amount: short,
  });
}

/** A gun stays silent in this turn; only its owner learns which. */
export function staysSilent(tables: Tables, gun: number, play: Play): void {
  const side = tables.roster.side[gun]!;
  const event = eventOf("silenced", {
    by: SIDES[side]!,
    text: `${SIDE_WORDS[side]!} ${unitId(tables, gun)} (AF ${tables.roster.af[gun]!}) stays silent in this turn.`,
    units: [unitId(tables, gun)],
  });
  play.narrator!.tellEach((viewer) => (isOwn(viewer, side) ? event : null));
}

/** A side has named its silent guns: what was too much is saved. */
export function isSilent(tables: Tables, s: StateView, side: number, play: Play): void {
  const saved = ammo(tables, s, side, AMMO_SAVED);
  say(play, "silenced", {
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side has named its guns that stay silent; ${saved} AF ${saved === 1 ? "is" : "are"} saved.`,
    amount: saved,
  });
}

/** The die of the weather. */
export function weather(tables: Tables, die: number, bad: boolean, play: Play): void {
  const result = bad ? "bad" : "good";
  say(play, "weather", {
    text: `Weather: die ${die}: ${result}.${bad ? " No Stuka flies in this turn." : ""}`,
    outcome: `${result} weather`,
    dice: [
      {
        by: SIDES[SOVIET],
        purpose: "weather",
        sides: 10,
        faces: [die],
        needed: `${tables.charts.weather.badUpTo} or less bad`,
        result,
      },
    ],
  });
}

/** The die that gives the number of Stukas. */
export function stukaNumber(die: number, stukas: number, play: Play): void {
  const purpose = "number of Stukas";
  say(play, "stuka-number", {
    text: `Stukas: die ${die}: ${stukas} fly in this turn.`,
    dice: [{ by: SIDES[GERMAN], purpose, sides: 10, faces: [die], needed: null, result: String(stukas) }],
    amount: stukas,
  });
}

/**
 * A unit is about to be withdrawn, and everybody reads its name. If several go at once, the enemy reads the hex only of
 * those that it knows.
 *
 * @param alone no other goes with it
 */
export function withdrawn(tables: Tables, s: StateView, unit: number, alone: boolean, play: Play): void {
  const place = placeOf(tables, s, unit);
  const event = eventOf("withdrawn", { units: [unitId(tables, unit)] });
  const who = `German ${unitId(tables, unit)} (${faceText(tables, unit)})`;
  const shows = alone || has(tables, s, unit, KNOWN);
  play.narrator!.tellEach((viewer) =>
    shows || isOwn(viewer, GERMAN)
      ? { ...event, text: `${who} is withdrawn from ${hexText(tables, place)}.`, places: [hexId(tables, place)] }
      : { ...event, text: `${who}, which was face down, is withdrawn.` },
  );
}

/** The points of a division that left in time, or stays. */
export function withdrawalCounted(formation: string, points: number, play: Play): void {
  const what = points > 0 ? "has left in time" : "stays";
  say(play, "division", {
    rule: points > 0 ? "SOS 3.5" : "SOS 3.7",
    text: `${formation} ${what}: ${points > 0 ? "+" : ""}${points} for the German side.`,
    amount: points,
  });
}

/** Points are paid for a unit that can't be withdrawn, or the duty lapses. */
export function withdrawalPaid(formation: string, af: number, play: Play): void {
  const text = af > 0 ? `${af} replacement points are paid for it` : "the duty lapses";
  say(play, "withdrawal-paid", { text: `Nobody of ${formation} is left to withdraw: ${text}.`, amount: af });
}

/** A division comes, or never. */
export function committed(name: string, points: number, comes: boolean, play: Play): void {
  const text = comes
    ? `The German side takes ${name}.`
    : `The German side refuses ${name} for good: ${counted(points, "point")}.`;
  say(play, "division", { rule: "SOS 3.5", text, amount: comes ? 0 : points });
}

/**
 * An eliminated unit takes another's place; reported before it does. Both are open for a moment, except a battery lost
 * in a box; where they do shows where the unit was seen, or the backs differ.
 */
export function exchanges(tables: Tables, s: StateView, unit: number, by: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const hex = placeOf(tables, s, unit);
  const event = eventOf("exchanged", {
    rule: tables.roster.leader[unit] === 1 ? "SOS 20.6" : "SOS 20.1",
    by: SIDES[side]!,
  });
  const { roster } = tables;
  const lost = placeOf(tables, s, by) !== UNTOLD;
  const shows = has(tables, s, unit, KNOWN) || roster.tag[unit] !== roster.tag[by];
  play.narrator!.tellEach((viewer) => {
    const own = isOwn(viewer, side);
    const open = lost || own;
    const comes = open ? `${unitId(tables, by)} (${faceText(tables, by)})` : "a battery that was lost in a box";
    const where = shows || own ? ` in ${hexText(tables, hex)}` : ", which was face down,";
    return {
      ...event,
      places: shows || own ? [hexId(tables, hex)] : [],
      text: `${SIDE_WORDS[side]!} ${unitId(tables, unit)}${where} is exchanged for ${comes}.`,
      units: [unitId(tables, unit), ...(open ? [unitId(tables, by)] : [])],
    };
  });
}

/**
 * A leader leaves the map, because his command has no unit. Others may leave with him, so the enemy reads the hex only
 * if it knows his face.
 */
export function dismissed(tables: Tables, s: StateView, unit: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const hex = placeOf(tables, s, unit);
  const event = eventOf("exchanged", { rule: "SOS 20.7", by: SIDES[side]!, units: [unitId(tables, unit)] });
  const shows = has(tables, s, unit, KNOWN);
  const who = `${SIDE_WORDS[side]!} ${unitId(tables, unit)}`;
  const leaves = "has no unit left to command and leaves the map";
  play.narrator!.tellEach((viewer) =>
    shows || isOwn(viewer, side)
      ? { ...event, text: `${who} in ${hexText(tables, hex)} ${leaves}.`, places: [hexId(tables, hex)] }
      : { ...event, text: `${who}, who was face down, ${leaves}.` },
  );
}

/** `3 Pz and 6 AF` */
export function pointsText(side: number, pz: number, af: number): string {
  return side === SOVIET ? `${af} AF` : `${pz} Pz and ${af} AF`;
}
/** The points for replacements that a side has. */
export const pointsLeft = ({ layout }: Tables, s: StateView, side: number): string =>
  pointsText(
    side,
    s[layout.replacements + POINTS_PZ]!,
    s[layout.replacements + (side === GERMAN ? POINTS_GERMAN : POINTS_SOVIET)]!,
  );

/** A side gets points for replacements. */
export function pointsCome(tables: Tables, s: StateView, side: number, pz: number, af: number, play: Play): void {
  say(play, "replacement-points", {
    by: SIDES[side]!,
    text: `${SIDE_WORDS[side]!} points for replacements: ${pointsText(side, pz, af)} more, ${pointsLeft(tables, s, side)} in all.`,
    amount: pz + af,
  });
}

/** A side keeps the points that are left. */
export function pointsKept(tables: Tables, s: StateView, side: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} side keeps ${pointsLeft(tables, s, side)} for replacements.`;
  say(play, "replacement-points", { by: SIDES[side]!, text });
}

/** An eliminated unit is replaced; reported before it is. It is open, unless it is a battery that was lost in a box. */
export function replaces(tables: Tables, s: StateView, unit: number, box: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const to = boxPlace(box);
  const cost = tables.roster.af[unit]!;
  const event = eventOf("replaced", { by: SIDES[side]!, places: [hexId(tables, to)], amount: cost });
  const isPublic = placeOf(tables, s, unit) !== UNTOLD;
  play.narrator!.tellEach((viewer) => {
    const open = isPublic || isOwn(viewer, side);
    const name = open ? `${unitId(tables, unit)} (${faceText(tables, unit)})` : "battery that was lost in a box";
    return {
      ...event,
      text: `${SIDE_WORDS[side]!} ${name} comes back to ${hexText(tables, to)} for ${cost} points.`,
      units: open ? [unitId(tables, unit)] : [],
    };
  });
}

/** A side has lost the leader of its army, or has one again: only itself knows where he is. */
export function armyLeader(side: number, gone: boolean, play: Play): void {
  const event = eventOf("army-leader", {
    rule: side === GERMAN ? "SOS 18.53" : "SOS 18.51",
    by: SIDES[side]!,
    text: gone
      ? `The ${SIDE_WORDS[side]!} army has no leader: MP are halved, and nobody attacks.`
      : `The ${SIDE_WORDS[side]!} army has a leader again: MP are whole from the next phase, and it attacks from the next turn on.`,
  });
  play.narrator!.tellEach((viewer) => (isOwn(viewer, side) ? event : null));
}
