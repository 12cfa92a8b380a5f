import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SHIPPED } from "../../../agents/model-file.js";
import { loadGame } from "../../../env/index.js";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import type { Limits } from "../../../server/wire/limits.js";
import { startBackend } from "../../../training/nets/backend.js";
import { endless } from "../../agents/models/endless-model.js";
import { modelMemory, modelProcesses } from "../../agents/models/model-processes.js";
import { edited, setMeta, smallModel } from "../../training/models.js";
import { type Answer, ask, lowest, Peer } from "../ask.js";
import { leastOf } from "../../patience.js";

// Models of a folder of one's own. `endless.onnx` is a model like `fine.onnx`, but on 8 rows and more a run never ends.

const GAME = "pocket-stalingrad";
const folder = mkdtempSync(join(tmpdir(), "kessel-models-"));
beforeAll(async () => {
  await startBackend();
  const { bytes } = await smallModel(loadGame(GAME));
  const write = (name: string, file: Uint8Array): void => writeFileSync(join(folder, name), file);
  write("fine.onnx", bytes);
  write("endless.onnx", edited(bytes, endless(8)));
  const unloadable = edited(bytes, (m) => {
    setMeta(m, "kessel.golden", null);
    endless(1)(m);
  });
  write("unloadable.onnx", unloadable);
});
afterAll(() => rmSync(folder, { recursive: true }));

const closing: Handler[] = [];
afterEach(async () => {
  for (const h of closing.splice(0)) await h.close();
  await expect.poll(() => modelProcesses()).toEqual([]);
  expect(modelMemory()).toEqual([]);
});
function handlerWith(limits: Partial<Limits>, options: HandlerOptions = {}): Handler {
  const handler = new Handler({ workers: 1, models: folder, limits, ...options });
  closing.push(handler);
  return handler;
}
const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};
async function make(handler: Handler, agent: string, size: number, client = "a"): Promise<unknown> {
  const request = { op: "make", game: GAME, size, seats: { soviet: agent } };
  return ok(await ask(handler, request, undefined, client)).header["batch"];
}
const reset = (handler: Handler, batch: unknown, client = "a") =>
  ask(handler, { op: "reset", batch, seed: 1 }, undefined, client);

/**
 * Seconds that a model may take: on a busy machine it takes two to start its process. Others wait less than half of it.
 */
const LIMIT = 5;
const HALF_MS = 500 * LIMIT;

/** Plays on as client b until `over`. @returns the longest wait for a reply, in ms, and how many there were */
async function playOn(
  handler: Handler,
  batch: unknown,
  over: () => boolean,
): Promise<{ most: number; replies: number }> {
  let began = performance.now();
  let last = ok(await reset(handler, batch, "b"));
  let most = performance.now() - began;
  let replies = 0;
  for (; !over(); replies++) {
    began = performance.now();
    last = ok(await ask(handler, { op: "step", batch }, lowest(last), "b"));
    most = Math.max(most, performance.now() - began);
    await pause(2);
  }
  return { most, replies };
}

