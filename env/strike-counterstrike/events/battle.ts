import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, signed } from "../../core/words.js";
import type { Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { type CounterId, type HexId, SUPPORT, type Tables } from "../data.js";
import { BATTLE } from "../layout.js";
import { activeArmy, battleHex, originHex } from "../state.js";
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
  summaryText,
} from "./words.js";

/**
 * Events of a battle but for its fire. Each is reported right after it happens; `tables.faces` still holds the dice.
 */

/** Rule: SC 9.2 */
export function attacked(tables: Tables, s: StateView, from: HexId, play: Play): void {
  const army = activeArmy(tables, s);
  const hex = battleHex(tables, s);
  const cost = tables.moveCost[tables.forest[hex]!]!;
  say(play, "attacked", {
    text: `${armyText(tables, army)} attacks ${hexText(tables, hex)} from ${hexText(tables, from)} (${cost} MP, ${s[tables.L.mp]!} left).`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [from, hex]),
    amount: cost,
  });
}

/** Rule: SC 8.4 */
export function pocketThreatened(tables: Tables, s: StateView, play: Play): void {
  const pocket = pocketHexes(tables, s);
  say(play, "pocket-threatened", {
    text: `The fall of ${battleText(tables, s)} would cut off ${hexTexts(tables, pocket)}: a break-in battle.`,
    places: [...hexIds(tables, [battleHex(tables, s)]), ...hexIds(tables, pocket)],
    amount: pocket.length,
  });
}

/** Rule: SC 8.9 */
export function garrisonDefends(tables: Tables, s: StateView, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  say(play, "garrison-defends", {
    text: `The garrison of ${battleText(tables, s)} defends again: ${counterTexts(tables, units)}.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}

/** The marker of the battle hex. Rule: SC 3.7 */
export function markerTurnedUp(tables: Tables, hex: HexId, counter: CounterId, play: Play): void {
  say(play, "marker-turned-up", {
    text: `The marker in ${hexText(tables, hex)} is turned up: ${counterText(tables, counter)}.`,
    units: counterIds(tables, [counter]),
    places: hexIds(tables, [hex]),
  });
}

/** The die for the size of the defence. Rule: SC 8.3, SC 8.5 */
export function garrisonRolled(tables: Tables, s: StateView, size: number, play: Play): void {
  const relief = s[tables.L.relief] === 1;
  const { add } = relief ? tables.relief : tables.regular;
  const what = relief ? "relief force" : "garrison";
  const faces = [...tables.faces];
  say(play, "garrison-rolled", {
    rule: relief ? "SC 8.5" : "SC 8.3",
    text: `Size of the ${what} in ${battleText(tables, s)}: ${faces.join(" ")}${add === 0 ? "" : ` ${signed(add)}`}: ${counted(size, "more counter")}.`,
    dice: [
      { by: GERMAN, purpose: `size of the ${what}`, sides: 6, faces, needed: null, result: counted(size, "counter") },
    ],
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: size,
  });
}

/** Counters that come out of the pool to fight. Rule: SC 8.1 */
export function defendersDrawn(tables: Tables, s: StateView, breakout: boolean, play: Play): void {
  const drawn = tables.drawn.splice(0);
  if (drawn.length === 0) return;
  say(play, "defenders-drawn", {
    rule: breakout ? "SC 8.6" : "SC 8.1",
    text: `Drawn from the pool for the ${breakout ? "breakout against" : "defence of"} ${battleText(tables, s)}: ${summaryText(tables, drawn)}.`,
    dice: [drawThrow(tables, breakout ? "breakout" : "defence", drawn)],
    units: counterIds(tables, drawn),
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: drawn.length,
  });
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
  say(play, "interceptor-sent", {
    text: `${INTERCEPTOR_TEXT} flies over ${battleText(tables, s)} in this round.`,
    units: [tables.interceptorId],
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}

/** Rule: SC 9.3 */
export function pressedOn(tables: Tables, s: StateView, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  say(play, "pressed-on", {
    text: `${armyText(tables, army)} presses on in ${battleText(tables, s)} for ${tables.extraRoundCost} MP (${s[L.mp]!} left).`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: tables.extraRoundCost,
  });
}

/** Rule: SC 10.1 */
export function roundBegun(tables: Tables, s: StateView, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const host = s[L.host] === army + 1;
  const enemy = countersAt(tables, s, BATTLE);
  say(play, "round-begun", {
    text: `Round ${s[L.round]!} in ${battleText(tables, s)}: ${armyText(tables, army)} (${counted(s[L.armySteps + army]!, "step")})${host ? ` with ${tables.engineer.id} (${s[L.engineer]!})` : ""} against ${counterTexts(tables, enemy)}.`,
    units: [tables.armies[army]!.id, ...(host ? [tables.engineer.id] : []), ...counterIds(tables, enemy)],
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: s[L.round]!,
  });
}

/** Both sides still have units and the player may go on. Rule: SC 10.3 */
export function roundUndecided(tables: Tables, s: StateView, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const units = countersAt(tables, s, BATTLE).filter((c) => tables.cls[c] !== SUPPORT);
  say(play, "round-undecided", {
    text: `Round ${s[L.round]!} ends undecided: ${armyText(tables, army)} has ${counted(s[L.armySteps + army]!, "step")}, ${counterTexts(tables, units)} ${units.length === 1 ? "holds" : "hold"} ${battleText(tables, s)}.`,
    outcome: "undecided after this round",
    units: [tables.armies[army]!.id, ...counterIds(tables, units)],
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}

/** How many units fight for the hex. Rule: SC 6.4 */
export function defenceFormed(tables: Tables, s: StateView, count: number, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  say(play, "defence-formed", {
    text: `${counterTexts(tables, units)} in ${battleText(tables, s)}: ${counted(count, "unit")} to fight.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
    amount: count,
  });
}

/** Rule: SC 8.10 */
export function onlyMarkers(tables: Tables, s: StateView, play: Play): void {
  say(play, "undefended", {
    text: `No unit defends ${battleText(tables, s)}; markers alone do not hold it.`,
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}

/** The survivors keep the hex. Rule: SC 8.9 */
export function garrisonStays(tables: Tables, s: StateView, play: Play): void {
  const units = countersAt(tables, s, BATTLE);
  say(play, "garrison-stays", {
    text: `${counterTexts(tables, units)} ${units.length === 1 ? "holds" : "hold"} ${battleText(tables, s)} until the end of the turn.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [battleHex(tables, s)]),
  });
}

/** The attacker gives up the battle. Rule: SC 9.5, SC 9.6 */
export function fellBack(tables: Tables, s: StateView, rule: "SC 9.5" | "SC 9.6", play: Play): void {
  const army = activeArmy(tables, s);
  const from = battleHex(tables, s);
  const to = originHex(tables, s);
  say(play, "fell-back", {
    rule,
    text: `${armyText(tables, army)}${rule === "SC 9.6" ? ", without MP for another round," : ""} falls back from ${hexText(tables, from)} to ${hexText(tables, to)} and is done.`,
    outcome: `${hexText(tables, from)} holds, ${armyText(tables, army)} falls back`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [from, to]),
  });
}

/** Rule: SC 2.6 */
export function armyDestroyed(tables: Tables, s: StateView, play: Play): void {
  const army = activeArmy(tables, s);
  const hex = battleHex(tables, s);
  say(play, "army-destroyed", {
    text: `${armyText(tables, army)} is destroyed in ${hexText(tables, hex)} and out of the game.`,
    outcome: `${armyText(tables, army)} destroyed`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [hex]),
  });
}
