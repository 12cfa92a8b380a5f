import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import { AttributeProto_AttributeType, type ModelProto, NodeProtoSchema } from "onnx-buf";
import { beforeAll, describe, expect, test } from "vitest";
import type { Decisions } from "../../agents/agent.js";
import { checkModel, readModel, trainedOf } from "../../agents/model.js";
import { argmaxLegal, OnnxAgent, OnnxModel, sampleLegal } from "../../agents/onnx.js";
import { makeAgent } from "../../agents/registry.js";
import { loadGame, Rng, schemaHash } from "../../env/index.js";
import { startBackend } from "../../training/nets/backend.js";
import { Minibatch, type RolloutBuffer } from "../../training/learn/rollout-buffer.js";
import { ambush } from "../toys/ambush.js";
import { edited, setMeta, smallModel } from "../training/models.js";
import { raceGame } from "../training/arena/race.js";

const game = raceGame();
const other = ambush.load({}, {});
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

/** The first n samples as an agent gets them. */
function decisions(n: number): Decisions {
  const batch = new Minibatch(game, n);
  batch.load(
    samples,
    Int32Array.from({ length: n }, (_, i) => i),
    0,
    n,
  );
  const actors = samples.actor.slice(0, n);
  const never = () => {
    throw new Error("an ONNX agent asks for tensors only");
  };
  return {
    game,
    size: n,
    actors,
    observation: batch.observation,
    mask: batch.mask,
    view: never,
    sample: never,
    known: never,
  };
}

const load = (change: (model: ModelProto) => void, g = game) => OnnxModel.load(edited(bytes, change), g, "a.onnx");

test("agents of one file and game share a model, which is there until the last has closed it", async () => {
  const make = () =>
    makeAgent("onnx:toy/a.onnx", { game, seed: "s", models: join(folder, "models") }) as Promise<OnnxAgent>;
  const [first, second] = await Promise.all([make(), make()]);
  expect(second.model).toBe(first.model);
  await first.close();
  const [four, out] = [decisions(4), new Int32Array(4)];
  await second.act(four, out);
  expect(Array.from(out, (a, i) => four.mask[i * A + a])).toEqual([1, 1, 1, 1]);
  await second.close();
  const third = await make();
  expect(third.model).not.toBe(first.model);
  await third.close();
});

describe("a model that doesn't fit is refused, naming both values", () => {
  const refused: [string, (model: ModelProto) => void, RegExp][] = [
    ["no game named", (m) => setMeta(m, "kessel.game", null), /a\.onnx: the file has no metadata kessel\.game/],
    ["another game", (m) => setMeta(m, "kessel.game", "chess"), /plays "chess", this game is "toy-race"/],
    [
      "another schema",
      (m) => setMeta(m, "kessel.schema", "0123456789abcdef"),
      new RegExp(`schema 0123456789abcdef of toy-race, this is schema ${schemaHash(game)}`),
    ],
    ["no schema", (m) => setMeta(m, "kessel.schema", null), /schema \(none\)/],
    [
      "a side that doesn't exist",
      (m) => setMeta(m, "kessel.seats", '["east"]'),
      /names "east"; sides are north or south/,
    ],
    [
      "no list of sides",
      (m) => setMeta(m, "kessel.seats", "north"),
      /kessel\.seats is a JSON list of sides, not "north"/,
    ],
    [
      "another shape",
      (m) => setDim(m, "map", 1, 6),
      /input map has shape \[batch, 6, 1\]; this game needs \[batch, 5, 1\]/,
    ],
    [
      "a fixed batch",
      (m) => setDim(m, "globals", 0, 1),
      /input globals has shape \[1, 3\]; its first size, the batch, has to be dynamic/,
    ],
    ["another type", (m) => setType(m, "decision", 11), /input decision is of type double; it has to be float/],
    [
      "an unknown input",
      (m) => void (m.graph!.input[0]!.name = "board"),
      /has an input "board"; inputs are globals, map, units, decision or mask/,
    ],
    ["no value", (m) => void m.graph!.output.pop(), /has no output value; its outputs are policy/],
    [
      "a policy for other actions",
      (m) => setOutputDim(m, 11),
      /output policy has shape \[batch, 11\]; this game needs \[batch, 10\]/,
    ],
    ["a graph that doesn't run", (m) => void (m.graph!.node[0]!.opType = "Nonsense"), /a\.onnx does not run: /],
    [
      "golden pairs that are none",
      (m) => setMeta(m, "kessel.golden", "{}"),
      /kessel\.golden is not a list of golden pairs/,
    ],
    [
      "golden pairs of another size",
      (m) =>
        setMeta(
          m,
          "kessel.golden",
          m.metadataProps.find((p) => p.key === "kessel.golden")!.value.replace('"size":4', '"size":5'),
        ),
      /holds 48 bytes of globals; 5 pairs have 60/,
    ],
    [
      "a weight that was changed",
      (m) => m.graph!.initializer.find((t) => t.name === "policy/b")!.rawData.set([0, 0, 0x80, 0x3e]),
      /disagrees with its golden pairs by .*; at most 0\.001 is allowed/,
    ],
    [
      "a weight that is no number",
      (m) => m.graph!.initializer.find((t) => t.name === "value/b")!.rawData.set([0, 0, 0xc0, 0x7f]),
      /disagrees with its golden pairs by NaN/,
    ],
  ];
  test.each(refused)("%s", async (_what, change, message) => {
    await expect(load(change)).rejects.toMatchObject({
      code: "bad-model",
      message: expect.stringMatching(message) as string,
    });
  });

  test.each([
    ["text", new TextEncoder().encode("hello, I am a model")],
    ["nothing", new Uint8Array(0)],
    ["half a file", null],
  ])("%s is not ONNX", async (_what, data) => {
    await expect(OnnxModel.load(data ?? bytes.slice(0, bytes.length / 2), game, "a.onnx")).rejects.toMatchObject({
      code: "bad-model",
    });
  });

  test("a model of one toy does not play another", async () => {
    await expect(load(() => undefined, other)).rejects.toMatchObject({
      message: expect.stringContaining('plays "toy-race", this game is "toy-ambush"') as string,
    });
  });
});

