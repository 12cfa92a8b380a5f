import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed, signed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import {
  type ClassId,
  type CounterId,
  FK8,
  GERMAN_COLUMN,
  INTERCEPTOR,
  MECH,
  RAID,
  ROTKOPF,
  SEC,
  SHOCK_FIRST,
  SOVIET_OTHER,
  type Tables,
} from "../data.js";
import { BATTLE } from "../layout.js";
import { activeArmy, battleHex } from "../state.js";
import {
  armyText,
  CLASS_TEXT,
  counterIds,
  countersAt,
  counterText,
  counterTexts,
  GERMAN,
  hexIds,
  INTERCEPTOR_TEXT,
  neededText,
  SOVIET,
} from "./words.js";

/** Events of fire and its losses. Each is reported right after it happens; `tables.faces` still holds the dice. */

/** Step 1 or 4 of a round. Rule: SC 10.1 */
export function sovietFired(
  tables: Tables,
  s: StateView,
  column: number,
  modifier: number,
  hits: number,
  play: Play,
): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const host = s[L.host] === army + 1 && column === SOVIET_OTHER;
  const armyFires = column === SHOCK_FIRST || s[L.shockFirst] === 0;
  const units = [
    ...(armyFires ? [[tables.armies[army]!.id, armyText(tables, army)]] : []),
    ...(host ? [[tables.engineer.id, tables.engineer.id]] : []),
  ];
  if (tables.faces.length === 0) return;
  fired(
    tables,
    s,
    {
      rule: "SC 10.1",
      by: SOVIET,
      who: listed(units.map((u) => u[1]!)) + (column === SHOCK_FIRST ? " (first fire)" : ""),
      units: units.map((u) => u[0]!),
      column,
      modifiers: modifier === 0 ? [] : [`${signed(modifier)} Raid`],
      modifier,
      hits,
    },
    play,
  );
}

/** Steps 2, 3, 5 of a round, or the half-round of a breakout. Rule: SC 10.1, SC 8.6 */
export function germansFired(
  tables: Tables,
  s: StateView,
  cls: ClassId,
  modifier: number,
  hits: number,
  breakout: boolean,
  play: Play,
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
  fired(
    tables,
    s,
    {
      rule: breakout ? "SC 8.6" : "SC 10.1",
      by: GERMAN,
      who: `German ${CLASS_TEXT[cls]} units${breakout ? " breaking out" : ""}`,
      units: counterIds(tables, units),
      column: GERMAN_COLUMN + cls,
      modifiers,
      modifier,
      hits,
    },
    play,
  );
}

/** Step 6: a die against each unit. Rule: SC 10.11 */
export function interceptorFired(
  tables: Tables,
  s: StateView,
  faces: readonly number[],
  lost: readonly CounterId[],
  play: Play,
): void {
  tables.faces.splice(0, tables.faces.length, ...faces);
  fired(
    tables,
    s,
    {
      rule: "SC 10.11",
      by: SOVIET,
      who: INTERCEPTOR_TEXT,
      units: [tables.interceptorId],
      column: INTERCEPTOR,
      modifiers: [],
      modifier: 0,
      hits: lost.length,
    },
    play,
  );
  tellLosses(tables, s, lost, play);
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

function fired(tables: Tables, s: StateView, f: Fire, play: Play): void {
  const faces = [...tables.faces];
  const needed = neededText(tables, f.column, f.modifier);
  const hits = f.hits === 0 ? "no hit" : counted(f.hits, "hit");
  const why = f.modifiers.length === 0 ? "" : `, with ${listed(f.modifiers)}`;
  say(play, "fired", {
    rule: f.rule,
    by: f.by,
    text: `${f.who}: ${faces.length === 1 ? "die" : `${faces.length} dice`} ${faces.join(" ")} (${needed}${why}): ${hits}.`,
    dice: [{ by: f.by, purpose: `fire of ${f.who}`, sides: 6, faces, needed, result: hits }],
    units: f.units,
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: f.hits,
  });
}

/** Steps that 1E and the army lost. Rule: SC 6.3, SC 10.14 */
export function stepsLost(tables: Tables, s: StateView, fromEngineer: number, fromArmy: number, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const parts: string[] = [];
  if (fromEngineer > 0)
    parts.push(`${tables.engineer.id} loses ${counted(fromEngineer, "step")} (${s[L.engineer]!} left)`);
  if (fromArmy > 0)
    parts.push(`${armyText(tables, army)} loses ${counted(fromArmy, "step")} (${s[L.armySteps + army]!} left)`);
  say(play, "steps-lost", {
    rule: fromEngineer > 0 ? "SC 6.3" : "SC 10.14",
    text: `${listed(parts)}.`,
    outcome: "Soviet steps lost: {n}",
    units: [...(fromEngineer > 0 ? [tables.engineer.id] : []), ...(fromArmy > 0 ? [tables.armies[army]!.id] : [])],
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: fromEngineer + fromArmy,
  });
}

/** @param before who fought before the hits were taken. Rule: SC 2.6 */
export function unitsLost(tables: Tables, s: StateView, before: readonly CounterId[], play: Play): void {
  tellLosses(
    tables,
    s,
    before.filter((c) => s[tables.L.place + c] !== BATTLE),
    play,
  );
}

/** German units are gone until the next turn. */
function tellLosses(tables: Tables, s: StateView, lost: readonly CounterId[], play: Play): void {
  if (lost.length === 0) return;
  say(play, "units-lost", {
    text: `${counterTexts(tables, lost)} ${lost.length === 1 ? "is" : "are"} eliminated and back in the pool next turn.`,
    units: counterIds(tables, lost),
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: lost.length,
  });
}

/** Rule: SC 10.12, SC 10.10 */
export function supportLeft(tables: Tables, s: StateView, left: readonly CounterId[], play: Play): void {
  if (left.length === 0) return;
  const raids = left.every((c) => tables.support[c] === RAID);
  say(play, "support-left", {
    rule: raids ? "SC 10.10" : "SC 10.12",
    text: `${counterTexts(tables, left)} ${left.length === 1 ? "leaves" : "leave"} the battle and ${left.length === 1 ? "is" : "are"} back in the pool next turn.`,
    units: counterIds(tables, left),
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}
