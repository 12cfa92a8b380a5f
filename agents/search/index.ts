import { type Game, NOBODY, Rng, type Seed } from "../../env/index.js";
import type { Agent, AgentMaker, Decisions } from "../agent.js";
import { parseSearch, type SearchOptions } from "./options.js";
import { Rollout } from "./rollout.js";
import { Tree } from "./tree.js";

/**
 * Information-set Monte Carlo tree search, the same for every game. Each simulation deals what the seat can't know anew
 * (`Decisions.sample`, with a fresh random stream, so that no coming die is known), walks one tree over choices, adds a
 * node, plays on from there and credits the result to the choices made. Chance falls inside `apply` and isn't branched on:
 * a node's value is the mean over what happened there.
 *
 * The other side of a two-player game is taken to choose what is best for it in the world dealt, knowing that world: the
 * usual optimism about its knowledge of this family of searches (strategy fusion). With `iterations` the same seed gives
 * the same choices.
 */
export class SearchAgent implements Agent {
  readonly name: string;
  private readonly options: SearchOptions;
  private readonly rng: Rng;
  private readonly rollout: Rollout;
  private readonly tree = new Tree();
  private readonly mask: Uint8Array;
  private readonly path: number[] = [];

  /** @throws KesselError `bad-agent` for options that search doesn't have or take */
  constructor(argument: string, game: Game, seed: Seed) {
    this.name = argument === "" ? "search" : `search:${argument}`;
    this.options = parseSearch(argument, game);
    this.rng = new Rng(`${seed}/search`);
    this.rollout = new Rollout(game, this.options, seed);
    this.mask = new Uint8Array(game.actions.length);
  }

  act(decisions: Decisions, out: Int32Array): void {
    for (let i = 0; i < decisions.size; i++) out[i] = this.decide(decisions, i);
  }

  private decide(decisions: Decisions, row: number): number {
    const A = this.mask.length;
    const first = decisions.mask.indexOf(1, row * A);
    const second = decisions.mask.indexOf(1, first + 1);
    if (second < 0 || second >= (row + 1) * A) return first - row * A;
    const { iterations, ms } = this.options;
    this.tree.clear();
    const end = ms === null ? 0 : performance.now() + ms;
    for (let n = 0; iterations === null ? n === 0 || performance.now() < end : n < iterations; n++) {
      decisions.sample(row, this.rollout.state, this.rng);
      this.simulate(decisions.game);
    }
    return this.tree.favourite(decisions.actors[row]!);
  }

  /** One walk down the tree, a new leaf, and the value of playing on. */
  private simulate(game: Game): void {
    const { tree, mask, path, rollout, options } = this;
    path.length = 0;
    let node = 0;
    for (;;) {
      const actor = game.actor(rollout.state);
      if (actor === NOBODY) break;
      const legal = game.legalMask(rollout.state, mask, 0);
      if (legal === 1 && node !== 0) {
        rollout.apply(mask.indexOf(1));
        continue;
      }
      node = tree.select(node, actor, mask, legal, options.explore, this.rng);
      path.push(node);
      rollout.apply(tree.actionOf(node));
      if (tree.isFresh(node)) break;
    }
    const value = rollout.value();
    for (let k = 0; k < path.length; k++) tree.credit(path[k]!, value);
  }
}

export const makeSearch: AgentMaker = (argument, { game, seed }) => new SearchAgent(argument, game, seed);
