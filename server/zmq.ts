import { setTimeout as sleep } from "node:timers/promises";
import { Context, Router } from "zeromq";
import { KesselError } from "../env/index.js";
import { parseBindAddress } from "./wire/address.js";
import { Gatekeeper, type KeyPair } from "./wire/curve.js";
import { Gate, Guest, UNSENT } from "./gate/gate.js";
import { Handler, type HandlerOptions } from "./handler.js";
import { listenFailure } from "./listen-failure.js";
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
const HEARTBEAT_MS = 5_000;
/** A closing server waits this long for libzmq to deliver its last replies. */
const LINGER_MS = 1_000;
const RETRY_MS = 2;
const BIND_MS = 2_000;

type Parts = (Buffer | Uint8Array)[];
const EMPTY = Buffer.alloc(0);

/** A connection with something on its way; idle ones are not kept. */
class Connection extends Guest {
  /** Replies to be sent, oldest first; the first of them is being sent when `sending`. */
  readonly outbox: Parts[] = [];
  sending = false;

  constructor(
    client: string,
    private readonly identity: Buffer,
    private readonly server: Server,
  ) {
    super(client);
  }

  send({ header, data }: Reply, delimited: boolean): void {
    const parts: Parts = delimited ? [this.identity, EMPTY, header] : [this.identity, header];
    if (data !== undefined) parts.push(data);
    this.outbox.push(parts);
    if (!this.sending) this.server.flush(this);
  }
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

/**
 * A ROUTER socket and the loop around it. libzmq takes messages from connections in turn, so one that sends much
 * doesn't keep others waiting; a connection that doesn't read fills its own queue only.
 */
export class Server {
  private readonly connections = new Map<string, Connection>();
  private readonly parked = new Set<Connection>();
  private retry: NodeJS.Timeout | null = null;
  private closed: Promise<void> | null = null;
  private readonly gate: Gate;
  private readonly sweeper: NodeJS.Timeout;
  private readonly loop: Promise<void>;

  private constructor(
    private readonly socket: Router,
    readonly handler: Handler,
    readonly address: string,
    private readonly grace: number,
    private readonly gatekeeper: Gatekeeper | null,
    log: NonNullable<ServerOptions["log"]>,
  ) {
    this.gate = new Gate(handler, log);
    this.sweeper = setInterval(() => {
      handler.sweep();
      this.gate.sweep();
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
    const handler = new Handler({ ...options, shares: local });
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
      sendHighWaterMark: UNSENT,
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
    clearInterval(this.sweeper);
    await this.gate.close();
    if (this.retry !== null) clearTimeout(this.retry);
    this.socket.close();
    this.gatekeeper?.close();
    await this.loop;
    await this.handler.close();
  }

  private async receive(): Promise<void> {
    const { socket } = this;
    while (!socket.closed) {
      try {
        const turn = this.take(await socket.receive()); // what is there already comes without a turn of the event loop
        if (turn !== null) await turn;
      } catch (e) {
        if (!socket.closed) throw e; // closing ends the wait for a message
      }
    }
  }

  /** @returns what to wait for before the next message is received */
  private take(parts: Buffer[]): Promise<void> | null {
    const identity = parts[0]!;
    const client = identity.toString("latin1");
    let c = this.connections.get(client);
    if (c === undefined) this.connections.set(client, (c = new Connection(client, identity, this)));
    const delimited = parts.length > 2 && parts[1]!.length === 0; // a REQ socket puts an empty frame first
    return this.gate.enter(c, parts.slice(delimited ? 2 : 1), delimited);
  }

  /** Sends the oldest reply of a connection, and the next when libzmq has taken that. */
  flush(c: Connection): void {
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
    this.gate.leave(c);
    if (c.waiting === 0) this.connections.delete(c.client);
    if (c.outbox.length > 0) this.flush(c);
  }

  private lost(c: Connection): void {
    this.handler.lost(c.client, this.grace);
    this.gate.lost(c);
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
