import { copyFileSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  type ModelProto,
  NodeProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
} from "onnx-buf";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ModelProcess } from "../../../agents/model-process.js";
import type { Feed } from "../../../agents/onnx-session.js";
import { makeAgent } from "../../../agents/registry.js";
import { loadGame, type Observation, type TensorName } from "../../../env/index.js";
import { OnnxModel } from "../../../agents/onnx.js";
import { startBackend } from "../../../training/nets/backend.js";
import type { RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { edited, setMeta, smallModel } from "../../training/models.js";
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
  await expect.poll(() => modelProcesses()).toEqual([]);
  expect(modelMemory()).toEqual([]);
});
async function load(file: Uint8Array, seconds?: number): Promise<OnnxModel> {
  const model = await OnnxModel.load(file, game, "a.onnx", seconds);
  open.push(model);
  return model;
}
/** A model that gives one policy `numbers` numbers long, more or less. */
const flooding =
  (numbers: number) =>
  (m: ModelProto): void => {
    const A = game.actions.length;
    const graph = m.graph!;
    graph.node.find((n) => n.output[0] === "policy")!.output = ["few"];
    const int = (name: string, i: bigint) => ({ name, type: AttributeProto_AttributeType.INT, i });
    const axes = { name: "axes", type: AttributeProto_AttributeType.INTS, ints: [0n] };
    graph.node.push(
      create(NodeProtoSchema, {
        opType: "ReduceMax",
        input: ["few"],
        output: ["one"],
        attribute: [axes, int("keepdims", 1n)],
      }),
      create(NodeProtoSchema, { opType: "Expand", input: ["one", "many"], output: ["policy"] }),
    );
    const rows = BigInt(Math.ceil(numbers / A));
    const { INT64 } = TensorProto_DataType;
    graph.initializer.push(
      create(TensorProtoSchema, { name: "many", dataType: INT64, dims: [2n], int64Data: [rows, BigInt(A)] }),
    );
  };

function tensorFeed(name: TensorName, observation: Observation, n: number): Feed {
  const { mapRows, map, unitRows, units } = game.observation;
  const dims = { map: [n, mapRows.length, map.length], units: [n, unitRows.length, units.length] };
  const data = observation[name];
  return { name, type: "float32", data, dims: name === "map" || name === "units" ? dims[name] : [n, data.length / n] };
}

/** Sizes of the memory that this process shares with those of models. */
const sharedBytes = (): number[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = `/proc/self/fd/${fd}`;
      return readlinkSync(path).includes("kessel-model-") ? [statSync(path).size] : [];
    } catch {
      return []; // it was that of the folder itself
    }
  });

const run = (model: OnnxModel, n: number) => {
  const { observation, mask } = decisions(samples, n);
  return model.run(observation, mask, n);
};

describe.runIf(process.platform === "linux")("a model in a process of its own", () => {
  it("answers what it answers in this thread, for any number of rows, also when all are asked at once", async () => {
    const here = await load(bytes);
    const apart = await load(bytes, 20);
    expect(apart.goldenError).toBe(here.goldenError);
    const sizes = [1, 9, 2, 9, 5];
    const answers = await Promise.all(sizes.map((n) => run(apart, n)));
    for (const [k, n] of sizes.entries()) expect(answers[k]).toEqual(await run(here, n));
    expect(modelProcesses()).toHaveLength(1);
  });

  it("is ended when a run takes too long; another process carries out the runs that waited", async () => {
    const model = await load(edited(bytes, endless(8)), 3);
    const first = modelProcesses();
    const slow = run(model, 8);
    const next = run(model, 7);
    await expect(slow).rejects.toMatchObject({
      code: "time-limit",
      message: "a.onnx: the model runs for longer than 3 seconds on 8 rows; it was ended",
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
    await expect(load(unending, 3)).rejects.toMatchObject({
      code: "time-limit",
      message: "a.onnx: the model runs for longer than 3 seconds on 2 rows; it was ended",
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

  it("that gives far more numbers than it should costs nobody else their memory", async () => {
    const model = await ModelProcess.start(edited(bytes, flooding(20_000_000)), "a.onnx", 60);
    try {
      const { observation, mask } = decisions(samples, 2);
      const feeds = model.inputs.map((name): Feed =>
        name === "mask"
          ? { name, type: "uint8", data: mask, dims: [2, game.actions.length] }
          : tensorFeed(name as TensorName, observation, 2),
      );
      const expected = { policy: 2 * game.actions.length, value: 2 };
      await expect(model.run(feeds, expected)).rejects.toThrow(
        /a\.onnx: the model gave 2\d{7} numbers of policy and 2 of value/,
      );
      expect(Math.max(...sharedBytes())).toBeLessThan(4e6); // 80 MB, had they been given
    } finally {
      await model.release();
    }
  });

  it("ends with an agent that can't be made", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "kessel-search-")), "commander.onnx");
    copyFileSync(new URL("../../../models/pocket-stalingrad/recruit.onnx", import.meta.url), file);
    const made = makeAgent(`search:net=${file},prior=heuristic:nobody`, {
      game: loadGame("pocket-stalingrad"),
      seed: "s",
      modelSeconds: 60,
    });
    await expect(made).rejects.toMatchObject({ code: "bad-agent" });
    await expect.poll(() => modelProcesses()).toEqual([]);
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
