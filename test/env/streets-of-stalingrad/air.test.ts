import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
const plot = (available: number, rest: JsonObject = {}): JsonObject => ({
  phase: 2,
  stage: "plot-first",
  stukas: { available, used: 0 },
  ...rest,
});
const phase5 = (available: number): JsonObject => ({ ...attacks(5, "2010", "3031"), stukas: { available, used: 0 } });
const numbers = (table: Table) => table.legal.filter((a) => a.startsWith("n "));
/** Two companies beside 2010, and the observer of the Luftwaffe behind them. */
const STORM = { g1: "g-inf 2009", g2: "g-inf 2009", go: "g-op-lw 2008", s1: "s-inf 2010", ...ELSEWHERE };

rule("SOS 15.11", "each Stuka flies once a turn", () => {
  const table = new Table({ g1: "g-inf 2008", s1: "s-inf 2010", s2: "s-inf 2110" }, plot(3));
  table.play("hex 2010", "n 2", "wbbt");
  expect(table.position["stukas"]).toEqual({ available: 1, used: 2 });
  table.play("hex 2110");
  // one is left, so its number is not asked
  expect(table.ask).toBe("bomb.table");
});

rule("SOS 15.12", "they attack and bombard, but do not fire at movers, nor in defence", () => {
  const units = { g1: "g-inf 2010", s1: "s-inf 2011", go: "g-op-lw 2008", ...ELSEWHERE };
  const stukas = { available: 2 };
  const attack = new Table(units, { ...attacks(5, "2011", "3031"), stukas }).play("hex 2011");
  const bombs = new Table({ g1: "g-inf 2008", s1: "s-inf 2011" }, plot(2)).play("hex 2011");
  expect([numbers(attack), numbers(bombs)]).toEqual([
    ["n 1", "n 2"],
    ["n 1", "n 2"],
  ]);
  const moves = new Table({ ...units, s1: "s-inf 2013" }, { phase: 10, stage: "normal", stukas });
  expect([moves.play("unit s1", "hex 2011").ask, numbers(moves)]).toEqual(["op.fire", []]);
  const night = { ...units, gx: "g-inf 3031", gy: "g-inf 3031", sx: "s-inf 3030" };
  const defence = new Table(night, { ...attacks(12, "2010", "3031"), stukas }).play("hex 2010", "normal");
  expect([defence.ask, numbers(defence)]).toEqual(["df.target", []]);
});

rule("SOS 15.13", "they need no observer to bomb", () => {
  const table = new Table({ g1: "g-inf 3008", s1: "s-inf 2010" }, plot(1, ground({ "2010": "forest" })));
  expect(table.legal).toContain("hex 2010");
});

rule("SOS 15.14", "an attack is supported if the Luftwaffe's observer sees the hex", () => {
  const seen = new Table(STORM, phase5(2)).play("hex 2010");
  expect(numbers(seen)).toEqual(["n 1", "n 2"]);
  const far = new Table({ ...STORM, go: "g-op-lw 2030" }, phase5(2)).play("hex 2010");
  expect(numbers(far)).toEqual([]);
});

rule("SOS 14.94", "an observer pinned in this phase still sees for Stukas, one pinned before does not", () => {
  const offered = (more: JsonObject) =>
    numbers(new Table({ ...STORM, go: { type: "g-op-lw", at: "2008", ...more } }, phase5(2)).play("hex 2010"));
  expect(offered({ pinned: true, newPin: true })).toEqual(["n 1", "n 2"]);
  expect(offered({ pinned: true })).toEqual([]);
});

rule("SOS 14.96", "an observer who moved sees for Stukas: only artillery has to wait", () => {
  const units = { ...STORM, go: { type: "g-op-lw", at: "2008", noSpot: true } };
  const table = new Table(units, phase5(2)).play("hex 2010", "all", "n 2", "normal", "done: 10");
  expect(table.rolls[0]).toMatchObject({ points: 10 + 10, drms: { lwop: -1 } });
});

rule("SOS 15.15", "they add their points to an attack, and bomb on either table", () => {
  const table = new Table(STORM, phase5(2)).play("hex 2010", "all", "n 2", "normal", "done: 10");
  expect(table.rolls[0]).toMatchObject({ kind: "attack", points: 10 + 10, drms: { lwop: -1 } });
  expect(table.position["stukas"]).toEqual({ used: 2 });
});

