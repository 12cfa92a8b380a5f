import type { StateView } from "../../../core/layout.js";
import { GERMAN, type Roster } from "../../roster.js";
import { KINDS } from "../../schema.js";
import { KNOWN } from "../../layout.js";
import { firstIn, has, nextIn, placeOf, type Tables } from "../../state.js";

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const OP = KINDS.indexOf("op");
const COMMISSAR = KINDS.indexOf("commissar");
const FLAK88 = KINDS.indexOf("flak88");
const DIVISION_ARTILLERY = kinds("howitzer", "field-gun", "rocket");
/** Parts of the path of what belongs to a division itself. */
const DIVISION = 2;

/** Where Pavlov counts double. Rule: SOS 18.18 */
const PAVLOVS_HOUSE = "0531";

/** The leader or commissar of a side in a hex, -1 none. @param seen only one whom the enemy knows */
export function chiefIn(tables: Tables, s: StateView, side: number, hex: number, seen = false): number {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.leader[u] === 1 && (!seen || has(tables, s, u, KNOWN))) return u;
  return -1;
}

/**
 * True when a side knows that a hex has no enemy but a leader. Nobody may attack him there or fire at him; of a
 * face-down counter that is secret. Rule: SOS 18.17, rulings R76, R138
 */
export function isLeaderAlone(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  let leader = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] === side) continue;
    if (roster.leader[u] === 0 || !has(tables, s, u, KNOWN)) return false;
    leader = true;
  }
  return leader;
}

/** Value of a leader in his hex: 1, Pavlov in his house 2. Rule: SOS 18.18, ruling R87 */
export function worth(tables: Tables, s: StateView, leader: number): number {
  const { board, roster } = tables;
  const hero = roster.counters[leader]!.type.hero === "pavlov";
  return hero && board.ids[placeOf(tables, s, leader)] === PAVLOVS_HOUSE ? 2 : 1;
}

/** True when a formation is the other, or contains it. */
export const holds = (above: readonly string[], below: readonly string[]): boolean =>
  above.length > 0 && above.length <= below.length && above.every((part, i) => part === below[i]);

/** True when a leader, commissar or OP has a unit in its command. Rule: SOS 18.12 */
export const leads = ({ roster }: Tables, chief: number, unit: number): boolean =>
  roster.side[chief] === roster.side[unit] && holds(roster.path[chief]!, roster.path[unit]!);

/** True when a unit of the command is with a leader. @param but a unit that doesn't count, or -1. Rule: SOS 18.1 */
export function hasCommandIn(tables: Tables, s: StateView, leader: number, but = -1): boolean {
  for (let u = firstIn(tables, s, placeOf(tables, s, leader)); u >= 0; u = nextIn(tables, s, u))
    if (u !== but && tables.roster.stackUnit[u] === 1 && leads(tables, leader, u)) return true;
  return false;
}

const isAirOp = ({ counters }: Roster, unit: number): boolean => counters[unit]!.type.opLevel === "LW";

/** True when a gun fires without penalty for a spotter. Rule: SOS 14.32 to SOS 14.39 */
export function commands(tables: Tables, s: StateView, spotter: number, gun: number): boolean {
  const { roster } = tables;
  const chief = roster.kind[spotter] === OP || roster.leader[spotter] === 1;
  if (isAirOp(roster, spotter)) return false;
  if (roster.kind[gun] === FLAK88) return chief; // Rule: SOS 14.38
  if (roster.counters[gun]!.type.anyCommand === true) return true;
  const own = roster.path[attachedTo(tables, s, gun)]!;
  const theirs = roster.path[spotter]!;
  // Rule: SOS 14.36
  if (own.length >= DIVISION) return holds(own, theirs) || (chief && holds(theirs, own));
  const { opLevel, army } = roster.counters[spotter]!.type;
  if (roster.kind[spotter] === OP) return opLevel === "LI" || opLevel === "62A";
  // Rule: SOS 14.37
  return roster.leader[spotter] === 1 && (army === true || (roster.kind[spotter] === COMMISSAR && theirs.length === 1));
}

/**
 * The unit whose command a gun is in: German independents beside division artillery are attached to it. Rule: SOS 14.35
 */
function attachedTo(tables: Tables, s: StateView, gun: number): number {
  const { roster } = tables;
  const at = placeOf(tables, s, gun);
  if (roster.side[gun] !== GERMAN || roster.path[gun]!.length >= DIVISION || at < 0) return gun;
  for (let u = firstIn(tables, s, at); u >= 0; u = nextIn(tables, s, u))
    if (roster.path[u]!.length === DIVISION && DIVISION_ARTILLERY.includes(roster.kind[u]!)) return u;
  return gun;
}
