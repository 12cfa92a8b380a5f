import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { factsOfOrigin } from "../../../training/runs/origin.js";
import { parseRun, ppoRunSchema, RunFolder } from "../../../training/runs/run-folder.js";

const root = mkdtempSync(join(tmpdir(), "kessel-origin-"));
const MODEL = new URL("../../../models/pocket-stalingrad/veteran.onnx", import.meta.url).pathname;

/** A run of ten updates of 100 games and 36 seconds. */
function run(name: string, warmStart: string | null): RunFolder {
  const folder = new RunFolder(join(root, name));
  folder.begin(parseRun(ppoRunSchema, { method: "ppo", game: "pocket-stalingrad", warmStart }));
  for (let at = 1; at <= 10; at++) folder.metrics.log({ at, games: 100, decisions: 1, samples: 1, seconds: 36 });
  mkdirSync(join(folder.path, "models"));
  writeFileSync(join(folder.path, "models", "000004.onnx"), "");
  return folder;
}

test("a model from nothing has no other cost than its own", () => {
  expect(factsOfOrigin(run("first", null), 10)).toEqual({});
});

test("a model costs what all runs before it cost, up to the update that the next began from", () => {
  const second = run("second", join(root, "first", "models", "000004.onnx"));
  const third = run("third", join(second.path, "models", "000004.onnx"));
  expect(factsOfOrigin(third, 10)).toEqual({ "games with warm starts": 1800, "hours with warm starts": "0.18" });
});

test("a published model says what it cost", () => {
  // 51,200 games in 0.07 hours, its card says
  const facts = factsOfOrigin(run("fourth", MODEL), 5);
  expect(facts).toEqual({ "games with warm starts": 51_700, "hours with warm starts": "0.12" });
});

test("nothing is said of a model whose origin is gone", () => {
  expect(factsOfOrigin(run("fifth", join(root, "gone", "models", "000004.onnx")), 5)).toEqual({});
});

test("the curve of a run has its metrics up to an update", () => {
  const curve = gunzipSync(new RunFolder(join(root, "first")).curve(3)).toString();
  expect(
    curve
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { at: number }).at),
  ).toEqual([1, 2, 3]);
});
