import { expect } from "vitest";
import { after, rule, table } from "./table.js";

const soviets = (position: object, dice: (number | string)[]) =>
  after(table({ phase: "fire", ...position }), ["done"], dice);

rule("NF reconstructed soviet fire", "the target is the nearest German, then the lowest slot", () => {
  const german = { "gren-1": { hex: "2016" }, "vs-2": { hex: "2012" }, "vs-3": { hex: "2012" } };
  // flare 1; spotting 1 is enough in the next hex; 3 - 1 - 1 (woods) = 1, a 6 eliminates
  const p = soviets({ german, soviet: { "rifle-1": { hex: "2013", seen: true } } }, [1, 1, 6]);
  expect(p.german["vs-2"]!.hex).toBe("dead");
  expect(p.german["vs-3"]!.hex).toBe("2012");
});

rule("NF reconstructed soviet fire", "a die below the distance finds nobody; the unit keeps silent", () => {
  const p = soviets({ german: { "gren-1": { hex: "2015" } }, soviet: { "rifle-1": { hex: "2013" } } }, [1, 1]);
  expect(p.soviet["rifle-1"]!.seen).toBe(false);
});

rule(
  "NF reconstructed soviet fire",
  "a unit that fires is spotted; a face-down one ignores targets beyond three hexes",
  () => {
    const near = soviets({ german: { "gren-1": { hex: "2016" } }, soviet: { "atgun-1": { hex: "2013" } } }, [1, 3, 1]);
    expect(near.soviet["atgun-1"]!.seen).toBe(true);
    const far = soviets({ german: { "gren-1": { hex: "2017" } }, soviet: { "atgun-1": { hex: "2013" } } }, [1]);
    expect(far.soviet["atgun-1"]!.seen).toBe(false);
    const seen = soviets(
      { german: { "gren-1": { hex: "2017" } }, soviet: { "atgun-1": { hex: "2013", seen: true } } },
      [1, 4, 1],
    );
    expect(seen.turn).toBe(2);
  },
);

rule("NF reconstructed soviet fire", "light on the target helps: a wreck beside it gives two", () => {
  const position = {
    german: { "gren-1": { hex: "2017" } },
    soviet: { "atgun-1": { hex: "2013", seen: true } },
    wrecks: { "2018": 1 },
  };
  // distance 4: 2 + 2 will do; then 5 - 4 = 1, a 6 eliminates the last unit, victory roll 1 and 1
  expect(soviets(position, [1, 2, 6, 1, 1]).german["gren-1"]!.hex).toBe("dead");
});

rule("NF reconstructed soviet fire", "on a 6 a flare lights the first German, and the light counts at once", () => {
  const position = {
    german: { "gren-1": { hex: "2016" }, "vs-1": { hex: "2021" } },
    soviet: { "t34-1": { hex: "2020", seen: true } },
  };
  // the flare goes to vs-1; gren-1 is out of its light: distance 1 first, vs-1 in the next hex is the target
  const p = soviets(position, [6, 1, 4]);
  expect(p.german["vs-1"]!.hex).toBe("dead"); // 6 - 1 = 5: a 4 eliminates
  expect(p.flares).toEqual([]);
});

rule("NF reconstructed soviet fire", "rifles leave medium and heavy vehicles alone", () => {
  expect(
    soviets({ german: { "panther-1": { hex: "2014" } }, soviet: { "rifle-1": { hex: "2013", seen: true } } }, [1]).turn,
  ).toBe(2);
});

rule("NF reconstructed results", "a suppressed Soviet holds its fire once, then the mark goes", () => {
  const p = soviets(
    { german: { "gren-1": { hex: "2014" } }, soviet: { "rifle-1": { hex: "2013", seen: true, supp: true } } },
    [1],
  );
  expect(p.soviet["rifle-1"]).toEqual({ hex: "2013", seen: true, supp: false });
});

rule("NF reconstructed results", "a suppressed German sits out its next turn", () => {
  const env = table({
    phase: "fire",
    german: { "gren-1": { hex: "2014" } },
    soviet: { "rifle-1": { hex: "2013", seen: true } },
  });
  expect(after(env, ["done"], [1, 1, 5]).german["gren-1"]!.supp).toBe(true); // 3 - 4 = -1: a 5 suppresses
  expect(env.legal()).toEqual(["done"]);
  after(env, ["done"]);
  expect(env.legal()).toEqual(["done"]);
  // suppressed a second time in the following Soviet step: the first mark went with the German fire
  expect(after(env, ["done"], [1, 1, 5]).german["gren-1"]).toMatchObject({ hex: "2014", supp: true });
});

