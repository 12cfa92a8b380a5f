import {
  type Game,
  type GuideLength,
  guideText,
  newState,
  type Prompt,
  promptOf,
  Rng,
  type Seed,
  standingOf,
  type State,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import type { Decisions } from "../agent.js";
import { choicesHeading, choicesText, MOST_CHOICES, shortList } from "./choices.js";
import { briefStanding, promptText, sideNames, standingText } from "./sentences.js";
import { aroundLine } from "./hexes.js";
import { formsLines } from "./orders.js";
import { FEW_CHOICES, nearLines, nearOf } from "./near.js";
import { openingMap, situationLines, wholeLines } from "./situation.js";
import { MOST_TOKENS, roughTokens } from "./tokens.js";

/** Texts here are for readers without a screen: no line is broken. */
const WIDTH = Infinity;

/** How much of the rules a reader gets. */
export type RulesLength = "none" | GuideLength;

/** One decision in words. */
export interface Briefing {
  readonly seat: string;
  readonly choices: Prompt["choices"];
  /** Whose decision it is and what is asked, in a sentence or two. */
  readonly question: string;
  /** The world that it is written from. */
  readonly world: State;
  /** Rules and map, and the situation with what is to be decided; null where only one action is legal. */
  readonly texts: readonly [string, string] | null;
}

/** Tokens that are left for a sentence about the game and its short rules. */
const SHORT_RULES = 220;

/**
 * Writes decisions for a reader who remembers nothing of earlier ones. Each is written from a world that fits what the
 * deciding seat knows, as search plays it, so that nothing hidden can get into it.
 */
export class Briefings {
  private readonly rng: Rng;
  private readonly world: State;

  /** @param orders the reader may answer with orders */
  constructor(
    private readonly game: Game,
    seed: Seed,
    private readonly rules: RulesLength,
    private readonly orders = false,
  ) {
    this.rng = new Rng(`${seed}/llm`);
    this.world = newState(game.stateSize);
  }

  of(decisions: Decisions, i: number): Briefing {
    const { game, world } = this;
    const viewer = decisions.actors[i]!;
    // one that had to forget some of the past still shows the seat what it sees now
    decisions.sample(i, world, this.rng);
    const prompt = promptOf(game, world, viewer);
    return {
      seat: game.players[viewer]!,
      choices: prompt.choices,
      question: questionText(game, world, viewer, prompt),
      world: world.slice(),
      texts: prompt.choices.length === 1 ? null : this.texts(viewer, prompt),
    };
  }

  private texts(viewer: number, prompt: Prompt): readonly [string, string] {
    const { game, world, rules, orders } = this;
    const map = openingMap(game, world, viewer);
    return [introText(game, world, viewer, rules, map), decisionText(game, world, viewer, prompt, orders, map)];
  }
}

/** What does not change during a game: rules and map. */
export function introText(
  game: Game,
  s: StateView,
  viewer: Viewer,
  rules: RulesLength,
  map = openingMap(game, s, viewer),
): string {
  return [
    `You play ${game.type.title}, a board wargame, as well as you can.`,
    ...(rules === "none" ? [] : [guideText(game.type, rules)]),
    "The map:",
    ...map.lines,
  ].join("\n");
}

export const boardText = (game: Game, s: StateView, viewer: Viewer): string =>
  ["The board:", ...wholeLines(situationLines(game, s, viewer))].join("\n");

const questionText = (game: Game, s: StateView, viewer: number, prompt: Prompt): string =>
  `You are the ${sideNames(game, s)(game.players[viewer]!)} side. ${promptText(prompt, WIDTH)}`;

/** How an answer ends that names an action. */
export const ACTION_LINE = "Action: NUMBER";
/** The same for a reader who may give orders. */
export const ORDER_LINE = "Order: WORDS, or Action: NUMBER";

/** Each choice with its number, or a list by names if that would be too long. */
function listLines(choices: Prompt["choices"], most: number): readonly string[] {
  const all = choicesText(choices, WIDTH);
  return all.length <= most ? [choicesHeading(choices), all] : shortList(choices, most);
}

/** The situation with what is to be decided: all of it, or on a very large board what is near what is at hand. */
function decisionText(
  game: Game,
  s: StateView,
  viewer: number,
  prompt: Prompt,
  orders: boolean,
  map: ReturnType<typeof openingMap>,
): string {
  const nameOf = sideNames(game, s);
  const around = aroundLine(game, s, viewer, prompt);
  const standing = standingOf(game, s, viewer);
  const room = MOST_TOKENS - SHORT_RULES - roughTokens(map.lines.join("\n"));
  const rest = (standingWords: string, most: number): string =>
    [
      "How it stands:",
      standingWords,
      questionText(game, s, viewer, prompt),
      ...(around === null ? [] : [around]),
      ...listLines(prompt.choices, most),
      ...(orders ? ["Orders, each for many decisions:", ...formsLines(game, s, viewer)] : []),
      `Think briefly, then end with one line: ${orders ? ORDER_LINE : ACTION_LINE}`,
    ].join("\n");
  if (map.whole) {
    const full = `${boardText(game, s, viewer)}\n${rest(standingText(standing, nameOf, WIDTH), MOST_CHOICES)}`;
    if (roughTokens(full) <= room) return full;
  }
  const end = rest(briefStanding(standing, nameOf), FEW_CHOICES);
  const near = nearOf(game, s, viewer, prompt, standing);
  const { ground, board } = nearLines(near, situationLines(game, s, viewer), map.whole, room - roughTokens(end));
  return ["The board:", ...board, ...ground, end].join("\n");
}
