import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeAgent } from "../agents/registry.js";
import { type Game, KesselError, schemaHash } from "../env/index.js";
import { loadCheckpoint, saveCheckpoint } from "./checkpoint.js";
import { imitate, type EpochReport } from "./imitate.js";
import type { Net } from "./net.js";
import { record } from "./record.js";
import type { ImitateRunConfig, RunFolder } from "./run.js";
import { Samples } from "./samples.js";

export interface ImitationWatch {
  recorded?(games: number, all: number): void;
  learnt?(epoch: number, done: number, all: number): void;
  epoch?(report: EpochReport, samplesPerSecond: number): void;
}

/**
 * Carries out an imitation run, or goes on with one: records games of the experts (kept as `recording.bin` in the run's
 * folder), then learns from them, with a checkpoint and a line of metrics per epoch.
 *
 * @throws KesselError `bad-config`, `bad-agent`
 */
export async function trainByImitation(game: Game, config: ImitateRunConfig, folder: RunFolder, resume: boolean, watch: ImitationWatch): Promise<{ net: Net; samples: Samples }> {
  const samples = await recording(game, config, join(folder.path, "recording.bin"), watch);
  const from = resume ? folder.load(game, "epoch") : null;
  let began = performance.now();
  const net = imitate(game, samples, config.imitate, {
    seed: config.seed,
    ...(from === null ? {} : { from }),
    save: (checkpoint) => folder.save(game, checkpoint),
    progress: (epoch, done, all) => watch.learnt?.(epoch, done, all),
    report: (report) => {
      const seconds = (performance.now() - began) / 1000;
      const speed = report.samples / seconds;
      folder.log({ at: report.epoch, ...report.train, heldOut: report.heldOut, seconds, samplesPerSecond: speed });
      watch.epoch?.(report, speed);
      began = performance.now();
    },
  });
  return { net, samples };
}

async function recording(game: Game, config: ImitateRunConfig, file: string, watch: ImitationWatch): Promise<Samples> {
  if (existsSync(file)) {
    const { facts, arrays } = loadCheckpoint(file);
    if (facts["schema"] !== schemaHash(game)) throw new KesselError("bad-config", `${file} was recorded with schema ${String(facts["schema"])}; ${game.type.id} has schema ${schemaHash(game)}`);
    const samples = new Samples(game);
    samples.takeColumns(arrays);
    return samples;
  }
  const { experts: names, games, noise, seed } = config;
  if (names.length !== 1 && names.length !== game.players.length) throw new KesselError("bad-config", `configuration: experts: ${game.type.id} has ${game.players.length} seats, so name one expert or ${game.players.length}, not ${names.length}`);
  const made = await Promise.all(names.map((name, i) => makeAgent(name, { game, seed: `${seed}/expert/${i}` })));
  const experts = game.players.map((_, p) => made[p % made.length]!);
  const samples = await record(game, { experts, games, noise, seed, progress: (done) => watch.recorded?.(done, games) });
  for (const e of made) await e.close?.();
  saveCheckpoint(file, { facts: { schema: schemaHash(game), games }, arrays: samples.columns() });
  return samples;
}
