import { type Game, KesselError, newState, NOBODY, Rng, type Seed, type State } from "../../env/index.js";
import type { Agent, AgentMaker, Decisions } from "../agent.js";
import { OUTLOOKS } from "../heuristics/outlooks.js";
import { readModelFile } from "../model-file.js";
import { OnnxModel } from "../onnx.js";
import { Belief, BelievingAgent } from "./belief.js";
import { GumbelAgent } from "./gumbel-agent.js";
import { type Evaluator, LeafBatch } from "./leaves.js";
import { PlanAgent } from "./plan-agent.js";
import { parseSearch, type SearchOptions } from "./options.js";
import { Rollout } from "./rollout.js";
import { openRows, thinksTooLong } from "./rows.js";
import { ImaginedHeuristic } from "./scripted.js";
import { NONE, Tree, type Tried } from "./tree.js";

/** What a search found of one decision. */
export interface Judged {
  /** Mean return of the action visited most. */
  readonly value: number;
  /** The actions tried. */
  readonly actions: readonly Tried[];
}

/** Sampled worlds that every action at the root meets in the same order (common random numbers). */
const WORLDS = 256;

/**
 * Single-observer information-set Monte Carlo tree search (SO-ISMCTS; Cowling, Powley, Whitehouse 2012) for every game.
 * Each simulation samples a world that fits what the seat knows (`Decisions.sample`, with a fresh random stream, so
 * that no coming die is known), descends one tree over actions, adds a node, and backs up its value: from a rollout, or
 * from a net that evaluates leaves of many decisions together. Chance is rolled inside `apply` and has no nodes of its
 * own: a node's value is the mean over what happened there.
 *
 * The opponent is assumed to choose what is best for it in the sampled world, as if it knew that world: strategy
 * fusion, the known weakness of this family of searches. With `iterations` the same seed gives the same choices.
 */
