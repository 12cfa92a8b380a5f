import type * as files from "node:fs";
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Metrics, scalarsOf } from "../../../training/runs/metrics.js";
import { updateReporter } from "../../../training/runs/progress.js";

/** Bytes that still fit on the disk; what is appended beyond them is cut short. */
const disk = vi.hoisted(() => ({ left: Infinity }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof files>();
  return {
    ...fs,
    appendFileSync: (file: string, data: string | Uint8Array) => {
      const bytes = Buffer.from(data as Uint8Array);
      fs.appendFileSync(file, bytes.subarray(0, disk.left));
      if (bytes.length > disk.left)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      disk.left -= bytes.length;
    },
  };
});
afterEach(() => {
  disk.left = Infinity;
});

const base = mkdtempSync(join(tmpdir(), "kessel-metrics-"));
function fresh(name: string): { folder: string; file: string; metrics: Metrics } {
  const folder = mkdtempSync(join(base, `${name}-`));
  return { folder, file: join(folder, "metrics.jsonl"), metrics: new Metrics(folder) };
}

test("lines come back as they were logged, and a run cut back begins at the given update", () => {
  const { metrics } = fresh("plain");
  for (const at of [1, 2, 3]) metrics.log({ at, entropy: 1 / at });
  expect(metrics.read()).toEqual([1, 2, 3].map((at) => ({ at, entropy: 1 / at })));
  metrics.truncate(2);
  expect(metrics.read().map((line) => line.at)).toEqual([1, 2]);
});

test("a line cut short at any byte is not read, and those before it are", () => {
  const { file, metrics } = fresh("torn");
  metrics.log({ at: 1, evaluation: { random: { north: { rate: 0.5 } } } });
  metrics.log({ at: 2, evaluation: { random: { north: { rate: 0.6 } } } });
  const whole = readFileSync(file, "utf8");
  const first = whole.indexOf("\n") + 1;
  for (let n = first; n < whole.length; n++) {
    writeFileSync(file, whole.slice(0, n));
    expect(metrics.read().map((line) => line.at)).toEqual([1]);
  }
  metrics.truncate(9);
  expect(readFileSync(file, "utf8")).toBe(whole.slice(0, first));
});

test("a full disk ends the run in one sentence; what it had logged stays", () => {
  const { metrics } = fresh("full");
  metrics.log({ at: 1, entropy: 1 });
  disk.left = 5;
  expect(() => metrics.log({ at: 2, entropy: 1 })).toThrow(
    /^cannot write metrics of the run: ENOSPC.*; the last checkpoint is intact; --resume continues from it$/,
  );
  disk.left = Infinity;
  metrics.truncate(1);
  metrics.log({ at: 2, entropy: 2 });
  expect(metrics.read()).toEqual([
    { at: 1, entropy: 1 },
    { at: 2, entropy: 2 },
  ]);
});

test.each(['{"at":', "17", "[]", '{"entropy":1}', ""])("a damaged line is named: %j", (text) => {
  const { file, metrics } = fresh("damaged");
  metrics.log({ at: 1 });
  appendFileSync(file, `${text}\n`);
  metrics.log({ at: 3 });
  expect(() => metrics.read()).toThrow(/metrics\.jsonl, line 2 is damaged/);
});

test("every number has a path for TensorBoard", () => {
  expect(
    scalarsOf({
      at: 4,
      entropy: 1.5,
      heldOut: null,
      evaluation: { random: { north: { rate: 0.5, interval: [0.4, 0.6], games: 9 } } },
    }),
  ).toEqual({
    "train/entropy": 1.5,
    "evaluation/random/north/rate": 0.5,
    "evaluation/random/north/interval/low": 0.4,
    "evaluation/random/north/interval/high": 0.6,
    "evaluation/random/north/games": 9,
  });
});

test("an update is said in a line, with Wilson's interval and the time left at the pace so far", () => {
  const say = updateReporter();
  // 15 of 148: Newcombe (1998), table I
  const line = say(
    {
      at: 1,
      seconds: 60,
      decisionsPerSecond: 2000.4,
      samplesPerSecond: 900,
      againstLeague: 15 / 148,
      leagueGames: 148,
      entropy: 1,
      kl: 0.01,
      explained: 0.5,
    },
    151,
  );
  expect(line).toBe(
    "update 1/151  2000 decisions/s  900 samples/s  league 10.1 % [6.2, 16.0]  entropy 1.000  kl 0.0100  explained 0.500  2 h 30 min left",
  );
  const measured = say(
    { at: 150, seconds: 60, evaluation: { random: { north: { rate: 0.5, interval: [0.25, 0.75], games: 10 } } } },
    151,
  ).split("\n");
  expect(measured).toEqual([
    "update 150/151  - decisions/s  - samples/s  league -  entropy -  kl -  explained -  1 min left",
    "  against random: as north 50.0 % [25.0, 75.0] of 10",
  ]);
});
