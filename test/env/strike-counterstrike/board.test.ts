import { describe, expect, test } from "vitest";
import { Env } from "../../../env/core/env.js";
import { NOBODY, shapesOf } from "../../../env/core/game.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { at, game, play, position, rule, type } from "./table.js";

const tables = loadTables(type.data, { concede: false });
const id = (h: number): string => tables.grid.ids[h]!;
const ringOf = (hex: string): string[] => game.statics.neighbours[tables.grid.index(hex)]!.map(id).sort();

describe("the box", () => {
  rule("SC 1.1", "the Soviet side alone decides, as long as the game goes on", () => {
    expect(game.players).toEqual(["soviet"]);
    const env = at({ turn: 6 });
    expect(game.actor(env.state)).toBe(0);
    play(env, ["done"]);
    expect(game.actor(env.state)).toBe(NOBODY);
  });

  rule("SC 1.6", "columns 10 to 27; even ones have 18 rows, odd ones 17; corners are on two edges", () => {
    expect(tables.grid.size).toBe(9 * 18 + 9 * 17);
    expect(
      [tables.grid.index("1017"), tables.grid.index("2716"), tables.grid.index("1117"), tables.grid.index("2717")].map(
        (h) => h >= 0,
      ),
    ).toEqual([true, true, false, false]);
    expect(ringOf("1000")).toEqual(["1001", "1100"]);
    expect(tables.entry[tables.grid.index("2700")]).toBe(1);
    expect([...tables.west].map(id).every((x) => x.startsWith("10"))).toBe(true);
  });

  rule("SC 2.1", "130 German counters, 50 of armies and 8 markers, besides 20 of the other game", () => {
    expect(tables.counters.length).toBe(130);
    expect(tables.armies.reduce((n, a) => n + a.strength / 2, 0) + tables.engineer.strength / 2).toBe(50);
  });

  rule("SC 2.2", "Moscow is 2608", () => expect(id(tables.moscow)).toBe("2608"));

  rule("SC 2.3", "units have a class, markers are none of them", () => {
    for (const c of tables.counters) expect(c.support > 0).toBe(c.cls === 3);
  });

  rule("SC 8.2", "the two Raids are among the counters drawn for the front", () =>
    expect(tables.counters.filter((c) => c.support === 5 && c.enters === 0)).toHaveLength(2),
  );

  rule("SC 2.8", "30 mech, 78 nonmech, 16 security, 6 support", () =>
    expect(tables.slotsOf.map((x) => x.length)).toEqual([30, 78, 16, 6]),
  );

  rule("SC 2.14", "two Raids and one each of the four German markers", () => {
    const support = tables.counters.filter((c) => c.support > 0).map((c) => c.id);
    expect(support).toEqual(["raid-a", "raid-b", "guderian", "elefant", "rotkopf", "fk8"]);
  });

  rule("SC 2.5", "three of the twelve armies are shock armies", () =>
    expect(tables.armies.filter((a) => a.shock).map((a) => a.id)).toEqual(["1S", "3S", "4S"]),
  );

  rule("SC 2.4", "1S has 8 steps and 16th 12", () =>
    expect(["1S", "16"].map((x) => tables.armies.find((a) => a.id === x)!.strength)).toEqual([8, 12]),
  );

  rule("SC 4.3", "the K-Line sector has 34 hexes, none fortified", () => {
    const sector = tables.ids.filter((_, h) => tables.kLine[h] === 1);
    expect(sector).toHaveLength(34);
    expect(tables.ids.filter((id, h) => sector.includes(id) && tables.fort[h] === 1)).toEqual([]);
  });

  test("actions and tensors have the shapes that models rely on", () => {
    expect(game.actions.length).toBe(337);
    expect([
      game.actions[0],
      game.actions[9],
      game.actions[10],
      game.actions[21],
      game.actions[22],
      game.actions[336],
    ]).toEqual(["done", "concede", "army 1S", "army 61", "hex 1000", "hex 2716"]);
    expect(shapesOf(game.observation)).toEqual({ globals: [32], map: [315, 18], units: [145, 14], decision: [28] });
  });
});

