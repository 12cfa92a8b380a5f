import { availableParallelism } from "node:os";
import { SHIPPED } from "../agents/onnx.js";
import {
  describe,
  type ErrorCode,
  GAMES,
  type Game,
  type GameData,
  type GameType,
  type Json,
  KesselError,
  oneOf,
  schemaHash,
  shown,
} from "../env/index.js";
import { bytesPerEnvironment, type HostedBatch } from "./batch/served-batch.js";
import { KESSEL, type Library, Shelf } from "./threads/library.js";
import { DEFAULT_LIMITS, type Limits } from "./wire/limits.js";
import { LocalBatch } from "./batch/in-process-batch.js";
import { pack, readStep, unpack } from "./wire/msgpack.js";
import type { Body, Outcome } from "./slice/questions.js";
import {
  errorHeader,
  idOf,
  OPS,
  parseRequest,
  PROTOCOL,
  type Reply,
  type Request,
  type RequestOf,
} from "./wire/protocol.js";
import { RemoteBatch } from "./batch/threaded-batch.js";
import { Scribe } from "./threads/observation-helper.js";
import { Threads } from "./threads/worker-pool.js";

export interface HandlerOptions extends Partial<Library> {
  /** Games on offer. Default: all that are registered. */
  readonly games?: readonly GameType[];
  /** Worker threads that batches are stepped in. Default 0: all in this thread. */
  readonly workers?: number;
  /**
   * Memory of batches, but for small ones, that are stepped in this thread though there are others, which is the shorter
   * way; batches beyond it go to the others. Default 8 MiB.
   */
  readonly localBytes?: number;
  /** A module whose export `library` is where worker threads have games and agents from, when it isn't Kessel's own. */
  readonly module?: string;
  /** Folder that model files are read from, and none from elsewhere. Default: the models that come with Kessel. */
  readonly models?: string;
  readonly limits?: Partial<Limits>;
  /** Told of events and of failures that are ours; gets nothing that a game hides. */
  readonly log?: (event: string, facts: Readonly<Record<string, Json>>) => void;
  /** Clients are on this machine and may read replies from memory that they share with the server. Default false. */
  readonly shares?: boolean;
  /** Seconds, never going back. */
  readonly clock?: () => number;
  /** Version of the program, for `hello`. */
  readonly version?: string;
}

interface Lease {
  readonly hosted: HostedBatch;
  /** The connection that made it. */
  readonly client: string;
  readonly seconds: number;
  readonly bytes: number;
  used: number;
}

/** Most environments of a batch that is stepped in the thread of the socket, however many there are. */
const SMALL = 16;
/** Default of `localBytes`: what is stepped and shown in a few milliseconds. */
const LOCAL_BYTES = 8 * 1024 * 1024;

/**
 * Message in, message out: the whole server but for its sockets. A batch answers its requests in the order in which they
 * came; requests to different batches don't wait for each other.
 */
export class Handler {
  readonly limits: Limits;
  private readonly games: readonly GameType[];
  private readonly library: Library;
  private readonly shelf: Shelf;
  private readonly threads: Threads | null;
  /** Helps this thread to write observations, where there is a core for it. */
  private readonly scribe: Scribe | null;
  private readonly log: NonNullable<HandlerOptions["log"]>;
  private readonly clock: () => number;
  private readonly started: number;
  private readonly leases = new Map<string, Lease>();
  private readonly held = { environments: 0, bytes: 0 };
  private readonly count = { requests: 0, errors: 0 };
  /** Decisions played in batches that are closed. */
  private decided = 0;

  constructor(private readonly options: HandlerOptions = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.games = options.games ?? GAMES;
    this.library = { load: options.load ?? KESSEL.load, makeAgent: options.makeAgent ?? KESSEL.makeAgent };
    this.shelf = new Shelf(this.library.load);
    this.log = options.log ?? (() => {});
    this.clock = options.clock ?? (() => performance.now() / 1000);
    this.started = this.clock();
    const { workers = 0, module: library, models = SHIPPED } = options;
    this.threads = workers === 0 ? null : new Threads(workers, { library, models }, this.log);
    this.scribe = workers === 0 || availableParallelism() === 1 ? null : new Scribe({ library, models }, this.log);
  }

