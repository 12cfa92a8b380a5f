import { createHash } from "node:crypto";
import { Packr, Unpackr } from "msgpackr";
import type { Dealer } from "zeromq";
import { describe, type Game, KesselError, shapesOf, shown, TENSORS } from "../env/index.js";
import type { Agent, AgentMaker, Decisions } from "./agent.js";

/** Timeouts for an external agent in ms: for a batch of decisions, and for the first message. */
const PATIENCE_MS = 600_000;
const OPEN_MS = 10_000;
/** Largest frame, and largest header, that an agent may send. */
const FRAME_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 64 * 1024;
/** Tensors begin at multiples of this in a frame. */
const ALIGN = 64;

const packr = new Packr({ useRecords: false, variableMapSize: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: "number" });

/**
 * An agent in another process, in any language, over ZeroMQ: server/PROTOCOL.md, "External agents". It gets what an
 * agent in this process gets: the tensors of its seats, masks, acting players.
 */
class ExternalAgent implements Agent {
  private id = 0;
  private cut = false;

  constructor(
    readonly name: string,
    private readonly address: string,
    private readonly socket: Dealer,
  ) {
    // a lost connection delivers no more answers, and a new one knows nothing of this agent
    socket.events.on("disconnect", () => {
      this.cut = true;
      socket.close();
    });
  }

  /** @throws KesselError `bad-agent` when nobody answers, or refuses the game */
  async open(game: Game, seed: string): Promise<void> {
    this.socket.receiveTimeout = OPEN_MS;
    await this.ask({ op: "open", seed, game: describe(game) }, null);
    this.socket.receiveTimeout = PATIENCE_MS;
  }

  async act({ game, size, actors, observation, mask }: Decisions, out: Int32Array): Promise<void> {
    const shapes = shapesOf(game.observation);
    const A = game.actions.length;
    const parts: [string, string, readonly number[], Float32Array | Int32Array | Uint8Array][] = [
      ...TENSORS.map((t): [string, string, readonly number[], Float32Array] => [
        t,
        "float32",
        [size, ...shapes[t]],
        observation[t],
      ]),
      ["mask", "uint8", [size, A], mask],
      ["actors", "int32", [size], actors],
    ];
    let bytes = 0;
    const tensors = parts.map(([name, type, shape, array]) => {
      const offset = Math.ceil(bytes / ALIGN) * ALIGN;
      bytes = offset + array.BYTES_PER_ELEMENT * shape.reduce((n, d) => n * d, 1);
      return [name, type, shape, offset] as const;
    });
    const frame = new Uint8Array(bytes);
    parts.forEach(([, , , array], i) => {
      const end = tensors[i + 1]?.[3] ?? bytes;
      frame.set(
        new Uint8Array(array.buffer, array.byteOffset, Math.min(array.byteLength, end - tensors[i]![3])),
        tensors[i]![3],
      );
    });
    const data = await this.ask({ op: "act", tensors }, frame);
    if (data?.length !== 4 * size)
      throw this.bad(`answered ${data?.length ?? 0} bytes; ${size} decisions need ${size} actions, int32`);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let i = 0; i < size; i++) out[i] = view.getInt32(4 * i, true);
  }

  close(): void {
    this.socket.close();
  }

  /** One request, one reply. @returns the data frame of the reply */
  private async ask(request: object, data: Uint8Array | null): Promise<Uint8Array | null> {
    const id = ++this.id;
    if (this.cut) throw this.lost();
    await this.socket.send([packr.pack({ ...request, id }), ...(data === null ? [] : [data])]);
    let frames: Buffer[];
    try {
      frames = await this.socket.receive();
    } catch (e) {
      if (this.cut) throw this.lost();
      if ((e as NodeJS.ErrnoException).code !== "EAGAIN") throw e;
      throw this.bad(
        `has not answered for ${this.socket.receiveTimeout / 1000} s; is there an agent (Python: kessel.agent.serve)?`,
      );
    }
    const header = this.header(frames[0]!);
    if (header["error"] !== undefined)
      throw this.bad(`says: ${shown((header["error"] as { message?: unknown }).message)}`);
    if (header["id"] !== id) throw this.bad(`answered request ${shown(header["id"])} when asked ${id}`);
    return frames[1] ?? null;
  }

  private header(frame: Buffer): Record<string, unknown> {
    if (frame.length > HEADER_BYTES)
      throw this.bad(`answered with a header of ${frame.length} bytes; at most ${HEADER_BYTES} are read`);
    try {
      const value: unknown = unpackr.unpack(frame);
      if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {
      // reported below
    }
    throw this.bad("answered with a header that is no MessagePack map");
  }

  private lost(): KesselError {
    return this.bad(`cut the connection, or sent more than ${FRAME_BYTES} bytes at once`);
  }

  private bad(what: string): KesselError {
    return new KesselError("bad-agent", `the agent at ${this.address} ${what}`);
  }
}

/** `external:tcp://127.0.0.1:7600`. Only for callers that may open connections from this machine. */
export const makeExternal: AgentMaker = async (address, { game, seed, connect = false }) => {
  if (!connect)
    throw new KesselError(
      "bad-agent",
      "agents outside are for kessel arena and kessel play; a server doesn't connect to any",
    );
  if (!/^(tcp:\/\/[^:/]+:\d+|tcp:\/\/\[[^\]]+\]:\d+|ipc:\/\/.+)$/.test(address))
    throw new KesselError(
      "bad-agent",
      `an agent outside is named by its address, such as external:tcp://127.0.0.1:7600, not ${shown(`external:${address}`)}`,
    );
  const zmq = await import("zeromq"); // a native library: loaded when the first agent outside is named
  const socket = new zmq.Dealer({ linger: 0, maxMessageSize: FRAME_BYTES, ipv6: address.includes("[") });
  const agent = new ExternalAgent(`external:${address}`, address, socket);
  try {
    socket.connect(address);
    await agent.open(game, createHash("sha256").update(`external agent ${seed}`).digest("hex"));
  } catch (e) {
    socket.close();
    throw e instanceof KesselError
      ? e
      : new KesselError("bad-agent", `cannot reach an agent at ${address}: ${(e as Error).message}`);
  }
  return agent;
};
