import { describe, expect, test } from "vitest";
import { EventLog, type JsonObject, newState, Rng, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
type Units = Record<string, string | JsonObject>;

describe("a position that play can't come to is refused by path and reason", () => {
  const task = { kind: "bridge", hex: "2010", left: 9 };
  test.each([
    ["a bridge on clear ground", { g1: { type: "g-eng", at: "2010", task } }, "units.g1.task: hex 2010 has no balka"],
    ["a flotilla on land", { sr: "s-rf 2010" }, "units.sr.at: flotilla units are on the Volga"],
    [
      "a fort under enemies alone",
      { sf: "s-fort 2010", g1: "g-inf 2010" },
      "units: hex 2010 has a fort and enemies in it",
    ],
  ] as [string, Units, string][])("%s", (_what, units, reason) => {
    expect(() => new Table(units)).toThrow(reason);
  });

  test("the same where they can be", () => {
    const balka = ground({ "2010": "balka" });
    expect(new Table({ g1: { type: "g-eng", at: "2010", task } }, balka).at("g1")).toBe("2010");
    expect(new Table({ sf: "s-fort 2010", s1: "s-inf 2010" }).at("sf")).toBe("2010");
    expect(new Table({ sf: "s-fort 2010", gm: "g-mine 2010" }).at("sf")).toBe("2010");
  });
});

/** German shells on a regiment of the NKVD, and nothing else to decide. */
const shelled = (units: Units, more: JsonObject = {}): Table =>
  new Table(
    { gm: "g-mortar 2012", n1: { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/269/1" }, ...units },
    { phase: 2, stage: "plot-first", ...more },
  );

rule("SOS 16.83", "shells on units that run away find nobody, and no die falls for them", () => {
  const table = shelled({}).play("hex 2010");
  const log = new EventLog([0, 1] as const);
  // the regiment throws 8 and is gone
  table.env.step("crt", new ScriptedDice([8]), log);
  expect(table.at("n1")).toBe("dead");
  expect(log.take(0).map((e) => e.what)).toContain("no-target");
  expect(table.unit("gm")["firedAf"]).toBe(true);
});

rule("SOS 14.81", "Soviet shells take a German minefield first, and no Soviet one under Germans", () => {
  const at = (mine: string): Table => {
    const units = {
      sm: { type: "s-mortar", at: "2012", af: 8 },
      g1: "g-inf 2010",
      g2: "g-inf 2010",
      g3: "g-inf 2010",
      x: `${mine} 2010`,
    };
    const table = new Table(units, { phase: 9, stage: "plot-first", turn: 2 }).play("hex 2010");
    return table.play("crt: 1");
  };
  const german = at("g-mine");
  expect([german.at("x"), german.at("g1"), german.at("g2")]).toEqual(["dead", "2010", "2010"]);
  const soviet = at("s-mine");
  expect(soviet.ask).toBe("loss.pick");
  expect(soviet.legal).toEqual(["unit g1", "unit g2", "unit g3"]);
});

rule("SOS 16.45", "who is picked up where others get off rides on to the second unloading", () => {
  const table = new Table(
    { st: "s-transport 2010", su: "s-transport 2010", s1: "s-inf 2010", s2: "s-inf 2013" },
    { phase: 10, stage: "normal" },
    { opFire: false },
  );
  table.play("unit st", "unit su", "unit s1", "via", "hex 2013", "unit s2", "unload", "via", "hex 2016", "unload");
  table.play("hex 2018");
  expect([table.at("s1"), table.at("s2"), table.at("st")]).toEqual(["2013", "2016", "2018"]);
});

rule("SOS 16.45", "who is picked up on the way back does not get on when the group first comes by", () => {
  const table = new Table(
    { st: "s-transport 2010", su: "s-transport 2010", s1: "s-inf 2010", s2: "s-inf 2012" },
    { phase: 10, stage: "normal" },
    { opFire: false },
  );
  table.play("unit st", "unit su", "unit s1", "via", "hex 2014", "unload", "via", "hex 2012", "unit s2", "hex 2016");
  expect([table.at("s1"), table.at("s2"), table.at("st")]).toEqual(["2014", "2016", "2016"]);
});

test.each(["s-leader", "s-inf", "s-op"])(
  "samples of a Soviet %s on a minefield that the Soviet side does not see fit",
  (who) => {
    const units = {
      gm: { type: "g-mine", at: "2010", tag: "cross" },
      g1: { type: "g-inf", at: "2014", tag: "cross" },
      g2: { type: "g-inf", at: "2016", tag: "cross" },
      sl: `${who} 2010`,
      s1: "s-inf 2040",
    };
    const hidden = ground({ "2010": "suburb", "2014": "suburb", "2016": "suburb" });
    const { env } = new Table(units, { phase: 10, stage: "normal", announced: { "2010": "none" }, ...hidden });
    const rng = new Rng("mines");
    const sample = newState(env.game.stateSize);
    let fits = 0;
    for (let i = 0; i < 40; i++) if (env.game.resample!(env.state, 1, sample, rng)) fits++;
    expect(fits).toBe(40);
  },
);

rule("SOS 5.8", "a sample has two leaders in one hex where nobody else can be the counters that are seen there", () => {
  const units = {
    a: { type: "g-leader", at: "2010", tag: "cross" },
    b: { type: "g-leader", at: "2010", tag: "bar", stopped: true },
    ...Object.fromEntries(
      ["2014", "2016", "2018", "2020"].flatMap((at) => [
        [`a${at}`, { type: "g-inf", at, tag: "cross" }],
        [`b${at}`, { type: "g-inf", at, tag: "bar" }],
      ]),
    ),
    s1: "s-inf 2040",
  };
  const hidden = ground(Object.fromEntries(["2010", "2014", "2016", "2018", "2020"].map((at) => [at, "suburb"])));
  const victory = { hexes: { "2010": 1 }, levels: { germanMarginal: 1, germanDecisive: 1, sovietDecisive: 0 } };
  const { env } = new Table(units, { phase: 10, stage: "normal", victory, ...hidden });
  const { game, state } = env;
  const points = (s: typeof state) => game.narration!.standing(s, 1).ifEndedNow;
  expect((game.view(state, 1)["faceDown"] as Record<string, string[]>)["2010"]).toEqual(["bar", "cross"]);
  const sample = newState(game.stateSize);
  for (let i = 0; i < 20; i++) {
    expect(game.resample(state, 1, sample, new Rng(String(i)))).toBe(true);
    expect(points(sample)).toBe(points(state));
  }
});
