import { expect } from "vitest";
import { EventLog, type JsonObject, openCase, ScriptedDice } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
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

rule("SOS 9.85", "a sniper that is only spent keeps its hex, and one that is driven out does not", () => {
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
  "a sniper that stayed alone when the others left before the combat keeps the hex if the attack misses",
  () => {
    const units = { ...strong, s1: "s-guards 2010", sn: "s-sniper 2010", s5: "s-inf 2040", ...ELSEWHERE };
    const left = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1", "hex 2012: 10");
    expect([left.at("s1"), left.at("sn"), left.ask]).toEqual(["2012", "2010", "attack.unit"]);
  },
);

rule("SOS 14.97", "by night a German OP keeps the hex if the attack misses it", () => {
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

rule("SOS 9.85", "the eliminated units stay noted while a leader of the hex makes way", () => {
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

rule("SOS 16.25", "a counter that makes way is named to both sides, with the rule by which it goes", () => {
  const cleared = (id: string, type: string, more: Record<string, string> = {}) => {
    const units = { ...strong, s1: "s-inf 2010", [id]: `${type} 2010`, s4: "s-inf 2014", s5: "s-inf 2213", ...more };
    const { env } = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "normal");
    for (const action of ["done", "unit s1", "unit g1"])
      if (env.legal().includes(action)) env.step(action, new ScriptedDice(action === "done" ? [1] : []));
    const asked = [0, 1].map((viewer) => env.game.narration!.prompt(env.state, viewer));
    const log = new EventLog([0]);
    env.step("hex 2014", new ScriptedDice([]), log);
    return [...asked.map(({ text, rule: cited }) => [text, cited]), log.take(0).map((e) => e.rule)[0]];
  };
  const waits = (who: string) => `The Soviet side moves a ${who} out of 2010.`;
  const asks = (who: string, id: string) =>
    `The ${who} ${id} has to leave 2010 (clear): choose friends to go to, of the nearest.`;
  expect(cleared("sd", "s-dog")).toEqual([
    [waits("mine dog"), "SOS 16.25"],
    [asks("mine dog", "sd"), "SOS 16.25"],
    "SOS 16.25",
  ]);
  expect(cleared("sn", "s-sniper")).toEqual([
    [waits("sniper"), "SOS 16.15"],
    [asks("sniper", "sn"), "SOS 16.15"],
    "SOS 16.15",
  ]);
});

rule(
  "SOS 16.25",
  "a mine dog without friends is lost by its rule, and a leader and a dog make way one after the other",
  () => {
    const start = { phase: 3, stage: "normal" };
    const { env } = new Table({ g1: "g-inf 2013", sd: "s-dog 2012", sf: "s-dog 3570" }, start).play("unit g1");
    const log = new EventLog([0]);
    env.step("hex 2012", new ScriptedDice([]), log);
    expect(log.take(0).find((e) => e.what === "lost")).toMatchObject({ rule: "SOS 16.25", units: ["sd"] });
    const both = {
      g1: "g-inf 2013",
      sd: "s-dog 2012",
      sl: of("s-leader", "2012", GUARDS),
      s1: of("s-inf", "1808", GUARDS),
    };
    const table = new Table({ ...both, s2: of("s-inf", "2208", GUARDS) }, start).play("unit g1", "hex 2012");
    expect(table.ask).toBe("leader.move");
    const again = openCase(streetsOfStalingrad, { id: "r", rule: "", position: table.position, steps: [] });
    expect(again.game.write(again.state)).toEqual(table.position);
    table.play("hex 1808");
    expect(table.ask).toBe("leader.move");
    table.play("hex 2208");
    expect([table.at("g1"), table.at("sd"), table.at("sl")].sort()).toEqual(["1808", "2012", "2208"]);
  },
);

rule("SOS 9.87", "positions keep which units have retreated, so that a leader finds room with a later one", () => {
  const rifles = (id: string) => of("s-inf", "2010", `${GUARDS}/${id}`);
  const units = {
    ...{ ...strong, s1: rifles("1"), s2: rifles("2"), s3: rifles("3"), sl: of("s-leader", "2010", GUARDS) },
    ...{ s5: "s-inf 2011", sk: "s-leader 2011", ...ELSEWHERE },
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 4");
  table.play("unit s1", "hex 2011", "unit s3", "hex 2111");
  expect(table.position["decision"]).toMatchObject({ first: "s1", retreated: ["s3"] });
  const again = openCase(streetsOfStalingrad, { id: "r", rule: "", position: table.position, steps: [] });
  expect(again.game.write(again.state)).toEqual(table.position);
  again.step("hex 1911", new ScriptedDice([]));
  expect((again.game.write(again.state)["units"] as Record<string, JsonObject>)["sl"]).toMatchObject({ at: "2111" });
});