describe("a model that answers nonsense is refused when it is loaded, naming the file", () => {
  const without = (change: (m: ModelProto) => void) => (m: ModelProto) => {
    setMeta(m, "kessel.golden", null); // golden pairs would tell first
    change(m);
  };
  const bias = (m: ModelProto, name: string, float: number): void => {
    const raw = m.graph!.initializer.find((t) => t.name === name)!.rawData;
    new DataView(raw.buffer, raw.byteOffset, 4).setFloat32(0, float, true);
  };
  /** Puts a node between an output and what made it. */
  const after = (m: ModelProto, output: string, opType: string, attribute: [string, bigint[] | bigint][]): void => {
    const maker = m.graph!.node.find((n) => n.output[0] === output)!;
    maker.output[0] = `${output}.before`;
    m.graph!.node.push(
      create(NodeProtoSchema, {
        opType,
        name: `after ${output}`,
        input: [`${output}.before`],
        output: [output],
        attribute: attribute.map(([name, v]) =>
          typeof v === "bigint"
            ? { name, type: AttributeProto_AttributeType.INT, i: v }
            : { name, type: AttributeProto_AttributeType.INTS, ints: v },
        ),
      }),
    );
  };
  const refused: [string, (m: ModelProto) => void, RegExp][] = [
    [
      "no number as policy",
      (m) => bias(m, "policy/b", NaN),
      /a\.onnx: the model gave NaN as policy of the legal action/,
    ],
    ["infinity as policy", (m) => bias(m, "policy/b", Infinity), /gave Infinity as policy/],
    ["no number as value", (m) => bias(m, "value/b", NaN), /a\.onnx: the model gave NaN as value/],
    [
      "one row for many",
      (m) => {
        after(m, "policy", "ReduceMax", [
          ["axes", [0n]],
          ["keepdims", 1n],
        ]);
      },
      /a\.onnx: the model gave \d+ numbers of policy and 2 of value; 2 rows have \d+ and 2/,
    ],
    [
      "another shape",
      (m) => {
        after(m, "value", "ReduceSum", []);
      },
      /a\.onnx: .*(2 of policy|1 of value|does not run)/,
    ],
  ];
  test.each(refused)("%s", async (_what, change, message) => {
    await expect(load(without(change))).rejects.toMatchObject({
      code: "bad-model",
      message: expect.stringMatching(message) as string,
    });
  });

  test("and when it does so later", async () => {
    const model = await load(() => undefined);
    const four = decisions(4);
    four.observation.globals.fill(NaN);
    await expect(model.run(four.observation, four.mask, 4)).rejects.toThrow(/a\.onnx: the model gave NaN/);
    await model.close();
  });
});

test("hostile metadata is an error, not a stack overflow", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const info = readModel(
    edited(bytes, (m) => setMeta(m, "kessel.trained", deep)),
    "a.onnx",
  );
  expect(() => trainedOf(info, "a.onnx")).toThrow(/a\.onnx: metadata kessel\.trained is nested more than 64 deep/);
  const seats = readModel(
    edited(bytes, (m) => setMeta(m, "kessel.seats", deep)),
    "a.onnx",
  );
  expect(() => checkModel(seats, game, "a.onnx")).toThrow(/kessel\.seats is a JSON list of sides/);
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
    const d = decisions(100);
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
  const d = decisions(64);
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

test("a model plays only the sides it names", async () => {
  const model = await load((m) => setMeta(m, "kessel.seats", '["south"]'));
  const agent = new OnnxAgent("onnx:a.onnx", model, 0, "seed");
  await expect(agent.act(decisions(20), new Int32Array(20))).rejects.toMatchObject({
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
    ["onnx:toy/a.onnx?heat=1", "bad-agent", /takes temperature=0/],
  ])("%s is refused", async (name, code, message) => {
    await expect(make(name, models)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});

test("another process loads the file and chooses the same actions", async () => {
  const d = decisions(50);
  const out = new Int32Array(50);
  await new OnnxAgent("onnx", await load(() => undefined), 0, "seed").act(d, out);
  const child = fileURLToPath(new URL("onnx-child.ts", import.meta.url));
  const input = JSON.stringify({ states: Array.from({ length: 50 }, (_, i) => [...samples.state(i)]) });
  const printed = execFileSync(process.execPath, ["--import", "tsx", child, join(folder, "outside.onnx")], {
    input,
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual([...out]);
});

const infos = (m: ModelProto) => [...m.graph!.input, ...m.graph!.output];

function tensorType(m: ModelProto, name: string) {
  const { value } = infos(m).find((v) => v.name === name)!.type!;
  if (value.case !== "tensorType") throw new Error("not a tensor");
  return value.value;
}

function setType(m: ModelProto, name: string, type: number): void {
  tensorType(m, name).elemType = type;
}

function setDim(m: ModelProto, name: string, axis: number, size: number): void {
  tensorType(m, name).shape!.dim[axis]!.value = { case: "dimValue", value: BigInt(size) };
}

const setOutputDim = (m: ModelProto, size: number): void => setDim(m, "policy", 1, size);
