import { afterEach, describe, expect, it } from "vitest";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import { DEFAULT_LIMITS, type Limits } from "../../../server/wire/limits.js";
import { ask } from "../ask.js";

const closing: Handler[] = [];
afterEach(async () => {
  for (const h of closing.splice(0)) await h.close();
});
function handlerWith(limits: Partial<Limits>, options: HandlerOptions = {}): Handler {
  const handler = new Handler({ workers: 1, limits, ...options });
  closing.push(handler);
  return handler;
}

const ENDLESS = "search:iterations=10000000";
const GAME = "pocket-stalingrad";

/** Makes a batch whose Soviet seat is the agent's. @returns its token */
async function make(handler: Handler, agent: string, client = "a"): Promise<string> {
  const { header } = await ask(
    handler,
    { op: "make", game: GAME, size: 1, seats: { soviet: agent } },
    undefined,
    client,
  );
  expect(header.error).toBeUndefined();
  return header["batch"] as string;
}
const reset = (handler: Handler, batch: string, client = "a") =>
  ask(handler, { op: "reset", batch, seed: 1 }, undefined, client);
/** From now on. What a test only prepares may take longer on a busy machine than the limit that it is about. */
const limitRequests = (handler: Handler, requestSeconds: number) => Object.assign(handler.limits, { requestSeconds });
const seconds = async (what: Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await what;
  return (performance.now() - from) / 1000;
};

describe("an agent that thinks for too long", () => {
  it("ends its own request with an error, in a thread and in the socket's", async () => {
    for (const workers of [1, 0]) {
      const handler = handlerWith({ decisionSeconds: 1 }, { workers });
      const batch = await make(handler, ENDLESS);
      const { error } = (await reset(handler, batch)).header;
      expect(error).toEqual({
        code: "time-limit",
        message: `${ENDLESS} thinks longer than 1 seconds about one decision; give it fewer iterations or ms`,
      });
      const { header } = await ask(handler, { op: "step", batch }, Int32Array.of(0));
      expect(header.error?.code).toBe("not-reset");
    }
  });

  it("leaves a batch that a refused reset doesn't make whole", async () => {
    const handler = handlerWith({ decisionSeconds: 1 }, { workers: 0 });
    const batch = await make(handler, ENDLESS);
    expect((await reset(handler, batch)).header.error?.code).toBe("time-limit");
    const refused = await ask(handler, { op: "reset", batch, seeds: ["one", "too many"] });
    expect(refused.header.error?.code).toBe("bad-seed");
    // it would show what the agent may do
    expect((await ask(handler, { op: "legal", batch })).header.error?.code).toBe("not-reset");
  });

  it("keeps nobody waiting, on one thread", async () => {
    const handler = handlerWith({ decisionSeconds: 600 });
    const other = await make(handler, "heuristic:greedy", "b"); // starts the thread
    const endless = await make(handler, ENDLESS);
    let over = false;
    void reset(handler, endless).then(() => (over = true));
    for (let k = 0; k < 20; k++) expect((await reset(handler, other, "b")).header.error).toBeUndefined();
    expect(over).toBe(false);
  });

  it("is stopped when its batch is closed, and the waiting request gets an error", async () => {
    const handler = handlerWith({ decisionSeconds: 600 });
    const batch = await make(handler, ENDLESS);
    const waiting = reset(handler, batch);
    expect(await seconds(ask(handler, { op: "close", batch }))).toBeLessThan(20); // not ten minutes
    expect((await waiting).header.error).toEqual({
      code: "batch-lost",
      message: "the batch was closed while it was played",
    });
    expect((await reset(handler, batch)).header.error?.code).toBe("unknown-batch");
  });

  it("is not begun again by a request that was sent before the batch was closed", async () => {
    const handler = handlerWith({ decisionSeconds: 600 });
    const batch = await make(handler, ENDLESS);
    const waiting = [reset(handler, batch), reset(handler, batch)];
    expect((await ask(handler, { op: "close", batch })).header.error).toBeUndefined();
    for (const { header } of await Promise.all(waiting)) expect(header.error?.code).toBe("batch-lost");
  });

  it("stops when its connection is gone for longer than the grace, in all batches", async () => {
    let now = 0;
    const handler = handlerWith({ decisionSeconds: 600, searchesAtOnce: 1 }, { clock: () => now });
    const batches = [await make(handler, ENDLESS), await make(handler, ENDLESS)];
    const waiting = [...batches, batches[0]!].map((batch) => reset(handler, batch));
    handler.lost("a", 10);
    now = 9;
    expect(handler.sweep()).toBe(0);
    now = 11;
    expect(handler.sweep()).toBe(2);
    expect(handler.stats()).toMatchObject({ batches: 0, environments: 0, batchBytes: 0 });
    const codes = (await Promise.all(waiting)).map((a) => a.header.error?.code);
    expect(codes).toEqual(["batch-lost", "batch-lost", "unknown-batch"]);
  });

  it("goes on for a client that came back by another connection in time", async () => {
    let now = 0;
    const handler = handlerWith({ decisionSeconds: 600 }, { clock: () => now });
    const [kept, left] = [await make(handler, ENDLESS), await make(handler, "heuristic:greedy")];
    let over = false;
    handler.lost("a", 10);
    now = 5;
    void reset(handler, kept, "again").then(() => (over = true));
    handler.lost("a", 10); // another of its answers couldn't be delivered
    now = 100;
    expect(handler.sweep()).toBe(1);
    expect((await reset(handler, left)).header.error?.code).toBe("unknown-batch");
    expect(handler.stats()).toMatchObject({ batches: 1 });
    expect(over).toBe(false);
    handler.lost("again", 10);
    now = 111;
    expect(handler.sweep()).toBe(1);
  });

  it("takes turns with the others of its connection, and holds up no other connection's", async () => {
    const handler = handlerWith({ decisionSeconds: 600, searchesAtOnce: 1 });
    const endless = await make(handler, ENDLESS);
    let ended = 0;
    const first = reset(handler, endless).then(() => ended++);
    // of the same connection
    const made = make(handler, "search:iterations=2").then((batch) => reset(handler, batch));
    void made.then(() => ended++);
    const other = await make(handler, "search:iterations=2", "b");
    expect((await reset(handler, other, "b")).header.error).toBeUndefined();
    expect(ended).toBe(0);
    await ask(handler, { op: "close", batch: endless });
    expect((await made).header.error).toBeUndefined();
    await first;
  });
});

