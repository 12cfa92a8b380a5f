import { describe, expect, test } from "vitest";
import { Env } from "../../../env/core/env.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { at, game, play, position, rule, type } from "./table.js";

const tables = loadTables(type.data, { concede: false });
const { length: FM } = game.observation.map;
const CUT = game.observation.map.findIndex((f) => f.name === "cut");

describe("pockets", () => {
  rule("SC 8.4", "Kaluga 2211 hangs on 2212 alone when five of its neighbours are Soviet", () => {
    const env = at({
      turn: 2,
      captured: ["2411", "2410", "2310", "2311", "2210", "2110", "2111"],
      armies: { "49": { hex: "2311" } },
      front: { "2212": "inf-161" },
    });
    play(env, ["army 49"], ["hex 2212", 1, "inf-296"]);
    expect(position(env).battle).toMatchObject({ relief: true, pocket: ["2211"] });
  });

  test("ruling R3: hexes cut off before never count again", () => {
    // 2612 and 2613 have lost 2513 already; 2413 next to it then cuts nothing off
    const env = at({
      turn: 4,
      captured: ["2513"],
      armies: { "49": { hex: "2512" }, "50": { hex: "2614" }, "61": { hex: "2714" } },
      front: { "2413": "inf-161" },
    });
    play(env, ["army 49"], ["hex 2413", 1]);
    expect(position(env).battle).toMatchObject({ relief: false, pocket: [] });
    // and the hexes left behind fall to an attack on themselves, without relief
    const other = at({ turn: 4, captured: ["2513"], armies: { "10": { hex: "2712" } }, front: { "2613": "inf-161" } });
    play(other, ["army 10"], ["hex 2713"], ["hex 2613", 1]);
    expect(position(other).battle).toMatchObject({ relief: false, pocket: [] });
  });

  test("cut sizes agree with closing each hex and looking again, along random games", () => {
    const env = new Env(game);
    const rng = new Rng("cuts");
    let necks = 0;
    for (let g = 0; g < 6; g++) {
      env.reset(`cuts ${g}`);
      for (let n = 0; !env.terminated; n++) {
        if (n % 9 === 0) necks += checkCuts(env);
        const legal = env.legal();
        const attacks = legal.filter((a) => a.startsWith("hex") && position(env).control[a.slice(4)] === "german");
        const from = attacks.length > 0 ? attacks : legal.filter((a) => a !== "stop" && a !== "withdraw");
        const list = from.length > 0 ? from : legal;
        env.step(list[rng.below(list.length)]!);
      }
    }
    expect(necks).toBeGreaterThan(20);
  });

  /** Feature 22 against a search from the west edge, written the slow way. */
  function checkCuts(env: Env): number {
    const { control } = position(env);
    const german = (hex: string): boolean => control[hex] === "german";
    const reach = (closed: string): Set<string> => {
      const found = new Set<string>();
      const todo = [...tables.west].map((h) => tables.grid.ids[h]!).filter((x) => german(x) && x !== closed);
      while (todo.length > 0) {
        const x = todo.pop()!;
        if (found.has(x)) continue;
        found.add(x);
        for (const k of game.statics.neighbours[tables.grid.index(x)]!)
          if (german(tables.grid.ids[k]!) && tables.grid.ids[k] !== closed) todo.push(tables.grid.ids[k]!);
      }
      return found;
    };
    const all = reach("");
    const { map } = env.observe();
    let necks = 0;
    for (const [h, id] of tables.grid.ids.entries()) {
      const touches = game.statics.neighbours[h]!.some((k) => !german(tables.grid.ids[k]!));
      const expected = german(id) && touches && all.has(id) ? all.size - 1 - reach(id).size : 0;
      if (expected > 0) necks++;
      expect(map[h * FM + CUT]).toBeCloseTo(Math.min(1, expected / 10), 6);
    }
    return necks;
  }
});