describe.runIf(process.platform === "linux")("a model of one's own that never ends", () => {
  it("loses the batches that it plays in; others on the same thread get their replies in time", async () => {
    const handler = handlerWith({ decisionSeconds: LIMIT });
    const other = await make(handler, "heuristic:greedy", 16, "b");
    let hit: unknown[] = [];
    const longestWait = async (): Promise<number> => {
      hit = [await make(handler, "onnx:endless.onnx", 8), await make(handler, "onnx:endless.onnx", 8, "c")];
      let over = false;
      const answers = Promise.all(hit.map((batch) => reset(handler, batch))).finally(() => (over = true));
      const { most, replies } = await playOn(handler, other, () => over);
      expect(replies).toBeGreaterThan(0);
      for (const { header } of await answers)
        expect(header.error).toEqual({
          code: "time-limit",
          message: `endless.onnx: the model runs for longer than ${LIMIT} seconds on 8 rows; it was ended`,
        });
      await expect.poll(() => modelProcesses()).toEqual([]);
      return most;
    };
    expect(await leastOf(longestWait, HALF_MS)).toBeLessThan(HALF_MS);
    const step = await ask(handler, { op: "step", batch: hit[0] }, new Int32Array(8));
    expect(step.header.error?.code).toBe("not-reset");
    ok(await ask(handler, { op: "close", batch: hit[0] }));
    ok(await ask(handler, { op: "step", batch: other }, lowest(await reset(handler, other, "b")), "b"));
  });

  it("plays where it does end", async () => {
    const handler = handlerWith({ decisionSeconds: LIMIT });
    const batch = await make(handler, "onnx:endless.onnx", 7);
    let last = ok(await reset(handler, batch));
    for (let k = 0; k < 5; k++) last = ok(await ask(handler, { op: "step", batch }, lowest(last)));
  });

  it("is refused when it doesn't end as it is tried out, and nobody waits for that", async () => {
    const handler = handlerWith({ decisionSeconds: LIMIT });
    const other = await make(handler, "heuristic:greedy", 16, "b");
    let over = false;
    const seats = { soviet: "onnx:unloadable.onnx" };
    const making = ask(handler, { op: "make", game: GAME, size: 1, seats }).finally(() => (over = true));
    const { most, replies } = await playOn(handler, other, () => over);
    expect((await making).header.error).toEqual({
      code: "time-limit",
      message: `unloadable.onnx: the model runs for longer than ${LIMIT} seconds on 1 rows; it was ended`,
    });
    expect(replies).toBeGreaterThan(50);
    expect(most).toBeLessThan(HALF_MS);
  });

  it("ends with its batch, in the middle of a run", async () => {
    const handler = handlerWith({ decisionSeconds: 600 });
    const batch = await make(handler, "onnx:endless.onnx", 8);
    const waiting = reset(handler, batch);
    await pause(300);
    expect(modelProcesses()).toHaveLength(1);
    ok(await ask(handler, { op: "close", batch }));
    expect((await waiting).header.error?.code).toBe("batch-lost");
    await expect.poll(() => modelProcesses()).toEqual([]);
  });

  it("ends with its thread, and in the socket's thread with the server", async () => {
    const short = handlerWith({ decisionSeconds: 600, requestSeconds: 6 });
    expect((await reset(short, await make(short, "onnx:endless.onnx", 8))).header.error?.code).toBe("batch-lost");
    await expect.poll(() => modelProcesses()).toEqual([]);
    const alone = handlerWith({ decisionSeconds: 600 }, { workers: 0 });
    const batch = await make(alone, "onnx:endless.onnx", 8);
    void reset(alone, batch);
    await pause(300);
    expect((await ask(alone, { op: "ping" })).header.error).toBeUndefined();
    expect(modelProcesses()).toHaveLength(1);
  });

  it("ends with its server, when that is killed", async () => {
    const kessel = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));
    const server = spawn(
      process.execPath,
      [kessel, "serve", "--port", "0", "--json", "--no-page", "--models", folder],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const line = await new Promise<string>((done) => createInterface({ input: server.stdout }).once("line", done));
    const { address, pid } = JSON.parse(line) as { address: string; pid: number };
    const peer = new Peer(address);
    const request = { op: "make", game: GAME, size: 8, seats: { soviet: "onnx:endless.onnx" } };
    const { batch } = ok(await peer.ask(request)).header;
    await peer.put({ op: "reset", batch, seed: 1 });
    await pause(500);
    const [model] = modelProcesses(pid);
    server.kill("SIGKILL");
    const alive = (): boolean => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${model}/status`, "latin1"));
      } catch {
        return false;
      }
    };
    await expect.poll(alive).toBe(false);
    peer.close();
  });
});

describe.runIf(process.platform === "linux")("a model of one's own", () => {
  it("plays as in the server's threads, where --trust-models has it", async () => {
    const seen: string[][] = [];
    for (const [options, processes] of [
      [{ trustModels: true }, 0],
      [{ trustModels: true, workers: 0 }, 0],
      [{ workers: 0 }, 1],
      [{ workers: 2 }, 2],
    ] as const) {
      const handler = handlerWith({}, options);
      const batch = await make(handler, "onnx:fine.onnx?temperature=1", 128);
      let last = ok(await reset(handler, batch));
      const replies: string[] = [];
      for (let k = 0; k < 10; k++) {
        last = ok(await ask(handler, { op: "step", batch }, lowest(last)));
        replies.push(Buffer.from(last.data!).toString("base64"));
      }
      expect(modelProcesses()).toHaveLength(processes);
      seen.push(replies);
      await handler.close();
    }
    for (const replies of seen) expect(replies).toEqual(seen[0]);
  });

  it("has one process for all agents of a thread that search with it", async () => {
    const handler = handlerWith({});
    const batch = await make(handler, "search:net=fine.onnx,iterations=2", 200);
    ok(await reset(handler, batch));
    expect(modelProcesses()).toHaveLength(1);
  });

  it("counts among the threads of its connection", async () => {
    const handler = handlerWith({ searchesPerClient: 1 });
    const batch = await make(handler, "onnx:fine.onnx", 1);
    const more = { op: "make", game: GAME, size: 1, seats: { soviet: "onnx:fine.onnx" } };
    expect((await ask(handler, more, undefined, "a")).header.error?.message).toMatch(
      /^a connection may have 1 threads for batches/,
    );
    ok(await ask(handler, { op: "close", batch }));
    ok(await ask(handler, more, undefined, "a"));
  });
});

it("models that come with Kessel run in the thread that plays", async () => {
  for (const [models, agent] of [
    [folder, "recruit"],
    [SHIPPED, `onnx:${GAME}/recruit.onnx`],
  ] as const) {
    const handler = handlerWith({}, { models });
    ok(await reset(handler, await make(handler, agent, 8)));
    expect(modelProcesses()).toEqual([]);
  }
});
