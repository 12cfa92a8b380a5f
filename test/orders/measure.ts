import { importGame } from "../../agents/import-game.js";
import { makeAgent } from "../../agents/registry.js";
import { loadGame } from "../../env/index.js";
import { playedBy, retold } from "./retold.js";

// `npm run reports -- orders [GAMES] [GAME]`: how many orders a game of scripted players takes, against its decisions,
// and how many clicks its turns take on the page; with a game, the orders of its first one.
//
// Clicks of an order: one drag for each unit that it names and one click for each place on the way, one for each action
// of a list, one for a skip or an end, one more where a warning is confirmed. Units held until the phase ends need no
// click. One by one, each decision takes a click of its own, and one more where a warning is confirmed.

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
  let [clicks, before, turns] = [0, 0, 0];
  for (let seed = 0; seed < rounds; seed++) {
    const agents = await Promise.all(players.map((p) => makeAgent(`heuristic:${p}`, { game, seed })));
    const played = await playedBy(game, agents, String(seed));
    const told = retold(game, played);
    decisions += played.filter((p) => !p.forced).length;
    orders += told.length;
    for (const { forced, warned } of played) before += forced ? 0 : warned ? 2 : 1;
    clicks += told.reduce((sum, t) => sum + clicksOf(t.text), 0);
    const turnAt = (k: number): number => (game.write(played.at(k)!.before) as { turn: number }).turn;
    turns += turnAt(-1) - turnAt(0) + 1;
    if (shown !== undefined && seed === 0) console.log(told.map((t) => `${t.decisions}: ${t.text}`).join("\n"));
  }
  console.log(
    `${id} ${Object.values(options).join()}: ${(decisions / rounds).toFixed(0)} decisions, ${(orders / rounds).toFixed(0)} orders a game: ${(decisions / orders).toFixed(2)} to 1; clicks a turn: ${(before / turns).toFixed(1)} one by one, ${(clicks / turns).toFixed(1)} by orders`,
  );
}

/** Clicks and drags that an order takes on the page. */
function clicksOf(order: string): number {
  const parts = order.replace(/!$/, "").split("; ");
  const confirmed = order.endsWith("!") ? 1 : 0;
  const ends = /^(end|skip) /.test(parts.at(-1)!);
  const taken = parts.filter((part) => !ends || !part.startsWith("hold "));
  return taken.reduce((sum, part) => sum + part.split(", ").length, confirmed);
}
