import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { GameEvent } from "../../core/narration.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import { germanPoints, levelOf } from "../victory.js";
import type { Tables } from "../state.js";
import { enemyOf, frameOf, has, markOf, placeOf } from "../state.js";
import { wayGiven } from "./guns.js";
import {
  hexId,
  hexText,
  knownIds,
  knows,
  namesFor,
  SIDE_WORDS,
  turnText,
  unitId,
  unitsIn,
  unitsWith,
  faceText,
} from "./words.js";

// Rules call these only when `play.narrator` is set.

/** Tells the same to all, with units named as each viewer knows them. @param text the sentence, from their names */
export function tellNamed(
  tables: Tables,
  s: StateView,
  units: readonly number[],
  event: Omit<GameEvent, "text" | "units">,
  text: (names: string, viewer: Viewer) => string,
  play: Play,
): void {
  play.narrator!.tellEach((viewer) => ({
    ...event,
    text: text(namesFor(tables, s, units, viewer), viewer),
    units: knownIds(tables, s, units, viewer),
  }));
}

/** The group that is formed. */
export const group = (tables: Tables, s: StateView): number[] => unitsWith(tables, s, words.GROUP);
/** Members of the group in a hex. */
export const membersIn = (tables: Tables, s: StateView, side: number, hex: number): number[] =>
  unitsIn(tables, s, side, hex).filter((u) => has(tables, s, u, words.GROUP));
/** Units of a side in a hex but those of some kinds. */
export const thoseIn = (tables: Tables, s: StateView, side: number, hex: number, but: readonly number[]): number[] =>
  unitsIn(tables, s, side, hex).filter((u) => !but.includes(tables.roster.kind[u]!));
export const id = hexId;

export const isOwn = (viewer: Viewer, side: number): boolean => viewer === side || viewer === EVERYTHING;
const verb = (units: readonly number[], one: string, many: string): string => (units.length === 1 ? one : many);

export function turnBegins(tables: Tables, s: StateView, play: Play): void {
  const { administers, layout } = tables;
  // the older fights keep their words
  const now = administers ? turnText(tables, s) : `Turn ${s[layout.turn]!} of ${s[layout.lastTurn]!}`;
  say(play, "turn", { text: `${now} begins.`, amount: s[layout.turn]! });
}

/** A phase with decisions begins. */
export function phaseBegins(phase: number, name: string, side: number, play: Play): void {
  const text = `Phase ${phase}: ${name}.`;
  say(play, "phase", { rule: "SOS 4.3", by: SIDES[side]!, text, amount: phase });
}

/** The other side plots, or all missions are resolved. */
export function plotGoesOn(resolves: boolean, side: number, play: Play): void {
  const text = resolves ? "The bombardments are resolved." : `The ${SIDE_WORDS[side]!} side plots its bombardments.`;
  say(play, "phase", { rule: "SOS 14.48", by: resolves ? null : SIDES[side]!, text });
}

/** Movement is over; markers are placed. */
export function markingBegins(side: number, play: Play): void {
  const text = `${SIDE_WORDS[side]!} movement is over; hexes to attack are marked now.`;
  say(play, "phase", { rule: "SOS 9.64", by: SIDES[side]!, text });
}

/** Normal movement or deployment begins. */
export function stageBegins(deploys: boolean, side: number, play: Play): void {
  const text = deploys
    ? `${SIDE_WORDS[side]!} units that have not moved may deploy with double MP.`
    : `${SIDE_WORDS[side]!} breakthroughs are over; movement begins.`;
  say(play, "phase", { rule: deploys ? "SOS 8.21" : "SOS 8.23", by: SIDES[side]!, text });
}

/** Units stay where they are; their order is used up. */
export function stays(tables: Tables, s: StateView, units: readonly number[], play: Play): void {
  const side = tables.roster.side[units[0]!]!;
  const hex = placeOf(tables, s, units[0]!);
  const event = eventOf("stays", { by: SIDES[side]!, places: [hexId(tables, hex)] });
  const text = (names: string): string =>
    `${SIDE_WORDS[side]!} ${names} ${verb(units, "stays", "stay")} in ${hexText(tables, hex)}.`;
  // what is in a box, and ordered there, only its owner knows
  if (words.isBox(hex)) {
    const own = { ...event, text: text(namesFor(tables, s, units, side)), units: knownIds(tables, s, units, side) };
    play.narrator!.tellEach((viewer) => (isOwn(viewer, side) ? own : null));
  } else tellNamed(tables, s, units, event, text, play);
}

