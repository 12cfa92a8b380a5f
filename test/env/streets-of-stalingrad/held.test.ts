import { expect, test } from "vitest";
import { EventLog, EVERYTHING, type JsonObject, newState, Rng } from "../../../env/index.js";
import { Banks } from "../../../env/streets-of-stalingrad/map/banks.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { attacks, ground, Table } from "./table.js";
import { place as placeOf } from "./woods.js";

const rule = ruleTests(rules);
type Units = Record<string, string | JsonObject>;
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
/** 15 AF beside 2010. */
const strong = { g1: { type: "g-inf", at: "2009", af: 15 } };
const REGIMENT = "51K/71ID/191";

rule(
  "SOS 9.71",
  "a leader helps while a unit of his hex attacks, and no longer when defensive fire has stopped it",
  () => {
    const units = {
      g1: "g-inf 2009",
      gl: of("g-leader", "2009", REGIMENT),
      g2: "g-inf 2110",
      s1: { type: "s-inf", at: "2010", df: 4 },
    };
    const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play(
      "hex 2010",
      "all",
      "normal",
      "hex 2009: 1 10",
    );
    expect(table.rolls).toMatchObject([
      { kind: "defense", result: "P" },
      { kind: "attack", points: 5 },
    ]);
    expect(table.rolls[1]!["drms"]).toEqual({});
    const led = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play(
      "hex 2010",
      "unit g1",
      "unit gl",
      "done",
      "normal",
    );
    expect(led.play("done: 10").rolls[0]!["drms"]).toEqual({ leader: -1 });
  },
);

rule("SOS 9.85", "a leader goes along behind the first combat unit that advances", () => {
  const units = { ...strong, gl: of("g-leader", "2009", REGIMENT), s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "unit g1", "unit gl", "normal", "done: 1");
  expect([table.ask, table.legal]).toEqual(["advance.unit", ["done", "unit g1"]]);
  expect(table.play("unit g1").legal).toEqual(["done", "unit gl"]);
});

rule("SOS 18.33", "a leader throws for the unit that was given up to keep the hex", () => {
  const units = { ...strong, n1: "s-nkvd 2010", s2: "s-inf 2010", sc: "s-commissar 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "city" }) });
  table.play("hex 2010", "normal", "done", "done: 1");
  expect(table.legal).toEqual(["retreat", "sacrifice"]);
  table.play("sacrifice: 9");
  expect(table.rolls).toMatchObject([{ kind: "leader", drm: -1, result: "survives" }]);
  expect([table.at("n1"), table.at("s2"), table.at("sc")]).toEqual(["dead", "2010", "2010"]);
});

rule("SOS 9.88", "who has no way out of a suburb can only give up a unit", () => {
  const ring = { g4: "g-inf 1910", g5: "g-inf 2011" };
  const units = { ...strong, ...ring, s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
  table.play("hex 2010", "unit g1", "done", "normal", "done: 4");
  expect(table.position["decision"]).toMatchObject({ ask: "loss.pick", cause: "sacrifice" });
});

rule("SOS 9.87", "nobody retreats into the Volga", () => {
  const units = { ...strong, s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2011": "volga" }) });
  table.play("hex 2010", "normal", "done: 5");
  expect([table.ask, table.legal]).toEqual(["after.hex", ["hex 1911", "hex 2111"]]);
});

rule("SOS 12.3", "units that came back by a counter-attack call for none in the attack that follows", () => {
  const units = { g1: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011", ...ELSEWHERE, sy: "s-guards 3032" };
  const table = new Table(units, {
    ...attacks(5, "3031"),
    attacked: ["2010"],
    frames: [{ ask: "attack.target", actor: "german" }],
    decision: { ask: "ica.unit", actor: "soviet", hex: "2010" },
  });
  table.play("all: 10", "unit s1", "done");
  expect(table.at("s1")).toBe("2010");
  table.play("all", "normal", "done: 10");
  expect(table.position["phase"]).toBe(7);
});

rule("SOS 8.66", "attackers on a Volga hex have 1 more on the die, those on land have not", () => {
  const roll = (map: JsonObject) => {
    const units = { s1: "s-inf 2009", g1: "g-inf 2010", sx: "s-inf 3030", gx: "g-inf 3031" };
    return new Table(units, { ...attacks(12, "2010", "3031"), ...map }).play("hex 2010", "normal", "done: 10")
      .rolls[0]!["drms"];
  };
  expect(roll(ground({ "2009": "volga" }))).toMatchObject({ volga: 1 });
  expect(roll({})).toEqual({});
});

/** A part of the map of which 2009, or another hex, is the very first. */
const corner = (first: string): JsonObject => ({
  bounds: { cols: [Number(first.slice(0, 2)), 36], rows: [Number(first.slice(2)), 40] },
});
const NEAR = { gf: "g-inf 3030", sf: "s-inf 3035" };

rule("SOS 9.71", "the first hex of the map counts for the assault advantage", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2011", g3: "g-inf 2110", s1: "s-inf 2010", ...NEAR };
  const table = new Table(units, { ...attacks(5, "2010"), ...corner("2009") });
  expect(table.play("all", "normal", "done: 10").rolls[0]!["drms"]).toEqual({ assault: -1 });
});

rule("SOS 15.11", "a single Stuka that supported an attack is gone for the turn", () => {
  const units = { g1: "g-inf 2009", go: "g-op-lw 2008", s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), stukas: { available: 2 } });
  table.play("hex 2010", "unit g1", "n 1", "normal", "done: 10");
  expect(table.position["stukas"]).toEqual({ available: 1, used: 1 });
});

rule("SOS 9.41", "who retreated from one attacked hex may retreat from the next", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2012", s1: "s-guards 2010", s2: "s-guards 2010", s3: "s-guards 2011" };
  const table = new Table(units, { ...attacks(5, "2010", "2011"), ...ground({ "2011": "city" }) });
  table.play("hex 2010", "normal", "unit s1", "hex 2011", "done: 10", "normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s1", "unit s3"]]);
});

