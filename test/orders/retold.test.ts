import { expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import "../all-games.js";
import { playedBy, retold } from "./retold.js";

// `npm run reports -- orders` measures it over more games.
test.each([
  ["night-fight", ["stalker"]],
  ["savage-streets", ["g-storm", "s-bluff"]],
  ["strike-counterstrike", ["encircler"]],
  ["pocket-stalingrad", ["planner", "planner"]],
  ["streets-of-stalingrad", ["elastic", "planner"]],
])("a game of %s by scripted players takes half as many orders as decisions", async (id, players) => {
  const game = loadGame(id);
  const agents = await Promise.all(players.map((p) => makeAgent(`heuristic:${p}`, { game, seed: 1 })));
  const played = await playedBy(game, agents, "1");
  const told = retold(game, played);
  const asked = played.filter((p) => !p.forced).length;
  expect(asked).toBeGreaterThan(20);
  expect(2 * told.length).toBeLessThan(asked);
});
