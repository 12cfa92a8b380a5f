import { expect, test } from "vitest";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, loadGame } from "../../env/index.js";

/** Games out of 20 that `german` wins. */
async function wins(german: string, soviet: string, options: Record<string, string | boolean> = {}): Promise<number> {
  const game = loadGame("savage-streets", options);
  const seats = [await makeAgent(german, { game, seed: "german" }), await makeAgent(soviet, { game, seed: "soviet" })];
  const batch = new Batch(game, { size: 20, autoreset: "disabled" });
  await new SeatedBatch(batch, () => seats.slice(0, game.players.length)).reset("match");
  return Array.from({ length: 20 }, (_, i) => batch.rewards[i * game.players.length]!).filter((r) => r === 1).length;
}

test("the planning Germans sweep a random Soviet player away", async () => {
  expect(await wins("heuristic:g-stacks", "random")).toBeGreaterThanOrEqual(17);
});

test("a Soviet player who reinforces where it is needed holds against random Germans", async () => {
  expect(await wins("random", "heuristic:s-need")).toBe(0);
});

test("every scripted player plays every mode and option to the end in both seats", async () => {
  const full = { engineers: true, armor: true, antitank: true, integrity: true, infiltration: true, schwere: true };
  for (const name of heuristicNames("savage-streets")) {
    for (const mode of ["duel", "solo"]) {
      const game = loadGame("savage-streets", { mode, ...full });
      const agent = await makeAgent(`heuristic:${name}`, { game, seed: 1 });
      const batch = new Batch(game, { size: 3, autoreset: "disabled" });
      await new SeatedBatch(batch, () => game.players.map(() => agent)).reset(name);
      expect([...batch.terminated]).toEqual([1, 1, 1]);
    }
  }
});