rule("NF 11.1 (17.0)", "a flare that burns in the fire phase is out in the next turn", () => {
  expect(soviets({ german: { "gren-1": { hex: "1510" } }, flares: ["2013"] }, [1]).flares).toEqual([]);
});

rule("NF reconstructed turn", "twelve turns, then the roll; who is still on the map did not escape", () => {
  const german = {
    "gren-1": { hex: "3010" },
    "vs-1": { hex: "exited" },
    "vs-2": { hex: "exited" },
    "vs-3": { hex: "exited" },
    "vs-4": { hex: "exited" },
    "vs-5": { hex: "exited" },
  };
  const p = soviets({ turn: 12, german }, [1, 1, 1]);
  expect(p).toMatchObject({ turn: 12, phase: "over", exited: 5, result: 4 });
});

rule("NF reconstructed columns", "from turn 2 a column comes on with 4 to 6, at the hex of a second die", () => {
  const position = { turn: 1, german: { "gren-1": { hex: "1510" } }, columns: ["off", "off"] };
  expect(soviets(position, [1, 4, 1, 3]).columns).toEqual(["2205", "off"]);
  expect(soviets(position, [1, 3, 6, 6]).columns).toEqual(["off", "2605"]);
});

rule("NF reconstructed columns", "an entry hex with a German is passed over for the next in the list (N7)", () => {
  expect(soviets({ german: { "gren-1": { hex: "2224" } }, columns: ["off", "gone"] }, [1, 4, 2]).columns).toEqual([
    "3014",
    "gone",
  ]);
  expect(soviets({ german: { "gren-1": { hex: "2605" } }, columns: ["off", "gone"] }, [1, 4, 6]).columns).toEqual([
    "2205",
    "gone",
  ]);
});

rule("NF reconstructed columns", "it marches three hexes at the nearest German on 3 to 6, and stays on less", () => {
  const position = { german: { "gren-1": { hex: "1510" } }, columns: ["2010", "gone"] };
  expect(soviets(position, [1, 2]).columns).toEqual(["2010", "gone"]);
  const [column] = soviets(position, [1, 3]).columns;
  expect(column!.slice(0, 2)).toBe("17"); // two columns from 1510 now
});

rule("NF reconstructed columns", "beside a German it deploys two real units at once, also after a failed die", () => {
  const p = soviets({ german: { "gren-1": { hex: "1510" } }, columns: ["1610", "gone"] }, [1, 1, "rifle-3", "t34-4"]);
  expect(p.columns).toEqual(["gone", "gone"]);
  expect(p.soviet["t34-4"]).toEqual({ hex: "1610", seen: true, supp: false });
  expect(p.drawn).toBe(2);
});

rule("NF reconstructed columns", "one that comes on beside a German deploys there (N7)", () => {
  const p = soviets({ german: { "gren-1": { hex: "2206" } }, columns: ["off", "gone"] }, [
    1,
    5,
    1,
    "rifle-1",
    "rifle-2",
  ]);
  expect(p.soviet["rifle-1"]).toMatchObject({ hex: "2205", seen: true });
});

rule("NF reconstructed columns", "without Germans on the map it rolls and stays (N7)", () => {
  expect(soviets({ german: { "gren-1": { hex: "waiting" } }, columns: ["2010", "off"] }, [1, 6, 6]).columns).toEqual([
    "2010",
    "off",
  ]);
});

rule("NF reconstructed columns", "a column goes round the fire", () => {
  // from 1707 the straight way east to 2007 leads through 1807 and 1907
  const p = soviets({ german: { "gren-1": { hex: "2108" } }, columns: ["1706", "gone"] }, [1, 6]);
  expect(["1807", "1907"]).not.toContain(p.columns[0]);
  expect(Number(p.columns[0]!.slice(0, 2))).toBeGreaterThan(17);
});

const early = { flare: "fire-phase" };

rule(
  "NF reconstructed flare",
  "by option the die falls when the moves end; a 6 lights the first German on the map",
  () => {
    const german = { "vs-1": { hex: "waiting" }, "vs-2": { hex: "2021" }, "gren-1": { hex: "2016" } };
    const ended = (die: number) => after(table({ phase: "move", german }, early), ["done"], [die]);
    expect(ended(6)).toMatchObject({ phase: "fire", flares: ["2021"] });
    expect(ended(5).flares).toEqual([]);
  },
);

rule("NF reconstructed flare", "with nobody on the map there is nothing to light", () => {
  const nobody = { phase: "move", german: { "vs-1": { hex: "waiting" } } };
  expect(after(table(nobody, early), ["done"], [6]).flares).toEqual([]);
});

