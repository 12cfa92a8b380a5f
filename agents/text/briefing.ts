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
import { choicesText, promptText, sideNames, standingText } from "./sentences.js";
import { aroundLine } from "./hexes.js";
import { mapLines, situationLines, wholeLines } from "./situation.js";

/** Texts here are for readers without a screen: no line is broken. */
const WIDTH = Infinity;

/** How much of the rules a reader gets. */
export type RulesLength = "none" | GuideLength;

/** One decision in words. */
export interface Briefing {
  readonly seat: string;
  readonly choices: Prompt["choices"];
  /** Rules and map, and the situation with what is to be decided; null where only one action is legal. */
  readonly texts: readonly [string, string] | null;
}

/**
 * Writes decisions for a reader who remembers nothing of earlier ones. Each is written from a world that fits what the deciding
 * seat knows, as search plays it, so that nothing hidden can get into it.
 */
export class Briefings {
  private readonly rng: Rng;
  private readonly world: State;

  constructor(
    private readonly game: Game,
    seed: Seed,
    private readonly rules: RulesLength,
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
      texts:
        prompt.choices.length === 1
          ? null
          : [introText(game, world, viewer, this.rules), decisionText(game, world, viewer, prompt)],
    };
  }
}

/** What does not change during a game: rules and map. */
export function introText(game: Game, s: StateView, viewer: Viewer, rules: RulesLength): string {
  return [
    `You play ${game.type.title}, a board wargame, as well as you can.`,
    ...(rules === "none" ? [] : [guideText(game.type, rules)]),
    "The map:",
    ...mapLines(game, s, viewer),
  ].join("\n");
}

export const boardText = (game: Game, s: StateView, viewer: Viewer): string =>
  ["The board:", ...wholeLines(situationLines(game, s, viewer))].join("\n");

function decisionText(game: Game, s: StateView, viewer: number, prompt: Prompt): string {
  const nameOf = sideNames(game, s);
  const around = aroundLine(game, s, viewer, prompt);
  return [
    boardText(game, s, viewer),
    "How it stands:",
    standingText(standingOf(game, s, viewer), nameOf, WIDTH),
    `You are the ${nameOf(game.players[viewer]!)} side. ${promptText(prompt, WIDTH)}`,
    ...(around === null ? [] : [around]),
    `Legal actions, ${prompt.choices.length}:`,
    choicesText(prompt.choices, WIDTH, Infinity),
    "Think briefly, then end with one line: Action: NUMBER",
  ].join("\n");
}
