import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { GameEvent } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { type CounterId, type HexId, type Tables } from "../data.js";
import { GARRISON, POOL, REMOVED } from "../layout.js";
import { battleHex } from "../state.js";
import { drawThrow } from "./battle.js";
import {
  battleText,
  counterIds,
  countersAt,
  counterText,
  counterTexts,
  GERMAN,
  hexesWhere,
  hexIds,
  hexText,
  hexTexts,
  pocketHexes,
  summaryText,
} from "./words.js";

/** Events of the front and the pool: control, markers, pockets, partisans, Guderian. */

/** Rule: SC 3.7, SC 3.8 */
export function captured(tables: Tables, s: StateView, play: Play): void {
  const hex = battleHex(tables, s);
  const value = [
    ...(tables.fort[hex] === 1 ? ["a fortified locality"] : []),
    ...(tables.kLine[hex] === 1 ? ["a K-Line hex"] : []),
    ...(tables.western[hex] === 1 ? ["a western hex"] : []),
  ];
  say(play, "captured", {
    text: `${hexText(tables, hex)}${value.length === 0 ? "" : `, ${listed(value)},`} becomes Soviet.`,
    outcome: `${hexText(tables, hex)} captured`,
    places: hexIds(tables, [hex]),
  });
}

/**
 * The line is drawn or redrawn. Only who knows everything learns which counters were drawn. Rule: SC 3.4, SC 3.7, SC
 * 3.1
 */
export function markersPlaced(tables: Tables, hexes: readonly HexId[], atStart: boolean, play: Play): void {
  const counters = tables.drawn.splice(0);
  if (hexes.length === 0) return;
  const places = hexIds(tables, hexes);
  const line = atStart ? "drawn" : "redrawn";
  const where = atStart ? "along the front" : `in ${hexTexts(tables, hexes)}`;
  const event: GameEvent = eventOf("markers-placed", {
    rule: atStart ? "SC 3.4" : "SC 3.7",
    text: `The German line is ${line}: ${counted(hexes.length, "marker")} face down ${where}.`,
    places,
    amount: hexes.length,
  });
  const whole: GameEvent = {
    ...event,
    text: `The German line is ${line}: ${listed(hexes.map((h, i) => `${counterText(tables, counters[i]!)} in ${hexText(tables, h)}`))}.`,
    units: counterIds(tables, counters),
    dice: [drawThrow(tables, "line", counters)],
  };
  play.narrator!.tellEach((viewer: Viewer) => (viewer === EVERYTHING ? whole : event));
}

