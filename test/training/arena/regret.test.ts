import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Evaluator } from "../../../agents/search/leaves.js";
import { Env, GAMES, importGames, resolveOptions } from "../../../env/index.js";
import { readRegret, regretByKind, type RegretRow, regretTable, regretText } from "../../../training/arena/regret.js";
import { race } from "../../toys/race.js";

const game = race.load(resolveOptions(race), race.data);
const A = game.actions.length;

/** A net that prefers one action wherever it is legal, the others alike, and expects nothing. */
const preferring = (name: string): Evaluator => ({
  run: (_input, _mask, n) => {
    const policy = new Float32Array(n * A);
    for (let i = 0; i < n; i++) policy[i * A + game.actions.indexOf(name)] = 3;
    return Promise.resolve({ policy, value: new Float32Array(n) });
  },
  close: () => Promise.resolve(),
});

const options = { games: 40, share: 0.5, iterations: 48, worlds: 8, seed: "r" };

test("the search that always agrees leaves no regret", async () => {
  const kinds = await regretByKind(game, preferring("hold"), { ...options, iterations: 0 });
  for (const { overruled, regret } of kinds) expect([overruled, regret.mean]).toEqual([0, 0]);
});

test("a net that never stops is overruled where it should, and loses by it", async () => {
  const kinds = await regretByKind(game, preferring("throw"), options);
  const worst = kinds[0]!;
  expect(worst.overruled).toBeGreaterThan(0);
  expect(worst.regret.mean).toBeGreaterThan(0);
  expect(await regretByKind(game, preferring("throw"), options)).toEqual(kinds);
});

test("kinds come by what they cost in a game, and looks are a share of the decisions", async () => {
  const kinds = await regretByKind(game, preferring("hold"), options);
  const costs = kinds.map((k) => k.perGame * k.regret.mean);
  expect(costs).toEqual([...costs].sort((a, b) => b - a));
  const all = kinds.reduce((sum, k) => sum + k.perGame * options.games, 0);
  const looked = kinds.reduce((sum, k) => sum + k.looked, 0);
  expect(Math.abs(looked / all - options.share)).toBeLessThan(0.1);
});

test("decisions without a choice are not counted", async () => {
  const kinds = await regretByKind(game, preferring("throw"), { ...options, games: 1, share: 1, iterations: 0 });
  const env = new Env(game);
  let [asked, forced] = [0, 0];
  env.reset("r/game/0");
  while (!env.terminated) {
    if (env.legalCount > 1) asked++;
    else forced++;
    const throws = game.actions.indexOf("throw");
    env.step(env.mask[throws] === 1 ? throws : env.mask.indexOf(1));
  }
  expect(forced).toBeGreaterThan(0);
  expect(kinds.reduce((sum, k) => sum + k.perGame, 0)).toBe(asked);
});

test("the file is read as it was written, and the table has the five worst kinds of a model", () => {
  const kind = (k: number) => ({
    kind: `kind-${k}`,
    perGame: 10 - k,
    looked: 100,
    overruled: k,
    regret: { mean: 0.01, interval: [0, 0.02] as [number, number] },
  });
  const row: RegretRow = {
    ...{ game: "toy", options: {}, model: "toy/commander.onnx", version: 1, games: 2, share: 0.5, iterations: 4 },
    worlds: 2,
    kinds: [0, 1, 2, 3, 4, 5, 6].map(kind),
  };
  expect(readRegret(JSON.parse(regretText([row])))).toEqual([row]);
  const table = regretTable([row]);
  expect(table).toHaveLength(2 + 5);
  expect(table[2]).toBe("| `toy/commander.onnx` | 2 | `kind-0` | 10.0 | 100 | 0.0 % | 0.010 [0.000, 0.020] | 0.100 |");
});

test("models/regret.json has every commander, by today's rules", async () => {
  await importGames();
  const file = new URL("../../../models/regret.json", import.meta.url);
  const rows = readRegret(JSON.parse(readFileSync(file, "utf8")));
  expect(new Set(rows.map((r) => r.game))).toEqual(new Set(GAMES.map((type) => type.id)));
  for (const r of rows) expect(r.version).toBe(GAMES.find((type) => type.id === r.game)!.version);
});
