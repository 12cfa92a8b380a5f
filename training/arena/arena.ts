import { createHash } from "node:crypto";
import { canPlay } from "../../agents/agent.js";
import { readModelFile } from "../../agents/model-file.js";
import { OnnxModel } from "../../agents/onnx.js";
import { makeAgent } from "../../agents/registry.js";
import { checkSeed, diceKeyOf, type Game, type GameData, KesselError, type Seed, shown } from "../../env/index.js";
import { type AgentFor, type Chunk, type ChunkResult, seedsPerChunk, playChunk } from "./chunk.js";
import { type Match, pairsOf } from "./matches.js";
import { type ArenaResult, pairScore, summarise } from "./tally.js";
import { Pool } from "../report/pool.js";
import { ArenaSeeds, isExternal, newSecret } from "./seeds.js";
import { wilson } from "../report/stats.js";

export interface ArenaOptions {
  /** Names as `makeAgent` takes them; two or more, or at least one in a solitaire game. */
  readonly agents: readonly string[];
  /**
   * Games of each pair, half in each seat (rounded up to even), or all in one seating if the other is impossible. In a
   * solitaire game, games of each agent.
   */
  readonly games: number;
  /**
   * The only seat of the first agent; other pairs play both seatings. With a seat, two agents may have one name.
   * Default: both seats.
   */
  readonly seat?: string;
  /** Default 0. Game k of every pair and seating has the seed `SEED/k`, so all have the same dice. */
  readonly seed?: Seed;
  /**
   * Game and agent seeds become HMACs under this secret, as they always do with an `external:` agent, under a secret
   * drawn for the run where none is given; the result holds it. The dice then come from a cipher under it, not from the
   * seeds.
   */
  readonly secret?: string;
  /** Stops a pair early when the 95 % interval of its score is at most this wide (0..1). */
  readonly until?: number;
  /** Model file whose values estimate the luck of the dice, to adjust results for it (control-variate.ts). */
  readonly valueModel?: string;
  /** Folder that gets the replay of each game as soon as it is over. */
  readonly record?: string;
  /** Worker threads; 1 plays in this thread. The result does not depend on it. */
  readonly jobs?: number;
  /** The data files that `game` was loaded with, for the workers. */
  readonly data?: GameData;
  /** Replaces `makeAgent`; called once per chunk and agent, which is closed afterwards. Only with one job. */
  readonly agentFor?: AgentFor;
  readonly progress?: (done: number, all: number) => void;
}

/** The game that an arena worker loads. */
export interface ArenaWorkerStart {
  readonly id: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly data: GameData;
}

/** Chunks that a pair plays between two checks of its interval. */
const CHUNKS_PER_CHECK = 4;

/**
 * Plays every agent against every other, in each seating that is possible, on the same seeds. The result depends on
 * game, agents, games, seed and `until` only.
 *
 * @throws KesselError `bad-option`, `bad-agent`, `bad-model`
 */
