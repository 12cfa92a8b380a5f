import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leanModel } from "../../../agents/model-graph.js";
import { OnnxModel } from "../../../agents/onnx.js";
import { schemaHash, shapesOf } from "../../../env/index.js";
import { game } from "./onnx-model.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const python = process.env["KESSEL_PYTHON"] ?? `${root}.venv/bin/python`;
/** Two versions of ONNX Runtime round a sum of products in different orders. */
const ROUNDING = 1e-5;
const folder = mkdtempSync(join(tmpdir(), "kessel-graphs-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files: string[] = [];
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(folder, file)));

beforeAll(() => {
  if (!existsSync(python)) throw new Error(`there is no ${python}; make it with: sh server/python/setup-venv.sh`);
  const description = {
    id: game.type.id,
    schema: schemaHash(game),
    players: game.players,
    actions: game.actions,
    shapes: shapesOf(game.observation),
  };
  execFileSync(python, [`${root}server/python/tests/graphs.py`, folder], {
    input: JSON.stringify(description),
    env: { ...process.env, PYTHONPATH: `${root}server/python` },
  });
  files = readdirSync(folder);
});

test("200 graphs give what Python's ONNX Runtime gave for them", async () => {
  expect(files.length).toBe(200);
  for (const file of files) {
    const model = await OnnxModel.load(bytesOf(file), game, file);
    expect(model.goldenError, file).toBeLessThan(ROUNDING);
    expect(model.joined, `${file} runs as it was made lean`).toBe(leanModel(bytesOf(file), game).joined);
    await model.close();
  }
});

test("many of them without their mask or with one input, and others as they are", () => {
  const lean = files.filter((file) => leanModel(bytesOf(file), game).joined);
  const changed = files.filter((file) => {
    const bytes = bytesOf(file);
    return leanModel(bytes, game).bytes !== bytes;
  });
  expect(lean.length).toBeGreaterThan(10);
  expect(changed.length).toBeGreaterThan(lean.length);
  expect(changed.length).toBeLessThan(files.length);
});

test("in a process of their own too, those that only broadcast to the policy's shape", async () => {
  const some = files.filter((file) => /^(priorities|number)-hidden-alone/.test(file));
  expect(some.length).toBe(2);
  for (const file of some) {
    const model = await OnnxModel.load(bytesOf(file), game, file, 60);
    expect(model.goldenError, file).toBeLessThan(ROUNDING);
    await model.close();
  }
});
