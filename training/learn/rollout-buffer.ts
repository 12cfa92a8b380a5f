import {
  type Game,
  newObservation,
  type Observation,
  observationRows,
  type ObservationRows,
  type StateView,
} from "../../env/index.js";
import { AUXILIARY, type Auxiliary, auxiliaryWidth } from "../nets/auxiliary.js";

/**
 * Decisions for training: the state of each and numbers about it. Observations are written from the states when a
 * minibatch is loaded, which is cheap and makes a sample about ten times smaller.
 */
export class RolloutBuffer {
  size = 0;
  /** The acting player. */
  actor: Int32Array = new Int32Array(0);
  /** The action to learn from. */
  action: Int32Array = new Int32Array(0);
  /** Target of the value: the return of the acting player, -1..1. */
  target: Float32Array = new Float32Array(0);
  /** Of the behaviour policy: log-probability of `action`, and its value. */
  logp = new Float32Array(0);
  value = new Float32Array(0);
  advantage = new Float32Array(0);
  /** The player's luck in the rolls between this decision and the player's next one; see `RollLuck`. */
  luck = new Float32Array(0);
  /** Index of the final state of the decision's game, see `addFinalState`. */
  finalStateIndex = new Int32Array(0);
  /** The game's potential for the acting player, if the run shapes rewards. */
  potential = new Float32Array(0);
  private states: Int32Array = new Int32Array(0);
  private readonly finalStates: Int32Array[] = [];

  constructor(readonly game: Game) {}

  /** Adds a decision. @returns its index; the caller fills the other columns */
  add(state: StateView, actor: number, action: number): number {
    if (this.size === this.actor.length) this.grow();
    const { stateSize } = this.game;
    const k = this.size++;
    const at = k * stateSize;
    for (let i = 0; i < stateSize; i++) this.states[at + i] = state[i]!;
    this.actor[k] = actor;
    this.action[k] = action;
    this.luck[k] = 0;
    return k;
  }

  /** Adds the final state of a game. @returns its index, for `finalStateIndex` */
  addFinalState(state: StateView): number {
    return this.finalStates.push(Int32Array.from(state)) - 1;
  }

  /** The final state of the game of sample `k`. */
  finalState(k: number): Int32Array {
    return this.finalStates[this.finalStateIndex[k]!]!;
  }

  clear(): void {
    this.size = 0;
    this.finalStates.length = 0;
  }

  /** The state of sample `k`, random stream included; a view, not a copy. */
  state(k: number): Int32Array {
    const { stateSize } = this.game;
    return this.states.subarray(k * stateSize, (k + 1) * stateSize);
  }

  /** Views of states, actors, actions and targets, `size` long: the contents of a recording. */
  columns(): Record<string, Int32Array | Float32Array> {
    const n = this.size;
    return {
      states: this.states.subarray(0, n * this.game.stateSize),
      actor: this.actor.subarray(0, n),
      action: this.action.subarray(0, n),
      target: this.target.subarray(0, n),
    };
  }

  /** Loads recorded decisions, as `columns` returned them. */
  loadColumns(columns: Readonly<Record<string, Int32Array | Float32Array>>): void {
    this.size = columns["actor"]!.length;
    this.states = columns["states"] as Int32Array;
    this.actor = columns["actor"] as Int32Array;
    this.action = columns["action"] as Int32Array;
    this.target = columns["target"] as Float32Array;
    this.logp = new Float32Array(this.size);
    this.value = new Float32Array(this.size);
    this.advantage = new Float32Array(this.size);
    this.luck = new Float32Array(this.size);
    this.potential = new Float32Array(this.size);
    this.finalStateIndex = new Int32Array(this.size);
  }

  private grow(): void {
    const n = Math.max(1024, this.actor.length * 2);
    const wider = <T extends Int32Array | Float32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.states = wider(this.states, new Int32Array(n * this.game.stateSize));
    this.actor = wider(this.actor, new Int32Array(n));
    this.action = wider(this.action, new Int32Array(n));
    this.target = wider(this.target, new Float32Array(n));
    this.logp = wider(this.logp, new Float32Array(n));
    this.value = wider(this.value, new Float32Array(n));
    this.advantage = wider(this.advantage, new Float32Array(n));
    this.luck = wider(this.luck, new Float32Array(n));
    this.potential = wider(this.potential, new Float32Array(n));
    this.finalStateIndex = wider(this.finalStateIndex, new Int32Array(n));
  }
}

const COLUMNS = ["target", "logp", "advantage"] as const;
type Column = (typeof COLUMNS)[number];

/** Buffers of a minibatch: observations and masks of the acting players, and the columns of the loss. */
export class Minibatch {
  readonly observation: ObservationRows["all"];
  /** uint8 [capacity, A] */
  readonly mask: Uint8Array;
  /**
   * float32: `chosen [capacity, A]`, 1 at the action, and `gains` and `magnet` of the same size; auxiliary ones
   * `[capacity, auxiliaryWidth]`; the others `[capacity, 1]`.
   */
  readonly columns: Record<"chosen" | Column, Float32Array> &
    Partial<Record<"gains" | "magnet" | Auxiliary, Float32Array>>;
  private readonly rows: ObservationRows["rows"];
  /** Observations of which one tensor is a prediction target: that tensor is a view of its column. */
  private readonly predicted: readonly { readonly when: "end" | "now"; readonly rows: readonly Observation[] }[];

  constructor(
    readonly game: Game,
    readonly capacity: number,
    auxiliary: readonly Auxiliary[] = [],
  ) {
    const buffers = observationRows(game, capacity);
    this.observation = buffers.all;
    this.rows = buffers.rows;
    this.mask = new Uint8Array(capacity * game.actions.length);
    const column = () => new Float32Array(capacity);
    this.columns = {
      chosen: new Float32Array(capacity * game.actions.length),
      target: column(),
      logp: column(),
      advantage: column(),
    };
    const scratch = newObservation(game.observation);
    this.predicted = auxiliary.flatMap((name) => {
      const { table, when } = AUXILIARY[name];
      const size = auxiliaryWidth(game, name);
      const all = (this.columns[name] = new Float32Array(capacity * size));
      if (table === null) return [];
      const rowOf = (i: number) => ({ ...scratch, [table]: all.subarray(i * size, (i + 1) * size) });
      return { when, rows: Array.from({ length: capacity }, (_, i) => rowOf(i)) };
    });
  }

  /** Fills row i with sample `order[from + i]`, for `n` rows. */
  load(samples: RolloutBuffer, order: ArrayLike<number>, from: number, n: number): void {
    const { game, columns } = this;
    const A = game.actions.length;
    columns.chosen.fill(0, 0, n * A);
    for (let i = 0; i < n; i++) {
      const k = order[from + i]!;
      const state = samples.state(k);
      this.loadDecision(i, state, samples.actor[k]!);
      columns.chosen[i * A + samples.action[k]!] = 1;
      for (const c of COLUMNS) columns[c][i] = samples[c][k]!;
      for (const { when, rows } of this.predicted)
        if (when === "end") game.observe(samples.finalState(k), samples.actor[k]!, rows[i]!);
        else game.observe(state, 1 - samples.actor[k]!, rows[i]!);
      if (columns.margin !== undefined)
        columns.margin[i] = (samples.actor[k] === 0 ? 1 : -1) * game.margin!(samples.finalState(k));
    }
  }

  /** Writes observation and mask of row i; the caller fills the columns. */
  loadDecision(i: number, state: StateView, actor: number): void {
    this.game.observe(state, actor, this.rows[i]!);
    this.game.legalMask(state, this.mask, i * this.game.actions.length);
  }
}
