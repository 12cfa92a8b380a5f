import { describe, expect, test } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import { Banks } from "../../../env/streets-of-stalingrad/map/banks.js";
import { Board } from "../../../env/streets-of-stalingrad/map/board.js";
import { chartsOf, dataFiles, standardMap } from "../../../env/streets-of-stalingrad/data.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { column, ENDS, rows } from "./held/positions.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
const QUIET = { opFire: false };
const deploy = (rest: JsonObject = {}, phase = 3): JsonObject => ({ phase, stage: "deploy", ...rest });
/** A friend far ahead, so that nobody leads. */
const AHEAD = { g8: "g-inf 3029", s8: "s-inf 3031" };

rule("SOS 8.21", "MP are doubled in phases 3 and 10", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2028", s1: "s-inf 2031" };
  const table = new Table(units, deploy(), QUIET).play("unit g1");
  expect(table.legal).toContain("hex 2026");
  expect(table.legal).not.toContain("hex 2027");
  const soviet = new Table({ s1: "s-inf 2010", s2: "s-inf 2028", g1: "g-inf 2031" }, deploy({}, 10), QUIET);
  expect(soviet.play("unit s1").legal).toContain("hex 2026");
});

rule("SOS 8.22", "nobody deploys in an exploit phase", () => {
  expect(() => new Table({ g1: "g-inf 2010" }, deploy({}, 7))).toThrow(/stage/);
  const table = new Table({ g1: "g-inf 2010", s1: "s-inf 2011" }, { phase: 7, stage: "normal" }, QUIET).play("done");
  expect(table.position).toMatchObject({ phase: 7, stage: "mark" });
});

rule("SOS 8.23", "units without an order deploy when normal movement is over", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2011", ...AHEAD };
  const table = new Table(units, { phase: 3, stage: "normal" }, QUIET).play("unit g1", "hex 2012", "done");
  expect(table.position["stage"]).toBe("deploy");
  expect(table.legal).toContain("unit g2");
  expect(table.legal).not.toContain("unit g1");
});

rule("SOS 8.24", "nobody deploys into the open within range of a known gun", () => {
  const units = { g1: "g-inf 2020", g2: "g-inf 2026", sa: "s-at 2029" };
  const table = new Table(units, deploy(), QUIET).play("unit g1");
  expect(table.legal).toContain("hex 2025");
  expect(table.legal).not.toContain("hex 2026"); // three hexes from the gun
  const cover = new Table(units, deploy(ground({ "2026": "suburb" })), QUIET).play("unit g1");
  expect(cover.legal).toContain("hex 2026");
});

rule("SOS 8.71", "a unit that dismounts has 8 MP and goes on foot for the rest of the phase", () => {
  const table = new Table({ g1: "g-motinf 2010" }, {}, QUIET).play("unit g1", "dismount");
  expect(table.legal).toContain("hex 2018");
  expect(table.legal).not.toContain("hex 2019");
  table.play("hex 2012");
  expect(table.unit("g1")).toMatchObject({ dismounted: true, modeChanged: true });
});

rule("SOS 8.13", "a unit on foot is hidden in a balka, and seen at once when it mounts on the road there", () => {
  const g1 = { type: "g-motinf", at: "2010", dismounted: true };
  const balka = { map: { base: "blank", hexes: { "2010": { t: "balka", f: ["road"] } } } };
  const { env } = new Table({ g1, s1: "s-inf 2012" }, balka, QUIET).play("unit g1");
  const log = new EventLog([0, 1]);
  env.step("remount", new ScriptedDice([]), log);
  expect(
    log
      .take(1)
      .map((e) => e.text)
      .join("\n"),
  ).toMatch(/mounts again.*\nGerman g1 .* in 2010 .* is seen\.$/);
});

event("mounts", "both sides read which units dismount, and which mount again", () => {
  for (const [start, action, text] of [
    [false, "dismount", "German g1 dismounts in 2010 (clear)."],
    [true, "remount", "German g1 mounts again in 2010 (clear)."],
  ] as const) {
    const g1 = { type: "g-motinf", at: "2010", ...(start ? { dismounted: true } : {}) };
    const { env } = new Table({ g1 }, road, QUIET).play("unit g1");
    const log = new EventLog([0, 1]);
    env.step(action, new ScriptedDice([]), log);
    expect(log.take(0).map((e) => e.text)).toEqual([text]);
    expect(log.take(1).map((e) => e.text)).toEqual([text.replace("g1", "face-down counter (cross)")]); // nobody sees its face
  }
});

