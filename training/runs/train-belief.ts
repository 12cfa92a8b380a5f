import type { Agent } from "../../agents/agent.js";
import { worldGame } from "../../agents/search/belief.js";
import { type Game, type JsonObject } from "../../env/index.js";
import { type BeliefMeasure, measureBelief, recordWorlds } from "../learn/belief.js";
import { type EpochReport, imitate, type ImitateConfig } from "../learn/imitate.js";
import { goldenFrom } from "../models/golden-pairs.js";
import { exportOnnx } from "../nets/export.js";

export interface BeliefRun {
  /** Who plays each seat. */
  readonly agents: readonly Agent[];
  readonly games: number;
  /** Seats whose beliefs are learnt. */
  readonly seats: readonly number[];
  /** Share of their decisions that are looked at. */
  readonly share: number;
  readonly seed: string;
  readonly imitate: ImitateConfig;
}

export interface BeliefCallbacks {
  recorded(games: number, all: number): void;
  epoch(report: EpochReport): void;
}

/** Worlds dealt beside the true one: to learn from, so that both verdicts are as frequent; and to measure. */
const DEALT = { learning: 1, measuring: 63 };

/**
 * Trains a net for `Belief`, and measures it in a tenth as many games more. Takes minutes, so it keeps no checkpoints.
 *
 * @param command that begins it, for the file's metadata
 * @throws KesselError `unsupported` for a game that is not for two
 */
export async function trainBelief(
  game: Game,
  run: BeliefRun,
  command: string,
  watch: BeliefCallbacks,
): Promise<{ bytes: Uint8Array; measure: BeliefMeasure }> {
  const { agents, games, seats, share, seed } = run;
  const measured = Math.ceil(games / 10);
  const all = games + measured;
  const options = { agents, seats, share };
  const samples = await recordWorlds(game, {
    ...options,
    games,
    dealt: DEALT.learning,
    seed: `${seed}/learn`,
    progress: (done) => watch.recorded(done, all),
  });
  const others = await recordWorlds(game, {
    ...options,
    games: measured,
    dealt: DEALT.measuring,
    seed: `${seed}/measure`,
    progress: (done) => watch.recorded(games + done, all),
  });
  const net = await imitate(worldGame(game), samples.samples, run.imitate, { seed, report: watch.epoch });
  const measure = await measureBelief(net, others);
  const trained: JsonObject = {
    how: `Belief: tells the true world from dealt ones at ${samples.gameOf.length} decisions of ${games} games of ${[...new Set(agents.map((a) => a.name))].join(" and ")}.`,
    command,
    seed,
    options: game.options,
    facts: { games: measure.games, decisions: measure.decisions, gain: measure.gain, interval: [...measure.interval] },
  };
  const names = seats.map((p) => game.players[p]!);
  const bytes = exportOnnx(net, trained, await goldenFrom(net, samples.samples, 8), names);
  return { bytes, measure };
}
