import { setTimeout as sleep } from "node:timers/promises";
import { Context, Router } from "zeromq";
import { type ErrorCode, KesselError } from "../env/index.js";
import { parseBindAddress } from "./wire/address.js";
import { Gatekeeper, type KeyPair } from "./wire/curve.js";
import { Handler, type HandlerOptions } from "./handler.js";
import { listenFailure } from "./listen-failure.js";
import { LOOK_MS, Rests } from "./rests.js";
import { FileWatch } from "./shortages.js";
import { renewsLeases } from "./wire/msgpack.js";
import type { Reply } from "./wire/protocol.js";
import { DEFAULT_PORT } from "./wire/version.js";

export interface ServerOptions extends HandlerOptions {
  /** A ZeroMQ address such as `tcp://127.0.0.1:7557`; port `*` takes a free one. */
  readonly bind?: string;
  /** Keys that a server needs which can be reached from other machines: its own, and the public ones of its clients. */
  readonly keys?: { readonly own: KeyPair; readonly clients: ReadonlySet<string> };
  /** Seconds for which the batches of a connection that is gone are kept. */
  readonly graceSeconds?: number;
}

/** Threads of libzmq that read and write connections. */
const IO_THREADS = 2;
/** A step has a data frame and a header no longer than this: what it takes is its batch's. */
const STEP_HEADER = 4096;
/** Bytes of a connection's requests that may wait, in largest messages. */
const HELD_MESSAGES = 4;
/** Replies that libzmq queues for one connection, and as many that wait here when that queue is full. */
const QUEUED = 64;
const HEARTBEAT_MS = 5_000;
/** A closing server ends within 5 seconds. So long it waits for requests that are being carried out, */
const FINISH_MS = 1_000;
/** then for libzmq to take over their replies, */
const DELIVER_MS = 500;
/** then for libzmq to deliver them. */
const LINGER_MS = 1_000;
const SHUTTING_DOWN = "the server is shutting down";
const RETRY_MS = 2;
const BIND_MS = 2_000;

type Parts = (Buffer | Uint8Array)[];

/** A connection with something on its way; idle ones are not kept. */
interface Connection {
  readonly client: string;
  readonly identity: Buffer;
  /** Requests taken in whose replies libzmq has not taken over yet. */
  waiting: number;
  /** Replies to be sent, oldest first; the first of them is being sent when `sending`. */
  readonly outbox: Parts[];
  sending: boolean;
  /** Requests that wait because an earlier one took long, oldest first. */
  readonly held: Held[];
  /** Bytes of those. */
  heldBytes: number;
}

interface Held {
  readonly bytes: number;
  readonly carryOut: () => void;
  /** Drops it: its connection is gone. */
  readonly drop: () => void;
}

/**
 * Binds a socket; waits a little for an address whose server is just closing, which libzmq does in a thread of its own.
 */
async function bound(socket: Router, address: string): Promise<void> {
  for (const until = performance.now() + BIND_MS; ;) {
    try {
      return await socket.bind(address);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== "EADDRINUSE" || performance.now() > until) throw e;
      await sleep(RETRY_MS);
    }
  }
}

const EMPTY = Buffer.alloc(0);
const sizeOf = (frames: readonly Buffer[]): number => frames.reduce((sum, { length }) => sum + length, 0);
/** Bytes of a reply whose memory is collected when it is sent. */
const collected = ({ header, data, kept }: Reply): number => header.length + (kept === true ? 0 : (data?.length ?? 0));

/**
 * A ROUTER socket and the loop around it. libzmq takes messages from connections in turn, so one that sends much
 * doesn't keep others waiting; a connection that doesn't read fills its own queue only.
 */
export class Server {
  private readonly connections = new Map<string, Connection>();
  private readonly parked = new Set<Connection>();
  /** For each request that is being carried out, what refuses it instead. */
  private readonly unanswered = new Set<() => void>();
  private retry: NodeJS.Timeout | null = null;
  private stopping = false;
  private closed: Promise<void> | null = null;
  private open = 0;
  private drained: (() => void) | null = null;
  private readonly sweeper: NodeJS.Timeout;
  private readonly loop: Promise<void>;

  private constructor(
    private readonly socket: Router,
    readonly handler: Handler,
    private readonly rests: Rests,
    readonly address: string,
    private readonly grace: number,
    private readonly gatekeeper: Gatekeeper | null,
    log: NonNullable<ServerOptions["log"]>,
  ) {
    const files = new FileWatch(log);
    this.sweeper = setInterval(() => {
      handler.sweep();
      files.look();
      this.rests.sweep(performance.now());
    }, 1000);
    this.loop = this.receive();
  }