describe("breakouts", () => {
  rule("SC 8.6", "counters beyond those in the pocket are drawn, and may win where the pocket alone could not", () => {
    // two hexes roll 6 and 6: ten take part, two from the pocket, eight drawn
    const env = at({
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" },
      armies: { "61": { steps: 8 } },
    });
    const drawn = ["pz-2", "pz-3", "pz-4", "pz-5", "pz-6", "pz-7", "pz-9", "pz-10"];
    // nine mech dice of 3 with +1 hit (column 4), the infantry die of 1 with +1 misses
    play(
      env,
      ["army 61"],
      ["hex 2513", 1, "rotkopf", 6, 6, ...drawn, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, "inf-161", "inf-167", "sec-201"],
    );
    expect(position(env)).toMatchObject({
      phase: "activate",
      armies: { "61": { hex: "dead" } },
      control: { "2513": "german" },
    });
    expect(position(env).pool).toEqual(expect.arrayContaining([...drawn, "pz-1", "inf-162"]));
  });

  rule("SC 8.6", "1E absorbs breakout hits first, and the half-round has no Soviet fire", () => {
    const env = at({
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" },
      engineer: { host: "61", steps: 2 },
    });
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 2, 2, 5, 5, "inf-161"]); // 5+1 hits once for each
    expect(position(env)).toMatchObject({
      armies: { "61": { steps: 8 } },
      engineer: { host: null, steps: 0 },
      control: { "2612": "soviet", "2613": "soviet" },
    });
    expect(position(env).front["2414"]).toBe("inf-161");
  });

  rule("SC 8.7", "a bystander stays face down when the breakout succeeds", () => {
    const env = at({
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" },
      armies: { "61": { steps: 1 } },
    });
    // 2 and 1 make one participant, the lower hex first: inf-162, with +1 a 4 hits
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 2, 1, 4, "inf-161", "inf-167"]);
    expect(position(env).front).toMatchObject({ "2513": "inf-161", "2612": "inf-167", "2613": "pz-1" });
  });

  rule("SC 8.8", "a standing garrison shares the fate of its pocket", () => {
    const env = at({
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162" },
      garrisons: { "2613": ["pz-1", "pz-2", "sec-201"] },
    });
    // 1 and 4 make three participants: inf-162, pz-1, pz-2; sec-201 takes no part. Nobody hits.
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 1, 4, 1, 1, 1, "inf-161"]);
    expect(position(env).track["2"]!.sort()).toEqual(["inf-162", "pz-1", "pz-2", "raid-a", "rotkopf", "sec-201"]);
    expect(position(env).garrisons).toEqual({});
  });

  rule("SC 8.6", "markers far from the pocket have no part in it", () => {
    // six markers are around 1010, in the first columns of the map; pz-1 is in the pocket
    const env = at({ turn: 1, captured: ["1010"], front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" } });
    const far = ["1009", "1011", "1109", "1110"];
    const before = position(env).front;
    for (const hex of far) expect(before[hex]).toBeDefined();
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 3, 2, "sec-201", 1, 1, 1, "pz-3"]); // one is drawn; nobody hits
    const { front } = position(env);
    for (const hex of far) expect(front[hex]).toBe(before[hex]);
    expect(position(env).control).toMatchObject({ "2513": "soviet", "2612": "soviet", "2613": "soviet" });
  });

  rule("SC 8.6", "of a garrison in the pocket its own units join, nothing that came to the pool at some time", () => {
    // pz-1 is under a marker elsewhere; it came to the pool at a time that is the number of the garrison's hex
    const clock = tables.grid.index("2613");
    const env = at({
      turn: 1,
      clock,
      entered: { "pz-1": clock },
      front: { "2513": "raid-a", "2612": "inf-162", "1900": "pz-1" },
      garrisons: { "2613": ["inf-167"] },
      pool: ["pz-2", "rotkopf", "inf-183", "sec-201"],
    });
    // 3 and 2 let three break out: two of the pocket and one drawn
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 3, 2, "sec-201", 1, 1, 1, "inf-183"]);
    expect(position(env).track["2"]!.sort()).toEqual(["inf-162", "inf-167", "raid-a", "rotkopf", "sec-201"]);
    expect(position(env).front["2613"]).toBeUndefined();
  });

  rule("SC 8.9", "a garrison stays in its hex: it defends, falls with a pocket, leaves in Phase IV", () => {
    // of the first counters pz-2 alone is in the pool; pz-1 came to it at a time that is the number of the hex
    const start = (hex: string): Env => {
      const clock = tables.grid.index(hex);
      return at({
        turn: 1,
        clock,
        entered: { "pz-1": clock },
        front: { "2513": "raid-a", "2612": "inf-162", "1900": "pz-1" },
        garrisons: { [hex]: ["inf-167"] },
        pool: ["pz-2", "rotkopf", "inf-183", "sec-201"],
      });
    };
    const defends = play(start("2409"), ["army 5"], ["hex 2409"]);
    expect(position(defends).battle!.units).toEqual(["inf-167"]);
    const falls = play(start("2613"), ["army 61"], ["hex 2513", 1, "rotkopf", 1, 1, "inf-183"]);
    expect(position(falls).track["2"]!.sort()).toEqual(["inf-162", "inf-167", "raid-a", "rotkopf"]);
    const leaves = play(start("2409"), ["done", "sec-201"]);
    expect(position(leaves)).toMatchObject({ garrisons: {}, poolSize: 4 });
  });

  test("ruling R5: the narrow reading draws nobody beyond the pocket", () => {
    const env = new Env(type.load({ concede: false, breakout: "pocket" }, type.data));
    env.resetTo({ turn: 1, front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" } }, "narrow");
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 6, 6, 1, 1, "inf-161"]);
    expect(position(env).control["2612"]).toBe("soviet");
  });

  test("ruling R6: Guderian in the pocket is replaced when the battle hex is out of the permitted area", () => {
    // row 13 is inside Guderian's area: Guderian and one unit take part, and a 2 with +1 for the breakout and +1 for
    // Guderian hits
    const env = at({ turn: 1, front: { "2513": "raid-a", "2612": "guderian", "2613": "pz-1" } });
    play(env, ["army 61"], ["hex 2513", 1, "rotkopf", 2, 2, 2, "inf-161"]);
    expect(position(env)).toMatchObject({ armies: { "61": { steps: 7 } } });
    expect(position(env).track["2"]).toContain("guderian");
    // from turn 3 on Guderian leaves the game and another counter fights
    const later = at({ turn: 4, clock: 9, purge: 9, front: { "2513": "raid-a", "2612": "guderian", "2613": "pz-1" } });
    play(later, ["army 61"], ["hex 2513", 1, "rotkopf", 2, 2, "pz-2", 3, 1, "inf-161"]);
    expect(position(later).removed).toEqual(["guderian"]);
    expect(position(later).armies["61"]!.steps).toBe(7);
  });
});
