import { type Game, Rng, type Seed } from "../../../env/index.js";
import { deciderOf } from "../../../env/savage-streets/decisions/index.js";
import { SOVIET } from "../../../env/savage-streets/state.js";
import type { Agent, AgentContext, Decisions } from "../../agent.js";
import { pickLegal } from "../../random.js";
import type { Heuristics } from "../types.js";
import { German, decisionOfRow } from "./german.js";
import { Soviet } from "./soviet.js";

const STACKS = { least: 0.85, leastLate: 0.85, endgame: false, spendsDepleted: false };
const ENDGAME = { least: 0.85, leastLate: 0.45, endgame: true, spendsDepleted: false };
const STORM = { least: 0.7, leastLate: 0.45, endgame: true, spendsDepleted: true };
const LINE = { moves: false, bluffs: false };
const NEED = { moves: true, bluffs: false };
const BLUFF = { moves: true, bluffs: true };

interface Side {
  choose(d: Decisions, row: number): number;
}

/** A German and a Soviet scripted player under one name; each plays its own seat. */
class Pair implements Agent {
  constructor(
    readonly name: string,
    private readonly german: Side,
    private readonly soviet: Side,
  ) {}

  act(decisions: Decisions, out: Int32Array): void {
    for (let i = 0; i < decisions.size; i++) {
      const side = deciderOf(decisionOfRow(decisions, i)) === SOVIET ? this.soviet : this.german;
      out[i] = side.choose(decisions, i);
    }
  }
}

const random = (seed: Seed): Side => {
  const rng = new Rng(`${seed}/random`);
  return { choose: (d, row) => pickLegal(d.mask, row * d.game.actions.length, d.game.actions.length, rng) };
};
const german = (game: Game, seed: Seed, style: ConstructorParameters<typeof German>[2]): Side =>
  new German(game, `${seed}/german`, style);
const soviet = (game: Game, seed: Seed, style: ConstructorParameters<typeof Soviet>[2]): Side =>
  new Soviet(game, `${seed}/soviet`, style);

/** Named after the seat that matters; the other seat gets a steady opponent. */
export const savageStreets: Heuristics = {
  "g-random": ({ game, seed }: AgentContext) => new Pair("heuristic:g-random", random(seed), soviet(game, seed, NEED)),
  "s-random": ({ game, seed }) => new Pair("heuristic:s-random", german(game, seed, STACKS), random(seed)),
  "g-greedy": ({ game, seed }) => new Pair("heuristic:g-greedy", german(game, seed, null), soviet(game, seed, NEED)),
  "g-stacks": ({ game, seed }) => new Pair("heuristic:g-stacks", german(game, seed, STACKS), soviet(game, seed, NEED)),
  "g-endgame": ({ game, seed }) =>
    new Pair("heuristic:g-endgame", german(game, seed, ENDGAME), soviet(game, seed, NEED)),
  "g-storm": ({ game, seed }) => new Pair("heuristic:g-storm", german(game, seed, STORM), soviet(game, seed, BLUFF)),
  "s-line": ({ game, seed }) => new Pair("heuristic:s-line", german(game, seed, STACKS), soviet(game, seed, LINE)),
  "s-need": ({ game, seed }) => new Pair("heuristic:s-need", german(game, seed, STACKS), soviet(game, seed, NEED)),
  "s-bluff": ({ game, seed }) => new Pair("heuristic:s-bluff", german(game, seed, ENDGAME), soviet(game, seed, BLUFF)),
};