rule("SOS 8.72", "on foot it pays what foot units pay", () => {
  const units = { g1: { type: "g-motinf", at: "2010", dismounted: true }, ...ENDS };
  const table = new Table(units, column(rows(11, 20, { t: "forest" })), QUIET).play("unit g1");
  expect(table.legal).toContain("hex 2014"); // 4 x 2 MP; vehicles would pay 12
  expect(table.legal).not.toContain("hex 2015");
});

const road = {
  map: { base: "blank", hexes: { "2013": { t: "clear", f: ["road"] }, "2014": { t: "clear", f: ["road"] } } },
};
const walker = { g1: { type: "g-motinf", at: "2010", dismounted: true } };

rule("SOS 8.73", "its vehicles return by a way from a road that is free of the enemy", () => {
  expect(new Table(walker, road, QUIET).play("unit g1").legal).toContain("remount");
  expect(new Table(walker, {}, QUIET).play("unit g1").legal).not.toContain("remount"); // no road anywhere
  const watched = new Table({ ...walker, s1: "s-inf 2011" }, road, QUIET).play("unit g1");
  expect(watched.legal).not.toContain("remount");
});

rule("SOS 8.74", "mounted again it moves with all its MP at once", () => {
  const table = new Table(walker, road, QUIET).play("unit g1", "remount");
  expect(table.legal).toContain("hex 2034");
  expect(table.legal).not.toContain("dismount"); // once a phase
});

rule("SOS 8.75", "armored infantry is armor until it dismounts", () => {
  const attack = { phase: 12, stage: "attack", marks: { "2010": ["attack"], "3031": ["attack"] } };
  const units = { s1: "s-inf 2009", s2: "s-inf 2009", sx: "s-inf 3030", sy: "s-inf 3030", gx: "g-inf 3031" };
  const modifier = (ga: JsonObject) => {
    const table = new Table({ ...units, ga, gb: "g-inf 2010" }, attack).play("hex 2010", "all", "normal", "done");
    return table.play("done: 10").rolls[0]!["drms"];
  };
  expect(modifier({ type: "g-ainf", at: "2010" })).toEqual({ "armor-target": 1 });
  expect(modifier({ type: "g-ainf", at: "2010", dismounted: true })).toEqual({});
});

/** A ravine from north to south through column 20, with a road across 2011 if there is one. */
const ravine = (middle: JsonObject = {}): JsonObject => ({
  map: {
    base: "blank",
    hexes: Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => `20${String(i + 4).padStart(2, "0")}`).map((h) => [
        h,
        { t: "balka", balka: "03", block: "rule", ...(h === "2011" ? middle : {}) },
      ]),
    ),
  },
});

