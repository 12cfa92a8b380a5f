import { OnnxModel, readModelFile } from "../../agents/onnx.js";
import { makeAgent } from "../../agents/registry.js";
import { checkSeed, type Game, type GameData, KesselError, type Seed, shown } from "../../env/index.js";
import { type AgentFor, type Chunk, type ChunkResult, chunkSeeds, playChunk } from "./chunk.js";
import { type ArenaResult, pairScore, summarise } from "./tally.js";
import { Pool } from "../report/pool.js";
import { wilson } from "../report/stats.js";

export interface ArenaOptions {
  /** Names as `makeAgent` takes them; two or more, or at least one in a solitaire game. */
  readonly agents: readonly string[];
  /**
   * Games of each pair, half of them in each seat (rounded up to even); all in one when one of them can't play the other;
   * in a solitaire game games of each agent.
   */
  readonly games: number;
  /** The seat in which the first agent meets the others; these meet each other in both. Default: both. */
  readonly seat?: string;
  /** Default 0. Game k of every pair and seating has the seed `SEED/k`: all meet the same dice. */
  readonly seed?: Seed;
  /** Stops a pair early when the 95 % interval of its score is at most this wide (0..1). */
  readonly until?: number;
  /** Model file whose value is used to take the luck of the dice out of the results (luck.ts). */
  readonly judge?: string;
  /** Worker threads; 1 plays in this thread. The result doesn't depend on it. */
  readonly jobs?: number;
  /** Data files of an owner that `game` was loaded with, for the workers. */
  readonly data?: GameData;
  /** Makes the agents instead of `makeAgent`, one for each chunk of games, closed after it; only with one job. */
  readonly agentFor?: AgentFor;
  readonly progress?: (done: number, all: number) => void;
}

/** What an arena worker gets at its start. */
export interface WorkerGame {
  readonly id: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly data: GameData;
}

/** Chunks that a pair plays between two looks at its interval. */
const CHUNKS_PER_LOOK = 4;

/** Who plays whom. */
export interface Match {
  /** By index: two, or one alone in a solitaire game. */
  readonly agents: readonly number[];
  /** Seats that the first of them can take while the other takes the other. */
  readonly seatings: readonly number[];
}

/**
 * Plays every agent against every other, in both seats as far as they can play both, same seeds. The result depends on
 * game, agents, games, seed and `until` only.
 *
 * @throws KesselError `bad-option`, `bad-agent`, `bad-model`
 */
export async function arena(game: Game, options: ArenaOptions): Promise<ArenaResult> {
  const { agents, games, until, jobs = 1 } = options;
  const seed = checkSeed(options.seed ?? 0);
  const solo = game.players.length === 1;
  check(game, options);
  const agentFor = options.agentFor ?? ((name, s) => makeAgent(name, { game, seed: s, connect: true }));
  // a name that makes no agent is told before anything is played
  const canPlay: ((seat: number) => boolean)[] = [];
  for (const name of agents) {
    const agent = await agentFor(name, seed);
    const { players } = agent;
    canPlay.push((seat) => players === undefined || players.includes(seat));
    await agent.close?.();
  }
  if (options.judge !== undefined)
    await (await OnnxModel.load(readModelFile(options.judge), game, options.judge)).close();

  const matches: Match[] = solo
    ? agents.map((_, i) => ({ agents: [i], seatings: [0] }))
    : pairsOf(game, agents, canPlay, options.seat === undefined ? null : game.players.indexOf(options.seat));
  const per = chunkSeeds(game);
  const seeds = matches.map((m) => Math.ceil(games / m.seatings.length));
  const chunks = seeds.map((n) => Math.ceil(n / per));
  const results: ChunkResult[][] = matches.map(() => []);
  const all = matches.reduce((sum, { seatings }, m) => sum + seeds[m]! * seatings.length, 0);
  let done = 0;

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
        } satisfies WorkerGame)
      : null;
  const began = performance.now();
  try {
    const play = async (m: number, c: number): Promise<void> => {
      const { agents: who, seatings } = matches[m]!;
      const list = Array.from({ length: Math.min(per, seeds[m]! - c * per) }, (_, k) => `${seed}/${c * per + k}`);
      const chunk: Chunk = {
        agents: who.map((a) => agents[a]!),
        seatings,
        seeds: list,
        agentSeed: `${seed}/agents/${m}/${c}`,
        judge: options.judge ?? null,
      };
      results[m]![c] = await (pool ? pool.run(chunk) : playChunk(game, chunk, agentFor));
      done += list.length * seatings.length;
      options.progress?.(done, all);
      if (pool === null) await new Promise(setImmediate); // lets the progress bar draw
    };
    let active = matches.map((_, m) => m);
    const most = Math.max(...chunks);
    const look = until === undefined ? most : CHUNKS_PER_LOOK;
    for (let from = 0; from < most && active.length > 0; from += look) {
      const wanted = active.flatMap((m) =>
        Array.from({ length: Math.max(0, Math.min(look, chunks[m]! - from)) }, (_, k) => [m, from + k] as const),
      );
      if (pool) await Promise.all(wanted.map(([m, c]) => play(m, c)));
      else for (const [m, c] of wanted) await play(m, c);
      if (until !== undefined) active = active.filter((m) => width(results[m]!) > until);
    }
  } finally {
    await pool?.close();
  }
  options.progress?.(all, all);
  return summarise(game, agents, matches, results, seed, (performance.now() - began) / 1000, options.judge ?? null);
}

