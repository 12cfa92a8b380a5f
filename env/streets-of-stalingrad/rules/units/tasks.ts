import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/works.js";
import { MARK_BREAKTHRU, REMOVES, TASK_BITS, TASK_BRIDGE, TASK_MINE, TASK_SIDE_BITS } from "../../layout.js";
import { GERMAN } from "../../roster.js";
import { enemyOf, markOf, phasesLeft, setSite, siteOf, taskHex, taskOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { announce, exertsZoc } from "./zoc.js";

/**
 * Phases that a turn has, and that a single engineer needs where two need one turn. Rule: SOS 17.16, SOS 17.25, SOS
 * 17.35
 */
export const ONE_TURN = 15;
const TWO_TURNS = 30;
export const MOST_PHASES = TWO_TURNS;

/** The number of what a task builds or removes. */
export const workOf = (task: number): number => (task > REMOVES ? task - REMOVES : task);
export const isRemoval = (task: number): boolean => task > REMOVES;
/** True when the counter is on a hex beside the engineer. Rule: SOS 17.24 */
export const isBeside = (task: number): boolean => workOf(task) === TASK_MINE;

/** Phases that a task takes one engineer. Rule: SOS 17.16, SOS 17.25, SOS 17.35 */
export const phasesOf = (task: number, side: number): number => {
  const work = workOf(task);
  return work === TASK_MINE || (work === TASK_BRIDGE && side === GERMAN) ? ONE_TURN : TWO_TURNS;
};

/** True when a bridge is built on a hex. Rule: SOS 17.11 */
export const spansBalka = ({ board }: Tables, hex: number): boolean =>
  (board.terrainOf(hex) === "balka" || board.hasFeature(hex, "balka")) && board.bridge[hex] === 0;

/** How many engineers of a side work at a hex. */
export function workersAt(tables: Tables, s: StateView, side: number, hex: number): number {
  let n = 0;
  for (const u of tables.engineers[side]!) if (taskOf(tables, s, u) !== 0 && taskHex(tables, s, u) === hex) n++;
  return n;
}

/** True when an enemy zone of control reaches into a hex, known or not, or enemies hold it. Rule: SOS 17.0 */
export function isZoned(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board } = tables;
  const enemy = enemyOf(side);
  if (exertsZoc(tables, s, enemy, hex)) return true;
  if (board.zocEnters[hex] === 0 || markOf(tables, s, hex) === MARK_BREAKTHRU) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++)
    if (board.neighbours[d]! >= 0 && exertsZoc(tables, s, enemy, board.neighbours[d]!)) return true;
  return false;
}

/** An engineer works no longer: it gives up, goes, or is lost; another of two needs twice as long then. Ruling R109. */
export function quitTask(tables: Tables, s: State, unit: number, play: Play): void {
  const task = taskOf(tables, s, unit);
  const side = tables.roster.side[unit]!;
  const hex = taskHex(tables, s, unit);
  s[tables.layout.work + unit]! &= ~(TASK_BITS | TASK_SIDE_BITS);
  if (task === 0) return;
  const left = phasesLeft(tables, s, side, hex);
  if (play.narrator !== null) noteSite(tables, side, hex, task, left);
  if (workersAt(tables, s, side, hex) === 0) setSite(tables, s, side, hex, 0, 0);
  else setSite(tables, s, side, hex, task, Math.min(phasesOf(task, side), 2 * left));
}

/** State of a site before this action. Its new state is reported once; how many work there is secret. */
function noteSite({ stopped }: Tables, side: number, hex: number, task: number, left: number): void {
  if (!stopped.some((site) => site.side === side && site.hex === hex)) stopped.push({ side, hex, task, left });
}

/** An action is over: reports which tasks are stopped, or need longer, because engineers are gone. */
export function tellTasks(tables: Tables, s: StateView, play: Play): void {
  if (tables.stopped.length === 0) return;
  tables.stopped.sort((a, b) => a.side - b.side || a.hex - b.hex);
  for (const { side, hex, task, left } of tables.stopped) {
    const now = siteOf(tables, s, side, hex) === task ? phasesLeft(tables, s, side, hex) : -1;
    if (now !== left) events.stopped(tables, side, task, hex, now, play);
  }
  tables.stopped.length = 0;
}

/**
 * Enemies may have come near: they say of unseen stacks whether they have a zone of control, and work in a hex that one
 * reaches is stopped completely. Rule: SOS 17.0
 */
export function stopTasks(tables: Tables, s: State, side: number, play: Play): void {
  for (const u of tables.engineers[side]!) {
    if (taskOf(tables, s, u) === 0) continue;
    const hex = taskHex(tables, s, u);
    announce(tables, s, side, hex, play);
    if (isZoned(tables, s, side, hex)) quitTask(tables, s, u, play);
  }
}
