import { layout, type State, type StateView } from "../core/layout.js";
import { AREAS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z } from "./data.js";

export const SOVIET = 0;
export const GERMAN = 1;
export const SIDES = ["soviet", "german"] as const;
/** `active` in the phases that belong to nobody. */
export const NO_SIDE = 2;

/** Rights that dice give for the rest of the turn, as bits. */
export const ARTILLERY = 1;
export const DEPLOY = 2;
export const GUARDS = 4;
export const PIONEERS = 8;
export const STURM = 16;
export const RIGHT_NAMES = { artillery: ARTILLERY, deploy: DEPLOY, guards: GUARDS, pioneers: PIONEERS, sturm: STURM } as const;

/** Dice that aren't unit dice, by index. */
export const COMMAND = 0;
export const TACTICS = 1;
export const RATT = 2;
export const SPECIALS = ["command", "tactics", "ratt"] as const;

/** Kinds of decisions, in the order of the `decision` tensor (spec 4.2). */
export const KINDS = [
  "dice", "place", "reroll", "lose", "fortify", "announce", "reduce", "air", "cancel", "raze", "sturm", "cross", "ratzel",
  "deployOut", "deployIn", "artillery", "fight", "pioneer", "guards", "over", "chance",
] as const;
export type KindName = (typeof KINDS)[number];
export const K = Object.freeze(Object.fromEntries(KINDS.map((k, i) => [k, i])) as Record<KindName, number>);

export const WINDOWS = ["before", "pioneer", "end"] as const;
export const BEFORE = 0;
export const AFTER_PIONEER = 1;
export const AT_END = 2;
export const AIR = 0;
export const ATTRITION = 1;
export const REASONS = ["", "sudden", "areas", "vp", "draw"] as const;

/** Parts of a throw that explicit chance still owes, as bits (spec 4.5). */
export const AWAIT_UNITS = 1;
export const AWAIT_SPECIAL = [2, 4, 8] as const;
export const AWAIT_REROLL = 16;

export const L = layout({
  turn: 1, // 1..turns
  active: 1, // 0 Soviet, 1 German, 2 nobody (combat, victory, over)
  units: 2 * AREAS, // [side][area]
  reserve: 2, // markers not on the map; with `units` always 20 a side (ruling R4)
  max6: 2, // maximum of the Volga, of Gumrak
  fort: AREAS, // 0, 1
  shieldUsed: AREAS, // 0, 1: the Fortification has absorbed its kill of this turn (ruling R31)
  captured: AREAS, // 0 no, 1 Soviet, 2 German
  artillery: 1, // 0 aside, else area index
  night: 1, // 0, 1
  cmd: 2, // command points
  rights: 2, // bits ARTILLERY .. STURM
  ratzel: 1, // 0, 1: Ratzel moves of this player turn not yet finished
  loose: 6, // unit dice of the latest throw not kept, per number
  kept: 6, // unit dice kept, per number
  looseSpecial: 3, // face of Command, Tactics, Ratt while loose, else 0
  keptSpecial: 3, // the same while kept
  picked: 1, // 0, 1: something was kept since the last throw
  kind: 1, // index into KINDS
  actor: 1, // side that decides; 2 for over and chance
  area: 1, // 0 none, else area index + 1: `area` of the decision
  attacks: 1, // air attacks left to assign
  paid: 1, // Gumrak units paid for in this air step
  left: 1, // units that may still infiltrate by Sturm
  surchargePaid: 1, // 0, 1
  kills: 1, // German kills that a raze would lower
  source: 1, // of a raze: AIR or ATTRITION
  window: 1, // of artillery: BEFORE, AFTER_PIONEER, AT_END
  passed: 1, // of artillery: bit per side
  pending: 6, // unit dice that wait for a place, per number
  explicit: 1, // 0, 1: stop at chance nodes
  awaiting: 1, // bits AWAIT_*
  winner: 1, // 0 none, 1 Soviet, 2 German
  reason: 1, // index into REASONS, 0 while the game goes on
});

export const unitsIn = (s: StateView, side: number, area: number): number => s[L.units + side * AREAS + area]!;
export const cmdOf = (s: StateView, side: number): number => s[L.cmd + side]!;
export const reserveOf = (s: StateView, side: number): number => s[L.reserve + side]!;
export const hasRight = (s: StateView, side: number, right: number): boolean => (s[L.rights + side]! & right) !== 0;
export const hasFort = (s: StateView, area: number): boolean => s[L.fort + area] === 1;
export const capturedBy = (s: StateView, area: number): number => s[L.captured + area]! - 1;
export const isCaptured = (s: StateView, area: number): boolean => s[L.captured + area] !== 0;
export const markerOn = (s: StateView, area: number): boolean => area !== Z && s[L.artillery] === area;
/** Own Area 6 of a side. */
export const area6 = (side: number): number => (side === SOVIET ? VOLGA : GUMRAK);
/** Area meant by the number on a unit die. */
export const areaOfDie = (side: number, n: number): number => (n === 6 ? area6(side) : n);

