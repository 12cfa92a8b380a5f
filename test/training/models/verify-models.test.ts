import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BELIEF_FILE } from "../../../agents/model-file.js";
import { META, readModel, trainedOf } from "../../../agents/model.js";
import { beliefCard, beliefMetadata } from "../../../training/models/belief.js";
import { card } from "../../../training/models/card.js";
import { metadataOf } from "../../../training/models/metadata.js";
import { meansAgree, modelFiles, verifyModel } from "../../../training/models/verify-models.js";
import { edited, setMeta } from "../models.js";
import { nightly } from "../../nightly.js";

const models = modelFiles(fileURLToPath(new URL("../../../models", import.meta.url)));

interface Claims {
  results: { against: string; seats: { games: number; score: number }[] }[];
}

/** What a clone may carry for one net: those of the hill, with 325 actions, take 3.3 MB. */
const MOST_BYTES = 4_000_000;

test("there are models, each small, with a card that says what the file says", () => {
  expect(models.length).toBeGreaterThan(0);
  for (const file of models) {
    const bytes = readFileSync(file);
    expect(bytes.length).toBeLessThan(MOST_BYTES);
    const info = readModel(bytes, file);
    const text = readFileSync(file.replace(/\.onnx$/, ".md"), "utf8");
    if (basename(file) === BELIEF_FILE) {
      expect(text).toBe(beliefCard(bytes, file));
      continue;
    }
    if (metadataOf(bytes, file) !== null) {
      expect(text).toBe(card(file));
      continue;
    }
    expect(text).toContain(`| schema | ${info.metadata[META.schema]!} |`);
    for (const { against, seats } of (trainedOf(info) as unknown as Claims).results) {
      const row = text.split("\n").find((l) => l.startsWith(`| ${against} |`))!;
      for (const s of seats) expect(row).toContain(`${(100 * s.score).toFixed(1)} [`);
    }
  }
});

test("a true result agrees, a false one does not", async () => {
  const file = models.find((f) => f.endsWith("pocket-stalingrad/commander.onnx"))!; // claims for two seats
  const bytes = new Uint8Array(readFileSync(file));
  const lying = join(mkdtempSync(join(tmpdir(), "kessel-verify-")), "lying.onnx");
  const claims = trainedOf(readModel(bytes, file)) as unknown as Claims;
  const random = claims.results.find((r) => r.against === "random")!;
  const with_ = (seats: Claims["results"][number]["seats"]) =>
    edited(bytes, (m) => setMeta(m, META.trained, JSON.stringify({ results: [{ ...random, seats }] })));
  writeFileSync(lying, with_(random.seats));
  expect((await verifyModel(lying, 40, "test")).map((c) => c.agrees)).toEqual([true, true]);
  writeFileSync(lying, with_([random.seats[0]!, { games: 500, score: 0.02 }]));
  expect((await verifyModel(lying, 40, "test")).map((c) => c.agrees)).toEqual([true, false]);
});

test("a net of beliefs knows what its card says, and not what a false one would say", nightly, async () => {
  const file = models.find((f) => f.endsWith(`streets-of-stalingrad/${BELIEF_FILE}`))!;
  const bytes = new Uint8Array(readFileSync(file));
  const lying = join(mkdtempSync(join(tmpdir(), "kessel-verify-")), BELIEF_FILE);
  const told = beliefMetadata(bytes, file);
  const of = async (gain: number, games: number) => {
    const measured = { ...told.measured, gain, interval: [gain - 0.02, gain + 0.02] };
    writeFileSync(
      lying,
      edited(bytes, (m) => setMeta(m, META.trained, JSON.stringify({ ...told, measured }))),
    );
    return (await verifyModel(lying, games, "test")).map((c) => c.agrees);
  };
  expect(await of(told.measured.gain, 20)).toEqual([true]);
  expect(await of(told.measured.gain + 1, 6)).toEqual([false]);
  writeFileSync(
    lying,
    edited(bytes, (m) => setMeta(m, META.trained, "{}")),
  );
  await expect(verifyModel(lying, 20, "test")).rejects.toThrow("does not say how its beliefs were made");
});

test("mean returns agree when chance explains the difference, also where all games went alike", () => {
  const of = (games: number, meanReturn: number, half: number) => ({
    games,
    meanReturn,
    meanReturnInterval: [meanReturn - half, meanReturn + half] as const,
  });
  expect(meansAgree(of(1000, -0.99, 0.01), of(40, -1, 0))).toBe(true);
  expect(meansAgree(of(1000, 0.5, 0.01), of(40, -1, 0))).toBe(false);
  expect(meansAgree(of(1000, 0.5, 0.05), of(40, 0.3, 0.2))).toBe(true);
  expect(meansAgree(of(1000, 0.5, 0.05), of(1000, 0.3, 0.05))).toBe(false);
});
