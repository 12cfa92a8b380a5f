import { importGame } from "../../agents/import-game.js";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isPlayer, readModelFile } from "../../agents/model-file.js";
import { OnnxModel } from "../../agents/onnx.js";
import { type JsonObject, KesselError, loadGame } from "../../env/index.js";
import { arena } from "../arena/arena.js";
import type { ArenaResult, Tally } from "../arena/tally.js";
import { card } from "./card.js";
import { checkExploited, keepExploiter, netOf, type TrainedExploiter } from "./exploiter.js";
import { cardOf, exploiterOf } from "./files.js";
import { writeAtomic } from "../learn/checkpoint.js";
import {
  metadataOf,
  negated,
  type Result,
  playsSameGame,
  swapped,
  type TrainingMetadata,
  withMetadata,
} from "./metadata.js";
import { exportOnnx } from "../nets/export.js";
import { goldenFrom } from "./golden-pairs.js";
import type { Net } from "../nets/net.js";
import { Minibatch, type RolloutBuffer } from "../learn/rollout-buffer.js";

/** Origin of a model. */
export interface Provenance {
  /** How it was trained, in a sentence. */
  readonly how: string;
  /** Commands that reproduce it, one per line. */
  readonly command: string;
  readonly seed: string;
  /** Names and values for the card's table: games, decisions, steps, backend... */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Every value of the run's configuration. */
  readonly config: JsonObject;
}

export interface MeasurementOptions {
  /** Names of agents to play against, besides the other models in the folder. */
  readonly against: readonly string[];
  /** Games against each, half of them in each seat. */
  readonly games: number;
  readonly seed: string;
  readonly jobs?: number;
  progress?(done: number, all: number): void;
}

/**
 * Runs a model file's bytes and the net it came from on recorded decisions.
 *
 * @returns the largest differences, per unit of size above 1
 */
export async function measureParity(
  net: Net,
  bytes: Uint8Array,
  samples: RolloutBuffer,
  most = 2000,
): Promise<TrainingMetadata["parity"]> {
  const { game } = net;
  const model = await OnnxModel.load(bytes, game, "the exported model");
  const n = Math.min(most, samples.size);
  const chunk = Math.min(256, n);
  const batch = new Minibatch(game, chunk);
  let policy = 0;
  let value = 0;
  const apart = (a: number, b: number) => Math.abs(a - b) / Math.max(1, Math.abs(b));
  for (let from = 0; from < n; from += chunk) {
    const size = Math.min(chunk, n - from);
    batch.load(
      samples,
      Int32Array.from({ length: size }, (_, i) => Math.floor(((from + i) * samples.size) / n)),
      0,
      size,
    );
    const here = await net.evaluate(batch.observation, batch.mask, size);
    const there = await model.run(batch.observation, batch.mask, size);
    for (let i = 0; i < size * game.actions.length; i++)
      if (batch.mask[i] === 1) policy = Math.max(policy, apart(there.policy[i]!, here.policy[i]!));
    for (let i = 0; i < size; i++) value = Math.max(value, apart(there.value[i]!, here.value[i]!));
  }
  await model.close();
  return { samples: n, policy, value };
}

/**
 * Writes a model and its card (`NAME.onnx`, `NAME.md`): exports the net, compares file and net, plays it against other
 * agents, the other models of the folder and its exploiter (`NAME.exploiter.onnx`), and stores the results in both. The
 * cards of the other models get the results of their games too.
 *
 * @param file path that ends in `.onnx`
 * @throws KesselError `bad-option` for another ending, `bad-model` when the exploiter was trained against something
 *   else
 */
