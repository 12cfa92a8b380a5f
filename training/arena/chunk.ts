import { type Agent, type Decisions } from "../../agents/agent.js";
import { SeatedBatch } from "../../agents/seats.js";
import { readModelFile } from "../../agents/model-file.js";
import { OnnxModel } from "../../agents/onnx.js";
import {
  Batch,
  expectedReturns,
  type Dice,
  diceFor,
  type Game,
  InvariantError,
  type Json,
  type JsonObject,
  type Seed,
  tensorSizes,
} from "../../env/index.js";
import { type RecordTo, writeGame } from "./record.js";
import { shuffled } from "./seeds.js";
import { valueFunctionOf, luckOf } from "./control-variate.js";

/** Makes an agent by name, with a random stream of its own. */
export type AgentFor = (name: string, seed: Seed) => Agent | Promise<Agent>;

/** Games that one worker plays in one batch, independent of the number of workers. */
export interface Chunk {
  /** Agents by seat, in the first seating. */
  readonly agents: readonly string[];
  /** Seatings of each seed: 0 as in `agents`, 1 with the seats swapped. */
  readonly seatings: readonly number[];
  readonly seeds: readonly string[];
  /** Seed of the agents' random streams. */
  readonly agentSeed: string;
  /**
   * Each seating has agents of its own and its games in an order of its own, so that no agent knows which two games
   * have the same seed.
   */
  readonly separate: boolean;
  /** Key of the dice (env/core/dice/keyed-dice.ts); null for the streams of the seeds. */
  readonly diceKey: Uint8Array | null;
  /** Model file whose values estimate luck (control-variate.ts); null for none. */
  readonly valueModel: string | null;
  /** Where each game is written as soon as it is over; null for nowhere. */
  readonly record: RecordTo | null;
}

/** One finished game. */
export interface GameResult {
  /** Return of the chunk's first agent. */
  readonly firstReturn: number;
  /** Decisions in the game, forced ones included. */
  readonly decisions: number;
  /** The game's name of its end, the `result` of its position document; empty if it has none. */
  readonly ending: string;
  /** Luck of the first agent, see control-variate.ts; 0 where neither a value model nor the game gives it. */
  readonly luck: number;
}

export interface ChunkResult {
  /** By seating (first agent in seat 0 or 1), then by seed; empty for a seating that was not played. */
  readonly seatings: readonly (readonly GameResult[])[];
  /** Time that each agent spent on its decisions. */
  readonly effort: readonly { readonly agent: string; readonly decisions: number; readonly seconds: number }[];
  /** Decisions that agents took. */
  readonly decisions: number;
  readonly seconds: number;
}

/** Largest size of a batch's observations in bytes. */
const BATCH_BYTES = 1 << 25;

/** Seeds per chunk of this game. It determines the batches that agents see, so results depend on it. */
export function seedsPerChunk(game: Game): number {
  const s = tensorSizes(game.observation);
  const floats = s.globals + s.map + s.units + s.decision;
  return Math.max(1, Math.min(64, Math.floor(BATCH_BYTES / (4 * floats) / 2)));
}

