import {
  type Choice,
  expandOrder,
  type Game,
  KesselError,
  odds,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import { readAnswer } from "../text/answer.js";
import { lookText } from "../text/look.js";
import { foundRules } from "../text/rules.js";
import { oddsText } from "../text/sentences.js";
import type { Tool } from "./settings.js";

/** Texts here are for readers without a screen: no line is broken. */
const WIDTH = Infinity;

/** Actions of an order that are named. */
const MOST_ACTIONS = 12;

/** How each tool is asked, and what it answers. */
export const TOOL_HELP: Readonly<Record<Tool, string>> = {
  odds: '"Ask: odds NUMBER" for what a legal action can come to, and how likely',
  rule: '"Ask: rule WORDS" for the rule with that id, or those with these words',
  look: '"Ask: look PLACE" for the terrain, neighbours and counters there',
};

/** A decision as its seat may know it. */
export interface Known {
  readonly game: Game;
  /** A world that fits what `viewer` knows. */
  readonly world: StateView;
  readonly viewer: Viewer;
  readonly choices: readonly Choice[];
}

/**
 * What a tool answers; the same in all worlds that the seat can't tell apart. A question that can't be is answered with
 * why.
 */
export function toolAnswer({ game, world, viewer, choices }: Known, tool: Tool, words: string): string {
  try {
    if (tool === "look") return lookText(game, world, viewer, words, WIDTH);
    if (tool === "rule") return foundRules(game.type, words, WIDTH);
    return oddsOf({ game, world, viewer, choices }, readAnswer(names(choices), words));
  } catch (e) {
    if (e instanceof KesselError) return e.message;
    throw e;
  }
}

/** What a proposed answer leads to, as far as the seat can know. */
export function consequences(known: Known, proposed: { readonly name: string } | { readonly order: string }): string {
  if ("name" in proposed) return oddsOf(known, proposed.name);
  const { game, world, viewer } = known;
  const { actions, stopped, skipped } = expandOrder(game, world, viewer, proposed.order);
  const listed = actions.slice(0, MOST_ACTIONS).map((a) => game.actions[a]!);
  const more = actions.length > listed.length ? ", ..." : "";
  return [
    `That comes to: ${listed.join(", ")}${more}.`,
    ...(skipped.length > 0 ? [`Not moved: ${skipped.join(", ")}.`] : []),
    ...(stopped === null ? [] : [`The order would stop: ${stopped.replace(/\.$/, "")}.`]),
  ].join("\n");
}

function oddsOf({ game, world, viewer, choices }: Known, name: string): string {
  const choice = choices.find((c) => c.name === name)!;
  const warning = choice.warning === null ? [] : [choice.warning];
  return [...warning, oddsText(odds(game, world, viewer, choice.action), choice.text, WIDTH)].join("\n");
}

const names = (choices: readonly Choice[]): string[] => choices.map((c) => c.name);
