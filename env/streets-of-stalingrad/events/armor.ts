import { eventOf, say } from "./say.js";
import type { Throw } from "../../core/narration.js";
import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { SIDES, SOVIET } from "../roster.js";
import type { Tables } from "../state.js";
import { placeOf } from "../state.js";
import { faceText, hexId, hexText, knownIds, knows, namesFor, SIDE_WORDS, unitId } from "./words.js";
import { isOwn, tellNamed } from "./common.js";

// Rules call these only when `play.narrator` is set.

const verb = (units: readonly number[], one: string, many: string): string => (units.length === 1 ? one : many);

/** Units leave their vehicles, or mount again. */
export function mounts(tables: Tables, s: StateView, units: readonly number[], dismounts: boolean, play: Play): void {
  if (units.length === 0) return;
  const side = tables.roster.side[units[0]!]!;
  const hex = placeOf(tables, s, units[0]!);
  const event = eventOf("mounts", {
    rule: dismounts ? "SOS 8.71" : "SOS 8.73",
    by: SIDES[side]!,
    places: [hexId(tables, hex)],
  });
  const does = dismounts ? verb(units, "dismounts", "dismount") : verb(units, "mounts again", "mount again");
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `${SIDE_WORDS[side]!} ${names} ${does} in ${hexText(tables, hex)}.`,
    play,
  );
}

/** The first attacker enters a hex broken through. */
export function breaksThrough(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} side has broken through at ${hexText(tables, hex)}: no enemy zone of control reaches into it now.`;
  say(play, "breakthrough", {
    rule: "SOS 10.6",
    by: SIDES[side]!,
    text,
    outcome: `breakthrough at ${hexId(tables, hex)}`,
    places: [hexId(tables, hex)],
  });
}

/** The die of a tank that does not break down: only its owner learns which it is. Rule: SOS 16.33 */
export function runsOn(tables: Tables, unit: number, die: number, play: Play): void {
  play.narrator!.tellEach((viewer) => {
    const own = isOwn(viewer, SOVIET);
    const who = own ? unitId(tables, unit) : "tank";
    return eventOf("breakdown", {
      text: `Soviet ${who}: die ${die}: it runs on.`,
      dice: [thrown(tables, "whether a tank breaks down", die, "runs on")],
      units: own ? [unitId(tables, unit)] : [],
    });
  });
}

/** The die of a tank that breaks down. @param counter the immobilised tank that it becomes, below 0: it is lost */
export function breaksDown(tables: Tables, unit: number, counter: number, hex: number, die: number, play: Play): void {
  const result = counter < 0 ? "lost" : "immobilised";
  say(play, "breakdown", {
    text: `Soviet ${unitId(tables, unit)} in ${hexText(tables, hex)}: die ${die}: it breaks down and is ${result}.`,
    dice: [thrown(tables, `whether ${unitId(tables, unit)} breaks down`, die, result)],
    units: [unitId(tables, unit), ...(counter < 0 ? [] : [unitId(tables, counter)])],
    places: [hexId(tables, hex)],
  });
}

const thrown = (tables: Tables, purpose: string, die: number, result: string): Throw => ({
  by: SIDES[SOVIET],
  purpose,
  sides: 10,
  faces: [die],
  needed: `${tables.charts.wreckUpTo} or less breaks down`,
  result,
});

/** A lost tank comes back beside the repair unit. */
export function repaired(tables: Tables, unit: number, hex: number, play: Play): void {
  say(play, "repaired", {
    text: `Soviet ${unitId(tables, unit)} (${faceText(tables, unit)}) is repaired in ${hexText(tables, hex)}.`,
    units: [unitId(tables, unit)],
    places: [hexId(tables, hex)],
  });
}

/** A hex broken through is taken back. */
export function markerLost(tables: Tables, hex: number, play: Play): void {
  const text = `The breakthrough at ${hexId(tables, hex)} is undone.`;
  say(play, "breakthrough", { rule: "SOS 12.9", by: null, text, places: [hexId(tables, hex)] });
}

/**
 * A breakthru marker becomes a spent marker; units under it are spent already. Which of the counters that are face down
 * are spent would tell combat units from guns and leaders, so only known units are named.
 */
export function markerSpends(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  units: readonly number[],
  play: Play,
): void {
  const event = eventOf("marker-off", { rule: "SOS 10.9", places: [hexId(tables, hex)] });
  play.narrator!.tellEach((viewer) => {
    const known = units.filter((u) => knows(tables, s, u, viewer));
    const names = known.length === 0 ? "units" : namesFor(tables, s, known, viewer);
    const text = `${SIDE_WORDS[side]!} ${names} in ${hexText(tables, hex)} ${verb(known, "is", "are")} spent after the breakthrough.`;
    return { ...event, text, units: knownIds(tables, s, known, viewer) };
  });
}
