import { setTimeout as pause } from "node:timers/promises";
import { unpack } from "msgpackr";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import type { Reply } from "../../server/wire/protocol.js";
import { Server } from "../../server/zmq.js";
import { type Header, Peer } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";
import { leastOf } from "../patience.js";

/** What a game with data of one's own takes to load here. */
let loadMs = 10;
let loads = 0;

let server: Server;
let greedy: Peer;
beforeEach(async () => {
  loadMs = 10;
  server = await Server.start({
    ...TOY_LIBRARY,
    bind: "tcp://127.0.0.1:*",
    load(id, options, data) {
      loads++;
      for (const end = performance.now() + loadMs; performance.now() < end;);
      return TOY_LIBRARY.load(id, options, data);
    },
  });
  greedy = new Peer(server.address);
});
afterEach(async () => {
  greedy.close();
  await server.close();
});

const slow = { op: "describe", game: "toy-race", data: {} };

test("a connection whose requests take long gets a small share of the thread while others ask", async () => {
  const quiet = new Peer(server.address);
  let answered = 0;
  for (let i = 0; i < 150; i++) await greedy.put(slow);
  const taking = (async () => {
    for (;;) {
      await greedy.take();
      answered++;
    }
  })().catch(() => undefined); // ends when its socket is closed
  for (const end = performance.now() + 3000; performance.now() < end || answered < 2; await pause(5))
    expect((await quiet.ask({ op: "ping" })).header.error).toBeUndefined();
  quiet.close();
  greedy.close();
  await taking;
  // five come without a wait, then each holds the thread for 10 ms and waits for a second; otherwise all 150 would be
  // answered
  expect(answered).toBeLessThan(20);
});

test("a connection that sends large messages is heard at 20 megabytes a second while others ask", async () => {
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  const op = "x".repeat(400_000); // little work: a text is read in one go
  const asks = 150;
  let answered = 0;
  const began = performance.now();
  for (let i = 0; i < asks; i++) await greedy.put({ op });
  const taking = (async () => {
    for (; answered < asks; answered++) await greedy.take();
  })().catch(() => undefined); // ends when its socket is closed
  for (const end = performance.now() + 1000; performance.now() < end || answered < 2; await pause(5))
    await quiet.ask({ op: "ping" }); // on a busy machine for longer
  const meanwhile = answered;
  const seconds = (performance.now() - began) / 1000;
  quiet.close();
  greedy.close();
  await taking;
  expect(meanwhile).toBeLessThan(2 + (seconds * 20e6) / op.length);
  expect((2 * 20e6) / op.length).toBeLessThan(asks);
});

test("a frame that a request doesn't want makes it no step: what it takes is counted", async () => {
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  const header = { op: "describe", game: "toy-race", data: { map: Array.from({ length: 900_000 }, () => 1) } };
  let answered = 0;
  for (let i = 0; i < 30; i++) await greedy.put(header, new Int32Array(0));
  const taking = (async () => {
    for (; answered < 30; answered++) await greedy.take();
  })().catch(() => undefined); // ends when its socket is closed
  for (const end = performance.now() + 2500; performance.now() < end || answered < 1; await pause(5))
    await quiet.ask({ op: "ping" });
  quiet.close();
  greedy.close();
  await taking;
  expect(answered).toBeGreaterThan(0);
  // their bytes alone would let twenty pass in a second
  expect(answered).toBeLessThan(10);
});

test("a ping that keeps batches doesn't wait behind requests that do", async () => {
  loadMs = 60; // longer than what comes without a wait
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  for (let id = 1; id <= 3; id++) await greedy.put({ ...slow, id });
  expect((await greedy.take()).header.id).toBe(1);
  for (let i = 0; i < 10; i++) await quiet.ask({ op: "ping" });
  await greedy.put({ op: "ping", batches: [], id: 4 });
  expect((await greedy.take()).header.id).toBe(4);
  quiet.close();
});

test("requests that wait may hold four of the largest messages", async () => {
  const small = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*", limits: { messageBytes: 500_000 } });
  const [quiet, taker] = [new Peer(small.address), new Peer(small.address)];
  await quiet.ask({ op: "ping" });
  const op = "x".repeat(400_000);
  for (let i = 0; i < 40; i++) await taker.put({ op });
  const codes: string[] = [];
  for (let i = 0; i < 40; i++) {
    codes.push((await taker.take()).header.error!.code);
    await quiet.ask({ op: "ping" });
  }
  quiet.close();
  taker.close();
  await small.close();
  // one is carried out and four wait, for 20 ms each; not even the ids of the others are read
  expect(codes.filter((code) => code === "bad-message").length).toBeGreaterThanOrEqual(5);
  expect(codes.filter((code) => code === "busy").length).toBeGreaterThan(10);
});

test("what a connection has asked that is gone by now is not carried out", async () => {
  loadMs = 60; // longer than what comes without a wait
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  const before = loads;
  for (let i = 0; i < 20; i++) await greedy.put(slow);
  await greedy.take();
  greedy.close();
  for (const end = performance.now() + 500; performance.now() < end; await pause(5)) await quiet.ask({ op: "ping" });
  quiet.close(); // nobody is kept waiting: all that is left would be carried out
  await pause(4500); // longer than anybody waits
  expect(loads - before).toBeLessThan(5);
});

