import { expect, test } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";
import { ELSEWHERE, phase5, three } from "./set-ups.js";

const rule = ruleTests(rules);
rule("SOS 2.42", "a die has ten sides", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010" }, phase5("2010")).play(
    "hex 2010",
    "all",
    "normal",
  );
  expect(() => table.play("done: 11")).toThrow(/d10/);
  expect(table.play("done: 10").rolls[0]!["mdr"]).toBe(10);
  const suburb = new Table(
    { ...three, ...ELSEWHERE, s1: "s-inf 2010" },
    { ...phase5("2010"), ...ground({ "2010": "suburb" }) },
  );
  suburb.play("hex 2010", "all", "normal");
  expect(suburb.play("done: 9").rolls[0]).toMatchObject({ die: 9, drm: 1, mdr: 10 });
});

rule("SOS 9.11", "all units of the target hex are under fire", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010", s2: "s-tank 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 1");
  expect(table.legal).toEqual(["unit s1", "unit s2"]);
});

rule("SOS 9.81", "who is lost is off the map, and no more is known of it", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 1");
  expect(table.unit("s1")).toEqual({ type: "s-inf", at: "dead" });
});

test("the odds of an attack on face-down counters count them as on foot", () => {
  const ravine = { ...attacks(5, "2010"), ...ground({ "2010": "balka" }) };
  const table = new Table({ g1: "g-inf 2009", g2: "g-inf 2009", s1: "s-inf 2010" }, ravine).play("unit g1", "unit g2");
  const { choices } = table.env.game.narration!.prompt(table.env.state, 0);
  expect(choices.find(({ name }) => name === "normal")!.text).toContain("terrain +1");
  expect(table.play("normal", "done: 10").rolls[0]).toMatchObject({ drms: { terrain: 1 } });
});

rule("SOS 9.12", "nobody has to join an attack, and an unmarked hex is attacked by choice only", () => {
  const table = new Table({ ...three, s1: "s-inf 2010" }, attacks(5, "2010")).play(
    "unit g1",
    "done",
    "normal",
    "done: 10",
  );
  expect(table.unit("g2")["spent"]).toBeUndefined();
  const tank = new Table({ gt: "g-tank 2008", s1: "s-inf 2010" }, attacks(5));
  expect(tank.legal).toEqual(["done", "hex 2010"]);
});

rule("SOS 9.13", "AF attacks, DF defends", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-eng 2009", s1: "s-guards 2010" }, phase5("2010"));
  table.play("hex 2010", "normal", "all: 10 10");
  expect(table.rolls.map((r) => [r["kind"], r["points"]])).toEqual([
    ["defense", 5],
    ["attack", 6],
  ]);
});

rule("SOS 9.14", "marked hexes have to be attacked", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010" }, phase5("2010"));
  expect(table.legal).toEqual(["hex 2010", "hex 3031"]);
});

rule("SOS 9.15", "a unit's points go into one attack", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2109" };
  const table = new Table(units, attacks(5, "2010", "2109")).play("hex 2010", "all", "normal", "done: 10");
  // both have attacked 2010, so nobody is left for 2109 and the duty lapses
  expect(table.position["phase"]).toBe(7);
  expect(table.position["marks"]).toEqual({ "2010": ["attack-done"], "2109": ["attack-done"] });
});

rule("SOS 9.16", "units of a stack may choose different targets", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2109" };
  const table = new Table(units, attacks(5, "2010", "2109")).play("hex 2010", "unit g1", "done", "normal", "done: 10");
  expect(table.ask).toBe("attack.mode");
  expect(table.position["decision"]).toMatchObject({ hex: "2109", attackers: ["g2"] });
});

rule("SOS 9.18", "attackers are spent, and attack once a turn", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 10");
  expect(table.unit("g1")["spent"]).toBe(true);
  table.play("all", "normal", "done: 10");
  expect(table.position["phase"]).toBe(7);
  table.play("done");
  // spent infantry marks nothing in the exploit phase
  expect(table.position["phase"]).toBe(10);
});

