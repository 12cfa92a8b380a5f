import type { SeatedBatch } from "../../agents/seats.js";
import { type Batch, KesselError } from "../../env/index.js";
import { shareOf, type SliceRange } from "./range.js";

// Who holds an environment: the server's agents; the client, but no reply has said so yet; the client, who may step it.
const OWNED_BY_AGENTS = 0;
const QUEUED_FOR_CLIENT = 1;
const HELD_BY_CLIENT = 2;

/**
 * Checks that the client holds every environment a request names.
 *
 * @param ownership uint8 [B]
 * @param which rows of `ownership`
 * @param first number of row 0 in messages
 * @throws KesselError `bad-action`
 */
export function checkHeld(ownership: Uint8Array, which: ArrayLike<number>, first = 0): void {
  for (let k = 0; k < which.length; k++) {
    const i = which[k]!;
    if (!(i >= 0 && i < ownership.length))
      throw new KesselError("bad-action", `environments are 0 to ${ownership.length - 1}, not ${i}`);
    if (ownership[i] !== HELD_BY_CLIENT)
      throw new KesselError(
        "bad-action",
        `environment ${first + i} is not the client's turn: no reply has brought it since it was stepped`,
      );
  }
}

/**
 * Checks that a step may take these environments, whatever the actions are.
 *
 * @param ownership uint8 [B]
 * @param which int32 [n]
 * @param ranges the slices; each fills its own share of a reply
 * @throws KesselError `bad-action`
 */
export function checkTurns(
  ownership: Uint8Array,
  which: Int32Array,
  ranges: readonly SliceRange[],
  ready: number,
): void {
  checkHeld(ownership, which);
  if (new Set(which).size < which.length) throw new KesselError("bad-action", "an environment is stepped twice");
  for (const range of ranges) {
    const { first, size } = range;
    const { count } = shareOf(range, ready);
    let here = 0;
    for (let i = first; i < first + size; i++) if (ownership[i] !== HELD_BY_CLIENT) here++;
    for (const i of which) if (i >= first && i < first + size) here++;
    if (here < count)
      throw new KesselError(
        "bad-action",
        `a reply holds ${count} of the environments ${first} to ${first + size - 1}, and after this step only ${here} of them would be here; step more of those that earlier replies brought`,
      );
  }
}

/**
 * Serves a batch made with `ready: K`, or a slice of one: each reply holds the K environments that have waited longest
 * for the client. Agents play on only while fewer than K wait, so a reply follows from the requests, never from timing.
 */
export class ReadyQueue {
  /** int32 [K]: the environments of the last reply. */
  readonly rows: Int32Array;
  /** Ring buffer of environments queued for the client: `waiting` of them, from `head` on. */
  private readonly queue: Int32Array;
  private head = 0;
  private waiting = 0;

  /**
   * @param count K
   * @param seated the server's agents, null without any
   * @param ownership uint8 [B], written here; other threads may read it
   */
  constructor(
    private readonly batch: Batch,
    count: number,
    private readonly seated: () => SeatedBatch | null,
    readonly ownership: Uint8Array,
  ) {
    this.rows = new Int32Array(count);
    this.queue = new Int32Array(batch.size);
  }

  /** Starts over after a reset of all environments. */
  restart(): void | Promise<void> {
    this.ownership.fill(OWNED_BY_AGENTS);
    this.waiting = 0;
    return this.fill();
  }

  /**
   * Plays actions, then lets agents play until K environments are ready.
   *
   * @param actions int32 [2, n]: environments, then an action for each
   * @throws KesselError `bad-action`, `illegal-action`, `not-reset`; no environment has moved then
   */
  step(actions: Int32Array): void | Promise<void> {
    const n = actions.length / 2;
    const which = actions.subarray(0, n);
    const { size } = this.batch;
    checkTurns(this.ownership, which, [{ first: 0, size, of: size }], this.rows.length);
    this.batch.beginSome(which, actions.subarray(n));
    for (const i of which) this.ownership[i] = OWNED_BY_AGENTS;
    return this.fill();
  }

  private fill(): void | Promise<void> {
    this.batch.startNextEpisodes();
    this.collect();
    return this.waiting < this.rows.length ? this.playOn() : this.take();
  }

  private async playOn(): Promise<void> {
    while (this.waiting < this.rows.length) {
      await this.seated()!.round(); // never null here: without agents every environment is ready at once
      this.batch.startNextEpisodes();
      this.collect();
    }
    this.take();
  }

  /** Queues the environments that have begun to wait for the client. */
  private collect(): void {
    const { ownership, queue } = this;
    const seated = this.seated();
    for (let i = 0; i < ownership.length; i++) {
      if (ownership[i] !== OWNED_BY_AGENTS || seated?.waits(i) === true) continue;
      ownership[i] = QUEUED_FOR_CLIENT;
      queue[(this.head + this.waiting++) % queue.length] = i;
    }
  }

  private take(): void {
    const { ownership, queue, rows } = this;
    const K = rows.length;
    for (let k = 0; k < K; k++) {
      const i = queue[(this.head + k) % queue.length]!;
      rows[k] = i;
      ownership[i] = HELD_BY_CLIENT;
    }
    this.head = (this.head + K) % queue.length;
    this.waiting -= K;
  }
}
