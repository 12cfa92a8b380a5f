import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { type JsonObject, openCase } from "../../../env/index.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);

rule("SOS 8.06", "a hex is named on the way also where the only way on is back", () => {
  const around = ["1910", "1911", "2009", "2011", "2110", "2111"];
  for (const at of around) {
    const water = around.filter((h) => h !== at).map((h) => [h, "volga"]);
    const start = { phase: 3, stage: "normal", ...ground(Object.fromEntries(water)) };
    const table = new Table({ g1: `g-inf ${at}`, s9: "s-inf 3060" }, start, { opFire: false });
    expect([at, table.play("unit g1", "via").legal.includes("hex 2010")]).toEqual([at, true]);
  }
});

rule("SOS 2.34", "a scenario is played on its part of the map, its border hexes included", () => {
  const table = new Table({ gf: "g-inf 0510", sf: "s-inf 0118" }, { bounds: { cols: [1, 5], rows: [8, 18] } });
  table.play("unit gf");
  expect(table.legal).toContain("hex 0518");
  expect(table.env.game.actions).not.toContain("hex 0610");
  expect(table.env.game.actions).not.toContain("hex 0507");
});

rule("SOS 3.3", "points give one of four levels", () => {
  const levels = { germanMarginal: 2, germanDecisive: 4, sovietDecisive: 0 };
  const returns = (points: number): number => {
    const position: JsonObject = {
      scenario: "sandbox",
      phase: 1,
      turn: 3,
      vp: { adjust: points },
      victory: { hexes: {}, levels },
      units: { g: { type: "g-inf", at: "2009" }, s: { type: "s-inf", at: "2020" } },
    };
    const env = openCase(streetsOfStalingrad, {
      id: "levels",
      rule: "3.3",
      position,
      options: { graded: true },
      steps: [],
    });
    env.step("declare-end");
    const out = new Float32Array(2);
    env.game.returns(env.state, out);
    return out[0]!;
  };
  expect([0, 1, 2, 3, 4].map(returns)).toEqual([-1, -0.5, 0.5, 0.5, 1]);
});

rule("SOS 4.2", "nobody has to move, to mark or to fire", () => {
  const table = new Table({ g1: "g-inf 2009", s1: "s-inf 2010" });
  expect(table.ask).toBe("move.select");
  expect(table.play("done").position["stage"]).toBe("deploy");
  expect(table.play("done").ask).toBe("mark.hex");
  expect(table.play("done").position["phase"]).toBe(7);
});

rule("SOS 4.3", "fifteen phases, German ones by day, Soviet ones by night", () => {
  const table = new Table({ g1: "g-inf 2009", s1: "s-inf 2020" });
  const seen = new Set<string>();
  while (table.position["turn"] === 2) {
    seen.add(`${String(table.position["phase"])} ${(table.position["decision"] as { actor: string }).actor}`);
    table.play("done");
  }
  expect([...seen]).toEqual(["3 german", "7 german", "10 soviet", "14 soviet"]);
  expect(table.ask).toBe("admin.end");
});

