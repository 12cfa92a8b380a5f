import { type Json, KesselError, shown } from "../../env/index.js";
import type { Limits } from "../wire/limits.js";
import type { ServedBatch } from "./served-batch.js";

/** A batch, the connection that made it, and how long it is kept without a request. */
export interface Lease {
  readonly batch: ServedBatch;
  readonly client: string;
  readonly seconds: number;
  readonly bytes: number;
  /** The connection that asked something of the batch last. */
  user: string;
  /** When a request named it last, by the clock of `Leases`. */
  used: number;
  /** That connection is gone. */
  lost: boolean;
}

/** What a new batch takes of the server's limits. */
export interface Share {
  readonly environments: number;
  readonly bytes: number;
}

/**
 * The server's batches by token: grants them within the limits, and closes those that no request has named for long.
 */
export class Leases {
  private readonly byToken = new Map<string, Lease>();
  /** Batches that are being closed. */
  private readonly closing = new Set<ServedBatch>();
  private readonly total = { environments: 0, bytes: 0 };
  /** What is being made, by connection: it counts already. */
  private readonly making = new Map<string, Share[]>();
  /** Decisions played in batches that are closed. */
  private closedDecisions = 0;

  /**
   * @param clock seconds, never going back
   * @param log gets an event for each lease that runs out
   */
  constructor(
    private readonly limits: Limits,
    readonly clock: () => number,
    private readonly log: (event: string, facts: Readonly<Record<string, Json>>) => void,
  ) {}

  /**
   * Makes a batch within the limits.
   *
   * @param seconds how long it is kept without a request
   * @throws KesselError `limit`; whatever `make` throws
   */
  async grant(
    client: string,
    { environments, bytes }: Share,
    seconds: number,
    make: () => Promise<ServedBatch>,
  ): Promise<ServedBatch> {
    const share = { environments, bytes };
    this.check(client, share);
    this.making.set(client, [...(this.making.get(client) ?? []), share]);
    this.total.environments += environments;
    this.total.bytes += bytes;
    try {
      const batch = await make();
      this.byToken.set(batch.token, { batch, client, seconds, bytes, user: client, used: this.clock(), lost: false });
      return batch;
    } catch (e) {
      this.total.environments -= environments;
      this.total.bytes -= bytes;
      throw e;
    } finally {
      const others = this.making.get(client)!.filter((s) => s !== share);
      if (others.length > 0) this.making.set(client, others);
      else this.making.delete(client);
    }
  }

  has(token: string): boolean {
    return this.byToken.has(token);
  }

  /** True when the connection that named the batch last is gone. */
  isLost(token: string): boolean {
    return this.byToken.get(token)?.lost === true;
  }

  /** A connection asks something of a batch. @throws KesselError `unknown-batch` */
  use(token: string, client: string): ServedBatch {
    const lease = this.renewed(token);
    lease.user = client;
    return lease.batch;
  }

  /** Keeps a batch, by any connection: clients have one of its own for this. @throws KesselError `unknown-batch` */
  renew(token: string): void {
    this.renewed(token);
  }

  private renewed(token: string): Lease {
    const lease = this.byToken.get(token);
    if (lease === undefined) throw unknownBatch(token);
    lease.used = this.clock();
    lease.lost = false;
    return lease;
  }

  /** Closes a batch; does nothing if there is none. */
  release(token: string): Promise<void> {
    return this.end(token, null);
  }

  /**
   * Closes batches whose lease has run out. One that is being played waits, unless nobody is there to read the answer:
   * requests that wait for it are dropped, and agents that search for it stop.
   *
   * @returns how many
   */
  sweep(): number {
    const now = this.clock();
    let n = 0;
    for (const [token, { batch, used, seconds, lost }] of this.byToken) {
      const { pending } = batch;
      if (now - used <= seconds || (pending !== null && !lost)) continue;
      this.log("lease-ended", { game: batch.game.type.id, environments: batch.size, seconds });
      if (pending !== null) batch.interrupt();
      void this.end(token, pending);
      n++;
    }
    return n;
  }

  /** A connection is gone: its batches are kept for `seconds` more, for a client that comes back with their tokens. */
  lost(client: string, seconds: number): void {
    const now = this.clock();
    for (const lease of this.byToken.values()) {
      if (lease.user !== client || lease.lost) continue;
      lease.used = Math.min(lease.used, now + seconds - lease.seconds);
      lease.lost = true;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.byToken.keys()].map((token) => this.release(token)));
  }

  /** Removes the shared memory of batches whose closing has not ended: for a server that ends. */
  removeMemory(): void {
    for (const batch of this.closing) batch.memory?.close();
  }

  /** Forgets a batch, and closes it after `played`. */
  private async end(token: string, played: Promise<unknown> | null): Promise<void> {
    const lease = this.byToken.get(token);
    if (lease === undefined) return;
    this.byToken.delete(token);
    this.total.environments -= lease.batch.size;
    this.total.bytes -= lease.bytes;
    this.closing.add(lease.batch);
    if (played !== null) await played;
    await lease.batch.close();
    this.closing.delete(lease.batch);
    this.closedDecisions += lease.batch.decided;
  }

  /** Bytes of the batches that `counts` holds for. */
  bytesOf(counts: (batch: ServedBatch) => boolean): number {
    let bytes = 0;
    for (const lease of this.byToken.values()) if (counts(lease.batch)) bytes += lease.bytes;
    return bytes;
  }

  stats(): { batches: number; environments: number; batchBytes: number; decisions: number } {
    let decisions = this.closedDecisions;
    for (const { batch } of this.byToken.values()) decisions += batch.decided;
    for (const batch of this.closing) decisions += batch.decided;
    return {
      batches: this.byToken.size,
      environments: this.total.environments,
      batchBytes: this.total.bytes,
      decisions,
    };
  }

  private check(client: string, { environments, bytes }: Share): void {
    const { limits, total } = this;
    const making = this.making.get(client) ?? [];
    let batches = making.length;
    let environmentsHeld = making.reduce((n, s) => n + s.environments, 0);
    let bytesHeld = making.reduce((n, s) => n + s.bytes, 0);
    for (const lease of this.byToken.values()) {
      if (lease.client !== client) continue;
      batches++;
      environmentsHeld += lease.batch.size;
      bytesHeld += lease.bytes;
    }
    if (batches >= limits.batchesPerClient)
      throw new KesselError("limit", `a connection may hold ${limits.batchesPerClient} batches; close one first`);
    if (total.environments + environments > limits.environments)
      throw new KesselError(
        "limit",
        `the server holds at most ${limits.environments} environments; ${limits.environments - total.environments} are left, ${environments} were asked for`,
      );
    if (total.bytes + bytes > limits.batchBytes)
      throw new KesselError(
        "limit",
        `the server's batches may take ${limits.batchBytes} bytes in all; this one needs ${bytes} and ${limits.batchBytes - total.bytes} are left`,
      );
    if (environmentsHeld + environments > limits.environmentsPerClient)
      throw new KesselError(
        "limit",
        `a connection may hold ${limits.environmentsPerClient} environments; it holds ${environmentsHeld}, ${environments} more were asked for`,
      );
    if (bytesHeld + bytes > limits.batchBytesPerClient)
      throw new KesselError(
        "limit",
        `the batches of a connection may take ${limits.batchBytesPerClient} bytes; its own take ${bytesHeld}, this one needs ${bytes}`,
      );
  }
}

/** The error for a token that names no batch. */
export const unknownBatch = (token: string): KesselError =>
  new KesselError(
    "unknown-batch",
    `there is no batch ${shown(token)}: it was never made, was closed, or its lease ran out`,
  );
