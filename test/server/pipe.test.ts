import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { unpack } from "msgpackr";
import { afterEach, describe, expect, it } from "vitest";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";

const bin = fileURLToPath(new URL("../../server/cli/kessel.mjs", import.meta.url));
const NO_DATA = 0xffffffff;

type Child = ChildProcessByStdio<Writable, Readable, null>;
const children: Child[] = [];
afterEach(() => {
  for (const c of children.splice(0)) c.kill("SIGKILL");
});

function message(header: Uint8Array, data?: Uint8Array): Buffer {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(header.length, 0);
  lengths.writeUInt32LE(data?.length ?? NO_DATA, 4);
  return Buffer.concat([lengths, header, ...(data === undefined ? [] : [data])]);
}

/** `kessel serve --pipe` in a process of its own. */
class Pipe {
  private readonly child: Child;
  private read = Buffer.alloc(0);
  private more: () => void = () => undefined;
  readonly ended: Promise<number | null>;

  constructor() {
    this.child = spawn(process.execPath, [bin, "serve", "--pipe"], { stdio: ["pipe", "pipe", "inherit"] });
    children.push(this.child);
    this.child.stdout.on("data", (b: Buffer) => {
      this.read = Buffer.concat([this.read, b]);
      this.more();
    });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
  }

  write(bytes: Uint8Array): void {
    this.child.stdin.write(bytes);
  }

  end(): void {
    this.child.stdin.end();
  }

  async next(): Promise<{ header: Record<string, unknown>; data: Buffer | null }> {
    const has = async (n: number): Promise<void> => {
      while (this.read.length < n) await new Promise<void>((resolve) => (this.more = resolve));
    };
    await has(8);
    const [header, told] = [this.read.readUInt32LE(0), this.read.readUInt32LE(4)];
    const end = 8 + header + (told === NO_DATA ? 0 : told);
    await has(end);
    const found = {
      header: unpack(this.read.subarray(8, 8 + header)) as Record<string, unknown>,
      data: told === NO_DATA ? null : Buffer.from(this.read.subarray(8 + header, end)),
    };
    this.read = this.read.subarray(end);
    return found;
  }

  ask(header: Record<string, unknown>, data?: Uint8Array): ReturnType<Pipe["next"]> {
    this.write(message(pack(header), data));
    return this.next();
  }
}

const bytes = (a: Int32Array): Uint8Array => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

describe("a server over a pipe", () => {
  it("answers as one over ZeroMQ, to messages in pieces and several at once", async () => {
    const pipe = new Pipe();
    const handler = new Handler();
    const here = async (header: Record<string, unknown>, data?: Uint8Array) => {
      const reply = await handler.handle("test", [pack(header), ...(data === undefined ? [] : [Buffer.from(data)])]);
      return { header: unpack(reply.header) as Record<string, unknown>, data: reply.data && Buffer.from(reply.data) };
    };
    const make = { op: "make", id: 1, game: "pocket-stalingrad", size: 3, seats: { soviet: "heuristic:greedy" } };
    const tokens = [(await pipe.ask(make)).header["batch"], (await here(make)).header["batch"]];
    const reset = { op: "reset", id: 2, seed: 5 };
    let [there, own] = [await pipe.ask({ ...reset, batch: tokens[0] }), await here({ ...reset, batch: tokens[1] })];
    const A = (await pipe.ask({ op: "describe", id: 3, game: "pocket-stalingrad" })).header["game"] as {
      actions: string[];
    };
    for (let k = 0; k < 20; k++) {
      expect(there.header).toEqual(own.header);
      expect(own.data!.equals(there.data!)).toBe(true);
      const legal = (await here({ op: "legal", id: 9, batch: tokens[1] })).header["legal"] as string[][];
      const actions = bytes(Int32Array.from(legal, (names) => Math.max(0, A.actions.indexOf(names[0] ?? ""))));
      const step = { op: "step", id: 10 + k, free: [own.header["slot"]] };
      const whole = message(pack({ ...step, batch: tokens[0] }), actions);
      for (let at = 0; at < whole.length; at += 50) pipe.write(whole.subarray(at, at + 50));
      [there, own] = [await pipe.next(), await here({ ...step, batch: tokens[1] }, actions)];
    }
    const pings = Array.from({ length: 500 }, (_, id) => message(pack({ op: "ping", id })));
    pipe.write(Buffer.concat(pings));
    for (let id = 0; id < 500; id++) expect((await pipe.next()).header).toEqual({ id });
    await handler.close();
  });

  it("takes and sends what is larger than the pipe, and refuses what it can't read", async () => {
    const pipe = new Pipe();
    const make = { op: "make", id: 1, game: "savage-streets", size: 400, privileged: true };
    const { batch } = (await pipe.ask(make)).header;
    const first = await pipe.ask({ op: "reset", id: 2, batch, seed: 5 });
    const { data } = await pipe.ask({ op: "save", id: 3, batch });
    expect(data!.length).toBeGreaterThan(1_000_000);
    const loaded = await pipe.ask({ op: "load", id: 4, batch }, data!);
    const masks = (f: { data: Buffer | null }): Buffer => f.data!.subarray(0, 100_000);
    expect(masks(loaded).equals(masks(first))).toBe(true);
    pipe.write(message(Buffer.from([0xc1])));
    expect((await pipe.next()).header).toMatchObject({ id: null, error: { code: "bad-message" } });
    pipe.end();
    expect(await pipe.ended).toBe(0);
  });

  it("ends when its input does, in the middle of a message too", async () => {
    const pipe = new Pipe();
    await pipe.ask({ op: "ping", id: 1 });
    pipe.write(Buffer.from([9, 0, 0]));
    pipe.end();
    expect(await pipe.ended).toBe(0);
  });
});