  /** @throws KesselError `bad-option` for an address that can't be bound */
  static async start(options: ServerOptions = {}): Promise<Server> {
    const { text: bind, local, ipv6 } = parseBindAddress(options.bind ?? `tcp://127.0.0.1:${DEFAULT_PORT}`);
    const { keys } = options;
    if (keys === undefined && !local)
      throw new KesselError(
        "bad-option",
        `${bind} can be reached from other machines; only loopback addresses such as tcp://127.0.0.1:${DEFAULT_PORT} are served without keys (see: kessel keys --help)`,
      );
    const rests = new Rests();
    const handler = new Handler({ ...options, shares: local, pacer: rests.pacer() });
    const context = new Context({ ioThreads: IO_THREADS }); // a large reply to one connection doesn't hold up the others
    const gatekeeper =
      keys === undefined ? null : new Gatekeeper(context, keys.clients, () => options.log?.("key-refused", {}));
    await gatekeeper?.open();
    const socket = new Router({
      context,
      ...(keys !== undefined && { curveServer: true, curveSecretKey: keys.own.secretKey, zapDomain: "kessel" }),
      mandatory: true,
      ipv6,
      sendTimeout: 0,
      sendHighWaterMark: QUEUED,
      receiveHighWaterMark: handler.limits.inFlight,
      linger: LINGER_MS,
      maxMessageSize: handler.limits.messageBytes,
      heartbeatInterval: HEARTBEAT_MS,
      heartbeatTimeout: 3 * HEARTBEAT_MS,
      heartbeatTimeToLive: 3 * HEARTBEAT_MS,
    });
    try {
      await bound(socket, bind);
    } catch (e) {
      socket.close();
      gatekeeper?.close();
      throw new KesselError("bad-option", `cannot bind ${bind}: ${listenFailure(e)}`);
    }
    return new Server(
      socket,
      handler,
      rests,
      socket.lastEndpoint!,
      options.graceSeconds ?? 60,
      gatekeeper,
      options.log ?? (() => {}),
    );
  }

