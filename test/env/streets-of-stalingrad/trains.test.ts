import { expect, test } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, Table } from "./table.js";

const rule = ruleTests(rules);

type Units = Record<string, string | JsonObject>;
const hexes = (table: Table): string[] => table.legal.filter((name) => name.startsWith("hex ")).map((n) => n.slice(4));

/** A railroad from 2010 to 2018, over a ravine and through a city. */
const line: JsonObject = {
  base: "blank",
  hexes: Object.fromEntries(
    ["2010", "2011", "2012", "2013", "2014", "2015", "2016", "2017", "2018"].map((h, i) => [
      h,
      { t: i === 8 ? "city" : i === 4 ? "balka" : "clear", f: ["railroad"] },
    ]),
  ),
};
const rails = (units: Units, rest: JsonObject = {}): Table =>
  new Table({ st: "s-train 2010", s9: "s-inf 2050", ...units }, { phase: 10, stage: "normal", map: line, ...rest });
const all = ["2011", "2012", "2013", "2014", "2015", "2016", "2017", "2018"];

rule("SOS 16.61", "a train goes as far as rails lead, whatever ground they cross, until 7 October", () => {
  expect(hexes(rails({}, { turn: 24 }).play("unit st"))).toEqual(all);
  const table = rails({}, { turn: 24 }).play("unit st", "hex 2018");
  expect(table.at("st")).toBe("2018");
  expect(table.legal).not.toContain("unit st");
});

rule("SOS 16.61", "from 7 October on it goes six hexes", () => {
  expect(hexes(rails({}, { turn: 25 }).play("unit st"))).toEqual(all.slice(0, 6));
});

rule("SOS 16.61", "no MP are halved for it: neither on 13 September nor cut off", () => {
  expect(hexes(rails({}, { turn: 1 }).play("unit st"))).toEqual(all);
});

rule("SOS 16.61", "it moves in the Soviet movement phase alone, by an order of its own", () => {
  const units = { s1: "s-inf 2010", sc: "s-commissar 2010", tt: "s-tank 2010" };
  const breaks = rails(units, { stage: "breakthrough" });
  expect(breaks.legal).not.toContain("unit st");
  for (const [phase, stage] of [
    [14, "normal"],
    [10, "deploy"],
  ] as const)
    expect(rails(units, { phase, stage }).legal).not.toContain("unit st");
  const marks = { "2012": ["attack"] };
  const reserves = rails({ ...units, g1: "g-inf 2212" }, { phase: 4, stage: "reserves", marks });
  expect(reserves.legal).toContain("unit s1");
  expect(reserves.legal).not.toContain("unit st");
  const table = rails(units).play("unit st");
  expect(table.legal.filter((name) => !name.startsWith("hex "))).toEqual(["stay"]);
  expect(rails(units).play("unit s1").legal).not.toContain("unit st");
});

rule("SOS 16.62", "it may enter a German zone of control, and leave it, but not go through one", () => {
  // 2111 is beside 2010 and 2011
  const table = rails({ g1: "g-inf 2111", st: "s-train 2015" }, { turn: 25 });
  expect(hexes(table.play("unit st"))).toEqual(["2011", "2012", "2013", "2014", "2016", "2017", "2018"]);
  const inside = rails({ g1: "g-inf 2111", st: "s-train 2011" }).play("unit st");
  // from zone to zone it can't go, out of it it can
  expect(hexes(inside)).toEqual(["2012", "2013", "2014", "2015", "2016", "2017", "2018"]);
});

rule("SOS 16.62", "a zone of control of counters that it does not see stops it where it meets them", () => {
  const city = { ...(line["hexes"] as JsonObject), "2115": { t: "city" } };
  const table = rails({ g1: "g-inf 2115" }, { map: { base: "blank", hexes: city } });
  table.play("unit st", "hex 2018");
  // 2115 is beside 2014 and 2015
  expect([table.at("st"), (table.position["announced"] as JsonObject)["2115"]]).toEqual(["2014", "zoc"]);
});

