import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import { type Game, KesselError, loadGame, schemaHash } from "../../env/index.js";
import { loadCheckpoint, saveCheckpoint } from "../learn/checkpoint.js";
import { imitate, type EpochReport, type Lesson } from "../learn/imitate.js";
import type { Net } from "../nets/net.js";
import { recordExpert } from "../learn/record.js";
import { seatsOf } from "../learn/seats.js";
import type { ImitateRunConfig, RunFolder } from "./run-folder.js";
import { RolloutBuffer } from "../learn/rollout-buffer.js";

export interface ImitationCallbacks {
  recorded?(games: number, all: number): void;
  learnt?(epoch: number, done: number, all: number): void;
  epoch?(report: EpochReport, samplesPerSecond: number): void;
}

/**
 * Starts or resumes an imitation run: records games of the experts (`recording.bin` in the run's folder), then learns
 * from them. Writes a checkpoint and a line of metrics per epoch.
 *
 * @throws KesselError `bad-config`, `bad-agent`
 */
export async function trainByImitation(
  game: Game,
  config: ImitateRunConfig,
  folder: RunFolder,
  resume: boolean,
  watch: ImitationCallbacks,
): Promise<{ net: Net; samples: RolloutBuffer }> {
  const learnt = seatsOf(game, config.learnt, "learnt");
  if (!resume) folder.begin(config);
  const samples = await recording(game, config, join(folder.path, "recording.bin"), watch);
  const more: Lesson[] = [];
  for (const [k, { options, minibatch, ...fight }] of (config.fights ?? []).entries()) {
    const game = loadGame(config.game, options);
    const own = { ...config, ...fight, options, seed: `${config.seed}/${k + 1}` };
    const samples = await recording(game, own, join(folder.path, `recording-${k + 1}.bin`), watch);
    more.push({ game, samples, minibatch: minibatch ?? config.imitate.minibatch });
  }
  const from = resume ? folder.load(game, "epoch") : null;
  let began = performance.now();
  const net = await imitate(game, samples, config.imitate, {
    seed: config.seed,
    ...(learnt.length === 0 ? {} : { learnt }),
    more,
    ...(from === null ? {} : { from }),
    save: (checkpoint) => folder.save(game, checkpoint),
    progress: (epoch, done, all) => watch.learnt?.(epoch, done, all),
    report: (report) => {
      const seconds = (performance.now() - began) / 1000;
      const speed = report.samples / seconds;
      folder.metrics.log({
        at: report.epoch,
        ...report.train,
        heldOut: report.heldOut,
        seconds,
        samplesPerSecond: speed,
      });
      watch.epoch?.(report, speed);
      began = performance.now();
    },
  });
  return { net, samples };
}

/** The experts by player. @throws KesselError `bad-config`, `bad-agent` */
async function expertsOf(game: Game, { experts: names, seed }: ImitateRunConfig): Promise<readonly Agent[]> {
  const P = game.players.length;
  if (names.length !== 1 && names.length !== P)
    throw new KesselError(
      "bad-config",
      `configuration: experts: ${game.type.id} has ${P} seats, so name one expert or ${P}, not ${names.length}`,
    );
  const made = await Promise.all(names.map((name, i) => makeAgent(name, { game, seed: `${seed}/expert/${i}` })));
  return game.players.map((_, p) => made[p % made.length]!);
}

async function recording(
  game: Game,
  config: ImitateRunConfig,
  file: string,
  watch: ImitationCallbacks,
): Promise<RolloutBuffer> {
  if (existsSync(file)) {
    const { facts, arrays } = loadCheckpoint(file);
    if (facts["schema"] !== schemaHash(game))
      throw new KesselError(
        "bad-config",
        `${file} was recorded with schema ${String(facts["schema"])}; ${game.type.id} has schema ${schemaHash(game)}`,
      );
    const samples = new RolloutBuffer(game);
    samples.loadColumns(arrays);
    return samples;
  }
  const { games, epsilon, rolloutPolicy, seed } = config;
  const experts = await expertsOf(game, config);
  const made = new Set(experts);
  let samples: RolloutBuffer;
  try {
    const other =
      // the old name: equal seeds give equal recordings
      rolloutPolicy === null ? null : await makeAgent(rolloutPolicy, { game, seed: `${seed}/wanderer` });
    if (other !== null) made.add(other);
    samples = await recordExpert(game, {
      experts,
      games,
      epsilon,
      seed,
      ...(other === null ? {} : { rolloutPolicy: other }),
      progress: (done) => watch.recorded?.(done, games),
    });
  } finally {
    for (const agent of made) await agent.close?.();
  }
  saveCheckpoint(file, { facts: { schema: schemaHash(game), games }, arrays: samples.columns() });
  return samples;
}
