import type { Agent, Decisions } from "../../agents/agent.js";
import {
  actorName,
  type Batch,
  type Dice,
  type Game,
  illegalAction,
  InvariantError,
  joinedRows,
  KesselError,
  NOBODY,
  type Observation,
  observationRows,
  Rng,
  type State,
  TENSORS,
} from "../../env/index.js";
import type { Playouts } from "./playouts.js";
import type { FrameTarget } from "../wire/shared-memory.js";
import type { ExpansionTensor } from "../wire/expansion-tensors.js";
import { bytesOf, type FrameLayout, type FrameShape } from "../wire/tensors.js";

/** Marks a node that holds no situation; `NOBODY` is the actor of one that is over. */
const EMPTY = -2;
/** In place of a node: the situation is not kept. In place of an action: none is played. */
const NONE = -1;

/** A checked request to expand, row by row. */
export interface Expansion {
  /** int32 [n] each. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly actions: Int32Array;
  /** `from` names environments of the batch, not nodes. */
  readonly environments: boolean;
  /** Deal again what the actor of `from` can't know. */
  readonly resample: boolean;
  /** Seed from which dice are dealt again; null lets the stream of each situation go on. */
  readonly seed: string | null;
  /** What the reply holds. */
  readonly layout: FrameLayout;
}

/** Where a row begins: a state, who acts in it, who sees it when it is over. */
interface Source {
  readonly state: State;
  readonly actor: number;
  readonly viewer: number;
}

/** Memory of the largest request so far, used again. */
interface Rows {
  readonly size: number;
  readonly states: Int32Array;
  readonly actors: Int32Array;
  readonly viewers: Int32Array;
  readonly exact: Uint8Array;
  readonly mask: Uint8Array;
  /** The same, with an action for rows that are over: a net needs one. */
  readonly netMask: Uint8Array;
  readonly rewards: Float32Array;
  readonly terminated: Uint8Array;
  readonly policy: Float32Array;
  readonly value: Float32Array;
  readonly views: readonly Observation[];
  readonly all: Observation;
  /** For a net that reads whole rows. */
  readonly joined: Float32Array | null;
}

/**
 * Situations to search in, beside the environments of a batch. A node holds a state, who acts and what is legal; each
 * is the copy of an environment, a world that an actor can't tell from it, or what came of an action in another node.
 */
export class NodeStore {
  private readonly states: Int32Array;
  /** Bits of the mask of each node. */
  private readonly legal: Uint8Array;
  private readonly legalBytes: number;
  private readonly actors: Int8Array;
  private readonly viewers: Int8Array;
  private rows: Rows;

  /**
   * @param skipForced play decisions with one legal action without asking
   * @param net estimates policy and value; null without one
   */
  constructor(
    private readonly game: Game,
    private readonly shape: FrameShape,
    readonly capacity: number,
    private readonly dice: Dice,
    private readonly skipForced: boolean,
    private readonly net: Agent | null,
  ) {
    this.states = new Int32Array(capacity * game.stateSize);
    this.legalBytes = Math.ceil(game.actions.length / 8);
    this.legal = new Uint8Array(capacity * this.legalBytes);
    this.actors = new Int8Array(capacity).fill(EMPTY);
    this.viewers = new Int8Array(capacity);
    this.rows = this.newRows(1);
  }

  /** Bytes that a node takes. */
  static bytes(game: Game): number {
    return 4 * game.stateSize + Math.ceil(game.actions.length / 8) + 2;
  }

  /** The situation in a node, in the memory of the node. @throws KesselError `bad-option` when there is none */
  state(node: number): State {
    if (!(node >= 0 && node < this.capacity))
      throw new KesselError("bad-option", `nodes are 0 to ${this.capacity - 1}, not ${node}`);
    if (this.actors[node] === EMPTY) throw new KesselError("bad-option", `node ${node} holds no situation yet`);
    return this.stateAt(node);
  }

  /** True when the game in a node is over. */
  over(node: number): boolean {
    return this.actors[node] === NOBODY;
  }

  /**
   * Plays the rows of a request and writes what they come to. Nodes are read before any is written.
   *
   * @param batch of the environments
   * @throws KesselError `bad-option`, `bad-action`, `illegal-action`, `not-reset`; no node has changed then
   */
  expand(expansion: Expansion, batch: Batch, target: FrameTarget): void | Promise<void> {
    const n = expansion.from.length;
    this.check(expansion, batch);
    if (this.rows.size < n) this.rows = this.newRows(n);
    this.play(expansion, batch);
    const observed = expansion.layout.entries.some(([name]) => name === "globals");
    const judged = expansion.layout.entries.some(([name]) => name === "policy" || name === "value");
    const { views, viewers } = this.rows;
    if (observed || judged) for (let k = 0; k < n; k++) this.game.observe(this.stateOf(k), viewers[k]!, views[k]!);
    const finish = (): void => {
      this.keep(expansion);
      this.write(expansion.layout, n, target);
    };
    return judged ? this.judge(n).then(finish) : finish();
  }

