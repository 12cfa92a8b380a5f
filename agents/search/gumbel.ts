import { expectedReturns, type Game, newState, NOBODY, type Rng, SeededDice, type State } from "../../env/index.js";
import { Choices, type Improvement, improvedReturn, improvePolicy, mixedValue, scaleOf } from "./improve.js";
import type { LeafBatch } from "./leaves.js";
import { NONE, Tree } from "./tree.js";

export interface GumbelOptions extends Improvement {
  /** Most actions that the root considers. */
  readonly considered: number;
}

/** A decision to be searched. */
export interface RootDecision {
  readonly actor: number;
  /** uint8: the legal actions, from `at` on. At least two. */
  readonly mask: Uint8Array;
  readonly at: number;
  readonly simulations: number;
  /** Draws the noise that makes the root sample its actions from the policy; null takes the likeliest. */
  readonly noise: Rng | null;
  /** Writes a world that fits what the actor knows. */
  deal(out: State): void;
}

/** The position that simulations are played in, which searches may share. */
export interface Board {
  readonly state: State;
  readonly mask: Uint8Array;
  readonly dice: SeededDice;
}

export const newBoard = (game: Game): Board => ({
  state: newState(game.stateSize),
  mask: new Uint8Array(game.actions.length),
  dice: new SeededDice(),
});

/**
 * Search of one decision with few simulations, whose leaves a net evaluates (Gumbel AlphaZero, Danihelka et al. 2022).
 * The root draws some actions from the policy without replacement and halves them by what it finds (sequential
 * halving); below it, visits follow the improved policy. The tree is open-loop, as in `Tree`: chance is rolled in
 * `apply`, worlds are dealt for each simulation, and all actions of the root meet the same worlds in the same order.
 *
 * `step` hands out one leaf at a time, so that the leaves of many searches go through the net together.
 */
export class GumbelSearch {
  private readonly tree: Tree;
  private readonly path: number[] = [];
  private readonly worlds: State[] = [];
  private dealt = 0;
  private root!: RootDecision;
  /** The root's actions; noise on the logits and the scores are by entry too. */
  private readonly choices: Choices;
  private readonly noise: Float64Array;
  private readonly scores: Float64Array;
  private asked = false;
  private begun = false;
  /** Entries of the actions that the root considers, the best ones first, and how many of them are left. */
  private candidates: number[] = [];
  private left = 0;
  /** Rounds of halving. */
  private rounds = 0;
  private simulated = 0;
  /** Simulations of this round: begun, and all. */
  private inRound = 0;
  private ofRound = 0;
  private readonly returns: Float32Array;

  constructor(
    private readonly game: Game,
    private readonly options: GumbelOptions,
    private readonly board: Board = newBoard(game),
  ) {
    const A = game.actions.length;
    this.tree = new Tree(A, 0, 0, 64);
    this.choices = new Choices(A);
    this.noise = new Float64Array(A);
    this.scores = new Float64Array(A);
    this.returns = new Float32Array(game.players.length);
  }

  begin(root: RootDecision): void {
    this.root = root;
    this.choices.take(root.mask, root.at);
    this.tree.clear();
    this.dealt = 0;
    this.asked = false;
    this.begun = false;
    this.simulated = 0;
  }

  /**
   * Goes on until a leaf waits for the net.
   *
   * @returns `leaf`: one was added to `leaves`; `waits`: it can't go on before they are evaluated; `done`: the search
   *   is over
   */
  step(leaves: LeafBatch): "leaf" | "waits" | "done" {
    const { tree, path, board, root } = this;
    if (!this.begun) {
      if (tree.waits) return "waits";
      if (!this.asked) {
        this.asked = true;
        this.deal(0);
        path.length = 0;
        path.push(0);
        tree.addPending(0);
        leaves.add(tree, path, board.state, root.actor);
        return "leaf";
      }
      this.consider();
    }
    for (;;) {
      const action = this.nextAction();
      if (action === NONE) return tree.waits ? "waits" : "done";
      const actor = this.descend(action);
      if (actor !== NOBODY) {
        leaves.add(tree, path, board.state, actor);
        return "leaf";
      }
      expectedReturns(this.game, board.state, this.returns);
      for (const node of path) tree.backUp(node, this.returns[0]!);
    }
  }

  /** The action that won. */
  best(): number {
    this.rank();
    return this.choices.actions[this.candidates[0]!]!;
  }

  /**
   * Writes the improved policy of the root into `out[at ..]`, float32.
   *
   * @param doubt see `improvePolicy`
   * @returns the return that the actor expects of it
   */
  improvedPolicy(out: Float32Array, doubt = 0, at = 0): number {
    const { tree, root, choices, options, game } = this;
    const { actions, improved, size } = choices;
    this.readFound();
    const mix = improvePolicy(choices, tree.expectedBy(0, root.actor), options, doubt);
    out.fill(0, at, at + game.actions.length);
    for (let k = 0; k < size; k++) out[at + actions[k]!] = improved[k]!;
    return improvedReturn(choices, mix);
  }