/** All pairs that can meet. @param only the seat of the first agent, null for both @throws KesselError `bad-option` for an agent that can meet nobody */
function pairsOf(
  game: Game,
  agents: readonly string[],
  canPlay: readonly ((seat: number) => boolean)[],
  only: number | null,
): Match[] {
  const meets = (a: number, b: number): number[] =>
    [0, 1].filter((seat) => canPlay[a]!(seat) && canPlay[b]!(1 - seat) && (a > 0 || only === null || seat === only));
  const pairs = agents
    .flatMap((_, a) => agents.slice(a + 1).map((_b, k) => ({ agents: [a, a + 1 + k], seatings: meets(a, a + 1 + k) })))
    .filter((m) => m.seatings.length > 0);
  const lonely = agents.findIndex((_, i) => !pairs.some((m) => m.agents.includes(i)));
  if (lonely >= 0)
    throw new KesselError(
      "bad-option",
      `${agents[lonely]!} plays ${game.players.filter((_, seat) => canPlay[lonely]!(seat)).join(" and ")} only; name an agent that plays the other side`,
    );
  return pairs;
}

function width(chunks: readonly ChunkResult[]): number {
  const { points, games } = pairScore(chunks);
  const [low, high] = wilson(points, games);
  return high - low;
}

function check(game: Game, { agents, games, seat, until, jobs = 1, agentFor }: ArenaOptions): void {
  const bad = (message: string) => new KesselError("bad-option", message);
  const solo = game.players.length === 1;
  if (agents.length < (solo ? 1 : 2))
    throw bad(`the arena of ${game.type.id} needs at least ${solo ? "one agent" : "two agents"}, not ${agents.length}`);
  const twice = agents.find((a, i) => agents.indexOf(a) !== i);
  if (twice !== undefined) throw bad(`the agent ${shown(twice)} is named twice`);
  if (!Number.isInteger(games) || games < 1) throw bad(`games is a whole number of at least 1, not ${shown(games)}`);
  if (seat !== undefined && (solo || !game.players.includes(seat)))
    throw bad(
      solo
        ? `${game.type.id} has one seat; leave the seat out`
        : `${game.type.id} has the seats ${game.players.join(", ")}, not ${shown(seat)}`,
    );
  if (!Number.isInteger(jobs) || jobs < 1) throw bad(`jobs is a whole number of at least 1, not ${shown(jobs)}`);
  if (until !== undefined && !(until > 0 && until <= 1))
    throw bad(`the width to stop at is between 0 and 1, not ${shown(until)}`);
  if (agentFor !== undefined && jobs > 1) throw bad("agents made by the caller play in one job");
}
