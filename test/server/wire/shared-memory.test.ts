import { existsSync, readFileSync, statSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import { Server } from "../../../server/zmq.js";
import { type Answer, ask, lowest, Peer } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const c of closing.splice(0).reverse()) await c.close();
});
function handlerWith(options: HandlerOptions): Handler {
  const handler = new Handler({ ...TOY_LIBRARY, localBytes: 0, ...options });
  closing.push(handler);
  return handler;
}

interface Mapped {
  readonly path: string;
  readonly slotBytes: number;
}
/** A reply as the client has it that maps the memory. */
function seen({ header, data }: Answer, memory: Mapped, tensors: Answer["header"]["tensors"]): Answer {
  if (data !== undefined) return { header, data };
  const from = (header["slot"] as number) * memory.slotBytes;
  return {
    header: { ...header, tensors: header.tensors ?? tensors! },
    data: readFileSync(memory.path).subarray(from, from + memory.slotBytes),
  };
}

describe.runIf(existsSync("/dev/shm"))("memory that server and client share", () => {
  it.each([
    [0, {}],
    [1, {}],
    [2, {}],
    [2, { dtype: "uint8" }],
    [0, { autoreset: "same-step", maxDecisions: 5 }],
    [2, { autoreset: "same-step", maxDecisions: 5, dtype: "uint8" }],
  ])("holds what would be sent, bit by bit: %d workers, %o", async (workers, more) => {
    const handler = handlerWith({ workers, shares: true });
    const make = { op: "make", game: "toy-race", size: 600, ...more };
    const plain = (await ask(handler, make)).header;
    const shared = (await ask(handler, { ...make, shared: true })).header;
    expect([plain["memory"], shared.error]).toEqual([undefined, undefined]);
    const memory = shared["memory"] as Mapped;
    let sent = await ask(handler, { op: "reset", batch: plain["batch"], seed: 7 });
    let kept = await ask(handler, { op: "reset", batch: shared["batch"], seed: 7 });
    let finals = 0;
    for (let i = 0; i < 12; i++) {
      expect(kept.data).toBeUndefined();
      const got = seen(kept, memory, shared.tensors);
      finals += got.header.tensors!.some(([name]) => name === "final_rows") ? 1 : 0;
      expect(got.header.tensors).toEqual(sent.header.tensors);
      expect(Buffer.compare(got.data!.subarray(0, sent.data!.length), sent.data!), `step ${i}`).toBe(0);
      const actions = lowest(sent);
      sent = await ask(handler, { op: "step", batch: plain["batch"], free: [sent.header["slot"]] }, actions);
      kept = await ask(handler, { op: "step", batch: shared["batch"], free: [kept.header["slot"]] }, actions);
    }
    expect(finals > 0).toBe("autoreset" in more);
  });

  it("is never written over while the client holds it; beyond the slots, replies are sent", async () => {
    const handler = handlerWith({ shares: true });
    const { batch, memory, tensors } = (await ask(handler, { op: "make", game: "toy-race", size: 4, shared: true }))
      .header as unknown as { batch: string; memory: Mapped; tensors: Answer["header"]["tensors"] };
    let last = seen(await ask(handler, { op: "reset", batch, seed: 1 }), memory, tensors);
    const held: [Answer, string][] = [];
    for (let i = 0; i < 20; i++) {
      held.push([last, Buffer.from(last.data!).toString("hex")]);
      last = seen(await ask(handler, { op: "step", batch }, lowest(last)), memory, tensors);
    }
    const slots = held.map(([a]) => a.header["slot"]).filter((slot) => slot !== undefined);
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots.length).toBeLessThan(20);
    for (const [a, was] of held)
      expect(
        Buffer.from(
          seen({ header: a.header, data: a.header["slot"] === undefined ? a.data : undefined }, memory, tensors).data!,
        ).toString("hex"),
      ).toBe(was);
  });

  it("is for this user alone, and gone with its batch", async () => {
    const handler = handlerWith({ shares: true });
    const { batch, memory } = (await ask(handler, { op: "make", game: "toy-race", size: 4, shared: true }))
      .header as unknown as { batch: string; memory: Mapped };
    expect(statSync(memory.path).mode & 0o777).toBe(0o600);
    await ask(handler, { op: "close", batch });
    expect(existsSync(memory.path)).toBe(false);
  });

  it("is left out where there can be none: the batch is made without it", async () => {
    const handler = handlerWith({});
    const { header } = await ask(handler, { op: "make", game: "toy-race", size: 4, shared: true });
    expect([header.error, header["memory"]]).toEqual([undefined, undefined]);
    expect((await ask(handler, { op: "reset", batch: header["batch"], seed: 1 })).data).toBeDefined();
  });

  it("is offered by servers on the loopback address", async () => {
    const server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*" });
    closing.push(server);
    const p = new Peer(server.address);
    closing.push(p);
    const { memory } = (await p.ask({ op: "make", game: "toy-race", size: 4, shared: true })).header as unknown as {
      memory: Mapped;
    };
    expect(existsSync(memory.path)).toBe(true);
  });
});
