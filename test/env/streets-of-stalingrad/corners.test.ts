import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5, three } from "./set-ups.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const QUIET = { opFire: false };
const of = (type: string, at: string, formation: string, more = {}): JsonObject => ({ type, at, formation, ...more });
type Units = Record<string, string | JsonObject>;

rule("SOS 9.71", "a fort helps every unit of its hex but armor alone, in an attack and under guns", () => {
  const attack = (units: Units): unknown =>
    new Table({ ...three, ...units, sf: "s-fort 2010", s9: "s-inf 3570", ...ELSEWHERE }, phase5("2010")).play(
      "hex 2010",
      "all",
      "normal",
      "done: 10",
    ).rolls[0]!["drms"];
  expect(attack({ st: "s-tank 2010" })).not.toHaveProperty("fort");
  expect(attack({ s1: "s-inf 2010" })).toHaveProperty("fort", 1);
  expect(attack({ st: "s-tank 2010", s1: "s-inf 2010" })).toHaveProperty("fort", 1);
  const shell = (units: Units): unknown =>
    new Table(
      {
        g1: of("g-inf", "2009", "51K/71ID/191/II"),
        gm: of("g-mortar", "2005", "51K/71ID/191/II"),
        ...units,
        sf: "s-fort 2010",
      },
      { phase: 2, stage: "plot-first" },
    ).play("hex 2010", "wbbt: 10").rolls[0]!["drms"];
  expect(shell({ st: "s-tank 2010" })).not.toHaveProperty("fort");
  expect(shell({ s1: "s-inf 2010" })).toHaveProperty("fort", 1);
  expect(shell({ st: "s-tank 2010", s1: "s-inf 2010" })).toHaveProperty("fort", 1);
});

rule("SOS 10.7", "a unit that comes to the marker beside the enemy may go on, and elsewhere stops there", () => {
  const units = { g1: "g-inf 2012", s1: "s-inf 2009", g9: "g-inf 2016" };
  const through = (rest: JsonObject) =>
    new Table(units, { stage: "breakthrough", ...rest }, QUIET).play("unit g1", "via").legal;
  expect(through({ marks: { "2010": ["breakthru"] } })).toContain("hex 2010");
  expect(through({})).not.toContain("hex 2010");
});

rule("SOS 9.85", "a mine dog left alone does not keep the attackers out: it gives way as a sniper does", () => {
  const units = { ...three, s1: "s-inf 2010", sd: "s-dog 2010", s2: "s-inf 2014", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 2");
  if (table.ask === "loss.pick") table.play("unit s1");
  expect(table.at("s1")).toBe("dead");
  expect(table.ask).toBe("advance.unit");
  table.play("unit g1");
  if (table.ask === "leader.move") table.play("hex 2014");
  expect([table.at("g1"), table.at("sd")]).toEqual(["2010", "2014"]);
});

rule("SOS 8.24", "a deployment ends three hexes from any enemy, and no nearer to the nearest than a friend is", () => {
  const legal = (units: Units, phase = 3): readonly string[] =>
    new Table(units, { phase, stage: "deploy" }, QUIET).play(phase === 3 ? "unit g1" : "unit s1").legal;
  const beside = legal({ g1: "g-inf 2020", g2: "g-inf 2027", s1: "s-inf 2028" });
  expect(beside).toContain("hex 2025");
  expect(beside).not.toContain("hex 2026");
  const behind = legal({ g1: "g-inf 2020", g2: "g-inf 2024", s1: "s-inf 2032" });
  expect(behind).toContain("hex 2024");
  expect(behind).not.toContain("hex 2025");
  // a leader is no friend to go behind
  const led = legal({ g1: "g-inf 2020", g2: "g-inf 2024", gl: "g-leader 2027", s1: "s-inf 2032" });
  expect(led).toContain("hex 2024");
  expect(led).not.toContain("hex 2025");
  const soviet = legal({ s1: "s-inf 2020", s2: "s-inf 2027", g1: "g-inf 2028" }, 10);
  expect(soviet).toContain("hex 2025");
  expect(soviet).not.toContain("hex 2026");
});

rule("SOS 9.71", "combat engineers escort armor as infantry does, construction engineers don't", () => {
  const asks = (escort: string): string | undefined =>
    new Table({ gt: "g-tank 2009", g1: `${escort} 2009`, s1: "s-inf 2010", ...ELSEWHERE }, phase5("2010")).play(
      "hex 2010",
      "all",
    ).ask;
  for (const escort of ["g-eng", "g-inf", "g-ainf"]) expect(asks(escort)).toBe("attack.drm");
  expect(asks("g-ceng")).not.toBe("attack.drm");
});

rule("SOS 8.74", "units that are cut off do not mount again", () => {
  const road = { map: { base: "blank", hexes: { "2010": { t: "clear", f: ["road"] } } } };
  const walker = (more: JsonObject) => ({ g1: { type: "g-motinf", at: "2010", dismounted: true, ...more } });
  const legal = (more: JsonObject) => new Table(walker(more), road, QUIET).play("unit g1").legal;
  expect(legal({})).toContain("remount");
  for (const oos of [1, 4]) expect(legal({ oos })).not.toContain("remount");
});

rule(
  "SOS 9.73",
  "four of one regiment help each other only from two hexes, and only if they are of one division",
  () => {
    const REGIMENT = "62A/13GRD/42";
    const night = { phase: 12, stage: "attack", marks: { "2010": ["attack"], "3031": ["attack"] } };
    const drms = (hexes: readonly string[], last = REGIMENT): unknown => {
      const units = Object.fromEntries(
        hexes.map((at, i) => [`s${i}`, of("s-guards", at, i === hexes.length - 1 ? last : REGIMENT)]),
      );
      const far = { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
      return new Table({ ...units, g1: "g-inf 2010", ...far }, night).play("hex 2010", "all", "normal", "done: 10")
        .rolls[0]!["drms"];
    };
    expect(drms(["2009", "2009", "2009", "2009"])).not.toHaveProperty("integ-rg-good");
    expect(drms(["2009", "2009", "2009", "2011"])).toHaveProperty("integ-rg-good", -1);
    expect(drms(["2009", "2009", "2011"])).not.toHaveProperty("integ-rg-good");
    expect(drms(["2009", "2009", "2009", "2011"], "62A/39GRD/42")).not.toHaveProperty("integ-rg-good");
  },
);

rule("SOS 14.41", "each side has its own missions, so a hex that one has named is still open to the other", () => {
  const units = {
    g1: of("g-inf", "2009", "51K/71ID/191/II"),
    gm: of("g-mortar", "2005", "51K/71ID/191/II"),
    gn: of("g-mortar", "2005", "51K/71ID/191/II"),
    s1: of("s-inf", "2012", "62A/13GRD/42/1"),
    sm: of("s-mortar", "2015", "62A/13GRD/42/1"),
    sn: of("s-mortar", "2015", "62A/13GRD/42/1"),
  };
  const table = new Table(units, { phase: 2, stage: "plot-first" });
  expect(table.legal).toContain("hex 2010");
  table.play("hex 2010", "unit gm");
  expect(table.ask).toBe("bomb.target");
  expect(table.legal).not.toContain("hex 2010");
  table.play("done");
  expect(table.position["stage"]).toBe("plot-second");
  expect(table.legal).toContain("hex 2010");
});
