import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { SHIPPED } from "../agents/model-file.js";
import {
  describe,
  type ErrorCode,
  GAMES,
  type Game,
  type GameType,
  type Json,
  KesselError,
  oneOf,
  schemaHash,
  shown,
} from "../env/index.js";
import { OffThread } from "./batch/off-thread.js";
import { Leases, unknownBatch } from "./batch/leases.js";
import { bytesPerEnvironment, type ServedBatch } from "./batch/served-batch.js";
import { KESSEL, type Library, GameCache } from "./threads/library.js";
import type { SliceHost } from "./slice/slice.js";
import { DEFAULT_LIMITS, type Limits } from "./wire/limits.js";
import { InProcessBatch } from "./batch/in-process-batch.js";
import { SMALL, stepsHere } from "./batch/placement.js";
import { pack, Packed, readId, readStep, unpack } from "./wire/msgpack.js";
import { type Answer, type Body, reply } from "./slice/body.js";
import { seatsFrom, slowOf } from "./slice/seats.js";
import { errorHeader, idOf, OPS, parseRequest, type Reply, type Request, type RequestOf } from "./wire/protocol.js";
import { PROTOCOL } from "./wire/version.js";
import { type Pass, UNHINDERED } from "./gate/pass.js";
import { shortageOf } from "./shortages.js";
import { failureOf } from "./stack-lines.js";
import { ThreadedBatch } from "./batch/threaded-batch.js";
import { ObservationHelper } from "./threads/observation-helper.js";
import { WorkerPool } from "./threads/worker-pool.js";

export interface HandlerOptions extends Partial<Library> {
  /** Games on offer. Default: all that are registered. */
  readonly games?: readonly GameType[];
  /** Worker threads that step batches. Default 0: the socket's thread steps all. */
  readonly workers?: number;
  /**
   * Bytes of batches that are stepped in the socket's thread though there are workers, which saves the way to another
   * thread; small batches don't count, further ones and those of over 1,024 environments go to the workers. Default 24
   * MiB, or 8 MiB for games with heavy steps.
   */
  readonly localBytes?: number;
  /** A module whose export `library` gives worker threads their games and agents. Default: Kessel's own. */
  readonly module?: string;
  /** The only folder that model files are read from. Default: the models that come with Kessel. */
  readonly models?: string;
  /**
   * Models run in the threads that play, also those that don't come with Kessel. Default: in processes of their own.
   */
  readonly trustModels?: boolean;
  /** Dice come from a cipher under this key (32 bytes), which no client can learn. Default: from the seeds alone. */
  readonly diceKey?: Uint8Array;
  readonly limits?: Partial<Limits>;
  /** Called with events and internal errors; never with anything that a game hides. */
  readonly log?: (event: string, facts: Readonly<Record<string, Json>>) => void;
  /** Clients are on this machine and may read replies from shared memory. Default false. */
  readonly shares?: boolean;
  /** Signs saved states; servers with the same key load each other's. Default: a key of this server's alone. */
  readonly stateKey?: Uint8Array;
  /** Seconds, never going back. */
  readonly clock?: () => number;
  /** Version of the program, for `hello`. */
  readonly version?: string;
}

const STOP_MS = 500;
/** Bytes of a header that is not unpacked to be refused. */
const LONG_HEADER = 65_536;

/**
 * Message in, message out: the server without its sockets. Requests to one batch are answered in order; requests to
 * different batches don't wait for each other.
 */
export class Handler {
  readonly limits: Limits;
  private readonly games: readonly GameType[];
  private readonly library: Library;
  private readonly gameCache: GameCache;
  private readonly host: SliceHost;
  private readonly threads: WorkerPool | null;
  /** Helps this thread write observations; null without a core for it. */
  private readonly helper: ObservationHelper | null;
  private readonly log: NonNullable<HandlerOptions["log"]>;
  private readonly started: number;
  private readonly leases: Leases;
  private readonly described = new WeakMap<Game, Packed>();
  private readonly counters = { requests: 0, errors: 0 };

  constructor(private readonly options: HandlerOptions = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.games = options.games ?? GAMES;
    this.library = { ...KESSEL, load: options.load ?? KESSEL.load, makeAgent: options.makeAgent ?? KESSEL.makeAgent };
    this.gameCache = new GameCache(this.library);
    this.log = options.log ?? (() => {});
    this.leases = new Leases(this.limits, options.clock ?? (() => performance.now() / 1000), this.log);
    this.started = this.leases.clock();
    const { workers = 0, module: library, models = SHIPPED, diceKey } = options;
    const stateKey = Uint8Array.from(options.stateKey ?? randomBytes(32));
    const { decisionSeconds } = this.limits;
    const trusted = options.trustModels === true || resolve(models) === resolve(SHIPPED);
    this.host = {
      models,
      stateKey,
      ...(diceKey && { diceKey }),
      decisionSeconds,
      ...(!trusted && { modelSeconds: decisionSeconds }),
    };
    const start = { library, host: this.host };
    this.threads = workers === 0 ? null : new WorkerPool(workers, start, this.limits, this.log);
    this.helper = workers === 0 || availableParallelism() === 1 ? null : new ObservationHelper(start, this.log);
  }