/** A marker that lost its hex is shown and put in the pool. Rule: SC 4.4, SC 7.3 */
export function markerDislodged(tables: Tables, hex: HexId, counter: CounterId, rule: string, play: Play): void {
  say(play, "marker-dislodged", {
    rule,
    text: `The marker in ${hexText(tables, hex)} was ${counterText(tables, counter)}; it goes back to the pool.`,
    units: counterIds(tables, [counter]),
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 8.6 */
export function breakoutRolled(tables: Tables, s: StateView, size: number, play: Play): void {
  const faces = [...tables.faces];
  const pocket = pocketHexes(tables, s);
  const result = `${tables.drawBeyondPocket ? "" : "at most "}${counted(size, "counter")}`;
  say(play, "breakout-rolled", {
    text: `The Germans cut off in ${hexTexts(tables, pocket)} break out against ${battleText(tables, s)}: ${faces.join(" ")}, each less ${-tables.breakout.add}: ${result}.`,
    dice: [{ by: GERMAN, purpose: "size of the breakout", sides: 6, faces, needed: null, result }],
    places: [...hexIds(tables, pocket), ...hexIds(tables, [battleHex(tables, s)])],
    amount: size,
  });
}

/** Counters that lay in a pocket hex take part. Rule: SC 8.6 */
export function breakoutJoined(tables: Tables, hex: HexId, counters: readonly CounterId[], play: Play): void {
  say(play, "breakout-joined", {
    text: `From ${hexText(tables, hex)}: ${counterTexts(tables, counters)}.`,
    units: counterIds(tables, counters),
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 8.7 */
export function breakoutSucceeded(tables: Tables, s: StateView, counters: readonly CounterId[], play: Play): void {
  const pooled = counters.filter((c) => s[tables.L.place + c] === POOL);
  say(play, "breakout-succeeded", {
    text: `The breakout succeeds: ${battleText(tables, s)} and the pocket stay German${pooled.length === 0 ? "" : `; ${summaryText(tables, pooled)} ${pooled.length === 1 ? "returns" : "return"} to the pool`}.`,
    outcome: `breakout from ${battleText(tables, s)} succeeds`,
    units: counterIds(tables, pooled),
    places: [...hexIds(tables, [battleHex(tables, s)]), ...hexIds(tables, pocketHexes(tables, s))],
  });
}

/** All in the pocket wait for the next turn. Rule: SC 8.8 */
export function breakoutFailed(tables: Tables, s: StateView, counters: readonly CounterId[], play: Play): void {
  const lost = counters.filter((c) => s[tables.L.place + c] !== REMOVED);
  const pocket = pocketHexes(tables, s);
  say(play, "breakout-failed", {
    text: `The breakout fails and the pocket ${hexTexts(tables, pocket)} falls: ${lost.length === 0 ? "nobody is lost" : `${summaryText(tables, lost)} out until next turn`}.`,
    outcome: `pocket of ${hexTexts(tables, pocket)} taken`,
    units: counterIds(tables, lost),
    places: [...hexIds(tables, [battleHex(tables, s)]), ...hexIds(tables, pocket)],
    amount: lost.length,
  });
}

/** Rule: SC 7.3 */
export function partisansPlaced(tables: Tables, hex: HexId, play: Play): void {
  say(play, "partisans-placed", {
    text: `Partisans, airborne troops and cavalry take ${hexText(tables, hex)}.`,
    units: [tables.partisanId],
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 7.3 */
export function partisansLinked(tables: Tables, hex: HexId, play: Play): void {
  say(play, "partisans-linked", {
    text: `The partisans in ${hexText(tables, hex)} are linked with the Soviet area; their marker leaves.`,
    units: [tables.partisanId],
    places: hexIds(tables, [hex]),
  });
}

/** No suitable hex was left, or the turn is over. Rule: SC 7.3 */
export function partisansLost(tables: Tables, play: Play): void {
  say(play, "partisans-lost", {
    text: "The partisan marker finds no hex and is out of the game.",
    units: [tables.partisanId],
  });
}

/** He was found out of his area and another counter is drawn for him. Rule: SC 10.7 */
export function guderianReplaced(tables: Tables, hex: HexId, backInPool: boolean, play: Play): void {
  const [other] = tables.drawn.splice(0) as [CounterId];
  say(play, "guderian-replaced", {
    text: `Guderian does not serve in ${hexText(tables, hex)}${backInPool ? " and returns to the pool" : ""}; ${counterText(tables, other)} is drawn in his place.`,
    dice: [drawThrow(tables, "replacement of Guderian", [other])],
    units: counterIds(tables, [tables.guderian, other]),
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 10.7 */
export function guderianRetired(tables: Tables, play: Play): void {
  say(play, "guderian-retired", {
    text: "Guderian is relieved and out of the game.",
    units: counterIds(tables, [tables.guderian]),
  });
}

/** Guderian is under some marker, and out of the game as soon as it is turned up. Rule: SC 10.7 */
export function guderianRelieved(tables: Tables, play: Play): void {
  say(play, "guderian-relieved", {
    text: "Guderian is relieved. He lies under one of the markers and leaves the game when he is turned up.",
    units: counterIds(tables, [tables.guderian]),
  });
}

/** The Germans give up the rest of the K-Line. Rule: SC 4.4 */
export function withdrewFromKLine(tables: Tables, s: StateView, play: Play): void {
  const hexes = hexesWhere(tables, (h) => tables.kLine[h] === 1 && s[tables.L.german + h] === 1);
  say(play, "k-line-withdrawal", {
    text:
      hexes.length === 0
        ? "The whole K-Line is Soviet already; the Germans give up nothing."
        : `The Germans withdraw from the K-Line: ${hexTexts(tables, hexes)} ${hexes.length === 1 ? "becomes" : "become"} Soviet.`,
    places: hexIds(tables, hexes),
    amount: hexes.length,
  });
}

/** A garrison that held leaves in Phase IV. Rule: SC 5.5 */
export function garrisonLeft(tables: Tables, s: StateView, hex: HexId, play: Play): void {
  const units = countersAt(tables, s, GARRISON, hex);
  say(play, "garrison-left", {
    text: `The garrison of ${hexText(tables, hex)} returns to the pool: ${counterTexts(tables, units)}.`,
    units: counterIds(tables, units),
    places: hexIds(tables, [hex]),
    amount: units.length,
  });
}

/** The box of the turn joins the pool. Rule: SC 7.5, SC 7.6 */
export function boxEmptied(tables: Tables, s: StateView, counters: readonly CounterId[], play: Play): void {
  if (counters.length === 0) return;
  const reinforcements = counters.filter((c) => tables.counters[c]!.enters === s[tables.L.turn]);
  say(play, "box-emptied", {
    rule: reinforcements.length > 0 ? "SC 7.5" : "SC 7.6",
    text: `${counted(counters.length, "German counter")} ${counters.length === 1 ? "joins" : "join"} the pool: ${summaryText(tables, counters)}.`,
    units: counterIds(tables, counters),
    amount: counters.length,
  });
}