rule("SC 9.7", "the map shows as targets just the hexes that the decision may name", () => {
  const features = game.observation.map.map((f) => f.name);
  const target = features.indexOf("target");
  expect(target).toBeGreaterThanOrEqual(0);
  for (const doc of [
    { turn: 3, phase: "enter" },
    { turn: 3, phase: "partisan", armies: { "4S": { hex: "2700" } } },
    { turn: 1, phase: "move", active: { army: "5", mp: 1 } },
  ]) {
    const env = at(doc);
    const { map } = env.observe();
    const shown = tables.grid.ids.filter((_, h) => map[h * features.length + target] === 1);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.map((id) => `hex ${id}`)).toEqual(env.legal().filter((a) => a.startsWith("hex")));
  }
});

rule("SC 3.1", "the board as text shows markers of the front, open garrisons, and the bare hexes behind", () => {
  const lines = game.render(at({ turn: 2, garrisons: { "2409": ["inf-161"] } }).state, 0).split("\n");
  const cell = (hex: string): string => {
    const [column, row] = [Number(hex.slice(0, 2)), Number(hex.slice(2))];
    const from = 3 + 4 * (column - 10);
    return lines[1 + 2 * row + (column % 2)]!.slice(from, from + 4).trim();
  };
  expect(["2507", "2513", "2409", "2309", "2609", "2608", "2211"].map(cell)).toEqual([
    "+",
    "+",
    "g",
    ".",
    ":",
    "16",
    ".#",
  ]);
});

describe("the start", () => {
  const env = new Env(game);
  env.reset("start");

  rule("SC 3.3", "the pool holds what neither waits nor is on the line, and the draw differs by seed", () => {
    expect(position(env).poolSize).toBe(130 - 7 - 25);
    const other = new Env(game);
    other.reset("another");
    expect(position(other).front).not.toEqual(position(env).front);
  });

  rule("SC 3.1", "a player sees that a marker is there, not which", () => {
    const view = game.view(env.state, 0);
    expect(new Set(Object.values(view["front"] as object))).toEqual(new Set(["?"]));
    expect(view["pool"]).toBeUndefined();
  });

  rule("SC 3.6", "VI IC is ready", () => expect(position(env).interceptor).toBe("ready"));

  rule("SC 3.4", "25 markers are placed one by one, at times 1 to 25", () => {
    expect(Object.values(position(env).placed).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 25 }, (_, i) => i + 1),
    );
    expect(game.invariantViolation(env.state)).toBeNull();
  });
});

describe("whole games at random", () => {
  rule("SC 3.8", "what is Soviet stays Soviet, and every position holds together", () => {
    const env = new Env(game);
    const rng = new Rng("whole games");
    const ends = new Set<string>();
    for (let g = 0; g < 40; g++) {
      env.reset(`game ${g}`);
      let held = new Set<string>();
      while (!env.terminated) {
        const now = new Set(position(env).captured);
        for (const hex of held) expect(now.has(hex)).toBe(true);
        held = now;
        expect(game.invariantViolation(env.state)).toBeNull();
        const legal = env.legal();
        const bold = legal.filter((a) => a !== "stop" && a !== "done" && a !== "withdraw");
        env.step(
          bold.length > 0 && rng.below(10) > 0 ? bold[rng.below(bold.length)]! : legal[rng.below(legal.length)]!,
        );
      }
      ends.add(position(env).result!);
    }
    expect(ends).toContain("turn1");
  });

  rule("SC 6.1", "armies never share a hex on the way either", () => {
    const env = at({ turn: 2, armies: { "20": { hex: "2609" } } });
    play(env, ["army 20"]);
    expect(env.legal()).not.toContain("hex 2608"); // 16th Army is there
    expect(env.legal()).toContain("hex 2709");
  });
});
