import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { OnnxModel } from "../../../agents/onnx.js";
import { type Game, loadGame } from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import { exportNet, selfPlaySamples } from "../../../training/models/golden-pairs.js";
import { metadataOf } from "../../../training/models/metadata.js";
import { measureParity } from "../../../training/models/publish.js";
import { transfer } from "../../../training/models/transfer.js";
import { Net } from "../../../training/nets/net.js";
import { loadWeights } from "../../../training/nets/weights.js";
import { kesselHere } from "../../server/cli/kessel.js";

beforeAll(() => startBackend("auto").then(() => undefined));

const SOS = "streets-of-stalingrad";
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(`models/${name}.onnx`));
// both were published from one update of one run, for two fights
const ISLAND = "streets-of-stalingrad-scenario-7/recruit";
const LANDING = "streets-of-stalingrad-drill-landing/commander";
const landing = (): Game => loadGame(SOS, { scenario: "drill-landing" });

test("a net that is transferred plays as the run's net that was published for that fight", async () => {
  const game = landing();
  const made = await transfer(bytesOf(ISLAND), "island.onnx", game, "npx kessel model transfer");
  const published = metadataOf(bytesOf(LANDING), LANDING)!.trained;
  const net = new Net(game, published.net, "published");
  loadWeights(net, bytesOf(LANDING), LANDING);
  const { samples, policy, value } = await measureParity(net, made, await selfPlaySamples(net, 2, "transfer"));
  net.dispose();
  expect(samples).toBeGreaterThan(100);
  expect(Math.max(policy, value)).toBeLessThan(1e-4);
});

test("its metadata name the fight, the temperature, both commands and no results", async () => {
  const { temperature, trained } = metadataOf(
    await transfer(bytesOf(ISLAND), "models/island.onnx", landing(), "npx kessel model transfer ..."),
    "made",
  )!;
  expect(temperature).toBe(0.5);
  expect(trained.options["scenario"]).toBe("drill-landing");
  expect(trained.method).toContain("The net of island.onnx (scenario=scenario-7), with the map and the units of this");
  expect(trained.command.split("\n").at(-1)).toBe("npx kessel model transfer ...");
  expect(trained.command.split("\n").length).toBeGreaterThan(1);
  expect([trained.results, trained.mirror, trained.exploiter]).toEqual([[], null, null]);
});

test("a net with weights of its own for each row is refused, and a file that Kessel did not train", async () => {
  await expect(transfer(bytesOf(`${SOS}/commander`), "block.onnx", landing(), "")).rejects.toThrow(
    "block.onnx: a net of kind graph plays only the fight that it was trained for; one of kind pooled plays others",
  );
  const bare = new Net(landing(), { kind: "mlp", hidden: [4] }, "bare");
  await expect(transfer(await exportNet(bare, {}), "bare.onnx", landing(), "")).rejects.toThrow(
    "bare.onnx has no training metadata",
  );
  bare.dispose();
});

test("the command writes a model that loads, and a card that says it was not measured", async () => {
  const out = join(mkdtempSync(join(tmpdir(), "kessel-transfer-")), "elevator.onnx");
  const args = ["model", "transfer", `models/${ISLAND}.onnx`, "-o", "scenario=drill-elevator", "--out", out];
  const { status, err } = await kesselHere(args);
  expect(status, err).toBe(0);
  const game = loadGame(SOS, { scenario: "drill-elevator" });
  await (await OnnxModel.load(new Uint8Array(readFileSync(out)), game, out)).close();
  expect(readFileSync(out.replace(/onnx$/, "md"), "utf8")).toContain("Not measured.");
  const wrong = await kesselHere([
    "model",
    "transfer",
    `models/${ISLAND}.onnx`,
    "-o",
    "scenario=nowhere",
    "--out",
    out,
  ]);
  expect(wrong.status).not.toBe(0);
  expect(wrong.err).toContain("nowhere");
});
