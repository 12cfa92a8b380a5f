import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pocketStalingrad } from "../../../env/pocket-stalingrad/index.js";
import { strikeCounterstrike } from "../../../env/strike-counterstrike/index.js";
import { RunFolder } from "../../../training/runs/run-folder.js";
import { firstAt, strengthCurve, strengthText, type StrengthPoint } from "../../../training/runs/strength.js";

const point = (update: number, ...scores: [number, number]): StrengthPoint => ({
  update,
  minutes: update / 2,
  decisions: 1000 * update,
  scores: {
    random: { score: scores[0], interval: [scores[0] - 0.1, scores[0] + 0.1] },
    "heuristic:planner": { score: scores[1], interval: [scores[1] - 0.1, scores[1] + 0.1] },
  },
});
const curve = [point(5, 0.4, 0.1), point(10, 0.5, 0.2), point(15, 0.74, 0.3), point(20, 0.9, 0.49)];

test("an agent is matched by the first model with half of the points, and may never be", () => {
  expect(firstAt(curve, "random", 0.5)?.update).toBe(10);
  expect(firstAt(curve, "random", 0.75)?.update).toBe(20);
  expect(firstAt(curve, "heuristic:planner", 0.5)).toBeNull();
});

test("the text has a line for each model, and the cost of matching and of beating each agent", () => {
  const text = strengthText(curve, ["random", "heuristic:planner"]);
  expect(text).toMatch(/^10 +5\.0 +10,000 +50\.0 \[40\.0\.\.60\.0\] +20\.0/m);
  expect(text).toMatch(/^random +5\.0 min, 10,000 decisions +10\.0 min, 20,000 decisions$/m);
  expect(text).toMatch(/^planner +not reached +not reached$/m);
});

test("a folder without models, a model without metrics and a game of one player are refused in words", async () => {
  const dir = mkdtempSync(join(tmpdir(), "kessel-strength-"));
  const folder = new RunFolder(dir);
  const options = { against: ["random"], games: 2, jobs: 1 };
  const game = pocketStalingrad.load({}, pocketStalingrad.data);
  await expect(strengthCurve(game, folder, options)).rejects.toThrow(/models has no model yet/);
  mkdirSync(join(dir, "models"));
  writeFileSync(join(dir, "models", "000004.onnx"), "");
  await expect(strengthCurve(game, folder, options)).rejects.toThrow(/metrics\.jsonl has no line of update 4/);
  const alone = strikeCounterstrike.load({}, strikeCounterstrike.data);
  await expect(strengthCurve(alone, folder, options)).rejects.toThrow(/strike-counterstrike is played alone/);
});