test("a connection that has large replies made gets 20 megabytes a second while others ask", async () => {
  const threaded = await Server.start({ bind: "tcp://127.0.0.1:*", workers: 1 });
  const [quiet, taker] = [new Peer(threaded.address), new Peer(threaded.address)];
  const { header } = await taker.ask({ op: "make", game: "pocket-stalingrad", size: 2048, privileged: true });
  const save = { op: "save", batch: header["batch"] };
  await taker.ask({ op: "reset", batch: save.batch, seed: 1 });
  const one = (await taker.ask(save)).data!.length; // made by the other thread: this one only passes it on
  await quiet.ask({ op: "ping" });
  const asks = 120;
  let answered = 0;
  const began = performance.now();
  for (let i = 0; i < asks; i++) await taker.put(save);
  const taking = (async () => {
    for (; answered < asks; answered++) await taker.take();
  })().catch(() => undefined); // ends when its socket is closed
  for (const end = performance.now() + 2000; performance.now() < end || answered < 2; await pause(5))
    expect((await quiet.ask({ op: "ping" })).header.error).toBeUndefined(); // on a busy machine for longer
  const meanwhile = answered;
  const seconds = (performance.now() - began) / 1000;
  quiet.close();
  taker.close();
  await taking;
  await threaded.close();
  expect(meanwhile).toBeLessThan(2 + (seconds * 20e6) / one);
  // the limit is what holds them back: it is well below what was asked for
  expect((2 * 20e6) / one).toBeLessThan(asks / 2);
});

test("frames of a batch cost nothing: their memory is used again, that of other replies is not", async () => {
  for (const workers of [0, 1]) {
    const handler = new Handler({ workers });
    const asked = async (header: Record<string, unknown>): Promise<Reply> =>
      handler.handle("asks", [pack({ id: 1, ...header })]);
    const { header } = await asked({ op: "make", game: "pocket-stalingrad", size: 2048, privileged: true });
    const { batch } = unpack(header) as { batch: string };
    expect((await asked({ op: "reset", batch, seed: 1 })).kept).toBe(true);
    const saved = await asked({ op: "save", batch });
    expect([saved.kept, saved.data!.length > 100_000]).toEqual([undefined, true]);
    await handler.close();
  }
});

test("nor is what waits for an earlier request about the same batch, which goes on with who comes back", async () => {
  const handler = new Handler({ workers: 1 });
  const asked = async (header: Record<string, unknown>, client = "gone"): Promise<Header> =>
    unpack((await handler.handle(client, [pack({ id: 1, ...header })])).header) as Header;
  const { batch } = await asked({ op: "make", game: "pocket-stalingrad", size: 2048, privileged: true });
  const answers = Promise.all([
    asked({ op: "reset", batch, seed: 1 }),
    asked({ op: "save", batch }),
    asked({ op: "save", batch }),
  ]);
  handler.lost("gone", 60);
  expect((await answers).map((h) => h.error?.code)).toEqual([undefined, "closed", "closed"]);
  expect((await asked({ op: "save", batch }, "back")).error).toBeUndefined();
  await handler.close();
});

test("alone it waits for nobody, and all are answered in order", async () => {
  const took = async (): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < 20; i++) await greedy.put({ ...slow, id: 1000 + i });
    for (let i = 0; i < 20; i++) expect((await greedy.take()).header.id).toBe(1000 + i);
    return performance.now() - began;
  };
  // with waits it would be 6 seconds
  expect(await leastOf(took, 3500)).toBeLessThan(3500);
});

test("what was held back is carried out one by one, with turns of the event loop between, once nobody else asks", async () => {
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  const before = loads;
  for (let i = 0; i < 60; i++) await greedy.put(slow);
  await greedy.take();
  for (let i = 0; i < 20; i++) await quiet.ask({ op: "ping" });
  quiet.close();
  let most = 0;
  for (let last = loads; loads < before + 60; last = loads) {
    await new Promise(setImmediate);
    most = Math.max(most, loads - last);
  }
  expect(most).toBeLessThan(5);
});

test("a ping that keeps batches of another connection, as clients send beside their requests, makes nobody wait", async () => {
  loadMs = 20;
  const heartbeats = new Peer(server.address);
  let beating = true;
  const beats = (async () => {
    for (; beating; await pause(5)) await heartbeats.ask({ op: "ping", batches: [] });
  })();
  const took = async (): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < 20; i++) await greedy.ask(slow);
    return performance.now() - began;
  };
  // with waits it would be 35 seconds
  const least = await leastOf(took, 5000);
  beating = false;
  await beats;
  heartbeats.close();
  expect(least).toBeLessThan(5000);
});

test("closing refuses what is still held back", async () => {
  const quiet = new Peer(server.address);
  await quiet.ask({ op: "ping" });
  for (let i = 0; i < 200; i++) await greedy.put(slow);
  await greedy.take();
  for (let i = 0; i < 20; i++) await quiet.ask({ op: "ping" }); // connections are read in turn: as many of the others are in
  const codes = new Set<string | undefined>();
  const closing = server.close();
  const ended = closing.then(() => pause(1000)); // a request that was still on its way has no answer
  for (let i = 1; i < 200; i++) {
    const taken = greedy.take();
    taken.catch(() => undefined);
    const answer = await Promise.race([taken, ended]);
    if (answer === undefined) break;
    codes.add(answer.header.error?.code);
  }
  quiet.close();
  expect(codes.has("closed")).toBe(true);
});

test("the event loop turns between messages that are there already", async () => {
  loadMs = 1.5; // too short to be held back for it
  for (let i = 0; i < 200; i++) await greedy.put(slow);
  await greedy.take();
  const seen = new Set<number>();
  for (const end = performance.now() + 1000; seen.size < 100 && performance.now() < end;) {
    seen.add(server.handler.stats()["requests"]!);
    await new Promise(setImmediate);
  }
  expect(seen.size).toBeGreaterThan(20);
});