rule("SOS 9.14", "a marked hex without infantry beside it can't be attacked, by tanks in range neither", () => {
  const units = { gt: "g-tank 2008", s1: "s-inf 2010", ...ELSEWHERE };
  expect(new Table(units, phase5("2010")).position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 9.57", "of the fires declared at two hexes each is rolled once", () => {
  const gun = { type: "s-inf", at: "2010", df: 12 };
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2110", g4: "g-inf 2110", s1: gun, s2: gun };
  const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "all", "normal");
  table.play("hex 2009", "unit s1", "done", "hex 2110: 1", "unit g1: 1", "unit g3: 10");
  expect(table.rolls).toMatchObject([{ kind: "attack", points: 10 }]);
});

const support: Units = {
  g1: "g-inf 2009",
  s1: "s-inf 2010",
  g2: "g-inf 2108",
  s2: "s-inf 2207",
  s3: "s-inf 2207",
  st: "s-tank 2110",
};

rule("SOS 9.53", "a unit that isn't attacked supports defenders once a phase, and lies open then", () => {
  const table = new Table(support, { ...attacks(5, "2010", "2207"), ...ground({ "2110": "suburb" }) });
  table.play("hex 2010", "normal", "hex 2009");
  expect(table.legal).toContain("unit st");
  table.play("unit st", "done: 10 10");
  expect(table.unit("st")).toMatchObject({ shown: true });
  table.play("normal", "hex 2108");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual(["unit s2", "unit s3"]);
});

rule("SOS 9.46", "a pinned unit does not retreat before combat", () => {
  const pinned = { type: "s-guards", at: "2010", pinned: true, pinHeld: true };
  const units = { g1: "g-inf 2009", s1: pinned, s2: "s-guards 2010", s3: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s2", "unit s3"]]);
});

rule("SOS 9.47", "nobody ends a retreat in a full hex", () => {
  const full = { sa: "s-inf 2011", sb: "s-inf 2011", sc: "s-inf 2011" };
  const units = { g1: "g-inf 2009", s1: "s-guards 2010", s2: "s-guards 2010", ...full, ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1");
  expect(table.legal).not.toContain("hex 2011");
  expect(table.legal).toContain("hex 2012");
});

rule("SOS 8.73", "vehicles reach their men only by ground that they can cross", () => {
  const ring = ["2009", "2011", "1910", "1911", "2110", "2111"];
  const offered = (rim: readonly string[]) => {
    const hexes = Object.fromEntries(rim.map((h) => [h, { t: "volga" }]));
    const map = { base: "blank", hexes: { ...hexes, "2013": { t: "clear", f: ["road"], road: "03" } } };
    const units = { g1: { type: "g-motinf", at: "2010", dismounted: true } };
    return new Table(units, { map } as JsonObject).legal.includes("unit g1");
  };
  // on foot it could go nowhere, so whatever it may do is to mount
  expect(offered(ring)).toBe(false);
});

rule("SOS 8.06", "a group takes in units of higher numbers one by one, or all that move alike", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010" };
  const table = new Table(units).play("unit g1");
  expect(table.legal).toContain("all");
  table.play("unit g3");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual([]);
});

rule("SOS 8.06", "on the way nobody joins a group, and it doesn't stay where it began", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010" };
  const { legal } = new Table(units).play("unit g1", "via", "hex 2012");
  expect(legal.filter((a) => !a.startsWith("hex"))).toEqual(["via"]);
});

rule("SOS 14.92", "leaders and OPs name no hexes on the way", () => {
  for (const chief of [of("g-leader", "2010", REGIMENT), of("g-op", "2010", "51K/71ID")])
    for (const units of [
      { gc: chief, ga: "g-inf 2020" },
      { ga: "g-inf 2020", gc: chief },
    ] as Units[])
      expect(new Table(units).play("unit gc").legal).not.toContain("via");
  expect(new Table({ ga: "g-inf 2020" }).play("unit ga").legal).toContain("via");
});

/** One column of the map. */
const column = (hexes: Record<string, JsonObject> = {}): JsonObject => ({
  bounds: { cols: [20, 20], rows: [5, 40] },
  map: { base: "blank", hexes },
});
const ENDS = { gf: "g-inf 2035", sf: "s-inf 2040" };
const rows = (from: number, to: number, hex: JsonObject) =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, i) => [`20${from + i}`, hex]));