  /**
   * Answers one message; never throws and never rejects.
   *
   * @param client names the connection
   * @param frames a header, and for some operations a data frame
   * @param pass the gate's, for a message that came through it
   */
  handle(client: string, frames: readonly Buffer[], pass: Pass = UNHINDERED): Reply | Promise<Reply> {
    let id: number | null = null;
    let op = "";
    this.counters.requests++;
    const failureReply = (e: unknown): Reply => ({ header: pack(this.explain(e, id, op)) });
    try {
      const step = frames.length === 2 ? readStep(frames[0]!) : null;
      if (step !== null) {
        id = step.id;
        op = "step";
        return this.toReply(step.id, this.ofBatch(client, { op: "step", ...step }, frames[1], pass), failureReply);
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
      return this.toReply(id, this.answer(client, request, frames[1], pass), failureReply);
    } catch (e) {
      return failureReply(e);
    }
  }

  private toReply(id: number, answer: Answer, failed: (e: unknown) => Reply): Reply | Promise<Reply> {
    return answer instanceof Promise ? answer.then((body) => reply(id, body)).catch(failed) : reply(id, answer);
  }

  /** Refuses a message unread, but for its id; of a long header that is read where clients commonly write it. */
  refuse(frames: readonly Buffer[], code: ErrorCode, message: string): Reply {
    this.counters.requests++;
    let id: number | null = null;
    try {
      const header = frames[0] ?? Buffer.alloc(0);
      id = header.length > LONG_HEADER ? readId(header) : idOf(unpack(header));
    } catch (e) {
      return { header: pack(this.explain(e, null, "")) };
    }
    return { header: pack(this.explain(new KesselError(code, message), id, "")) };
  }

  /** Closes batches whose lease has run out. @returns how many */
  sweep(): number {
    return this.leases.sweep();
  }

  /** A connection is gone: its batches are kept for `seconds` more, for a client that comes back with their tokens. */
  lost(client: string, seconds: number): void {
    this.leases.lost(client, seconds);
  }

  /**
   * Ends all threads and batches and removes shared memory. Takes at most twice `STOP_MS`, even when a thread is inside
   * a library's code, where it can't be stopped.
   */
  async close(): Promise<void> {
    // first: they may write to memory
    await atMost(STOP_MS, Promise.all([this.threads?.close(), this.helper?.close()]));
    await atMost(STOP_MS, this.leases.close());
    this.leases.removeMemory();
  }

  stats(): Record<string, number> {
    return {
      uptime: this.leases.clock() - this.started,
      processBytes: process.memoryUsage.rss(),
      cpuSeconds: cpuSeconds(),
      helperBlocks: this.helper?.written ?? 0,
      ...this.counters,
      ...this.leases.stats(),
    };
  }

  private answer(client: string, request: Request, data: Uint8Array | undefined, pass: Pass): Answer {
    pass.admit(request.op);
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
        return this.describe(client, request);
      case "make":
        return this.make(client, request);
      case "ping":
        for (const token of request.batches ?? []) this.leases.renew(token);
        return {};
      case "stats":
        return { stats: this.stats() };
      default:
        return this.ofBatch(client, request, data, pass);
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

  /** Descriptions are kept, packed. A game with data of one's own is loaded by another thread. */
  private describe(client: string, request: RequestOf<"describe">): Answer {
    this.checkId(request.game);
    const { game: id, options, data } = request;
    if (data !== undefined && this.threads !== null) {
      const work = { op: "describe", game: { game: id, options, data } } as const;
      return this.threads.askOffThread(client, work).then((done) => ({ game: new Packed(done.described!) }));
    }
    const describing = (game: Game): Body => {
      let described = this.described.get(game);
      if (described === undefined) this.described.set(game, (described = new Packed(pack(describe(game)))));
      return { game: described };
    };
    const game = this.gameCache.prepared(request);
    return game instanceof Promise ? game.then(describing) : describing(game);
  }

  private async make(client: string, request: RequestOf<"make">): Promise<Body> {
    this.checkId(request.game);
    const prepared = this.gameCache.prepared(request);
    const game = prepared instanceof Promise ? await prepared : prepared;
    const { idleSeconds } = this.limits;
    const seconds = Math.min(request.lease ?? idleSeconds, idleSeconds);
    const share = { environments: request.size, bytes: request.size * bytesPerEnvironment(game, request) };
    const batch = await this.leases.grant(client, share, seconds, () => this.start(client, game, request, share.bytes));
    return {
      batch: batch.token,
      size: request.size,
      players: game.players,
      external: batch.external,
      autoreset: batch.autoreset,
      schema: schemaHash(game),
      tensors: batch.shape.base.entries,
      lease: seconds,
      privileged: batch.privileged,
      ...(batch.memory && { memory: { path: batch.memory.path, slotBytes: batch.memory.slotBytes } }),
    };
  }

  /** Starts a batch in this thread or in a worker thread. */
  private start(client: string, game: Game, request: RequestOf<"make">, bytes: number): Promise<ServedBatch> {
    const { shares = false, localBytes } = this.options;
    const used = this.leases.bytesOf((b) => b instanceof InProcessBatch && b.size > SMALL);
    if (this.threads === null || stepsHere(game, request, bytes, used, localBytes))
      return InProcessBatch.make(
        game,
        request,
        this.library.makeAgent,
        this.host,
        shares,
        this.helper,
        this.apartFor(client, request),
      );
    const slow = slowOf(game, seatsFrom(game, request.seats), request.net, this.host.modelSeconds !== undefined);
    return ThreadedBatch.make(game, request, client, this.threads, slow, shares);
  }

  /** Where the long questions of a batch in this thread are answered. */
  private apartFor(client: string, { game, options }: RequestOf<"make">): OffThread | null {
    const { threads } = this;
    if (threads === null) return null;
    return new OffThread(async (question) => {
      const { body, ms } = await threads.askOffThread(client, {
        op: "answer-off-thread",
        game: { game, options },
        question,
      });
      return { body: body!, ms };
    });
  }

  private ofBatch(
    client: string,
    request: Extract<Request, { batch: string }>,
    data: Uint8Array | undefined,
    pass: Pass,
  ): Answer {
    const batch = this.leases.use(request.batch, client);
    if (request.op === "close" && batch.pending !== null) batch.interrupt();
    for (const slot of request.free ?? []) batch.free(slot);
    if (batch.pending === null) {
      pass.begin();
      const outcome = this.run(batch, request, data);
      return outcome instanceof Promise ? this.queue(batch, outcome) : outcome;
    }
    const next = pass.behind(batch.pending, request.op === "step", {
      check: () => {
        if (this.leases.isLost(request.batch)) throw new KesselError("closed", "the connection that asked is gone");
      },
      run: () => {
        if (!this.leases.has(request.batch)) throw unknownBatch(request.batch); // closed meanwhile
        return this.run(batch, request, data);
      },
    });
    return this.queue(batch, next);
  }

  private run(batch: ServedBatch, request: Extract<Request, { batch: string }>, data: Uint8Array | undefined): Answer {
    if (request.op === "close") return this.leases.release(request.batch).then(() => ({}));
    return batch.run(request, data);
  }

  /** Makes later requests to the batch wait for `answer`. */
  private queue(batch: ServedBatch, answer: Promise<Body>): Promise<Body> {
    const done = (): void => {
      if (batch.pending === settled) batch.pending = null;
    };
    const settled: Promise<void> = answer.then(done, done);
    batch.pending = settled;
    return answer;
  }

  /** @throws KesselError `unknown-game` */
  private checkId(id: string): void {
    const ids = this.games.map((g) => g.id);
    if (!ids.includes(id))
      throw new KesselError("unknown-game", `there is no game ${shown(id)}; there are ${oneOf(ids)}`);
  }

  /**
   * The header of an error reply. Of an internal error the log gets the stack, not the text, which might hold secrets.
   */
  private explain(e: unknown, id: number | null, op: string): Record<string, unknown> {
    this.counters.errors++;
    if (e instanceof KesselError) return errorHeader(id, e.code, e.message);
    const shortage = shortageOf(e);
    if (shortage !== null) {
      this.log("shortage", { op, says: shortage });
      return errorHeader(id, "limit", `the server ran short: ${shortage}`);
    }
    this.log("internal-error", { op, ...failureOf(e) });
    return errorHeader(
      id,
      "internal",
      `the server failed at ${op === "" ? "a message" : shown(op)}; its log says where`,
    );
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Waits for `done`, but no longer than `ms`. */
export async function atMost(ms: number, done: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  await Promise.race([done, new Promise((resolve) => (late = setTimeout(resolve, ms)))]);
  clearTimeout(late);
}
