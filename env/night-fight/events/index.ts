import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import { EVERYTHING } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { GameEvent, Throw } from "../../core/narration.js";
import { GERMANS, type Tables, type UnitId, type HexId, type ColumnId, type TypeId, type GunId } from "../data.js";
import { columnOf, countAt, EXITED, isLit, L, mpOf, OFF, placeOf, turnOf } from "../state.js";
import { attackNeeds, begun, gunName, listOf, titleOf, typeName } from "./words.js";

/*
 * What happens, as the player may know it. Rules call these only while there is a narrator. All but the
 * dice of contacts that stay face down is public; `tellLook` keeps those for `EVERYTHING`.
 */

type Side = "german" | "soviet";

const thrown = (by: Side | null, purpose: string, faces: number[], needed: string | null, result: string): Throw => ({
  by,
  purpose,
  sides: 6,
  faces,
  needed,
  result,
});

const name = (tables: Tables, u: UnitId): string => tables.unitNames[u]!;
const sideOf = (u: UnitId): Side => (u < GERMANS ? "german" : "soviet");

/** Contacts have been dealt face down; only `EVERYTHING` learns which. */
export function tellDealt(tables: Tables, units: readonly UnitId[], play: Play): void {
  const faces = units.map((u) => name(tables, u));
  const event: GameEvent = eventOf("dealt", {
    text: `${counted(units.length, "contact")} are face down on the map: Soviet units, some of them dummies.`,
    places: units.map((_, i) => tables.ids[tables.contacts[i]!]!),
    amount: units.length,
  });
  const dealt: Throw = { by: null, purpose: "dealing contacts", sides: 0, faces, needed: null, result: "dealt" };
  const whole = { ...event, units: faces, dice: [dealt] };
  play.narrator!.tellEach((viewer) => (viewer === EVERYTHING ? whole : event));
}

export function tellBought(tables: Tables, s: StateView, u: UnitId, type: TypeId, play: Play): void {
  const text = `${begun(tables, u)} is bought (${typeName(tables, type)}, ${tables.cost[type]} points); ${s[L.budget]} left.`;
  say(play, "bought", { text, units: [name(tables, u)], amount: tables.cost[type]! });
}

export function tellReinstated(tables: Tables, truck: UnitId, r: GunId, play: Play): void {
  const text = `${begun(tables, truck)} is given up: the ${gunName(tables, r)} has shells for its gun.`;
  say(play, "reinstated", { text, units: [name(tables, truck)] });
}

export function tellAce(tables: Tables, u: UnitId, play: Play): void {
  say(play, "ace", { text: `The ace rides in ${titleOf(tables, u)}.`, units: [name(tables, u)] });
}

export function tellTurn(tables: Tables, s: StateView, play: Play): void {
  say(play, "turn", { text: `Turn ${turnOf(s)} of ${tables.rules.turns} begins.` });
}

export function tellFirePhase(play: Play): void {
  say(play, "fire-phase", { text: "German movement is over; German units may fire." });
}

/**
 * A column's die, and what came of it.
 *
 * @param before where the column was
 * @param entryDie the die for the hex it comes on at, 0 when none was thrown
 */
export function tellColumn(
  tables: Tables,
  s: StateView,
  c: ColumnId,
  before: HexId,
  die: number,
  entryDie: number,
  play: Play,
): void {
  const now = columnOf(s, c);
  const result =
    now === before ? "stays" : before === OFF ? `comes on at ${tables.ids[now]}` : `marches to ${tables.ids[now]}`;
  const dice = [thrown("soviet", `column ${c + 1}`, [die], null, result)];
  if (entryDie > 0) dice.push(thrown("soviet", "entry hex", [entryDie], null, result));
  const places = [before, now].filter((h) => h >= 0).map((h) => tables.ids[h]!);
  say(play, "column", {
    text: `Column ${c + 1} throws ${die}${entryDie > 0 ? ` and ${entryDie}` : ""} and ${result}.`,
    dice,
    places,
  });
}

export function tellColumnDeploys(tables: Tables, c: ColumnId, h: HexId, units: readonly UnitId[], play: Play): void {
  const came = units.length === 0 ? "nobody, as the reserve is empty" : listOf(tables, units);
  const faces = units.map((u) => name(tables, u));
  const draw: Throw = { by: "soviet", purpose: "drawing units", sides: 0, faces, needed: null, result: came };
  say(play, "column-deploys", {
    text: `Column ${c + 1} in ${tables.ids[h]} gives way to ${came}.`,
    ...(faces.length > 0 ? { dice: [draw] } : {}),
    outcome: `column in ${tables.ids[h]} deploys`,
    units: faces,
    places: [tables.ids[h]!],
  });
}

export function tellMove(
  tables: Tables,
  s: StateView,
  u: UnitId,
  from: HexId,
  to: HexId,
  cost: number,
  play: Play,
): void {
  const start = from < 0 ? "comes on at" : `moves from ${tables.ids[from]} to`;
  const text = `${begun(tables, u)} ${start} ${tables.ids[to]} (${counted(cost, "MP").replace("MPs", "MP")}, ${mpOf(s)} left).`;
  const places = [from, to].filter((h) => h >= 0).map((h) => tables.ids[h]!);
  say(play, "move", { text, units: [name(tables, u)], places, amount: cost });
}

export function tellStop(tables: Tables, u: UnitId, play: Play): void {
  say(play, "stop", { text: `${begun(tables, u)} has moved.`, units: [name(tables, u)] });
}