rule("SOS 8.06", "foot and vehicles together name hexes on the way, and each pays for its own ground", () => {
  const units = { g1: "g-inf 2010", gt: { type: "g-tank", at: "2010", mp: 12 }, ...ENDS };
  const table = new Table(units, column(rows(11, 20, { t: "suburb" }))).play("unit g1", "unit gt");
  // companies pay 1 of 8 a suburb, tanks 2 of 12
  expect(table.legal).toEqual(expect.arrayContaining(["hex 2016", "via"]));
  expect(table.legal).not.toContain("hex 2017");
  table.play("via", "hex 2014");
  expect(table.legal).toContain("hex 2016");
  expect(table.legal).not.toContain("hex 2017");
});

rule("SOS 10.7", "past a breakthru marker each pays half its MP, foot and tanks that go together too", () => {
  const units = { g1: "g-inf 2010", gt: "g-tank 2010", ...ENDS };
  const table = new Table(units, { ...column(), marks: { "2011": ["breakthru"] } }).play("unit g1", "unit gt");
  expect(table.legal).toContain("hex 2015");
  expect(table.legal).not.toContain("hex 2016");
});

rule("SOS 8.11", "an embankment costs foot a point more", () => {
  const units = { g1: "g-inf 2010", ...ENDS };
  const { legal } = new Table(units, column({ "2011": { t: "clear", f: ["embankment"] } })).play("unit g1");
  expect(legal).toContain("hex 2017");
  expect(legal).not.toContain("hex 2018");
});

rule("SOS 8.23", "units that deploy name hexes on the way", () => {
  const table = new Table({ gb: "g-inf 3025", sf: "s-inf 3570" }, { phase: 3, stage: "deploy" }).play("unit gb");
  expect(table.play("via").legal).toContain("hex 3026");
});

rule("SOS 8.24", "without an enemy on the map every unit deploys", () => {
  const units = { gb: "g-inf 3025", sf: { type: "s-inf", at: "dead" } };
  const table = new Table(units, { phase: 3, stage: "deploy" });
  expect(table.legal).toContain("unit gb");
  expect(table.play("unit gb").legal).toContain("hex 3041");
});

rule("SOS 11.1", "only the enemy of the movers fires at them", () => {
  const table = new Table({ s1: "s-inf 2012", g1: "g-inf 2010" }, { phase: 10, stage: "normal" });
  table.play("unit s1", "hex 2011");
  expect([table.ask, table.legal]).toEqual(["op.fire", ["pass", "hold", "unit g1"]]);
});

rule("SOS 11.9", "underlined guns that fire at a mixed group hit its vehicles first", () => {
  const units = { s1: "s-inf 2014", st: "s-tank 2014", ga: { type: "g-at", at: "2010", af: 30 } };
  const table = new Table(units, { phase: 10, stage: "normal" }).play("unit s1", "unit st", "hex 2013", "unit ga: 5");
  expect(table.at("st")).toBe("dead");
  expect(table.at("s1")).not.toBe("dead");
});

rule("SOS 18.16", "a leader alone enters a zone of control only where a combat unit of his side is", () => {
  const ways = (friend: string) =>
    new Table({ gl: of("g-leader", "2012", REGIMENT), g2: `${friend} 2011`, s1: "s-inf 2010" }).play("unit gl").legal;
  expect(ways("g-inf")).toContain("hex 2011");
  expect(ways("g-op")).not.toContain("hex 2011");
});

rule("SOS 8.04", "of two ways that cost the same the one of fewer hexes is taken", () => {
  const hexes = {
    "2010": { t: "clear", f: ["road"], road: "1" },
    "1911": { t: "clear", f: ["road"], road: "45" },
    "2011": { t: "clear", f: ["road"], road: "2" },
  };
  // the tank has 1911 in range, the other two hexes not
  const table = new Table({ gt: "g-tank 2010", st: "s-tank 1712" }, { map: { base: "blank", hexes } });
  table.play("unit gt", "hex 2011");
  expect(table.at("gt")).toBe("2011");
});

const plot = (rest: JsonObject = {}): JsonObject => ({ phase: 2, stage: "plot-first", ...rest });
const BATTALION = "51K/71ID/191/II";
const one = { stukas: { available: 1 } };
/** Modifiers of a Stuka that bombs 2010 by the CRT. */
const bombed = (units: Units, rest: JsonObject = {}) =>
  new Table({ g1: "g-inf 3008", ...units }, plot({ ...one, ...rest })).play("hex 2010", "crt: 10").rolls[0]!["drms"];

rule("SOS 8.13", "a ravine protects men from bombs, tanks it does not", () => {
  const ravine = ground({ "2010": "balka" });
  expect(bombed({ s1: "s-inf 2010" }, ravine)).toEqual({ terrain: 1 });
  expect(bombed({ st: "s-tank 2010" }, ravine)).toEqual({ "armor-target": 1 });
});