  /** Puts the net's estimate in the place of the returns that games would have had which were cut off. */
  async appraise({ ends, terminated, returns, size }: Playouts): Promise<void> {
    const { game } = this;
    const cut = ends.flatMap((_, k) => (terminated[k] === 1 ? [] : [k]));
    const P = game.players.length;
    if (this.net === null || cut.length === 0 || P > 2) return;
    if (this.rows.size < cut.length) this.rows = this.newRows(size);
    const { actors, mask, views, value } = this.rows;
    cut.forEach((k, row) => {
      const s = ends[k]!;
      actors[row] = game.actor(s);
      game.legalMask(s, mask, row * game.actions.length);
      game.observe(s, actors[row]!, views[row]!);
    });
    await this.judge(cut.length);
    cut.forEach((k, row) => {
      for (let p = 0; p < P; p++) returns[k * P + p] = p === actors[row] ? value[row]! : -value[row]!;
    });
  }

  /** @throws KesselError `bad-option`, `bad-action`, `illegal-action`, `not-reset` */
  private check({ from, to, actions, environments, resample }: Expansion, batch: Batch): void {
    const { game, capacity } = this;
    const A = game.actions.length;
    const used = new Set<number>();
    for (let k = 0; k < from.length; k++) {
      const node = to[k]!;
      if (node !== NONE && !(node >= 0 && node < capacity))
        throw new KesselError(
          "bad-option",
          `row ${k}: nodes are 0 to ${capacity - 1}, or -1 to keep none, not ${node}`,
        );
      if (node !== NONE && used.has(node))
        throw new KesselError("bad-option", `row ${k}: node ${node} is written twice`);
      used.add(node);
      const i = from[k]!;
      if (!environments) this.state(i);
      else if (batch.episodes[i]! < 0) throw new KesselError("not-reset", "reset the batch first");
      const actor = environments ? batch.actors[i]! : this.actors[i]!;
      const action = actions[k]!;
      if (actor < 0 && (action !== NONE || resample))
        throw new KesselError("not-reset", `row ${k}: ${environments ? "environment" : "node"} ${i} is over`);
      if (action === NONE) continue;
      if (!(action >= 0 && action < A))
        throw new KesselError(
          "bad-action",
          `row ${k}: actions of ${game.type.id} are 0 to ${A - 1}, or -1 to play none, not ${action}`,
        );
      const legal = environments ? batch.mask[i * A + action] === 1 : this.isLegal(i, action);
      if (!legal) {
        const state = environments ? batch.states[i]! : this.stateAt(i);
        const count = environments ? batch.legalCounts[i]! : this.countLegal(i);
        const e = illegalAction(game, game.actions[action]!, actorName(game, state), count);
        throw new KesselError(e.code, `row ${k}: ${e.message}`);
      }
    }
  }

  /** Plays all rows in memory of their own. */
  private play({ from, actions, environments, resample, seed }: Expansion, batch: Batch): void {
    const { game, dice, rows } = this;
    const rng = seed === null ? null : new Rng(seed);
    const P = game.players.length;
    rows.rewards.fill(0, 0, from.length * P);
    for (let k = 0; k < from.length; k++) {
      const source = this.source(from[k]!, environments ? batch : null);
      const s = this.stateOf(k);
      if (resample) rows.exact[k] = game.resample(source.state, source.actor, s, rng!) ? 1 : 0;
      else {
        s.set(source.state);
        rng?.freshStream(s);
      }
      rows.viewers[k] = source.viewer;
      const action = actions[k]!;
      if (action !== NONE) {
        rows.viewers[k] = source.actor;
        dice.begin(s);
        game.apply(s, action, dice);
      }
      this.settle(k, action !== NONE);
    }
  }

  private source(i: number, batch: Batch | null): Source {
    return batch === null
      ? { state: this.stateAt(i), actor: this.actors[i]!, viewer: this.viewers[i]! }
      : { state: batch.states[i]!, actor: batch.actors[i]!, viewer: batch.viewers[i]! };
  }

  /** Finds out who acts in a row and what is legal, after forced decisions. @param untouched as of `legalMask` */
  private settle(k: number, untouched: boolean): void {
    const { game, rows, dice } = this;
    const A = game.actions.length;
    const P = game.players.length;
    const s = this.stateOf(k);
    for (;;) {
      const actor = game.actor(s);
      rows.actors[k] = actor;
      rows.terminated[k] = actor === NOBODY ? 1 : 0;
      if (actor === NOBODY) {
        rows.mask.fill(0, k * A, (k + 1) * A);
        game.returns(s, rows.rewards.subarray(k * P, (k + 1) * P));
        return;
      }
      rows.viewers[k] = actor;
      const legal = game.legalMask(s, rows.mask, k * A, untouched);
      if (legal !== 1 || !this.skipForced) return;
      dice.begin(s);
      game.apply(s, rows.mask.indexOf(1, k * A) - k * A, dice);
      untouched = true;
    }
  }

