import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { boxPlace } from "../layout.js";
import { isOwn, tellNamed } from "./common.js";
import { eventOf, say } from "./say.js";
import * as words from "../layout.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { BOXES } from "../schema.js";
import { placeOf, type Tables } from "../state.js";
import {
  boxChart,
  boxResultWords,
  drmText,
  faceText,
  hexId,
  hexText,
  knownIds,
  namesFor,
  SIDE_WORDS,
  unitId,
  unitsIn,
} from "./words.js";

// Rules call these only when `play.narrator` is set.

/** Units on a Volga hex go back to their box. */
export function goesBack(tables: Tables, s: StateView, hex: number, box: number, play: Play): void {
  const units = unitsIn(tables, s, SOVIET, hex);
  const to = boxPlace(box);
  const event = eventOf("crosses", { places: [hexId(tables, hex), hexId(tables, to)] });
  const does = units.length === 1 ? "goes" : "go";
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `Soviet ${names} ${does} back from ${hexText(tables, hex)} to ${hexText(tables, to)}.`,
    play,
  );
}

/** Germans leave the map. */
export function leavesMap(tables: Tables, s: StateView, units: readonly number[], box: number, play: Play): void {
  const from = placeOf(tables, s, units[0]!);
  const to = boxPlace(box);
  const event = eventOf("leaves-map", { places: [hexId(tables, from), hexId(tables, to)], amount: units.length });
  const does = units.length === 1 ? "leaves" : "leave";
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `German ${names} ${does} the map from ${hexText(tables, from)} to ${hexText(tables, to)}.`,
    play,
  );
}

/** Units go along the bank from box to box: others only see how many. */
export function changesBox(tables: Tables, s: StateView, units: readonly number[], box: number, play: Play): void {
  const from = placeOf(tables, s, units[0]!);
  const side = tables.roster.side[units[0]!]!;
  const event = eventOf("changes-box", {
    by: SIDES[side]!,
    places: [hexId(tables, from), hexId(tables, boxPlace(box))],
    amount: units.length,
  });
  play.narrator!.tellEach((viewer) => {
    const own = isOwn(viewer, side);
    const names = own ? namesFor(tables, s, units, viewer) : counted(units.length, "counter");
    const does = units.length === 1 ? "goes" : "go";
    return {
      ...event,
      text: `${SIDE_WORDS[side]!} ${names} ${does} from ${hexText(tables, from)} to ${hexText(tables, boxPlace(box))}.`,
      units: own ? knownIds(tables, s, units, viewer) : [],
    };
  });
}

/** A leader who was wounded, or a flotilla unit that was lost, comes back. */
export function arrives(tables: Tables, unit: number, box: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  say(play, "arrives", {
    rule: tables.roster.boat[unit] === 1 ? "SOS 16.57" : "SOS 18.42",
    by: SIDES[side]!,
    text: `${SIDE_WORDS[side]!} ${unitId(tables, unit)} comes back to ${hexText(tables, boxPlace(box))}.`,
    units: [unitId(tables, unit)],
    places: [hexId(tables, boxPlace(box))],
  });
}

/** Units come into boxes by the schedule: others learn how many. */
export function reinforced(tables: Tables, s: StateView, side: number, play: Play): void {
  const { layout, roster, setting } = tables;
  const { box, turn } = setting.arrivals;
  for (let k = 0; k < BOXES.length; k++) {
    const units: number[] = [];
    for (let u = roster.first(side); u < roster.end(side); u++)
      if (turn[u] === s[layout.turn] && box[u] === k && placeOf(tables, s, u) === words.POOL) units.push(u);
    if (units.length === 0) continue;
    const event = eventOf("reinforced", {
      by: SIDES[side]!,
      places: [hexId(tables, boxPlace(k))],
      amount: units.length,
    });
    const does = units.length === 1 ? "comes" : "come";
    const to = hexText(tables, boxPlace(k));
    play.narrator!.tellEach((viewer) => {
      const own = isOwn(viewer, side);
      const ids = own ? units.map((u) => unitId(tables, u)) : [];
      const names = own ? listed(ids, "nobody") : counted(units.length, "counter");
      return { ...event, text: `${SIDE_WORDS[side]!} ${names} ${does} to ${to}.`, units: ids };
    });
  }
}

/**
 * A unit that is cut off gets its next marker, which lies on top of its stack, or its marker goes.
 *
 * @param turns the number of the marker; 0: the unit is in supply again
 */
export function supply(tables: Tables, s: StateView, unit: number, turns: number, play: Play): void {
  const side = tables.roster.side[unit]!;
  const hex = placeOf(tables, s, unit);
  const from = side === SOVIET ? " from the river" : "";
  const is = turns === 0 ? "in supply again" : `cut off${from}: marker ${turns}`;
  const rule = side === GERMAN ? "SOS 19.6" : turns === 0 ? "SOS 19.4" : "SOS 19.3";
  const event = eventOf("supply", { rule, places: [hexId(tables, hex)], amount: turns });
  const text = (name: string): string => `${SIDE_WORDS[side]!} ${name} in ${hexText(tables, hex)} is ${is}.`;
  tellNamed(tables, s, [unit], event, text, play);
}

/** The die of an NKVD unit. @param from the least that removes it */
export function reliability(
  tables: Tables,
  s: StateView,
  unit: number,
  die: number,
  from: number,
  removed: boolean,
  play: Play,
): void {
  const hex = placeOf(tables, s, unit);
  const result = removed ? "removed" : "stays";
  const roll = {
    by: SIDES[SOVIET],
    purpose: `reliability of the NKVD in ${hexId(tables, hex)}`,
    sides: 10,
    faces: [die],
    needed: `${from} or more removed`,
    result,
  };
  const event = eventOf("reliability", { places: [hexId(tables, hex)], dice: [roll] });
  tellNamed(
    tables,
    s,
    [unit],
    event,
    (name) => `Soviet ${name} in ${hexText(tables, hex)}: die ${die}: ${result}.`,
    play,
  );
}