  /**
   * Writes the policy of the net at the root, and how much more than that policy each action returns to the actor.
   *
   * @param policy float32 [A]
   * @param gains float32 [A]: 0 on the policy's mean; actions not visited have the value mix
   * @param doubt see `improvePolicy`
   */
  gains(policy: Float32Array, gains: Float32Array, doubt: number): void {
    const { tree, root, choices } = this;
    const { actions, logits, visits, sums, size } = choices;
    this.readFound();
    const mix = mixedValue(choices, tree.expectedBy(0, root.actor));
    policy.fill(0);
    gains.fill(0);
    let mean = 0;
    for (let k = 0; k < size; k++) {
      const n = visits[k]! + doubt;
      const a = actions[k]!;
      policy[a] = Math.exp(logits[k]!);
      gains[a] = n > 0 ? (sums[k]! + doubt * mix) / n : mix;
      mean += policy[a]! * gains[a]!;
    }
    for (let k = 0; k < size; k++) gains[actions[k]!]! -= mean;
  }

  /** An action drawn from the net's policy at the root. */
  drawFromPolicy(rng: Rng): number {
    const { actions, logits, size } = this.choices;
    let left = rng.float();
    for (let k = 0; k < size; k++) if ((left -= Math.exp(logits[k]!)) < 0) return actions[k]!;
    return actions[size - 1]!;
  }

  private readFound(): void {
    this.choices.forget();
    this.tree.readChildren(0, this.root.actor, this.choices);
  }

  /** Draws the noise and takes the actions that the root considers, now that its policy is known. */
  private consider(): void {
    const { tree, root, choices, noise, scores } = this;
    this.begun = true;
    tree.readPolicy(0, choices);
    this.candidates = [];
    for (let k = 0; k < choices.size; k++) {
      noise[k] = root.noise === null ? 0 : -Math.log(-Math.log(root.noise.float() || Number.MIN_VALUE));
      scores[k] = choices.logits[k]! + noise[k]!;
      this.candidates.push(k);
    }
    // two simulations or more for each action: one says little in a game with dice
    this.left = Math.min(this.options.considered, this.candidates.length, Math.max(1, root.simulations >> 1));
    this.sort();
    this.candidates.length = this.left;
    this.rounds = Math.max(1, Math.ceil(Math.log2(this.left)));
    this.beginRound();
  }

  private beginRound(): void {
    this.inRound = 0;
    this.ofRound = this.left * Math.max(1, Math.floor(this.root.simulations / (this.rounds * this.left)));
  }

  /** The root's action to be simulated next; NONE at the end, or when the next round waits for values. */
  private nextAction(): number {
    if (this.simulated === this.root.simulations) return NONE;
    if (this.inRound === this.ofRound) {
      if (this.tree.waits) return NONE;
      this.rank();
      this.left = Math.max(Math.min(2, this.left), this.left >> 1);
      this.candidates.length = this.left;
      this.beginRound();
    }
    this.simulated++;
    return this.choices.actions[this.candidates[this.inRound++ % this.left]!]!;
  }

  /** Orders the actions that are left by noise, policy and the values found. */
  private rank(): void {
    const { tree, root, choices, noise, scores, options } = this;
    this.readFound();
    const mix = mixedValue(choices, tree.expectedBy(0, root.actor));
    const scale = scaleOf(choices, options);
    for (const k of this.candidates) scores[k] = noise[k]! + choices.logits[k]! + scale * choices.meanOf(k, mix);
    this.sort();
  }

  /** Sorts the candidates by score, best first; of equals the first action. */
  private sort(): void {
    this.candidates.sort((a, b) => this.scores[b]! - this.scores[a]! || a - b);
  }

  /** Plays `action` and on down the tree, to a new leaf or the end of the game. @returns the actor there */
  private descend(action: number): number {
    const { game, tree, path, options } = this;
    const { state, mask } = this.board;
    let node = tree.childOf(0, this.root.actor, action);
    path.length = 0;
    path.push(0, node);
    this.deal(tree.visitsOf(node));
    this.apply(action);
    for (;;) {
      const actor = game.actor(state);
      const legal = actor === NOBODY ? 0 : game.legalMask(state, mask, 0, true);
      if (legal === 1) {
        this.apply(mask.indexOf(1));
        continue;
      }
      if (legal === 0 || tree.visitsOf(node) === 0 || !tree.hasPolicy(node)) {
        for (const n of path) tree.addPending(n);
        return actor;
      }
      node = tree.selectImproved(node, actor, mask, legal, options);
      path.push(node);
      this.apply(tree.actionOf(node));
    }
  }

  /** Puts world `k` of this decision on the board. */
  private deal(k: number): void {
    const { worlds, board, root } = this;
    if (k >= this.dealt) {
      root.deal(board.state);
      (worlds[this.dealt++] ??= newState(board.state.length)).set(board.state);
    } else board.state.set(worlds[k]!);
  }

  private apply(action: number): void {
    const { dice, state } = this.board;
    dice.begin(state);
    this.game.apply(state, action, dice);
  }
}
