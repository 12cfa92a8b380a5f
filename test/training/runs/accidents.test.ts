import type * as files from "node:fs";
import { mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startBackend } from "../../../training/nets/backend.js";
import { loadCheckpoint } from "../../../training/learn/checkpoint.js";
import { parseRun, ppoRunSchema, RunFolder } from "../../../training/runs/run-folder.js";
import { trainSelfPlay, type TrainingCallbacks } from "../../../training/runs/train-self-play.js";
import { nim } from "../nim.js";
import { disk } from "./disk.js";

vi.mock("node:fs", async (original) => (await import("./disk.js")).limited(await original<typeof files>()));
afterEach(() => {
  disk.left = Infinity;
});
beforeAll(() => startBackend("wasm").then(() => undefined));

const base = mkdtempSync(join(tmpdir(), "kessel-accidents-"));
const game = nim.load({}, {});
const config = parseRun(ppoRunSchema, {
  method: "ppo",
  game: "toy-nim",
  checkpointEvery: 1,
  evaluate: { every: 4, games: 4 },
  ppo: { net: { kind: "mlp", hidden: [8] }, updates: 4, games: 8 },
});
const quiet: TrainingCallbacks = { update: () => undefined, shouldStop: () => false };
const train = (folder: string, resume: boolean, watch = quiet) =>
  trainSelfPlay(game, config, new RunFolder(join(base, folder)), resume, watch);
const checkpoint = (folder: string): string => join(base, folder, "checkpoint.bin");

test("a disk that fills up in the middle of a save costs that update and nothing else", async () => {
  await train("straight", false);
  const fills: TrainingCallbacks = { ...quiet, update: ({ at }) => void (disk.left = at === 3 ? 100 : Infinity) };
  await expect(train("full", false, fills)).rejects.toThrow(
    /^cannot save .*checkpoint\.bin: ENOSPC.*; what was saved before is intact$/,
  );
  disk.left = Infinity;
  expect(loadCheckpoint(checkpoint("full")).facts["update"]).toBe(2);
  expect((await train("full", true)).update).toBe(4);
  expect(readFileSync(checkpoint("full")).equals(readFileSync(checkpoint("straight")))).toBe(true);
});

test("a checkpoint that was cut short is refused by name, and nothing in the folder is touched", async () => {
  await train("cut", false);
  truncateSync(checkpoint("cut"), 400);
  const before = readdirSync(join(base, "cut"));
  const metrics = readFileSync(join(base, "cut", "metrics.jsonl"), "utf8");
  await expect(train("cut", true)).rejects.toThrow(/^.*checkpoint\.bin is truncated or damaged$/);
  expect(readdirSync(join(base, "cut"))).toEqual(before);
  expect(readFileSync(join(base, "cut", "metrics.jsonl"), "utf8")).toBe(metrics);
});

test("a file left half written by a killed process is cleared away, the checkpoint is not", async () => {
  await train("killed", false);
  writeFileSync(`${checkpoint("killed")}.123.tmp`, "half");
  await train("killed", true);
  expect(readdirSync(join(base, "killed")).filter((f) => /checkpoint|tmp/.test(f))).toEqual(["checkpoint.bin"]);
});

test.each([
  ['{"method": "ppo"', /config\.json is not JSON/],
  [JSON.stringify({ ...config, speed: 9 }), /configuration: speed: there is no such key/],
  [JSON.stringify({ ...config, ppo: { ...config.ppo, lamda: 1 } }), /configuration: ppo\.lamda: there is no such key/],
])("a configuration that was damaged by hand is refused: %s", async (text, message) => {
  const folder = new RunFolder(join(base, "straight"));
  writeFileSync(join(base, "straight", "config.json"), text);
  expect(() => folder.config(ppoRunSchema)).toThrow(message);
});