/** Plays all games of a chunk in one batch. */
export async function playChunk(game: Game, chunk: Chunk, agentFor: AgentFor): Promise<ChunkResult> {
  /** All that were made, also when the next one can't be. */
  const made: TimedAgent[] = [];
  const seated = async (suffix: string): Promise<TimedAgent[]> => {
    const agents: TimedAgent[] = [];
    for (const [k, name] of chunk.agents.entries()) {
      const agent = new TimedAgent(await agentFor(name, `${chunk.agentSeed}/${k}${suffix}`));
      agents.push(agent);
      made.push(agent);
    }
    return agents;
  };
  const n = chunk.seeds.length;
  const inOrder = chunk.seeds.map((_, i) => i);
  /** By seating: agents in the chunk's order, and which seed each of its games has. */
  const groups: { agents: readonly TimedAgent[]; order: readonly number[] }[] = [];
  try {
    const shared = chunk.separate ? null : await seated("");
    for (const k of chunk.seatings)
      groups.push({
        agents: shared ?? (await seated(`/${k}`)),
        order: chunk.separate ? shuffled(n, `${chunk.agentSeed}/order/${k}`) : inOrder,
      });
    const seatings: readonly (readonly TimedAgent[])[] = groups.map(({ agents }, g) =>
      chunk.seatings[g] === 0 ? agents : [agents[1]!, agents[0]!],
    );
    const dice = diceFor(chunk.diceKey);
    const batch = new Batch(game, {
      dice,
      size: n * seatings.length,
      autoreset: "disabled",
      record: chunk.valueModel !== null || chunk.record !== null,
    });
    const recorded = new Set<number>();
    const writeEnded = (): void => {
      const { record } = chunk;
      if (record === null) return;
      for (let row = 0; row < batch.size; row++) {
        if (batch.terminated[row] !== 1 || recorded.has(row)) continue;
        recorded.add(row);
        const g = Math.floor(row / n);
        const agents = seatings[g]!.map((a) => a.name);
        const played = { ...batch.recordedEpisode(row)!, agents };
        const file = `${record.first + groups[g]!.order[row % n]!}-${chunk.seatings[g]!}`;
        writeGame(game, record, file, played, chunk.diceKey === null ? null : dice);
      }
    };
    for (const agent of new Set(seatings.flat())) agent.before = writeEnded;
    const began = performance.now();
    await new SeatedBatch(batch, (i) => seatings[Math.floor(i / n)]!).reset(
      groups.flatMap(({ order }) => order.map((i) => chunk.seeds[i]!)),
    );
    const seconds = (performance.now() - began) / 1000;
    writeEnded();
    const luck =
      chunk.valueModel === null
        ? luckOfLastRolls(batch)
        : await luckOfBatch(batch, chunk.valueModel, `${chunk.agentSeed}/luck`, dice);
    return {
      seatings: game.players.map((_, seat) => {
        const k = chunk.seatings.indexOf(seat);
        return k < 0 ? [] : inOrder.map((i) => gameResult(batch, k * n + groups[k]!.order.indexOf(i), seat, luck));
      }),
      effort: chunk.agents.map((agent, k) => {
        const instances = [...new Set(groups.map((g) => g.agents[k]!))];
        const sum = (what: (t: TimedAgent) => number): number => instances.reduce((x, t) => x + what(t), 0);
        return { agent, decisions: sum((t) => t.decisions), seconds: sum((t) => t.seconds) };
      }),
      decisions: batch.asked,
      seconds,
    };
  } finally {
    for (const t of made) await t.inner.close?.();
  }
}

/** The first player's luck in each game of a batch that has recorded its actions. */
async function luckOfBatch(batch: Batch, file: string, seed: string, dice: Dice): Promise<Float64Array> {
  const { game } = batch;
  const model = await OnnxModel.load(readModelFile(file), game, file);
  try {
    const lines = batch.states.map((_, i) => ({ seed: batch.seedOf(i), actions: batch.recordedEpisode(i)!.actions }));
    return await luckOf(game, lines, valueFunctionOf(model), seed, dice);
  } finally {
    await model.close();
  }
}

/** The first player's luck in the last roll of each game, where the game gives it; null where it doesn't. */
function luckOfLastRolls({ game, states, rewards }: Batch): Float64Array | null {
  if (game.expectedReturns === undefined) return null;
  const expected = new Float32Array(game.players.length);
  return Float64Array.from(states, (s, row) => {
    expectedReturns(game, s, expected);
    return rewards[row * expected.length]! - expected[0]!;
  });
}

function gameResult(batch: Batch, row: number, seat: number, luck: Float64Array | null): GameResult {
  if (batch.terminated[row] !== 1)
    throw new InvariantError(
      `${batch.game.type.id}: the game of seed ${batch.seedOf(row)} did not end within ${batch.game.maxDecisions} decisions`,
    );
  return {
    firstReturn: batch.rewards[row * batch.game.players.length + seat]!,
    decisions: batch.decisions[row]!,
    ending: endingOf(batch.game.write(batch.states[row]!)),
    luck: luck === null ? 0 : seat === 0 ? luck[row]! : -luck[row]!,
  };
}

/** The name of a final position's end: its `result` if that is a string, otherwise the strings in it. */
export function endingOf(position: JsonObject): string {
  const result = position["result"];
  if (typeof result === "string") return result;
  if (result === null || typeof result !== "object" || Array.isArray(result)) return "";
  return Object.values(result as Record<string, Json>)
    .filter((v) => typeof v === "string")
    .join(" ");
}

/** Measures the time that an agent takes. */
class TimedAgent implements Agent {
  readonly name: string;
  decisions = 0;
  seconds = 0;
  /** Called before each decision. */
  before: () => void = () => undefined;

  constructor(readonly inner: Agent) {
    this.name = inner.name;
  }

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    this.before();
    const began = performance.now();
    await this.inner.act(decisions, out);
    this.seconds += (performance.now() - began) / 1000;
    this.decisions += decisions.size;
  }
}
