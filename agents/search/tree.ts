import type { Rng } from "../../env/index.js";
import { Choices, type Improvement, improvePolicy } from "./improve.js";

export const NONE = -1;

/** Least prior of an action, in parts of an even share: nets may give legal actions none. */
const MIN_PRIOR_SHARE = 0.1;

/**
 * An open-loop tree: nodes stand for sequences of actions, not for states. Every simulation rolls new dice and deals
 * new hidden counters, so a node covers all situations that its actions can lead to. A child is identified by actor and
 * action. Values are the first player's.
 *
 * Without priors, selection tries every action once and then takes the greatest upper confidence bound (UCB1). With
 * priors, from a net's policy or a guide's choice, it uses PUCT; an action not tried yet has the mean value of its
 * parent (first-play urgency). Simulations under way count as losses (virtual loss), so that others look elsewhere.
 */
export class Tree {
  size = 0;
  private action: Int32Array;
  private actor: Int32Array;
  private child: Int32Array;
  private sibling: Int32Array;
  private visits: Int32Array;
  /** Simulations under way, whose value is not known yet (virtual losses). */
  private pending: Int32Array;
  /** How often the action was legal when its parent was visited. */
  private offers: Int32Array;
  private sum: Float64Array;
  /** The guide's choice below this node, NONE without a guide. */
  private guideChoice: Int32Array;
  /** Row of `policies` with the priors below this node, NONE without. */
  private policy: Int32Array;
  /** What the net that gave the priors below a node expected of it, for the first player. */
  private expected: Float64Array;
  private policies: Float32Array = new Float32Array(0);
  private rows = 0;
  private leastValue = Infinity;
  private greatestValue = -Infinity;
  /** Of the node that `selectImproved` is asked about. */
  private readonly below: Choices;

  /**
   * @param actions size of the action space
   * @param trust prior probability of a guide's choice
   */
  constructor(
    private readonly actions: number,
    private readonly explore: number,
    private readonly trust: number,
    private capacity = 1024,
  ) {
    const n = capacity;
    this.action = new Int32Array(n);
    this.actor = new Int32Array(n);
    this.child = new Int32Array(n);
    this.sibling = new Int32Array(n);
    this.visits = new Int32Array(n);
    this.pending = new Int32Array(n);
    this.offers = new Int32Array(n);
    this.sum = new Float64Array(n);
    this.guideChoice = new Int32Array(n);
    this.policy = new Int32Array(n);
    this.expected = new Float64Array(n);
    this.below = new Choices(actions);
  }

  /** Leaves an empty root, node 0. */
  clear(): void {
    this.size = 0;
    this.rows = 0;
    this.leastValue = Infinity;
    this.greatestValue = -Infinity;
    this.add(NONE, NONE, NONE);
  }

  private add(parent: number, actor: number, action: number): number {
    if (this.size === this.capacity) this.grow();
    const k = this.size++;
    this.action[k] = action;
    this.actor[k] = actor;
    this.child[k] = NONE;
    this.sibling[k] = parent === NONE ? NONE : this.child[parent]!;
    this.visits[k] = 0;
    this.pending[k] = 0;
    this.offers[k] = 0;
    this.sum[k] = 0;
    this.guideChoice[k] = NONE;
    this.policy[k] = NONE;
    if (parent !== NONE) this.child[parent] = k;
    return k;
  }

  private grow(): void {
    this.capacity *= 2;
    const wider = (a: Int32Array): Int32Array => {
      const b = new Int32Array(this.capacity);
      b.set(a);
      return b;
    };
    this.action = wider(this.action);
    this.actor = wider(this.actor);
    this.child = wider(this.child);
    this.sibling = wider(this.sibling);
    this.visits = wider(this.visits);
    this.pending = wider(this.pending);
    this.offers = wider(this.offers);
    this.guideChoice = wider(this.guideChoice);
    this.policy = wider(this.policy);
    const [sum, expected] = [new Float64Array(this.capacity), new Float64Array(this.capacity)];
    sum.set(this.sum);
    expected.set(this.expected);
    this.sum = sum;
    this.expected = expected;
  }

  actionOf(node: number): number {
    return this.action[node]!;
  }

  /** Simulations through this node, those under way included. */
  visitsOf(node: number): number {
    return this.visits[node]! + this.pending[node]!;
  }

  /** Sets the action a guide would choose below `node`. */
  setGuideChoice(node: number, action: number): void {
    this.guideChoice[node] = action;
  }

