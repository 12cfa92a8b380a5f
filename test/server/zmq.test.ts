import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { unpack } from "msgpackr";
import { Request } from "zeromq";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Limits } from "../../server/wire/limits.js";
import { pack } from "../../server/wire/msgpack.js";
import { Server } from "../../server/zmq.js";
import { PATIENCE_MS } from "../patience.js";
import { type Header, lowest, Peer, tensor } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";

let server: Server;
const peers: Peer[] = [];
const start = async (limits: Partial<Limits> = {}): Promise<void> => {
  server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*", limits, graceSeconds: 0 });
};
const peer = (options: { receiveHighWaterMark?: number } = {}): Peer => {
  const p = new Peer(server.address, options);
  peers.push(p);
  return p;
};
afterEach(async () => {
  for (const p of peers.splice(0)) p.close();
  await server.close();
});

async function makeRace(p: Peer, size = 4, more: Record<string, unknown> = {}): Promise<string> {
  const { header } = await p.ask({ op: "make", game: "toy-race", size, ...more });
  expect(header.error).toBeUndefined();
  return header["batch"] as string;
}

describe("over a socket", () => {
  beforeEach(() => start());

  it("a DEALER plays", async () => {
    const p = peer();
    const batch = await makeRace(p);
    let answer = await p.ask({ op: "reset", batch, seed: 1 });
    let games = 0;
    for (let i = 0; i < 200; i++) {
      answer = await p.ask({ op: "step", batch, free: [answer.header["slot"]] }, lowest(answer));
      games += tensor(answer, "terminated").reduce((a, b) => a + b, 0);
    }
    expect(games).toBeGreaterThan(4);
  });

  it("a plain REQ plays", async () => {
    const req = new Request({ linger: 0, receiveTimeout: PATIENCE_MS });
    req.connect(server.address);
    const call = async (header: Record<string, unknown>, ...data: Uint8Array[]): Promise<Header> => {
      await req.send([pack(header), ...data]);
      return unpack((await req.receive())[0]!) as Header;
    };
    expect(await call({ op: "hello", id: 1 })).toMatchObject({ id: 1, protocol: 1 });
    const { batch } = (await call({ op: "make", id: 2, game: "toy-race", size: 1 })) as unknown as { batch: string };
    await call({ op: "reset", id: 3, batch, seed: 1 });
    expect((await call({ op: "step", id: 4, batch }, Buffer.from(Int32Array.of(2).buffer))).error).toBeUndefined();
    req.close();
  });

  it("several requests may be on their way; each gets one answer with its id", async () => {
    const p = peer();
    const batch = await makeRace(p);
    await p.ask({ op: "reset", batch, seed: 1 });
    for (let id = 1000; id < 1050; id++)
      await p.put({ op: id % 2 ? "ping" : "render", id, ...(id % 2 ? {} : { batch, env: 0 }) });
    const ids: unknown[] = [];
    for (let i = 0; i < 50; i++) ids.push((await p.take()).header.id);
    expect(ids.sort()).toEqual(Array.from({ length: 50 }, (_, i) => 1000 + i));
  });

  it("what is in flight is never written over, however much a client sends before it reads", async () => {
    const p = peer();
    const batch = await makeRace(p, 64);
    const answers = [await p.ask({ op: "reset", batch, seed: 9 })];
    const twin = await makeRace(p, 64);
    const expected = [await p.ask({ op: "reset", batch: twin, seed: 9 })];
    const actions = [lowest(answers[0]!)];
    for (let i = 0; i < 40; i++) {
      expected.push(await p.ask({ op: "step", batch: twin }, actions[i]!));
      actions.push(lowest(expected.at(-1)!));
    }
    for (let i = 0; i < 40; i++) await p.put({ op: "step", batch }, actions[i]!);
    for (let i = 0; i < 40; i++) answers.push(await p.take());
    answers.forEach((a, i) => expect(tensor(a, "units"), `step ${i}`).toEqual(tensor(expected[i]!, "units")));
  });

  it("a malformed message hurts no client, not even its sender", async () => {
    const [bad, good] = [peer(), peer()];
    const batch = await makeRace(good);
    await bad.socket.send(Buffer.from("GET / HTTP/1.1"));
    expect((await bad.take()).header.error?.code).toBe("bad-message");
    await bad.socket.send([Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(0)]);
    expect((await bad.take()).header.error?.code).toBe("bad-message");
    expect((await good.ask({ op: "reset", batch, seed: 1 })).header.error).toBeUndefined();
    expect((await bad.ask({ op: "ping" })).header.error).toBeUndefined();
  });

  it("a batch survives its connection, lost in the middle of a step, and goes on over another", async () => {
    const [first, other] = [peer(), peer()];
    const [batch, twin] = [await makeRace(first), await makeRace(other)];
    const start = await first.ask({ op: "reset", batch, seed: 1 });
    await other.ask({ op: "reset", batch: twin, seed: 1 });
    await first.put({ op: "step", batch }, lowest(start));
    await first.ask({ op: "ping" }); // the step has come in
    first.close(); // and its answer was never read
    const expected = await other.ask({ op: "step", batch: twin }, lowest(start));
    const second = peer();
    const here = await second.ask({ op: "step", batch }, lowest(expected));
    const there = await other.ask({ op: "step", batch: twin }, lowest(expected));
    for (const name of ["units", "mask", "decisions", "actors"])
      expect(tensor(here, name)).toEqual(tensor(there, name));
  });

  it("stops in order: what was asked is answered, what comes later is refused", async () => {
    const p = peer();
    const batch = await makeRace(p, 64);
    await p.ask({ op: "reset", batch, seed: 1 });
    const { requests } = server.handler.stats();
    for (let i = 0; i < 10; i++) await p.put({ op: "render", batch, env: 0 });
    await expect.poll(() => server.handler.stats()["requests"]).toBe(requests! + 10);
    await server.close();
    for (let i = 0; i < 10; i++) expect((await p.take()).header.error).toBeUndefined();
  });
});