export async function publish(
  net: Net,
  samples: RolloutBuffer,
  file: string,
  from: Provenance,
  measurement: MeasurementOptions,
  exploiter?: TrainedExploiter,
): Promise<void> {
  const { game } = net;
  cardOf(file); // refuses another ending before anything is written
  if (exploiter !== undefined) checkExploited(net, exploiter.against);
  const golden = await goldenFrom(net, samples, 8);
  const { how: method, ...rest } = from;
  const draft: TrainingMetadata = {
    method,
    ...rest,
    version: game.type.version,
    options: { ...game.options },
    net: net.spec,
    facts: { ...from.facts },
    parity: { samples: 0, policy: 0, value: 0 },
    measured: measurement.seed,
    results: [],
    mirror: null,
    exploiter: null,
  };
  const bytes = exportOnnx(net, draft as unknown as JsonObject, golden);
  const same = await measureParity(net, bytes, samples);
  writeAtomic(file, bytes);
  const own = `onnx:${file}`;
  const others = siblings(file);
  const opponents = [
    ...measurement.against.map((name) => ({ name, agent: name })),
    ...others.map((name) => ({ name, agent: `onnx:${join(dirname(file), name)}` })),
  ];
  const contested = game.players.length > 1;
  const rounds = opponents.length + (contested ? 1 : 0) + (exploiter === undefined ? 0 : 1);
  const results: Result[] = [];
  const { games, seed, jobs = 1, progress } = measurement;
  const play = (agent: string, round: number) =>
    arena(game, {
      agents: [own, agent],
      games,
      seed,
      jobs,
      progress: (done, all) => progress?.(round * all + done, rounds * all),
    });
  for (const [i, { name, agent }] of opponents.entries())
    results.push(resultOf(name, own, agent, await play(agent, i)));
  const twin = twinOf(file, 0);
  const mirror = contested ? resultOf("", own, twin, await play(twin, opponents.length)).seats : null;
  if (exploiter === undefined) rmSync(exploiterOf(file), { force: true });
  const exploited =
    exploiter === undefined
      ? null
      : await keepExploiter(file, exploiter, async (agent) => resultOf("", agent, own, await play(agent, rounds - 1)));
  writeMetadata(file, { ...draft, parity: same, results, mirror, exploiter: exploited });
  for (const name of others)
    updateOpponent(
      join(dirname(file), name),
      basename(file),
      results.find((r) => r.against === name)!,
    );
}

/**
 * The agent of a model under another name, since an arena knows agents by theirs: a zero more says the same
 * temperature. On the same dice both seatings of the two are one game at temperature 0: what the first gets in a seat
 * is one game a seed.
 */
export const twinOf = (file: string, temperature: number): string => `onnx:${file}?temperature=0${temperature}`;

export interface ModelChanges {
  /**
   * What the file plays with from now on: then it meets all that it met before and the other models of its folder too.
   * Default: what it played with.
   */
  readonly temperature?: number | undefined;
  /** What is kept as its exploiter from now on. */
  readonly exploiter?: TrainedExploiter | undefined;
}

/**
 * Plays a published model against further agents and itself, with the seed of its card, and stores the results in file
 * and card. Earlier results against the same agents are replaced; those of another version of the game go.
 *
 * @param agents names of agents; another model of the folder by its file name, whose card gets its side of it
 * @throws KesselError `bad-option` for a name that doesn't end in `.onnx`; `bad-model` for a file without training
 *   metadata, or with an exploiter of what it was, or of something else
 */
export async function measureModel(
  file: string,
  agents: readonly string[],
  { games, jobs = 1, progress }: Omit<MeasurementOptions, "against" | "seed">,
  { temperature, exploiter }: ModelChanges = {},
): Promise<void> {
  cardOf(file); // refuses another ending before anything is written
  const metadata = metadataOf(readModelFile(file), file);
  if (metadata === null)
    throw new KesselError("bad-model", `${file} has no training metadata: it was not written by kessel train`);
  const { trained } = metadata;
  await importGame(metadata.game);
  const game = loadGame(metadata.game, trained.options);
  const plays = temperature ?? metadata.temperature;
  const another = plays !== metadata.temperature;
  const own = `onnx:${file}?temperature=${plays}`; // the file stays as it is until all is measured
  const now: TrainingMetadata = { ...trained, version: game.type.version, options: { ...game.options } };
  const others = siblings(file, { ...metadata, trained: now });
  const missing = (name: string): boolean => /^[^:]+\.onnx$/.test(name) && !others.includes(name);
  const contested = game.players.length > 1;
  if (another && trained.exploiter !== null)
    throw new KesselError(
      "bad-model",
      `${file} has an exploiter, trained against it at temperature ${metadata.temperature}; publish it without one first`,
    );
  if (exploiter !== undefined) {
    const net = netOf(game, trained.net, file);
    try {
      checkExploited(net, exploiter.against, plays);
    } finally {
      net.dispose();
    }
  }
  const met = another
    ? [...new Set([...agents, ...trained.results.map((r) => r.against).filter((name) => !missing(name)), ...others])]
    : agents;
  /** Its exploiter's games are of another version of the game. */
  const stale = exploiter === undefined && trained.exploiter !== null && trained.version !== now.version;
  const rounds = met.length + (contested ? 1 : 0) + (stale || exploiter !== undefined ? 1 : 0);
  const meet = (agent: string, round: number): Promise<ArenaResult> =>
    arena(game, {
      agents: [own, agent],
      games,
      seed: trained.measured,
      jobs,
      progress: (done, all) => progress?.(round * all + done, rounds * all),
    });
  const play = async (name: string, round: number): Promise<Result> => {
    const agent = others.includes(name) ? `onnx:${join(dirname(file), name)}` : name;
    return resultOf(name, own, agent, await meet(agent, round));
  };
  const metAgain = async (known: TrainingMetadata["exploiter"]): Promise<TrainingMetadata["exploiter"]> => {
    if (known === null || !stale) return known;
    const agent = `onnx:${exploiterOf(file)}`;
    const { total, seats } = resultOf("", agent, own, await meet(agent, rounds - 1));
    return { ...known, total, seats };
  };
  const found: Result[] = [];
  for (const [i, agent] of met.entries()) found.push(await play(agent, i));
  const mirror = contested ? (await play(twinOf(file, plays), met.length)).seats : null;
  const exploited =
    exploiter === undefined
      ? await metAgain(trained.exploiter)
      : await keepExploiter(file, exploiter, async (agent) => resultOf("", agent, own, await meet(agent, rounds - 1)));
  const results = trained.version === now.version && !another ? [...trained.results] : [];
  for (const r of found) {
    const at = results.findIndex((x) => x.against === r.against);
    if (at < 0) results.push(r);
    else results[at] = r;
  }
  const made = another ? commandAt(trained.command, file, plays) : trained.command;
  const command = exploiter === undefined ? made : commandWith(made, file, exploiter.run);
  writeMetadata(file, { ...now, command, results, mirror, exploiter: exploited }, plays);
  for (const r of found)
    if (others.includes(r.against)) updateOpponent(join(dirname(file), r.against), basename(file), r);
}

