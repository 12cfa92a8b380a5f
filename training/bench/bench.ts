import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { isPlayer } from "../../agents/model-file.js";
import { OnnxModel } from "../../agents/onnx.js";
import { type Game, KesselError, loadGame } from "../../env/index.js";
import {
  calibration,
  coreMeasures,
  type Heap,
  heapGrowth,
  type Measure,
  processorTime,
  type Sample,
  Stepper,
} from "./core.js";
import { findPython, peers, Python, pythonBatches, serverMeasures } from "./python.js";
import { trainingMeasures } from "./training.js";
import { Pool } from "../report/pool.js";
import { median } from "../report/stats.js";

export interface BenchOptions {
  readonly game: string;
  /** Fewer and shorter repeats: figures to one digit. */
  readonly quick?: boolean;
  /**
   * Seconds that each measure runs before it counts. By default as long as it takes to compile the rules of a large
   * game.
   */
  readonly warm?: number;
  /** Also measures games of other Python libraries. */
  readonly peers?: boolean;
  readonly progress?: (done: number, all: number) => void;
}

export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly kind: "rate" | "time";
  /** By repeat: counts per second (`rate`) or nanoseconds per count (`time`). */
  readonly values: readonly number[];
  readonly median: number;
  /** Processor time per count in nanoseconds, of the measuring process; null when unknown. */
  readonly cpuNanoseconds: number | null;
  /** Median count per thousand draws of the calibration loop in the same repeat; comparable across days. */
  readonly perThousandDraws: number;
}

export interface BenchResult {
  readonly game: string;
  readonly version: number;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly versions: Readonly<Record<string, string>>;
  };
  /** One-minute load average before and after, and the share of all cores that other processes used. */
  readonly load: { readonly before: number; readonly after: number; readonly foreign: number };
  readonly repeats: number;
  readonly calibration: number;
  readonly rows: readonly BenchRow[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly heap: Heap;
}

type Skip = { readonly name: string; readonly skip: string };
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Measures one game: repeats all measures in turn and takes medians. */
export async function bench({
  game: id,
  quick = false,
  warm = WARM_SECONDS,
  peers: withPeers = false,
  progress,
}: BenchOptions): Promise<BenchResult> {
  const game = loadGame(id);
  const repeats = quick ? 3 : 7;
  const seconds = quick ? 0.1 : 0.4;
  const cleanups: (() => unknown)[] = [];
  try {
    const python = findPython();
    const client = python === null ? null : new Python(python);
    if (client) cleanups.push(() => client.close());
    const found: (Measure | Skip)[] = [
      ...coreMeasures(game),
      await twoWorkers(game, cleanups),
      ...(await inference(game, cleanups)),
      ...(await trainingMeasures(game, cleanups)),
    ];
    if (client)
      found.push(
        ...(await pythonBatches(client, id)),
        ...(withPeers
          ? [...(await serverMeasures(client, id, firstModel(id), cleanups)), ...(await peers(client))]
          : []),
      );
    else
      found.push({
        name: "Python over ZeroMQ",
        skip: "no Python: set KESSEL_PYTHON or make .venv with numpy, pyzmq, msgpack",
      });
    if (!client && withPeers)
      found.push({ name: "peers", skip: "no Python: set KESSEL_PYTHON or make .venv with open-spiel, pettingzoo" });
    const measures = found.filter((m): m is Measure => "run" in m);
    const before = loadavg()[0]!;
    const { samples, calibrations, foreign } = await repeat(measures, repeats, seconds, warm, progress);
    return {
      game: id,
      version: game.type.version,
      machine: {
        cpu: cpus()[0]?.model.trim() ?? "unknown",
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
        versions: { ...ownVersions(), ...(await client?.versions()) },
      },
      load: { before, after: loadavg()[0]!, foreign },
      repeats,
      calibration: median(calibrations),
      rows: measures.map((m, i) => row(m, samples[i]!, calibrations)),
      skipped: found.filter((m): m is Skip => "skip" in m).map((m) => ({ name: m.name, reason: m.skip })),
      heap: heapGrowth(game, quick ? 200_000 : 1_000_000),
    };
  } finally {
    for (const close of cleanups) await close();
  }
}

/** The rules of a large game, in every thread that runs them, are compiled only after a second or two. */
const WARM_SECONDS = 2;

