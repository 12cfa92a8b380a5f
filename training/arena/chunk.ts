import { type Agent, type Decisions } from "../../agents/agent.js";
import { SeatedBatch } from "../../agents/seats.js";
import { OnnxModel, readModelFile } from "../../agents/onnx.js";
import {
  Batch,
  type Game,
  InvariantError,
  type Json,
  type JsonObject,
  type Seed,
  tensorSizes,
} from "../../env/index.js";
import { judgeOf, luckOf } from "./luck.js";

/** Makes an agent by its name, with a stream of its own. */
export type AgentFor = (name: string, seed: Seed) => Agent | Promise<Agent>;

/** Games that one worker plays at once; what they are doesn't depend on how many workers there are. */
export interface Chunk {
  /** Agents by seat index, in the first seating. */
  readonly agents: readonly string[];
  /** Seatings that each seed is played in: 0 as `agents` says, 1 with the seats swapped. */
  readonly seatings: readonly number[];
  readonly seeds: readonly string[];
  /** The agents' own streams are made from it. */
  readonly agentSeed: string;
  /** Model file whose value tells luck; null when nobody asked for it. */
  readonly judge: string | null;
}

/** One finished game. */
export interface Played {
  /** Return of the chunk's first agent. */
  readonly value: number;
  /** Decisions in the game, forced ones included. */
  readonly decisions: number;
  /** How the game calls its end, from the `result` of its position document; empty when it says nothing. */
  readonly ending: string;
  /** What the dice gave that agent, see luck.ts; 0 without a judge. */
  readonly luck: number;
}

export interface ChunkResult {
  /** By seating (first agent in seat 0, or in seat 1), per seed; nothing for a seating that wasn't played. */
  readonly seatings: readonly (readonly Played[])[];
  /** What each agent spent on its decisions. */
  readonly effort: readonly { readonly agent: string; readonly decisions: number; readonly seconds: number }[];
  /** Decisions that agents took. */
  readonly asked: number;
  readonly seconds: number;
}

/** Observation bytes that a batch of the arena may hold. */
const BATCH_BYTES = 1 << 25;

/** Seeds that a chunk of this game has. It fixes what agents see batched, and so belongs to the result. */
export function chunkSeeds(game: Game): number {
  const s = tensorSizes(game.observation);
  const floats = s.globals + s.map + s.units + s.decision;
  return Math.max(1, Math.min(64, Math.floor(BATCH_BYTES / (4 * floats) / 2)));
}

/** Plays the games of a chunk to their ends, all at once. */
export async function playChunk(game: Game, chunk: Chunk, agentFor: AgentFor): Promise<ChunkResult> {
  const timed = await Promise.all(
    chunk.agents.map(async (name, k) => new Timed(await agentFor(name, `${chunk.agentSeed}/${k}`))),
  );
  try {
    const n = chunk.seeds.length;
    const seatings = chunk.seatings.map((k) => (k === 0 ? timed : [timed[1]!, timed[0]!]));
    const batch = new Batch(game, { size: n * seatings.length, autoreset: "disabled", record: chunk.judge !== null });
    const began = performance.now();
    await new SeatedBatch(batch, (i) => seatings[Math.floor(i / n)]!).reset(seatings.flatMap(() => chunk.seeds));
    const seconds = (performance.now() - began) / 1000;
    const luck = chunk.judge === null ? null : await luckIn(batch, chunk.judge, `${chunk.agentSeed}/luck`);
    return {
      seatings: game.players.map((_, seat) => {
        const k = chunk.seatings.indexOf(seat);
        return k < 0 ? [] : chunk.seeds.map((_seed, i) => played(batch, k * n + i, seat, luck));
      }),
      effort: timed.map((t, k) => ({ agent: chunk.agents[k]!, decisions: t.decisions, seconds: t.seconds })),
      asked: batch.asked,
      seconds,
    };
  } finally {
    for (const t of timed) await t.inner.close?.();
  }
}

/** The first player's luck in each game of a batch that has kept its actions. */
async function luckIn(batch: Batch, file: string, seed: string): Promise<Float64Array> {
  const { game } = batch;
  const model = await OnnxModel.load(readModelFile(file), game, file);
  try {
    const lines = batch.states.map((_, i) => ({ seed: batch.seedOf(i), actions: batch.recordedEpisode(i)!.actions }));
    return await luckOf(game, lines, judgeOf(model), seed);
  } finally {
    await model.close();
  }
}

function played(batch: Batch, row: number, seat: number, luck: Float64Array | null): Played {
  if (batch.terminated[row] !== 1)
    throw new InvariantError(
      `${batch.game.type.id}: the game of seed ${batch.seedOf(row)} did not end within ${batch.game.maxDecisions} decisions`,
    );
  return {
    value: batch.rewards[row * batch.game.players.length + seat]!,
    decisions: batch.decisions[row]!,
    ending: endingOf(batch.game.write(batch.states[row]!)),
    luck: luck === null ? 0 : seat === 0 ? luck[row]! : -luck[row]!,
  };
}

/** Words by which a finished position names its end: `result` as a text, or the texts in it. */
export function endingOf(position: JsonObject): string {
  const result = position["result"];
  if (typeof result === "string") return result;
  if (result === null || typeof result !== "object" || Array.isArray(result)) return "";
  return Object.values(result as Record<string, Json>)
    .filter((v) => typeof v === "string")
    .join(" ");
}

/** Passes decisions on and takes the time. */
class Timed implements Agent {
  readonly name: string;
  decisions = 0;
  seconds = 0;

  constructor(readonly inner: Agent) {
    this.name = inner.name;
  }

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const began = performance.now();
    await this.inner.act(decisions, out);
    this.seconds += (performance.now() - began) / 1000;
    this.decisions += decisions.size;
  }
}
