import type { Play } from "../../core/play.js";
import { counted, signed } from "../../core/words.js";
import type { Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { type CounterId, type HexId, SUPPORT, type Tables } from "../data.js";
import { BATTLE } from "../layout.js";
import { activeArmy, battleHex, originHex } from "../state.js";
import { tell } from "./tell.js";
import {
  armyText,
  battleText,
  counterIds,
  countersAt,
  counterText,
  counterTexts,
  GERMAN,
  hexIds,
  hexText,
  hexTexts,
  INTERCEPTOR_TEXT,
  pocketHexes,
  SOVIET,
  summaryText,
} from "./words.js";

/** Events of a battle but for its fire. Each is told right after what it tells of; `tables.faces` still holds the dice. */

/** Rule: SC 9.2 */
export function attacked(tables: Tables, s: StateView, from: HexId, play: Play): void {
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
  }, play);
}

/** Rule: SC 8.4 */
export function pocketThreatened(tables: Tables, s: StateView, play: Play): void {
  const pocket = pocketHexes(tables, s);
  tell(tables, {
    what: "pocket-threatened",
    rule: "SC 8.4",
    by: GERMAN,
    text: `The fall of ${battleText(tables, s)} would cut off ${hexTexts(tables, pocket)}: a break-in battle.`,
    places: [...hexIds(tables, [battleHex(tables, s)]), ...hexIds(tables, pocket)],
    amount: pocket.length,
  }, play);
}

/** Rule: SC 8.9 */
export function garrisonDefends(tables: Tables, s: StateView, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "garrison-defends",
    rule: "SC 8.9",
    by: GERMAN,
    text: `The garrison of ${battleText(tables, s)} defends again: ${counterTexts(tables, units)}.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
  }, play);
}

/** The marker of the battle hex. Rule: SC 3.7 */
export function markerTurnedUp(tables: Tables, hex: HexId, counter: CounterId, play: Play): void {
  tell(tables, {
    what: "marker-turned-up",
    rule: "SC 3.7",
    by: GERMAN,
    text: `The marker in ${hexText(tables, hex)} is turned up: ${counterText(tables, counter)}.`,
    units: counterIds(tables, [counter]),
    places: hexIds(tables, [hex]),
  }, play);
}

/** The die for the size of the defence. Rule: SC 8.3, SC 8.5 */
export function garrisonRolled(tables: Tables, s: StateView, size: number, play: Play): void {
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
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: size,
  }, play);
}

/** Counters that come out of the pool to fight. Rule: SC 8.1 */
export function defendersDrawn(tables: Tables, s: StateView, breakout: boolean, play: Play): void {
  const drawn = tables.drawn.splice(0);
  if (drawn.length === 0) return;
  tell(tables, {
    what: "defenders-drawn",
    rule: breakout ? "SC 8.6" : "SC 8.1",
    by: GERMAN,
    text: `Drawn from the pool for the ${breakout ? "breakout against" : "defence of"} ${battleText(tables, s)}: ${summaryText(tables, drawn)}.`,
    dice: [drawThrow(tables, breakout ? "breakout" : "defence", drawn)],
    units: counterIds(tables, drawn),
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: drawn.length,
  }, play);
}

export function drawThrow(tables: Tables, purpose: string, drawn: readonly CounterId[]): Throw {
  return {
    by: GERMAN,
    purpose: `drawing for the ${purpose}`,
    sides: 0,
    faces: counterIds(tables, drawn),
    needed: null,
    result: counted(drawn.length, "counter"),
  };
}

/** Rule: SC 10.11 */
export function interceptorSent(tables: Tables, s: StateView, play: Play): void {
  tell(tables, {
    what: "interceptor-sent",
    rule: "SC 10.11",
    by: SOVIET,
    text: `${INTERCEPTOR_TEXT} flies over ${battleText(tables, s)} in this round.`,
    units: [tables.interceptorId],
    places: hexIds(tables, [battleHex(tables, s)]),
  }, play);
}

/** Rule: SC 9.3 */
export function pressedOn(tables: Tables, s: StateView, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  tell(tables, {
    what: "pressed-on",
    rule: "SC 9.3",
    by: SOVIET,
    text: `${armyText(tables, army)} presses on in ${battleText(tables, s)} for ${tables.extraRoundCost} MP (${s[L.mp]!} left).`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: tables.extraRoundCost,
  }, play);
}

/** Rule: SC 10.1 */
export function roundBegun(tables: Tables, s: StateView, play: Play): void {
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
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: s[L.round]!,
  }, play);
}

/** Both sides still have units and the player may go on. Rule: SC 10.3 */
export function roundUndecided(tables: Tables, s: StateView, play: Play): void {
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
    places: hexIds(tables, [battleHex(tables, s)]),
  }, play);
}

/** How many units fight for the hex. Rule: SC 6.4 */
export function defenceFormed(tables: Tables, s: StateView, count: number, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "defence-formed",
    rule: "SC 6.4",
    by: GERMAN,
    text: `${counterTexts(tables, units)} in ${battleText(tables, s)}: ${counted(count, "unit")} to fight.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: count,
  }, play);
}

/** Rule: SC 8.10 */
export function onlyMarkers(tables: Tables, s: StateView, play: Play): void {
  tell(tables, {
    what: "undefended",
    rule: "SC 8.10",
    by: GERMAN,
    text: `No unit defends ${battleText(tables, s)}; markers alone do not hold it.`,
    places: hexIds(tables, [battleHex(tables, s)]),
  }, play);
}

/** The survivors keep the hex. Rule: SC 8.9 */
export function garrisonStays(tables: Tables, s: StateView, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  tell(tables, {
    what: "garrison-stays",
    rule: "SC 8.9",
    by: GERMAN,
    text: `${counterTexts(tables, units)} ${units.length === 1 ? "holds" : "hold"} ${battleText(tables, s)} until the end of the turn.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
  }, play);
}

/** The attacker gives up the battle. Rule: SC 9.5, SC 9.6 */
export function fellBack(tables: Tables, s: StateView, rule: "SC 9.5" | "SC 9.6", play: Play): void {
  const army = activeArmy(tables, s);
  const from = battleHex(tables, s);
  const to = originHex(tables, s);
  tell(tables, {
    what: "fell-back",
    rule,
    by: SOVIET,
    text: `${armyText(tables, army)}${rule === "SC 9.6" ? ", without MP for another round," : ""} falls back from ${hexText(tables, from)} to ${hexText(tables, to)} and is done.`,
    outcome: `${hexText(tables, from)} holds, ${tables.armies[army]!.id} falls back`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [from, to]),
  }, play);
}

/** Rule: SC 2.6 */
export function armyDestroyed(tables: Tables, s: StateView, play: Play): void {
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
  }, play);
}
