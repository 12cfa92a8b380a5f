/** Limits of the server, each an option of `kessel serve`. */
export interface Limits {
  /** Bytes of one frame. */
  readonly messageBytes: number;
  /** Batches that one connection may hold. */
  readonly batchesPerClient: number;
  /** Environments of all clients together. */
  readonly environments: number;
  /** Bytes of all batches together, as far as `make` can tell. */
  readonly batchBytes: number;
  /** Unanswered requests of one connection. */
  readonly inFlight: number;
  /** Seconds without a request after which a batch is closed. */
  readonly idleSeconds: number;
}

export const DEFAULT_LIMITS: Limits = {
  messageBytes: 64 * 1024 * 1024,
  batchesPerClient: 256,
  environments: 65_536,
  batchBytes: 4 * 1024 * 1024 * 1024,
  inFlight: 256,
  idleSeconds: 1800,
};