  /**
   * Turns a net's logits into the priors below `node`.
   *
   * @param mask uint8, the row begins at `at`, as in `logits`
   * @param value the net's value there, of the first player
   */
  setPolicy(node: number, logits: Float32Array, mask: Uint8Array, at: number, value: number): void {
    if (this.policy[node] !== NONE) return; // evaluated twice within one batch
    this.expected[node] = value;
    const A = this.actions;
    if ((this.rows + 1) * A > this.policies.length) {
      const wider = new Float32Array(Math.max(64 * A, 2 * this.policies.length));
      wider.set(this.policies);
      this.policies = wider;
    }
    const row = this.rows * A;
    this.policy[node] = this.rows++;
    let top = -Infinity;
    for (let a = 0; a < A; a++) if (mask[at + a] === 1 && logits[at + a]! > top) top = logits[at + a]!;
    let sum = 0;
    for (let a = 0; a < A; a++) {
      const p = mask[at + a] === 1 ? Math.exp(logits[at + a]! - top) : 0;
      this.policies[row + a] = p;
      sum += p;
    }
    for (let a = 0; a < A; a++) this.policies[row + a]! /= sum;
  }

  private prior(node: number, action: number, legal: number): number {
    const row = this.policy[node]!;
    const share =
      row === NONE ? 1 / legal : Math.max(this.policies[row * this.actions + action]!, MIN_PRIOR_SHARE / legal);
    return this.guideChoice[node] === NONE
      ? share
      : (action === this.guideChoice[node] ? this.trust : 0) + (1 - this.trust) * share;
  }

  /**
   * Chooses below `node` for `actor` among the legal actions. Tried actions are cleared from `mask` on the way.
   *
   * @param mask uint8, 1 for each of the `legal` actions
   * @returns the child
   */
  select(node: number, actor: number, mask: Uint8Array, legal: number, rng: Rng): number {
    const hasPriors = this.policy[node] !== NONE || this.guideChoice[node] !== NONE;
    const sign = actor === 0 ? 1 : -1;
    const width = this.greatestValue > this.leastValue ? this.greatestValue - this.leastValue : 1;
    const root = Math.sqrt(Math.max(1, this.visitsOf(node)));
    let best = NONE;
    let highest = -Infinity;
    let tried = 0;
    for (let k = this.child[node]!; k !== NONE; k = this.sibling[k]!) {
      if (this.actor[k] !== actor || mask[this.action[k]!] === 0) continue;
      mask[this.action[k]!] = 0;
      tried++;
      const offers = ++this.offers[k]!;
      const n = this.visits[k]! + this.pending[k]!;
      const mean = n === 0 ? Infinity : (sign * this.sum[k]! - this.pending[k]! * width) / n / width;
      const bound =
        n === 0
          ? Infinity
          : mean +
            this.explore *
              (hasPriors
                ? (this.prior(node, this.action[k]!, legal) * root) / (1 + n)
                : Math.sqrt(Math.log(offers) / n));
      if (bound > highest) {
        highest = bound;
        best = k;
      }
    }
    if (tried === legal) return best;
    const action = hasPriors ? this.likeliest(node, mask, legal) : randomSet(mask, legal - tried, rng);
    if (hasPriors && tried > 0) {
      const n = this.visits[node]!;
      const hope = n === 0 ? 0 : (sign * this.sum[node]!) / n / width;
      if (hope + this.explore * this.prior(node, action, legal) * root <= highest) return best;
    }
    const k = this.add(node, actor, action);
    this.offers[k] = 1;
    return k;
  }

  /** The untried action with the greatest prior, the first of equals. */
  private likeliest(node: number, mask: Uint8Array, legal: number): number {
    let best = NONE;
    let most = -1;
    for (let a = mask.indexOf(1); a >= 0; a = mask.indexOf(1, a + 1)) {
      const p = this.prior(node, a, legal);
      if (p <= most) continue;
      most = p;
      best = a;
    }
    return best;
  }

