import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { Handler } from "../../../server/handler.js";
import { type Answer, ask, lowest } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

// Worker threads that end in the middle of their work, in every way that a thread can end.

const closing: Handler[] = [];
afterEach(async () => {
  for (const h of closing.splice(0)) await h.close();
});
const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};

function start(workers: number): { handler: Handler; logged: string[] } {
  const logged: string[] = [];
  const handler = new Handler({
    ...TOY_LIBRARY,
    module: new URL("./dying-worker.ts", import.meta.url).href,
    workers,
    localBytes: 0,
    log: (event, facts) => logged.push(JSON.stringify({ event, ...facts })),
  });
  closing.push(handler);
  return { handler, logged };
}
const make = async (handler: Handler, size: number, agent?: string, client = "a"): Promise<unknown> =>
  ok(
    await ask(
      handler,
      { op: "make", game: "toy-race", size, ...(agent !== undefined && { seats: { north: agent } }) },
      undefined,
      client,
    ),
  ).header["batch"];

describe("a thread that ends while it works", () => {
  it.each(["throws-later", "exits", "rejects"])(
    "because something in it %s: its batches hear so, others go on, another takes its place",
    async (way) => {
      const { handler, logged } = start(2);
      const spared = await make(handler, 64, undefined, "b"); // on the first thread
      const hit = await make(handler, 64, `heuristic:${way}`); // on the second
      let last = ok(await ask(handler, { op: "reset", batch: spared, seed: 1 }, undefined, "b"));
      const dying = ask(handler, { op: "reset", batch: hit, seed: 1 });
      const after = Array.from({ length: 5 }, () => ask(handler, { op: "legal", batch: hit }));
      for (let k = 0; k < 10; k++) last = ok(await ask(handler, { op: "step", batch: spared }, lowest(last), "b"));
      for (const answer of await Promise.all([dying, ...after]))
        expect(answer.header.error?.code, answer.header.error?.message).toMatch(/^(batch-lost|not-reset)$/);
      expect(logged.join()).toMatch(/thread-lost/);
      expect(logged.join()).not.toMatch(/plum/);
      ok(await ask(handler, { op: "close", batch: hit }));
      // its place is taken: new batches fill both threads
      for (let k = 0; k < 2; k++) {
        const batch = await make(handler, 64, "random");
        ok(await ask(handler, { op: "reset", batch, seed: 1 }));
      }
      ok(await ask(handler, { op: "step", batch: spared }, lowest(last), "b"));
    },
  );

  it("is not needed for that: an agent whose stack overflows is an error of its batch alone", async () => {
    const { handler, logged } = start(1);
    const hit = await make(handler, 64, "heuristic:overflows");
    const { error } = (await ask(handler, { op: "reset", batch: hit, seed: 1 })).header;
    expect(error?.code).toBe("internal");
    expect(logged.join()).toMatch(/internal-error.*RangeError|internal-error/);
    const other = await make(handler, 64, "random");
    ok(await ask(handler, { op: "reset", batch: other, seed: 1 }));
  });

  it("answers what takes long: the question fails, the batch is as it was, the next one is answered", async () => {
    const { handler } = start(1);
    const { batch } = ok(await ask(handler, { op: "make", game: "toy-ambush", size: 4 })).header;
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const draw = () => ask(handler, { op: "render", batch, env: 0, format: "rgb", width: 1920 });
    const first = ok(await draw());
    const pool = Reflect.get(handler, "threads") as { questionThread: object };
    const waiting = Array.from({ length: 20 }, draw);
    await (Reflect.get(pool.questionThread, "worker") as Worker).terminate();
    const errors = (await Promise.all(waiting)).map((a) => a.header.error).filter((e) => e !== undefined);
    expect(errors.length).toBeGreaterThan(0);
    for (const e of errors)
      expect(e).toEqual({
        code: "internal",
        message: "the thread that worked on it has ended; the batch is as it was, ask again",
      });
    const again = ok(await draw());
    expect(Buffer.compare(again.data!, first.data!)).toBe(0);
    ok(await ask(handler, { op: "legal", batch }));
  });
});
