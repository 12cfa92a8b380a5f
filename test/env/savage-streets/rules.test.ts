import { expect } from "vitest";
import { Env, type JsonObject, loadGame, outcomesOf, ScriptedDice } from "../../../env/index.js";
import { combatDice } from "../../../env/savage-streets/rules/odds.js";
import file from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import tables from "../../../env/savage-streets/data/tables.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(file);
const NUMBERED = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
const AT_START = ["I/272", "II/272", "III/272", "I/270", "II/270", "Militia", "Eng/10 NKVD", "6 Tk", "20 AT"];

/**
 * One combat about to be chosen in area 5, another in 2 to keep the phase open; 8 keeps a Soviet counter on the map.
 */
const fight = (five: JsonObject, rest: JsonObject = {}): JsonObject => ({
  turn: 3,
  phase: "combat",
  areas: {
    "5": { control: "S", ...five },
    "2": { control: "S", german: ["FlaK/9"], soviet: ["Militia:nu"] },
    "8": { soviet: ["92 Nav"] },
  },
  pending: ["2", "5"],
  stuka: false,
  decision: { actor: "G", kind: "combat-area" },
  ...rest,
});

const opening = (): Env => {
  const env = new Env(loadGame("savage-streets"));
  env.reset("opening");
  return env;
};

/** Puts the nine at-start units into areas that hold them. */
function setUp(env: Env): void {
  ["2", "2", "3", "3", "4", "4", "5", "5", "9"].forEach((a) => env.step(`area ${a}`));
}

rule("SS 1.52", "nine at-start units, one after the other, into any numbered area", () => {
  const env = opening();
  for (const id of AT_START) {
    expect(env.game.write(env.state)["decision"]).toEqual({ actor: "S", kind: "setup-place", unit: id });
    expect(env.legal()).toEqual(NUMBERED.map((a) => `area ${a}`));
    env.step(`area ${NUMBERED[AT_START.indexOf(id)]!}`);
  }
  expect(env.game.write(env.state)["phase"]).toBe("ger-reinf");
});

rule("SS 1.51", "all 20 chits are in the pile when play begins", () => {
  expect(opening().game.write(opening().state)["pile"]).toHaveLength(20);
});

rule("SS 1.53", "every numbered area begins Soviet, the lettered ones are nobody's", () => {
  const areas = opening().game.write(opening().state)["areas"] as Record<string, JsonObject>;
  for (const a of NUMBERED) expect(areas[a]!["control"]).toBe("S");
  for (const a of ["A", "B", "C"]) expect(areas[a]!["control"]).toBe(null);
});

rule("SS 1.54", "turn 1, and the Stuka is available", () => {
  expect(opening().game.write(opening().state)).toMatchObject({ turn: 1, stuka: true });
});

rule("SS 1.4", "phases follow each other; on turn 1 there is no Soviet movement", () => {
  const env = opening();
  const phases: string[] = [];
  const record = () => {
    const p = env.game.write(env.state)["phase"] as string;
    if (phases.at(-1) !== p) phases.push(p);
  };
  record();
  setUp(env);
  record();
  for (let guard = 0; guard < 400 && phases.length < 12; guard++) {
    env.step(
      env.legal().find((a) => a !== "pass" && phases.at(-1) !== "sov-move" && phases.at(-1) !== "ger-move") ??
        env.legal()[0]!,
    );
    record();
  }
  // no German leaves the entry areas, so nothing is revealed and nobody fights
  expect(phases.slice(0, 9)).toEqual([
    "setup",
    "ger-reinf",
    "chits",
    "ger-move",
    "ger-reinf",
    "sov-reinf",
    "chits",
    "sov-move",
    "ger-move",
  ]);
});

rule("SS 5.2", "an empty Soviet area changes hands on entry and the unit goes on", () => {
  const table = new Table({
    turn: 3,
    phase: "ger-move",
    areas: { A: { german: ["StuG/244"] }, "8": { soviet: ["92 Nav"] } },
    decision: { actor: "G", kind: "ger-pick" },
  });
  table.do("unit StuG/244").do("area 3").do("area 10");
  expect(["3", "10"].map((a) => table.area(a)["control"])).toEqual(["G", "G"]);
  expect(table.kind).toBe("ger-step"); // an assault gun has three movement points
});