/** The commands that make a model, and give it its temperature. */
function commandAt(command: string, file: string, temperature: number): string {
  const makes = command.split("\n").filter((line) => !/ (?:train|model) measure .* --temperature /.test(line));
  return [
    ...makes,
    ...(temperature === 0 ? [] : [`npx kessel model measure ${file} --temperature ${temperature}`]),
  ].join("\n");
}

/** The commands that make a model, and give it an exploiter. */
function commandWith(command: string, file: string, run: string): string {
  const makes = command.split("\n").filter((line) => !/ (?:train|model) measure .* --exploiter /.test(line));
  return [
    ...makes.map((line) => line.replace(/ --exploiter \S+/, "")),
    `npx kessel model measure ${file} --exploiter ${run}`,
  ].join("\n");
}

/** Writes training metadata into a model file, and its card. @param temperature left out: as it is */
function writeMetadata(file: string, trained: TrainingMetadata, temperature?: number): void {
  writeAtomic(file, withMetadata(new Uint8Array(readFileSync(file)), trained, temperature));
  writeAtomic(cardOf(file), card(file));
}

/** Writes the same games, from the other model's side, into its metadata and card. */
function updateOpponent(file: string, against: string, r: Result): void {
  const { trained } = metadataOf(new Uint8Array(readFileSync(file)), file)!;
  const seen: Result =
    r.alone === undefined
      ? { against, total: swapped(r.total), seats: [...r.seats].reverse().map(swapped) }
      : {
          against,
          total: r.alone.other,
          seats: [r.alone.other],
          alone: {
            other: r.total,
            difference: { mean: -r.alone.difference.mean, interval: negated(r.alone.difference.interval) },
            endings: r.alone.otherEndings,
            otherEndings: r.alone.endings,
          },
        };
  const at = trained.results.findIndex((x) => x.against === against);
  writeMetadata(file, { ...trained, results: at < 0 ? [...trained.results, seen] : trained.results.with(at, seen) });
}

/** Models in the folder of `file` that play the same game, by file name; without exploiters. */
function siblings(file: string, own = metadataOf(new Uint8Array(readFileSync(file)), file)!): string[] {
  return readdirSync(dirname(file) || "..")
    .filter((name) => isPlayer(name) && name !== basename(file))
    .filter((name) => {
      const path = join(dirname(file), name);
      const metadata = metadataOf(new Uint8Array(readFileSync(path)), path);
      return metadata !== null && playsSameGame(own, metadata);
    })
    .sort();
}

function resultOf(against: string, own: string, other: string, r: ArenaResult): Result {
  const standing = (agent: string) => r.standings.find((s) => s.agent === agent)!;
  const { total, seats } = standing(own);
  const plain = { against, total: copy(total), seats: seats.map(copy) };
  if (r.players.length > 1) return plain;
  const [{ mean, interval }] = r.differences as [ArenaResult["differences"][number]];
  const endings = (agent: string) => ({ ...r.endings.find((e) => e.agent === agent)!.shares });
  return {
    ...plain,
    alone: {
      other: copy(standing(other).total),
      difference: { mean, interval: [...interval] },
      endings: endings(own),
      otherEndings: endings(other),
    },
  };
}

const copy = (t: Tally): Result["total"] => ({
  ...t,
  interval: [...t.interval],
  meanReturnInterval: [...t.meanReturnInterval],
});