  /** Asks the net about the first `n` rows. */
  private async judge(n: number): Promise<void> {
    const { game, net, rows } = this;
    const { mask, netMask, actors, policy, value, joined } = rows;
    const A = game.actions.length;
    netMask.set(mask.subarray(0, n * A));
    for (let k = 0; k < n; k++) if (actors[k]! < 0) netMask[k * A] = 1;
    const decisions: Decisions = {
      game,
      size: n,
      actors,
      observation: rows.all,
      mask: netMask,
      ...(joined && { joined }),
      view: refused,
      sample: refused,
      known: refused,
    };
    const found = await net!.evaluate!(decisions);
    for (let k = 0; k < n; k++) {
      const over = actors[k]! < 0;
      value[k] = over ? 0 : found.value[k]!;
      if (over) policy.fill(0, k * A, (k + 1) * A);
      else softmaxLegal(found.policy, mask, k * A, A, policy);
    }
  }

  /** Puts the rows into their nodes. */
  private keep({ to }: Expansion): void {
    const { rows, legal, legalBytes, game } = this;
    const A = game.actions.length;
    for (let k = 0; k < to.length; k++) {
      const node = to[k]!;
      if (node === NONE) continue;
      this.stateAt(node).set(this.stateOf(k));
      this.actors[node] = rows.actors[k]!;
      this.viewers[node] = rows.viewers[k]!;
      const at = node * legalBytes;
      for (let b = 0, a = k * A; b < legalBytes; b++) {
        let bits = 0;
        for (let j = 0, left = Math.min(8, A - 8 * b); j < left; j++) bits |= rows.mask[a++]! << j;
        legal[at + b] = bits;
      }
    }
  }

  private write(layout: FrameLayout, n: number, target: FrameTarget): void {
    const { rows, shape } = this;
    const P = this.game.players.length;
    const A = this.game.actions.length;
    if (rows.joined !== null && layout.entries.some(([name]) => name === "globals"))
      for (let k = 0; k < n; k++) for (const t of TENSORS) rows.all[t].set(rows.views[k]![t], k * shape.sizes[t]);
    for (const [name, , , at] of layout.entries) {
      const tensor = name as ExpansionTensor;
      switch (tensor) {
        case "mask":
          target.put(rows.mask.subarray(0, n * A), at);
          break;
        case "exact":
        case "terminated":
          target.put(rows[tensor].subarray(0, n), at);
          break;
        case "actors":
        case "value":
          target.put(bytesOf(rows[tensor].subarray(0, n)), at);
          break;
        case "rewards":
          target.put(bytesOf(rows.rewards.subarray(0, n * P)), at);
          break;
        case "policy":
          target.put(bytesOf(rows.policy.subarray(0, n * A)), at);
          break;
        default:
          target.put(shape.encode(tensor, rows.all[tensor], 0, n), at);
      }
    }
  }

  private newRows(n: number): Rows {
    const { game, net } = this;
    const A = game.actions.length;
    const joined = net?.joined === true ? joinedRows(game, n) : null;
    const plain = observationRows(game, n);
    return {
      size: n,
      states: new Int32Array(n * game.stateSize),
      actors: new Int32Array(n),
      viewers: new Int32Array(n),
      exact: new Uint8Array(n),
      mask: new Uint8Array(n * A),
      netMask: new Uint8Array(net === null ? 0 : n * A),
      rewards: new Float32Array(n * game.players.length),
      terminated: new Uint8Array(n),
      policy: new Float32Array(net === null ? 0 : n * A),
      value: new Float32Array(net === null ? 0 : n),
      views: joined?.rows ?? plain.rows,
      all: plain.all,
      joined: joined?.joined ?? null,
    };
  }

  private stateAt(node: number): State {
    const { stateSize } = this.game;
    return this.states.subarray(node * stateSize, (node + 1) * stateSize);
  }

  private stateOf(row: number): State {
    const { stateSize } = this.game;
    return this.rows.states.subarray(row * stateSize, (row + 1) * stateSize);
  }

  private isLegal(node: number, action: number): boolean {
    return ((this.legal[node * this.legalBytes + (action >> 3)]! >> (action & 7)) & 1) === 1;
  }

  private countLegal(node: number): number {
    let n = 0;
    for (let a = 0; a < this.game.actions.length; a++) if (this.isLegal(node, a)) n++;
    return n;
  }
}

function refused(): never {
  throw new InvariantError("a net reads tensors alone");
}

/** Probabilities of the legal actions of a row, 0 for the others. */
function softmaxLegal(logits: Float32Array, mask: Uint8Array, at: number, A: number, out: Float32Array): void {
  let top = -Infinity;
  for (let k = at; k < at + A; k++) if (mask[k] === 1 && logits[k]! > top) top = logits[k]!;
  let sum = 0;
  for (let k = at; k < at + A; k++) {
    out[k] = mask[k] === 1 ? Math.exp(logits[k]! - top) : 0;
    sum += out[k]!;
  }
  for (let k = at; k < at + A; k++) out[k] = out[k]! / sum;
}