  /**
   * Answers one message; never throws and never rejects.
   *
   * @param client names the connection
   * @param frames a header, and for some operations a data frame
   */
  handle(client: string, frames: readonly Buffer[]): Reply | Promise<Reply> {
    let id: number | null = null;
    let op = "";
    this.count.requests++;
    const failed = (e: unknown): Reply => ({ header: pack(this.explain(e, id, op)) });
    try {
      const step = frames.length === 2 ? readStep(frames[0]!) : null;
      if (step !== null && this.leases.has(step.batch)) {
        id = step.id;
        op = "step";
        return this.answered(step.id, this.ofBatch({ op: "step", ...step }, frames[1]), failed);
      }
      if (frames.length < 1 || frames.length > 2)
        throw new KesselError(
          "bad-message",
          `a message is a header frame and perhaps a data frame, not ${frames.length} frames`,
        );
      const header = unpack(frames[0]!);
      id = idOf(header);
      if (id === null)
        throw new KesselError("bad-message", `id is a whole number from 0 to 2^53-1, not ${shown(header["id"])}`);
      const request = parseRequest(header, frames.length === 2);
      op = request.op;
      return this.answered(id, this.answer(client, request, frames[1]), failed);
    } catch (e) {
      return failed(e);
    }
  }

  private answered(id: number, outcome: Outcome, failed: (e: unknown) => Reply): Reply | Promise<Reply> {
    return outcome instanceof Promise ? outcome.then((body) => reply(id, body)).catch(failed) : reply(id, outcome);
  }

  /** Answers a message without looking into it further than for its id. */
  refuse(frames: readonly Uint8Array[], code: ErrorCode, message: string): Reply {
    this.count.requests++;
    let id: number | null = null;
    try {
      id = idOf(unpack(frames[0] ?? new Uint8Array(0)));
    } catch (e) {
      return { header: pack(this.explain(e, null, "")) };
    }
    return { header: pack(this.explain(new KesselError(code, message), id, "")) };
  }

  /** Closes batches whose lease has run out. @returns how many */
  sweep(): number {
    const now = this.clock();
    let n = 0;
    for (const [token, { hosted, used, seconds }] of this.leases) {
      if (now - used <= seconds || hosted.pending !== null) continue;
      this.log("lease-ended", { game: hosted.game.type.id, environments: hosted.size, seconds });
      void this.release(token);
      n++;
    }
    return n;
  }

  /** A connection is gone: its batches are kept for `seconds` more, for whoever comes back knowing their names. */
  lost(client: string, seconds: number): void {
    const now = this.clock();
    for (const lease of this.leases.values())
      if (lease.client === client) lease.used = Math.min(lease.used, now + seconds - lease.seconds);
  }

  /** Ends all batches. */
  async close(): Promise<void> {
    await Promise.all([...this.leases.keys()].map((token) => this.release(token)));
    await Promise.all([this.threads?.close(), this.scribe?.close()]);
  }

  stats(): Record<string, number> {
    let decisions = this.decided;
    for (const { hosted } of this.leases.values()) decisions += hosted.decided;
    return {
      uptime: this.clock() - this.started,
      batches: this.leases.size,
      environments: this.held.environments,
      batchBytes: this.held.bytes,
      processBytes: process.memoryUsage.rss(),
      cpuSeconds: cpuSeconds(),
      scribeBlocks: this.scribe?.written ?? 0,
      ...this.count,
      decisions,
    };
  }

  private answer(client: string, request: Request, data: Uint8Array | undefined): Outcome {
    switch (request.op) {
      case "hello":
        return this.hello(request);
      case "list":
        return {
          games: this.games.map(({ id, title, credits, version, reconstructed }) => ({
            id,
            title,
            credits,
            version,
            reconstructed,
          })),
        };
      case "describe":
        return { game: describe(this.game(request)) };
      case "make":
        return this.make(client, request);
      case "ping":
        for (const token of request.batches ?? []) this.use(token);
        return {};
      case "stats":
        return { stats: this.stats() };
      default:
        return this.ofBatch(request, data);
    }
  }

  private hello(request: RequestOf<"hello">): Body {
    if (request.protocol !== undefined && request.protocol !== PROTOCOL)
      throw new KesselError(
        "bad-version",
        `this server speaks protocol ${PROTOCOL}, the client speaks ${request.protocol}; install the client that came with the server`,
      );
    return {
      protocol: PROTOCOL,
      server: "kessel",
      version: this.options.version ?? "",
      operations: OPS,
      dtypes: ["float32", "uint8"],
      limits: this.limits,
      games: this.games.map((g) => g.id),
    };
  }