/** The group with GROUP comes under fire where it stands, before its first hex. */
export function setsOut(tables: Tables, s: StateView, hex: number, play: Play): void {
  const units = group(tables, s);
  const side = tables.roster.side[units[0]!]!;
  const event = eventOf("sets-out", { by: SIDES[side]!, places: [hexId(tables, hex)] });
  const does = verb(units, "sets", "set");
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `${SIDE_WORDS[side]!} ${names} ${does} out from ${hexText(tables, hex)}.`,
    play,
  );
}

/**
 * The group with GROUP has gone one hex on. Its cost reveals foot or vehicles, so only its owner reads it.
 *
 * @param paid half MP, and what is left of them
 */
export function steps(
  tables: Tables,
  s: StateView,
  from: number,
  to: number,
  retreats: boolean,
  paid: number,
  left: number,
  play: Play,
): void {
  const units = unitsWith(tables, s, words.GROUP);
  const side = tables.roster.side[units[0]!]!;
  const event = eventOf(retreats ? "retreats" : "moves", {
    rule: retreats ? "SOS 9.47" : "SOS 8.01",
    by: SIDES[side]!,
    places: [hexId(tables, from), hexId(tables, to)],
  });
  const does = retreats ? verb(units, "retreats", "retreat") : verb(units, "moves", "move");
  tellNamed(
    tables,
    s,
    units,
    event,
    (names, viewer) => {
      const cost = isOwn(viewer, side) && !retreats ? ` for ${paid / 2} MP, ${left / 2} left` : "";
      return `${SIDE_WORDS[side]!} ${names} ${does} from ${hexId(tables, from)} to ${hexText(tables, to)}${cost}.`;
    },
    play,
  );
}

/** A zone of control stops the movers. */
export function stops(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} movers stop in ${hexId(tables, hex)}: an enemy zone of control.`;
  say(play, "stops", { text, places: [hexId(tables, hex)] });
}

/** A unit goes one hex in a retreat after combat, or into a cleared hex. */
export function goes(
  tables: Tables,
  s: StateView,
  unit: number,
  from: number,
  what: "advances" | "retreats",
  play: Play,
  follows = false,
): void {
  const side = tables.roster.side[unit]!;
  const rule = frameOf(tables, s, words.ASK_ICA) >= 0 ? "SOS 12.6" : what === "advances" ? "SOS 9.85" : "SOS 9.87";
  const event = eventOf(what, {
    rule,
    by: SIDES[side]!,
    places: [hexId(tables, from), hexId(tables, placeOf(tables, s, unit))],
  });
  const does = follows ? "follows" : what;
  tellNamed(
    tables,
    s,
    [unit],
    event,
    (name) =>
      `${SIDE_WORDS[side]!} ${name} ${does} from ${hexId(tables, from)} to ${hexText(tables, placeOf(tables, s, unit))}.`,
    play,
  );
}

/** The owner says whether the unseen stack in a hex has a zone of control. */
export function announces(tables: Tables, side: number, hex: number, zoc: boolean, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} side announces that its stack in ${hexId(tables, hex)} has ${zoc ? "a" : "no"} zone of control.`;
  say(play, "announces", { by: SIDES[side]!, text, places: [hexId(tables, hex)] });
}

/** A counter is seen or turned face up. It has KNOWN already. */
export function reveals(tables: Tables, s: StateView, unit: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const hex = placeOf(tables, s, unit);
  // the marker that it carries comes to light with it
  const marker = has(tables, s, unit, words.SPENT) ? ", spent" : has(tables, s, unit, words.PINNED) ? ", pinned" : "";
  const text = `${SIDE_WORDS[side]!} ${unitId(tables, unit)} (${faceText(tables, unit)}${marker}) in ${hexText(tables, hex)} is seen.`;
  say(play, "reveals", { by: SIDES[side]!, text, units: [unitId(tables, unit)], places: [hexId(tables, hex)] });
}

/**
 * A unit can't be told from other counters with its back any more. Its place is not said: it may be the one that went.
 */
export function mixesIn(tables: Tables, unit: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const text = `${SIDE_WORDS[side]!} ${unitId(tables, unit)} can't be told from other counters with its back any more.`;
  say(play, "mixes-in", { by: SIDES[side]!, text, units: [unitId(tables, unit)] });
}

/** Counters that fought turn face down again, where the ground hides them. */
export function turnedDown(tables: Tables, s: StateView, play: Play): void {
  const units = unitsWith(tables, s, words.SHOWN).filter((u) => !has(tables, s, u, words.LIES_OPEN));
  if (units.length === 0) return;
  const event = eventOf("turned-down", {});
  tellNamed(tables, s, units, event, (names) => `Turned down again where the ground hides them: ${names}.`, play);
}

