/** What the server grants; options of `kessel serve`. */
export interface Limits {
  /** Bytes of one frame. */
  readonly messageBytes: number;
  /** Batches that one connection may hold. */
  readonly batchesPerClient: number;
  /** Environments of all clients together. */
  readonly environments: number;
  /** Memory of all batches together, as far as it is known beforehand. */
  readonly batchBytes: number;
  /** Requests of one connection that wait for an answer. */
  readonly inFlight: number;
  /** Seconds after which a batch that nobody uses is closed. */
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