rule("SOS 9.19", "sum, column, die and modifiers give the result", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, s1: "s-inf 2010" },
    { ...phase5("2010"), ...ground({ "2010": "city" }) },
  );
  table.play("hex 2010", "all", "normal", "done: 1");
  expect(table.rolls).toEqual([
    {
      kind: "attack",
      table: "CRT",
      hex: "2010",
      points: 15,
      column: "10-19",
      die: 1,
      drms: { terrain: 2 },
      drm: 2,
      mdr: 3,
      result: "D1P",
    },
  ]);
});

rule("SOS 9.21", "fire reaches as far as its range", () => {
  const units = { ...ELSEWHERE, s1: "s-inf 2010" };
  expect(new Table({ ...units, gt: "g-tank 2007" }, phase5()).ask).toBe("attack.unit");
  expect(new Table({ ...units, gt: "g-tank 2008" }, phase5()).legal).toContain("hex 2010");
});

rule("SOS 9.22", "indirect fire units defend with their DF against neighbours only", () => {
  const table = new Table(
    { ...ELSEWHERE, g1: "g-inf 2009", gt: "g-tank 2008", sm: "s-mortar 2010" },
    phase5("2010"),
  ).play("hex 2010", "unit g1", "unit gt", "normal");
  expect(table.legal).toEqual(["done", "hex 2009"]);
});

rule("SOS 9.23", "every combat unit reaches the next hex", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", s1: "s-inf 2010" }, phase5("2010"));
  expect(table.legal).toContain("hex 2010");
});

rule("SOS 9.24", "infantry reaches no farther", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", g2: "g-inf 2008", s1: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010");
  expect(table.position["decision"]).toMatchObject({ ask: "attack.mode", attackers: ["g1"] });
});

rule("SOS 9.25", "hexes that a unit may not enter can be attacked", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 0210", s1: "s-inf 0110" }, phase5("0110"));
  expect(table.legal).toContain("hex 0110");
});

rule("SOS 9.31", "direct fire needs a line of sight", () => {
  const units = { ...ELSEWHERE, gt: "g-tank 2008", s1: "s-inf 2010" };
  expect(new Table(units, phase5()).legal).toContain("hex 2010");
  expect(new Table(units, { ...phase5(), ...ground({ "2009": "forest" }) }).ask).toBe("attack.unit");
});

rule("SOS 9.32", "units don't block the line", () => {
  const table = new Table({ ...ELSEWHERE, gt: "g-tank 2008", g1: "g-inf 2009", s1: "s-inf 2010" }, phase5());
  expect(table.legal).toContain("hex 2010");
});

rule("SOS 9.35", "the ground of the two ends doesn't count", () => {
  const units = { ...ELSEWHERE, gt: "g-tank 2008", s1: "s-inf 2010" };
  const table = new Table(units, { ...phase5(), ...ground({ "2008": "forest", "2010": "city" }) });
  expect(table.legal).toContain("hex 2010");
});

rule("SOS 9.36", "a line along a hex side is blocked by the ground on either side", () => {
  const units = { ...ELSEWHERE, gt: "g-tank 2010", s1: "s-inf 1909" };
  const near = (hex: string) =>
    new Table({ ...units, s1: "s-inf 1812" }, { ...phase5(), ...ground({ [hex]: "forest" }) });
  expect(near("1911").ask).toBe("attack.unit");
});

rule("SOS 9.41", "only units of a marked hex retreat before the combat", () => {
  const table = new Table({ ...ELSEWHERE, gt: "g-tank 2008", s1: "s-guards 2010", s2: "s-guards 2010" }, phase5());
  table.play("hex 2010: 10");
  expect(table.ask).toBe("attack.unit");
});

rule("SOS 9.42", "attackers are named and shown before anybody retreats", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, s1: "s-guards 2010", s2: "s-guards 2010" },
    { ...phase5("2010"), ...ground({ "2009": "suburb" }) },
  );
  table.play("hex 2010", "all", "normal");
  expect(table.ask).toBe("retreat.unit");
  expect(table.unit("g1")["shown"]).toBe(true);
});