rule("SOS 9.92", "a single Stuka at armor has 1 more on the die", () => {
  expect(bombed({ st: "s-tank 2010" })).toEqual({ "armor-target": 1 });
  expect(bombed({ s1: "s-inf 2010" })).toEqual({});
});

rule("SOS 9.71", "a leader helps his hex under bombs, too", () => {
  expect(bombed({ s1: "s-inf 2010", sl: of("s-leader", "2010", "62A/112RD") })).toEqual({ "enemy-leader": 1 });
});

rule("SOS 15.42", "with `autoAa` all guns in range fire at Stukas unasked", () => {
  const units = { g1: "g-inf 3008", s1: "s-inf 2010", sa: "s-aa 2013", sb: "s-aa 2014" };
  const table = new Table(units, plot(one), { autoAa: true }).play("hex 2010", "wbbt: 10 9");
  expect(table.rolls).toMatchObject([{ kind: "aa", points: 10 }, { kind: "bombardment" }]);
});

rule("SOS 14.46", "the first hex of the map is bombarded, shelled from and seen from as any other", () => {
  const target = new Table({ g1: "g-inf 2012", s1: "s-inf 2009", ...NEAR }, plot({ ...corner("2009"), ...one }));
  expect(target.legal).toContain("hex 2009");
  const gun = { g1: of("g-inf", "2011", BATTALION), gm: of("g-mortar", "2009", BATTALION), s1: "s-inf 2012", ...NEAR };
  const shelled = new Table(gun, plot(corner("2009")));
  expect(shelled.ask).toBe("bomb.target");
  expect(shelled.legal).toContain("hex 2012");
});

rule("SOS 15.14", "the observer of the Luftwaffe sees from the first hex of the map", () => {
  const units = { g1: "g-inf 2009", go: "g-op-lw 2008", s1: "s-inf 2010", ...NEAR };
  const table = new Table(units, { ...attacks(5, "2010"), ...corner("2008"), stukas: { available: 2 } });
  expect(table.play("hex 2010").legal).toEqual(expect.arrayContaining(["n 1", "n 2"]));
});

rule("SOS 8.12", "tanks that leave the first hex of the map come to a bank of the ravine", () => {
  const hexes = { "2011": { t: "balka", balka: "14", block: "rule" } };
  const position = { ...corner("2010"), map: { base: "blank", hexes } };
  const table = new Table({ gt: "g-tank 2010", ...NEAR }, position, { opFire: false }).play("unit gt", "hex 2011");
  // in by the south side: the sector from north-east to south-west
  expect(table.unit("gt")).toMatchObject({ at: "2011", rim: 1 });
});

rule("SOS 8.24", "guns in the first hex of the map keep deploying units off the open ground in their range", () => {
  const units = { gb: "g-inf 2018", gf: "g-inf 2012", sf: "s-at 2010" };
  const { legal } = new Table(units, { phase: 3, stage: "deploy", ...corner("2010") }).play("unit gb");
  expect(legal).toContain("hex 2014");
  expect(legal).not.toContain("hex 2013");
});

rule("SOS 14.24", "units of one division, without a regiment, spot for one gun at a target, from two hexes too", () => {
  const gun = of("g-how", "2020", "51K/71ID");
  const units = { e1: of("g-eng", "2009", "51K/71ID"), e2: of("g-eng", "2110", "51K/71ID"), h1: gun, h2: gun };
  const table = new Table({ ...units, s1: "s-inf 2010" }, plot()).play("hex 2010");
  expect(table.legal).toEqual(["unit h1", "unit h2"]);
  expect(table.play("unit h1").ask).toBe("bomb.table");
  const other = { ...units, e2: of("g-eng", "2110", BATTALION) };
  expect(new Table({ ...other, s1: "s-inf 2010" }, plot()).play("hex 2010", "unit h1").legal).toContain("unit h2");
});

// ruling R23
rule(
  "SOS 14.24",
  "where a leader and a company spot equally well the leader does it, so that the company is free",
  () => {
    const units = { g1: of("g-inf", "2009", BATTALION), gl: of("g-leader", "2009", REGIMENT) };
    const table = new Table({ ...units, gm: of("g-mortar", "2005", BATTALION), s1: "s-inf 2010" }, plot());
    table.play("hex 2010");
    expect(table.ask).toBe("bomb.table");
    expect([table.unit("g1")["spotted"], table.unit("gl")["spotted"]]).toMatchObject([undefined, [{ hex: "2010" }]]);
  },
);

rule("SOS 14.23", "who waits for his own attack does not spot at the attackers of another hex", () => {
  const pinned = { type: "s-inf", at: "2111", pinned: true, pinHeld: true };
  const units = { g1: "g-inf 2009", g2: "g-inf 2110", s1: "s-inf 2010", s2: pinned, s3: pinned, sm: "s-mortar 2014" };
  const table = (target: string) => new Table(units, attacks(5, "2010", "2111")).play(`hex ${target}`);
  expect(table("2111").play("normal", "hex 2110").legal).not.toContain("unit sm");
  expect(table("2010").play("unit g1", "done", "normal", "hex 2009").legal).toContain("unit sm");
});

