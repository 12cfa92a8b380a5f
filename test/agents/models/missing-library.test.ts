import { expect, test, vi } from "vitest";
import { OnnxModel } from "../../../agents/onnx.js";
import { startBackend } from "../../../training/nets/backend.js";
import { smallModel } from "../../training/models.js";
import { raceGame } from "../../training/arena/race.js";

vi.mock("onnxruntime-node", () => {
  throw new Error("Cannot find package 'onnxruntime-node'");
});

test("without onnxruntime-node, a model says what to install", async () => {
  await startBackend();
  const game = raceGame();
  const { bytes } = await smallModel(game);
  await expect(OnnxModel.load(bytes, game, "a.onnx")).rejects.toMatchObject({
    code: "missing-library",
    message: expect.stringContaining("npm install onnxruntime-node") as string,
  });
});
