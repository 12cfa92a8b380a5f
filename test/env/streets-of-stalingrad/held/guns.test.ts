import { expect } from "vitest";
import { type JsonObject } from "../../../../env/index.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../../rule.js";
import { ELSEWHERE, phase5 } from "../set-ups.js";
import { attacks, Table } from "../table.js";
import { type Units, of, REGIMENT, corner, NEAR, plot, BATTALION, one } from "./positions.js";

const rule = ruleTests(rules);

rule("SOS 15.11", "a single Stuka that supported an attack is gone for the turn", () => {
  const units = { g1: "g-inf 2009", go: "g-op-lw 2008", s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), stukas: { available: 2 } });
  table.play("hex 2010", "unit g1", "n 1", "normal", "done: 10");
  expect(table.position["stukas"]).toEqual({ available: 1, used: 1 });
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

rule("SOS 14.23", "a unit that waits for an attack on its own hex does not spot at the attackers of another", () => {
  const pinned = { type: "s-inf", at: "2111", pinned: true, pinHeld: true };
  const units = { g1: "g-inf 2009", g2: "g-inf 2110", s1: "s-inf 2010", s2: pinned, s3: pinned, sm: "s-mortar 2014" };
  const table = (target: string) => new Table(units, attacks(5, "2010", "2111")).play(`hex ${target}`);
  expect(table("2111").play("normal", "hex 2110").legal).not.toContain("unit sm");
  expect(table("2010").play("unit g1", "done", "normal", "hex 2009").legal).toContain("unit sm");
});