/**
 * All units of a list are about to be pinned, or spent in built-up hexes. The marker lies on their stack: its face-down
 * counters come under it together, whoever of them feels it.
 *
 * @param rule the result P, or a pin that lay there
 * @param marker PINNED or SPENT
 */
export function pinned(
  tables: Tables,
  s: StateView,
  units: readonly number[],
  hex: number,
  rule: "SOS 9.81" | "SOS 9.111",
  marker: number,
  play: Play,
): void {
  if (units.length === 0) return;
  const side = tables.roster.side[units[0]!]!;
  const stack = unitsIn(tables, s, side, hex);
  const lay = stack.some((u) => has(tables, s, u, marker));
  const state = marker === words.SPENT ? "spent" : "pinned";
  const why = rule === "SOS 9.111" ? " by the pin that lies there" : "";
  play.narrator!.tellEach((viewer) => {
    // a viewer sees the pin of a counter that it knows; of others it is secret which had one
    const feels = (u: number): boolean => units.includes(u) && !has(tables, s, u, marker);
    const list = stack.filter((u) => (knows(tables, s, u, viewer) ? feels(u) : !lay));
    if (list.length === 0) return null;
    const names = namesFor(tables, s, list, viewer);
    return {
      ...eventOf("pinned", { rule, places: [hexId(tables, hex)], amount: list.length }),
      text: `${SIDE_WORDS[side]!} ${names} in ${hexText(tables, hex)} ${verb(list, "is", "are")} ${state}${why}.`,
      units: knownIds(tables, s, list, viewer),
    };
  });
}

/** What a unit is lost to, and its rule. */
const LOST = {
  combat: ["in combat", "SOS 9.81"],
  sacrifice: ["so that the hex is kept", "SOS 9.88"],
  "no-way": ["with no way to retreat", "SOS 9.87"],
  alone: ["with no unit in its hex that could fight", "SOS 9.82"],
  overrun: ["as the enemy enters", "SOS 8.08"],
  leader: ["to the die thrown for him", "SOS 18.33"],
  way: ["on his way through zones of control", "SOS 18.32"],
  captured: ["wounded among the enemy", "SOS 18.32"],
  "no-command": ["with nobody of its command to go to", "SOS 18.31"],
  "no-friends": ["with no friends to go to", "SOS 16.15"],
  "cut-off": ["cut off from the river for too long", "SOS 19.1"],
  transport: ["with the transport that carries it", "SOS 16.48"],
  bridge: ["with the bridge that it is on", "SOS 17.14"],
  wreck: ["to a pin, for it can't move", "SOS 16.37"],
  breakdown: ["as it breaks down", "SOS 16.33"],
  repair: ["to the fire, which it can't bear", "SOS 16.73"],
  infiltration: ["in an infiltration", "SOS 13.6"],
  dog: ["to a mine dog's charge", "SOS 16.23"],
  unreliable: ["as its men run away", "SOS 16.83"],
} as const;
export type LossReason = keyof typeof LOST;

/** A unit is about to be lost. Lost units are face up. */
export function lost(tables: Tables, s: StateView, unit: number, reason: LossReason, play: Play): void {
  const side = tables.roster.side[unit]!;
  const hex = placeOf(tables, s, unit);
  const [why, cited] = LOST[reason];
  const rule = reason === "no-friends" ? wayGiven(tables, unit, cited) : cited;
  say(play, "lost", {
    rule,
    text: `${SIDE_WORDS[side]!} ${unitId(tables, unit)} (${faceText(tables, unit)}) in ${hexId(tables, hex)} is lost ${why}.`,
    outcome: `a ${SIDE_WORDS[side]!} unit lost in ${hexId(tables, hex)}`,
    units: [unitId(tables, unit)],
    places: [hexId(tables, hex)],
    amount: 1,
  });
}

export function marks(tables: Tables, s: StateView, side: number, hex: number, play: Play): void {
  const units = unitsIn(tables, s, enemyOf(side), hex);
  const event = eventOf("mark", { by: SIDES[side]!, places: [hexId(tables, hex)] });
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `The ${SIDE_WORDS[side]!} side marks ${hexText(tables, hex)} for attack: ${names}.`,
    play,
  );
}

