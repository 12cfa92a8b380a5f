import { expect, test } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const BATTALION = "51K/71ID/191/II";
const GUARDS = "62A/13GRD/42/1";
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const plot = { phase: 2, stage: "plot-first" };
/** A German company that sees its neighbour 2010, and its mortar. */
const company = { g1: of("g-inf", "2009", BATTALION), gm: of("g-mortar", "2005", BATTALION) };
/** Keeps the attack phase open when the attack under test is over. */
const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
const phase5 = (...targets: string[]) => attacks(5, ...targets, "3031");

const HITS_NOBODY = 10;

rule("SOS 2.21", "mortars, infantry guns, howitzers and rockets bombard, an anti-tank gun does not", () => {
  const units = {
    go: of("g-op", "2009", "51K/71ID"),
    gm: of("g-mortar", "2005", BATTALION),
    gi: of("g-ig", "2005", "51K/71ID/191"),
    gh: of("g-how", "2020", "51K/71ID"),
    gn: of("g-neb", "2021", "51K/71ID"),
    ga: of("g-at", "2008", "51K/71ID"),
    s1: "s-inf 2010",
  };
  const table = new Table(units, plot).play("hex 2010");
  expect(table.legal).toEqual(["unit gm", "unit gi", "unit gh", "unit gn"]);
});

rule("SOS 14.03", "a gun that fired is silent until the next administrative phase", () => {
  const spent = { ...company, gm: of("g-mortar", "2005", BATTALION, { firedAf: true }), s1: "s-inf 2010" };
  expect(new Table(spent, { ...plot, phase: 13 }).position["phase"]).toBe(14);
  const table = new Table(spent, { phase: 15, stage: "attack", marks: { "2009": ["attack"] }, turn: 2, lastTurn: 3 });
  table.play("normal", `done: ${HITS_NOBODY}`);
  expect(table.position).toMatchObject({ turn: 3, phase: 1 });
  expect(table.unit("gm")["firedAf"]).toBeUndefined();
});

rule("SOS 14.07", "pinned or spent guns have no AF", () => {
  for (const state of ["pinned", "spent"]) {
    const units = {
      ...company,
      gm: of("g-mortar", "2005", BATTALION, { [state]: true, pinHeld: false }),
      s1: "s-inf 2010",
    };
    expect(new Table(units, plot).position["phase"]).toBe(3);
  }
});

rule("SOS 14.43", "a pinned gun does not bombard", () => {
  const units = { ...company, gm: of("g-mortar", "2005", BATTALION, { pinned: true }), s1: "s-inf 2010" };
  expect(new Table(units, plot).position["phase"]).toBe(3);
});

rule("SOS 14.46", "what no unit sees can't be bombarded", () => {
  const units = { ...company, s1: "s-inf 2010", s2: "s-inf 2014" };
  const { legal } = new Table(units, plot);
  expect(legal).toContain("hex 2010");
  expect(legal).not.toContain("hex 2014");
});

rule("SOS 14.21", "leaders and OPs spot, the airmen's OP does not", () => {
  const gh = of("g-how", "2020", "51K/71ID");
  for (const [type, spots] of [
    ["g-op", true],
    ["g-leader", true],
    ["g-op-lw", false],
  ] as const) {
    const table = new Table({ go: of(type, "2009", "51K/71ID"), gh, s1: "s-inf 2010" }, plot);
    expect(table.legal.includes("hex 2010")).toBe(spots);
  }
});

rule("SOS 9.81", "a P that comes with a loss to bombs pins those that are left", () => {
  const units = { go: of("g-op", "2007", "51K/71ID"), h1: { ...of("g-how", "2025", "51K/71ID"), af: 30 } };
  const table = new Table({ ...units, s1: "s-inf 2010", s2: "s-inf 2010" }, plot).play("hex 2010", "crt: 6");
  expect([table.rolls[0]!["result"], table.legal]).toEqual(["D1P", ["unit s1", "unit s2"]]);
  table.play("unit s1");
  expect([table.at("s1"), table.unit("s2")["pinned"]]).toEqual(["dead", true]);
});

rule("SOS 14.24", "a gun that sees its target itself takes nobody's place as a spotter", () => {
  const mortar = (at: string) => of("g-mortar", at, BATTALION);
  const table = new Table({ ...company, gm: mortar("2009"), gn: mortar("2005"), s1: "s-inf 2010" }, plot);
  table.play("hex 2010", "unit gm");
  expect(table.legal).toContain("unit gn");
});

rule("SOS 14.38", "a company spots for no 88, an OP does", () => {
  const phase = (spotter: JsonObject) =>
    new Table({ g1: spotter, g8: of("g-88", "2025", "51K/71ID"), s1: "s-inf 2010" }, plot).position["phase"];
  expect([phase(of("g-inf", "2009", BATTALION)), phase(of("g-op", "2009", "51K/71ID"))]).toEqual([3, 2]);
});

