import type { Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import {
  FK8,
  GERMAN_COLUMN,
  INTERCEPTOR,
  MECH,
  RAID,
  ROTKOPF,
  SEC,
  SHOCK_FIRST,
  SOVIET_OTHER,
  SUPPORT,
  type Tables,
} from "../data.js";
import { BATTLE } from "../layout.js";
import { activeArmy, battleHex } from "../state.js";
import { tell } from "./tell.js";
import {
  armyText,
  battleText,
  CLASS_TEXT,
  counted,
  counterIds,
  countersAt,
  counterText,
  counterTexts,
  enumerated,
  GERMAN,
  hexIds,
  hexText,
  hexTexts,
  INTERCEPTOR_TEXT,
  neededText,
  pocketHexes,
  signed,
  SOVIET,
} from "./words.js";

/** Events of a battle. Each is told right after what it tells of; `tables.faces` still holds the dice. */

const battlePlace = (tables: Tables, s: StateView): string[] => hexIds(tables, [battleHex(tables, s)]);

/** Rule: SC 9.2 */
export function attacked(tables: Tables, s: StateView, from: number): void {
  const army = activeArmy(tables, s);
  const hex = battleHex(tables, s);
  const cost = tables.moveCost[tables.forest[hex]!]!;
  tell(tables, {
    what: "attacked",
    rule: "SC 9.2",
    by: SOVIET,
    text: `${armyText(tables, army)} attacks ${hexText(tables, hex)} from ${hexText(tables, from)} (${cost} MP, ${s[tables.L.mp]!} left).`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [from, hex]),
    amount: cost,
  });
}

/** Rule: SC 8.4 */
export function pocketThreatened(tables: Tables, s: StateView): void {
  const pocket = pocketHexes(tables, s);
  tell(tables, {
    what: "pocket-threatened",
    rule: "SC 8.4",
    by: GERMAN,
    text: `The fall of ${battleText(tables, s)} would cut off ${hexTexts(tables, pocket)}: a break-in battle.`,
    places: [...battlePlace(tables, s), ...hexIds(tables, pocket)],
    amount: pocket.length,
  });
}

/** Rule: SC 8.9 */
export function garrisonDefends(tables: Tables, s: StateView): void {
  const units = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "garrison-defends",
    rule: "SC 8.9",
    by: GERMAN,
    text: `The garrison of ${battleText(tables, s)} defends again: ${counterTexts(tables, units)}.`,
    units: counterIds(tables, units),
    places: battlePlace(tables, s),
  });
}

/** The marker of the battle hex. Rule: SC 3.7 */
export function markerTurnedUp(tables: Tables, hex: number, counter: number): void {
  tell(tables, {
    what: "marker-turned-up",
    rule: "SC 3.7",
    by: GERMAN,
    text: `The marker in ${hexText(tables, hex)} is turned up: ${counterText(tables, counter)}.`,
    units: counterIds(tables, [counter]),
    places: hexIds(tables, [hex]),
  });
}

/** The die for the size of the defence. Rule: SC 8.3, SC 8.5 */
export function garrisonRolled(tables: Tables, s: StateView, size: number): void {
  const relief = s[tables.L.relief] === 1;
  const { add } = relief ? tables.relief : tables.regular;
  const what = relief ? "relief force" : "garrison";
  const faces = [...tables.faces];
  tell(tables, {
    what: "garrison-rolled",
    rule: relief ? "SC 8.5" : "SC 8.3",
    by: GERMAN,
    text: `Size of the ${what} in ${battleText(tables, s)}: ${faces.join(" ")}${add === 0 ? "" : ` ${signed(add)}`}: ${counted(size, "more counter")}.`,
    dice: [
      { by: GERMAN, purpose: `size of the ${what}`, sides: 6, faces, needed: null, result: counted(size, "counter") },
    ],
    places: battlePlace(tables, s),
    amount: size,
  });
}

