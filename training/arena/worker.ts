import { importGame } from "../../agents/import-game.js";
import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import type { ArenaWorkerStart } from "./arena.js";
import { type Chunk, type ChunkResult, playChunk } from "./chunk.js";

/** What a worker thread of the arena does: it loads the game once and plays chunks. */
export async function open({ id, options, data }: ArenaWorkerStart): Promise<(chunk: Chunk) => Promise<ChunkResult>> {
  await importGame(id);
  const game = loadGame(id, options, data);
  return (chunk) => playChunk(game, chunk, (name, seed) => makeAgent(name, { game, seed, connect: true }));
}
