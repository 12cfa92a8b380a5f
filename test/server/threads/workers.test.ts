import { afterEach, describe, expect, it } from "vitest";
import type { Worker } from "node:worker_threads";
import { Handler } from "../../../server/handler.js";
import { slicesOf } from "../../../server/batch/slicing.js";
import { Server } from "../../../server/zmq.js";
import { type Answer, ask, lowest, Peer, tensor } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const c of closing.splice(0).reverse()) await c.close();
});
function handlerWith(workers: number): Handler {
  const handler = new Handler({ ...TOY_LIBRARY, workers, localBytes: 0, stateKey: new Uint8Array(32) });
  closing.push(handler);
  return handler;
}
const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};
const SLICED = 600; // more than one slice, where there are two threads

const maskWidth = (a: Answer): number => tensor(a, "mask").length / tensor(a, "actors").length;

/** The threads that have been started. */
function workersOf(handler: Handler): Worker[] {
  const { threads } = Reflect.get(handler, "threads") as { threads: object[] };
  return threads.map((t) => Reflect.get(t, "worker") as Worker | null).filter((w) => w !== null);
}

describe("a batch cut into slices", () => {
  it("has them in multiples of a block, over all threads when it is large, and none too large", () => {
    const sizes = (size: number, threads: number, agents = true, bytes = 0, ready?: number) =>
      slicesOf({ size, ready, bytes, agents }, threads).map((p) => p.size);
    expect(slicesOf({ size: 127, bytes: 1e9, agents: true }, 4)).toEqual([{ first: 0, size: 127, of: 127 }]);
    expect(sizes(128, 4)).toEqual([64, 64]); // agents take so long that a second thread is worth it
    expect(sizes(256, 4)).toEqual([64, 64, 64, 64]);
    expect(sizes(256, 2)).toEqual([128, 128]);
    expect(sizes(600, 2)).toEqual([192, 192, 192, 24]);
    expect(sizes(511, 2, false)).toEqual([511]);
    expect(sizes(600, 2, true, 0, 64)).toEqual([320, 280]);
    expect(sizes(600, 2, true, 0, 63)).toEqual([600]); // so few are soon played
    expect(sizes(1024, 2)).toEqual([256, 256, 256, 256]);
    expect(sizes(1024, 2, true, 0, 512)).toEqual([512, 512]);
    expect(slicesOf({ size: 4096, bytes: 0, agents: true, ownThreads: true }, 1).length).toBe(4);
    expect(sizes(600, 2, false)).toEqual([192, 192, 192, 24]);
    expect(sizes(256, 2, false, 4_000_000)).toEqual([256]);
    expect(sizes(256, 2, false, 5_000_000)).toEqual([128, 128]);
    expect(sizes(100, 3, false, 5_000_000)).toEqual([64, 36]);
    for (const [size, threads] of [
      [513, 1],
      [4096, 3],
      [10_000, 7],
      [65_536, 2],
    ] as const) {
      const places = slicesOf({ size, bytes: 0, agents: true }, threads);
      expect(places.reduce((n, p) => n + p.size, 0)).toBe(size);
      for (const [k, p] of places.entries())
        expect(p.first).toBe(k === 0 ? 0 : places[k - 1]!.first + places[k - 1]!.size);
      for (const p of places) expect([p.first % 64, p.size <= 256]).toEqual([0, true]);
    }
  });

  it("can be of any size: the actions of each begin where the batch has them", async () => {
    const handler = handlerWith(1);
    for (const size of [535, 559]) {
      // in floating point, 192 / 535 * 2140 is a little less than 768
      const { batch } = ok(await ask(handler, { op: "make", game: "toy-race", size })).header;
      const last = ok(await ask(handler, { op: "reset", batch, seed: 7 }));
      ok(await ask(handler, { op: "step", batch }, lowest(last)));
    }
  });

  const script = async (
    handler: Handler,
    game: string,
    more: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    const seen: Record<string, unknown> = {};
    const { header } = ok(
      await ask(handler, { op: "make", game, size: SLICED, privileged: true, record: true, ...more }),
    );
    const { batch } = header;
    let last = ok(await ask(handler, { op: "reset", batch, seed: 7 }));
    const note = (name: string, a: Answer): void => {
      ok(a);
      seen[name] = JSON.stringify({ ...a.header, id: 0, slot: 0 }) + Buffer.from(a.data ?? []).toString("base64");
    };
    note("reset", last);
    const saved = ok(await ask(handler, { op: "save", batch }));
    note("save", saved);
    for (let i = 0; i < 12; i++)
      note(`step ${i}`, (last = await ask(handler, { op: "step", batch, free: [last.header["slot"]] }, lowest(last))));
    const which = [599, 3, 300, 512, 511];
    note("some saved", await ask(handler, { op: "save", batch, which }));
    note("legal", await ask(handler, { op: "legal", batch, which }));
    note("position", await ask(handler, { op: "position", batch, which, whole: true }));
    note("observe", await ask(handler, { op: "observe", batch, which, seat: "spectator" }));
    note("render", await ask(handler, { op: "render", batch, env: 599 }));
    note("picture", await ask(handler, { op: "render", batch, env: 599, format: "svg" }));
    note("replay", await ask(handler, { op: "replay", batch, env: 512 }));
    const action = tensor(last, "mask")
      .slice(599 * maskWidth(last))
      .indexOf(1);
    if (action >= 0) note("outcomes", await ask(handler, { op: "outcomes", batch, env: 599, action, samples: 9 }));
    note("clone", await ask(handler, { op: "clone", batch, from: [599, 599, 0], to: [0, 1, 598] }));
    note("load", (last = await ask(handler, { op: "load", batch }, saved.data)));
    note("reset of some", await ask(handler, { op: "reset", batch, which, seed: "some" }));
    note("reset with seeds", await ask(handler, { op: "reset", batch, which, seeds: ["a", "b", "c", "d", "e"] }));
    const { positions } = ok(await ask(handler, { op: "position", batch, which, whole: true })).header;
    note("reset with positions", await ask(handler, { op: "reset", batch, which, seed: 3, positions }));
    const spoilt = [...(positions as object[])];
    spoilt[3] = { ...spoilt[3], moon: 1 };
    seen["a bad position"] = (
      await ask(handler, { op: "reset", batch, which, seed: 3, positions: spoilt })
    ).header.error;
    const forged = Int32Array.from(new Int32Array(Uint8Array.from(saved.data!).buffer));
    forged[forged.length - 1]! ^= 1;
    seen["a forged state"] = (await ask(handler, { op: "load", batch }, forged)).header.error;
    note("reset without", (last = await ask(handler, { op: "reset", batch })));
    const actors = tensor(last, "actors");
    if (actors.every((a) => a >= 0)) note("resample", await ask(handler, { op: "resample", batch, seed: 5 }));
    const illegal = lowest(last);
    illegal[599] = 9999;
    const { error } = (await ask(handler, { op: "step", batch }, illegal)).header;
    seen["refused"] = error;
    note("after the refusal", await ask(handler, { op: "step", batch }, lowest(last)));
    return seen;
  };

  it.each([
    ["toy-race", {}],
    [
      "toy-race",
      { autoreset: "same-step", maxDecisions: 5, potentials: true, dtype: "uint8", seats: { north: "random" } },
    ],
    [
      "toy-ambush",
      {
        maxDecisions: 10,
        seats: {
          red: [
            { agent: "random", weight: 1 },
            { agent: "search:iterations=4", weight: 0.05 },
          ],
        },
      },
    ],
  ])("gives the same as one that isn't, bit by bit: %s %o", async (game, more) => {
    const plain = await script(handlerWith(0), game, more);
    expect((plain["refused"] as { code: string }).code).toMatch(/action$/);
    expect(plain["a bad position"]).toMatchObject({ code: "bad-position" });
    expect(plain["a forged state"]).toMatchObject({ message: "row 599 was changed after it was saved" });
    for (const workers of [1, 2]) {
      const got = await script(handlerWith(workers), game, more);
      for (const key of Object.keys(plain))
        expect(JSON.stringify(got[key]) === JSON.stringify(plain[key]), `${workers} workers: ${key}`).toBe(true);
      expect(Object.keys(got)).toEqual(Object.keys(plain));
    }
  });

  it("gives the same when it is small, and another thread answers what takes long", async () => {
    const answers = await Promise.all(
      [0, 1].map(async (workers) => {
        const handler = handlerWith(workers);
        const of = { game: "toy-ambush", size: 9, record: true, maxDecisions: 12, autoreset: "disabled" };
        const { batch } = ok(await ask(handler, { op: "make", ...of })).header;
        let last = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
        const texts: string[] = [];
        const note = async (request: Record<string, unknown>): Promise<void> => {
          const { header, data } = ok(await ask(handler, { ...request, batch }));
          texts.push(JSON.stringify({ ...header, id: 0 }) + Buffer.from(data ?? []).toString("base64"));
        };
        for (let round = 0; round < 3; round++) {
          await note({ op: "resample", seed: 5 });
          await note({ op: "resample", seed: 5, which: [8, 0, 3] });
          await note({ op: "position" });
          await note({ op: "position", seat: "spectator", which: [7] });
          for (const format of ["text", "svg", "rgb"]) await note({ op: "render", env: 4, format, width: 320 });
          last = ok(await ask(handler, { op: "step", batch }, lowest(last)));
        }
        while (tensor(last, "actors").every((a) => a >= 0))
          last = ok(await ask(handler, { op: "step", batch }, lowest(last)));
        await note({ op: "replay", env: tensor(last, "actors").indexOf(-1), seat: "red" });
        return texts;
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  it("frees what it held when it is closed", async () => {
    const handler = handlerWith(2);
    const { batch } = ok(await ask(handler, { op: "make", game: "toy-race", size: SLICED })).header;
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    ok(await ask(handler, { op: "close", batch }));
    expect((await ask(handler, { op: "render", batch, env: 0 })).header.error?.code).toBe("unknown-batch");
    expect(handler.stats()).toMatchObject({ batches: 0, environments: 0, batchBytes: 0 });
  });
});

describe("a thread that ends", () => {
  it("loses the environments of its own batches only; what was saved is loaded into the same batch", async () => {
    const handler = handlerWith(2);
    const make = async (size: number): Promise<unknown> =>
      ok(await ask(handler, { op: "make", game: "toy-race", size, privileged: true })).header["batch"];
    const [hit, spared, small] = [
      await make(100),
      await make(100),
      ok(await ask(handler, { op: "make", game: "toy-race", size: 4 })).header["batch"],
    ];
    for (const batch of [spared, small]) ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    let last = ok(await ask(handler, { op: "reset", batch: hit, seed: 1 }));
    for (let i = 0; i < 5; i++) last = ok(await ask(handler, { op: "step", batch: hit }, lowest(last)));
    const saved = ok(await ask(handler, { op: "save", batch: hit }));
    const expected = ok(await ask(handler, { op: "step", batch: hit }, lowest(last)));

    const asked = Array.from({ length: 20 }, () => ask(handler, { op: "legal", batch: hit }));
    await workersOf(handler)[0]!.terminate();
    const codes = (await Promise.all(asked)).map((a) => a.header.error?.code ?? "ok");
    expect(codes.at(-1)).toBe("batch-lost");
    expect(new Set(codes).size).toBeLessThan(3); // the first ones may have been answered
    expect((await ask(handler, { op: "legal", batch: hit })).header.error?.code).toBe("batch-lost");
    for (const batch of [spared, small]) ok(await ask(handler, { op: "legal", batch }));

    await expect.poll(() => workersOf(handler).length).toBe(2); // there is another in its place
    await expect
      .poll(async () => ok(await ask(handler, { op: "reset", batch: hit, seed: 9 })).header.error)
      .toBeUndefined();
    const back = ok(await ask(handler, { op: "load", batch: hit }, saved.data));
    expect(tensor(back, "units")).toEqual(tensor(last, "units"));
    expect(tensor(ok(await ask(handler, { op: "step", batch: hit }, lowest(back))), "units")).toEqual(
      tensor(expected, "units"),
    );
  });

  it("is the reply to every request, until the batch is reset", async () => {
    const handler = handlerWith(1);
    const { batch } = ok(await ask(handler, { op: "make", game: "toy-race", size: 50 })).header;
    const first = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    await workersOf(handler)[0]!.terminate();
    for (let i = 0; i < 2; i++)
      expect((await ask(handler, { op: "step", batch }, lowest(first))).header.error).toMatchObject({
        code: "batch-lost",
        message: expect.stringMatching(/reset the batch/) as string,
      });
    const again = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    expect(tensor(again, "units")).toEqual(tensor(first, "units"));
    ok(await ask(handler, { op: "step", batch }, lowest(again)));
  });
});

describe("clients that share threads", () => {
  it("take turns: a client with many requests does not delay another", async () => {
    const server = await Server.start({ ...TOY_LIBRARY, workers: 1, localBytes: 0, bind: "tcp://127.0.0.1:*" });
    const [greedy, modest, single] = [new Peer(server.address), new Peer(server.address), new Peer(server.address)];
    closing.push(server, greedy, modest, single);
    const made = async (p: Peer, size: number): Promise<unknown> =>
      ok(await p.ask({ op: "make", game: "toy-race", size })).header["batch"];
    const large = [];
    for (let k = 0; k < 40; k++) large.push(await made(greedy, 1000));
    const [own, one] = [await made(modest, 64), await made(single, 1)];
    for (const batch of large) await greedy.put({ op: "reset", batch, seed: 1 });
    await modest.ask({ op: "reset", batch: own, seed: 1 });
    ok(await single.ask({ op: "reset", batch: one, seed: 1 }));
    let answered = 0;
    const all = (async () => {
      for (; answered < large.length; answered++) ok(await greedy.take());
    })();
    ok(await modest.ask({ op: "legal", batch: own }));
    expect(answered).toBeLessThan(large.length - 10); // it came long before the greedy one's last
    await all;
  });

  it("get the answers to what they asked when the server stops", async () => {
    const server = await Server.start({ ...TOY_LIBRARY, workers: 2, localBytes: 0, bind: "tcp://127.0.0.1:*" });
    const p = new Peer(server.address);
    closing.push(p);
    const { batch } = ok(await p.ask({ op: "make", game: "toy-race", size: SLICED })).header;
    ok(await p.ask({ op: "reset", batch, seed: 1 }));
    const resets = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008];
    for (const id of resets) await p.put({ op: "reset", batch, seed: 1, id });
    const ping = 1009;
    await p.put({ op: "ping", id: ping });
    const answered: (number | null)[] = [];
    const take = async (): Promise<unknown> => answered.push(ok(await p.take()).header.id);
    while (!answered.includes(ping)) await take(); // then what was sent before has come in
    await server.close();
    while (answered.length <= resets.length) await take();
    expect(answered.sort()).toEqual([...resets, ping]);
  });
});
