import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { KesselError } from "../../../env/index.js";
import { WorkerThread } from "../../../server/threads/worker-thread.js";

const LOSSES = {
  lost: () => new KesselError("batch-lost", "lost"),
  overdue: () => new KesselError("time-limit", "overdue"),
};
const thread = (): WorkerThread => new WorkerThread({ library: undefined, host: {} as never }, LOSSES, () => {});

/** A thread whose tasks end when the test says so. */
class Played extends EventEmitter {
  readonly ids: number[] = [];
  readonly keys: number[] = [];
  postMessage({ id, key }: { id: number; key: number }): void {
    this.ids.push(id);
    this.keys.push(key);
  }
  finish(id: number): void {
    this.emit("message", { id, done: { decided: 0, ms: 0 } });
  }
  terminate(): Promise<void> {
    this.emit("exit");
    return Promise.resolve();
  }
}
const starts = (t: WorkerThread, played: Played): void => void Reflect.set(t, "newWorker", () => begin(t, played));
/** Connects a played thread as `newWorker` does a real one. */
function begin(t: WorkerThread, played: Played): Played {
  played.on("message", (report: unknown) => {
    if (report === "ready") (Reflect.get(t, "started") as () => void).call(t);
    else (Reflect.get(t, "finish") as (r: unknown) => void).call(t, report);
  });
  played.on("exit", () => (Reflect.get(t, "ended") as () => void).call(t));
  return played;
}
const settled = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "done",
    (e: unknown) => (e as KesselError).code,
  );

it("a task fails when no thread can be started, and isn't carried out later", async () => {
  const t = thread();
  Reflect.set(t, "newWorker", () => {
    throw Object.assign(new Error("no more threads"), { code: "ERR_WORKER_INIT_FAILED" });
  });
  expect(await settled(t.ask("a", 1, { op: "close" }))).toBe("limit");
  const played = new Played();
  starts(t, played);
  void t.ask("a", 2, { op: "close" });
  expect(played.keys).toEqual([2]);
});

it("a thread that ends where no other can be started fails tasks until one can", async () => {
  const t = thread();
  const played = new Played();
  starts(t, played);
  const asked = settled(t.ask("a", 1, { op: "close" }));
  Reflect.set(t, "newWorker", () => {
    throw new Error("no more threads");
  });
  played.emit("exit");
  expect(await asked).toBe("batch-lost");
  expect(await settled(t.ask("a", 2, { op: "close" }))).toBe("limit");
});

it("a task that never ends is overdue though others of its thread end", async () => {
  const t = thread();
  const played = new Played();
  starts(t, played);
  const waits = settled(t.ask("a", 1, { op: "close" })); // such as for a model
  played.emit("message", "ready");
  for (let n = 0; n < 3; n++) {
    const other = settled(t.ask("b", 2, { op: "close" }));
    await sleep(40);
    played.finish(played.ids.at(-1)!);
    expect(await other).toBe("done");
  }
  t.endOverdue(0.1);
  expect(await waits).toBe("time-limit");
});

it("of a thread that is ended for one task the others are lost, and not overdue", async () => {
  const t = thread();
  const played = new Played();
  const ends = played.terminate.bind(played);
  played.terminate = () => Promise.resolve(); // it takes its time
  starts(t, played);
  const first = settled(t.ask("a", 1, { op: "close" }));
  const second = settled(t.ask("b", 2, { op: "close" }));
  played.emit("message", "ready");
  await sleep(60);
  t.endOverdue(0.05);
  t.endOverdue(0.05);
  await ends();
  expect([await first, await second]).toEqual(["time-limit", "batch-lost"]);
});

it("a task that waited behind another isn't overdue by that", async () => {
  const t = thread();
  const played = new Played();
  starts(t, played);
  const first = settled(t.ask("a", 1, { op: "close" }));
  const second = settled(t.ask("b", 2, { op: "close" }));
  played.emit("message", "ready");
  await sleep(80);
  played.finish(played.ids[0]!);
  await sleep(40);
  t.endOverdue(0.1);
  played.finish(played.ids[1]!);
  expect([await first, await second]).toEqual(["done", "done"]);
});
