import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { attacks, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
type Units = Record<string, string | JsonObject>;
const TWO = { g1: "g-inf 2009", g2: "g-inf 2009" };
const NIGHT = { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
const phase12 = attacks(12, "2010", "3031");
/** The die of an attack that nobody retreats from or fires at. */
function roll(table: Table): JsonObject {
  for (;;)
    try {
      return table.play("done: 10").rolls[0]!;
    } catch {
      table.play("done"); // a decision before the die
    }
}
/** The modifiers of two companies' attack on 2010, or by night of two rifle units'. */
const drmsOf = (units: Units): unknown =>
  roll(new Table({ ...TWO, ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "all", "normal"))["drms"];
const drmsBy = (units: Units): unknown =>
  roll(
    new Table({ s1: "s-inf 2009", s2: "s-inf 2009", ...units, ...NIGHT }, phase12).play("hex 2010", "all", "normal"),
  )["drms"];

rule("SOS 9.73", "guns, tanks and engineers of two divisions mix a target hex, independents and chiefs don't", () => {
  const s1 = of("s-inf", "2010", "62A/112RD/385/1");
  for (const type of ["s-how", "s-at", "s-mortar", "s-eng", "s-aa", "s-flame"])
    expect(drmsOf({ s1, s2: of(type, "2010", "62A/99TB") })).toMatchObject({ "integ-div-good": -1 });
  for (const formation of ["62A", "62A/112RD", "62A/112RD/416/2"])
    expect(drmsOf({ s1, s2: of("s-at", "2010", formation) })).toEqual({});
  expect(drmsOf({ s1, s2: { type: "s-at", at: "2010" } })).toEqual({});
  const beside = { s2: of("s-sniper", "2010", "62A/284RD"), so: of("s-op", "2010", "62A/284RD") };
  expect(drmsOf({ s1, ...beside, sc: of("s-commissar", "2010", "62A/284RD") })).toEqual({ "enemy-leader": 1 });
  expect(drmsOf({ s1: of("s-tank", "2010", "62A/6TB"), s2: of("s-how", "2010", "62A/112RD") })).toEqual({
    "armor-target": 1,
    "integ-div-good": -1,
  });
});

rule("SOS 9.73", "Soviets gain by a hex of two German divisions, tanks and guns among them", () => {
  const g1 = of("g-inf", "2010", "51K/71ID/191/I");
  for (const type of ["g-ig", "g-at", "g-eng", "g-mortar"])
    expect(drmsBy({ g1, g2: of(type, "2010", "51K/295ID") })).toMatchObject({ "integ-div-good": -1 });
  expect(drmsBy({ g1, g2: of("g-at", "2010", "51K/71ID") })).toEqual({});
  expect(drmsBy({ g1, g2: { type: "g-at", at: "2010" } })).toEqual({});
});

/** A leader beside 2010, of whose command s1 there is. */
const led = { s1: of("s-inf", "2010", "62A/112RD/1"), s3: of("s-inf", "2011", "62A/112RD/1") };
const chief = of("s-leader", "2011", "62A/112RD");
const tank = { type: "g-tank", at: "2012" };
/** The modifiers of the attack on 2010 after another action at 2011. */
function after(units: Units, stage: JsonObject, ...steps: string[]): unknown {
  const table = new Table({ ...TWO, ...led, sl: chief, ...units, ...ELSEWHERE }, { ...phase5("2010"), ...stage });
  return roll(table.play(...steps, "hex 2010", "all", "normal"))["drms"];
}

rule(
  "SOS 9.71",
  "Stukas alone at a leader's hex leave the leader's help, and direct fire from a distance removes it",
  () => {
    const flown = after({}, { stukas: { available: 1, used: 0 } }, "hex 2011", "wbbt: 10");
    expect(flown).toEqual({ "adjacent-leader": 1 });
    const shot = after({ gt: { ...tank, at: "2013" } }, {}, "hex 2011: 10");
    expect(shot).toEqual({});
  },
);

rule(
  "SOS 9.71",
  "a leader in a hex that is marked, attacked, or attacked with guns beside infantry does not help",
  () => {
    const marked = { marks: { "2010": ["attack"], "2011": ["attack"], "3031": ["attack"] } };
    expect(after({ g7: "g-inf 2012" }, marked)).toEqual({});
    expect(after({}, { attacked: ["2011"] })).toEqual({});
    expect(after({}, { attacked: ["2011"], barraged: ["2011"] })).toEqual({ "adjacent-leader": 1 });
  },
);

rule("SOS 9.71", "by night German leaders still help under Soviet shells", () => {
  const units = {
    g1: of("g-inf", "2010", "51K/71ID/191/I"),
    g2: of("g-inf", "2011", "51K/71ID/191/I"),
    gl: of("g-leader", "2011", "51K/71ID"),
    sh: "s-how 2020",
    so: "s-op 2007",
    s1: "s-inf 2009",
    s2: "s-inf 2009",
    ...NIGHT,
  };
  const table = new Table(units, phase12).play("hex 2011", "wbbt: 10", "hex 2010", "all", "normal");
  expect(roll(table)["drms"]).toEqual({ "adjacent-leader": 1 });
});

/** A company of the howitzer's division two hexes off, and the observer of the Luftwaffe. */
const air = { gl: "g-op-lw 2007", gh: of("g-how", "2020", "51K/71ID"), go: of("g-op", "2006", "51K/71ID") };
const flights = { stukas: { available: 1, used: 0 } };

rule(
  "SOS 14.31",
  "in an attack Stukas beside guns have the guns' modifier of spotting, beside infantry their own",
  () => {
    const units = { ...TWO, ...air, s1: "s-inf 2010", ...ELSEWHERE };
    const table = () => new Table(units, { ...phase5("2010"), ...flights });
    const own = table().play("hex 2010", "all", "n 1", "done", "normal", "done: 10");
    expect(own.rolls[0]!["drms"]).toEqual({ lwop: -1 });
    const together = table().play("hex 2010", "all", "n 1", "unit gh", "normal", "done: 10");
    expect(together.rolls[0]!["drms"]).toEqual({ spot: -1, "if-support": -1 });
  },
);

rule("SOS 14.31", "guns that see their target keep their own 0, also with Stukas, by either table", () => {
  const units = { gm: { type: "g-mortar", at: "2008" }, gl: "g-op-lw 2007", s1: "s-inf 2010", ...ELSEWHERE };
  for (const table of ["crt", "wbbt"]) {
    const stage = { phase: 2, stage: "plot-first", ...flights };
    const mixed = new Table(units, stage).play("hex 2010", "unit gm", "n 1", `${table}: 10`);
    expect(mixed.rolls[0]).toMatchObject({ points: 10, drms: {} });
    const alone = new Table({ gl: units.gl, s1: units.s1, ...ELSEWHERE }, stage).play("hex 2010", `${table}: 10`);
    expect(alone.rolls[0]).toMatchObject({ points: 5, drms: { lwop: -1 } });
  }
});

rule("SOS 15.17", "in an attack phase Stukas alone have their observer's -1, and with guns the guns' modifier", () => {
  const units = { ...air, gm: { type: "g-mortar", at: "2008" }, s1: "s-inf 2010", ...ELSEWHERE };
  const bomb = (...steps: string[]) => new Table(units, { ...attacks(5), ...flights }).play("hex 2010", ...steps);
  expect(bomb("n 1", "done", "wbbt: 10").rolls[0]!["drms"]).toEqual({ lwop: -1 });
  expect(bomb("n 1", "unit gm", "done", "wbbt: 10").rolls[0]!["drms"]).toEqual({});
});

rule("SOS 9.66", "Stukas left alone by defensive fire lose their observer's -1, with or without guns", () => {
  const units = { g1: "g-inf 2009", ...air, s1: { type: "s-inf", at: "2010", df: 5 }, ...ELSEWHERE };
  const table = () => new Table(units, { ...phase5("2010"), ...flights }).play("hex 2010", "unit g1", "n 1");
  const left = table().play("done", "normal", "all: 3 10");
  expect(left.rolls).toMatchObject([{ result: "P" }, { points: 5, drms: {}, mdr: 10 }]);
  const guns = table().play("unit gh", "normal", "all: 3 10");
  expect(guns.rolls).toMatchObject([{ result: "P" }, { points: 14, drms: {}, mdr: 10 }]);
});