test("a prompt shows the modifier that a gun would have by the unit that would spot for it", () => {
  const guns = { gm: of("g-mortar", "2005", BATTALION), gn: of("g-mortar", "2005", BATTALION) };
  const units = { g1: of("g-inf", "2009", "51K/71ID/191/I"), ...guns, s1: "s-inf 2010" };
  const { env } = new Table(units, plot).play("hex 2010");
  const { choices } = env.game.narration!.prompt(env.state, 0);
  // of the gun's regiment but another battalion: +3
  expect(choices.find(({ name }) => name === "unit gm")!.text).toContain("column 5-6, spotting +3");
});

rule("SOS 14.98", "an OP that was lost in an earlier bombardment may come back after the next one", () => {
  const so = { type: "s-op", at: "dead", lost: [3, 2] } as unknown as JsonObject;
  const table = new Table({ ...company, so, s1: "s-inf 2010" }, { ...plot, turn: 3 });
  expect(table.unit("so")["lost"]).toEqual([3, 2]);
  // the phase is over: nothing keeps it from coming back in the next one
  expect(table.play("done").unit("so")).toEqual({ type: "s-op", at: "dead" });
});

rule("SOS 14.22", "a leader spots at one hex in a phase, an OP at any number", () => {
  const guns = { h1: of("g-how", "2020", "51K/71ID"), h2: of("g-how", "2020", "51K/71ID") };
  const second = (type: string) => {
    const table = new Table({ go: of(type, "2009", "51K/71ID"), ...guns, s1: "s-inf 2010", s2: "s-inf 2109" }, plot);
    table.play("hex 2010", "unit h1", "done", "wbbt");
    return table.legal.includes("hex 2109");
  };
  expect(second("g-op")).toBe(true);
  expect(second("g-leader")).toBe(false);
});

rule("SOS 14.23", "pinned units do not spot, spent ones do", () => {
  const open = (state: string) =>
    new Table({ ...company, g1: of("g-inf", "2009", BATTALION, { [state]: true }), s1: "s-inf 2010" }, plot).legal;
  expect(open("pinned")).not.toContain("hex 2010");
  expect(open("spent")).toContain("hex 2010");
});

rule("SOS 14.32", "a company of the gun's regiment but another battalion fires it with +3", () => {
  const units = { g1: of("g-inf", "2009", "51K/71ID/191/I"), gm: of("g-mortar", "2005", BATTALION), s1: "s-inf 2010" };
  const table = new Table(units, plot).play("hex 2010", "wbbt: 1");
  expect(table.rolls[0]!["drms"]).toEqual({ spot: 3 });
});

rule("SOS 14.35", "an independent gun beside division artillery is in the command of that division", () => {
  const shoot = (at: string) => {
    const units = {
      go: of("g-op", "2009", "51K/71ID"),
      gd: of("g-how", "2020", "51K/71ID", { firedAf: true }),
      gi: { type: "g-how", at },
      s1: "s-inf 2010",
    };
    return new Table(units, plot).play("hex 2010", "wbbt: 5").rolls[0]!["drms"];
  };
  expect(shoot("2020")).toEqual({ spot: -1 });
  expect(shoot("2021")).toEqual({ spot: 1 });
});

rule("SOS 14.38", "an 88 reaches sixteen hexes for any German OP, without penalty", () => {
  const shoot = (at: string) =>
    new Table({ go: of("g-op", "2009", "51K/94ID"), g88: `g-88 ${at}`, s1: "s-inf 2010" }, plot);
  expect(shoot("2026").play("hex 2010", "wbbt: 5").rolls[0]!["drms"]).toEqual({ spot: -1 });
  expect(shoot("2027").legal).not.toContain("hex 2010");
});

rule("SOS 14.39", "only OPs and leaders of the army have a Soviet independent gun in command", () => {
  const shoot = (op: string, formation: string) => {
    const units = { so: of(op, "2011", formation), sh: "s-how 2001", g1: "g-inf 2010", s9: "s-inf 3570" };
    return new Table(units, { phase: 9, stage: "plot-first" }).play("hex 2010", "wbbt: 5").rolls[0]!["drms"];
  };
  expect(shoot("s-op", "62A")).toEqual({ spot: -1 });
  expect(shoot("s-leader", "62A/13GRD")).toMatchObject({ spot: 3 });
});

rule("SOS 9.103", "Katyushas do not fire beside friends", () => {
  const units = {
    so: of("s-op", "2012", "62A"),
    sk: "s-kat 2003",
    s1: "s-inf 2011",
    g1: "g-inf 2010",
    g2: "g-inf 2014",
  };
  const { legal } = new Table(units, { phase: 9, stage: "plot-first" });
  expect(legal).not.toContain("hex 2010");
  expect(legal).toContain("hex 2014");
});

