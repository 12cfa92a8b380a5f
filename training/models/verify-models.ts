import { percent } from "../../env/core/words.js";
import { importGame } from "../../agents/import-game.js";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BELIEF_FILE, isPlayer } from "../../agents/model-file.js";
import { META, readModel, trainedOf } from "../../agents/model.js";
import { GOLDEN_TOLERANCE, OnnxModel } from "../../agents/onnx.js";
import { type Game, type Json, KesselError, loadGame } from "../../env/index.js";
import { arena } from "../arena/arena.js";
import type { Tally } from "../arena/tally.js";
import type { BeliefMeasure } from "../learn/belief.js";
import { agentsNamed, beliefGain, beliefMetadata } from "./belief.js";
import { startBackend } from "../nets/backend.js";
import { metadataOf } from "./metadata.js";
import { Net } from "../nets/net.js";
import { measureParity, twinOf } from "./publish.js";
import { type Interval, wilson, Z95 } from "../report/stats.js";
import { table } from "../report/table.js";
import { selfPlaySamples } from "./golden-pairs.js";
import { loadWeights } from "../nets/weights.js";

/**
 * Two-sided 99.9 % point of the normal distribution: a published result is doubted only when chance hardly explains the
 * difference.
 */
const Z999 = 3.290526731491926;

type PublishedTally = Pick<Tally, "games" | "score"> & Partial<Pick<Tally, "meanReturn" | "meanReturnInterval">>;

interface PublishedResult {
  readonly against: string;
  readonly seats: readonly PublishedTally[];
}

export interface Check {
  readonly model: string;
  /** What is compared: a rate or return against an opponent, or parity. */
  readonly what: string;
  readonly published: string;
  readonly measured: string;
  /** Games or decisions measured. */
  readonly sample: number;
  readonly agrees: boolean;
}

/**
 * Repeats a sample of the games behind a model's published results with other dice, and compares: against agents, the
 * other models of its folder and its exploiter, by seat; and the model with the net of its weights.
 *
 * @param games games against each opponent
 * @throws KesselError `bad-model` when the file doesn't fit, or disagrees with its golden pairs
 */
export async function verifyModel(file: string, games: number, seed: string): Promise<Check[]> {
  const bytes = new Uint8Array(readFileSync(file));
  const info = readModel(bytes, file);
  const stored = (trainedOf(info) ?? {}) as { options?: Json; results?: Json };
  await importGame(info.metadata[META.game] ?? "");
  const game = loadGame(info.metadata[META.game] ?? "", stored.options ?? {});
  if (basename(file) === BELIEF_FILE) return [await verifyBelief(game, bytes, file, games, seed)];
  await (await OnnxModel.load(bytes, game, file)).close();
  const results = stored.results as unknown as readonly PublishedResult[] | undefined;
  if (results === undefined) throw new KesselError("bad-model", `${file} has no published results`);
  const checks: Check[] = [];
  const own = `onnx:${file}`;
  const beside = (name: string) => `onnx:${join(dirname(file), name)}`;
  for (const { against, seats } of results)
    checks.push(
      ...(await replay(
        game,
        file,
        own,
        against.endsWith(".onnx") && !against.includes(":") ? beside(against) : against,
        against,
        seats,
        games,
        seed,
      )),
    );
  const metadata = metadataOf(bytes, file);
  if (metadata === null) return checks;
  const { exploiter, mirror, net: spec, parity: publishedParity } = metadata.trained;
  if (mirror !== null)
    checks.push(...(await replay(game, file, own, twinOf(file, metadata.temperature), "itself", mirror, games, seed)));
  if (exploiter !== null)
    checks.push(
      ...(await replay(
        game,
        file,
        beside(exploiter.file),
        own,
        "its exploiter's points",
        exploiter.seats,
        games,
        seed,
      )),
    );
  const net = new Net(game, spec, 0);
  loadWeights(net, bytes, file);
  const same = await measureParity(net, bytes, await selfPlaySamples(net, 4, seed), 200);
  net.dispose();
  const worst = (p: { policy: number; value: number }) => Math.max(p.policy, p.value);
  checks.push({
    model: file,
    what: "parity",
    published: worst(publishedParity).toExponential(1),
    measured: worst(same).toExponential(1),
    sample: same.samples,
    agrees: worst(publishedParity) <= GOLDEN_TOLERANCE && worst(same) <= GOLDEN_TOLERANCE,
  });
  return checks;
}