rule("SOS 15.16", "over built-up hexes that no German is beside they bomb", () => {
  const table = new Table({ g1: "g-inf 2008", s1: "s-inf 2010" }, plot(2, ground({ "2010": "city" })));
  expect(numbers(table.play("hex 2010"))).toEqual(["n 1", "n 2"]);
});

rule("SOS 15.16", "not over built-up hexes beside Germans", () => {
  const city = ground({ "2010": "city" });
  const table = new Table(STORM, { ...phase5(2), ...city }).play("hex 2010");
  expect(numbers(table)).toEqual([]);
});

rule("SOS 15.21", "they are back in the next turn", () => {
  const table = new Table({ g1: "g-inf 2008", s1: "s-inf 2010" }, plot(1), { opFire: false }).play(
    "hex 2010",
    "wbbt: 10",
  );
  expect(table.position["stukas"]).toEqual({ used: 1 });
  while (table.position["turn"] === 2) table.play("done");
  expect(table.position["stukas"]).toEqual({ available: 1 });
});

rule("SOS 15.22", "interdiction makes a hex more expensive until the attack phase is over", () => {
  const table = new Table({ g1: "g-inf 2008", s1: "s-inf 2010" }, plot(2), { opFire: false });
  table.play("hex 2011", "n 2"); // nobody is there: no table is asked
  expect(table.position["bombs"]).toEqual({ "2011": [{ side: "german", af: 10, mode: "interdict", until: 5 }] });
});

rule("SOS 15.41", "anti-aircraft fire only turns them back", () => {
  const units = { g1: "g-inf 2007", s1: "s-inf 2010", sa: { type: "s-aa", at: "2013", af: 30 } };
  const table = new Table(units, plot(2)).play("hex 2010", "n 2", "wbbt", "unit sa: 1");
  // D2: both are gone, nothing is left to bomb with
  expect(table.rolls.map((r) => r["kind"])).toEqual(["aa"]);
  expect(table.position["stukas"]).toEqual({ used: 2 });
});

rule("SOS 15.42", "flak fires once a phase, in its range", () => {
  const units = { g1: "g-inf 2007", s1: "s-inf 2010", s2: "s-inf 2110", sa: "s-aa 2013", sb: "s-aa 2020" };
  const table = new Table(units, plot(2)).play("hex 2010", "n 1", "wbbt", "hex 2110", "wbbt");
  expect(table.legal).toEqual(["done", "unit sa"]);
  table.play("unit sa: 10 10 10"); // its die, and those of both missions: the second is not fired at
  expect(table.rolls.map((r) => r["kind"])).toEqual(["aa", "bombardment", "bombardment"]);
});

rule("SOS 15.44", "flak needs no line of sight", () => {
  const units = { g1: "g-inf 2007", s1: "s-inf 2010", sa: "s-aa 2013" };
  const table = new Table(units, plot(1, ground({ "2012": "city", "2011": "city" }))).play("hex 2010", "wbbt");
  expect(table.legal).toEqual(["done", "unit sa"]);
});

rule("SOS 15.46", "Stukas that are not turned back join the attack", () => {
  const units = { ...STORM, sa: { type: "s-aa", at: "2013", af: 12 } };
  const table = new Table(units, phase5(2)).play("hex 2010", "all", "n 2", "normal");
  expect(table.ask).toBe("aa.unit");
  table.play("unit sa: 2"); // D1
  table.play("done: 10");
  expect(table.rolls[0]).toMatchObject({ kind: "attack", points: 10 + 5 });
});

rule("SOS 15.51", "the scenario gives their number", () => {
  expect(new Table({ g1: "g-inf 2008", s1: "s-inf 2010" }, plot(2)).play("hex 2010").legal).toContain("n 2");
});

event("flak", "everyone reads its die, and which units fired", () => {
  const units = { g1: "g-inf 2007", s1: "s-inf 2010", sa: { type: "s-aa", at: "2013", af: 12 } };
  const { env } = new Table(units, plot(2)).play("hex 2010", "n 2", "wbbt");
  const log = new EventLog([0, 1]);
  env.step("unit sa", new ScriptedDice([2, 10]), log);
  for (const viewer of [0, 1]) {
    const flak = log.take(viewer).find((e) => e.what === "flak")!;
    expect(flak.text).toBe(
      "Anti-aircraft fire over 2010 by sa: 12 points, column 10-19, die 2: D1, 1 Stuka turns back.",
    );
    expect(flak.dice![0]!.needed).toBe("1-3: 1 Stuka turns back");
    expect(flak.by).toBe("soviet");
  }
});
