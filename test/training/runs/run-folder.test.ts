import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { startBackend } from "../../../training/nets/backend.js";
import { Net } from "../../../training/nets/net.js";
import {
  imitateRunSchema,
  parseRun,
  ppoRunSchema,
  RunFolder,
  selfPlayRunSchema,
} from "../../../training/runs/run-folder.js";
import { exportNet } from "../../../training/models/golden-pairs.js";
import { hardenSchema } from "../../../training/runs/harden.js";
import { recipesOf } from "../../../training/runs/times.js";
import { trainSelfPlay } from "../../../training/runs/train-self-play.js";
import { metadataOf } from "../../../training/models/metadata.js";
import { modelFiles } from "../../../training/models/verify-models.js";
import { loadWeights } from "../../../training/nets/weights.js";
import { nim } from "../nim.js";
import { nimRun } from "./nim-run.js";
import { raceGame } from "../arena/race.js";

const base = mkdtempSync(join(tmpdir(), "kessel-run-"));
const game = nim.load({}, {});
const small = { method: "ppo", game: "toy-nim", ppo: { net: { kind: "mlp", hidden: [8] }, updates: 2, games: 8 } };

beforeAll(() => startBackend("wasm").then(() => undefined));

describe("a configuration", () => {
  test("is filled with every default", () => {
    const config = parseRun(ppoRunSchema, { method: "ppo", game: "toy-nim" });
    expect(config.ppo.lambda).toBe(0.95);
    expect(config.evaluate.against).toEqual(["random"]);
    expect(parseRun(ppoRunSchema, JSON.parse(JSON.stringify(config)))).toEqual(config);
  });

  test.each([
    [{ ...small, ppo: { gamse: 5 } }, /configuration: ppo\.gamse: there is no such key/],
    [{ ...small, lr: 1 }, /configuration: lr: there is no such key/],
    [{ ...small, ppo: { games: "many" } }, /configuration: ppo\.games: .*number/],
    [{ ...small, ppo: { rate: [1] } }, /configuration: ppo\.rate/],
    [{ ...small, ppo: { net: { kind: "transformer", hidden: [8] } } }, /configuration: ppo\.net\.kind: .*mlp/],
    [{ ...small, method: "dqn" }, /configuration: method/],
  ])("refuses %j", (value, message) => {
    expect(() => parseRun(ppoRunSchema, value)).toThrow(message);
  });

  test("of an imitation names its experts", () => {
    expect(() => parseRun(imitateRunSchema, { method: "imitate", game: "toy-nim" })).toThrow(/configuration: experts/);
  });
});

describe("a run's folder", () => {
  test("holds one run", () => {
    const folder = new RunFolder(join(base, "one"));
    expect(() => folder.config(ppoRunSchema)).toThrow(/one holds no run/);
    const config = parseRun(ppoRunSchema, small);
    folder.begin(config);
    expect(folder.config(ppoRunSchema)).toEqual(config);
    expect(() => folder.begin(config)).toThrow(/holds a run already; --resume goes on with it/);
  });

  test("leaves out a net that is gone when it is looked at", () => {
    const models = join(base, "gone", "models");
    mkdirSync(models, { recursive: true });
    writeFileSync(join(models, "000010.onnx"), "net");
    symlinkSync("nowhere", join(models, "000020.onnx")); // has a name as well, and nothing behind it
    expect(new RunFolder(join(base, "gone")).models()).toEqual([{ name: "000010.onnx", bytes: 3 }]);
  });

  test("goes on as if nothing had been written after its checkpoint", async () => {
    const folder = new RunFolder(join(base, "later"));
    const config = parseRun(ppoRunSchema, { ...small, evaluate: { every: 1, games: 8 } });
    await trainSelfPlay(game, config, folder, false, { update: () => undefined, shouldStop: () => false });
    const models = join(base, "later", "models");
    for (const name of ["000003.onnx", "000003.onnx.77.tmp"]) writeFileSync(join(models, name), "cut off");
    folder.load(game, "update");
    expect(readdirSync(models).sort()).toEqual(["000001.onnx", "000002.onnx"]);
  });

  test("refuses a checkpoint of another game's schema", async () => {
    const folder = new RunFolder(join(base, "schema"));
    const config = parseRun(ppoRunSchema, small);
    await trainSelfPlay(game, config, folder, false, { update: () => undefined, shouldStop: () => false });
    expect(() => folder.load(raceGame(), "update")).toThrow(
      /checkpoint\.bin is of schema [0-9a-f]{16}, toy-race has schema [0-9a-f]{16}/,
    );
    const resumed = await trainSelfPlay(game, config, folder, true, {
      update: () => expect.unreachable("the run was over"),
      shouldStop: () => false,
    });
    expect(resumed.update).toBe(2);
  });

  test("stops after an update when asked, and keeps it", async () => {
    const folder = new RunFolder(join(base, "stop"));
    const config = parseRun(ppoRunSchema, { ...small, ppo: { ...small.ppo, updates: 9 } });
    expect(
      (await trainSelfPlay(game, config, folder, false, { update: () => undefined, shouldStop: () => true })).update,
    ).toBe(1);
    expect(folder.load(game, "update")!.facts["update"]).toBe(1);
  });
});

const child = fileURLToPath(new URL("run-child.ts", import.meta.url));