export const spend = (s: State, side: number, cmd: number): void => {
  s[L.cmd + side]! -= cmd;
};
/** A marker from the reserve to the map; the caller has seen that there is one. */
export const addUnit = (s: State, side: number, area: number): void => {
  s[L.units + side * AREAS + area]!++;
  s[L.reserve + side]!--;
};
/** A marker from the map to the reserve. Rule: ruling R52 */
export const removeUnits = (s: State, side: number, area: number, n: number): void => {
  s[L.units + side * AREAS + area]! -= n;
  s[L.reserve + side]! += n;
};
export const moveUnit = (s: State, side: number, from: number, to: number): void => {
  s[L.units + side * AREAS + from]!--;
  s[L.units + side * AREAS + to]!++;
};

/** Places left for a side in an area, 0 if captured or not open to it. Rule: PS 3 Unit dice */
export function room(t: Tables, s: StateView, side: number, area: number): number {
  if (area >= VOLGA) return area === area6(side) ? s[L.max6 + side]! - unitsIn(s, side, area) : 0;
  return isCaptured(s, area) ? 0 : t.cap[area]! - unitsIn(s, side, area);
}

/** Who controls a city area: its captor, else the side with more units, else -1. Ruling R6 */
export function controller(s: StateView, area: number): number {
  if (isCaptured(s, area)) return capturedBy(s, area);
  const d = unitsIn(s, SOVIET, area) - unitsIn(s, GERMAN, area);
  return d > 0 ? SOVIET : d < 0 ? GERMAN : -1;
}

/** Who would capture a city area if the test ran now, or -1. Rule: PS 6, PS Area 1, rulings R7, R33, R48 */
export function captor(t: Tables, s: StateView, area: number): number {
  if (isCaptured(s, area)) return -1;
  const soviet = unitsIn(s, SOVIET, area);
  const german = unitsIn(s, GERMAN, area);
  if (soviet === german) return -1;
  const side = soviet > german ? SOVIET : GERMAN;
  if (Math.max(soviet, german) < t.stars[area]!) return -1;
  if (area === t.grainElevator && Math.min(soviet, german) > 0) return -1;
  if (side === GERMAN && hasFort(s, area) && soviet > 0) return -1;
  return side;
}

/** Captured areas of a side. */
export function areasOf(s: StateView, side: number): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) if (s[L.captured + a] === side + 1) n++;
  return n;
}

/** Victory points of a side's captured areas. */
export function vpOf(t: Tables, s: StateView, side: number): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) if (s[L.captured + a] === side + 1) n += t.vp[a]!;
  return n;
}

/** Opens a decision: everything that belonged to the last one is cleared. */
export function ask(s: State, kind: number, actor: number): void {
  s[L.kind] = kind;
  s[L.actor] = actor;
  for (let i = L.area; i < L.explicit; i++) s[i] = 0;
  s[L.awaiting] = 0;
}

/** Clears all dice. */
export function clearDice(s: State): void {
  for (let i = L.loose; i <= L.picked; i++) s[i] = 0;
}

/** Phases, as positions name them and as `globals` shows them. */
export const PHASES = ["roll", "resolve", "infiltration", "combat", "victory", "over"] as const;

const [ROLL, RESOLVE, INFILTRATION, COMBAT, VICTORY, OVER] = [0, 1, 2, 3, 4, 5];
const PHASE_OF_KIND = Uint8Array.from(KINDS, (k) => {
  if (k === "dice" || k === "chance") return ROLL;
  if (k === "place" || k === "reroll" || k === "lose" || k === "fortify") return RESOLVE;
  if (k === "artillery" || k === "fight" || k === "pioneer") return COMBAT;
  return k === "guards" ? VICTORY : k === "over" ? OVER : INFILTRATION;
});

/** The phase follows from the decision (spec section 9). */
export function phaseOf(s: StateView): number {
  const kind = s[L.kind]!;
  if (kind === K.raze && s[L.source] === ATTRITION) return COMBAT;
  if (kind === K.chance && s[L.awaiting] === AWAIT_REROLL) return RESOLVE;
  return PHASE_OF_KIND[kind]!;
}