rule("SS 6.0", "chits of every area are resolved before any combat", () => {
  const table = new Table({
    turn: 3,
    phase: "ger-move",
    areas: {
      "5": { german: ["194/HQ"], soviet: ["I/272"], chits: ["sniper-1"] },
      "3": { german: ["191/HQ"], soviet: ["II/272"], chits: ["sniper-2"] },
      "8": { soviet: ["92 Nav"] },
    },
    decision: { actor: "G", kind: "ger-pick" },
  });
  table.do("pass");
  expect(table.position["decision"]).toMatchObject({ kind: "sniper-target", area: "3" });
  table.do("unit 191/HQ", 1);
  expect(table.position["decision"]).toMatchObject({ kind: "sniper-target", area: "5" });
  expect(table.do("unit 194/HQ", 1).kind).toBe("combat-area");
});

rule("SS 7.0", "the German chooses the order of the combats and can leave none out", () => {
  const table = new Table(fight({ german: ["I/194"], soviet: ["I/272:nu"] }));
  expect(table.legal).toEqual(["area 2", "area 5"]);
});

rule("SS 7.1", "more than double gets a third die, exactly double does not", () => {
  expect(combatDice(tables.dicePool, 4, 2)).toBe(2);
  expect(combatDice(tables.dicePool, 5, 2)).toBe(3);
  expect(combatDice(tables.dicePool, 2, 5)).toBe(1);
  expect(combatDice(tables.dicePool, 3, 3)).toBe(2);
  expect(combatDice(tables.dicePool, 1, 0)).toBe(3);
});

rule("SS 7.2", "example A: 4 beats 2 and 3", () => {
  expect(
    new Table(fight({ german: ["I/194"], soviet: ["I/42 Gds:nu", "II/42 Gds:nu"] })).do("area 5", 4, 2, 3).combat[
      "winner"
    ],
  ).toBe("G");
});

rule("SS 7.2", "example B: two fives beat a five and a four", () => {
  expect(
    new Table(fight({ german: ["I/194", "71/PNR"], soviet: ["I/42 Gds:nu", "II/42 Gds:nu"] })).do("area 5", 4, 5, 5, 5)
      .combat["winner"],
  ).toBe("S");
});

rule("SS 9.21", "a molotov chit opposes armour as an anti-tank unit does", () => {
  const armed = (chits: string[]) =>
    new Table(fight({ german: ["StuG/244", "I/194"], soviet: ["I/272:nu"], chits }), { armor: true });
  expect(armed([]).do("area 5", 4, 3, 2, 1).kind).toBe("die-armor");
  expect(armed(["molotov-1:u"]).do("area 5", 4, 3, 2, 1).kind).not.toBe("die-armor");
});

rule("SS 9.22", "any other German unit supports the armour", () => {
  const total = (german: string[]) =>
    new Table(fight({ german, soviet: ["I/42 Gds:nu", "II/42 Gds:nu", "AT/13 Gds:nu"] }), { armor: true }).do(
      "area 5",
      6,
      1,
      1,
      1,
    ).combat["totals"];
  expect(total(["StuG/244"])).toEqual([3, 8]); // 4, less one for standing alone against infantry
  const withHq = new Table(
    fight({ german: ["StuG/244", "191/HQ"], soviet: ["I/42 Gds:nu", "II/42 Gds:nu", "AT/13 Gds:nu"] }),
    { armor: true },
  );
  expect(withHq.do("area 5", 6, 1, 1).combat["totals"]).toEqual([6, 8]);
});

rule("SS 9.41", "a suppressed battalion still keeps its HQ company", () => {
  const table = new Table(fight({ german: ["I/518:s", "518/HQ"], soviet: ["I/272:nu"] }), { integrity: true });
  expect(table.do("area 5", 6, 5, 4).combat["totals"]).toEqual([2, 3]);
});

rule("SS 9.42", "a suppressed battalion breaks the regiment's bonus", () => {
  const total = (third: string) =>
    new Table(fight({ german: ["I/517", "II/517", third, "517/HQ"], soviet: ["I/272:nu"] }), { integrity: true }).do(
      "area 5",
      6,
      5,
      4,
      3,
    ).combat["totals"];
  expect(total("III/517")).toEqual([15, 3]);
  expect(total("III/517:s")).toEqual([10, 3]);
});