export async function arena(game: Game, options: ArenaOptions): Promise<ArenaResult> {
  const { agents, games, until, jobs = 1 } = options;
  const seed = checkSeed(options.seed ?? 0);
  const solo = game.players.length === 1;
  checkOptions(game, options);
  const seeds = new ArenaSeeds(seed, options.secret ?? (agents.some(isExternal) ? newSecret() : null));
  const agentFor = options.agentFor ?? ((name, s) => makeAgent(name, { game, seed: s, connect: true }));
  // a wrong name is reported before any game is played
  const seatable: ((seat: number) => boolean)[] = [];
  for (const name of agents) {
    const agent = await agentFor(name, seeds.secret === null ? seed : newSecret());
    seatable.push((seat) => canPlay(agent, seat));
    await agent.close?.();
  }
  if (options.valueModel !== undefined)
    await (await OnnxModel.load(readModelFile(options.valueModel), game, options.valueModel)).close();

  const matches: Match[] = solo
    ? agents.map((_, i) => ({ agents: [i], seatings: [0] }))
    : pairsOf(game, agents, seatable, options.seat === undefined ? null : game.players.indexOf(options.seat));
  const per = seedsPerChunk(game);
  const seedCounts = matches.map((m) => Math.ceil(games / m.seatings.length));
  const chunks = seedCounts.map((n) => Math.ceil(n / per));
  const results: ChunkResult[][] = matches.map(() => []);
  const all = matches.reduce((sum, { seatings }, m) => sum + seedCounts[m]! * seatings.length, 0);
  let done = 0;

  // other agents, seeds or options have other names: no run writes over another's games
  const about = JSON.stringify([agents, game.options, options.seat ?? null, seeds.game(0)]);
  const run = `${game.type.id}-${createHash("sha256").update(about).digest("hex").slice(0, 8)}`;
  const workers = Math.min(
    jobs,
    chunks.reduce((a, b) => a + b),
  );
  const pool =
    workers > 1
      ? new Pool<Chunk, ChunkResult>(workers, new URL("./worker.ts", import.meta.url), {
          id: game.type.id,
          options: game.options,
          data: options.data ?? {},
        } satisfies ArenaWorkerStart)
      : null;
  const began = performance.now();
  try {
    const play = async (m: number, c: number): Promise<void> => {
      const { agents: indices, seatings } = matches[m]!;
      const list = Array.from({ length: Math.min(per, seedCounts[m]! - c * per) }, (_, k) => seeds.game(c * per + k));
      const chunk: Chunk = {
        agents: indices.map((a) => agents[a]!),
        seatings,
        seeds: list,
        agentSeed: seeds.agents(m, c),
        separate: seeds.secret !== null,
        diceKey: seeds.secret === null ? null : diceKeyOf(seeds.secret),
        valueModel: options.valueModel ?? null,
        record: options.record === undefined ? null : { dir: options.record, name: `${run}-${m + 1}`, first: c * per },
      };
      results[m]![c] = await (pool ? pool.run(chunk) : playChunk(game, chunk, agentFor));
      done += list.length * seatings.length;
      options.progress?.(done, all);
      if (pool === null) await new Promise(setImmediate); // lets the progress bar draw
    };
    let active = matches.map((_, m) => m);
    const most = Math.max(...chunks);
    const chunksPerCheck = until === undefined ? most : CHUNKS_PER_CHECK;
    for (let from = 0; from < most && active.length > 0; from += chunksPerCheck) {
      const wanted = active.flatMap((m) =>
        Array.from(
          { length: Math.max(0, Math.min(chunksPerCheck, chunks[m]! - from)) },
          (_, k) => [m, from + k] as const,
        ),
      );
      if (pool) await Promise.all(wanted.map(([m, c]) => play(m, c)));
      else for (const [m, c] of wanted) await play(m, c);
      if (until !== undefined) active = active.filter((m) => intervalWidth(results[m]!) > until);
    }
  } finally {
    await pool?.close();
  }
  options.progress?.(all, all);
  return summarise(
    game,
    agents,
    matches,
    results,
    seed,
    (performance.now() - began) / 1000,
    options.valueModel ?? null,
    seeds.secret,
  );
}

function intervalWidth(chunks: readonly ChunkResult[]): number {
  const { points, games } = pairScore(chunks);
  const [low, high] = wilson(points, games);
  return high - low;
}

function checkOptions(game: Game, { agents, games, seat, until, secret, jobs = 1, agentFor }: ArenaOptions): void {
  const bad = (message: string) => new KesselError("bad-option", message);
  const solo = game.players.length === 1;
  if (agents.length < (solo ? 1 : 2))
    throw bad(`the arena of ${game.type.id} needs at least ${solo ? "one agent" : "two agents"}, not ${agents.length}`);
  const twice = agents.find((a, i) => agents.indexOf(a) !== i);
  // an agent may meet itself in one seating: what is its seat worth?
  if (twice !== undefined && (seat === undefined || agents.length > 2))
    throw bad(`the agent ${shown(twice)} is named twice`);
  if (!Number.isInteger(games) || games < 1) throw bad(`games is a whole number of at least 1, not ${shown(games)}`);
  if (seat !== undefined && (solo || !game.players.includes(seat)))
    throw bad(
      solo
        ? `${game.type.id} has one seat; leave the seat out`
        : `${game.type.id} has the seats ${game.players.join(", ")}, not ${shown(seat)}`,
    );
  if (secret !== undefined && !/^[\x21-\x7e]{16,200}$/.test(secret))
    throw bad("a secret is 16 to 200 printable characters without spaces, such as the one that an arena has printed");
  if (!Number.isInteger(jobs) || jobs < 1) throw bad(`jobs is a whole number of at least 1, not ${shown(jobs)}`);
  if (until !== undefined && !(until > 0 && until <= 1))
    throw bad(`the width to stop at is between 0 and 1, not ${shown(until)}`);
  if (agentFor !== undefined && jobs > 1) throw bad("agents made by the caller play in one job");
}