/** Runs each measure once per round, after the calibration loop, so that a disturbance affects all measures alike. */
async function repeat(
  measures: readonly Measure[],
  repeats: number,
  seconds: number,
  warm: number,
  progress?: (done: number, all: number) => void,
) {
  const samples: Sample[][] = measures.map(() => []);
  const calibrations: number[] = [];
  const loop = calibration();
  for (const m of measures) await m.run(Math.max(warm, seconds));
  let foreign = 0;
  let busyTime = 0;
  for (let r = 0; r < repeats; r++) {
    const c = await loop.run(seconds / 4);
    calibrations.push(c.count / c.seconds);
    for (const [i, m] of measures.entries()) {
      const own = process.cpuUsage();
      const all = coreSeconds();
      const s = await m.run(seconds * (m.lengthFactor ?? 1));
      samples[i]!.push(s);
      if (!m.name.startsWith("Python") && !m.name.startsWith("peer")) {
        const now = coreSeconds();
        foreign += Math.max(0, now.busy - all.busy - processorTime(own));
        busyTime += now.all - all.all;
      }
      progress?.(r * measures.length + i + 1, repeats * measures.length);
      await new Promise(setImmediate);
    }
  }
  return { samples, calibrations, foreign: busyTime === 0 ? 0 : foreign / busyTime };
}

function row(m: Measure, samples: readonly Sample[], calibrations: readonly number[]): BenchRow {
  const rates = samples.map((s) => s.count / s.seconds);
  const values = m.kind === "rate" ? rates : rates.map((r) => 1e9 / r);
  const cpu = samples.every((s) => s.cpu !== null) ? median(samples.map((s) => (1e9 * s.cpu!) / s.count)) : null;
  return {
    name: m.name,
    unit: m.unit,
    kind: m.kind,
    values,
    median: median(values),
    cpuNanoseconds: cpu,
    perThousandDraws: 1000 * median(rates.map((r, i) => r / calibrations[i]!)),
  };
}

/** Two threads with a batch each. */
async function twoWorkers(game: Game, closing: (() => unknown)[]): Promise<Measure> {
  const pool = new Pool<number, Sample>(2, new URL("./worker.ts", import.meta.url), game.type.id);
  closing.push(() => pool.close());
  await Promise.all([pool.run(0), pool.run(0)]);
  return {
    name: "two workers, a batch of 256 each",
    unit: "decisions",
    kind: "rate",
    run: async (seconds) => {
      const cpu = process.cpuUsage();
      const both = await Promise.all([pool.run(seconds), pool.run(seconds)]);
      return {
        count: both[0].count + both[1].count,
        seconds: Math.max(both[0].seconds, both[1].seconds),
        cpu: processorTime(cpu),
      };
    },
  };
}

/** A game's first stored model, as the models folder names it. */
function firstModel(id: string): string | null {
  const dir = `${root}models/${id}`;
  const file = existsSync(dir) ? readdirSync(dir).sort().find(isPlayer) : undefined;
  return file === undefined ? null : `${id}/${file}`;
}

/** The game's first stored model at batch 1 and 256. */
async function inference(game: Game, closing: (() => unknown)[]): Promise<(Measure | Skip)[]> {
  const path = firstModel(game.type.id);
  if (path === null) return [{ name: "ONNX inference", skip: `there is no model in models/${game.type.id}` }];
  try {
    const file = basename(path);
    const model = await OnnxModel.load(new Uint8Array(readFileSync(`${root}models/${path}`)), game, file);
    closing.push(() => model.close());
    const { batch } = new Stepper(game, 256, "inference");
    return [1, 256].map((n) => ({
      name: `ONNX inference of ${file}, batch of ${n}`,
      unit: "decisions",
      kind: "rate",
      run: async (seconds) => {
        const cpu = process.cpuUsage();
        const began = performance.now();
        let count = 0;
        do {
          await model.run(batch.observations.all, batch.mask, n);
          count += n;
        } while (processorTime(cpu) < seconds);
        return { count, seconds: (performance.now() - began) / 1000, cpu: processorTime(cpu) };
      },
    }));
  } catch (e) {
    if (e instanceof KesselError) return [{ name: "ONNX inference", skip: e.message }];
    throw e;
  }
}

/** Busy and total seconds of all cores. */
function coreSeconds(): { busy: number; all: number } {
  let busy = 0;
  let all = 0;
  for (const { times } of cpus()) {
    busy += (times.user + times.nice + times.sys + times.irq) / 1000;
    all += (times.user + times.nice + times.sys + times.irq + times.idle) / 1000;
  }
  return { busy, all };
}

function ownVersions(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
  return { kessel: version, node: process.versions.node, v8: process.versions.v8 };
}
