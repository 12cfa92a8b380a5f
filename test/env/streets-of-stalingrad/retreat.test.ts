import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
/** A German company attacks two Guards from the north. */
const assault = { ...ELSEWHERE, g1: "g-inf 2009", s1: "s-guards 2010", s2: "s-guards 2010" };

/** Where s1 may retreat to. */
const waysOf = (units: Record<string, string | JsonObject>, bombs: Record<string, number> = {}): readonly string[] => {
  const shells = Object.entries(bombs).map(([hex, af]) => [hex, [{ side: "german", af, mode: "fired", until: 5 }]]);
  const table = new Table(units, { ...attacks(5, "2010", "3031"), bombs: Object.fromEntries(shells) as JsonObject });
  return table.play("hex 2010", "normal", "unit s1").legal;
};

rule("SOS 9.47", "nobody retreats into a hex with enemy counters, or through it, whatever they are", () => {
  expect(waysOf(assault)).toEqual(expect.arrayContaining(["hex 2011", "hex 2012"]));
  for (const type of ["g-leader", "g-op"]) expect(waysOf({ ...assault, gz: `${type} 2011` })).not.toContain("hex 2011");
  expect(waysOf({ ...assault, gb: "g-leader 2011", gc: "g-op 2111" })).not.toContain("hex 2012");
});

const SOUTH = { "1911": 5, "2011": 5, "2111": 5 };

rule("SOS 9.48", "foot and armor retreat through further hexes under shells, at no cost of their own", () => {
  expect(waysOf(assault, SOUTH)).toContain("hex 2012");
  const tank = { ...assault, s1: "s-tank 2010", sk: "s-commissar 2010" };
  expect(waysOf(tank, SOUTH)).toContain("hex 2013");
});

rule("SOS 9.48", "leaving the attacked hex costs 1 MP for every whole 5 points on it", () => {
  const tank = { ...assault, s1: "s-tank 2010", sk: "s-commissar 2010" };
  for (const [points, far, farther] of [
    [4, "hex 2015", "hex 2016"],
    [5, "hex 2014", "hex 2015"],
    [9, "hex 2014", "hex 2015"],
    [10, "hex 2013", "hex 2014"],
  ] as const) {
    const ways = waysOf(tank, { "2010": points });
    expect([points, ways.includes(far), ways.includes(farther)]).toEqual([points, true, false]);
  }
});

rule("SOS 9.48", "Stukas of the attack add to shells that interdict the hex (R69)", () => {
  const interdicts = (af: number) =>
    ({ "2010": [{ side: "german", af, mode: "interdict", until: 5 }] }) as unknown as JsonObject;
  const ways = (stukas: string) => {
    const units = { ...assault, s1: "s-tank 2010", sk: "s-commissar 2010", go: "g-op-lw 2008" };
    const rest = { ...attacks(5, "2010", "3031"), stukas: { available: 2 }, bombs: interdicts(1) };
    return new Table(units, rest).play("hex 2010", "unit g1", stukas, "normal", "unit s1").legal;
  };
  // 1 point alone costs nothing, 10 points of two Stukas more cost 2 MP
  expect([ways("done").includes("hex 2015"), ways("done").includes("hex 2016")]).toEqual([true, false]);
  expect([ways("n 2").includes("hex 2013"), ways("n 2").includes("hex 2014")]).toEqual([true, false]);
});

rule("SOS 9.48", "motorised units and towed guns enter hexes under shells and go no farther", () => {
  const truck = { ...assault, s1: { type: "s-guards", at: "2010", mp: 24 } };
  expect(waysOf(truck)).toContain("hex 2013");
  const ways = waysOf(truck, SOUTH);
  expect(ways).toContain("hex 2011");
  expect(ways).not.toContain("hex 2012");
});

rule("SOS 9.43", "only the defender's leaders retreat from a hex that leaders of both sides share", () => {
  const chiefs = { gl: "g-leader 2010", sl: "s-leader 2010", so: "s-op 2010" };
  const table = new Table({ ...ELSEWHERE, g1: "g-inf 2009", ...chiefs }, attacks(5, "2010", "3031"));
  expect(table.play("hex 2010", "normal").legal).toEqual(["done", "unit sl", "unit so"]);
});

/** Germans, Soviets or both have leaders and OPs in 2010, which Germans in 2009 may attack. */
const shared = (units: Record<string, string | JsonObject>, stage: JsonObject) =>
  new Table({ ...ELSEWHERE, g1: "g-inf 2009", ...units }, stage);

rule("SOS 9.114", "an attack marker covers the defender's pins, not those of the attacker's OP in that hex", () => {
  const pinned = (type: string) => ({ type, at: "2010", pinned: true });
  const stage = { phase: 3, stage: "mark", marks: { "3031": ["attack"] } };
  const table = shared({ go: pinned("g-op"), so: pinned("s-op") }, stage).play("hex 2010");
  expect(table.unit("so")).toMatchObject({ pinned: true, pinHeld: true });
  expect(table.unit("go")).toMatchObject({ pinned: true });
  expect(table.unit("go")).not.toHaveProperty("pinHeld");
});

rule(
  "SOS 9.43",
  "when all units have left a hex nothing is rolled, even if a leader of the attackers is still there",
  () => {
    const chiefs = { so: "s-op 2010", sl: "s-leader 2010", gl: "g-leader 2010" };
    const left = shared(chiefs, attacks(5, "2010", "3031"));
    left.play("hex 2010", "normal", "unit so", "hex 2011", "unit sl", "hex 2011");
    expect([left.at("so"), left.at("sl"), left.at("gl")]).toEqual(["2011", "2011", "2010"]);
    expect(left.rolls).toEqual([]);
    // nor does anybody advance: the attack has eliminated nobody and driven nobody out (R37)
    expect(left.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
    expect(left.unit("g1")["spent"]).toBe(true);
  },
);

rule(
  "SOS 9.71",
  "a leader of the attackers in the hex does not count as foot: the odds shown are those of the die",
  () => {
    const ravine = { ...attacks(5, "2010", "3031"), ...ground({ "2010": "balka" }), known: { german: ["st"] } };
    const table = shared({ gl: "g-leader 2010", st: "s-transport 2010" }, ravine).play("hex 2010");
    const { choices } = table.env.game.narration!.prompt(table.env.state, 0);
    expect(choices.find(({ name }) => name === "normal")!.text).toContain("no modifier");
    expect(table.play("normal: 10").rolls).toMatchObject([{ kind: "attack", drms: {} }]);
  },
);

rule("SOS 9.48", "leaders and OPs retreat up to a quarter of their MP, as all others do", () => {
  const chiefs = { ...assault, sl: "s-leader 2010", so: "s-op 2010" };
  for (const id of ["sl", "so"]) {
    const { legal } = new Table(chiefs, attacks(5, "2010", "3031")).play("hex 2010", "normal", `unit ${id}`);
    expect(legal).toContain("hex 2014");
    expect(legal).not.toContain("hex 2015");
  }
});
