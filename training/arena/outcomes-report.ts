import { percent } from "../../env/core/words.js";
import { importGame } from "../../agents/import-game.js";
import { parseArgs } from "node:util";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, type Json, KesselError, loadGame } from "../../env/index.js";

/**
 * Reports how games end, by agent: `node env/run.mjs training/arena/outcomes-report.ts strike-counterstrike --games
 * 1000 heuristic:greedy heuristic:encircler`, and `--option breakout=pocket` for options of the game. Every agent fills
 * all seats and plays the same seeds. Prints one line per agent: the share of each `result` of the final positions, the
 * first side's mean return with its 95 % interval, and the paired difference to the first agent.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      games: { type: "string", default: "1000" },
      seed: { type: "string", default: "endings" },
      option: { type: "string", multiple: true, default: [] },
    },
  });
  const [id, ...agents] = positionals;
  const games = Number(values.games);
  if (id === undefined || agents.length === 0 || !Number.isInteger(games) || games < 2)
    throw new KesselError(
      "bad-option",
      "usage: node env/run.mjs training/arena/outcomes-report.ts GAME --games 1000 [--option NAME=VALUE] AGENT...",
    );
  await importGame(id);
  const game = loadGame(id, Object.fromEntries(values.option.map((o) => o.split("="))));
  const returnsByAgent: number[][] = [];
  for (const name of agents) {
    const agent = await makeAgent(name, { game, seed: values.seed });
    const seats = game.players.map(() => agent);
    const counts = new Map<string, number>();
    const firstReturns: number[] = [];
    returnsByAgent.push(firstReturns);
    for (let from = 0; from < games; from += 20) {
      const size = Math.min(20, games - from);
      const batch = new Batch(game, { size, autoreset: "disabled" });
      await new SeatedBatch(batch, () => seats).reset(
        Array.from({ length: size }, (_, i) => `${values.seed}/${from + i}`),
      );
      const returns = new Float32Array(game.players.length);
      for (const s of batch.states) {
        const result = wordsOf(game.write(s)["result"]!);
        counts.set(result, (counts.get(result) ?? 0) + 1);
        game.returns(s, returns);
        firstReturns.push(returns[0]!);
      }
    }
    const shares = [...counts].sort((a, b) => b[1] - a[1]).map(([result, n]) => `${result} ${percent(n / games, 1)}`);
    console.log(
      `${name}: ${games} games; ${shares.join(", ")}; mean return ${interval(firstReturns)}${returnsByAgent.length > 1 ? `, difference ${interval(firstReturns.map((x, i) => x - returnsByAgent[0]![i]!))}` : ""}`,
    );
  }
}

/** A result is a word, or what there is to say of it. */
const wordsOf = (result: Json): string =>
  typeof result === "object" && result !== null ? Object.values(result).map(String).join(" ") : String(result);

/** Mean and half of its 95 % interval. */
function interval(values: readonly number[]): string {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + x * x, 0);
  return `${mean.toFixed(3)} +- ${(1.96 * Math.sqrt((squares / n - mean ** 2) / (n - 1))).toFixed(3)}`;
}

await main();