/** Runs the child until it ends, or kills it (SIGKILL) when it has printed update `killAt`. */
function run(folder: string, mode: "begin" | "resume", killAt?: number): Promise<void> {
  return new Promise((done, fail) => {
    const p = spawn(process.execPath, ["env/run.mjs", child, folder, mode], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    p.stdout.on("data", (text: Buffer) => {
      if (killAt !== undefined && text.toString().split("\n").includes(String(killAt))) p.kill("SIGKILL");
    });
    p.on("exit", (code, signal) =>
      (killAt === undefined ? code === 0 : signal === "SIGKILL")
        ? done()
        : fail(new Error(`the child ended with ${code ?? signal}`)),
    );
  });
}

test("killed in the middle and resumed, a run ends bit for bit where a straight one ends", async () => {
  const [straight, broken] = [join(base, "straight"), join(base, "broken")];
  await run(broken, "begin", 7);
  await run(broken, "resume");
  await trainSelfPlay(game, nimRun, new RunFolder(straight), false, {
    update: () => undefined,
    shouldStop: () => false,
  });
  for (const file of ["checkpoint.bin", "config.json", "models/000008.onnx", "models/000016.onnx"])
    expect(readFileSync(join(broken, file)).equals(readFileSync(join(straight, file))), file).toBe(true);
  const metrics = (folder: string) =>
    readFileSync(join(folder, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => {
        const { seconds, decisionsPerSecond, samplesPerSecond, ...same } = JSON.parse(line) as Record<string, number>;
        expect([seconds, decisionsPerSecond, samplesPerSecond].every((x) => x! > 0)).toBe(true);
        return same;
      });
  expect(metrics(straight).map((m) => m["at"])).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  expect(metrics(broken)).toEqual(metrics(straight));
  const files = (folder: string) =>
    readdirSync(folder)
      .filter((f) => !f.includes(".tfevents."))
      .sort(); // those are one a session
  expect(files(broken)).toEqual(files(straight));
});

test("a net takes over the weights of a model of its own kind only", async () => {
  const net = new Net(game, { kind: "mlp", hidden: [8] }, "a");
  const bytes = await exportNet(net, {});
  const other = new Net(game, { kind: "mlp", hidden: [8] }, "b");
  expect([...other.params.all]).not.toEqual([...net.params.all]);
  loadWeights(other, bytes, "a.onnx");
  expect([...other.params.all]).toEqual([...net.params.all]);
  expect(() => loadWeights(new Net(game, { kind: "mlp", hidden: [9] }, 0), bytes, "a.onnx")).toThrow(
    "a.onnx: weights hidden0/w are [24, 8], this net needs [24, 9]",
  );
  expect(() => loadWeights(new Net(raceGame(), { kind: "mlp", hidden: [8] }, 0), bytes, "a.onnx")).toThrow(
    /plays "toy-nim", this game is "toy-race"/,
  );
});

test("a run begins with a model that has narrower layers", async () => {
  const narrow = new Net(game, { kind: "mlp", hidden: [8] }, "narrow");
  const model = join(base, "narrow.onnx");
  writeFileSync(model, await exportNet(narrow, {}));
  const ppo = { ...small.ppo, net: { kind: "mlp", hidden: [12] }, rate: [0, 0], updates: 1 };
  const config = parseRun(ppoRunSchema, { ...small, warmStart: model, ppo });
  const watch = { update: () => undefined, shouldStop: () => false };
  const { net } = await trainSelfPlay(game, config, new RunFolder(join(base, "grown")), false, watch);
  const [was, is] = [narrow, net].map((n) => n.params.views.get("hidden0/w")!) as [Float32Array, Float32Array];
  for (let row = 0; row < was.length / 8; row++)
    expect([...is.subarray(12 * row, 12 * row + 8)]).toEqual([...was.subarray(8 * row, 8 * row + 8)]);
});

describe("configurations of version 0.1", () => {
  const old = { method: "imitate", game: "pocket-stalingrad", experts: ["heuristic:greedy"] };

  test("load under the current names", () => {
    const config = parseRun(imitateRunSchema, { ...old, noise: 0.25, wanderer: "random" });
    expect(config).toMatchObject({ epsilon: 0.25, rolloutPolicy: "random" });
    expect(Object.keys(config)).not.toContain("noise");
  });

  test("are refused when they also use the current name", () => {
    expect(() => parseRun(imitateRunSchema, { ...old, noise: 0.25, epsilon: 0.1 })).toThrow(
      "configuration: noise is the old name of epsilon; give only epsilon",
    );
  });

  test("have old names in imitation only", () => {
    expect(() => parseRun(ppoRunSchema, { method: "ppo", game: "pocket-stalingrad", noise: 0.1 })).toThrow(/noise/);
  });

  const models = join(import.meta.dirname, "../../../models");
  const imitated = modelFiles(models).flatMap((file) => {
    const metadata = metadataOf(new Uint8Array(readFileSync(file)), file);
    return metadata?.trained.config["method"] === "imitate" ? [[relative(models, file), metadata.trained.config]] : [];
  });

  test("of published models load", () => {
    expect(imitated.length).toBeGreaterThan(2);
    for (const [file, config] of imitated) expect(() => parseRun(imitateRunSchema, config), String(file)).not.toThrow();
  });

  const configs = join(import.meta.dirname, "../../../training/configs");
  test("the recipes of training/configs/times.json load", () => {
    expect(recipesOf(join(configs, "times.json"), []).length).toBeGreaterThan(0);
  });

  test.each(readdirSync(configs).filter((name) => name !== "times.json"))("%s of training/configs loads", (name) => {
    const config = JSON.parse(readFileSync(join(configs, name), "utf8")) as object;
    const method = "experts" in config ? "imitate" : "expert" in config ? "expert" : "ppo"; // the command line adds method and game
    if ("exploiter" in config) {
      // the net is the model's
      parseRun(hardenSchema, { method: "harden", game: "toy", net: { kind: "mlp", hidden: [8] }, ...config });
      return;
    }
    const schema = method === "imitate" ? imitateRunSchema : selfPlayRunSchema;
    expect(() => parseRun<unknown>(schema, { method, game: "toy", ...config })).not.toThrow();
  });
});