rule("SOS 14.03", "an 88 that fired directly does not shell in the same phase", () => {
  const table = (more: JsonObject) => {
    const units = {
      g1: "g-inf 2009",
      g9: "g-inf 2009",
      go: of("g-op", "2008", "51K/71ID"),
      g8: { type: "g-88", at: "2003", ...more },
    };
    const night = { gx: "g-inf 3031", sx: "s-inf 3030" };
    return new Table({ ...units, s1: "s-inf 2010", ...night }, attacks(12, "2009", "3031")).play(
      "hex 2009",
      "normal",
      "done",
      "hex 2010",
    );
  };
  expect(table({}).legal).toContain("unit g8");
  expect(table({ defFired: true }).legal).not.toContain("unit g8");
});

rule(
  "SOS 14.37",
  "commissars of the army spot for its independent guns without penalty, those of a division do not",
  () => {
    const spot = (formation: string) => {
      const units = { g1: "g-inf 2010", sc: of("s-commissar", "2011", formation), sm: of("s-how", "2020", "62A") };
      return new Table(units, { phase: 9, stage: "plot-first" }).play("hex 2010", "wbbt: 10").rolls[0]!["drms"];
    };
    expect([spot("62A"), spot("62A/112RD")]).toEqual([{}, { spot: 3 }]);
  },
);

rule(
  "SOS 14.48",
  "of a bombardment of seventeen hexes the last sixteen dice are noted, in the order of the plot",
  () => {
    const hexes = Array.from({ length: 17 }, (_, i) => String(3010 + i));
    const units = Object.fromEntries(hexes.map((h, i) => [`s${i}`, `s-inf ${h}`]));
    const table = new Table({ g1: "g-inf 2008", ...units }, plot({ stukas: { available: 17 } }));
    hexes.forEach((h, i) => table.play(`hex ${h}`, ...(i < 16 ? ["n 1", "wbbt"] : [`wbbt:${" 10".repeat(17)}`])));
    expect(table.rolls.map((r) => r["hex"])).toEqual(hexes.slice(1));
  },
);

rule("SOS 4.1", "what units did in a phase is forgotten when it ends", () => {
  const did = {
    g1: { type: "g-inf", at: "2040", opFired: true },
    g2: { type: "g-inf", at: "2041", defFired: true },
    g3: { type: "g-motinf", at: "2042", dismounted: true, modeChanged: true },
    g4: { type: "g-inf", at: "2043", opFiredIn: 10 },
    go: { type: "g-op", at: "2044", pinned: true, newPin: true },
    s1: { type: "s-inf", at: "2060", ordered: true },
    sa: { type: "s-aa", at: "2061", aaFired: true },
  };
  const table = new Table({ ...did, gx: "g-inf 3031", sx: "s-inf 3030" }, attacks(12, "3031"));
  table.play("normal", "done: 10");
  expect(table.position["phase"]).toBe(14);
  for (const id of Object.keys(did))
    for (const mark of ["ordered", "opFired", "defFired", "modeChanged", "aaFired", "newPin", "opFiredIn"])
      expect([id, mark, table.unit(id)[mark]]).toEqual([id, mark, undefined]);
});

rule("SOS 8.24", "who begins the movement phase in a zone of control does not deploy", () => {
  // g3 stays as near to the enemy as g2 was, so only the zone holds them
  const units = { g2: "g-inf 2009", g3: "g-inf 2009", gb: "g-inf 3025", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 1, stage: "end" }).play("continue", "done", "done");
  expect(table.position).toMatchObject({ phase: 3, stage: "deploy" });
  expect(table.legal).toContain("unit gb");
  expect(table.legal).not.toContain("unit g2");
  expect(table.legal).not.toContain("unit g3");
});

rule("SOS 8.24", "fire of an enemy who was seen before frees or holds nobody who came beside him", () => {
  const g2 = { type: "g-inf", at: "1911", zoned: false };
  const units = { g2, gm: "g-inf 2007", gf: "g-inf 3530", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 3, stage: "normal" }).play("unit gm", "hex 2009", "unit s1: 10", "done");
  expect(table.position["stage"]).toBe("deploy");
  expect(table.legal).toContain("unit g2");
});

rule(
  "SOS 8.24",
  "no zone of control reaches into a city: who begins there deploys, whoever shows himself beside it",
  () => {
    const units = { ...strong, g2: "g-inf 1911", gf: "g-inf 3530", s1: "s-inf 2010" };
    const map = ground({ "2010": "suburb", "1911": "city" });
    const table = new Table(units, { phase: 3, stage: "breakthrough", ...map }, { opFire: false });
    table.play("hex 2010", "unit g1", "done", "normal", "done: 1", "done");
    expect(table.position["stage"]).toBe("deploy");
    expect(table.legal).toContain("unit g2");
  },
);