rule("SOS 5.1", "several units may be in a hex, up to the limit where their order ends", () => {
  const table = new Table({ g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2012" });
  expect(table.play("unit g3").legal).toContain("hex 2010");
  expect(table.play("hex 2010", "unit g1").legal).toContain("unit g2");
});

rule("SOS 5.2", "a full hex may be passed", () => {
  const wall = Object.fromEntries(["1911", "2111", "2112", "1912"].map((h) => [h, "volga"]));
  const table = new Table({ g1: "g-inf 2011", g2: "g-inf 2011", g3: "g-inf 2011", g4: "g-inf 2012" }, ground(wall));
  expect(table.play("unit g4").legal).toContain("hex 2010");
  expect(table.legal).not.toContain("hex 2011");
});

rule("SOS 5.8", "an overfull hex is thinned out before anything else", () => {
  const full = { g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010" };
  const table = new Table({ ...full, g4: { type: "g-inf", at: "2010", pinned: true }, g5: "g-inf 2020" });
  expect(table.legal).toEqual(["unit g1", "unit g2", "unit g3"]);
  expect(table.play("unit g1", "hex 2011").legal).toContain("unit g5");
});

rule("SOS 5.8", "a hex that stays overfull once no unit in it is pinned reads back as it was written", () => {
  const table = new Table({ g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010", g4: "g-inf 2010" });
  expect(table.legal).toEqual(["unit g1", "unit g2", "unit g3", "unit g4"]);
});

rule("SOS 6.3", "a zone of control reaches into hexes that its unit can't enter", () => {
  const units = { g1: "g-inf 0211", g2: "g-inf 0209", g3: "g-inf 0311", s1: "s-inf 0210" };
  const table = new Table(units, attacks(5, "0210")).play("all", "normal", "done: 10");
  // the way over the river is closed by the zones of 0209 and 0211
  expect(table.rolls[0]!["drms"]).toEqual({ assault: -1 });
});

rule("SOS 6.4", "leaving and entering zones of control costs nothing", () => {
  const table = new Table({ g1: "g-inf 2011", s1: "s-inf 2010" }, { phase: 7 }, { opFire: false });
  expect(table.play("unit g1").legal).toContain("hex 2015");
});

rule("SOS 6.7", "nobody goes from one zone of control into another, of any unit", () => {
  const table = new Table(
    { g1: { type: "g-inf", at: "2011", mp: 2 }, s1: "s-inf 2010", s2: "s-inf 2210" },
    { phase: 7 },
    { opFire: false },
  );
  expect(table.play("unit g1").legal).not.toContain("hex 2111");
});

rule("SOS 6.8", "a friend in the hex does not cancel a zone of control", () => {
  const table = new Table(
    { g1: { type: "g-inf", at: "2011", mp: 2 }, g2: "g-inf 2111", s1: "s-inf 2010" },
    { phase: 7 },
    { opFire: false },
  );
  expect(table.play("unit g1").legal).not.toContain("hex 2111");
});

rule("SOS 8.02", "a unit may move in the movement and in the exploit phase of one turn", () => {
  const table = new Table({ g1: "g-inf 2010" });
  table.play("unit g1", "hex 2011", "done");
  expect(table.position["phase"]).toBe(7);
  expect(table.play("unit g1").legal).toContain("hex 2015");
});

rule("SOS 8.07", "groups of one hex split, and each moves as its slowest member", () => {
  const table = new Table({ g1: "g-inf 2010", g2: "g-inf 2010", gt: "g-tank 2010" });
  table.play("unit g1", "unit gt", "hex 2018");
  expect([table.at("g1"), table.at("gt"), table.at("g2")]).toEqual(["2018", "2018", "2010"]);
  expect(table.legal).toContain("unit g2");
  expect(table.legal).not.toContain("unit gt");
});

rule("SOS 8.09", "a unit that enters a zone of control stops", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" }, {}, { opFire: false });
  table.play("unit g1", "hex 2011");
  expect(table.legal).not.toContain("unit g1");
  expect(table.at("g1")).toBe("2011");
});

rule("SOS 8.11", "the most expensive ground counts, and built-up hexes have no roads", () => {
  const road = (t: string) => ({ t, f: ["road"] });
  const table = (t: string) =>
    new Table(
      { gf: "g-tank 2010", sf: "s-inf 2040" },
      {
        phase: 7,
        bounds: { cols: [20, 20], rows: [10, 40] },
        map: { hexes: { "2010": road("clear"), "2011": road(t), "2012": road(t), "2013": road(t) } },
      },
    ).play("unit gf");
  // nine MP: three city hexes would cost twelve, by road they would cost one and a half
  expect(table("city").legal).not.toContain("hex 2013");
  expect(table("suburb").legal).toContain("hex 2013");
});

rule("SOS 8.34", "reserves may go into zones of control and attacked hexes", () => {
  const table = new Table(
    { s1: "s-inf 2009", gd: "g-inf 2010", g1: "g-inf 2012" },
    { phase: 11, stage: "reserves", marks: { "2010": ["attack"] } },
  );
  table.play("unit g1");
  expect(table.legal).toEqual(expect.arrayContaining(["hex 2010", "hex 1910"]));
});

rule("SOS 9.111", "a pin marker stops every unit that comes in", () => {
  const table = new Table({ g1: { type: "g-inf", at: "2011", pinned: true }, g2: "g-inf 2013" });
  table.play("unit g2", "hex 2011");
  expect(table.unit("g2")).toEqual({ type: "g-inf", at: "2011", pinned: true, ordered: true });
});

rule("SOS 9.112", "pinned units neither move nor fire at movers", () => {
  const table = new Table({ g1: "g-inf 2013", s1: { type: "s-inf", at: "2010", pinned: true } });
  expect(table.play("unit g1", "hex 2011").at("g1")).toBe("2011");
});

rule("SOS 11.0", "fire at movers interrupts the move", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" });
  table.play("unit g1", "hex 2011");
  expect(table.ask).toBe("op.fire");
  const off = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" }, {}, { opFire: false });
  expect(off.play("unit g1", "hex 2011").ask).toBe("move.select");
});

rule("SOS 11.3", "pinned units don't fire, spent ones at +1", () => {
  const table = new Table({ g1: "g-inf 2013", s1: { type: "s-inf", at: "2010", spent: true } });
  table.play("unit g1", "hex 2011", "unit s1: 1");
  expect(table.rolls[0]!["drms"]).toEqual({ disrupted: 1 });
  const pinned = new Table({ g1: "g-inf 2013", s1: { type: "s-inf", at: "2010", pinned: true } });
  expect(pinned.play("unit g1", "hex 2011").ask).toBe("move.select");
});

rule("SOS 11.8", "units of different hexes fire separately", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010", s2: "s-inf 1910" });
  // 1910 is not beside 2011, so the second one is a tank
  expect(table.play("unit g1", "hex 2011").legal).toEqual(["pass", "hold", "unit s1"]);
  const tanks = new Table({ g1: "g-inf 2013", s1: "s-tank 2010", s2: "s-tank 1911" });
  tanks.play("unit g1", "hex 2012");
  expect(tanks.legal).toEqual(expect.arrayContaining(["unit s1", "unit s2"]));
  tanks.play("unit s1: 10");
  expect(tanks.ask).toBe("op.fire");
  expect(tanks.rolls[0]!["points"]).toBe(5);
  expect(tanks.legal).toEqual(["pass", "hold", "unit s2"]);
});

rule("SOS 18.22", "an adjacent leader lets Soviet reserves move", () => {
  const units = { g1: "g-inf 2009", s1: "s-inf 2010", s4: "s-inf 2012" };
  const rest = { phase: 4, stage: "reserves", marks: { "2010": ["attack"] } };
  expect(new Table({ ...units, sl: "s-leader 2013" }, rest).legal).toContain("unit s4");
  expect(new Table(units, rest).position["phase"]).not.toBe(4);
});
