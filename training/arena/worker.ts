import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import type { ArenaWorkerStart } from "./arena.js";
import { type Chunk, type ChunkResult, playChunk } from "./chunk.js";

/** What a worker thread of the arena does: it loads the game once and plays chunks. */
export function open({ id, options, data }: ArenaWorkerStart): (chunk: Chunk) => Promise<ChunkResult> {
  const game = loadGame(id, options, data);
  return (chunk) => playChunk(game, chunk, (name, seed) => makeAgent(name, { game, seed, connect: true }));
}
