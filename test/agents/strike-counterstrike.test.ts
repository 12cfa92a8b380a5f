import { describe, expect, test } from "vitest";
import { reach } from "../env/core/reach.js";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { Odds } from "../../agents/heuristics/strike-counterstrike/odds.js";
import { Rings } from "../../agents/heuristics/strike-counterstrike/rings.js";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, Env, loadGame } from "../../env/index.js";
import { loadTables } from "../../env/strike-counterstrike/data/load.js";

const game = loadGame("strike-counterstrike");
const tables = loadTables(game.type.data, game.options);
const { grid } = tables;

async function returnsOf(name: string, games: number): Promise<number[]> {
  const agent = await makeAgent(name, { game, seed: "agent" });
  const batch = new Batch(game, { size: games, autoreset: "disabled" });
  await new SeatedBatch(batch, () => [agent]).reset(Array.from({ length: games }, (_, i) => `play ${i}`));
  return batch.states.map((s) => {
    const out = new Float32Array(1);
    game.returns(s, out);
    return out[0]!;
  });
}

describe("rings", () => {
  const rings = new Rings(tables);
  const weight = Int32Array.from(
    tables.ids.map((_, h) => (tables.fort[h] === 1 ? 0 : tables.forest[h] === 1 ? 15 : 10)),
  );
  const ring = (captured: string[], place: string): [number, string[]] => {
    const env = new Env(game);
    env.resetTo({ turn: 4, captured }, "ring");
    const cost = rings.around(env.state, grid.index(place), weight, 255);
    return [cost, Array.from(rings.hexes.subarray(0, rings.size), (h) => grid.ids[h]!).sort()];
  };

  test("one forest hex is missing around Kaluga, however far the Soviets reach around it", () => {
    expect(ring(["2411", "2410", "2310", "2311", "2210", "2110", "2111"], "2211")).toEqual([15, ["2212"]]);
  });

  test("Rzhev, before the K-Line, hangs on 1904, 1905 and 2006", () => {
    const kLine = tables.ids.filter((_, h) => tables.kLine[h] === 1);
    const [cost, hexes] = ring(kLine, "2005");
    expect(hexes).toEqual(["1904", "1905", "2006"]);
    expect(cost).toBe(hexes.reduce((n, id) => n + weight[grid.index(id)]!, 0));
  });

  test("what a ring encloses loses its way west", () => {
    const env = new Env(game);
    env.resetTo({ turn: 4 }, "ring");
    for (const place of ["2211", "2016", "2005"]) {
      rings.around(env.state, grid.index(place), weight, 255);
      const ring = rings.hexes.subarray(0, rings.size);
      expect(rings.size).toBeGreaterThan(0);
      expect(
        reach(grid, tables.west, (h) => env.state[tables.L.german + h] === 1 && !ring.includes(h)).has(
          grid.index(place),
        ),
      ).toBe(false);
    }
  });
});

describe("odds of battle", () => {
  const odds = new Odds(tables);

  test("of one step against one unit in one round: 3/6 hits, less what the unit does first", () => {
    // 30 of 124 units are mech (3/6), 78 nonmech (2/6), both fire before; 16 security units fire after
    const fatal = (30 / 124) * (3 / 6) + (78 / 124) * (2 / 6);
    expect(Math.abs(odds.chance(1, 1, 1, false, false) - (1 - fatal) * 0.5)).toBeLessThan(0.16); // 160 trials
  });

  test("rise with steps and rounds, fall against a relief force", () => {
    expect(odds.chance(12, 1, 0, false, false)).toBeGreaterThan(odds.chance(6, 1, 0, false, false));
    expect(odds.chance(6, 2, 0, false, false)).toBeGreaterThan(odds.chance(6, 1, 0, false, false));
    expect(odds.chance(8, 2, 0, false, true)).toBeLessThan(odds.chance(8, 2, 0, false, false));
  });
});

describe("scripted players", () => {
  test("are known by name, weakest first, and end their games", async () => {
    expect(heuristicNames("strike-counterstrike")).toEqual(["drainer", "greedy", "script", "squeezer", "encircler"]);
    for (const name of heuristicNames("strike-counterstrike"))
      for (const r of await returnsOf(`heuristic:${name}`, 2)) expect([-1, 0, 1]).toContain(r);
  });

  test("the encircler does better than the greedy one", async () => {
    const sum = (xs: number[]): number => xs.reduce((a, b) => a + b, 0);
    expect(sum(await returnsOf("heuristic:encircler", 16))).toBeGreaterThan(
      sum(await returnsOf("heuristic:greedy", 16)),
    );
  });
});
