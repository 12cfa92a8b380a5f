import { describe, expect, it } from "vitest";
import { Handler } from "../../../server/handler.js";
import { ask, lowest } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

async function make(handler: Handler, args: Record<string, unknown> = {}): Promise<string> {
  const { header } = await ask(handler, { op: "make", game: "toy-race", size: 3, ...args });
  expect(header.error).toBeUndefined();
  return header["batch"] as string;
}

describe("leases", () => {
  it("close a batch that no request names, and ping keeps it", async () => {
    let now = 0;
    const handler = new Handler({ ...TOY_LIBRARY, clock: () => now });
    const [kept, left] = [await make(handler, { lease: 30 }), await make(handler, { lease: 30 })];
    now = 25;
    await ask(handler, { op: "ping", batches: [kept] });
    now = 40;
    expect(handler.sweep()).toBe(1);
    expect((await ask(handler, { op: "reset", batch: kept, seed: 1 })).header.error).toBeUndefined();
    expect((await ask(handler, { op: "reset", batch: left, seed: 1 })).header.error?.code).toBe("unknown-batch");
  });

  it("outlive a lost connection for a while, for a client that comes back by another", async () => {
    let now = 0;
    const handler = new Handler({ ...TOY_LIBRARY, clock: () => now });
    const [mine, left] = [await make(handler), await make(handler)];
    handler.lost("test", 10);
    now = 5;
    await ask(handler, { op: "reset", batch: mine, seed: 1 }, undefined, "again");
    now = 20;
    handler.sweep();
    expect((await ask(handler, { op: "legal", batch: mine })).header.error).toBeUndefined();
    expect((await ask(handler, { op: "legal", batch: left })).header.error?.code).toBe("unknown-batch");
  });

  it("are renewed by a connection that only pings, and end with the one that asked when it is gone", async () => {
    let now = 0;
    const handler = new Handler({ ...TOY_LIBRARY, clock: () => now });
    const batch = await make(handler, { lease: 100 });
    now = 50;
    await ask(handler, { op: "ping", batches: [batch] }, undefined, "heartbeats"); // as the Python client's
    now = 120;
    expect(handler.sweep()).toBe(0);
    handler.lost("test", 10);
    now = 131;
    expect(handler.sweep()).toBe(1);
  });

  it("end without the decisions that were played being forgotten", async () => {
    for (const workers of [0, 1]) {
      const handler = new Handler({ workers, localBytes: 0 });
      const { header } = await ask(handler, { op: "make", game: "pocket-stalingrad", size: 128 });
      const { batch } = header;
      const first = await ask(handler, { op: "reset", batch, seed: 1 });
      await ask(
        handler,
        { op: "step", batch },
        lowest({ header: { ...first.header, tensors: header.tensors! }, data: first.data! }),
      );
      expect(handler.stats()["decisions"]).toBe(128);
      await ask(handler, { op: "close", batch });
      expect(handler.stats()["decisions"]).toBe(128);
      await handler.close();
    }
  });

  it("count batches that are still being made, so that nobody gets more by asking for several at once", async () => {
    for (const workers of [0, 1]) {
      const handler = new Handler({ workers, limits: { batchesPerClient: 2, environmentsPerClient: 25 } });
      const asked = [10, 10, 10].map((size) => ask(handler, { op: "make", game: "pocket-stalingrad", size }));
      const errors = (await Promise.all(asked)).map(({ header }) => header.error?.message ?? "made");
      expect(errors).toEqual(["made", "made", expect.stringMatching(/may hold 2 batches/)]);
      expect(handler.stats()["environments"]).toBe(20);
      await handler.close();
    }
  });
});