rule("SOS 16.63", "it fires at adjacent hexes, attacks, and is armor as a target", () => {
  const attack = new Table(
    { st: "s-train 2011", s1: "s-inf 2011", g1: "g-inf 2010" },
    { ...attacks(12, "2010"), map: line },
  ).play("unit s1", "unit st", "normal", "done: 10");
  expect(attack.rolls).toMatchObject([{ kind: "attack", hex: "2010", points: 9 }]);
  const defence = new Table(
    { st: "s-train 2011", g1: "g-inf 2012", g2: "g-inf 2012" },
    { ...attacks(5, "2011"), map: line },
  );
  defence.play("unit g1", "done", "normal", "all: 10 10");
  expect(defence.rolls).toMatchObject([
    { kind: "defense", points: 6, hex: "2012" },
    { kind: "attack", hex: "2011", drms: { "armor-target": 1 } },
  ]);
});

rule("SOS 16.61", "driven out of its hex it goes by rail, or is lost", () => {
  const attack = (st: string): Table =>
    new Table(
      { g1: "g-inf 2110", g2: "g-inf 2110", g3: "g-inf 2110", st, s2: `s-inf ${st.split(" ")[1]!}` },
      { ...attacks(5, st.split(" ")[1]!), map: line },
    ).play("unit g1", "unit g2", "unit g3", "normal", "done: 5");
  // 2110 is beside 2009 and 2010: of the hexes beside 2010 its rails lead to 2011 alone
  const away = attack("s-train 2010");
  expect(away.rolls.at(-1)!["result"]).toBe("P");
  expect(away.play("unit st").at("st")).toBe("2011");
  const map = { base: "blank", hexes: { "2010": { t: "clear", f: ["railroad"] } } };
  const lost = new Table(
    { g1: "g-inf 2110", g2: "g-inf 2110", g3: "g-inf 2110", st: "s-train 2010" },
    { ...attacks(5, "2010"), map },
  ).play("unit g1", "unit g2", "unit g3", "normal", "done: 5");
  expect([lost.rolls.at(-1)!["result"], lost.at("st")]).toEqual(["P", "dead"]);
});

rule("SOS 16.64", "a lost train does not come back", () => {
  const table = new Table(
    { st: "s-train dead", s1: "s-inf dead", s2: "s-inf 2030" },
    { phase: 10, stage: "arrive", replacements: { soviet: { af: 30 } }, map: { base: "standard" } },
  );
  expect(table.legal).toContain("unit s1");
  expect(table.legal).not.toContain("unit st");
});

rule("SOS 16.65", "a train makes no mixed hex of its own", () => {
  const attack = (type: string): JsonObject => {
    const other = { type, at: "2010", formation: "62A/95RD/90" };
    const units = { g1: "g-inf 2110", s1: { type: "s-inf", at: "2010", formation: "62A/112RD/1" }, other };
    const table = new Table(units, { ...attacks(5, "2010"), map: line }).play("normal", "done: 10");
    return table.rolls.at(-1)!["drms"] as JsonObject;
  };
  expect(attack("s-tank")).toHaveProperty("integ-div-good", -1);
  expect(attack("s-train")).not.toHaveProperty("integ-div-good");
});

test("the longest railroad of the map is 106 hexes, and a train goes all of it", () => {
  const table = new Table(
    { st: "s-train 4012", sf: "s-inf 0570", gf: "g-inf 3070" },
    { phase: 10, stage: "normal", turn: 3, map: { base: "standard" } },
  ).play("unit st");
  expect(hexes(table)).toContain("4037");
  const { cost } = table.env.game.narration!.prompt(table.env.state, 1).choices.find((c) => c.name === "hex 4037")!;
  expect(cost).toBe(106);
  table.play("hex 4037");
  expect(table.at("st")).toBe("4037");
});

test("a train is refused where no railroad is", () => {
  expect(() => rails({ st: "s-train 2110" })).toThrow("units.st.at: a train is on a railroad hex");
});