  /**
   * Ends the server within 5 seconds. Requests that have come in get their answer if it is there within a second, later
   * ones and those that take longer the error `closed`.
   */
  close(): Promise<void> {
    return (this.closed ??= this.stop());
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.sweeper);
    await this.drain(FINISH_MS);
    for (const refuse of [...this.unanswered]) refuse();
    await this.drain(DELIVER_MS);
    if (this.retry !== null) clearTimeout(this.retry);
    this.socket.close();
    this.gatekeeper?.close();
    await this.loop;
    await this.handler.close();
  }

  /** Waits until libzmq has all replies, at most so long. */
  private async drain(ms: number): Promise<void> {
    if (this.open === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, ms);
      this.drained = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  private async receive(): Promise<void> {
    const { socket } = this;
    const { turns } = this.handler;
    while (!socket.closed) {
      try {
        this.take(await socket.receive()); // what is there already comes without a turn of the event loop
        if (turns.due) await turns.take();
      } catch (e) {
        if (!socket.closed) throw e; // closing ends the wait for a message
      }
    }
  }

  private take(parts: Buffer[]): void {
    const identity = parts[0]!;
    const client = identity.toString("latin1");
    let c = this.connections.get(client);
    if (c === undefined)
      this.connections.set(
        client,
        (c = { client, identity, waiting: 0, outbox: [], sending: false, held: [], heldBytes: 0 }),
      );
    if (c.outbox.length >= 2 * QUEUED) return; // the client keeps sending without reading: drop
    const delimited = parts.length > 2 && parts[1]!.length === 0; // a REQ socket puts an empty frame first
    const frames = parts.slice(delimited ? 2 : 1);
    c.waiting++;
    this.open++;
    const bytes = sizeOf(frames);
    const now = performance.now();
    const renews = renewsLeases(frames); // nobody waits for the answer, and it can't wait
    if (!renews) this.rests.hear(client, now);
    const refused = this.refusal(c, bytes);
    if (refused !== null) return this.deliver(c, delimited, this.handler.refuse(frames, ...refused));
    if (!renews && (c.held.length > 0 || this.rests.left(client, now) > 0)) this.hold(c, delimited, frames, bytes);
    else this.carryOut(c, delimited, frames);
  }

  private carryOut(c: Connection, delimited: boolean, frames: readonly Buffer[]): void {
    const began = performance.now();
    const reply = this.handler.handle(c.client, frames);
    const now = performance.now();
    this.rests.came(c.client, sizeOf(frames), began);
    if (frames.length !== 2 || frames[0]!.length > STEP_HEADER) this.rests.held(c.client, now - began, now);
    if (reply instanceof Promise) return this.deliverLater(c, delimited, frames, reply);
    if (frames.length === 1) this.rests.replied(c.client, collected(reply), now);
    this.deliver(c, delimited, reply);
  }

  private hold(c: Connection, delimited: boolean, frames: readonly Buffer[], bytes: number): void {
    const refuse = (): void => {
      this.unanswered.delete(refuse);
      this.deliver(c, delimited, this.handler.refuse(frames, "closed", SHUTTING_DOWN));
    };
    this.unanswered.add(refuse);
    c.heldBytes += bytes;
    c.held.push({
      bytes,
      carryOut: () => {
        if (this.unanswered.delete(refuse)) this.carryOut(c, delimited, frames);
      },
      drop: () => {
        if (this.unanswered.delete(refuse)) this.answered(c);
      },
    });
    if (c.held.length === 1) this.releaseLater(c);
  }

  /** Carries out one held request at a time, so that whoever asks meanwhile comes in between. */
  private releaseLater(c: Connection): void {
    const release = (): void => {
      if (c.held.length > 0 && this.rests.left(c.client, performance.now()) <= 0) {
        const { bytes, carryOut } = c.held.shift()!;
        c.heldBytes -= bytes;
        carryOut();
      }
      if (c.held.length > 0) this.releaseLater(c);
    };
    const left = this.rests.left(c.client, performance.now());
    if (left > 0) setTimeout(release, Math.min(left, LOOK_MS));
    else setImmediate(release);
  }

  private deliverLater(c: Connection, delimited: boolean, frames: readonly Buffer[], reply: Promise<Reply>): void {
    const refuse = (): void => {
      this.unanswered.delete(refuse);
      this.deliver(c, delimited, this.handler.refuse(frames, "closed", SHUTTING_DOWN));
    };
    this.unanswered.add(refuse);
    void reply.then((r) => {
      if (frames.length === 1) this.rests.replied(c.client, collected(r), performance.now());
      if (this.unanswered.delete(refuse)) this.deliver(c, delimited, r);
    });
  }

  /** Why a request that has come in is not carried out, if it isn't. */
  private refusal(c: Connection, bytes: number): [ErrorCode, string] | null {
    if (this.stopping) return ["closed", SHUTTING_DOWN];
    const { inFlight, messageBytes } = this.handler.limits;
    if (c.waiting > inFlight || c.outbox.length >= QUEUED)
      return [
        "busy",
        `${c.waiting - 1} requests of this connection wait for an answer or to be read; at most ${inFlight} may`,
      ];
    if (c.held.length > 0 && c.heldBytes + bytes > HELD_MESSAGES * messageBytes)
      return [
        "busy",
        `requests of ${c.heldBytes} bytes of this connection wait; at most ${HELD_MESSAGES * messageBytes} may`,
      ];
    return null;
  }

  private deliver(c: Connection, delimited: boolean, { header, data }: Reply): void {
    const parts: Parts = delimited ? [c.identity, EMPTY, header] : [c.identity, header];
    if (data !== undefined) parts.push(data);
    c.outbox.push(parts);
    if (!c.sending) this.flush(c);
  }

  /** Sends the oldest reply of a connection, and the next when libzmq has taken that. */
  private flush(c: Connection): void {
    if (this.socket.closed) return; // an agent answered too late
    c.sending = true;
    this.socket.send(c.outbox[0]!).then(
      () => this.sent(c),
      (e: NodeJS.ErrnoException) => {
        if (e.code === "EAGAIN") return this.park(c);
        if (e.code === "EHOSTUNREACH") this.lost(c);
        this.sent(c);
      },
    );
  }

  private sent(c: Connection): void {
    c.outbox.shift();
    c.sending = false;
    this.answered(c);
    if (c.outbox.length > 0) this.flush(c);
  }

  /** One request less of this connection. */
  private answered(c: Connection): void {
    c.waiting--;
    if (c.waiting === 0) this.connections.delete(c.client);
    if (--this.open === 0) this.drained?.();
  }

  /** The connection is gone: nobody waits for what it has asked. */
  private lost(c: Connection): void {
    this.handler.lost(c.client, this.grace);
    c.heldBytes = 0;
    for (const { drop } of c.held.splice(0)) drop();
  }

  /** The connection's queue is full: tries again soon, without keeping others waiting. */
  private park(c: Connection): void {
    this.parked.add(c);
    this.retry ??= setTimeout(() => {
      this.retry = null;
      const again = [...this.parked];
      this.parked.clear();
      for (const one of again) this.flush(one);
    }, RETRY_MS);
  }
}