/** Counters that come out of the pool to fight. Rule: SC 8.1 */
export function defendersDrawn(tables: Tables, s: StateView, breakout: boolean): void {
  const drawn = tables.drawn.splice(0);
  if (drawn.length === 0) return;
  tell(tables, {
    what: "defenders-drawn",
    rule: breakout ? "SC 8.6" : "SC 8.1",
    by: GERMAN,
    text: `Drawn from the pool for the ${breakout ? "breakout against" : "defence of"} ${battleText(tables, s)}: ${counterTexts(tables, drawn)}.`,
    dice: [drawThrow(tables, breakout ? "breakout" : "defence", drawn)],
    units: counterIds(tables, drawn),
    places: battlePlace(tables, s),
    amount: drawn.length,
  });
}

export function drawThrow(tables: Tables, purpose: string, drawn: readonly number[]): Throw {
  return {
    by: GERMAN,
    purpose: `drawing for the ${purpose}`,
    sides: 0,
    faces: counterIds(tables, drawn),
    needed: null,
    result: counterTexts(tables, drawn),
  };
}

/** Rule: SC 10.11 */
export function interceptorSent(tables: Tables, s: StateView): void {
  tell(tables, {
    what: "interceptor-sent",
    rule: "SC 10.11",
    by: SOVIET,
    text: `${INTERCEPTOR_TEXT} flies over ${battleText(tables, s)} in this round.`,
    units: [tables.interceptorId],
    places: battlePlace(tables, s),
  });
}

/** Rule: SC 9.3 */
export function pressedOn(tables: Tables, s: StateView): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  tell(tables, {
    what: "pressed-on",
    rule: "SC 9.3",
    by: SOVIET,
    text: `${armyText(tables, army)} presses on in ${battleText(tables, s)} for ${tables.extraRoundCost} MP (${s[L.mp]!} left).`,
    units: [tables.armies[army]!.id],
    places: battlePlace(tables, s),
    amount: tables.extraRoundCost,
  });
}

/** Rule: SC 10.1 */
export function roundBegun(tables: Tables, s: StateView): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const host = s[L.host] === army + 1;
  const enemy = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "round-begun",
    rule: "SC 10.1",
    by: SOVIET,
    text: `Round ${s[L.round]!} in ${battleText(tables, s)}: ${armyText(tables, army)} (${counted(s[L.armySteps + army]!, "step")})${host ? ` with ${tables.engineer.id} (${s[L.engineer]!})` : ""} against ${counterTexts(tables, enemy)}.`,
    units: [tables.armies[army]!.id, ...(host ? [tables.engineer.id] : []), ...counterIds(tables, enemy)],
    places: battlePlace(tables, s),
    amount: s[L.round]!,
  });
}

/** Step 1 or 4 of a round. Rule: SC 10.1 */
export function sovietFired(tables: Tables, s: StateView, column: number, modifier: number, hits: number): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const host = s[L.host] === army + 1 && column === SOVIET_OTHER;
  const armyFires = column === SHOCK_FIRST || s[L.shockFirst] === 0;
  const units = [
    ...(armyFires ? [[tables.armies[army]!.id, armyText(tables, army)]] : []),
    ...(host ? [[tables.engineer.id, tables.engineer.id]] : []),
  ];
  if (tables.faces.length === 0) return;
  fired(tables, s, {
    rule: "SC 10.1",
    by: SOVIET,
    who: enumerated(units.map((u) => u[1]!)) + (column === SHOCK_FIRST ? " (first fire)" : ""),
    units: units.map((u) => u[0]!),
    column,
    modifiers: modifier === 0 ? [] : [`${signed(modifier)} Raid`],
    modifier,
    hits,
  });
}

