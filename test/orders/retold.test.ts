import { expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import "../all-games.js";
import { playedBy, retold } from "./retold.js";

// `npm run reports -- orders` measures it over more games.
test.each([
  ["night-fight", 3, ["stalker"]],
  ["savage-streets", 3, ["g-storm", "s-bluff"]],
  ["strike-counterstrike", 2, ["encircler"]],
  ["pocket-stalingrad", 2, ["planner", "planner"]],
  ["streets-of-stalingrad", 3, ["elastic", "planner"]],
])("%s: scripted players take %i times as many decisions as orders", async (id, times, players) => {
  const game = loadGame(id);
  let [asked, orders] = [0, 0];
  for (const seed of [0, 1, 2]) {
    const agents = await Promise.all(players.map((p) => makeAgent(`heuristic:${p}`, { game, seed })));
    const played = await playedBy(game, agents, String(seed));
    asked += played.filter((p) => !p.forced).length;
    orders += retold(game, played).length;
  }
  expect(asked).toBeGreaterThan(60);
  expect(times * orders).toBeLessThanOrEqual(asked);
});
