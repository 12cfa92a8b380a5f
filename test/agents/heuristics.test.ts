import { describe, expect, test } from "vitest";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, type Game, gameIds, loadGame, type Seed } from "../../env/index.js";
import { wilson } from "../../training/report/stats.js";

/** Plays `games` games, a name for each seat, and gives player 0's returns. Seats refuse illegal choices. */
async function play(game: Game, names: readonly string[], games: number, seed: Seed): Promise<number[]> {
  const agents = await Promise.all(names.map((name, p) => makeAgent(name, { game, seed: `${seed}/${p}` })));
  const batch = new Batch(game, { size: games, autoreset: "disabled" });
  await new SeatedBatch(batch, () => agents).reset(seed);
  return Array.from({ length: games }, (_, i) => batch.rewards[i * game.players.length]!);
}

/** Share of points of `name` against `other`, a draw counting half, on the same dice in both seats. */
async function points(game: Game, name: string, other: string, games: number): Promise<number> {
  const first = await play(game, [name, other], games, "points");
  const second = await play(game, [other, name], games, "points");
  return first.reduce((sum, r) => sum + (1 + r) / 2, 0) + second.reduce((sum, r) => sum + (1 - r) / 2, 0);
}

describe.each(gameIds())("heuristics of %s", (id) => {
  const game = loadGame(id);
  test.each(heuristicNames(id))("%s plays whole games legally, and the same ones from the same seed", async (name) => {
    const seats = game.players.map(() => `heuristic:${name}`);
    expect(await play(game, seats, 1, "again")).toEqual(await play(game, seats, 1, "again"));
  });
});

test("an unknown heuristic is refused with the names there are", async () => {
  await expect(makeAgent("heuristic:zhukov", { game: loadGame("pocket-stalingrad"), seed: 1 })).rejects.toThrow(
    /no heuristic "zhukov"; it has heuristic:first-keep, heuristic:greedy or heuristic:planner/,
  );
});

describe("Pocket Stalingrad, weakest to strongest, seats swapped", () => {
  const game = loadGame("pocket-stalingrad");
  const GAMES = 60; // in each seat

  test.each([
    ["heuristic:first-keep", "random"],
    ["heuristic:greedy", "random"],
    ["heuristic:greedy", "heuristic:first-keep"],
  ])("%s beats %s", async (name, other) => {
    expect(wilson(await points(game, name, other, GAMES), 2 * GAMES)[0]).toBeGreaterThan(0.5);
  });
});