rule("SOS 9.43", "at least one unit stays, and snipers always do", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-guards 2010", sn: "s-sniper 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal");
  expect(table.legal).toEqual(["done", "unit s1"]);
});

rule("SOS 9.47", "retreaters come under fire, and go round zones of control", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, gt: "g-tank 2008", s1: "s-guards 2010", s2: "s-guards 2010" },
    phase5("2010"),
  );
  table.play("hex 2010", "unit g1", "done", "normal", "unit s1");
  expect(table.legal).not.toContain("hex 1910");
  table.play("hex 2011");
  expect(table.at("s1")).toBe("2011");
  const near = new Table(
    { ...three, ...ELSEWHERE, gt: { type: "g-tank", at: "2009", range: 3 }, s1: "s-guards 2010", s2: "s-guards 2010" },
    phase5("2010"),
  );
  near.play("hex 2010", "unit g1", "done", "normal", "unit s1", "hex 2011");
  expect(near.ask).toBe("op.fire");
});

rule("SOS 9.48", "units retreat one hex or a quarter of their printed MP, and may go to different hexes", () => {
  const units = {
    ...three,
    ...ELSEWHERE,
    s1: "s-guards 2010",
    s2: "s-guards 2010",
    s3: { type: "s-guards", at: "2010", mp: 1 },
  };
  const table = new Table(units, {
    ...phase5("2010"),
    ...ground({ "2011": "forest", "1911": "forest", "2111": "forest" }),
  });
  table.play("hex 2010", "all", "normal", "unit s3");
  expect(table.legal).toEqual(["hex 1911", "hex 2011", "hex 2111"]);
  table.play("hex 1911", "unit s1", "hex 2111");
  expect([table.at("s1"), table.at("s2"), table.at("s3")]).toEqual(["2111", "2010", "1911"]);
});

rule("SOS 9.53", "pinned and spent units fire at neighbours only", () => {
  const units = { ...ELSEWHERE, g1: "g-inf 2009", gt: "g-tank 2012" };
  const table = (flag: object) =>
    new Table({ ...units, st: { type: "s-tank", at: "2010", ...flag } }, phase5("2010")).play(
      "hex 2010",
      "unit g1",
      "unit gt",
      "normal",
    );
  expect(table({}).legal).toEqual(["done", "hex 2009", "hex 2012"]);
  expect(table({ spent: true }).legal).toEqual(["done", "hex 2009"]);
});

rule("SOS 9.54", "pinned and spent units fire at +1", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: { type: "s-inf", at: "2010", pinned: true } }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "all: 10 10");
  expect(table.rolls[0]!["drms"]).toEqual({ disrupted: 1 });
});

rule("SOS 9.55", "defenders fire only at those who attack their hex", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", g2: "g-inf 1910", s1: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010", "unit g1", "done", "normal");
  expect(table.legal).toEqual(["done", "all", "hex 2009"]);
});

rule("SOS 9.57", "all targets are declared, then a die is rolled for each", () => {
  const table = new Table(
    { ...ELSEWHERE, g1: "g-inf 2009", g2: "g-inf 1910", s1: "s-inf 2010", s2: "s-inf 2010" },
    phase5("2010"),
  );
  table.play("hex 2010", "all", "normal", "hex 2009", "unit s1", "done");
  expect(table.rolls).toEqual([]);
  table.play("hex 1910: 10 10 10");
  expect(table.rolls.map((r) => r["hex"])).toEqual(["2009", "1910", "2010"]);
});

rule("SOS 9.60", "a unit that does not fire can still be lost", () => {
  const table = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010", s2: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "hex 2009", "unit s1", "done: 10 1");
  expect(table.legal).toEqual(["unit s1", "unit s2"]);
});

rule("SOS 9.61", "only a marker compels", () => {
  const table = new Table({ gt: "g-tank 2008", s1: "s-inf 2010" }, attacks(5));
  expect(table.play("done").position["phase"]).toBe(7);
});

