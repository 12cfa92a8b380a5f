import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BALANCE, GAMES, importGames } from "../../../env/index.js";
import { balanceText, EVEN, measureBalance, readBalance } from "../../../training/arena/balance.js";

const at = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const file = readBalance(JSON.parse(at("models/balance.json")));
await importGames();

/** Fights that people are offered, of games that can be made even. */
const fights = GAMES.filter((type) => type.options.some((o) => o.id === BALANCE)).flatMap((type) => {
  const scenarios = Object.keys(type.options.find((o) => o.id === "scenario")?.words?.values ?? {});
  const without = type.options.find((o) => o.id === BALANCE)!.without?.["even"]?.["scenario"];
  const fights = scenarios.filter((s) => ![without].flat().includes(s));
  return scenarios.length === 0 ? [`${type.id} {}`] : fights.map((s) => `${type.id} {"scenario":"${s}"}`);
});

describe("models/balance.json", () => {
  test("has every fight of the games that can be made even, by today's rules", () => {
    expect(file.rows.map((r) => `${r.game} ${JSON.stringify(r.options)}`)).toEqual(fights);
    for (const r of file.rows) expect(r.version).toBe(GAMES.find((type) => type.id === r.game)!.version);
  });

  test.each(file.rows)("$game $options: an even game gives each seat 45 to 55 % in 1,000 games", ({ games, even }) => {
    expect(games).toBeGreaterThanOrEqual(1000);
    expect(even.score).toBeGreaterThanOrEqual(EVEN[0]);
    expect(even.score).toBeLessThanOrEqual(EVEN[1]);
  });
});

test("a fight is measured printed and even, on the same seeds; other rows stay", async () => {
  const row = { ...file.rows[0]!, agents: ["heuristic:greedy", "heuristic:greedy"] as [string, string], games: 2 };
  const [measured] = await measureBalance([row], { games: 30, jobs: 1 });
  expect(measured).toMatchObject({ game: "pocket-stalingrad", games: 30, seat: "soviet" });
  expect(measured!.printed.score).not.toBe(measured!.even.score);
  expect(await measureBalance([row], { games: 30, jobs: 1 })).toEqual([measured]);
  expect(readBalance(JSON.parse(balanceText({ ...file, rows: [measured!] }))).rows).toEqual([measured]);
});