/** Steps 2, 3, 5 of a round, or the half-round of a breakout. Rule: SC 10.1, SC 8.6 */
export function germansFired(
  tables: Tables,
  s: StateView,
  cls: number,
  modifier: number,
  hits: number,
  breakout: boolean,
): void {
  const units = countersAt(tables, s, BATTLE).filter((c) => tables.cls[c] === cls);
  if (units.length === 0) return;
  const hex = battleHex(tables, s);
  const first = breakout || s[tables.L.round] === 1;
  const modifiers: string[] = [];
  if (breakout) modifiers.push(`${signed(tables.breakoutModifier)} breakout`);
  else if (s[tables.L.relief] === 1) modifiers.push(`${signed(tables.breakInModifier)} break-in`);
  for (const c of countersAt(tables, s, BATTLE)) {
    const kind = tables.support[c]!;
    if (kind < FK8 || kind > ROTKOPF || (kind === ROTKOPF && cls === SEC)) continue;
    const { value, firstOnly } = tables.supportModifier[kind]!;
    if (!firstOnly || first) modifiers.push(`${signed(value)} ${counterText(tables, c)}`);
  }
  const terrain = cls === MECH ? tables.mechModifier[tables.forest[hex]!]! : 0;
  if (terrain !== 0) modifiers.push(`${signed(terrain)} forest`);
  fired(tables, s, {
    rule: breakout ? "SC 8.6" : "SC 10.1",
    by: GERMAN,
    who: `German ${CLASS_TEXT[cls]} units${breakout ? " breaking out" : ""}`,
    units: counterIds(tables, units),
    column: GERMAN_COLUMN + cls,
    modifiers,
    modifier,
    hits,
  });
}

/** Step 6: a die against each unit. Rule: SC 10.11 */
export function interceptorFired(
  tables: Tables,
  s: StateView,
  faces: readonly number[],
  lost: readonly number[],
): void {
  tables.faces.splice(0, tables.faces.length, ...faces);
  fired(tables, s, {
    rule: "SC 10.11",
    by: SOVIET,
    who: INTERCEPTOR_TEXT,
    units: [tables.interceptorId],
    column: INTERCEPTOR,
    modifiers: [],
    modifier: 0,
    hits: lost.length,
  });
  tellLosses(tables, s, lost);
}

interface Fire {
  readonly rule: string;
  readonly by: string;
  readonly who: string;
  readonly units: readonly string[];
  readonly column: number;
  /** Each by name, and their sum. */
  readonly modifiers: readonly string[];
  readonly modifier: number;
  readonly hits: number;
}

function fired(tables: Tables, s: StateView, f: Fire): void {
  const faces = [...tables.faces];
  const needed = neededText(tables, f.column, f.modifier);
  const hits = f.hits === 0 ? "no hit" : counted(f.hits, "hit");
  const why = f.modifiers.length === 0 ? "" : `, with ${enumerated(f.modifiers)}`;
  tell(tables, {
    what: "fired",
    rule: f.rule,
    by: f.by,
    text: `${f.who}: ${faces.length === 1 ? "die" : `${faces.length} dice`} ${faces.join(" ")} (${needed}${why}): ${hits}.`,
    dice: [{ by: f.by, purpose: `fire of ${f.who}`, sides: 6, faces, needed, result: hits }],
    units: f.units,
    places: battlePlace(tables, s),
    amount: f.hits,
  });
}

/** Steps that 1E and the army lost. Rule: SC 6.3, SC 10.14 */
export function stepsLost(tables: Tables, s: StateView, fromEngineer: number, fromArmy: number): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const parts: string[] = [];
  if (fromEngineer > 0)
    parts.push(`${tables.engineer.id} loses ${counted(fromEngineer, "step")} (${s[L.engineer]!} left)`);
  if (fromArmy > 0)
    parts.push(`${armyText(tables, army)} loses ${counted(fromArmy, "step")} (${s[L.armySteps + army]!} left)`);
  tell(tables, {
    what: "steps-lost",
    rule: fromEngineer > 0 ? "SC 6.3" : "SC 10.14",
    by: SOVIET,
    text: `${enumerated(parts)}.`,
    units: [...(fromEngineer > 0 ? [tables.engineer.id] : []), ...(fromArmy > 0 ? [tables.armies[army]!.id] : [])],
    places: battlePlace(tables, s),
    amount: fromEngineer + fromArmy,
  });
}

/** @param before who fought before the hits were taken. Rule: SC 2.6 */
export function unitsLost(tables: Tables, s: StateView, before: readonly number[]): void {
  tellLosses(
    tables,
    s,
    before.filter((c) => s[tables.L.place + c] !== BATTLE),
  );
}