rule("SOS 9.63", "one target, from several hexes near and far", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", gt: "g-tank 2012", s1: "s-inf 2010" }, phase5("2010"));
  table.play("hex 2010", "unit g1", "unit gt", "normal", "done: 10");
  expect(table.rolls[0]!["points"]).toBe(13);
});

rule("SOS 9.66", "the remaining units attack", () => {
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", g2: "g-inf 1910", s1: "s-guards 2010" }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "hex 2009: 1 10");
  expect(table.unit("g1")).toMatchObject({ pinned: true });
  expect(table.unit("g1")["spent"]).toBeUndefined();
  expect(table.unit("g2")).toMatchObject({ spent: true });
  expect(table.rolls[1]!["points"]).toBe(5);
});

rule("SOS 9.72", "terrain does not help against defensive fire", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, s1: "s-inf 2010" },
    { ...phase5("2010"), ...ground({ "2009": "city" }) },
  );
  table.play("hex 2010", "all", "normal", "all: 10 10");
  expect(table.rolls[0]!["drms"]).toEqual({});
});

rule("SOS 9.82", "the owner chooses, snipers are the last, forts fall with the last unit", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, s1: "s-inf 2010", s2: "s-inf 2010", sn: "s-sniper 2010", sf: "s-fort 2010" },
    phase5("2010"),
  );
  table.play("hex 2010", "all", "normal", "done: 1");
  expect(table.legal).toEqual(["unit s1", "unit s2"]);
  const last = new Table({ ...three, ...ELSEWHERE, s1: "s-inf 2010", sf: "s-fort 2010" }, phase5("2010"));
  last.play("hex 2010", "all", "normal", "done: 1");
  expect([last.at("s1"), last.at("sf")]).toEqual(["dead", "dead"]);
});

rule("SOS 9.881", "a fort is given up with its hex", () => {
  const table = new Table(
    { ...three, ...ELSEWHERE, s1: "s-inf 2010", s2: "s-inf 2010", sf: "s-fort 2010" },
    phase5("2010"),
  );
  table.play("hex 2010", "all", "normal", "done: 5");
  expect(table.ask).toBe("after.choice");
  table.play("retreat", "unit s1", "hex 2011", "hex 1911");
  expect(table.at("sf")).toBe("dead");
});

rule("SOS 9.883", "without adjacent infantry nobody is driven off", () => {
  const table = new Table({ ...ELSEWHERE, gt: "g-tank 2009", s1: "s-inf 2010" }, phase5());
  table.play("hex 2010", "done: 3");
  expect(table.unit("s1")).toMatchObject({ at: "2010", pinned: true });
});

rule("SOS 9.113", "leaders are never pinned, and cities spend", () => {
  const units = { ...three, ...ELSEWHERE, s1: "s-inf 2010", sc: "s-commissar 2010" };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "city" }) });
  table.play("hex 2010", "all", "normal", "done", "done: 3");
  expect(table.unit("s1")).toMatchObject({ spent: true });
  expect(table.unit("sc")["spent"]).toBeUndefined();
});

rule("SOS 9.13", "one point of AF is enough to attack from afar", () => {
  const gun = { type: "g-tank", at: "2012", af: 1 };
  const table = new Table({ gt: gun, gu: gun, s1: "s-inf 2010", ...ELSEWHERE }, phase5());
  table.play("hex 2010", "unit gt");
  expect(table.legal).toContain("done");
  expect(table.play("done: 10").rolls[0]).toMatchObject({ kind: "attack", points: 1, hex: "2010" });
  expect([table.unit("gt")["spent"], table.unit("gu")["spent"]]).toEqual([true, undefined]);
});

rule("SOS 14.96", "an OP that advances has moved, so it does not spot; companies that advance are as they were", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", go: "g-op 2009", s1: "s-inf 2010" };
  const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "unit g1", "unit g2", "normal");
  table.play("done: 1");
  expect(table.ask).toBe("advance.unit");
  table.play("unit g1", "unit go");
  expect([table.unit("g1")["noSpot"], table.unit("go")["noSpot"]]).toEqual([undefined, true]);
});
