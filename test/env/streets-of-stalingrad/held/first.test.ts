import { expect } from "vitest";
import { Play } from "../../../../env/core/play.js";
import { gameFor, type JsonObject, newState, ScriptedDice } from "../../../../env/index.js";
import { loadSetting } from "../../../../env/streets-of-stalingrad/data.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../../env/streets-of-stalingrad/index.js";
import { setUp } from "../../../../env/streets-of-stalingrad/notation/read.js";
import { testStart } from "../../../../env/streets-of-stalingrad/rules/units/reliability.js";
import { Tables } from "../../../../env/streets-of-stalingrad/state.js";
import { ruleTests } from "../../../rule.js";
import { ELSEWHERE, phase5 } from "../set-ups.js";
import { attacks, ground, Table } from "../table.js";
import { BATTALION, corner, NEAR, of, plot, REGIMENT } from "./positions.js";

// The first unit of a position and the first hex of its map are as any other.

const rule = ruleTests(rules);
/** The Soviet unit `s1` attacks 2010 by night; another attack keeps the phase open. */
const NIGHT = { s1: { type: "s-inf", at: "2009", af: 15 }, gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
const night = attacks(12, "2010", "3031");

rule("SOS 14.44", "Katyushas don't fire beside friends in the first hex of the map", () => {
  const targets = (friend: string) => {
    const units = { g1: "g-inf 2010", so: of("s-op", "2013", "62A"), sk: "s-kat 2020", s2: `s-inf ${friend}`, ...NEAR };
    return new Table(units, { phase: 9, stage: "plot-first", ...corner("2009") }).legal;
  };
  expect(targets("3034")).toContain("hex 2010");
  expect(targets("2009")).not.toContain("hex 2010");
});

rule("SOS 14.31", "an observer in the first hex of the map gives the usual bonus", () => {
  const units = { gh: of("g-how", "2020", "51K/71ID"), go: of("g-op", "2009", "51K/71ID"), s1: "s-inf 2011", ...NEAR };
  const table = new Table(units, plot(corner("2009"))).play("hex 2011", "wbbt: 10");
  expect(table.rolls[0]!["drms"]).toEqual({ spot: -1 });
});

rule("SOS 14.31", "a preview counts the bonus of the first unit as it counts that of others", () => {
  const [go, gh] = [of("g-op", "2008", "51K/71ID"), of("g-how", "2020", "51K/71ID")];
  const told = (first: object) => {
    const units = { ...first, s1: "s-inf 2010", st: "s-inf 2011" };
    const { env } = new Table(units, plot({ stukas: { available: 1 } })).play("hex 2010");
    return env.game.narration!.prompt(env.state, 0).choices.find(({ name }) => name === "unit gh")!.text;
  };
  expect(told({ go, gh })).toContain("spotting -1");
  expect(told({ go, gh })).toBe(told({ gh, go }));
});

rule("SOS 14.24", "a company in the first hex of the map spots for a gun", () => {
  const units = {
    g1: of("g-inf", "2009", BATTALION),
    gm: of("g-mortar", "2015", BATTALION),
    s1: "s-inf 2010",
    ...NEAR,
  };
  expect(new Table(units, plot(corner("2009"))).legal).toContain("hex 2010");
});

rule("SOS 14.35", "the first unit may be the division's artillery that an independent gun is attached to", () => {
  const units = {
    gd: of("g-how", "2020", "51K/71ID", { firedAf: true }),
    gi: "g-how 2020",
    go: of("g-op", "2009", "51K/71ID"),
    s1: "s-inf 2010",
  };
  expect(new Table(units, plot()).play("hex 2010", "wbbt: 5").rolls[0]!["drms"]).toEqual({ spot: -1 });
});

rule("SOS 16.84", "a regiment in the first hex of the map throws when it is left beside Germans", () => {
  const starts = (first: string, at: string) => {
    const n1 = of("s-nkvd", at, "62A/10NKVD/271/1");
    const volga = { base: "blank", hexes: { "3035": { t: "volga" } } };
    const units = { n1, g1: { type: "g-inf", at: "2010" }, gf: { type: "g-inf", at: "3030" } };
    const position = { scenario: "sandbox", turn: 2, ...corner(first), map: volga, units } as unknown as JsonObject;
    const setting = loadSetting({ ...type.data, sandbox: position }, "sandbox");
    const tables = new Tables(setting, gameFor(type, position, {}).options);
    const s = newState(tables.layout.size);
    setUp(tables, position, s, new Play(new ScriptedDice([])));
    return testStart(tables, s, null);
  };
  expect(starts("2009", "2009")).toBe(true);
  expect(starts("2008", "2009")).toBe(true);
  expect(starts("2008", "2008")).toBe(false); // beside nobody
});

rule("SOS 9.85", "nobody advances into a hex that the first unit still holds", () => {
  const table = new Table({ g0: "g-inf 2010", g1: "g-inf 2010", ...NIGHT }, night);
  table.play("hex 2010", "normal", "done", "done: 2", "unit g1");
  expect([table.at("g0"), table.at("g1")]).toEqual(["2010", "dead"]);
  expect(table.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 9.87", "a leader follows the first unit when it has to retreat", () => {
  const g0 = of("g-inf", "2010", `${REGIMENT}/I`);
  const table = new Table({ g0, gl: of("g-leader", "2010", REGIMENT), ...NIGHT }, night);
  table.play("hex 2010", "normal", "done", "done: 5", "hex 2011");
  expect([table.at("g0"), table.at("gl")]).toEqual(["2011", "2011"]);
});

rule("SOS 8.33", "a leader in the first hex of the map moves in the reserves phase", () => {
  const units = { gl: of("g-leader", "2009", REGIMENT), g1: of("g-inf", "2009", `${REGIMENT}/I`), ...NEAR };
  const table = new Table(units, { phase: 11, stage: "reserves", marks: { "3030": ["attack"] }, ...corner("2009") });
  expect(table.legal).toEqual(["done", "unit gl"]);
});

rule("SOS 8.73", "vehicles come back by the first hex of the map", () => {
  const mounts = (road: string) => {
    const hexes = Object.fromEntries(["2011", "2110", "2111"].map((h) => [h, { t: "volga" }]));
    const map = { base: "blank", hexes: { ...hexes, [road]: { t: "clear", f: ["road"] } } };
    const units = { g1: { type: "g-motinf", at: "2010", dismounted: true }, ...NEAR };
    return new Table(units, { ...corner("2009"), map }).play("unit g1").legal.includes("remount");
  };
  // the river leaves 2010 one way out, to 2009
  expect([mounts("2009"), mounts("2109")]).toEqual([true, true]);
});

rule("SOS 9.44", "a Soviet leader leads from an adjacent hex shared with a German leader, the first unit", () => {
  const retreaters = (leaders: object) => {
    const units = { ...leaders, g1: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
    const table = new Table(units, phase5("2010")).play("hex 2010", "normal");
    return [table.ask, ...table.legal];
  };
  const gl = of("g-leader", "2011", REGIMENT);
  const led = ["retreat.unit", "done", "unit s1", "unit s2"];
  expect(retreaters({ gl, sl: of("s-leader", "2011", "62A/112RD") })).toEqual(led);
  expect(retreaters({ gl })).not.toEqual(led);
});

rule("SOS 18.33", "a leader without command who is overrun in the first hex of the map is lost", () => {
  const units = { g1: "g-inf 2011", sl: of("s-leader", "2009", "62A/112RD"), ...NEAR };
  const table = new Table(units, corner("2009"), { opFire: false }).play("unit g1", "hex 2009");
  expect([table.at("g1"), table.at("sl")]).toEqual(["2009", "dead"]);
});

// ruling R137
rule(
  "SOS 8.24",
  "a unit that began in a zone of control that opportunity fire reveals does not deploy, also in the first hex",
  () => {
    const deploys = (hex: string, cover: readonly string[], map: object) => {
      const units = { g1: "g-inf 2014", g2: `g-inf ${hex}`, gb: "g-inf 3025", gf: "g-inf 3130", sf: "s-inf 3139" };
      const { map: terrain } = ground({ "2010": "forest", ...Object.fromEntries(cover.map((h) => [h, "suburb"])) });
      const table = new Table({ ...units, st: "s-tank 2010" }, { phase: 3, stage: "normal", ...map, map: terrain! });
      table.play("unit g1", "hex 2012", "unit st: 10", "done");
      expect(table.position["stage"]).toBe("deploy");
      return table.legal.filter((a) => a === "unit g2" || a === "unit gb");
    };
    expect(deploys("2009", ["2008", "2007"], {})).toEqual(["unit gb"]);
    expect(deploys("2008", ["2008", "2007"], {})).toEqual(["unit g2", "unit gb"]); // it began beside no enemy
    expect(deploys("2009", ["2109", "2209", "2309"], corner("2009"))).toEqual(["unit gb"]);
  },
);

rule("SOS 9.73", "a unit that doesn't attack counts for no regiment and no mixed hex, not even the first unit", () => {
  const roll = (idle: object, last = {}) => {
    const company = (at: string, n: string) => of("g-inf", at, `51K/71ID/${n}`);
    const units = {
      ...idle,
      g1: company("2009", "191/I"),
      g2: company("2110", "191/I"),
      g3: company("2110", "191/II"),
      ...last,
      s1: "s-inf 2010",
      ...ELSEWHERE,
    };
    const table = new Table(units, phase5("2010")).play("hex 2010", "unit g1", "unit g2", "unit g3", "done", "normal");
    return table.play("done: 10").rolls[0]!["drms"];
  };
  expect(roll({ g0: of("g-inf", "2009", "51K/71ID/191/I") })).toEqual({ "integ-bn-bad": 1 });
  expect(roll({}, { g9: of("g-inf", "2009", "51K/71ID/191/I") })).toEqual({ "integ-bn-bad": 1 });
  expect(roll({ g0: of("g-inf", "2110", "51K/295ID/516/I") })).toEqual({ "integ-bn-bad": 1 });
});

rule("SOS 14.84", "shells interdict the first hex of the map also when the breakthroughs of the phase are over", () => {
  const bombs = { "2009": [{ side: "german", af: 7, mode: "interdict", until: 5 }] };
  const units = { g1: "g-inf 3034", gf: "g-inf 3030", sf: "s-inf 3035" };
  const table = new Table(units, { phase: 3, stage: "mark", bombs, ...corner("2009") }).play("hex 3035");
  while (table.position["phase"] === 3) table.play("done");
  expect([table.position["phase"], table.position["bombs"]]).toEqual([5, bombs]);
});

rule("SOS 16.46", "transports put units down, and what the first unit has shelled stays as it was", () => {
  const shelled = (hex: string) => {
    const go = { type: "g-op", at: "3020", spotted: [{ hex, units: ["g0"], drm: 1 }] };
    const units = { g0: "g-how 3031", go, s1: "s-inf 2010", st: "s-transport 2010", ...NEAR };
    const table = new Table(units, { phase: 10, stage: "normal" }, { opFire: false });
    table.play("unit s1", "unit st", "via", "hex 2012", "unload", "hex 2008");
    expect([table.at("s1"), table.at("st")]).toEqual(["2012", "2008"]);
    return table.unit("go")["spotted"];
  };
  for (const hex of ["3011", "3021"]) expect(shelled(hex)).toEqual([{ hex, units: ["g0"], drm: 1 }]);
});