describe("a request that takes too long", () => {
  it("ends its thread; the batch can be reset, and others of the server go on", async () => {
    const logged: string[] = [];
    const handler = handlerWith({}, { log: (event) => logged.push(event) });
    const other = await make(handler, "heuristic:greedy", "b");
    await reset(handler, other, "b");
    const batch = await make(handler, ENDLESS);
    limitRequests(handler, 2);
    const { error } = (await reset(handler, batch)).header;
    expect(error).toEqual({
      code: "batch-lost",
      message:
        "a request took longer than 2 seconds, and its batch was ended; reset the batch, then load what was saved",
    });
    expect(logged).toContain("request-overdue");
    expect((await ask(handler, { op: "step", batch }, Int32Array.of(0))).header.error?.code).toBe("batch-lost");
    limitRequests(handler, DEFAULT_LIMITS.requestSeconds);
    expect((await reset(handler, other, "b")).header.error).toBeUndefined();
    limitRequests(handler, 2);
    expect((await reset(handler, batch)).header.error?.code).toBe("batch-lost"); // played again, and ended again
  });
});

describe("a connection's share", () => {
  it("has a limited number of threads for search; a closed batch gives its thread back", async () => {
    const handler = handlerWith({ searchesPerClient: 2 });
    const batches = [await make(handler, "search:iterations=2"), await make(handler, "search")];
    const more = { op: "make", game: GAME, size: 1, seats: { soviet: "search:iterations=2" } };
    const { error } = (await ask(handler, more, undefined, "a")).header;
    expect(error).toEqual({
      code: "limit",
      message:
        "a connection may have 2 threads for batches with agents that search or models of its own; close such a batch first",
    });
    expect((await ask(handler, more, undefined, "b")).header.error).toBeUndefined();
    await ask(handler, { op: "close", batch: batches[0] });
    expect((await ask(handler, more, undefined, "a")).header.error).toBeUndefined();
  });

  it("keeps its threads when a batch is refused that takes more of them", async () => {
    const handler = handlerWith({ searchesPerClient: 2 });
    const large = { op: "make", game: GAME, size: 4096, seats: { soviet: "search:iterations=2" } };
    expect((await ask(handler, large, undefined, "a")).header.error?.code).toBe("limit");
    await make(handler, "search:iterations=2");
    await make(handler, "search:iterations=3");
  });

  it("is named with the largest batch that would fit, when one is refused for the threads that it takes", async () => {
    const handler = handlerWith({ searchesPerClient: 3, searchesAtOnce: 2 });
    const refused = async (size: number): Promise<string | undefined> => {
      const large = { op: "make", game: GAME, size, seats: { soviet: "search:iterations=2" } };
      return (await ask(handler, large, undefined, "a")).header.error?.message;
    };
    await make(handler, "search:iterations=2");
    expect(await refused(4096)).toBe(
      "a connection may have 3 threads for batches with agents that search or models of its own, and has 2 left; " +
        "this batch takes 4, one of at most 2048 environments would fit",
    );
    expect(await refused(2049)).toMatch(/takes 4, one of at most 2048 environments would fit$/);
    expect(await refused(2048)).toBeUndefined();
  });

  it("is three quarters of environments and bytes at most, by the default limits", async () => {
    for (const [own, all] of [
      ["environmentsPerClient", "environments"],
      ["batchBytesPerClient", "batchBytes"],
    ] as const)
      expect(DEFAULT_LIMITS[own] / DEFAULT_LIMITS[all]).toBe(0.75);
    const handler = handlerWith({ environments: 100, environmentsPerClient: 60 }, { workers: 0 });
    const many = (size: number, client: string) =>
      ask(handler, { op: "make", game: GAME, size }, undefined, client).then((a) => a.header.error?.message);
    expect(await many(40, "a")).toBeUndefined();
    expect(await many(21, "a")).toBe("a connection may hold 60 environments; it holds 40, 21 more were asked for");
    expect(await many(20, "a")).toBeUndefined();
    expect(await many(40, "b")).toBeUndefined();
    const poor = handlerWith({ batchBytesPerClient: 1000 }, { workers: 0 });
    const refused = (await ask(poor, { op: "make", game: GAME, size: 1 })).header.error;
    expect(refused?.message).toMatch(
      /^the batches of a connection may take 1000 bytes; its own take 0, this one needs \d+$/,
    );
  });
});
