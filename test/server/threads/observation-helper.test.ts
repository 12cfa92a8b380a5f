import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import type { ObservationHelper } from "../../../server/threads/observation-helper.js";
import { FrameBlocks, isOpen, CONTROL_WORDS } from "../../../server/threads/observation-helper-worker.js";
import { type Answer, ask, lowest } from "../ask.js";
import { FAULTY_LIBRARY } from "./observation-helper-faulty.js";
import { TOY_LIBRARY } from "../toys.js";

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const c of closing.splice(0).reverse()) await c.close();
});
function handlerWith(options: HandlerOptions): Handler {
  const handler = new Handler({ ...TOY_LIBRARY, shares: true, ...options });
  closing.push(handler);
  return handler;
}
const SIZE = 200; // four blocks, the last of them not full

/** A batch in which the first legal action is played each time. */
class Play {
  header!: Answer["header"];
  last!: Answer;

  constructor(readonly handler: Handler) {}

  async make(more: object): Promise<this> {
    this.header = (await ask(this.handler, { op: "make", game: "toy-race", size: SIZE, ...more })).header;
    expect(this.header.error).toBeUndefined();
    this.last = await ask(this.handler, { op: "reset", batch: this.header["batch"], seed: 7 });
    return this;
  }

  async step(actions = lowest(this.seen())): Promise<Answer["header"]> {
    const answer = await ask(
      this.handler,
      { op: "step", batch: this.header["batch"], free: [this.last.header["slot"]] },
      actions,
    );
    if (answer.header.error === undefined) this.last = answer;
    return answer.header;
  }

  /** The last reply as the client has it, which may read it from shared memory. */
  seen(): Answer {
    const { header, data } = this.last;
    const tensors = header.tensors ?? this.header.tensors!;
    if (data !== undefined) return { header: { ...header, tensors }, data };
    const { path, slotBytes } = this.header["memory"] as { path: string; slotBytes: number };
    const from = (header["slot"] as number) * slotBytes;
    return { header: { ...header, tensors }, data: readFileSync(path).subarray(from, from + slotBytes) };
  }
}

const same = (a: Answer, b: Answer): boolean => Buffer.compare(a.data!.subarray(0, b.data!.length), b.data!) === 0;
const blocks = (handler: Handler): number => handler.stats()["helperBlocks"]!;
/** True when the thread of the socket offers blocks. */
const blocksOpen = (handler: Handler): boolean =>
  isOpen(Reflect.get(Reflect.get(handler, "helper") as object, "control") as Int32Array);
const scribeOf = (handler: Handler): Worker | null =>
  Reflect.get(Reflect.get(handler, "helper") as object, "worker") as Worker | null;

describe("a batch whose observations a helper writes too", () => {
  it.each([
    {},
    { shared: true },
    { dtype: "uint8", shared: true },
    { autoreset: "same-step", maxDecisions: 5 },
    { seats: { north: "random" } },
  ])("is what it is without, bit by bit: %o", async (more) => {
    const alone = await new Play(handlerWith({})).make(more);
    const helped = await new Play(handlerWith({ workers: 1 })).make(more);
    expect(blocks(alone.handler)).toBe(0);
    for (let i = 0; i < 10 || blocks(helped.handler) < 20; i++) {
      expect(same(helped.seen(), alone.seen()), `step ${i}`).toBe(true);
      await Promise.all([alone.step(), helped.step()]);
      await sleep(1); // until it has started, it does not help
    }
  });

  it("goes on after actions that are refused, of which any number may come", async () => {
    const handler = handlerWith({ workers: 1 });
    const [alone, helped] = [await new Play(handlerWith({})).make({}), await new Play(handler).make({ shared: true })];
    while (blocks(handler) === 0) await Promise.all([alone.step(), helped.step(), sleep(1)]);
    for (let i = 0; i < 20; i++) {
      const refused = await ask(
        handler,
        { op: "step", batch: helped.header["batch"] },
        new Int32Array(SIZE).fill(9999),
      );
      expect(refused.header.error?.code).toBe("bad-action");
      expect(blocksOpen(handler)).toBe(false);
    }
    const held = helped.last.header["slot"];
    await Promise.all([
      alone.step(),
      ask(handler, { op: "step", batch: helped.header["batch"] }, lowest(helped.seen())).then(
        (answer) => (helped.last = answer),
      ),
    ]);
    expect([held, helped.last.header["slot"]].sort()).toEqual([0, 1]); // none but the one that is read from was taken
    const before = blocks(handler);
    while (blocks(handler) < before + 10) {
      expect(same(helped.seen(), alone.seen())).toBe(true);
      await Promise.all([alone.step(), helped.step()]);
      expect(helped.last.header["slot"]).toBeDefined();
    }
  });

  it("is written by its own thread when the helper fails", async () => {
    const [alone, helped] = [
      await new Play(handlerWith({})).make({}),
      await new Play(handlerWith({ ...FAULTY_LIBRARY, workers: 1 })).make({}),
    ];
    for (let i = 0; i < 10 || blocks(helped.handler) < 10; i++) {
      await Promise.all([alone.step(), helped.step(), sleep(1)]);
      expect(same(helped.seen(), alone.seen()), `step ${i}`).toBe(true);
    }
  });

  it("goes on without the helper when that has ended, and logs it", async () => {
    const events: string[] = [];
    const handler = handlerWith({ workers: 1, log: (event) => events.push(event) });
    const [alone, helped] = [await new Play(handlerWith({})).make({}), await new Play(handler).make({})];
    while (blocks(handler) === 0) await Promise.all([alone.step(), helped.step(), sleep(1)]);
    await scribeOf(handler)!.terminate();
    const before = blocks(handler);
    const late = await new Play(handler).make({});
    for (let i = 0; i < 10; i++) {
      await Promise.all([alone.step(), helped.step(), late.step()]);
      expect(same(helped.seen(), alone.seen())).toBe(true);
    }
    expect(blocks(handler)).toBe(before);
    expect(events).toEqual(["helper-lost"]);
  });
});

describe("the blocks of a frame", () => {
  it("are given out once each, to the one or the other", () => {
    const frame = new FrameBlocks(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)), 5, 0, 0, 3);
    expect([0, 1, 2, 3].map(() => frame.take())).toEqual([0, 1, 2, -1]);
    expect(frame.finish()).toBe(true);
    expect(frame.take()).toBe(-1);
  });

  it("isn't whole when blocks were not taken, or when the helper that took one has ended", () => {
    const control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS));
    const left = new FrameBlocks(control, 1, 0, 0, 3);
    left.take();
    expect(left.finish()).toBe(false);
    const lost = new FrameBlocks(control, 2, 0, 0, 3, 2);
    Atomics.add(control, 1, 1); // someone else takes the first
    expect([lost.take(), lost.take(), lost.take()]).toEqual([1, 2, -1]);
    expect(lost.finish()).toBe(false);
  });
});

it("keeps nothing of a batch that is refused", async () => {
  const handler = new Handler({ workers: 1 });
  closing.push(handler);
  const helper = Reflect.get(handler, "helper") as ObservationHelper;
  const left: number[] = [];
  Reflect.set(helper, "add", () => ({ leave: () => void left.push(1) }));
  const refused = await ask(handler, { op: "make", game: "pocket-stalingrad", size: 512, potentials: true });
  expect(refused.header.error?.code).toBe("not-privileged");
  expect(left).toEqual([1]);
});
