import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
type Units = Record<string, string | JsonObject>;
const SUBURB = ground({ "2010": "suburb" });
const NIGHT = { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
const isOffered = (units: Units, stage: JsonObject): boolean => new Table(units, stage).legal.includes("hex 2010");

rule(
  "SOS 18.17",
  "a leader seen to be alone is no target by day or night; with an OP or face down the hex is one",
  () => {
    const mark = { phase: 3, stage: "mark" };
    const chief: Units = { sl: "s-leader 2010" };
    const by: [Units, JsonObject][] = [
      [{ g1: "g-inf 2009" }, mark],
      [{ gt: "g-tank 2012" }, attacks(5, "3031")],
      [{ gh: "g-how 2020", go: "g-op-li 2008" }, attacks(5, "3031")],
      [{}, { ...attacks(5, "3031"), stukas: { available: 1, used: 0 } }],
      [{ g1: "g-inf 2009" }, attacks(5, "2010", "3031")],
      [{ g1: "g-inf 2009" }, { phase: 3, stage: "breakthrough" }],
      [{ g1: "g-inf 2009" }, { phase: 7, stage: "breakthrough" }],
    ];
    for (const [units, stage] of by) {
      expect(isOffered({ ...units, ...chief, ...ELSEWHERE }, stage)).toBe(false);
      expect(isOffered({ ...units, sc: "s-commissar 2010", ...ELSEWHERE }, stage)).toBe(false);
      expect(isOffered({ ...units, ...chief, so: "s-op 2010", ...ELSEWHERE }, stage)).toBe(true);
      expect(isOffered({ ...units, ...chief, ...ELSEWHERE }, { ...stage, ...SUBURB })).toBe(true);
      // known, though face down
      const known = { ...stage, ...SUBURB, known: { german: ["sl"] } };
      expect(isOffered({ ...units, ...chief, ...ELSEWHERE }, known)).toBe(false);
    }
    const night: Units = { s1: "s-inf 2009", gl: "g-leader 2010", ...NIGHT };
    expect(isOffered(night, { phase: 10, stage: "mark" })).toBe(false);
    expect(isOffered({ ...night, go: "g-op 2010" }, { phase: 10, stage: "mark" })).toBe(true);
  },
);

rule("SOS 18.17", "armor that leaves its leader behind leaves nothing to roll for", () => {
  const units = { s1: "s-inf 2009", gt: "g-tank 2010", gl: "g-leader 2010", ...NIGHT };
  const left = new Table(units, attacks(12, "2010", "3031")).play("hex 2010", "normal", "unit gt", "hex 2012", "done");
  expect([left.at("gl"), left.rolls, left.ask]).toEqual(["2010", [], "attack.unit"]);
});

const OP = of("g-op", "2015", "51K/71ID");
const moving = (units: Units, rest: JsonObject = { phase: 3, stage: "normal" }) => new Table(units, rest);

rule("SOS 11.1", "an OP that moves alone is hit, pinned or missed as any unit", () => {
  const units: Units = { go: OP, st: { type: "s-tank", at: "2010", df: 10 } };
  const fire = (die: number) => moving(units).play("unit go", "hex 2012", `unit st: ${die}`);
  expect(fire(1).at("go")).toBe("dead");
  const pinned = fire(5);
  expect(pinned.rolls[0]).toMatchObject({ kind: "opportunity", result: "P", drms: {} });
  expect(pinned.unit("go")).toMatchObject({ at: "2012", pinned: true, newPin: true });
  const missed = fire(9);
  expect(missed.unit("go")).toMatchObject({ at: "2012" });
  expect(missed.unit("go")["pinned"]).toBeUndefined();
});

rule("SOS 14.97", "mortars alone may use the table for bombardments at a moving OP, by day and by night", () => {
  const units: Units = { go: OP, sm: { type: "s-mortar", at: "2010", af: 30 }, s1: "s-inf 2010" };
  const table = moving(units).play("unit go", "hex 2013", "unit sm", "wbbt: 1");
  expect(table.rolls[0]).toMatchObject({ kind: "opportunity", table: "WBBT", hex: "2014" });
  expect(table.at("go")).toBe("dead");
  const night: Units = { so: "s-op 2015", gt: "g-tank 2010" };
  expect(moving(night, { phase: 10, stage: "normal" }).play("unit so", "hex 2012").ask).toBe("op.fire");
});

rule("SOS 14.97", "beside units that fight neither an OP nor a leader who moves with it is a target", () => {
  const st = { type: "s-tank", at: "2010", df: 10 };
  // in the hex of friends that stay, at the start and at the end of its way
  const kept = moving({ go: of("g-op", "2012", "51K/71ID"), g1: "g-inf 2012", g2: "g-inf 2113", st });
  kept.play("unit go", "hex 2113");
  expect(kept.at("go")).toBe("2113");
  const led = moving({ go: OP, gl: of("g-leader", "2015", "51K/71ID"), g1: "g-inf 2030", st }).play(
    "unit go",
    "unit gl",
  );
  led.play("hex 2012", "unit st: 1");
  expect([led.at("go"), led.at("gl")]).toEqual(["dead", "2012"]);
  expect(led.rolls.map((r) => r["kind"])).toEqual(["opportunity"]);
  const company = moving({ go: OP, g1: "g-inf 2015", g2: "g-inf 2015", st }).play("unit go", "unit g1", "unit g2");
  company.play("hex 2012", "unit st: 1");
  expect(company.legal).toEqual(["unit g1", "unit g2"]);
});

rule("SOS 9.47", "an OP that retreats before the combat is fired at in the open", () => {
  const units = { s1: "s-inf 2009", st: "s-tank 2213", g1: "g-inf 2010", go: "g-op 2010", ...NIGHT };
  const table = new Table(units, attacks(12, "2010", "3031")).play("hex 2010", "normal");
  table.play("unit go", "hex 2012");
  expect(table.ask).toBe("op.fire");
});

rule(
  "SOS 9.82",
  "armor goes first for a silent gun in the attacked hex, not for one that supports from elsewhere",
  () => {
    const fire = (guns: Units, ...steps: string[]) =>
      new Table(
        { gt: "g-tank 2009", g1: "g-inf 2009", s1: { type: "s-inf", at: "2010", df: 12 }, ...guns, ...ELSEWHERE },
        phase5("2010"),
      ).play("hex 2010", "all", "no", "normal", ...steps);
    const silent: Units[] = [
      { sa: "s-at 2010" },
      { sa: { type: "s-at", at: "2010", pinned: true } },
      { sa: "s-tank 2010" },
    ];
    for (const guns of silent) expect(fire(guns, "hex 2009", "unit s1", "done: 1 9").at("gt")).toBe("dead");
    expect(fire({ sa: { type: "s-at", at: "2010", unready: true } }, "hex 2009: 1 9").at("gt")).toBe("dead");
    const support = fire({ sa: "s-at 2209" }, "hex 2009", "unit s1", "unit sa: 1");
    expect(support.rolls[0]).toMatchObject({ points: 12 + 5, drms: {} }); // its AF of 3, half more at two hexes
    expect(support.legal.toSorted()).toEqual(["unit g1", "unit gt"]);
    const none = fire({ s2: "s-inf 2010" }, "hex 2009", "unit s1", "done: 1");
    expect(none.legal.toSorted()).toEqual(["unit g1", "unit gt"]);
  },
);

rule("SOS 9.82", "Soviet armor goes first where a German gun stays silent", () => {
  const units = { st: "s-tank 2009", s1: "s-inf 2009", g1: { type: "g-inf", at: "2010", df: 12 }, ga: "g-at 2010" };
  const table = new Table({ ...units, ...NIGHT }, attacks(12, "2010", "3031")).play(
    "hex 2010",
    "all",
    "normal",
    "done",
  );
  table.play("hex 2009", "unit g1", "done: 1 10");
  expect(table.at("st")).toBe("dead");
});

/** The Soviets in 2011 and 1911 may strike back at 2010. */
const counter = (units: Units, actor: "german" | "soviet") =>
  new Table(
    { ...units, ...(actor === "soviet" ? ELSEWHERE : NIGHT) },
    {
      ...attacks(actor === "soviet" ? 5 : 12, "3031"),
      attacked: ["2010"],
      frames: [{ ask: "attack.target", actor: actor === "soviet" ? "german" : "soviet" }],
      decision: { ask: "ica.unit", actor, hex: "2010" },
    },
  ).legal.toSorted();

rule("SOS 12.5", "Soviet engineers don't counter-attack, Guards among them or led, German ones do", () => {
  const soviets = {
    s1: "s-inf 2011",
    st: "s-tank 2011",
    sl: "s-leader 2011",
    se: { type: "s-eng", at: "1911", guards: true },
    sf: { type: "s-flame", at: "1911" },
    sc: "s-commissar 1911",
    s3: { type: "s-eng", at: "2111" },
    s4: "s-guards 2111",
  };
  expect(counter({ ...soviets, g1: "g-inf 2010" }, "soviet")).toEqual(["all", "pass", "unit s1", "unit s4", "unit st"]);
  const germans = { ge: "g-eng 2011", gc: "g-ceng 2011", gt: "g-stug 2011", ga: "g-at 1911", s1: "s-inf 2010" };
  expect(counter(germans, "german")).toEqual(["all", "pass", "unit gc", "unit ge", "unit gt"]);
});
