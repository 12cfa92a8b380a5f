import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { importGame, loadGame, SPECTATOR } from "../../env/index.js";
import { Broken, playLong } from "./long-games.js";

// `npm run soak -- games GAME [--option NAME=VALUE] [--agents random,random] [--games 20] [--points 1000] [--seed S]
// [--log FILE]`: plays games to their ends, asks for broken invariants after each decision, reads positions back,
// deals samples and plays each game again from its actions. It prints a line for each game, and ends with exit code 1
// at the first fault. `--points` is about how many positions all games together read back.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    option: { type: "string", multiple: true, default: [] },
    agents: { type: "string" },
    games: { type: "string", default: "20" },
    points: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    log: { type: "string" },
  },
});
const id = positionals[0] ?? "streets-of-stalingrad";
await importGame(id);
const game = loadGame(id, Object.fromEntries(values.option.map((o) => o.split("=", 2) as [string, string])));
const agents = values.agents?.split(",") ?? game.players.map(() => "random");
const [games, points] = [Number(values.games), Number(values.points)];

const say = (line: string): void => {
  console.log(line);
  if (values.log !== undefined) appendFileSync(values.log, `${line}\n`);
};
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

say(`${id} ${values.option.join(" ")}: ${agents.join(" against ")}, ${games} games`);
let [decisions, restored, samples, fallbacks] = [0, 0, 0, 0];
// the first game shows how long they are
let every = 400;
try {
  for (let g = 0; g < games; g++) {
    const began = cpuSeconds();
    const played = await playLong(game, { agents, seed: `${values.seed}/${g}`, every: points === 0 ? 0 : every });
    every = Math.max(1, Math.round((played.decisions * games) / Math.max(1, points)));
    decisions += played.decisions;
    restored += played.restored;
    samples += played.samples;
    fallbacks += played.fallbacks;
    const { turn } = game.write(played.end);
    const result = game.narration?.standing(played.end, SPECTATOR).ifEndedNow ?? played.returns.join(" ");
    say(
      `${g}: ${played.decisions} decisions, turn ${String(turn)}, ${result} ${played.restored} read back, ` +
        `${(cpuSeconds() - began).toFixed(1)} s of CPU`,
    );
  }
  say(
    `${games} games, ${decisions} decisions, 0 broken; ${restored} positions read back, ${samples} samples, ` +
      `${fallbacks} of them fallbacks`,
  );
} catch (e) {
  if (!(e instanceof Broken)) throw e;
  say(e.message);
  process.exitCode = 1;
}