describe("limits over a socket", () => {
  it("an oversized frame costs the sender its connection and no other client anything", async () => {
    await start({ messageBytes: 100_000 });
    const [bad, good] = [peer(), peer()];
    const batch = await makeRace(good);
    await bad.ask({ op: "ping" });
    await bad.socket.send(Buffer.alloc(200_000));
    expect((await good.ask({ op: "reset", batch, seed: 1 })).header.error).toBeUndefined();
    // it connects again by itself; what was on its way when the connection ended is lost with it
    const answer = bad.take();
    let back = false;
    void answer.then(() => (back = true));
    for (let tries = 0; !back && tries < 40; tries++) {
      await bad.put({ op: "ping" });
      await pause(250);
    }
    expect((await answer).header.error).toBeUndefined();
  });

  it("a client that never reads is refused more, and others go on", async () => {
    await start({ inFlight: 16 });
    const [slow, good] = [peer({ receiveHighWaterMark: 1 }), peer()];
    const batch = await makeRace(slow, 1000);
    await slow.ask({ op: "reset", batch, seed: 1 });
    // 200 kB each: more than sockets buffer
    for (let i = 0; i < 300; i++) await slow.put({ op: "reset", batch, seed: 1 });
    const other = await makeRace(good);
    let answer = await good.ask({ op: "reset", batch: other, seed: 1 });
    for (let i = 0; i < 50; i++) answer = await good.ask({ op: "step", batch: other }, lowest(answer));
    expect(answer.header.error).toBeUndefined();
    // how many answers the sockets hold before the first refusal is the system's affair
    const errors = async (): Promise<number> =>
      ((await good.ask({ op: "stats" })).header["stats"] as { errors: number }).errors;
    await expect.poll(errors).toBeGreaterThan(0);
    const codes = new Set<string>();
    for (let i = 0; i < 300 && codes.size < 2; i++) codes.add((await slow.take()).header.error?.code ?? "ok");
    expect(codes).toEqual(new Set(["ok", "busy"]));
    for (let legal = false; !legal;) {
      // it reads on, and all is well
      await slow.put({ op: "legal", batch });
      for (let i = 0; i < 10 && !legal; i++) legal = "legal" in (await slow.take()).header;
    }
  });

  it("starts again at the address where one was closed, on a machine that is busy too", async () => {
    const busy = Array.from({ length: 8 }, () => new Worker("for (;;);", { eval: true }));
    try {
      const { address } = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*" }).then(
        async (first) => (await first.close(), first),
      );
      for (let i = 0; i < 10; i++) {
        const next = await Server.start({ ...TOY_LIBRARY, bind: address });
        const p = new Peer(address);
        expect((await p.ask({ op: "ping" })).header.error).toBeUndefined();
        p.close();
        await next.close();
      }
    } finally {
      await Promise.all(busy.map((w) => w.terminate()));
    }
  });

  it("addresses that others can reach need keys", async () => {
    await start();
    await expect(Server.start({ ...TOY_LIBRARY, bind: "tcp://0.0.0.0:*" })).rejects.toThrow(
      /reached from other machines/,
    );
    await expect(Server.start({ ...TOY_LIBRARY, bind: server.address })).rejects.toThrow(
      `cannot bind ${server.address}: it is in use, perhaps by another server; choose another port, or 0 for any free one`,
    );
  });
});
