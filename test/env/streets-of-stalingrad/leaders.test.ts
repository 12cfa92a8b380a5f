import { expect, test } from "vitest";
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const REGIMENT = "51K/71ID/191";
const GUARDS = "62A/13GRD/42";
const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
const phase5 = (...targets: string[]) => attacks(5, ...targets, "3031");

rule("SOS 9.59", "a leader with attackers that lose a unit to defensive fire rolls at once", () => {
  const units = {
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    gl: of("g-leader", "2009", REGIMENT),
    s1: { type: "s-inf", at: "2010", df: 30 },
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "all: 2", "unit g1: 8 10");
  expect(table.rolls[0]).toEqual({ kind: "leader", die: 8, drm: -1, mdr: 7, result: "survives" });
});

rule("SOS 9.83", "a leader in a hex that loses a unit to an attack rolls", () => {
  const units = {
    g1: { type: "g-inf", at: "2009", af: 20 },
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sl: of("s-leader", "2010", GUARDS),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 1", "unit s1: 9");
  expect(table.rolls[0]).toMatchObject({ kind: "leader", drm: -1, result: "survives" });
});

rule("SOS 18.34", "a leader who survives the hex goes to any unit of the command at any distance", () => {
  const units = {
    g1: { type: "g-inf", at: "2009", af: 20 },
    s1: of("s-guards", "2010", `${GUARDS}/1`),
    sl: of("s-leader", "2010", GUARDS),
    s2: of("s-guards", "2012", `${GUARDS}/2`),
    s3: of("s-guards", "2040", `${GUARDS}/3`),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9");
  expect(table.ask).toBe("leader.move");
  expect([...table.legal].sort()).toEqual(["hex 2012", "hex 2040"]);
});

rule("SOS 18.41", "a wounded leader is away for the number of whole turns on the second die", () => {
  const units = {
    g1: { type: "g-inf", at: "2009", af: 20 },
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sl: of("s-leader", "2010", GUARDS),
    ...ELSEWHERE,
  };
  const table = new Table(units, { ...phase5("2010"), turn: 2 });
  table.play("hex 2010", "normal", "done", "done: 1", "unit s1: 5 2");
  expect(table.at("sl")).toBe("turn-5");
});

event("wounded", "both sides read its die and the turns", () => {
  const units = {
    g1: { type: "g-inf", at: "2009", af: 20 },
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sl: of("s-leader", "2010", GUARDS),
    ...ELSEWHERE,
  };
  const { env } = new Table(units, { ...phase5("2010"), turn: 2 }).play("hex 2010", "normal", "done", "done: 1");
  const log = new EventLog([0, 1]);
  env.step("unit s1", new ScriptedDice([5, 2]), log);
  for (const viewer of [0, 1]) {
    const told = log.take(viewer).find((e) => e.what === "wounded")!;
    expect(told.text).toBe("Soviet sl misses 2 whole turns.");
    expect(told.dice![0]).toMatchObject({ by: "soviet", sides: 10, faces: [2] });
  }
});

rule("SOS 18.14", "a P leaves leaders alone", () => {
  const units = {
    g1: "g-inf 2009",
    gl: of("g-leader", "2009", REGIMENT),
    s1: { type: "s-inf", at: "2010", df: 10 },
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "unit g1", "unit gl", "normal", "all: 3");
  expect(table.unit("g1")["pinned"]).toBe(true);
  expect(table.unit("gl")["pinned"]).toBeUndefined();
});

rule("SOS 18.17", "nobody fires at leaders who move alone", () => {
  const units = { gl: of("g-leader", "2016", REGIMENT), s1: { type: "s-at", at: "2010" } };
  const table = new Table(units, { phase: 3, stage: "normal" }).play("unit gl", "hex 2013");
  expect(table.at("gl")).toBe("2013");
});

rule("SOS 18.12", "each leader who attacks takes 1 from the die", () => {
  const units = {
    g1: "g-inf 2009",
    gl: of("g-leader", "2009", REGIMENT),
    g2: "g-inf 1910",
    gk: of("g-leader", "1910", "51K/71ID"),
    s1: "s-inf 2010",
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 10");
  expect(table.rolls[0]!["drms"]).toEqual({ leader: -2 });
});

rule("SOS 8.33", "a Soviet leader moves in the reserves phase from an attacked hex and out of zones of control", () => {
  const units = { g1: "g-inf 2009", s1: of("s-guards", "2010", `${GUARDS}/1`), sl: of("s-leader", "2010", GUARDS) };
  const table = new Table(units, { phase: 4, stage: "reserves", marks: { "2010": ["attack"] } });
  expect(table.legal).toContain("unit sl");
  expect(table.legal).not.toContain("unit s1");
});

rule("SOS 14.92", "an OP goes to a unit of its command at any distance", () => {
  const units = { go: of("g-op", "2010", "51K/71ID"), g1: of("g-inf", "2050", `${REGIMENT}/I`), g2: "g-inf 2052" };
  const { legal } = new Table(units, { phase: 3, stage: "normal" }).play("unit go");
  expect(legal).toContain("hex 2050");
  expect(legal).not.toContain("hex 2052");
});

event("reports", "both sides see where the counter goes, and its owner which one it is", () => {
  const units = { go: of("g-op", "2010", "51K/71ID"), g1: of("g-inf", "2050", `${REGIMENT}/I`) };
  const { env } = new Table(units, { phase: 3, stage: "normal" }).play("unit go");
  const log = new EventLog([0, 1]);
  env.step("hex 2050", new ScriptedDice([]), log);
  const [own, other] = [0, 1].map((viewer) => log.take(viewer).find((e) => e.what === "reports")!);
  expect(own!.text).toMatch(/^German go \(.*\) goes from 2010 to 2050 \(clear\)\.$/);
  expect([own!.rule, own!.units, own!.places]).toEqual(["SOS 14.92", ["go"], ["2010", "2050"]]);
  expect(other!.places).toEqual(["2010", "2050"]);
});

test("whether a face-down counter that reports is an OP or a leader, the enemy doesn't read", () => {
  const read = (type: string): unknown => {
    const units = { go: of(type, "2010", "51K/71ID"), g1: of("g-inf", "2050", `${REGIMENT}/I`), s1: "s-inf 2012" };
    const { env } = new Table(units, { phase: 3, stage: "normal", ...forest }).play("unit go");
    const log = new EventLog([1]);
    env.step("hex 2050", new ScriptedDice([]), log);
    return log.take(1).filter((e) => e.what === "reports");
  };
  const forest = ground({ "2010": "forest", "2050": "forest" });
  expect(read("g-leader")).toEqual(read("g-op"));
  expect(read("g-op")).toHaveLength(1);
});

rule("SOS 14.93", "an OP alone stays out of zones of control, but may join a friend there", () => {
  const units = { go: of("g-op", "2013", "51K/71ID"), g1: "g-inf 1911", s1: "s-inf 2010" };
  const { legal } = new Table(units, { phase: 3, stage: "normal" }).play("unit go");
  expect(legal).toContain("hex 1911");
  expect(legal).not.toContain("hex 2011");
});

rule("SOS 14.95", "an OP that spotted does not move in the next movement phase", () => {
  const units = { go: of("g-op", "2009", "51K/71ID"), gh: of("g-how", "2020", "51K/71ID"), s1: "s-inf 2010" };
  const table = new Table(units, { phase: 2, stage: "plot-first" }).play("hex 2010", "interdict", "done");
  expect(table.position).toMatchObject({ phase: 3 });
  expect(table.unit("go")["noMove"]).toBe(true);
  expect(table.legal).not.toContain("unit go");
});

rule("SOS 14.96", "an OP that moved does not spot until the next phase is over", () => {
  const units = { go: of("g-op", "2016", "51K/71ID"), g1: "g-inf 2009", s1: "s-inf 2030" };
  const table = new Table(units, { phase: 3, stage: "normal" }).play("unit go", "hex 2012");
  expect(table.unit("go")["noSpot"]).toBe(true);
});

rule("SOS 14.97", "an OP alone is eliminated when the enemy enters", () => {
  const units = { g1: "g-inf 2012", so: of("s-op", "2010", "62A") };
  expect(new Table(units, { phase: 3, stage: "normal" }).play("unit g1", "hex 2010").at("so")).toBe("dead");
});

rule("SOS 14.98", "a lost OP comes back beside a gun of its command when the next bombardment is over", () => {
  const units = {
    go: of("g-op", "dead", "51K/71ID"),
    gh: of("g-how", "2020", "51K/71ID", { firedAf: true }),
    gk: of("g-how", "2024", "51K/71ID", { firedAf: true }),
    s1: "s-inf 2010",
  };
  const table = new Table(units, { phase: 6, stage: "plot-first" });
  expect(table.ask).toBe("leader.move");
  expect([...table.legal].sort()).toEqual(["hex 2020", "hex 2024"]);
  expect(table.play("hex 2024").at("go")).toBe("2024");
});

rule("SOS 14.99", "the airmen's OP comes back beside any German leader", () => {
  const units = {
    gw: of("g-op-lw", "dead", ""),
    gl: of("g-leader", "2020", REGIMENT),
    gk: of("g-leader", "2024", REGIMENT),
    gh: of("g-how", "2030", "51K/71ID", { firedAf: true }),
    s1: "s-inf 2010",
  };
  const table = new Table(units, { phase: 6, stage: "plot-first" });
  expect([...table.legal].sort()).toEqual(["hex 2020", "hex 2024"]);
});

const bereft = (at: string) => of("g-leader", at, REGIMENT, { bereft: true });
const nearby = {
  g1: of("g-inf", "2008", `${REGIMENT}/I`),
  g2: of("g-inf", "2012", `${REGIMENT}/II`),
  g3: of("g-inf", "2108", `${REGIMENT}/III`),
  sx: "s-inf 3031",
};

rule(
  "SOS 18.1",
  "a game goes on from where leaders without a command move, before anything else of the next phase",
  () => {
    for (const [phase, stage] of [
      [5, "attack"],
      [3, "normal"],
      [15, "attack"],
    ] as const) {
      const table = new Table({ ...nearby, l1: bereft("2010"), l2: bereft("2110") }, { phase, stage });
      for (let k = 0; k < 9 && table.ask !== "leader.move"; k++) table.play("done");
      expect([phase, table.ask]).toEqual([phase, "leader.move"]);
      const { units, ...rest } = table.position as { units: Record<string, JsonObject> };
      expect([...new Table(units, rest as JsonObject).legal]).toEqual([...table.legal]);
    }
  },
);

rule("SOS 18.41", "a leader is away until a turn in which a return is possible", () => {
  const at = (who: JsonObject) => () => new Table({ who });
  expect(at(of("g-leader", "turn-500", REGIMENT))).toThrow(/units\.who\.at: leaders return in turns 1 to 78, not 500/);
  expect(at(of("g-leader", "turn-0", REGIMENT))).toThrow(/not 0/);
});

rule("SOS 2.25", "a counter's numbers are at most what the game can count with", () => {
  expect(() => new Table({ g: { type: "g-inf", at: "2010", af: 300 } })).toThrow(/units\.g: af: /);
  expect(() => new Table({ g: { type: "g-inf", at: "2010", mp: 53 } })).toThrow(/units\.g: mp: /);
  expect(() => new Table({ g: "g-inf 2010" }, { stukas: { available: 40 } })).toThrow(/stukas\.available/);
});