  /**
   * Chooses below `node` by the deterministic rule of Gumbel MuZero: visits follow the policy that the values found so
   * far improve. Needs priors from a net; there, an action that they don't know (another world had other choices) has a
   * small share.
   *
   * @param mask uint8, 1 for each of the `legal` actions
   * @returns the child
   */
  selectImproved(node: number, actor: number, mask: Uint8Array, legal: number, improvement: Improvement): number {
    const { below, policies } = this;
    const { actions, logits, visits, pending, improved } = below;
    below.take(mask);
    this.readChildren(node, actor, below);
    const row = this.policy[node]! * this.actions;
    const least = MIN_PRIOR_SHARE / legal;
    let all = 1;
    for (let k = 0; k < below.size; k++) {
      const p = policies[row + actions[k]!]!;
      logits[k] = Math.log(p > 0 ? p : least);
      all += visits[k]! + pending[k]!;
    }
    improvePolicy(below, this.expectedBy(node, actor), improvement);
    let best = 0;
    let highest = -Infinity;
    for (let k = 0; k < below.size; k++) {
      const lack = improved[k]! - (visits[k]! + pending[k]!) / all;
      if (lack <= highest) continue;
      highest = lack;
      best = k;
    }
    return this.childOf(node, actor, actions[best]!);
  }

  /** The child for an action of `actor`, which is added if there is none. */
  childOf(node: number, actor: number, action: number): number {
    for (let k = this.child[node]!; k !== NONE; k = this.sibling[k]!)
      if (this.action[k] === action && this.actor[k] === actor) return k;
    return this.add(node, actor, action);
  }

  /** Notes what was found below `node` of the actions of `actor`; `out` knows nothing of them yet. */
  readChildren(node: number, actor: number, out: Choices): void {
    const sign = actor === 0 ? 1 : -1;
    for (let k = this.child[node]!; k !== NONE; k = this.sibling[k]!)
      if (this.actor[k] === actor) out.note(this.action[k]!, this.visits[k]!, this.pending[k]!, sign * this.sum[k]!);
  }

  /** True when a net has evaluated this node. */
  hasPolicy(node: number): boolean {
    return this.policy[node] !== NONE;
  }

  /** Writes the logarithms of the net's policy below `node` to the logits of `out`. */
  readPolicy(node: number, out: Choices): void {
    const row = this.policy[node]! * this.actions;
    // the least float32 stands for probabilities that have no other
    for (let k = 0; k < out.size; k++) out.logits[k] = Math.log(Math.max(this.policies[row + out.actions[k]!]!, 1e-45));
  }

  /** The return of `actor` that the net expects at `node`. */
  expectedBy(node: number, actor: number): number {
    return actor === 0 ? this.expected[node]! : -this.expected[node]!;
  }

  /** True when simulations wait for the value of their leaf. */
  get waits(): boolean {
    return this.pending[0]! > 0;
  }

  /** A simulation through this node is under way. */
  addPending(node: number): void {
    this.pending[node]!++;
  }

  /** Backs up the value of a simulation that was under way. @param value return of the first player */
  backUp(node: number, value: number): void {
    this.pending[node]!--;
    this.visits[node]!++;
    this.sum[node]! += value;
    if (value < this.leastValue) this.leastValue = value;
    if (value > this.greatestValue) this.greatestValue = value;
  }

  /** The actions tried at the root. */
  triedAtRoot(actor: number): Tried[] {
    const sign = actor === 0 ? 1 : -1;
    const list: Tried[] = [];
    for (let k = this.child[0]!; k !== NONE; k = this.sibling[k]!)
      if (this.visits[k]! > 0)
        list.push({ action: this.action[k]!, visits: this.visits[k]!, value: (sign * this.sum[k]!) / this.visits[k]! });
    return list.reverse();
  }

  /** The root's most visited action, of equals the one with the better mean. */
  mostVisited(actor: number): number {
    const sign = actor === 0 ? 1 : -1;
    let best = NONE;
    for (let k = this.child[0]!; k !== NONE; k = this.sibling[k]!) {
      if (best === NONE || this.visits[k]! > this.visits[best]!) best = k;
      else if (this.visits[k] === this.visits[best] && sign * this.sum[k]! > sign * this.sum[best]!) best = k;
    }
    return best === NONE ? NONE : this.action[best]!;
  }
}

/** An action tried at a root. */
export interface Tried {
  readonly action: number;
  readonly visits: number;
  /** Mean return of the player who takes it. */
  readonly value: number;
}

/** A uniformly random one of the `n` set entries. */
function randomSet(mask: Uint8Array, n: number, rng: Rng): number {
  let pick = rng.below(n);
  let action = mask.indexOf(1);
  while (pick-- > 0) action = mask.indexOf(1, action + 1);
  return action;
}
