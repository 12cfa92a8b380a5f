import { changedLines, mapLines, situationLines } from "../../agents/text/situation.js";
import { lookText } from "../../agents/text/look.js";
import { oddsText, promptText, sideNames, standingText } from "../../agents/text/sentences.js";
import type { Rng } from "../../env/index.js";
import {
  EventLog,
  EVERYTHING,
  type Game,
  type Json,
  odds,
  promptOf,
  sceneOf,
  SeededDice,
  SPECTATOR,
  standingOf,
  type State,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import { pickLegal } from "../../agents/random.js";

/** What no text shows: values that were not found, objects, and slips of grammar that data bring about. */
export const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/\b(undefined|NaN|null|Infinity)\b|\[object/, "a value that was not found"],
  [/\((\w+), \1\b/, "one word twice"],
  [/\b([A-Za-z]{2,}) \1\b/, "one word twice in a row"],
  [/\d+ of 0 [a-z]/i, "a share of nothing"],
  [/(?<!of )\b1 (stars|points|counters|units|losses|hexes|turns|steps|Stukas|cards|dice|areas|MPs)\b/, "one of many"],
  [/\b1 (Stuka|point|unit|counter) (fly|interdict|turn|are|have|go|stay|retreat)\b/, "one that do"],
  [/\bis lost left\b/, "a comma left out"],
  [/ [,.;:](?= |$)|\(\)|, ,|\bof \.$/, "a word left out"],
];

/**
 * The first fault of a text, with the words around it; null: none. @param grid a board of characters, which has no
 * grammar
 */
export function faultOf(text: string, grid = false): string | null {
  for (const [pattern, what] of grid ? FAULTS.slice(0, 1) : FAULTS) {
    const at = text.search(pattern);
    if (at >= 0) return `${what}: ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))}`;
  }
  return null;
}

/** All strings of a document, and its undefined values as the text that they would become. */
export function* strings(doc: unknown): Generator<string> {
  if (typeof doc === "string") yield doc;
  else if (typeof doc === "number" && !Number.isFinite(doc)) yield String(doc);
  else if (Array.isArray(doc)) for (const item of doc) yield* strings(item);
  else if (doc !== null && typeof doc === "object") for (const item of Object.values(doc)) yield* strings(item);
}

/** Every text that a viewer can be shown of a situation, under the name of the channel. */
export function* textsOf(game: Game, s: StateView, viewer: Viewer): Generator<readonly [string, string]> {
  const scene = sceneOf(game, s, viewer);
  for (const text of strings(scene as unknown as Json)) yield ["scene", text];
  for (const line of game.render(s, viewer).split("\n")) yield ["render", line];
  for (const { text } of situationLines(game, s, viewer).values()) yield ["situation", text];
  const nameOf = sideNames(game, s);
  const standing = standingOf(game, s, viewer);
  yield ["standing", standingText(standing, nameOf, 10_000)];
  const prompt = promptOf(game, s, viewer);
  yield ["prompt", promptText(prompt, 10_000)];
  for (const { text, warning } of prompt.choices) {
    yield ["choice", text];
    if (warning !== null) yield ["warning", warning];
  }
}

const MOST_FOUND = 40;
/** What was found: channel and fault, each fault once. */
export type Found = Map<string, string>;

const note = (found: Found, channel: string, text: string): void => {
  const fault = faultOf(text, channel === "render");
  if (fault !== null && found.size < MOST_FOUND) found.set(fault, `${channel}: ${fault}`);
};

/**
 * A game, the texts of each `step`-th situation to each viewer, and of every event.
 *
 * @param play the next action, -1: the game is left
 */
export function checkTexts(
  game: Game,
  start: State,
  play: (s: State, mask: Uint8Array) => number,
  step: number,
  found: Found,
  rng: Rng,
): number {
  const viewers = [...game.players.keys(), SPECTATOR, EVERYTHING];
  const log = new EventLog(viewers);
  const mask = new Uint8Array(game.actions.length);
  const dice = new SeededDice();
  const s = start;
  const before = s.slice();
  const lines = new Map(viewers.map((v) => [v, situationLines(game, s, v)]));
  let n = 0;
  for (const line of mapLines(game, s, EVERYTHING)) note(found, "map", line);
  for (; n < game.maxDecisions; n++) {
    if (n % step === 0)
      for (const viewer of viewers) {
        for (const [channel, text] of textsOf(game, s, viewer)) note(found, channel, text);
        const now = situationLines(game, s, viewer);
        for (const line of changedLines(lines.get(viewer)!, now)) note(found, "change", line);
        lines.set(viewer, now);
      }
    if (n % (8 * step) === 0) note(found, "look", lookText(game, s, EVERYTHING, "", 10_000));
    if (game.actor(s) < 0) break;
    mask.fill(0);
    game.legalMask(s, mask, 0);
    const action = play(s, mask);
    if (action < 0) break;
    if (n % (4 * step) === 0 && game.narration !== undefined) {
      const viewer = game.actor(s);
      const tried = pickLegal(mask, 0, mask.length, rng);
      note(found, "odds", oddsText(odds(game, s, viewer, tried), game.actions[tried]!, 10_000));
    }
    before.set(s);
    dice.begin(s);
    game.apply(s, action, dice, log);
    for (const viewer of viewers) {
      for (const text of strings(log.take(viewer) as unknown as Json)) note(found, "event", text);
      const seen = game.describeFor(before, action, s, viewer);
      if (seen !== null) note(found, "record", seen);
    }
  }
  return n;
}
