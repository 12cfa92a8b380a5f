import { counted, listed } from "../../env/core/words.js";
import { type Game, type OpenWay } from "../../env/index.js";
import { deputiesFor } from "../session/hand-over.js";
import type { Ordered } from "../session/session.js";

/** Limit of actions in the report of an order. */
const MOST_ACTIONS = 12;

/** The agents that can decide for a player, and the order for it. */
export const handingLine = (game: Game, player: number): string =>
  `finish phase | turn | UNIT, ... with NAME: NAME decides for you until that is done. There are ${listed(
    deputiesFor(game, player).map((e) => e.short),
  )}.`;

/** The places where a unit can go, one a line. */
export const waysLines = (ways: readonly OpenWay[]): string[] =>
  ways.map(({ place, cost, path, warning, calm }) => {
    const by = path.length > 1 ? ` by ${path.slice(0, -1).join(", ")}` : "";
    const notes = [calm ? "" : "dice or the other side may stop it", warning ?? ""].filter((n) => n !== "");
    return `${place}${cost === null ? "" : ` (${cost} MP)`}${by}${notes.length > 0 ? `: ${notes.join("; ")}` : ""}`;
  });

/**
 * Why an order stopped, for somebody who sees the map: without the name of the game, and without the list of places
 * that the map shows.
 */
export const stoppedOnMap = (stopped: string): string =>
  `The order stopped: ${stopped
    .replace(/^[a-z-]+: /, "")
    .replace(/; it can (?:to|for|from) .*$/s, "")
    .replace(/\.$/, "")}.`;

/** The report of an order, with the names of its actions. */
export function orderedLines(ordered: Ordered): string[] {
  const { actions } = ordered;
  const shown = actions.length > MOST_ACTIONS ? [...actions.slice(0, MOST_ACTIONS), "..."] : actions;
  const done =
    actions.length === 0 ? "Nothing was done" : `You did ${counted(actions.length, "action")}: ${shown.join(", ")}`;
  return [`${done}.`, ...shortLines(ordered)];
}

/** What an order has not done, for somebody who reads what it did in the log. */
export function shortLines({ stopped, skipped }: Ordered): string[] {
  return [
    ...(skipped.length > 0 ? [`Not moved: ${listed(skipped)}.`] : []),
    ...(stopped === null ? [] : [`The order stopped: ${stopped.replace(/\.$/, "")}.`]),
  ];
}