  private async make(client: string, request: RequestOf<"make">): Promise<Body> {
    const game = this.game(request);
    const { limits, held } = this;
    let mine = 0;
    for (const lease of this.leases.values()) if (lease.client === client) mine++;
    if (mine >= limits.batchesPerClient)
      throw new KesselError("limit", `a connection may hold ${limits.batchesPerClient} batches; close one first`);
    if (held.environments + request.size > limits.environments)
      throw new KesselError(
        "limit",
        `the server holds at most ${limits.environments} environments; ${limits.environments - held.environments} are left, ${request.size} were asked for`,
      );
    const bytes = request.size * bytesPerEnvironment(game, request);
    if (held.bytes + bytes > limits.batchBytes)
      throw new KesselError(
        "limit",
        `the server's batches may take ${limits.batchBytes} bytes in all; this one needs ${bytes} and ${limits.batchBytes - held.bytes} are left`,
      );
    const seconds = Math.min(request.lease ?? limits.idleSeconds, limits.idleSeconds);
    held.environments += request.size;
    held.bytes += bytes;
    try {
      const hosted = await this.place(client, game, request, bytes);
      this.leases.set(hosted.token, { hosted, client, seconds, bytes, used: this.clock() });
      return {
        batch: hosted.token,
        size: request.size,
        players: game.players,
        external: hosted.external,
        autoreset: hosted.autoreset,
        schema: schemaHash(game),
        tensors: hosted.shape.base.entries,
        lease: seconds,
        privileged: hosted.privileged,
        ...(hosted.memory && { memory: { path: hosted.memory.path, slotBytes: hosted.memory.slotBytes } }),
      };
    } catch (e) {
      held.environments -= request.size;
      held.bytes -= bytes;
      throw e;
    }
  }

  /** Small batches and the first larger ones that need nothing costly stay in this thread, which saves the way to another. */
  private place(client: string, game: Game, request: RequestOf<"make">, bytes: number): Promise<HostedBatch> {
    const { models = SHIPPED, shares = false, localBytes = LOCAL_BYTES } = this.options;
    const easy =
      request.privileged !== true &&
      Object.values(request.seats ?? {}).every((s) => s === "external" || s === "random");
    let local = bytes;
    for (const lease of this.leases.values())
      if (lease.hosted instanceof LocalBatch && lease.hosted.size > SMALL) local += lease.bytes;
    if (this.threads === null || (easy && (request.size <= SMALL || local <= localBytes)))
      return LocalBatch.make(game, request, this.library.makeAgent, models, shares, this.scribe);
    return RemoteBatch.make(game, request, client, this.threads, shares);
  }

  private ofBatch(request: Extract<Request, { batch: string }>, data: Uint8Array | undefined): Outcome {
    const { hosted } = this.use(request.batch);
    for (const slot of request.free ?? []) hosted.free(slot);
    const run = (): Outcome => {
      if (!this.leases.has(request.batch)) throw unknownBatch(request.batch);
      if (request.op === "close") return this.release(request.batch).then(() => ({}));
      return hosted.run(request, data);
    };
    if (hosted.pending === null) {
      const outcome = run();
      if (!(outcome instanceof Promise)) return outcome;
      return this.queue(hosted, outcome);
    }
    return this.queue(hosted, hosted.pending.then(run));
  }

  /** Makes later requests to the batch wait for `outcome`. */
  private queue(hosted: HostedBatch, outcome: Promise<Body>): Promise<Body> {
    const done = (): void => {
      if (hosted.pending === settled) hosted.pending = null;
    };
    const settled: Promise<void> = outcome.then(done, done);
    hosted.pending = settled;
    return outcome;
  }

  private use(token: string): Lease {
    const lease = this.leases.get(token);
    if (lease === undefined) throw unknownBatch(token);
    lease.used = this.clock();
    return lease;
  }

  private async release(token: string): Promise<void> {
    const lease = this.leases.get(token);
    if (lease === undefined) return;
    this.leases.delete(token);
    this.held.environments -= lease.hosted.size;
    this.held.bytes -= lease.bytes;
    this.decided += lease.hosted.decided;
    await lease.hosted.close();
  }

  private game(request: {
    game: string;
    options?: Record<string, unknown> | undefined;
    data?: GameData | undefined;
  }): Game {
    const ids = this.games.map((g) => g.id);
    if (!ids.includes(request.game))
      throw new KesselError("unknown-game", `there is no game ${shown(request.game)}; there are ${oneOf(ids)}`);
    return this.shelf.game(request);
  }

  /** The header of an error reply. What is a failure of ours is logged by place, without its text, which might tell secrets. */
  private explain(e: unknown, id: number | null, op: string): Record<string, unknown> {
    this.count.errors++;
    if (e instanceof KesselError) return errorHeader(id, e.code, e.message);
    const err = e instanceof Error ? e : new Error("unknown");
    const where = (err.stack ?? "")
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .slice(0, 8)
      .map((line) => line.trim());
    this.log("internal-error", { op, name: err.name, where });
    return errorHeader(
      id,
      "internal",
      `the server failed at ${op === "" ? "a message" : shown(op)}; its log says where`,
    );
  }
}

const unknownBatch = (token: string): KesselError =>
  new KesselError(
    "unknown-batch",
    `there is no batch ${shown(token)}: it was never made, was closed, or its lease ran out`,
  );

function reply(id: number, { packed, ...body }: Body): Reply {
  if (packed === undefined) return { header: pack({ id, ...body }) };
  const { tensors, data, slot } = packed;
  const header = pack({ id, ...body, ...(tensors && { tensors }), ...(slot !== undefined && { slot }) });
  return data === undefined ? { header } : { header, data };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
