import { readSync, writevSync } from "node:fs";
import { importGame } from "../agents/import-game.js";
import { gameIds } from "../env/index.js";
import { Handler, type HandlerOptions } from "./handler.js";
import type { Reply } from "./wire/protocol.js";

const INPUT = 0;
const OUTPUT = 1;
/** Two uint32 before each message: bytes of its header, and of its data. */
const LENGTHS = 8;
/** In place of the length of data that isn't there. */
const NO_DATA = 0xffffffff;
const READ_BYTES = 65_536;
const CLIENT = "pipe";

/** Messages read from a pipe, waiting for each: no turn of the event loop, and no other thread, is on their way. */
class PipeReader {
  private buffer = Buffer.alloc(READ_BYTES);
  private from = 0;
  private to = 0;

  constructor(private readonly fd: number) {}

  /** The frames of the next message, good until the next call; null at the end of the pipe. */
  next(): Buffer[] | null {
    if (!this.fill(LENGTHS)) return null;
    const header = this.buffer.readUInt32LE(this.from);
    const length = this.buffer.readUInt32LE(this.from + 4);
    const data = length === NO_DATA ? 0 : length;
    if (!this.fill(LENGTHS + header + data)) return null;
    const at = this.from + LENGTHS;
    this.from = at + header + data;
    const frames = [this.buffer.subarray(at, at + header)];
    if (length !== NO_DATA) frames.push(this.buffer.subarray(at + header, this.from));
    return frames;
  }

  /** Has at least `bytes` unread bytes; false at the end of the pipe. */
  private fill(bytes: number): boolean {
    while (this.to - this.from < bytes) {
      if (this.from === this.to) this.from = this.to = 0;
      if (this.from + bytes > this.buffer.length) this.makeRoom(bytes);
      const n = untilReady(() => readSync(this.fd, this.buffer, this.to, this.buffer.length - this.to, null));
      if (n === 0) return false;
      this.to += n;
    }
    return true;
  }

  private makeRoom(bytes: number): void {
    const whole = bytes > this.buffer.length ? Buffer.alloc(Math.max(bytes, READ_BYTES)) : this.buffer;
    this.buffer.copy(whole, 0, this.from, this.to);
    this.buffer = whole;
    this.to -= this.from;
    this.from = 0;
  }
}

const clock = new Int32Array(new SharedArrayBuffer(4));

/** Tries again where the program at the other end has made the pipe one that doesn't wait, as Node's own do. */
function untilReady(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== "EAGAIN") throw e;
      Atomics.wait(clock, 0, 0, 1);
    }
  }
}

const lengths = Buffer.alloc(LENGTHS);

function write(fd: number, { header, data }: Reply): void {
  lengths.writeUInt32LE(header.length, 0);
  lengths.writeUInt32LE(data === undefined ? NO_DATA : data.length, 4);
  let parts: Uint8Array[] = data === undefined ? [lengths, header] : [lengths, header, data];
  for (;;) {
    let n = untilReady(() => writevSync(fd, parts));
    while (parts.length > 0 && n >= parts[0]!.length) n -= parts.shift()!.length;
    if (parts.length === 0) return;
    parts = [parts[0]!.subarray(n), ...parts.slice(1)];
  }
}

/**
 * Serves the program that started this one over standard input and output, one request after another, until the input
 * ends. A message is two uint32 (bytes of its header, and of its data or 2^32-1 without any), then these. Everything
 * happens in this thread: a step of one environment is answered in a third of the time that it takes over ZeroMQ.
 */
export async function servePipe(options: Omit<HandlerOptions, "workers">): Promise<void> {
  for (const id of gameIds()) await importGame(id);
  const handler = new Handler({ ...options, shares: true });
  const reader = new PipeReader(INPUT);
  for (let frames = reader.next(); frames !== null; frames = reader.next()) {
    const reply = handler.handle(CLIENT, frames);
    write(OUTPUT, reply instanceof Promise ? await reply : reply);
  }
  await handler.close();
}
