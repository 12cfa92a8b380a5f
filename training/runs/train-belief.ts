import { worldGame } from "../../agents/search/belief.js";
import type { Game } from "../../env/index.js";
import { recordWorlds, type WorldsOptions } from "../learn/belief.js";
import { type EpochReport, imitate, type ImitateConfig } from "../learn/imitate.js";
import { beliefGain, type BeliefMetadata } from "../models/belief.js";
import { goldenFrom } from "../models/golden-pairs.js";
import { exportOnnx } from "../nets/export.js";

/** What is recorded to learn from, and how it is learnt. */
export interface BeliefRun extends Omit<WorldsOptions, "dealt" | "progress"> {
  readonly imitate: ImitateConfig;
}

export interface BeliefCallbacks {
  recorded(games: number, all: number): void;
  epoch(report: EpochReport): void;
}

/** Worlds dealt beside the true one to learn from: both verdicts are as frequent. */
const DEALT = 1;

/**
 * Trains a net for `Belief`, and measures it in a tenth as many games more. Takes minutes, so it keeps no checkpoints.
 *
 * @param metadata what else the file says about its making
 * @throws KesselError `unsupported` for a game that is not for two
 */
export async function trainBelief(
  game: Game,
  run: BeliefRun,
  metadata: Pick<BeliefMetadata, "command" | "by">,
  watch: BeliefCallbacks,
): Promise<{ bytes: Uint8Array; measured: BeliefMetadata["measured"] }> {
  const { agents, games, seats, share, seed } = run;
  const others = Math.max(2, Math.ceil(games / 10)); // an interval needs two
  const all = games + others;
  const { samples, gameOf } = await recordWorlds(game, {
    ...{ agents, games, seats, share, dealt: DEALT, seed: `${seed}/learn` },
    progress: (done) => watch.recorded(done, all),
  });
  const net = await imitate(worldGame(game), samples, run.imitate, { seed, report: watch.epoch });
  const golden = await goldenFrom(net, samples, 8);
  const names = seats.map((p) => game.players[p]!);
  const written = (measured: BeliefMetadata["measured"] | null): Uint8Array => {
    const learnt = { games, decisions: gameOf.length, share };
    return exportOnnx(net, { ...metadata, seed, options: game.options, learnt, measured }, golden, names);
  };
  const found = await beliefGain(game, written(null), "the new net", agents, {
    ...{ games: others, share, seed: `${seed}/measure` },
    progress: (done) => watch.recorded(games + done, all),
  });
  const measured = { ...found, interval: [...found.interval] as [number, number] };
  return { bytes: written(measured), measured };
}