rule("SOS 2.25", "an 88 fires at four hexes at targets that it sees, and shells at sixteen", () => {
  const units = (at: string) => ({ g1: "g-inf 2009", g8: `g-88 ${at}`, s1: "s-inf 2010", ...ELSEWHERE });
  const attacks = (at: string) => new Table(units(at), phase5("2010")).play("hex 2010").legal.includes("unit g8");
  expect(["2006", "2005"].map(attacks)).toEqual([true, false]);
  const observer = of("g-op", "2008", "51K/71ID");
  const shells = (at: string) => new Table({ ...units(at), go: observer }, plot()).legal.includes("hex 2010");
  expect(["2026", "2027"].map(shells)).toEqual([true, false]);
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
  "the last sixteen dice of a bombardment of seventeen hexes are kept, in the order of the plot",
  () => {
    const hexes = Array.from({ length: 17 }, (_, i) => String(3010 + i));
    const units = Object.fromEntries(hexes.map((h, i) => [`s${i}`, `s-inf ${h}`]));
    const table = new Table({ g1: "g-inf 2008", ...units }, plot({ stukas: { available: 17 } }));
    hexes.forEach((h, i) => table.play(`hex ${h}`, ...(i < 16 ? ["n 1", "wbbt"] : [`wbbt:${" 10".repeat(17)}`])));
    expect(table.rolls.map((r) => r["hex"])).toEqual(hexes.slice(1));
  },
);

rule("SOS 14.81", "bombs take a bridge before the units beside it", () => {
  const bridge = { type: "s-mine", at: "2010", kind: "bridge" };
  const units = { g1: "g-inf 3008", s1: "s-inf 2010", sb: bridge };
  const table = new Table(units, plot({ stukas: { available: 3 } })).play("hex 2010", "n 3", "crt: 1");
  expect([table.rolls[0]!["result"], table.at("sb"), table.at("s1")]).toEqual(["D1", "dead", "2010"]);
});

rule("SOS 14.31", "a gun that doesn't fire adds no modifier for its spotting", () => {
  const units = {
    go: of("g-op", "2008", "51K/71ID"),
    gh: of("g-how", "2020", "51K/71ID"),
    gi: of("g-how", "2021", "51K/295ID"),
    s1: "s-inf 2010",
  };
  const table = new Table(units, plot()).play("hex 2010", "unit gh", "done", "wbbt", "done: 10");
  expect(table.rolls).toMatchObject([{ points: 9, drms: { spot: -1 } }]);
});

rule("SOS 14.24", "a unit that spotted in one phase spots again in the next bombardment", () => {
  const units = { g1: of("g-inf", "2009", BATTALION), gm: of("g-mortar", "2005", BATTALION), s1: "s-inf 2010" };
  const second = of("g-mortar", "2005", BATTALION);
  const table = new Table({ ...units, gn: second, gt: "g-tank 3030" }, plot()).play("hex 2010", "unit gm");
  expect(table.ask).toBe("bomb.table"); // one gun a phase
  table.play("wbbt", "done: 10");
  expect([table.position["phase"], table.unit("g1")["spotted"]]).toEqual([3, undefined]);
  while (table.position["phase"] !== 6) table.play("done");
  expect(table.legal).toContain("hex 2010");
});

rule("SOS 15.45", "a Stuka that was turned back no longer belongs to its mission", () => {
  const flak = { sa: { type: "s-aa", at: "2013", af: 20 }, sb: "s-aa 2013" };
  const guns = { go: of("g-op", "2008", "51K/71ID"), gh: of("g-how", "2020", "51K/71ID") };
  const table = new Table({ ...guns, ...flak, s1: "s-inf 2010", s2: "s-inf 2110" }, plot({ stukas: { available: 2 } }));
  table.play("hex 2010", "unit gh", "n 1", "wbbt", "hex 2110", "wbbt");
  const stukas = () => (table.position["missions"] as JsonObject[]).map((m) => [m["hex"], m["stukas"]]);
  expect(stukas()).toEqual([
    ["2010", 1],
    ["2110", 1],
  ]);
  table.play("unit sa", "done: 1");
  expect(table.rolls).toMatchObject([{ kind: "aa", result: "D1" }]);
  expect([table.ask, table.legal]).toEqual(["aa.unit", ["done", "unit sb"]]);
  expect(stukas()).toEqual([
    ["2010", undefined],
    ["2110", 1],
  ]);
});

rule("SOS 15.42", "flak meets a single Stuka that supports an attack, and fires with the guns named", () => {
  const units = { g1: "g-inf 2009", go: "g-op-lw 2008", s1: "s-inf 2010", ...ELSEWHERE };
  const flak = { sa: "s-aa 2013", sb: "s-aa 2013" };
  const table = new Table({ ...units, ...flak }, { ...phase5("2010"), ...one });
  table.play("hex 2010", "unit g1", "n 1", "normal");
  expect([table.ask, table.legal]).toEqual(["aa.unit", ["done", "all", "unit sa", "unit sb"]]);
  table.play("unit sa", "done: 10");
  expect(table.rolls).toMatchObject([{ kind: "aa", points: 5 }]);
});

// ruling R48
rule("SOS 15.14", "where the observer doesn't see the hex, no unit that fires directly joins the Stukas", () => {
  const units = { gt: "g-tank 2008", gh: of("g-how", "2020", "51K/71ID"), go: of("g-op", "2007", "51K/71ID") };
  const table = new Table({ ...units, s1: "s-inf 2010", ...ELSEWHERE }, { ...phase5(), ...one }).play("hex 2010");
  expect(table.legal).toEqual(expect.arrayContaining(["n 1", "unit gt", "unit gh"]));
  expect(table.play("n 1").legal).toEqual(["done", "unit gh"]);
});

rule("SOS 15.14", "the observer of the Luftwaffe on Mamayev Kurgan sees what observers see from there", () => {
  const numbers = (at: string) => {
    const units = { go: `g-op-lw ${at}`, g1: "g-inf 2239", s1: "s-inf 2238" };
    const position = { ...attacks(5, "2238"), map: { base: "standard" }, stukas: { available: 2 } };
    return new Table(units, position).play("hex 2238").legal.filter((a) => a.startsWith("n "));
  };
  expect([numbers("1039"), numbers("1139")]).toEqual([["n 1", "n 2"], []]);
});

rule("SOS 14.25", "beyond four hexes units spot only over the Volga, up to the bank on the other side", () => {
  const spots = (land: readonly string[]) => {
    const hexes = ["2011", "2012", "2013", "2014"].map((h) => [h, { t: land.includes(h) ? "clear" : "volga" }]);
    const units = { go: of("g-op", "2010", "51K/71ID"), gh: of("g-how", "2005", "51K/71ID"), s1: "s-inf 2015" };
    return new Table(units, plot({ map: { base: "blank", hexes: Object.fromEntries(hexes) as JsonObject } })).legal;
  };
  expect(spots([])).toContain("hex 2015");
  for (const land of ["2011", "2012", "2013", "2014"]) expect(spots([land])).not.toContain("hex 2015");
});

rule("SOS 9.40", "guns do not bombard a vehicle that the Tartar Wall of its hex hides from all who spot", () => {
  const wall = [
    [0, 4],
    [0, -4],
  ];
  const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" } };
  const bombs = (rim: number) => {
    const tank = { st: { type: "s-tank", at: "2010", rim } };
    const units = { g1: of("g-inf", "1911", REGIMENT), gh: of("g-how", "2025", "51K/71ID"), ...tank };
    const position = plot({ map: { base: "blank", hexes }, known: { german: ["st"] } });
    const { legal } = new Table(units, position);
    return ["hex 1910", "hex 2010"].filter((hex) => legal.includes(hex));
  };
  // 1911 is in the east, as the sector from north to south is
  expect([bombs(0), bombs(3)]).toEqual([["hex 1910", "hex 2010"], ["hex 1910"]]);
});

rule("SOS 14.25", "over the Volga the land behind the spotter and behind the target has no effect", () => {
  const volga = ["2110", "2111", "2210", "2310", "2311", "2410", "2510", "2511"];
  const map = { base: "blank", hexes: Object.fromEntries(volga.map((h) => [h, { t: "volga" }])) };
  for (const [from, to] of [
    ["2010", "2610"],
    ["2610", "2010"],
  ] as const) {
    const units = { go: of("g-op", from, "51K/71ID"), gh: of("g-how", "2305", "51K/71ID"), s1: `s-inf ${to}` };
    expect(new Table(units, plot({ map })).legal).toContain(`hex ${to}`);
  }
});
