import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const GUARDS = "62A/13GRD/42";
const CITY = ground({ "2010": "city" });
/** A company of 15 AF beside 2010. */
const strong = { g1: { type: "g-inf", at: "2009", af: 15 } };
/** Soviets attack 2010 by night. */
const NIGHT = { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
const phase12 = attacks(12, "2010", "3031");

rule("SOS 9.85", "a sniper who is only spent keeps his hex, one who is driven out of it does not", () => {
  const units = { ...strong, sn: "s-sniper 2010", s5: "s-inf 2040", ...ELSEWHERE };
  const spent = new Table(units, { ...phase5("2010"), ...CITY }).play("hex 2010", "normal: 6");
  expect(spent.rolls[0]).toMatchObject({ result: "-" });
  expect([spent.at("sn"), spent.ask]).toEqual(["2010", "attack.unit"]);
  const hit = new Table(units, { ...phase5("2010"), ...CITY }).play("hex 2010", "normal: 2");
  expect(hit.rolls[0]).toMatchObject({ result: "P" });
  expect([hit.unit("sn")["spent"], hit.ask]).toEqual([true, "attack.unit"]);
  const driven = new Table(units, phase5("2010")).play("hex 2010", "normal: 5");
  expect(driven.rolls[0]).toMatchObject({ result: "P" });
  driven.play("hex 2011");
  expect([driven.at("sn"), driven.ask]).toEqual(["2011", "advance.unit"]);
});

rule(
  "SOS 16.15",
  "a sniper who stayed alone when the others left before the combat keeps the hex if the attack misses",
  () => {
    const units = { ...strong, s1: "s-guards 2010", sn: "s-sniper 2010", s5: "s-inf 2040", ...ELSEWHERE };
    const left = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1", "hex 2012: 10");
    expect([left.at("s1"), left.at("sn"), left.ask]).toEqual(["2012", "2010", "attack.unit"]);
  },
);

rule("SOS 14.97", "by night a German OP whom the attack misses keeps the hex", () => {
  const units = { s1: { type: "s-inf", at: "2009", af: 15 }, s2: "s-inf 2009", go: "g-op 2010", ...NIGHT };
  const missed = new Table(units, phase12).play("hex 2010", "all", "normal", "done: 10");
  expect([missed.at("go"), missed.ask]).toEqual(["2010", "attack.unit"]);
  const hit = new Table(units, phase12).play("hex 2010", "all", "normal", "done: 1");
  expect([hit.at("go"), hit.ask]).toEqual(["dead", "advance.unit"]);
});

rule("SOS 9.45", "a hex that German armor left before the combat is not entered", () => {
  const units = { s1: "s-inf 2009", gt: "g-tank 2010", ...NIGHT };
  const left = new Table(units, phase12).play("hex 2010", "normal", "unit gt", "hex 2012");
  expect([left.at("gt"), left.ask, left.rolls]).toEqual(["2012", "attack.unit", []]);
  expect(left.unit("s1")).toMatchObject({ at: "2009", spent: true });
});

rule("SOS 10.6", "a breakthrough has to eliminate an OP alone: a miss spends the attackers", () => {
  const stage = { phase: 3, stage: "breakthrough" };
  const units = { ...strong, so: "s-op 2010" };
  const missed = new Table(units, stage).play("hex 2010", "normal: 10");
  expect(missed.position["marks"]).toBeUndefined();
  expect([missed.at("so"), missed.unit("g1")["spent"], missed.at("g1")]).toEqual(["2010", true, "2009"]);
  const hit = new Table(units, stage).play("hex 2010", "normal: 1");
  expect([hit.at("so"), hit.at("g1")]).toEqual(["dead", "2010"]);
});

rule("SOS 9.85", "what was eliminated stays noted while a leader of the hex makes way", () => {
  const units = {
    ...strong,
    s1: of("s-guards", "2010", `${GUARDS}/1`),
    sl: of("s-leader", "2010", GUARDS),
    s2: of("s-guards", "2040", `${GUARDS}/2`),
    s3: of("s-guards", "2240", `${GUARDS}/3`),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9");
  expect(table.ask).toBe("leader.move");
  expect((table.position["frames"] as unknown as JsonObject[]).at(-1)).toMatchObject({ cleared: true });
  expect(table.play("hex 2040").ask).toBe("advance.unit");
});