/** The target has moved away: the shot is void, but counts. */
export function findsNobody(tables: Tables, side: number, units: readonly number[], hex: number, play: Play): void {
  const ids = units.map((u) => unitId(tables, u));
  const text = `The fire of ${SIDE_WORDS[side]!} ${listed(ids, "nobody")} at ${hexText(tables, hex)} finds nobody.`;
  say(play, "no-target", { by: SIDES[side]!, text, units: ids, places: [hexId(tables, hex)] });
}

/** The same of shells: which guns fired them is secret. */
export function findNobody(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} shells on ${hexText(tables, hex)} find nobody.`;
  say(play, "no-target", { by: SIDES[side]!, text, places: [hexId(tables, hex)] });
}

/**
 * The die of a tank that is lost in a built-up hex.
 *
 * @param counter the immobilised tank that it leaves, below 0 none
 */
export function wreck(tables: Tables, unit: number, counter: number, hex: number, die: number, play: Play): void {
  const result = counter < 0 ? "nothing is left" : "immobilised";
  say(play, "wreck", {
    text: `Soviet ${unitId(tables, unit)} in ${hexText(tables, hex)}: die ${die}: ${result}.`,
    dice: [
      {
        by: SIDES[SOVIET],
        purpose: `what is left of ${unitId(tables, unit)}`,
        sides: 10,
        faces: [die],
        needed: `${tables.charts.wreckUpTo} or less immobilised`,
        result,
      },
    ],
    units: [unitId(tables, unit), ...(counter < 0 ? [] : [unitId(tables, counter)])],
    places: [hexId(tables, hex)],
  });
}

/** The die of a bombardment of a box, and who is hit: which batteries they are, their owner alone learns. */
export function boxHit(
  tables: Tables,
  s: StateView,
  box: number,
  lost: readonly number[],
  pinned: readonly number[],
  drawn: readonly number[],
  play: Play,
): void {
  const { records, recordCount } = tables.layout;
  const at = records + (s[recordCount]! - 1) * words.RECORD_WORDS;
  const column = s[at + words.R_COLUMN]!;
  const id = hexId(tables, boxPlace(box));
  const result = boxResultWords(s[at + words.R_RESULT]!);
  const points = counted(s[at + words.R_POINTS]!, "point");
  const modifiers = drmText(tables.drms);
  const text = `Bombardment of box ${id}: ${points}, column ${tables.charts.ebbt.columns[column]!}, die ${s[at + words.R_DIE]!}, ${modifiers}: ${result}.`;
  const roll = {
    by: SIDES[GERMAN],
    purpose: `bombardment of box ${id}, ${modifiers}`,
    sides: 10,
    faces: [s[at + words.R_DIE]!],
    needed: boxChart(
      tables,
      column,
      tables.drms.reduce((sum, n) => sum + n, 0),
    ),
    result,
  };
  const event = eventOf("box-hit", { places: [id], amount: lost.length });
  const names = (units: readonly number[]): string[] => units.map((u) => unitId(tables, u));
  const draws =
    drawn.length === 0
      ? []
      : [
          {
            by: SIDES[SOVIET],
            purpose: `drawing the batteries of box ${id} that are hit`,
            sides: 0,
            faces: names(drawn),
            needed: null,
            result: listed(names(drawn), "nobody"),
          },
        ];
  const hits =
    (lost.length === 0 ? "" : ` Lost: ${listed(names(lost), "nobody")}.`) +
    (pinned.length === 0 ? "" : ` Pinned: ${listed(names(pinned), "nobody")}.`);
  play.narrator!.tellEach((viewer) =>
    isOwn(viewer, SOVIET)
      ? { ...event, text: text + hits, dice: [roll, ...draws], units: [...names(lost), ...names(pinned)].sort() }
      : { ...event, text, dice: [roll], units: [] },
  );
}

/** A flotilla unit comes on the river. */
export function boatComes(tables: Tables, unit: number, box: number, hex: number, play: Play): void {
  const from = boxPlace(box);
  say(play, "flotilla", {
    rule: "SOS 16.53",
    text: `Soviet ${unitId(tables, unit)} (${faceText(tables, unit)}) comes from ${hexText(tables, from)} to ${hexText(tables, hex)}.`,
    units: [unitId(tables, unit)],
    places: [hexId(tables, from), hexId(tables, hex)],
  });
}

/** It goes back. */
export function boatReturns(tables: Tables, unit: number, hex: number, box: number, play: Play): void {
  const to = boxPlace(box);
  say(play, "flotilla", {
    rule: "SOS 16.56",
    text: `Soviet ${unitId(tables, unit)} goes back from ${hexText(tables, hex)} to ${hexText(tables, to)}.`,
    units: [unitId(tables, unit)],
    places: [hexId(tables, hex), hexId(tables, to)],
  });
}

/** The die of a flotilla unit that is lost. */
export function sinks(tables: Tables, unit: number, hex: number, die: number, turns: number, play: Play): void {
  const id = unitId(tables, unit);
  say(play, "sinks", {
    text: `Soviet ${id}: die ${die}: it comes back in ${counted(turns, "turn")}.`,
    outcome: `${id} comes back in ${counted(turns, "turn")}`,
    dice: [
      {
        by: SIDES[SOVIET],
        purpose: `turns until ${id} comes back, half of the die`,
        sides: 10,
        faces: [die],
        needed: null,
        result: String(turns),
      },
    ],
    units: [id],
    places: [hexId(tables, hex)],
    amount: turns,
  });
}
