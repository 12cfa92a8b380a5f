import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { REMOVES } from "../layout.js";
import { SIDES, SOVIET } from "../roster.js";
import type { Tables } from "../state.js";
import { eventOf, say } from "./say.js";
import { isOwn, reveals } from "./common.js";
import { hexId, hexText, SIDE_WORDS, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set.

const WORDS = ["", "a bridge", "a minefield", "a fortification"] as const;
const CITED = ["", "SOS 17.15", "SOS 17.24", "SOS 17.34"] as const;
/** `a bridge`, `the removal of a bridge` */
export function taskText(task: number): string {
  return task > REMOVES ? `the removal of ${WORDS[task - REMOVES]!}` : WORDS[task]!;
}
/** The rule that a task follows. */
export const taskRule = (task: number): string => CITED[task > REMOVES ? task - REMOVES : task]!;

/** An engineer begins a task, or joins one. Its side learns which engineer, others only that one does. Ruling R109. */
export function begins(
  tables: Tables,
  unit: number,
  task: number,
  hex: number,
  left: number,
  joins: boolean,
  play: Play,
): void {
  const side = tables.roster.side[unit]!;
  const what = `${joins ? "puts a second engineer to" : "begins"} ${taskText(task)} in ${hexText(tables, hex)}`;
  const text = (who: string): string => `${who} ${what}: ${counted(left, "phase")}.`;
  const event = eventOf("task", {
    rule: taskRule(task),
    by: SIDES[side]!,
    places: [hexId(tables, hex)],
    amount: left,
  });
  const id = unitId(tables, unit);
  const own = { ...event, text: text(`${SIDE_WORDS[side]!} ${id}`), units: [id] };
  const others = { ...event, text: text(`The ${SIDE_WORDS[side]!} side`), units: [] };
  play.narrator!.tellEach((viewer) => (isOwn(viewer, side) ? own : others));
}

/** A task is stopped, or goes on more slowly. @param left phases that it still needs, -1: it is stopped */
export function stopped(tables: Tables, side: number, task: number, hex: number, left: number, play: Play): void {
  const does = left < 0 ? "stops" : "has one engineer less at";
  const rest = left < 0 ? "" : `: ${counted(left, "phase")}`;
  const text = `The ${SIDE_WORDS[side]!} side ${does} ${taskText(task)} in ${hexText(tables, hex)}${rest}.`;
  const event = { rule: left < 0 ? "SOS 17.0" : taskRule(task), by: SIDES[side]!, text };
  say(play, "task", { ...event, places: [hexId(tables, hex)], amount: Math.max(0, left) });
}

/** A task can't be begun: an enemy zone of control reaches there, of which the side did not know. */
export function forbidden(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} side can't work in ${hexText(tables, hex)}: it is in an enemy zone of control.`;
  say(play, "task", { rule: "SOS 17.0", by: SIDES[side]!, text, places: [hexId(tables, hex)] });
}

/** The enemy shows a unit that keeps a task in a hex from going on. */
export function covers(tables: Tables, s: StateView, unit: number, hex: number, play: Play): void {
  reveals(tables, s, unit, play);
  const side = tables.roster.side[unit]!;
  const text = `${SIDE_WORDS[side]!} ${unitId(tables, unit)} covers ${hexText(tables, hex)}: no engineer works there.`;
  say(play, "task", { rule: "SOS 17.0", by: SIDES[side]!, text, places: [hexId(tables, hex)] });
}

/** A counter that engineers have built is placed. */
export function built(tables: Tables, side: number, counter: number, hex: number, task: number, play: Play): void {
  const text = `${SIDE_WORDS[side]!} engineers have built ${taskText(task)} in ${hexText(tables, hex)}: ${unitId(tables, counter)}.`;
  tellBuilt(tables, side, counter, hex, task, text, play);
}

/** A counter that engineers have removed is taken off. */
export function removed(tables: Tables, side: number, counter: number, hex: number, task: number, play: Play): void {
  const text = `${SIDE_WORDS[side]!} engineers have removed ${WORDS[task - REMOVES]!} in ${hexText(tables, hex)}: ${unitId(tables, counter)}.`;
  tellBuilt(tables, side, counter, hex, task, text, play);
}

function tellBuilt(
  tables: Tables,
  side: number,
  counter: number,
  hex: number,
  task: number,
  text: string,
  play: Play,
): void {
  const event = { rule: taskRule(task), by: SIDES[side]!, units: [unitId(tables, counter)] };
  say(play, "built", { ...event, text, places: [hexId(tables, hex)] });
}

/** An unguarded minefield is found. */
export const finds = (tables: Tables, s: StateView, mine: number, play: Play): void => reveals(tables, s, mine, play);

/** A minefield ends a move. */
export function mined(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} movers stop in ${hexId(tables, hex)}: a minefield.`;
  say(play, "mined", { text, places: [hexId(tables, hex)] });
}

/** Units get on transports in a hex, or off them: their side alone hears it. */
export function rides(tables: Tables, units: readonly number[], hex: number, on: boolean, play: Play): void {
  const names = units.map((u) => unitId(tables, u));
  const does = `${names.length === 1 ? "gets" : "get"} ${on ? "on transports" : "off"}`;
  const own = eventOf("rides", { by: "soviet", places: [hexId(tables, hex)], amount: units.length });
  const event = { ...own, units: names, text: `Soviet ${listed(names, "nobody")} ${does} in ${hexText(tables, hex)}.` };
  play.narrator!.tellEach((viewer) => (isOwn(viewer, SOVIET) ? event : null));
}
