import type { Rng } from "../../env/index.js";

const NONE = -1;

/**
 * A tree over what is chosen, not over what happens: the dice fall anew and the hidden is dealt anew each time it is
 * walked, so a node stands for all situations its choices can lead to. Children of a node are told apart by who chose and
 * what. Values are the first player's.
 */
export class Tree {
  size = 0;
  private action: Int32Array;
  private actor: Int32Array;
  private child: Int32Array;
  private sibling: Int32Array;
  private visits: Int32Array;
  /** How often the choice was there to be made. */
  private offers: Int32Array;
  private sum: Float64Array;
  private least = Infinity;
  private most = -Infinity;

  constructor(private capacity = 1024) {
    const n = capacity;
    this.action = new Int32Array(n);
    this.actor = new Int32Array(n);
    this.child = new Int32Array(n);
    this.sibling = new Int32Array(n);
    this.visits = new Int32Array(n);
    this.offers = new Int32Array(n);
    this.sum = new Float64Array(n);
  }

  /** Forgets everything but an empty root, node 0. */
  clear(): void {
    this.size = 0;
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
    this.offers[k] = 0;
    this.sum[k] = 0;
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
    this.offers = wider(this.offers);
    const sum = new Float64Array(this.capacity);
    sum.set(this.sum);
    this.sum = sum;
  }

  actionOf(node: number): number {
    return this.action[node]!;
  }

  /** Has this node been walked through before? */
  isFresh(node: number): boolean {
    return this.visits[node] === 0;
  }

  /**
   * Chooses below `node` for `actor` among the legal actions: one not tried yet, at random, else the one with the highest
   * upper bound on its value. Tried actions are cleared from `mask` on the way.
   *
   * @param mask uint8, 1 for each of the `legal` actions
   */
  select(node: number, actor: number, mask: Uint8Array, legal: number, explore: number, rng: Rng): number {
    const sign = actor === 0 ? 1 : -1;
    const width = this.most > this.least ? this.most - this.least : 1;
    let best = NONE;
    let highest = -Infinity;
    let tried = 0;
    for (let k = this.child[node]!; k !== NONE; k = this.sibling[k]!) {
      if (this.actor[k] !== actor || mask[this.action[k]!] === 0) continue;
      mask[this.action[k]!] = 0;
      tried++;
      const offers = ++this.offers[k]!;
      const n = this.visits[k]!;
      const bound = n === 0 ? Infinity : (sign * this.sum[k]!) / n / width + explore * Math.sqrt(Math.log(offers) / n);
      if (bound > highest) {
        highest = bound;
        best = k;
      }
    }
    if (tried === legal) return best;
    let pick = rng.below(legal - tried);
    let action = mask.indexOf(1);
    while (pick-- > 0) action = mask.indexOf(1, action + 1);
    const k = this.add(node, actor, action);
    this.offers[k] = 1;
    return k;
  }

  /** Counts a simulation through this node. @param value return of the first player */
  credit(node: number, value: number): void {
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