/** German units are gone until the next turn. */
function tellLosses(tables: Tables, s: StateView, lost: readonly number[]): void {
  if (lost.length === 0) return;
  tell(tables, {
    what: "units-lost",
    rule: "SC 2.6",
    by: GERMAN,
    text: `${counterTexts(tables, lost)} ${lost.length === 1 ? "is" : "are"} eliminated and back in the pool next turn.`,
    units: counterIds(tables, lost),
    places: battlePlace(tables, s),
    amount: lost.length,
  });
}

/** Rule: SC 10.12, SC 10.10 */
export function supportLeft(tables: Tables, s: StateView, left: readonly number[]): void {
  if (left.length === 0) return;
  const raids = left.every((c) => tables.support[c] === RAID);
  tell(tables, {
    what: "support-left",
    rule: raids ? "SC 10.10" : "SC 10.12",
    by: GERMAN,
    text: `${counterTexts(tables, left)} ${left.length === 1 ? "leaves" : "leave"} the battle and ${left.length === 1 ? "is" : "are"} back in the pool next turn.`,
    units: counterIds(tables, left),
    places: battlePlace(tables, s),
  });
}

/** Both sides still have units and the player may go on. Rule: SC 10.3 */
export function roundUndecided(tables: Tables, s: StateView): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const units = countersAt(tables, s, BATTLE).filter((c) => tables.cls[c] !== SUPPORT);
  tell(tables, {
    what: "round-undecided",
    rule: "SC 10.3",
    by: null,
    text: `Round ${s[L.round]!} ends undecided: ${armyText(tables, army)} has ${counted(s[L.armySteps + army]!, "step")}, ${counterTexts(tables, units)} ${units.length === 1 ? "holds" : "hold"} ${battleText(tables, s)}.`,
    outcome: "undecided after this round",
    units: [tables.armies[army]!.id, ...counterIds(tables, units)],
    places: battlePlace(tables, s),
  });
}

/** Rule: SC 8.10 */
export function onlyMarkers(tables: Tables, s: StateView): void {
  tell(tables, {
    what: "undefended",
    rule: "SC 8.10",
    by: GERMAN,
    text: `No unit defends ${battleText(tables, s)}; markers alone do not hold it.`,
    places: battlePlace(tables, s),
  });
}

/** The survivors keep the hex. Rule: SC 8.9 */
export function garrisonStays(tables: Tables, s: StateView): void {
  const units = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "garrison-stays",
    rule: "SC 8.9",
    by: GERMAN,
    text: `${counterTexts(tables, units)} ${units.length === 1 ? "holds" : "hold"} ${battleText(tables, s)} until the end of the turn.`,
    units: counterIds(tables, units),
    places: battlePlace(tables, s),
  });
}

/** The attacker gives up the battle. Rule: SC 9.5, SC 9.6 */
export function fellBack(tables: Tables, s: StateView, rule: "SC 9.5" | "SC 9.6"): void {
  const army = activeArmy(tables, s);
  const from = battleHex(tables, s);
  const to = s[tables.L.from]! - 1;
  tell(tables, {
    what: "fell-back",
    rule,
    by: SOVIET,
    text: `${armyText(tables, army)}${rule === "SC 9.6" ? ", without MP for another round," : ""} falls back from ${hexText(tables, from)} to ${hexText(tables, to)} and is done.`,
    outcome: `${hexText(tables, from)} holds, ${tables.armies[army]!.id} falls back`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [from, to]),
  });
}

/** Rule: SC 2.6 */
export function armyDestroyed(tables: Tables, s: StateView): void {
  const army = activeArmy(tables, s);
  const hex = battleHex(tables, s);
  tell(tables, {
    what: "army-destroyed",
    rule: "SC 2.6",
    by: SOVIET,
    text: `${armyText(tables, army)} is destroyed in ${hexText(tables, hex)} and out of the game.`,
    outcome: `${tables.armies[army]!.id} destroyed`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [hex]),
  });
}
