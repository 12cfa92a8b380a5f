import type { Op } from "../wire/protocol.js";

/** What is left to do of a request that waits for an earlier one. */
export interface Rest<T> {
  /** Throws when the answer is no longer needed. */
  readonly check: () => void;
  readonly run: () => T | Promise<T>;
}

/**
 * What the gate gives a request to carry: the doors inside the server ask it, and know nothing of other connections.
 */
export interface Pass {
  /**
   * The header has been read, and this is its operation.
   *
   * @throws KesselError `limit` when the server has no memory for it
   */
  admit(op: Op): void;
  /** The request is about to be carried out by its batch. */
  begin(): void;
  /**
   * Waits until an earlier request about the same batch is done, then for what the connection owes, and runs the rest.
   *
   * @param earlier never rejects
   * @param isStep a step doesn't wait for what its connection owes
   */
  behind<T>(earlier: Promise<unknown>, isStep: boolean, rest: Rest<T>): Promise<T>;
}

/**
 * The pass of a request that came through no gate: it waits for earlier ones about the same batch, and for nothing
 * else.
 */
export const UNHINDERED: Pass = {
  admit: () => {},
  begin: () => {},
  behind: (earlier, _isStep, { check, run }) =>
    earlier.then(() => {
      check();
      return run();
    }),
};
