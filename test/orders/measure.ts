import { importGame } from "../../agents/import-game.js";
import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import { playedBy, retold } from "./retold.js";

// `npm run reports -- orders [GAMES] [GAME]`: how many orders a game of scripted players takes, against its decisions; with a game, the orders
// of its first one.

const GAMES: readonly [id: string, options: Record<string, string>, players: readonly string[]][] = [
  ["night-fight", {}, ["stalker"]],
  ["savage-streets", {}, ["g-storm", "s-bluff"]],
  ["strike-counterstrike", {}, ["encircler"]],
  ["pocket-stalingrad", {}, ["planner", "planner"]],
  ["streets-of-stalingrad", {}, ["elastic", "planner"]],
  ["streets-of-stalingrad", { scenario: "drill-kurgan" }, ["elastic", "planner"]],
  ["streets-of-stalingrad", { scenario: "scenario-7", maxTurns: "2" }, ["planner", "ferryman"]],
];
const rounds = Number(process.argv[2] ?? 5);
const shown = process.argv[3];
for (const [id, options, players] of GAMES) {
  if (shown !== undefined && shown !== id) continue;
  await importGame(id);
  const game = loadGame(id, options);
  let decisions = 0;
  let orders = 0;
  for (let seed = 0; seed < rounds; seed++) {
    const agents = await Promise.all(players.map((p) => makeAgent(`heuristic:${p}`, { game, seed })));
    const played = await playedBy(game, agents, String(seed));
    const told = retold(game, played);
    decisions += played.filter((p) => !p.forced).length;
    orders += told.length;
    if (shown !== undefined && seed === 0) console.log(told.map((t) => `${t.decisions}: ${t.text}`).join("\n"));
  }
  console.log(
    `${id} ${Object.values(options).join()}: ${(decisions / rounds).toFixed(0)} decisions, ${(orders / rounds).toFixed(0)} orders a game: ${(decisions / orders).toFixed(2)} to 1`,
  );
}
