import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelProto } from "onnx-buf";
import { beforeAll, describe, expect, test } from "vitest";
import { argmaxLegal, OnnxAgent, OnnxModel, sampleLegal } from "../../../agents/onnx.js";
import { makeAgent } from "../../../agents/registry.js";
import { loadGame, Rng } from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import type { RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { edited, setMeta, smallModel } from "../../training/models.js";
import { decisions, game, setType } from "./onnx-model.js";

const A = game.actions.length;
let bytes: Uint8Array;
let samples: RolloutBuffer;
const folder = mkdtempSync(join(tmpdir(), "kessel-onnx-"));

beforeAll(async () => {
  await startBackend();
  ({ bytes, samples } = await smallModel(game));
  mkdirSync(join(folder, "models", "toy"), { recursive: true });
  writeFileSync(join(folder, "models", "toy", "a.onnx"), bytes);
  writeFileSync(join(folder, "outside.onnx"), bytes);
  symlinkSync(join(folder, "outside.onnx"), join(folder, "models", "link.onnx"));
});

const load = (change: (model: ModelProto) => void, g = game) => OnnxModel.load(edited(bytes, change), g, "a.onnx");

test("agents of one file and game share a model, which is there until the last has closed it", async () => {
  const make = () =>
    makeAgent("onnx:toy/a.onnx", { game, seed: "s", models: join(folder, "models") }) as Promise<OnnxAgent>;
  const [first, second] = await Promise.all([make(), make()]);
  expect(second.model).toBe(first.model);
  await first.close();
  const [four, out] = [decisions(samples, 4), new Int32Array(4)];
  await second.act(four, out);
  expect(Array.from(out, (a, i) => four.mask[i * A + a])).toEqual([1, 1, 1, 1]);
  await second.close();
  const third = await make();
  expect(third.model).not.toBe(first.model);
  await third.close();
});

describe("what fits is taken", () => {
  test("with the mask as bool, without golden pairs", async () => {
    const model = await load((m) => setMeta(m, "kessel.golden", null));
    expect(model.goldenError).toBeNull();
    const boolean = await load((m) => {
      setType(m, "mask", 9);
      m.graph!.node.find((n) => n.input[0] === "mask")!.opType = "Identity";
      m.graph!.node.find((n) => n.input[0] === "mask")!.attribute = [];
    });
    expect(boolean.goldenError).toBeLessThan(1e-5);
  });

  test("a model that ignores the mask still plays legal actions only", async () => {
    const model = await load((m) => {
      const where = m.graph!.node.find((n) => n.opType === "Where")!;
      where.opType = "Identity";
      where.input = [where.input[1]!];
      m.graph!.node = m.graph!.node.filter((n) => n.opType !== "Cast");
      m.graph!.input = m.graph!.input.filter((i) => i.name !== "mask");
      m.graph!.initializer = m.graph!.initializer.filter((t) => t.name !== "illegal");
    });
    const d = decisions(samples, 100);
    const out = new Int32Array(100);
    const { policy } = await model.run(d.observation, d.mask, 100);
    let tempted = 0;
    await new OnnxAgent("onnx", model, 0, "seed").act(d, out);
    for (let i = 0; i < 100; i++) {
      const all = policy.subarray(i * A, (i + 1) * A);
      if (d.mask[i * A + all.indexOf(Math.max(...all))] === 0) tempted++;
      expect(d.mask[i * A + out[i]!]).toBe(1);
    }
    expect(tempted).toBeGreaterThan(10);
  });
});

test("a row alone gives exactly what it gives in a batch", async () => {
  const model = await load(() => undefined);
  const d = decisions(samples, 64);
  const whole = await model.run(d.observation, d.mask, 64);
  const first = await model.run(d.observation, d.mask, 1);
  expect([...first.policy]).toEqual([...whole.policy.subarray(0, A)]);
  expect(first.value[0]).toBe(whole.value[0]);
});

test("temperature 0 takes the best legal action, above it actions are drawn in proportion to exp(logit / T)", () => {
  const logits = Float32Array.of(9, 1, 2, 2, -5);
  const mask = Uint8Array.of(0, 1, 1, 1, 0);
  expect(argmaxLegal(logits, mask, 0, 5)).toBe(2);
  const rng = new Rng("draws");
  const n = 100_000;
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) counts[sampleLegal(logits, mask, 0, 5, 0.5, rng)]!++;
  const p1 = Math.exp(2) / (Math.exp(2) + 2 * Math.exp(4));
  const p2 = (1 - p1) / 2;
  [0, p1, p2, p2, 0].forEach((p, a) =>
    expect(Math.abs(counts[a]! / n - p)).toBeLessThanOrEqual(4.5 * Math.sqrt((p * (1 - p)) / n)),
  );
});