/** Compares what a net of beliefs is said to know with what it knows of other games. */
async function verifyBelief(game: Game, bytes: Uint8Array, file: string, games: number, seed: string): Promise<Check> {
  const { by, learnt, measured } = beliefMetadata(bytes, file);
  const agents = await agentsNamed(game, by, seed);
  const found = await beliefGain(game, bytes, file, agents, { games, share: learnt.share, seed });
  for (const agent of new Set(agents)) await agent.close?.();
  const nats = (x: { gain: number }): string => `${x.gain.toFixed(3)} nats`;
  const asMean = ({ gain, interval, games }: BeliefMeasure) => ({
    games,
    meanReturn: gain,
    meanReturnInterval: interval,
  });
  return {
    model: file,
    what: "the true world",
    published: nats(measured),
    measured: nats(found),
    sample: found.decisions,
    agrees: meansAgree(asMean(measured), asMean(found)),
  };
}

/** Plays `agent` against `opponent` and compares the results of `agent` in each seat with the published ones. */
async function replay(
  game: Game,
  model: string,
  agent: string,
  opponent: string,
  what: string,
  seats: readonly PublishedTally[],
  games: number,
  seed: string,
): Promise<Check[]> {
  const result = await arena(game, { agents: [agent, opponent], games, seed });
  const standing = result.standings.find((s) => s.agent === agent)!;
  return game.players.map((seat, p): Check => {
    const found = standing.seats[p]!;
    const published = seats[p]!;
    if (game.players.length === 1)
      return {
        model,
        what: `return (beside ${what})`,
        published: published.meanReturn!.toFixed(3),
        measured: found.meanReturn.toFixed(3),
        sample: found.games,
        agrees: meansAgree(published as Tally, found),
      };
    const share = (t: PublishedTally) => percent(t.score, 1);
    const wide = (t: PublishedTally): Interval => wilson(t.score * t.games, t.games, Z999);
    const [[low, high], [publishedLow, publishedHigh]] = [wide(found), wide(published)];
    return {
      model,
      what: `${what} as ${seat}`,
      published: share(published),
      measured: share(found),
      sample: found.games,
      agrees: publishedLow <= high && low <= publishedHigh,
    };
  });
}

/**
 * True when chance explains the difference of two mean returns. The standard error is at least 1 / games, also without
 * variance.
 */
export function meansAgree(
  published: Pick<Tally, "games" | "meanReturn" | "meanReturnInterval">,
  found: typeof published,
): boolean {
  const error = (t: typeof published) =>
    Math.max((t.meanReturnInterval[1] - t.meanReturnInterval[0]) / (2 * Z95), 1 / t.games);
  return Math.abs(published.meanReturn - found.meanReturn) <= Z999 * Math.hypot(error(published), error(found));
}

/** Every model file below a folder, beliefs too; exploiters belong to the model they were trained against. */
export function modelFiles(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? modelFiles(path) : isPlayer(name) || name === BELIEF_FILE ? [path] : [];
    });
}

/** `npm run reports -- models [GAMES]` */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const models = fileURLToPath(new URL("../../models", import.meta.url));
  await startBackend("auto");
  const checks: Check[] = [];
  for (const file of modelFiles(models))
    checks.push(...(await verifyModel(relative(process.cwd(), file), Number(process.argv[2] ?? 40), "verify")));
  process.stdout.write(
    `${table(
      ["model", "against", "published", "measured", "sample", ""],
      checks.map((c) => [
        c.model,
        c.what,
        c.published,
        c.measured,
        String(c.sample),
        c.agrees ? "agrees" : "DISAGREES",
      ]),
      2,
    )}\n`,
  );
  if (checks.some((c) => !c.agrees)) process.exitCode = 1;
}
