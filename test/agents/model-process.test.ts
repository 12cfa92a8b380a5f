import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { OnnxModel } from "../../agents/onnx.js";
import { startBackend } from "../../training/nets/backend.js";
import type { RolloutBuffer } from "../../training/learn/rollout-buffer.js";
import { edited, setMeta, smallModel } from "../training/models.js";
import { endless } from "./endless-model.js";
import { modelMemory, modelProcesses } from "./model-processes.js";
import { decisions, game } from "./onnx-model.js";

// Models in processes of their own: what they do to them, they do to nobody else.

let bytes: Uint8Array;
let samples: RolloutBuffer;
beforeAll(async () => {
  await startBackend();
  ({ bytes, samples } = await smallModel(game));
});
const open: OnnxModel[] = [];
afterEach(async () => {
  for (const m of open.splice(0)) await m.close();
  await expect.poll(() => modelProcesses(), { timeout: 20_000 }).toEqual([]);
  expect(modelMemory()).toEqual([]);
});
async function load(file: Uint8Array, seconds?: number): Promise<OnnxModel> {
  const model = await OnnxModel.load(file, game, "a.onnx", seconds);
  open.push(model);
  return model;
}
const run = (model: OnnxModel, n: number) => {
  const { observation, mask } = decisions(samples, n);
  return model.run(observation, mask, n);
};

describe.runIf(process.platform === "linux")("a model in a process of its own", { timeout: 60_000 }, () => {
  it("answers what it answers in this thread, for any number of rows, also when all are asked at once", async () => {
    const here = await load(bytes);
    const apart = await load(bytes, 20);
    expect(apart.goldenError).toBe(here.goldenError);
    const sizes = [1, 9, 2, 9, 5];
    const answers = await Promise.all(sizes.map((n) => run(apart, n)));
    for (const [k, n] of sizes.entries()) expect(answers[k]).toEqual(await run(here, n));
    expect(modelProcesses()).toHaveLength(1);
  });

  it("is ended when a run takes too long; who waited for his own run gets it from another process", async () => {
    const model = await load(edited(bytes, endless(8)), 1);
    const first = modelProcesses();
    const slow = run(model, 8);
    const next = run(model, 7);
    await expect(slow).rejects.toMatchObject({
      code: "time-limit",
      message: "a.onnx: the model runs for longer than 1 seconds on 8 rows; it was ended",
    });
    expect((await next).value).toHaveLength(7);
    expect(modelProcesses()).toHaveLength(1);
    expect(modelProcesses()).not.toEqual(first);
  });

  it("is ended when it takes too long to load, and leaves nothing", async () => {
    const unending = edited(bytes, (m) => {
      setMeta(m, "kessel.golden", null);
      endless(2)(m);
    });
    await expect(load(unending, 1)).rejects.toMatchObject({
      code: "time-limit",
      message: "a.onnx: the model runs for longer than 1 seconds on 2 rows; it was ended",
    });
  });

  it("may be ended from outside: the run fails by name, and the next is run", async () => {
    const model = await load(edited(bytes, endless(8)), 600);
    const dying = run(model, 8);
    dying.catch(() => undefined);
    process.kill(modelProcesses()[0]!, "SIGSEGV");
    await expect(dying).rejects.toMatchObject({
      code: "bad-model",
      message: "a.onnx: the model ended the process that ran it (SIGSEGV)",
    });
    expect((await run(model, 2)).value).toHaveLength(2);
  });

  it("is closed in the middle of a run", async () => {
    const model = await load(edited(bytes, endless(8)), 600);
    const running = run(model, 8);
    running.catch(() => undefined);
    await pause(200);
    await open.pop()!.close();
    await expect(running).rejects.toThrow(/^a\.onnx: the model was closed while it ran$/);
    await expect(run(model, 1)).rejects.toThrow(/a\.onnx: the model is closed/);
  });

  it("says what doesn't run, as in this thread", async () => {
    const nonsense = edited(bytes, (m) => void (m.graph!.node[0]!.opType = "Nonsense"));
    const said = await load(nonsense).catch((e: Error) => e.message);
    expect(said).toMatch(/^a\.onnx does not run: /);
    await expect(load(nonsense, 20)).rejects.toThrow(said as string);
  });

  it("goes first where memory runs out", async () => {
    await load(bytes, 20);
    expect(readFileSync(`/proc/${modelProcesses()[0]}/oom_score_adj`, "latin1").trim()).toBe("1000");
  });
});