rule("SOS 14.44", "Katyushas do not fire beside themselves", () => {
  const units = { so: of("s-op", "2012", "62A"), sk: "s-kat 2010", g1: "g-inf 2009", g2: "g-inf 2015" };
  const { legal } = new Table(units, { phase: 9, stage: "plot-first" });
  expect(legal).not.toContain("hex 2009");
  expect(legal).toContain("hex 2015");
});

rule("SOS 14.42", "each side has at most one mission at a hex in a phase", () => {
  const units = {
    ...company,
    g2: of("g-inf", "1910", BATTALION),
    go: of("g-op", "2006", "51K/71ID"),
    gh: of("g-how", "2020", "51K/71ID"),
    s1: "s-inf 2010",
  };
  const table = new Table(units, plot).play("hex 2010", "unit gm", "done", "wbbt");
  expect(table.ask).toBe("bomb.target");
  expect(table.legal).not.toContain("hex 2010");
});

rule("SOS 14.45", "a bombardment by the combat table counts terrain, by the other it does not", () => {
  const shoot = (how: string) => {
    const table = new Table({ ...company, s1: "s-inf 2010" }, { ...plot, ...ground({ "2010": "city" }) });
    return table.play("hex 2010", how).rolls[0]!;
  };
  expect(shoot("crt: 3")).toMatchObject({ table: "CRT", drms: { terrain: 2 }, mdr: 5 });
  expect(shoot("wbbt: 3")).toMatchObject({ table: "WBBT", drms: {}, mdr: 3 });
});

rule("SOS 14.6", "a fort counts against the bombardment table", () => {
  const table = new Table({ ...company, s1: "s-inf 2010", sf: "s-fort 2010" }, plot).play("hex 2010", "wbbt: 3");
  expect(table.rolls[0]!["drms"]).toEqual({ fort: 1 });
});

rule("SOS 14.47", "bombs hit armor after everything else", () => {
  const gh = of("g-how", "2020", "51K/71ID", { af: 30 });
  const units = { go: of("g-op", "2009", "51K/71ID"), gh, s1: "s-inf 2010", s2: "s-inf 2010", st: "s-tank 2010" };
  const table = new Table(units, plot).play("hex 2010", "wbbt: 4");
  expect(table.ask).toBe("loss.pick");
  expect(table.legal).toEqual(["unit s1", "unit s2"]);
});

rule("SOS 14.81", "an OP under bombs is lost when no other unit is left", () => {
  const gh = of("g-how", "2020", "51K/71ID", { af: 30 });
  const units = { go: of("g-op", "2009", "51K/71ID"), gh, s1: "s-inf 2010", so: "s-op 2010" };
  const table = new Table(units, plot).play("hex 2010", "wbbt: 4");
  expect([table.at("s1"), table.at("so")]).toEqual(["dead", "dead"]);
});

rule("SOS 14.82", "a leader in a bombed hex rolls to survive when a unit is lost", () => {
  const gh = of("g-how", "2020", "51K/71ID", { af: 30 });
  const units = {
    go: of("g-op", "2009", "51K/71ID"),
    gh,
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sl: of("s-leader", "2010", GUARDS),
  };
  const table = new Table(units, plot).play("hex 2010", "wbbt: 5", "unit s1: 3");
  expect(table.rolls).toEqual([{ kind: "leader", die: 3, drm: -1, mdr: 2, result: "eliminated" }]);
  expect(table.at("sl")).toBe("dead");
});

rule("SOS 14.85", "a hex with own units is interdicted with a throw at -2", () => {
  const units = { ...company, g2: "g-inf 2010", s1: "s-inf 2011" };
  const table = new Table(units, plot).play("hex 2010: 1");
  expect(table.rolls[0]).toMatchObject({ table: "CRT", drms: { "interdict-own": -2 }, mdr: -1 });
});

rule("SOS 14.49", "a battery that is hit in the phase still fires what it plotted", () => {
  const units = { ...company, s1: of("s-inf", "2010", GUARDS), sm: of("s-mortar", "2010", GUARDS) };
  const table = new Table(units, plot).play("hex 2010", "wbbt", "hex 2009", "wbbt: 1 8");
  expect(table.rolls.map((r) => r["hex"])).toEqual(["2010", "2009"]);
});

rule("SOS 14.12", "a mortar that fired in defence by day does not move in phase 10", () => {
  const units = {
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    s1: of("s-guards", "2010", GUARDS),
    sm: of("s-mortar", "2013", GUARDS),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "hex 2009", "unit sm", "done");
  table.play("crt: 10 10");
  expect(table.unit("sm")).toMatchObject({ firedAf: true, noMove: true });
});