/** Counters of a hex have been turned up, before a column there deploys. */
export function tellTurnedUp(tables: Tables, h: HexId, units: readonly UnitId[], play: Play): void {
  const real = units.filter((u) => tables.dummy[u] === 0);
  const what = real.length === 0 ? "only a dummy" : listOf(tables, real);
  say(play, "turned-up", {
    text: `Turned up in ${tables.ids[h]}: ${what}.`,
    outcome: real.length === 0 ? "dummy" : `found ${real.map((u) => typeName(tables, tables.type[u]!)).join(", ")}`,
    units: units.map((u) => name(tables, u)),
    places: [tables.ids[h]!],
  });
}

export function tellBurnt(tables: Tables, u: UnitId, h: HexId, play: Play): void {
  const text = `${begun(tables, u)} enters the fire in ${tables.ids[h]} and is lost.`;
  say(play, "burnt", {
    text,
    outcome: `${titleOf(tables, u)} lost`,
    units: [name(tables, u)],
    places: [tables.ids[h]!],
  });
}

export function tellExit(tables: Tables, s: StateView, u: UnitId, from: HexId, play: Play): void {
  const text = `${begun(tables, u)} leaves the map: ${counted(countAt(s, EXITED), "unit")} out.`;
  say(play, "exit", {
    text,
    outcome: `${titleOf(tables, u)} out`,
    units: [name(tables, u)],
    places: [tables.ids[from]!],
  });
}

export function tellSpot(tables: Tables, u: UnitId, h: HexId, die: number, need: number, play: Play): void {
  const found = die >= need;
  const needed = need > 6 ? "out of reach" : `${Math.max(1, need)}+`;
  const result = found ? "finds something" : "finds nothing";
  say(play, "spot", {
    text: `${begun(tables, u)} looks into ${tables.ids[h]}: ${die} (${needed}), ${result}.`,
    ...(found ? {} : { outcome: "nothing found" }),
    dice: [thrown("german", "spotting", [die], needed, result)],
    units: [name(tables, u)],
    places: [tables.ids[h]!],
  });
}

/** Reports an attack before its result is carried out. */
export function tellAttack(
  tables: Tables,
  s: StateView,
  a: UnitId,
  b: UnitId,
  die: number,
  needs: readonly [suppress: number, eliminate: number],
  result: "no effect" | "suppressed" | "eliminated",
  play: Play,
): void {
  const h = placeOf(s, b);
  const needed = attackNeeds(...needs);
  const text = `${begun(tables, a)} fires at ${titleOf(tables, b)} in ${tables.ids[h]}: ${die} (${needed}), ${result}.`;
  const by = sideOf(a);
  say(play, "attack", {
    by,
    text,
    outcome: `${titleOf(tables, b)} ${result === "no effect" ? "unhurt" : result}`,
    dice: [thrown(by, "attack", [die], needed, result)],
    units: [name(tables, a), name(tables, b)],
    places: [tables.ids[placeOf(s, a)]!, tables.ids[h]!],
  });
}

export function tellFired(tables: Tables, u: UnitId, play: Play): void {
  const text = `${begun(tables, u)} is done firing for this turn.`;
  say(play, "fired", { text, units: [name(tables, u)] });
}

export function tellSovietStep(play: Play): void {
  say(play, "soviet-step", { text: "German suppression ends; the Soviet step begins." });
}

export function tellFlare(tables: Tables, s: StateView, die: number, lit: boolean, play: Play): void {
  const at = tables.ids.filter((_, h) => isLit(s, h));
  const result = lit ? (at.length > 0 ? `lights ${at.join(", ")}` : "finds nobody to light") : "none";
  const text = `Soviet flare: ${die}, ${result}.`;
  say(play, "flare", { text, dice: [thrown("soviet", "flare", [die], null, result)], places: at });
}

export function tellWatch(play: Play): void {
  say(play, "watch", { text: "Contacts close to German units may fire." });
}

/**
 * A Soviet unit's die to make out its target. A contact that fails stays face down, and only `EVERYTHING` learns of it.
 *
 * @param hidden it was face down when it looked
 */
export function tellLook(
  tables: Tables,
  k: UnitId,
  h: HexId,
  target: UnitId,
  die: number,
  need: number,
  hidden: boolean,
  play: Play,
): void {
  const made = die >= need;
  const needed = `${Math.max(1, need)}+`;
  const result = made ? "makes it out" : "fails";
  const event: GameEvent = eventOf("look", {
    text: `${begun(tables, k)} in ${tables.ids[h]} looks for ${titleOf(tables, target)}: ${die} (${needed}), ${result}.`,
    dice: [thrown("soviet", "spotting", [die], needed, result)],
    units: [name(tables, k), name(tables, target)],
    places: [tables.ids[h]!],
  });
  if (hidden && !made) play.narrator!.tellEach((viewer) => (viewer === EVERYTHING ? event : null));
  else play.narrator!.tell(event);
}

export function tellTurnEnd(play: Play): void {
  say(play, "turn-end", { text: "The turn ends: flares burn out, marks are taken off." });
}

/** @param extra added to the dice for trucks that did not get out */
export function tellVictoryRoll(s: StateView, dice: readonly number[], extra: number, play: Play): void {
  const out = countAt(s, EXITED);
  const won = s[L.result]! < out;
  const result = won ? "the break-out succeeds" : "the break-out fails";
  const trucks = extra > 0 ? ` and ${extra} for trucks` : "";
  const text = `Victory roll: ${dice.join(" ")}${trucks} make ${s[L.result]} against ${counted(out, "unit")} out: ${result}.`;
  const needed = `below ${out} in all`;
  say(play, "victory-roll", {
    by: won ? "german" : null,
    text,
    outcome: won ? "won" : "lost",
    dice: [thrown(null, "victory", [...dice], needed, result)],
    amount: s[L.result]!,
  });
}