describe("vehicles at a ravine", () => {
  rule("SOS 8.12", "they enter it, follow it, stay in it, and leave on the side they came from", () => {
    const table = new Table({ gt: "g-tank 1911" }, ravine(), QUIET).play("unit gt", "hex 2011");
    expect(table.at("gt")).toBe("2011");
    expect(table.unit("gt")["rim"]).toBe(0); // it came by the north-east side: the sector from north to south
    const units = { gt: { type: "g-tank", at: "2011", rim: 0 }, g2: "g-inf 2111" };
    const next = new Table(units, ravine(), QUIET).play("unit gt", "via");
    // 2 MP along the ravine, then out again on the same bank
    next.play("hex 2012");
    expect(next.legal).toContain("hex 1912");
  });

  rule("SOS 8.12", "vehicles take the way round and cross nowhere, not even along the ravine", () => {
    // 9 MP in an exploit phase do not suffice to go round the end of the ravine
    const units = { gt: { type: "g-tank", at: "2011", rim: 0 } };
    const table = new Table(units, { ...ravine(), phase: 7, stage: "normal" }, QUIET).play("unit gt", "via");
    table.play("hex 2012");
    expect(table.legal).not.toContain("hex 2111");
    expect(new Table({ gt: "g-tank 2011" }, ravine(), QUIET).play("unit gt").legal).toContain("hex 2111");
  });

  rule("SOS 8.14", "a road across is used by vehicles that come and go by it", () => {
    const crossed = ravine({ road: "14", cross: "road", f: ["road"] });
    const map = crossed["map"] as { hexes: Record<string, JsonObject> };
    map.hexes["1911"] = { t: "clear", f: ["road"], road: "4" };
    map.hexes["2110"] = { t: "clear", f: ["road"], road: "1" };
    const table = new Table({ gt: "g-tank 1912" }, { ...crossed, phase: 7, stage: "normal" }, QUIET).play("unit gt");
    expect(table.legal).toContain("hex 2111");
    const via = new Table({ gt: "g-tank 1912" }, { ...crossed, phase: 7, stage: "normal" }, QUIET);
    via.play("unit gt", "hex 2011");
    expect(via.unit("gt")).toMatchObject({ rim: 0, onWay: true });
  });

  rule("SOS 9.86", "vehicles do not advance across", () => {
    const attack = { phase: 5, stage: "attack", marks: { "2111": ["attack"] } };
    const units = (rim: number) => ({
      gt: { type: "g-tank", at: "2011", rim },
      g1: "g-inf 2011",
      s1: "s-inf 2111",
    });
    const advancers = (rim: number) =>
      new Table(units(rim), { ...ravine(), ...attack }).play("all", "no", "normal", "done: 1").legal;
    expect(advancers(0)).toEqual(["done", "unit g1"]);
    expect(advancers(3)).toEqual(["done", "unit gt", "unit g1"]);
  });

  rule("SOS 9.86", "vehicles advance across by the road they came by", () => {
    const advances = (target: string, onWay: boolean) => {
      const attack = { phase: 5, stage: "attack", marks: { [target]: ["attack"] } };
      const gt = { type: "g-tank", at: "2011", rim: 0, ...(onWay ? { onWay } : {}) };
      const map = ravine({ road: "14", cross: "road", f: ["road"] });
      const table = new Table({ gt, g1: "g-inf 2011", s1: `s-inf ${target}` }, { ...map, ...attack });
      return table.play("all", "no", "normal", "done: 1").legal.includes("unit gt");
    };
    // the road leads from 1912 to 2111
    expect([advances("2111", true), advances("2111", false)]).toEqual([true, false]);
    expect([advances("2112", true), advances("1911", false)]).toEqual([false, true]);
  });

  rule("SOS 8.13", "they have no cover there, but with infantry beside them all have", () => {
    const attack = { phase: 5, stage: "attack", marks: { "2010": ["attack"], "3031": ["attack"] } };
    const terrain = (more: Record<string, string>) => {
      const units = { g1: "g-inf 2009", g2: "g-at 2009", gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
      const table = new Table({ ...units, st: "s-tank 2010", ...more }, { ...attack, ...ground({ "2010": "balka" }) });
      return table.play("hex 2010", "all", "normal", "done: 10").rolls[0]!["drms"];
    };
    expect(terrain({})).toEqual({});
    expect(terrain({ s1: "s-inf 2010" })).toEqual({ terrain: 1 });
  });
});

describe("the ravines of the map", () => {
  const board = new Board(standardMap(dataFiles()), chartsOf(dataFiles()).ground);
  const { banks } = board;

  rule("SOS App. A", "1824 and 1842 keep vehicles apart", () => {
    const [h1824, h1842] = [board.index("1824"), board.index("1842")];
    const blocked = (h: number) => board.hexes[h]!.block !== undefined;
    expect([blocked(h1824), blocked(h1842)]).toEqual([true, true]);
    const apart = (h: number) =>
      [0, 1, 2, 3, 4, 5].some(
        (rim) =>
          banks.isBank(h, rim + 1) && ![0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(h, rim + 1, d, false, false)),
      );
    expect([apart(h1824), apart(h1842)]).toEqual([true, true]);
  });

  rule("SOS App. B", "by the crossings vehicles from the western edge come to every land hex", () => {
    const met = new Uint8Array(banks.nodes);
    const todo: number[] = [];
    const add = (node: number) => {
      if (met[node] === 0) {
        met[node] = 1;
        todo.push(node);
      }
    };
    const land = (h: number) => board.volga[h] === 0;
    for (let h = 0; h < board.size; h++) if (board.columns[h] === 40 && land(h)) add(banks.node(h, 0));
    while (todo.length > 0) {
      const node = todo.pop()!;
      const [h, bank] = [banks.hexOf[node]!, banks.bankOf[node]!];
      for (let d = 0; d < 6; d++) {
        const to = board.neighbours[h * 6 + d]!;
        if (to >= 0 && land(to) && banks.mayLeave(h, bank, d, false, true))
          add(banks.node(to, banks.enter(h, bank, d, to)));
      }
    }
    const reached = new Set([...met.keys()].filter((n) => met[n] === 1).map((n) => banks.hexOf[n]!));
    expect(board.ids.filter((_, h) => land(h) && !reached.has(h))).toEqual([]);
  });

  test("know banks by the side where they begin", () => {
    const one = new Banks([{ t: "balka", balka: "03", block: "rule" }], new Uint8Array(1));
    expect([one.isBank(0, 1), one.isBank(0, 2), one.isBank(0, 4)]).toEqual([true, false, true]);
    const leaves = (bank: number) => [0, 1, 2, 3, 4, 5].filter((d) => one.mayLeave(0, bank, d, false, true));
    expect(leaves(1)).toEqual([0, 1, 2, 3]);
    expect(leaves(4)).toEqual([0, 3, 4, 5]);
  });
});