rule("SOS 14.06", "a gun attacked from an adjacent hex fires only its DF", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", sm: of("s-mortar", "2010", GUARDS), ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "all: 10 10");
  expect(table.rolls[0]).toMatchObject({ kind: "defense", points: 1 });
  expect(table.unit("sm")["firedAf"]).toBeUndefined();
});

rule("SOS 9.39", "indirect fire at an attacked hex needs a unit that sees it, not a line of its own", () => {
  const wood = ground({ "2007": "forest" });
  const units = { ...company, s1: "s-inf 2010", ...ELSEWHERE };
  expect(new Table(units, { ...phase5("2010"), ...wood }).play("hex 2010").legal).toContain("unit gm");
});

rule("SOS 14.01", "guns alone may attack a hex that is not marked", () => {
  const table = new Table({ ...company, s1: "s-inf 2010", ...ELSEWHERE }, phase5()).play("hex 2010", "wbbt: 3");
  expect(table.rolls[0]).toMatchObject({ kind: "attack", table: "WBBT", points: 5, result: "P" });
  expect(table.unit("g1")["spent"]).toBeUndefined();
});

rule("SOS 16.82", "NKVD attackers add 1 to the die", () => {
  const units = { n1: "s-nkvd 2009", g1: "g-inf 2010", gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };
  const table = new Table(units, attacks(12, "2010", "3031")).play("hex 2010", "normal", "done: 10");
  expect(table.rolls[0]!["drms"]).toMatchObject({ nkvd: 1 });
});

rule("SOS 14.05", "German rockets may fire beside friends", () => {
  const units = {
    go: of("g-op", "2009", "51K/71ID"),
    gn: of("g-neb", "2020", "51K/71ID"),
    g1: "g-inf 2009",
    s1: "s-inf 2010",
  };
  expect(new Table(units, plot).legal).toContain("hex 2010");
});

rule("SOS 14.94", "an OP pinned in this phase still spots, one pinned before does not", () => {
  const legal = (more: object) =>
    new Table({ go: of("g-op", "2009", "51K/71ID", more), gh: of("g-how", "2020", "51K/71ID"), s1: "s-inf 2010" }, plot)
      .legal;
  expect(legal({ pinned: true, newPin: true })).toContain("hex 2010");
  expect(legal({ pinned: true })).not.toContain("hex 2010");
});

rule("SOS 9.602", "a unit that is not attacked spots for guns that defend another hex", () => {
  const units = {
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    s1: "s-inf 2010",
    so: of("s-op", "2012", "62A"),
    sm: of("s-mortar", "2015", GUARDS),
    ...ELSEWHERE,
  };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "hex 2009");
  expect(table.legal).toContain("unit sm");
});

rule("SOS 14.03", "an 88 that shells in an attack does not also fire at units that retreat from it", () => {
  const units = {
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    go: "g-op 2009",
    g88: "g-88 2208",
    s1: "s-guards 2010",
    s2: "s-guards 2010",
    ...ELSEWHERE,
  };
  const retreat = (...attackers: string[]) => {
    const wood = ground({ "2109": "forest" }); // it sees 2111, not 2010
    const table = new Table(units, { ...phase5("2010"), ...wood }).play("hex 2010", ...attackers, "done", "normal");
    return table.play("unit s1", "hex 2111");
  };
  const fires = retreat("unit g1");
  expect(fires.ask).toBe("op.fire");
  expect(fires.legal).toContain("unit g88");
  const shells = retreat("unit g1", "unit g88");
  expect(shells.unit("g88")["firedAf"]).toBe(true);
  expect(shells.ask).toBe("df.target");
});

/**
 * German companies in 2009 attack 2010; a Soviet mortar in `at` fires its AF at them, then a tank in `from` attacks it.
 */
const supported = (at: string, from: string) => {
  const units = {
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    g3: "g-inf 2009",
    gt: `g-tank ${from}`,
    s1: of("s-guards", "2010", GUARDS),
    so: of("s-op", "2011", "62A"),
    sm: of("s-mortar", at, GUARDS),
  };
  const table = new Table(units, attacks(5, "2010")).play("hex 2010", "unit g1", "unit g2", "done", "normal");
  table.play("hex 2009", "unit sm", "done", "crt: 10 10");
  expect(table.rolls[0]).toMatchObject({ kind: "defense", hex: "2009", points: 5 });
  return table.play(`hex ${at}`);
};

rule("SOS 9.51", "a gun that has fired in support still fires its DF when its own hex is attacked", () => {
  const table = supported("2013", "2014").play("all: 10 10");
  expect(table.rolls[0]).toMatchObject({ kind: "defense", hex: "2014", points: 1 });
});

rule("SOS 14.06", "a gun fires only its DF at a hex that it has shelled, too", () => {
  const table = supported("2109", "2009").play("all: 10 10");
  expect(table.rolls[0]).toMatchObject({ kind: "defense", hex: "2009", points: 1, drms: {} });
});