export class SearchAgent implements Agent {
  private readonly rng: Rng;
  private readonly rollout: Rollout;
  /** The heuristic whose choice has a high prior, or null. */
  private readonly guide: ImaginedHeuristic | null;
  private readonly trees: Tree[] = [];
  private readonly worlds: State[] = [];
  private readonly mask: Uint8Array;
  private readonly path: number[] = [];

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
    private readonly options: SearchOptions,
    private readonly net: Evaluator | null = null,
    /** Milliseconds that it may think about one decision. */
    private readonly limit = Infinity,
  ) {
    this.rng = new Rng(`${seed}/search`);
    this.rollout = new Rollout(game, options, seed);
    const { prior } = options;
    this.guide = prior === null ? null : new ImaginedHeuristic(prior, game, this.rollout.state, `${seed}/prior`);
    this.mask = new Uint8Array(game.actions.length);
  }

  /** Synchronous, unless a net evaluates leaves. */
  act(decisions: Decisions, out: Int32Array): void | Promise<void> {
    const open = openRows(decisions, out);
    if (this.net !== null) return this.chooseByNet(decisions, open, this.net, out);
    for (const i of open) out[i] = this.chooseByRollout(decisions, i);
  }

  /**
   * Searches the decision of row 0, a forced one too. Values are the deciding player's, -1..1.
   *
   * @throws KesselError `unsupported` before the turn of `from`, where nothing is searched
   */
  async judge(decisions: Decisions): Promise<Judged> {
    if (this.net === null) this.chooseByRollout(decisions, 0);
    else await this.chooseByNet(decisions, [0], this.net, new Int32Array(1));
    const found = this.treeOf(0).triedAtRoot(decisions.actors[0]!);
    if (found.length === 0)
      throw new KesselError("unsupported", `${this.name} searches nothing before turn ${this.options.from}`);
    return { value: found.reduce((best, f) => (f.visits > best.visits ? f : best)).value, actions: found };
  }

  close(): Promise<void> | undefined {
    return this.net?.close();
  }

  private treeOf(k: number): Tree {
    return (this.trees[k] ??= new Tree(this.mask.length, this.options.explore, this.options.trust));
  }

  /** The action for row `row`, with leaves evaluated by rollouts. */
  private chooseByRollout(decisions: Decisions, row: number): number {
    const { rollout, worlds, guide } = this;
    const { iterations, ms, prior, rollout: player } = this.options;
    const tree = this.treeOf(0);
    tree.clear();
    let dealt = 0;
    const deal = (visit: number): void => {
      if (visit < dealt) rollout.state.set(worlds[visit]!);
      else {
        decisions.sample(row, rollout.state, this.rng);
        if (visit < WORLDS) (worlds[dealt++] ??= newState(rollout.state.length)).set(rollout.state);
      }
    };
    deal(0);
    if (guide !== null) {
      const usual = guide.choose(decisions.actors[row]!);
      if (rollout.turnNow() < this.options.from) return usual;
      tree.setGuideChoice(0, usual);
    }
    const start = performance.now();
    const end = ms === null ? 0 : start + ms;
    for (let n = 0; iterations === null ? n === 0 || performance.now() < end : n < iterations; n++) {
      this.checkTime(start + this.limit);
      const actor = this.descend(decisions, row, tree, deal);
      if (prior !== player) this.askGuide(tree, actor);
      const value = rollout.value();
      // the rollout policy's first action is the guide's choice at the leaf
      if (prior === player && rollout.firstChoice !== NONE) tree.setGuideChoice(this.path.at(-1)!, rollout.firstChoice);
      for (const node of this.path) tree.backUp(node, value);
    }
    return tree.mostVisited(decisions.actors[row]!);
  }

  /** Actions for the rows `open`, with leaves evaluated by a net: a few of each tree at a time, all in one run. */
  private async chooseByNet(
    decisions: Decisions,
    open: readonly number[],
    net: Evaluator,
    out: Int32Array,
  ): Promise<void> {
    const { iterations, ms, batch } = this.options;
    const { game } = decisions;
    const leaves = new LeafBatch(game, net, open.length * batch);
    open.forEach((_, k) => this.treeOf(k).clear());
    const start = performance.now();
    const end = ms === null ? 0 : start + ms * open.length;
    // the first simulation finds the root's own priors, and only a second one takes an action
    const least = 2;
    const most = iterations === null ? null : Math.max(iterations, least);
    for (let n = 0; n < least || (most === null ? performance.now() < end : n < most);) {
      this.checkTime(start + this.limit * open.length);
      const together = n === 0 ? 1 : Math.min(batch, (most ?? Infinity) - n);
      for (let k = 0; k < open.length; k++) {
        const tree = this.treeOf(k);
        for (let j = 0; j < together; j++) {
          const actor = this.descend(decisions, open[k]!, tree, () =>
            decisions.sample(open[k]!, this.rollout.state, this.rng),
          );
          if (actor === NOBODY) {
            const value = this.rollout.value();
            for (const node of this.path) tree.backUp(node, value);
          } else {
            this.askGuide(tree, actor);
            leaves.add(tree, this.path, this.rollout.state, actor);
            if (leaves.size === leaves.capacity) await leaves.evaluate();
          }
        }
      }
      await leaves.evaluate();
      n += together;
    }
    open.forEach((row, k) => (out[row] = this.treeOf(k).mostVisited(decisions.actors[row]!)));
  }

  /** @throws KesselError `time-limit` */
  private checkTime(end: number): void {
    if (performance.now() > end) throw thinksTooLong(this.name, this.limit);
  }

  /** Sets the guide's choice for the decision of `actor` at the leaf. */
  private askGuide(tree: Tree, actor: number): void {
    if (this.guide !== null && actor >= 0) tree.setGuideChoice(this.path.at(-1)!, this.guide.choose(actor));
  }

  /**
   * One descent of the tree to a new leaf or the end of the game. Leaves the nodes in `path` and the position in the
   * rollout's state.
   *
   * @param deal writes the sampled world; its argument is the number of earlier visits of the root's action
   * @returns the actor there
   */
  private descend(
    { game, mask: masks, actors }: Decisions,
    row: number,
    tree: Tree,
    deal: (visit: number) => void,
  ): number {
    const { mask, path, rollout, rng, net } = this;
    const A = mask.length;
    path.length = 0;
    path.push(0);
    let node = 0;
    if (net !== null && tree.visitsOf(0) === 0) deal(0);
    else {
      // every world has the same choices at the root
      let legal = 0;
      for (let a = 0; a < A; a++) legal += mask[a] = masks[row * A + a]!;
      node = tree.select(0, actors[row]!, mask, legal, rng);
      deal(tree.visitsOf(node));
      rollout.apply(tree.actionOf(node));
      path.push(node);
    }
    for (;;) {
      const actor = game.actor(rollout.state);
      if (actor === NOBODY || tree.visitsOf(node) === 0) {
        for (const n of path) tree.addPending(n);
        return actor;
      }
      const legal = game.legalMask(rollout.state, mask, 0, true);
      if (legal === 1) {
        rollout.apply(mask.indexOf(1));
        continue;
      }
      node = tree.select(node, actor, mask, legal, rng);
      path.push(node);
      rollout.apply(tree.actionOf(node));
    }
  }
}

/**
 * `search` and `search:NAME=VALUE,...`.
 *
 * @throws KesselError `bad-agent` for what search doesn't have, `bad-model` for a net that doesn't fit
 */
export const makeSearch: AgentMaker = async (
  argument,
  { game, seed, models, modelSeconds, decisionSeconds = Infinity },
) => {
  const name = argument === "" ? "search" : `search:${argument}`;
  const options = parseSearch(argument, game, Object.hasOwn(OUTLOOKS, game.type.id));
  if (options.net === null) return new SearchAgent(name, game, seed, options, null, decisionSeconds * 1000);
  const net = await OnnxModel.share(readModelFile(options.net, models), game, options.net, modelSeconds);
  const missing = game.players.filter((_, p) => !net.players.includes(p));
  if (missing.length > 0) {
    await net.close();
    throw new KesselError(
      "bad-agent",
      `search needs a net that plays every side; ${options.net} doesn't play ${missing.join(", ")}`,
    );
  }
  try {
    const agent = searching(name, game, seed, options, net, decisionSeconds * 1000);
    if (options.belief === null) return agent;
    const belief = await Belief.load(readModelFile(options.belief, models), game, options.belief, modelSeconds);
    return new BelievingAgent(agent, belief, seed);
  } catch (e) {
    await net.close();
    throw e;
  }
};

function searching(name: string, game: Game, seed: Seed, options: SearchOptions, net: Evaluator, limit: number): Agent {
  if (options.root === "gumbel") return new GumbelAgent(name, game, seed, options.iterations!, net, limit);
  if (options.root === "plan") return new PlanAgent(name, game, seed, options.iterations!, net, limit);
  return new SearchAgent(name, game, seed, options, net, limit);
}