rule("SOS 3.3", "a draw reaches from its first to its last point, and the margin is level in its middle", () => {
  const levels = { germanMarginal: 3, germanDecisive: 5, sovietDecisive: 0, draw: [1, 2] };
  const table = (adjust: number) =>
    new Table(
      { g1: "g-inf 2009" },
      { phase: 1, stage: "end", turn: 3, vp: { adjust }, victory: { hexes: {}, levels } },
    );
  const returns = (points: number) => {
    const { env } = table(points).play("declare-end");
    const out = new Float32Array(2);
    env.game.returns(env.state, out);
    return Math.sign(out[0]!);
  };
  expect([0, 1, 2, 3].map(returns)).toEqual([-1, 0, 0, 1]);
  const margin = (points: number) => {
    const { env } = table(points);
    return env.game.margin!(env.state);
  };
  expect(margin(1)).toBeCloseTo(-margin(2));
  expect(margin(2)).toBeGreaterThan(0);
});

rule("SOS 3.2", "in shaping, the enemy's losses are a gain and one's own a loss", () => {
  const worth = (german: string, soviet: string) => {
    const units = { g1: { type: "g-inf", at: german }, s1: { type: "s-inf", at: soviet } };
    const { env } = new Table(units, { phase: 1, stage: "end" });
    return env.game.potentials!["points"]!(env.state);
  };
  expect(worth("2009", "dead")).toBeGreaterThan(worth("2009", "2020"));
  expect(worth("dead", "2020")).toBeLessThan(worth("2009", "2020"));
});

rule(
  "SOS 9.71",
  "flame-throwers are committed in a suburb as combat engineers are, engineers without red AF are not",
  () => {
    const ask = (type: string) =>
      new Table({ s0: `${type} 2009`, g1: "g-inf 2010" }, { ...attacks(12, "2010"), ...ground({ "2010": "suburb" }) })
        .ask;
    expect([ask("s-flame"), ask("s-eng")]).toEqual(["attack.drm", "attack.mode"]);
  },
);

rule("SOS 8.12", "a vehicle leaves a ravine by the sides of the bank that it came in by, and along the ravine", () => {
  const sides = [0, 1, 2, 3, 4, 5];
  for (let features = 1; features < 64; features++) {
    const cut = sides.filter((d) => (features & (1 << d)) !== 0);
    if (cut.length < 2) continue;
    const banks = new Banks(
      [
        { h: "2010", t: "balka", balka: cut.join(""), block: "rule" },
        { h: "2011", t: "clear" },
      ] as never,
      new Uint8Array(2),
    );
    for (const e of sides.filter((d) => !cut.includes(d))) {
      const bank = banks.enter(1, 0, (e + 3) % 6, 0);
      // round the rim both ways, up to the ravine
      const open = new Set([e]);
      for (const turn of [1, 5]) for (let d = e; !cut.includes(d);) open.add((d = (d + turn) % 6));
      expect([features, e, sides.filter((d) => banks.mayLeave(0, bank, d, false, false))]).toEqual([
        features,
        e,
        [...open].sort(),
      ]);
    }
  }
});

rule("SOS 8.67", "Soviet vehicles leave a landing by any side, Germans and those elsewhere don't", () => {
  const hex = { h: "2010", t: "balka", balka: "03", block: "rule" };
  const banks = new Banks([hex, { h: "2011", t: "clear" }, hex] as never, Uint8Array.from([1, 0, 0]));
  const bank = banks.enter(1, 0, 4, 0); // by side 1
  expect(banks.mayLeave(0, bank, 4, true, false)).toBe(true);
  expect(banks.mayLeave(0, bank, 4, false, false)).toBe(false);
  expect(banks.mayLeave(2, bank, 4, true, false)).toBe(false);
  // no bank is named where a vehicle begins
  expect([0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(2, 0, d, false, false))).toBe(true);
  expect([0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(1, 0, d, false, false))).toBe(true);
});

rule("SOS 8.14", "the road across a ravine leads over to who came by it, and only along the road", () => {
  const hex = { h: "2010", t: "balka", balka: "03", block: "rule", road: "15", cross: "road" };
  const banks = new Banks([hex, { h: "2011", t: "clear" }] as never, new Uint8Array(2));
  const leaves = (e: number, byWay: boolean) => {
    const bank = banks.enter(1, 0, (e + 3) % 6, 0);
    return [0, 1, 2, 3, 4, 5].filter((d) => banks.mayLeave(0, bank, d, false, byWay));
  };
  expect(leaves(1, true)).toEqual([0, 1, 2, 3, 5]);
  expect(leaves(1, false)).toEqual([0, 1, 2, 3]);
  expect(leaves(2, true)).toEqual([0, 1, 2, 3]);
});

