import { unpack } from "msgpackr";
import { Dealer } from "zeromq";
import type { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import type { TensorEntry } from "../../server/wire/protocol.js";
import { PATIENCE_MS } from "../patience.js";

export type Header = Record<string, unknown> & {
  id: number | null;
  error?: { code: string; message: string };
  tensors?: TensorEntry[];
};

export interface Answer {
  readonly header: Header;
  readonly data: Uint8Array | undefined;
}

let ids = 0;
/** What frames of a batch hold, as the reply to its `make` said. */
const layouts = new Map<string, TensorEntry[]>();
const asked = new Map<number, unknown>();

/** Packs a request with an id of its own. */
function request(header: Record<string, unknown>): Buffer {
  const id = (header["id"] as number | undefined) ?? ++ids;
  asked.set(id, header["batch"]);
  return pack({ ...header, id });
}

/** Reads a reply; a frame that doesn't say what it holds gets what its batch's frames hold. */
function answer(head: Uint8Array, data: Uint8Array | undefined): Answer {
  const header = unpack(head) as Header;
  if (typeof header["batch"] === "string" && header.tensors) layouts.set(header["batch"], header.tensors);
  const told = header.tensors ?? layouts.get(String(asked.get(header.id ?? -1)));
  asked.delete(header.id ?? -1);
  return { header: data !== undefined && told !== undefined ? { ...header, tensors: told } : header, data };
}

/** Sends one request to a handler as a connection would, and takes its reply through the wire's encoding. */
export async function ask(
  handler: Handler,
  header: Record<string, unknown>,
  data?: ArrayBufferView,
  client = "test",
): Promise<Answer> {
  return send(handler, [request(header), ...(data === undefined ? [] : [bytes(data)])], client);
}

export async function send(handler: Handler, frames: Uint8Array[], client = "test"): Promise<Answer> {
  const reply = await handler.handle(
    client,
    frames.map((f) => Buffer.from(f.buffer, f.byteOffset, f.byteLength)),
  );
  return answer(reply.header, reply.data === undefined ? undefined : Uint8Array.from(reply.data));
}

export const bytes = (a: ArrayBufferView): Uint8Array => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

/** The bytes of one tensor of a reply, and their type. */
function bytesOf({ header, data }: Answer, name: string): readonly [dtype: string, Uint8Array] {
  const entry = header.tensors?.find(([n]) => n === name);
  if (entry === undefined || data === undefined)
    throw new RangeError(`the reply has no tensor ${name}: ${JSON.stringify(header)}`);
  const [, dtype, shape, offset] = entry;
  const n = shape.reduce((p, d) => p * d, 1);
  const size = dtype === "float64" ? 8 : dtype === "uint8" ? 1 : 4;
  return [dtype, data.subarray(offset, offset + n * size)];
}

/** The values of one tensor of a reply. */
export function tensor(answer: Answer, name: string): number[] {
  const [dtype, found] = bytesOf(answer, name);
  if (dtype === "uint8") return [...found];
  const own = Uint8Array.from(found).buffer;
  return [
    ...(dtype === "int32" ? new Int32Array(own) : dtype === "float32" ? new Float32Array(own) : new Float64Array(own)),
  ];
}

/** One legal action of each row, as `find` finds it in the row's mask; 0 where the episode is over. */
function legal(answer: Answer, find: (mask: Uint8Array) => number): Int32Array {
  const [, mask] = bytesOf(answer, "mask");
  const B = tensor(answer, "actors").length;
  const A = mask.length / B;
  return Int32Array.from({ length: B }, (_, i) => Math.max(find(mask.subarray(i * A, (i + 1) * A)), 0));
}

/** The lowest legal action of each row; 0 where the episode is over. */
export const lowest = (answer: Answer): Int32Array => legal(answer, (mask) => mask.indexOf(1));

/** The highest legal action of each row; 0 where the episode is over. */
export const highest = (answer: Answer): Int32Array => legal(answer, (mask) => mask.lastIndexOf(1));

/** A connection of its own to a server. */
export class Peer {
  readonly socket: Dealer;

  constructor(address: string, options: { receiveHighWaterMark?: number; receiveTimeout?: number } = {}) {
    this.socket = new Dealer({ linger: 0, receiveTimeout: PATIENCE_MS, ipv6: address.includes("["), ...options });
    this.socket.connect(address);
  }

  async ask(header: Record<string, unknown>, data?: ArrayBufferView): Promise<Answer> {
    await this.put(header, data);
    return this.take();
  }

  async put(header: Record<string, unknown>, data?: ArrayBufferView): Promise<void> {
    const head = request(header);
    await this.socket.send(data === undefined ? head : [head, bytes(data)]);
  }

  async take(): Promise<Answer> {
    const frames = await this.socket.receive();
    // what came with a REQ's empty frame goes back with one
    const [head, data] = frames[0]!.length === 0 ? frames.slice(1) : frames;
    return answer(head!, data);
  }

  close(): void {
    this.socket.close();
  }
}
