import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, Table } from "./table.js";
import { ELSEWHERE, phase5, three } from "./set-ups.js";

const rule = ruleTests(rules);

const cleared = {
  ...three,
  ...ELSEWHERE,
  s0: "s-inf 2010",
  s1: "s-guards 2011",
  s2: "s-guards 1911",
  s3: "s-guards 2013",
};
const entered = (units: Record<string, string> = cleared) =>
  new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 1", "unit g1", "done");

rule("SOS 12.1", "the defender may counter-attack a hex that was just entered", () => {
  const table = entered();
  expect(table.ask).toBe("ica.unit");
  expect(table.play("pass").unit("g1")).toMatchObject({ at: "2010", spent: true });
  const halted = new Table(cleared, phase5("2010")).play("hex 2010", "all", "normal", "done: 1", "done");
  expect(halted.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 12.2", "there is one counter-attack for each hex entered", () => {
  const table = entered().play("unit s1", "done: 2");
  expect(table.at("s1")).toBe("dead");
  expect(table.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 12.3", "only adjacent units counter-attack", () => {
  expect(entered().legal).not.toContain("unit s3");
});

rule("SOS 12.4", "units of several hexes counter-attack together", () => {
  const table = entered().play("all: 2");
  expect(table.rolls[0]).toMatchObject({ kind: "ica", drm: 4 });
});

rule("SOS 12.8", "the loser chooses the losses", () => {
  const table = entered().play("unit s1", "unit s2: 1");
  expect(table.rolls[0]).toMatchObject({ mdr: 5, result: "D1" });
  expect(table.at("g1")).toBe("dead");
  const lost = entered().play("all: 1");
  expect(lost.at("g1")).toBe("dead");
});

rule("SOS 12.6", "units driven back go two hexes, each step away from the hex", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011" };
  const table = new Table(
    { ...units, ...ELSEWHERE },
    {
      ...phase5(),
      attacked: ["2010"],
      frames: [{ ask: "attack.target", actor: "german" }],
      decision: { ask: "ica.unit", actor: "soviet", hex: "2010" },
    },
  );
  table.play("all: 7", "unit g1");
  // 1911 and 2111 are in the zone of the Soviets in 2011
  expect(table.legal).toEqual(["hex 1910", "hex 2009", "hex 2110"]);
  table.play("hex 2009");
  expect(table.at("g2")).toBe("2009");
  expect(table.legal).toEqual(["hex 1909", "hex 2008", "hex 2109"]);
  table.play("hex 2008");
  expect(table.at("g2")).toBe("2008");
  expect(table.ask).toBe("advance.unit");
  expect(table.play("unit s1", "done").unit("s2")).toMatchObject({ at: "2011", spent: true });
});

/**
 * A hex that the Germans in `phase5`, or the Soviets in `phase12`, have just entered: its old owner may strike back.
 */
const struck = (units: Record<string, string | JsonObject>, actor: "german" | "soviet", more: JsonObject = {}) =>
  new Table(
    { ...units, ...(actor === "soviet" ? ELSEWHERE : { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" }) },
    {
      ...attacks(actor === "soviet" ? 5 : 12, "3031"),
      attacked: ["2010"],
      frames: [{ ask: "attack.target", actor: actor === "soviet" ? "german" : "soviet" }],
      decision: { ask: "ica.unit", actor, hex: "2010" },
      ...more,
    },
  );

// ruling R39
rule(
  "SOS 12.5",
  "German self-propelled guns count as armor, towed ones and Soviet ones of any kind as artillery",
  () => {
    const gun = (type: string) => ({ type, at: "2011", kind: "sp-gun" });
    const german = struck({ s1: "s-inf 2010", gs: gun("g-tank"), ga: "g-at 2011", gm: "g-mortar 2011" }, "german");
    expect(german.legal).toEqual(["pass", "unit gs"]);
    const soviet = struck({ g1: "g-inf 2010", ss: gun("s-tank"), st: "s-tank 2011", sl: "s-leader 2011" }, "soviet");
    expect(soviet.legal).toEqual(["pass", "unit st"]);
  },
);

// ruling R39
rule("SOS 12.6", "leaders and OPs of the hex go the two hexes along with the first that was driven back", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", gl: "g-leader 2010", go: "g-op 2010", s1: "s-guards 2011" };
  const table = struck({ ...units, s2: "s-guards 2011" }, "soviet");
  table.play("all: 7", "unit g1: 10", "hex 2009", "hex 2008");
  expect([table.at("g2"), table.at("gl"), table.at("go")]).toEqual(["2008", "2008", "2008"]);
  expect(table.ask).toBe("advance.unit");
});

// ruling R39
rule("SOS 12.6", "units that can't go two hexes are lost, and the OP with the last of them", () => {
  const ring = { s3: "s-inf 2008", s4: "s-inf 1909", s5: "s-inf 2109", s6: "s-inf 1911", s7: "s-inf 2111" };
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", go: "g-op 2010", s1: "s-guards 2011", s2: "s-guards 2011" };
  const table = struck({ ...units, ...ring }, "soviet").play("all: 7", "unit g1");
  expect([table.at("g2"), table.at("go")]).toEqual(["dead", "dead"]);
});

// ruling R39
rule("SOS 12.6", "the counter-attackers enter the hex up to the stacking limit", () => {
  const three = Object.fromEntries([1, 2, 3].map((i) => [`s${i}`, "s-guards 2011"]));
  const table = struck({ g1: "g-inf 2010", ...three, s4: "s-guards 1911", s5: "s-guards 1911" }, "soviet");
  table.play("all: 1");
  expect(table.ask).toBe("advance.unit");
  let entered = 0;
  while (table.ask === "advance.unit" && table.legal.some((a) => a.startsWith("unit"))) {
    table.play(table.legal.find((a) => a.startsWith("unit"))!);
    entered++;
  }
  expect(entered).toBe(3);
});

// ruling R39
rule("SOS 12.6", "the first of the two hexes must leave a second", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011" };
  // all hexes behind 2009 are in the zone of these two
  const table = struck({ ...units, s3: "s-inf 1908", s4: "s-inf 2108" }, "soviet").play("all: 7", "unit g1");
  expect(table.legal).toEqual(["hex 1910", "hex 2110"]);
});

// ruling R39: from the bank of the ravine in 2009 that it would come to, a tank has no second hex
rule("SOS 8.12", "a vehicle retreats over no first hex whose ravine leaves it no second", () => {
  const units = { g1: "g-tank 2010", g2: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011", s3: "s-inf 3060" };
  const map = { base: "blank", hexes: { "2009": { t: "balka", balka: "15", block: "rule" } } };
  const retreats = (more: JsonObject) => struck(units, "soviet", more).play("all: 10", "unit g2").legal;
  expect(retreats({})).toEqual(["hex 1910", "hex 2009", "hex 2110"]);
  expect(retreats({ map })).toEqual(["hex 1910", "hex 2110"]);
});

rule(
  "SOS 14.97",
  "one of the counter-attackers from two hexes is lost: an OP alone with it is lost too, one beside others stays",
  () => {
    const units = {
      g1: { type: "g-inf", at: "2010", df: 14 },
      s1: "s-guards 2011",
      so: "s-op 2011",
      s2: "s-guards 1911",
    };
    for (const [lost, left] of [
      ["s1", "dead"],
      ["s2", "2011"],
    ] as const) {
      const table = struck(units, "soviet").play("all: 1", `unit ${lost}`);
      expect([table.at(lost), table.at("so")]).toEqual(["dead", left]);
    }
  },
);
