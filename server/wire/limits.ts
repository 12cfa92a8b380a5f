/** Limits of the server, each an option of `kessel serve`. */
export interface Limits {
  /** Bytes of one frame. */
  readonly messageBytes: number;
  /** Batches that one connection may hold. */
  readonly batchesPerClient: number;
  /** Environments of all clients together, and of one connection. */
  readonly environments: number;
  readonly environmentsPerClient: number;
  /** Bytes of all batches together, as `make` estimates them, and of those of one connection. */
  readonly batchBytes: number;
  readonly batchBytesPerClient: number;
  /**
   * Threads of one connection for batches with agents that search, or with models that run in processes of their own.
   */
  readonly searchesPerClient: number;
  /** How many of those that search work at a time. */
  readonly searchesAtOnce: number;
  /** Seconds that an agent may think about one decision, and that a model in a process of its own may run. */
  readonly decisionSeconds: number;
  /** Seconds that a thread may work on one request. */
  readonly requestSeconds: number;
  /** Unanswered requests of one connection. */
  readonly inFlight: number;
  /** Seconds without a request after which a batch is closed. */
  readonly idleSeconds: number;
}

export const DEFAULT_LIMITS: Limits = {
  messageBytes: 16 * 1024 * 1024,
  batchesPerClient: 256,
  environments: 65_536,
  environmentsPerClient: 49_152,
  batchBytes: 4 * 1024 * 1024 * 1024,
  batchBytesPerClient: 3 * 1024 * 1024 * 1024,
  searchesPerClient: 8,
  searchesAtOnce: 1,
  decisionSeconds: 60,
  requestSeconds: 600,
  inFlight: 256,
  idleSeconds: 1800,
};
