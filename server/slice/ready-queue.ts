import type { SeatedBatch } from "../../agents/seats.js";
import { type Batch, KesselError } from "../../env/index.js";
import type { Place } from "./slice.js";

/** Whose turn it is with an environment: agents', the client's who doesn't know it yet, or his who has it in hand. */
const PLAYED = 0;
const QUEUED = 1;
const HELD = 2;

/** The rows of a reply of `ready` that a slice of a batch fills. */
export function shareOf({ first, size, of }: Place, ready: number): { readonly row: number; readonly count: number } {
  const row = Math.floor((ready * first) / of);
  return { row, count: Math.floor((ready * (first + size)) / of) - row };
}

/**
 * @param which environments a request names, the first of which has number `first`
 * @throws KesselError `bad-action` for those that the client hasn't in hand
 */
export function checkHeld(whose: Uint8Array, which: ArrayLike<number>, first = 0): void {
  for (let k = 0; k < which.length; k++) {
    const i = which[k]!;
    if (!(i >= 0 && i < whose.length))
      throw new KesselError("bad-action", `environments are 0 to ${whose.length - 1}, not ${i}`);
    if (whose[i] !== HELD)
      throw new KesselError(
        "bad-action",
        `environment ${first + i} is not the client's turn: no reply has brought it since it was stepped`,
      );
  }
}

/**
 * Checks which environments a step may take, whatever the actions.
 *
 * @param whose uint8 [B]
 * @param which the environments, int32 [n]
 * @param places the slices that each fill their share of a reply
 * @throws KesselError `bad-action`
 */
export function checkTurns(whose: Uint8Array, which: Int32Array, places: readonly Place[], ready: number): void {
  checkHeld(whose, which);
  if (new Set(which).size < which.length) throw new KesselError("bad-action", "an environment is stepped twice");
  for (const place of places) {
    const { first, size } = place;
    const { count } = shareOf(place, ready);
    let here = 0;
    for (let i = first; i < first + size; i++) if (whose[i] !== HELD) here++;
    for (const i of which) if (i >= first && i < first + size) here++;
    if (here < count)
      throw new KesselError(
        "bad-action",
        `a reply holds ${count} of the environments ${first} to ${first + size - 1}, and after this step only ${here} of them would be here; step more of those that earlier replies brought`,
      );
  }
}

/**
 * The environments of a batch, or of a slice of one, whose replies hold those K that wait for the client first, in the order
 * in which they came to wait. Agents play on only while a reply is short of environments, so what it holds follows from
 * the requests and never from time.
 */
export class ReadyQueue {
  /** int32 [K]: environments of the last reply. */
  readonly rows: Int32Array;
  /** Queued environments: `waiting` of them from `head` on, round and round. */
  private readonly queue: Int32Array;
  private head = 0;
  private waiting = 0;

  /**
   * @param seated the agents, if there are any
   * @param whose uint8 [B], which others may read
   */
  constructor(
    private readonly batch: Batch,
    count: number,
    private readonly seated: () => SeatedBatch | null,
    readonly whose: Uint8Array,
  ) {
    this.rows = new Int32Array(count);
    this.queue = new Int32Array(batch.size);
  }

  /** After a reset of all: the first that are ready. */
  restart(): void | Promise<void> {
    this.whose.fill(PLAYED);
    this.waiting = 0;
    return this.fill();
  }

  /**
   * Plays actions, then has agents play until K environments are ready.
   *
   * @param actions int32 [2, n]: environments, then an action for each
   * @throws KesselError `bad-action`, `illegal-action`, `not-reset`; then no environment has moved
   */
  step(actions: Int32Array): void | Promise<void> {
    const n = actions.length / 2;
    const which = actions.subarray(0, n);
    const { size } = this.batch;
    checkTurns(this.whose, which, [{ first: 0, size, of: size }], this.rows.length);
    this.batch.beginSome(which, actions.subarray(n));
    for (const i of which) this.whose[i] = PLAYED;
    return this.fill();
  }

  private fill(): void | Promise<void> {
    this.batch.startNextEpisodes();
    this.collect();
    return this.waiting < this.rows.length ? this.playOn() : this.take();
  }

  private async playOn(): Promise<void> {
    while (this.waiting < this.rows.length) {
      await this.seated()!.round(); // without agents all were ready at once
      this.batch.startNextEpisodes();
      this.collect();
    }
    this.take();
  }

  /** Queues what waits for the client since the last look. */
  private collect(): void {
    const { whose, queue } = this;
    const seated = this.seated();
    for (let i = 0; i < whose.length; i++) {
      if (whose[i] !== PLAYED || seated?.waits(i) === true) continue;
      whose[i] = QUEUED;
      queue[(this.head + this.waiting++) % queue.length] = i;
    }
  }

  private take(): void {
    const { whose, queue, rows } = this;
    const K = rows.length;
    for (let k = 0; k < K; k++) {
      const i = queue[(this.head + k) % queue.length]!;
      rows[k] = i;
      whose[i] = HELD;
    }
    this.head = (this.head + K) % queue.length;
    this.waiting -= K;
  }
}