/** An order to attack that could not be carried out. */
export function lapses(tables: Tables, hex: number, play: Play): void {
  const text = `The attack marker on ${hexId(tables, hex)} lapses: nobody attacked.`;
  say(play, "marker-off", { rule: "SOS 9.14", text, places: [hexId(tables, hex)] });
}

/** Units with a marker, those in boxes too or not. */
const marked = (tables: Tables, s: StateView, bits: number, boxed: boolean): number[] =>
  unitsWith(tables, s, bits).filter((u) => boxed || !words.isBox(placeOf(tables, s, u)));

/** The pins that are removed before a bombardment; reported before they are. Rule: SOS 9.114 */
export const pinsOff = (tables: Tables, s: StateView, boxed: boolean, play: Play): void =>
  markersOff(
    tables,
    s,
    marked(tables, s, words.PINNED, boxed).filter(
      (u) => !has(tables, s, u, words.PIN_HELD) && (s[tables.layout.work + u]! & words.USED) === 0,
    ),
    [],
    false,
    play,
  );

/**
 * The pins, spents and attack markers that are removed at the end of an exploit attack phase; reported before they are.
 * Rule: SOS 9.115
 */
export const allMarkersOff = (tables: Tables, s: StateView, boxed: boolean, play: Play): void =>
  markersOff(
    tables,
    s,
    marked(tables, s, words.PINNED | words.SPENT, boxed),
    tables.board.ids.flatMap((_, h) => (markOf(tables, s, h) === 0 ? [] : [h])),
    true,
    play,
  );

/**
 * Markers that are about to be taken off. A stack's face-down counters lose a marker together, when none of its units
 * keeps one.
 *
 * @param units whose pins (and spents) go
 */
function markersOff(
  tables: Tables,
  s: StateView,
  units: readonly number[],
  hexes: readonly number[],
  last: boolean,
  play: Play,
): void {
  if (units.length + hexes.length === 0) return;
  const bits = last ? words.PINNED | words.SPENT : words.PINNED;
  const cleared = [...new Set(units.map((u) => placeOf(tables, s, u)).filter((place) => place >= 0))]
    .flatMap((h) => [0, 1].map((side) => unitsIn(tables, s, side, h)))
    .filter((stack) => stack.some((u) => units.includes(u)))
    .filter((stack) => stack.every((u) => units.includes(u) || !has(tables, s, u, bits)))
    .flat();
  play.narrator!.tellEach((viewer) => {
    const unseen = cleared.filter((u) => !knows(tables, s, u, viewer));
    const list = [...units.filter((u) => knows(tables, s, u, viewer)), ...unseen].sort((a, b) => a - b);
    if (list.length + hexes.length === 0) return null;
    const places = [...new Set([...hexes, ...list.map((u) => placeOf(tables, s, u))])].sort((a, b) => a - b);
    const from =
      list.length === 0
        ? ""
        : `${last ? "Pinned and spent markers" : "Pins"} go from ${namesFor(tables, s, list, viewer)}. `;
    const off = hexes.length === 0 ? "" : `Attack markers go from ${hexes.map((h) => hexId(tables, h)).join(", ")}.`;
    return {
      ...eventOf("marker-off", { rule: last ? "SOS 9.115" : "SOS 9.114" }),
      text: `${from}${off}`.trim(),
      units: knownIds(tables, s, list, viewer),
      places: places.map((h) => hexId(tables, h)),
    };
  });
}

/** A side passes; only that side reads it, since the other does not know that it was asked. */
export function declines(tables: Tables, side: number, rule: string, text: string, hex: number, play: Play): void {
  const event = eventOf("declines", { rule, by: SIDES[side]!, text, places: [hexId(tables, hex)] });
  play.narrator!.tellEach((viewer) => (isOwn(viewer, side) ? event : null));
}

/** The game is over. */
export function ends(tables: Tables, s: StateView, declared: boolean, play: Play): void {
  const points = germanPoints(tables, s);
  const level = levelOf(tables, points);
  const result = level === null ? "no level of victory is named" : levelWords(level);
  const why = declared ? "The German side ends the game" : `Turn ${s[tables.layout.turn]!} was the last`;
  const text = `${why}: ${counted(points, "German point")}, ${result}.`;
  say(play, "ends", {
    rule: declared ? "SOS 3.1" : "SOS 3.3",
    by: declared ? SIDES[0] : null,
    text,
    outcome: result,
    amount: points,
  });
}

/** `german-marginal` as `German marginal victory`. */
export const levelWords = (level: string): string =>
  level === "draw" ? "a draw" : `${level.replace("german-", "German ").replace("soviet-", "Soviet ")} victory`;
