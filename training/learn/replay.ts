import type { Game, StateView } from "../../env/index.js";
import type { Checkpoint, Numbers } from "./checkpoint.js";
import type { Minibatch } from "./rollout-buffer.js";

/** A searched decision. */
export interface SearchedDecision {
  readonly state: StateView;
  readonly actor: number;
  /** float32 [A]: what the policy is to become, or, with `gains`, what it was. */
  readonly policy: Float32Array;
  /** float32 [A]: how much more than the policy each action returns to the actor. */
  readonly gains: Float32Array | null;
}

const NEXT = 0;
const SIZE = 1;

/** Memory of a learner's replay buffer; can be sent to threads. */
export interface ReplayMemory {
  readonly capacity: number;
  readonly gains: boolean;
  readonly words: SharedArrayBuffer;
}

/**
 * @param capacity most decisions
 * @param gains these are kept too
 */
export function replayMemory(game: Game, capacity: number, gains: boolean): ReplayMemory {
  const words = 2 + capacity * (game.stateSize + 2 + (gains ? 2 : 1) * game.actions.length);
  return { capacity, gains, words: new SharedArrayBuffer(4 * words) };
}

/**
 * The decisions learnt from: those searched last, of several updates. A ring in memory that the leading learner shares,
 * so that it can save those of all learners.
 */
export class Replay {
  readonly capacity: number;
  private readonly control: Int32Array;
  private readonly states: Int32Array;
  private readonly actors: Int32Array;
  private readonly targets: Float32Array;
  private readonly policies: Float32Array;
  /** Empty when no gains are kept. */
  private readonly gains: Float32Array;

  constructor(
    private readonly game: Game,
    { capacity, gains, words }: ReplayMemory,
  ) {
    this.capacity = capacity;
    const A = game.actions.length;
    let at = 0;
    const part = (length: number): [SharedArrayBuffer, number, number] => {
      at += 4 * length;
      return [words, at - 4 * length, length];
    };
    this.control = new Int32Array(...part(2));
    this.states = new Int32Array(...part(capacity * game.stateSize));
    this.actors = new Int32Array(...part(capacity));
    this.targets = new Float32Array(...part(capacity));
    this.policies = new Float32Array(...part(capacity * A));
    this.gains = new Float32Array(...part(gains ? capacity * A : 0));
  }

  get size(): number {
    return this.control[SIZE]!;
  }

  /** Adds a decision, in the place of the oldest when it is full. @param target of the value, for the actor */
  add({ state, actor, policy, gains }: SearchedDecision, target: number): void {
    const { control, capacity } = this;
    const k = control[NEXT]!;
    control[NEXT] = (k + 1) % capacity;
    control[SIZE] = Math.min(capacity, control[SIZE]! + 1);
    const words = this.game.stateSize;
    for (let i = 0; i < words; i++) this.states[k * words + i] = state[i]!;
    this.actors[k] = actor;
    this.targets[k] = target;
    this.policies.set(policy, k * policy.length);
    if (gains !== null) this.gains.set(gains, k * gains.length);
  }

  /** Fills the first rows of a minibatch, one for each index in `rows`. */
  load(batch: Minibatch, rows: ArrayLike<number>): void {
    const { stateSize, actions } = this.game;
    const A = actions.length;
    for (let i = 0; i < rows.length; i++) {
      const k = rows[i]!;
      batch.loadDecision(i, this.states.subarray(k * stateSize, (k + 1) * stateSize), this.actors[k]!);
      batch.columns.chosen.set(this.policies.subarray(k * A, (k + 1) * A), i * A);
      batch.columns.gains?.set(this.gains.subarray(k * A, (k + 1) * A), i * A);
      batch.columns.target[i] = this.targets[k]!;
    }
  }

  /** The decisions it holds, as arrays of a checkpoint whose names begin with `name`. */
  save(name: string): Record<string, Numbers> {
    const n = this.size;
    return {
      [`${name}/control`]: this.control,
      [`${name}/states`]: this.states.subarray(0, n * this.game.stateSize),
      [`${name}/actors`]: this.actors.subarray(0, n),
      [`${name}/targets`]: this.targets.subarray(0, n),
      [`${name}/policies`]: this.policies.subarray(0, n * this.game.actions.length),
      ...(this.gains.length > 0 && { [`${name}/gains`]: this.gains.subarray(0, n * this.game.actions.length) }),
    };
  }

  restore(name: string, { arrays }: Checkpoint): void {
    for (const part of ["control", "states", "actors", "targets", "policies"] as const)
      this[part].set(arrays[`${name}/${part}`]!);
    if (this.gains.length > 0) this.gains.set(arrays[`${name}/gains`]!);
  }
}
