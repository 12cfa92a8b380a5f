import type { Rng } from "../../env/index.js";

export const NONE = -1;

/** Prior of an action that a net's policy didn't know as legal, in parts of an even share. */
const UNFORESEEN = 0.1;

/**
 * A tree over what is chosen, not over what happens: the dice fall anew and the hidden is dealt anew each time it is
 * walked, so a node stands for all situations its choices can lead to. Children of a node are told apart by who chose and
 * what. Values are the first player's.
 *
 * Without priors a node tries every choice once and then trusts upper bounds (UCB1). With priors, from a net's policy or a
 * guide's choice, it weighs them (PUCT) and a choice not tried yet counts as good as the node is so far.
 */
export class Tree {
  size = 0;
  private action: Int32Array;
  private actor: Int32Array;
  private child: Int32Array;
  private sibling: Int32Array;
  private visits: Int32Array;
  /** Simulations under way whose value is not known yet. */
  private flying: Int32Array;
  /** How often the choice was there to be made. */
  private offers: Int32Array;
  private sum: Float64Array;
  /** The guide's choice below this node, NONE without a guide. */
  private guide: Int32Array;
  /** Row of `policies` with the priors below this node, NONE without. */
  private policy: Int32Array;
  private policies: Float32Array = new Float32Array(0);
  private rows = 0;
  private least = Infinity;
  private most = -Infinity;

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
    this.flying = new Int32Array(n);
    this.offers = new Int32Array(n);
    this.sum = new Float64Array(n);
    this.guide = new Int32Array(n);
    this.policy = new Int32Array(n);
  }

  /** Forgets everything but an empty root, node 0. */
  clear(): void {
    this.size = 0;
    this.rows = 0;
    this.least = Infinity;
    this.most = -Infinity;
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
    this.flying[k] = 0;
    this.offers[k] = 0;
    this.sum[k] = 0;
    this.guide[k] = NONE;
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
    this.flying = wider(this.flying);
    this.offers = wider(this.offers);
    this.guide = wider(this.guide);
    this.policy = wider(this.policy);
    const sum = new Float64Array(this.capacity);
    sum.set(this.sum);
    this.sum = sum;
  }

  actionOf(node: number): number {
    return this.action[node]!;
  }

  /** Simulations that have gone through this node, those under way included. */
  walked(node: number): number {
    return this.visits[node]! + this.flying[node]!;
  }

  /** Says what a guide would choose below `node`. */
  advise(node: number, action: number): void {
    this.guide[node] = action;
  }

  /** Turns a net's logits into the priors below `node`. @param mask uint8, the row begins at `at`, as in `logits` */
  setPolicy(node: number, logits: Float32Array, mask: Uint8Array, at: number): void {
    if (this.policy[node] !== NONE) return; // judged twice within one batch
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
    const share = row === NONE ? 1 / legal : Math.max(this.policies[row * this.actions + action]!, UNFORESEEN / legal);
    return this.guide[node] === NONE
      ? share
      : (action === this.guide[node] ? this.trust : 0) + (1 - this.trust) * share;
  }

  /**
   * Chooses below `node` for `actor` among the legal actions. Tried actions are cleared from `mask` on the way.
   *
   * @param mask uint8, 1 for each of the `legal` actions
   * @returns the child
   */
  select(node: number, actor: number, mask: Uint8Array, legal: number, rng: Rng): number {
    const weighed = this.policy[node] !== NONE || this.guide[node] !== NONE;
    const sign = actor === 0 ? 1 : -1;
    const width = this.most > this.least ? this.most - this.least : 1;
    const root = Math.sqrt(Math.max(1, this.walked(node)));
    let best = NONE;
    let highest = -Infinity;
    let tried = 0;
    for (let k = this.child[node]!; k !== NONE; k = this.sibling[k]!) {
      if (this.actor[k] !== actor || mask[this.action[k]!] === 0) continue;
      mask[this.action[k]!] = 0;
      tried++;
      const offers = ++this.offers[k]!;
      const n = this.visits[k]! + this.flying[k]!;
      // a simulation under way counts as lost, so that others look elsewhere
      const mean = n === 0 ? Infinity : (sign * this.sum[k]! - this.flying[k]! * width) / n / width;
      const bound =
        n === 0
          ? Infinity
          : mean +
            this.explore *
              (weighed ? (this.prior(node, this.action[k]!, legal) * root) / (1 + n) : Math.sqrt(Math.log(offers) / n));
      if (bound > highest) {
        highest = bound;
        best = k;
      }
    }
    if (tried === legal) return best;
    const action = weighed ? this.likeliest(node, mask, legal) : randomSet(mask, legal - tried, rng);
    if (weighed && tried > 0) {
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

  /** Marks a simulation through this node as under way. */
  depart(node: number): void {
    this.flying[node]!++;
  }

  /** Counts a simulation through this node, which was under way. @param value return of the first player */
  credit(node: number, value: number): void {
    this.flying[node]!--;
    this.visits[node]!++;
    this.sum[node]! += value;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
  }

  /** The root's most visited choice, the better one of equals. */
  favourite(actor: number): number {
    const sign = actor === 0 ? 1 : -1;
    let best = NONE;
    for (let k = this.child[0]!; k !== NONE; k = this.sibling[k]!) {
      if (best === NONE || this.visits[k]! > this.visits[best]!) best = k;
      else if (this.visits[k] === this.visits[best] && sign * this.sum[k]! > sign * this.sum[best]!) best = k;
    }
    return best === NONE ? NONE : this.action[best]!;
  }
}

/** A random one of the `n` set entries. */
function randomSet(mask: Uint8Array, n: number, rng: Rng): number {
  let pick = rng.below(n);
  let action = mask.indexOf(1);
  while (pick-- > 0) action = mask.indexOf(1, action + 1);
  return action;
}