test("an agent plays at the temperature that its file names, and at another where its name says so", async () => {
  const warm = join(folder, "warm.onnx");
  writeFileSync(
    warm,
    edited(bytes, (m) => setMeta(m, "kessel.temperature", "1.5")),
  );
  const chosen = async (name: string): Promise<number[]> => {
    const agent = await makeAgent(name, { game, seed: "s" });
    const out = new Int32Array(64);
    await agent.act(decisions(samples, 64), out);
    return [...out];
  };
  const named = await chosen(`onnx:${warm}`);
  expect(named).toEqual(await chosen(`onnx:${warm}?temperature=1.5`));
  const best = await chosen(`onnx:${warm}?temperature=0`);
  expect(named).not.toEqual(best);
  expect(best).toEqual(await chosen(`onnx:${join(folder, "outside.onnx")}`));
  for (const text of ["hot", "-1", "100.5", "1e1", ""])
    await expect(load((m) => setMeta(m, "kessel.temperature", text))).rejects.toMatchObject({
      code: "bad-model",
      message: `a.onnx: metadata kessel.temperature is a number from 0 to 100, not "${text}"`,
    });
});

test("a model plays only the sides it names", async () => {
  const model = await load((m) => setMeta(m, "kessel.seats", '["south"]'));
  const agent = new OnnxAgent("onnx:a.onnx", model, 0, "seed");
  await expect(agent.act(decisions(samples, 20), new Int32Array(20))).rejects.toMatchObject({
    code: "bad-seat",
    message: "onnx:a.onnx plays south, not north",
  });
});

describe("agent strings", () => {
  const make = (name: string, models?: string) =>
    makeAgent(name, { game, seed: "s", ...(models === undefined ? {} : { models }) });
  const models = join(folder, "models");

  test("name a file in the models folder, or any file where no folder is set", async () => {
    expect((await make("onnx:toy/a.onnx", models)).name).toBe("onnx:toy/a.onnx");
    expect((await make("onnx:toy/a.onnx?temperature=0.5", models)).name).toBe("onnx:toy/a.onnx?temperature=0.5");
    expect((await make(`onnx:${join(folder, "outside.onnx")}`)).name).toContain("outside.onnx");
  });

  test("where no folder is set, also name a model that comes with Kessel", async () => {
    const own = loadGame("pocket-stalingrad");
    const agent = await makeAgent("onnx:pocket-stalingrad/imitation.onnx", { game: own, seed: "s" });
    expect(agent.name).toBe("onnx:pocket-stalingrad/imitation.onnx");
    await expect(makeAgent("onnx:pocket-stalingrad/nobody.onnx", { game: own, seed: "s" })).rejects.toMatchObject({
      code: "bad-model",
    });
  });

  test.each([
    ["onnx:", "bad-agent", /needs a file/],
    ["onnx:../outside.onnx", "bad-agent", /outside the models folder/],
    ["onnx:toy/../../outside.onnx", "bad-agent", /outside the models folder/],
    [`onnx:${join(folder, "outside.onnx")}`, "bad-agent", /outside the models folder/],
    ["onnx:link.onnx", "bad-agent", /outside the models folder/],
    ["onnx:toy/b.onnx", "bad-model", /there is no model file "toy\/b\.onnx" in the models folder/],
    ["onnx:toy", "bad-model", /there is no model file/],
    ["onnx:toy/a.onnx?temperature=hot", "bad-agent", /temperature=0 to temperature=100, not "temperature=hot"/],
    ["onnx:toy/a.onnx?temperature=101", "bad-agent", /temperature=0 to temperature=100, not "temperature=101"/],
    ["onnx:toy/a.onnx?heat=1", "bad-agent", /takes temperature=0/],
  ])("%s is refused", async (name, code, message) => {
    await expect(make(name, models)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});

test("another process loads the file and chooses the same actions", async () => {
  const d = decisions(samples, 50);
  const out = new Int32Array(50);
  await new OnnxAgent("onnx", await load(() => undefined), 0, "seed").act(d, out);
  const child = fileURLToPath(new URL("onnx-child.ts", import.meta.url));
  const input = JSON.stringify({ states: Array.from({ length: 50 }, (_, i) => [...samples.state(i)]) });
  const printed = execFileSync(process.execPath, ["env/run.mjs", child, join(folder, "outside.onnx")], {
    input,
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual([...out]);
});