rule("SS 9.51", "only with the switch does an SMG company go from Germans to Germans", () => {
  const position: JsonObject = {
    turn: 4,
    phase: "sov-move",
    areas: {
      "5": { control: "C", german: ["I/194"], soviet: ["SMG/42 Gds:u"] },
      "10": { control: "G", german: ["I/191"] },
      "8": { soviet: ["92 Nav"] },
    },
    decision: { actor: "S", kind: "sov-pick" },
  };
  expect(new Table(position).do("unit SMG/42 Gds").legal).not.toContain("area 10");
  expect(new Table(position, { infiltration: true }).do("unit SMG/42 Gds").legal).toContain("area 10");
});

/** The dice of a solitaire set-up that puts the units in order and the last three into 7, 8 and 10. */
const SOLO_DICE = [...AT_START.slice(0, 6), "Eng/10 NKVD", 3, 4, "6 Tk", 4, 4, "20 AT", 5, 5];

rule("SS 10.22", "three chits are on the map before turn 1, where two dice say; a full area is rolled again", () => {
  const env = new Env(loadGame("savage-streets", { mode: "solo" }));
  env.reset("solo", new ScriptedDice([...SOLO_DICE, "dummy-1", "sniper-1", "sniper-2", 1, 1, 1, 1, 6, 6]));
  const areas = env.game.write(env.state)["areas"] as Record<string, JsonObject>;
  expect(areas["2"]!["chits"]).toEqual(["dummy-1", "sniper-1"]);
  expect(areas["12"]!["chits"]).toEqual(["sniper-2"]);
});

rule(
  "SS 10.33",
  "a chit's areas have the chances of their sums among those that count: the outcomes are finite",
  () => {
    const game = loadGame(
      "savage-streets",
      { mode: "solo" },
      { tables: { ...tables, chitsPerTurn: { ...tables.chitsPerTurn, draw: 1 } } },
    );
    const env = new Env(game);
    const german = Object.fromEntries(
      ["2", "3", "4", "5", "6", "9", "10", "11", "12"].map((a) => [a, { control: "G" }]),
    );
    env.resetTo(
      {
        game: "savage-streets",
        mode: "solo",
        turn: 1,
        phase: "ger-reinf",
        areas: { ...german, "7": { control: "S", soviet: ["I/272"] }, "8": { control: "S" } },
        future: ["I/194"],
        decision: { actor: "G", kind: "ger-place", unit: "I/194" },
      },
      "ways",
    );
    const outcomes = outcomesOf(game, env.state, game.actions.indexOf("area A"));
    const chance = (area: string): number =>
      outcomes
        .filter(
          (o) =>
            ((game.write(o.state)["areas"] as Record<string, JsonObject>)[area]!["chits"] as unknown[] | undefined)
              ?.length === 1,
        )
        .reduce((sum, o) => sum + o.probability, 0);
    // 7 falls in six of the 36 throws, 8 in five; every other sum is thrown again
    expect(chance("7")).toBeCloseTo(6 / 11, 12);
    expect(chance("8")).toBeCloseTo(5 / 11, 12);
  },
);

rule("SS 10.32", "the landings 7 and 8 come before 6, and 6 before 5", () => {
  const table = new Table(
    {
      mode: "solo",
      turn: 2,
      phase: "ger-reinf",
      areas: {
        ...Object.fromEntries(["2", "3", "4", "10", "11", "12"].map((a) => [a, { control: "G" }])),
        "8": { chits: ["dummy-1"] },
      },
      future: ["StuG/245", "I/42 Gds", "II/42 Gds", "III/42 Gds"],
      decision: { actor: "G", kind: "ger-place", unit: "StuG/245" },
    },
    { mode: "solo" },
  );
  // 8, 6, 5 and 9 border German areas, 7 does not; chits do not make 8 occupied. Three chits follow, then nobody moves.
  table.do(
    "area A",
    "I/42 Gds",
    "II/42 Gds",
    "III/42 Gds",
    "sniper-1",
    "sniper-2",
    "sniper-3",
    3,
    4,
    3,
    4,
    3,
    4,
    ...Array.from({ length: 14 }, () => 6),
  );
  expect(["8", "6", "5"].map((a) => table.area(a)["soviet"])).toEqual([["I/42 Gds"], ["II/42 Gds"], ["III/42 Gds"]]);
});
