import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { attacks, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const RIFLES = "62A/112RD";
/** 15 AF beside 2010, and companies that close every way out of it. */
const ring = { g1: { type: "g-inf", at: "2009", af: 15 }, g4: "g-inf 1910", g5: "g-inf 2011" };
const chief = of("s-leader", "2010", RIFLES);
const attacked = (units: Record<string, string | JsonObject>) =>
  new Table({ ...ring, ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "unit g1", "done", "normal");

rule("SOS 9.83", "two units without a way out subtract 2 from their leader's die", () => {
  const units = { s1: of("s-inf", "2010", `${RIFLES}/1`), s2: of("s-inf", "2010", `${RIFLES}/2`), sl: chief };
  const table = attacked({ ...units, s9: of("s-inf", "2040", `${RIFLES}/3`) }).play("done: 4 9");
  expect(table.rolls[1]).toEqual({ kind: "leader", die: 9, drm: -2, mdr: 7, result: "survives" });
  expect([table.at("s1"), table.at("s2"), table.at("sl"), table.ask]).toEqual(["dead", "dead", "2040", "advance.unit"]);
});

rule("SOS 18.33", "a leader of lost units that had no way out may be wounded or lost", () => {
  const units = { s1: of("s-inf", "2010", `${RIFLES}/1`), sl: chief };
  expect(attacked(units).play("done: 4 6 3").at("sl")).toBe("turn-6");
  expect(attacked(units).play("done: 4 2").at("sl")).toBe("dead");
});

rule("SOS 18.33", "a leader rolls for the unit that dies and follows the one that retreats", () => {
  // 2011 is free but full for one more
  const full = { s5: "s-inf 2011", s6: "s-inf 2011" };
  const units = {
    g1: { type: "g-inf", at: "2009", af: 15 },
    s1: of("s-inf", "2010", `${RIFLES}/1`),
    s2: of("s-inf", "2010", `${RIFLES}/2`),
    sl: chief,
    ...full,
    ...ELSEWHERE,
  };
  const marks = phase5("2010", "1911", "2111");
  const table = new Table(units, marks).play("hex 2010", "normal", "done", "done: 4", "unit s1: 9");
  expect(table.rolls.at(-1)).toMatchObject({ kind: "leader", drm: -1, result: "survives" });
  expect([table.at("s1"), table.at("s2"), table.at("sl")]).toEqual(["2011", "dead", "2011"]);
});

rule("SOS 9.83", "units that a counter-attack drives back without a way out count too, on both sides", () => {
  const back = (actor: "german" | "soviet", units: Record<string, string | JsonObject>) =>
    new Table(units, {
      ...attacks(actor === "soviet" ? 5 : 12, "3031"),
      attacked: ["2010"],
      frames: [{ ask: "attack.target", actor: actor === "soviet" ? "german" : "soviet" }],
      decision: { ask: "ica.unit", actor, hex: "2010" },
    });
  const soviets = { s1: "s-guards 2011", s2: "s-guards 2011", s3: "s-guards 1910", s4: "s-guards 2009" };
  const germans = { g1: "g-inf 2010", g2: "g-inf 2010", gl: of("g-leader", "2010", "51K/71ID") };
  const day = back("soviet", { ...soviets, ...germans, ...ELSEWHERE, gz: of("g-inf", "2050", "51K/71ID/191/I") });
  day.play("all: 10", "unit g1: 9 8");
  expect(day.rolls.map((r) => [r["kind"], r["drm"]])).toEqual([
    ["leader", -1],
    ["leader", -1],
  ]);
  expect([day.at("g1"), day.at("g2"), day.at("gl")]).toEqual(["dead", "dead", "2050"]);
  const struck = { g1: "g-inf 2011", g2: "g-inf 2011", g3: "g-inf 1910", g4: "g-inf 2009" };
  const held = { s1: "s-inf 2010", s2: "s-inf 2010", sl: chief };
  const night = back("german", { ...struck, ...held, gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" });
  night.play("all: 10", "unit s1: 9 2");
  expect(night.rolls.map((r) => r["result"])).toEqual(["survives", "eliminated"]);
  expect([night.at("s2"), night.at("sl")]).toEqual(["dead", "dead"]);
});