rule("SOS 8.04", "of two ways alike the one of the lowest hexes is taken", () => {
  // by 1911 or 1910, which the Soviet tank has in range, not by 2011 or 2009
  const table = new Table({ gt: "g-tank 2010", st: "s-tank 1710" }).play("unit gt", "hex 1912");
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1911" });
  const south = new Table({ gt: "g-tank 2010", st: "s-tank 1711" }).play("unit gt", "hex 1909");
  expect(south.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1910" });
});

rule("SOS 8.12", "tanks on both banks of a ravine do not move as one group", () => {
  const hexes = { "2011": { t: "balka", balka: "03", block: "rule" } };
  const joins = (rim: number) => {
    const units = { gt: { type: "g-tank", at: "2011", rim: 0 }, gu: { type: "g-tank", at: "2011", rim } };
    return new Table(units, { map: { base: "blank", hexes } }).play("unit gt").legal.includes("unit gu");
  };
  expect([joins(0), joins(3)]).toEqual([true, false]);
});

rule("SOS 14.81", "bombs take a bridge before the units beside it", () => {
  const bridge = { type: "s-mine", at: "2010", kind: "bridge" };
  const units = { g1: "g-inf 3008", s1: "s-inf 2010", sb: bridge };
  const table = new Table(units, plot({ stukas: { available: 3 } })).play("hex 2010", "n 3", "crt: 1");
  expect([table.rolls[0]!["result"], table.at("sb"), table.at("s1")]).toEqual(["D1", "dead", "2010"]);
});

rule("SOS 8.73", "roads that others could reach don't help who is cut off", () => {
  const road = { t: "clear", f: ["road"], road: "03" };
  const volga = ["2009", "2011", "1910", "1911", "2110", "2111"].map((h) => [h, { t: "volga" }]);
  const roads = ["2029", "2031", "1930", "1931", "2130", "2131"].map((h) => [h, road]);
  const units = { g0: "g-inf 2030", g1: { type: "g-motinf", at: "2010", dismounted: true } };
  const table = new Table(units, {
    map: { base: "blank", hexes: Object.fromEntries([...volga, ...roads]) as JsonObject },
  });
  expect(table.play("unit g0", "stay").legal).not.toContain("unit g1");
});

rule("SOS 18.1", "a leader without command waits for the end of the phase, though another goes to his at once", () => {
  const units = {
    g1: { type: "g-inf", at: "2009", af: 20 },
    s1: of("s-guards", "2010", "62A/13GRD/42/1"),
    sl: of("s-leader", "2010", "62A/13GRD/42"),
    s2: of("s-guards", "2013", "62A/13GRD/42/2"),
    s3: of("s-guards", "2040", "62A/13GRD/42/3"),
    sm: of("s-leader", "2060", "62A/112RD", { bereft: true }),
    s4: of("s-inf", "2062", "62A/112RD/1"),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9", "hex 2040");
  expect([table.at("sl"), table.at("sm"), table.ask]).toEqual(["2040", "2060", "advance.unit"]);
  const fewer = Object.fromEntries(Object.entries(units).filter(([id]) => id !== "s2" && id !== "s3"));
  const lost = new Table(fewer, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9");
  expect([lost.at("sl"), lost.at("sm"), lost.ask]).toEqual(["dead", "2060", "advance.unit"]);
});

rule("SOS 9.47", "of two ways alike a unit retreats by the one of the lowest hexes", () => {
  const units = { g1: "g-inf 2011", gt: "g-tank 1711", s1: "s-guards 2010", s2: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1", "hex 1909");
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1910" });
});

rule("SOS 9.88", "where nobody who has to go counts against stacking there is nothing to give up", () => {
  const tank = { type: "s-immob", at: "2010" };
  const units = { ...strong, sn: "s-sniper 2010", i1: tank, i2: tank, ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
  table.play("hex 2010", "normal", "done: 4");
  expect(table.ask).toBe("after.hex");
});

rule("SOS 9.02", "an attack goes from its units, step 2, by what is committed, 3, to how they attack, 4", () => {
  const units = { g1: "g-inf 2009", g2: "g-eng 2009", s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) }).play("hex 2010");
  const step = () => [table.ask, (table.position["decision"] as JsonObject)["step"]];
  expect(step()).toEqual(["attack.unit", 2]);
  table.play("all");
  expect(step()).toEqual(["attack.drm", 3]);
  table.play("no");
  expect(step()).toEqual(["attack.mode", 4]);
  const shells = { go: of("g-op", "2008", "51K/71ID"), gh: of("g-how", "2020", "51K/71ID") };
  const guns = new Table({ ...shells, gt: "g-tank 2009", s1: "s-inf 2010" }, attacks(5)).play(
    "hex 2010",
    "unit gh",
    "done",
  );
  expect([guns.ask, (guns.position["decision"] as JsonObject)["step"]]).toEqual(["bomb.table", 4]);
});

test("the number of legal actions told is that of those marked", () => {
  const aa = { g1: "g-inf 3008", s1: "s-inf 2010", sa: "s-aa 2013" };
  const led = {
    gl: of("g-leader", "2010", REGIMENT),
    g1: of("g-inf", "2012", `${REGIMENT}/I`),
    g2: of("g-inf", "2060", `${REGIMENT}/I`),
  };
  const positions = [
    new Table(aa, plot(one)).play("hex 2010", "wbbt"),
    new Table({ ...aa, sb: "s-aa 2013" }, plot(one)).play("hex 2010", "wbbt"),
    new Table({ g1: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2010" }, { phase: 3, stage: "mark" }),
    new Table(led).play("unit gl"),
    new Table({ g1: "g-inf 2009" }, { phase: 1, stage: "end", turn: 3 }),
  ];
  expect(positions.map((p) => p.ask)).toEqual(["aa.unit", "aa.unit", "mark.hex", "move.group", "admin.end"]);
  expect(positions[3]!.legal).toContain("hex 2060"); // a report to a company of his
  for (const { env, ask } of positions) {
    const mask = new Uint8Array(env.game.actions.length);
    const told = env.game.legalMask(env.state, mask, 0);
    expect([ask, told]).toEqual([ask, mask.reduce((n, legal) => n + legal, 0)]);
  }
});

const next = (hex: string, side: number): string => {
  const [c, r] = [Number(hex.slice(0, 2)), Number(hex.slice(2))];
  const up = c % 2 === 0 ? 1 : 0;
  const [column, row] = [
    [c, r + 1],
    [c - 1, r + up],
    [c - 1, r - 1 + up],
    [c, r - 1],
    [c + 1, r - 1 + up],
    [c + 1, r + up],
  ][side]!;
  return `${String(column)}${String(row)}`;
};

rule("SOS 9.38", "from a hilltop one fires over woods on the slope below, on whichever side it falls", () => {
  for (const hill of ["2120", "2220"])
    for (let side = 0; side < 6; side++) {
      const slope = next(hill, side);
      const target = next(slope, side);
      const open = (down: number) => {
        const hexes = {
          [hill]: { t: "clear", f: ["hilltop"], down: String(down) },
          [slope]: { t: "forest", f: ["slope"] },
        };
        const units = { gt: `g-tank ${hill}`, s1: `s-inf ${target}` };
        return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes(`hex ${target}`);
      };
      expect([hill, side, open(side), open((side + 3) % 6)]).toEqual([hill, side, true, false]);
    }
});

/** What `viewer` may think the position is. */
function* samples({ env: { game, state } }: Table, viewer: number, n: number) {
  const out = newState(game.stateSize);
  const rng = new Rng("held");
  for (let i = 0; i < n; i++) {
    expect(game.resample(state, viewer, out, rng)).toBe(true);
    yield out;
  }
}

rule("SOS 9.58", "defensive fire takes attackers only, in what the enemy thinks of their hex too", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009", s1: { type: "s-inf", at: "2010", df: 12 } };
  const table = new Table({ ...units, ...ELSEWHERE }, { ...phase5("2010"), ...ground({ "2009": "suburb" }) });
  table.play("hex 2010", "unit g1", "unit g2", "done", "normal", "all: 1");
  expect(table.legal).toEqual(["unit g1", "unit g2"]);
  const { game } = table.env;
  const mask = new Uint8Array(game.actions.length);
  for (const state of samples(table, 1, 20)) {
    mask.fill(0);
    game.legalMask(state, mask, 0);
    expect(game.actions.filter((_, a) => mask[a] === 1)).toEqual(["unit g1", "unit g2"]);
  }
});

rule(
  "SOS 9.82",
  "where armor has to be the first loss a gun is among the defenders, in what the attacker thinks too",
  () => {
    const units = { g1: "g-inf 2009", gt: "g-tank 2009", gu: "g-tank 2009" };
    const gun = { s1: { type: "s-inf", at: "2010", df: 12 }, sa: "s-at 2010", s2: "s-inf 2040" };
    const map = ground({ "2010": "suburb", "2040": "suburb" });
    const table = new Table({ ...units, ...gun, ...ELSEWHERE }, { ...phase5("2010"), ...map });
    table.play("hex 2010", "all", "no", "normal", "hex 2009", "unit s1", "done: 1");
    expect(table.legal).toEqual(["unit gt", "unit gu"]);
    const { game } = table.env;
    for (const state of samples(table, 0, 50))
      expect(placeOf(game, state, "sa")).toBe(game.observation.mapRows.indexOf("2010"));
  },
);

rule(
  "SOS 9.40",
  "a vehicle beside a bend of its wall looks from the middle of the side next to where its bank begins",
  () => {
    // the wall bends to within a quarter of a hex of the middle of the north-eastern side
    const wall = [
      [0, 4],
      [3.2, 1.6],
      [0, -4],
    ];
    const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" } };
    const open = (rim: number) => {
      const units = { gt: { type: "g-tank", at: "2010", rim }, s1: "s-inf 1911" };
      return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes("hex 1911");
    };
    expect([open(0), open(3)]).toEqual([true, false]);
  },
);

rule("SOS 4.3", "a bombardment in which nobody has anything to fire is not announced", () => {
  const table = new Table({ g1: "g-inf 2009", s1: "s-inf 2020" }, { phase: 1, stage: "end", turn: 3 });
  const log = new EventLog([EVERYTHING]);
  table.env.step("continue", undefined, log);
  const phases = log.take(EVERYTHING).filter(({ what }) => what === "phase");
  expect(phases.length).toBeGreaterThan(0);
  for (const { text } of phases) expect(text).not.toMatch(/bombard/i);
});

rule("SOS 18.15", "a leader goes to a unit of his command however far when he moves, not when he deploys", () => {
  const units = { gl: of("g-leader", "2005", REGIMENT), g2: of("g-inf", "2065", `${REGIMENT}/I`) };
  const goes = (stage: string) => new Table(units, { phase: 3, stage }).play("unit gl").legal.includes("hex 2065");
  expect([goes("normal"), goes("deploy")]).toEqual([true, false]);
});