rule("NF 11.1 (17.0)", "so lit, it burns on in the Soviet step, in its hex and beside it, and gives two there", () => {
  const shot = (flare: string, dice: number[]) =>
    after(
      table(
        {
          phase: "fire",
          german: { "gren-1": { hex: "2017" } },
          soviet: { "atgun-1": { hex: "2013", seen: true } },
          flares: [flare],
        },
        early,
      ),
      ["done"],
      dice,
    );
  // distance 4: a 2 will do in the light; then 5 - 4 = 1, a 6 eliminates the last unit, victory roll 1 and 1
  for (const flare of ["2016", "2017", "2018", "1916", "1917", "2116", "2117"])
    expect(shot(flare, [2, 6, 1, 1]).german["gren-1"]!.hex).toBe("dead");
  for (const flare of ["2019", "1915", "2118"]) expect(shot(flare, [2])).toMatchObject({ turn: 2, flares: [] });
});

rule(
  "NF reconstructed flare",
  "by default it lights the first German when the Soviet step begins, which its target then pays for",
  () => {
    const position = {
      german: { "vs-1": { hex: "2017" }, "gren-1": { hex: "1510" } },
      soviet: { "atgun-1": { hex: "2013", seen: true } },
    };
    // in the light 4 - 2 will do: 5 - 1 = 4, a 4 eliminates
    expect(soviets(position, [6, 2, 4]).german["vs-1"]!.hex).toBe("dead");
    expect(soviets(position, [5, 3]).german["vs-1"]!.hex).toBe("2017");
  },
);

rule(
  "NF reconstructed results",
  "an eliminated unit has no marks, and with the last one the game ends, Soviets or not",
  () => {
    const position = {
      german: { "gren-1": { hex: "2014", moved: true } },
      soviet: { "rifle-1": { hex: "2013", seen: true }, "rifle-2": { hex: "2413" } },
    };
    const env = table({ phase: "fire", ...position });
    const p = after(env, ["done"], [1, 1, 6, 1, 2]); // no flare, seen, 3 - 4 = -1: a 6 eliminates, then the roll
    expect(p).toMatchObject({ phase: "over", result: 5 });
    expect(p.german["gren-1"]).toEqual({ hex: "dead" });
    expect(env.game.invariantViolation(env.state)).toBe(null);
  },
);

rule("NF reconstructed results", "a unit that has moved and is lost leaves the others their turn", () => {
  const position = {
    german: { "vs-1": { hex: "2014", moved: true, fired: true }, "vs-2": { hex: "1510", moved: true } },
    soviet: { "rifle-1": { hex: "2013", seen: true } },
  };
  const env = table({ phase: "fire", ...position });
  const p = after(env, ["done"], [1, 1, 6]);
  expect(p.german["vs-1"]).toEqual({ hex: "dead" });
  expect(p.german["vs-2"]).toEqual({ hex: "1510", moved: false, fired: false, supp: false });
  expect(env.game.invariantViolation(env.state)).toBe(null);
  expect(env.legal()).toEqual(["done", "unit vs-2"]);
});

rule("NF reconstructed soviet fire", "of two as near the lowest slot of all is the target", () => {
  const german = { "vs-1": { hex: "1515" }, "vs-2": { hex: "1517" } };
  const p = soviets({ german, soviet: { "rifle-1": { hex: "1516", seen: true } } }, [1, 1, 6]);
  expect([p.german["vs-1"]!.hex, p.german["vs-2"]!.hex]).toEqual(["dead", "1517"]);
});

rule("NF reconstructed soviet fire", "who waits off the map is no target in a corner of it", () => {
  const german = { "vs-1": { hex: "waiting" }, "vs-2": { hex: "exited" }, "vs-3": { hex: "dead" } };
  for (const hex of ["3024", "3023", "1505"])
    expect(soviets({ german, soviet: { "rifle-1": { hex, seen: true } } }, [1]).turn).toBe(2);
});

rule("NF reconstructed flare", "it lights no Soviet unit", () => {
  const position = { phase: "move", german: { "vs-1": { hex: "waiting" } }, soviet: { "rifle-1": { hex: "2013" } } };
  expect(after(table(position, early), ["done"], [6]).flares).toEqual([]);
});

rule("NF reconstructed soviet fire", "a unit in a corner of the map is a target like any other", () => {
  const german = { "vs-1": { hex: "1505" }, "gren-1": { hex: "1520" } };
  expect(soviets({ german, soviet: { "rifle-1": { hex: "1506", seen: true } } }, [1, 1, 6]).german["vs-1"]!.hex).toBe(
    "dead",
  );
});
