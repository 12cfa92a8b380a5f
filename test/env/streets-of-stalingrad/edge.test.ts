import { describe, expect, test } from "vitest";
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

type Units = Record<string, string | JsonObject>;
/** The German movement on the western edge, where box 2 is entered by 4022 to 4030, with roads in 4024 and 4028. */
const edge = (units: Units, more: JsonObject = {}): Table =>
  new Table(
    { gf: "g-inf 3024", sf: "s-inf 0230", ...units },
    { phase: 3, stage: "normal", bounds: { cols: [1, 40], rows: [20, 32] }, ...more },
    { opFire: false },
  );
const map = (hexes: Record<string, string>): JsonObject => ({
  map: { base: "blank", hexes: Object.fromEntries(Object.entries(hexes).map(([h, t]) => [h, { t }])) },
});
const hexes = (table: Table): string[] =>
  table.legal.flatMap((name) => (name.startsWith("hex ") ? [name.slice(4)] : []));
const boxes = (table: Table): string[] =>
  table.legal.flatMap((name) => (name.startsWith("box ") ? [name.slice(4)] : []));

describe("from a box off the map", () => {
  rule("SOS 8.46", "Germans enter by the hexes of the box at their cost, and on roads at the road's rate", () => {
    const entries = ["4022", "4023", "4024", "4025", "4026", "4027", "4028", "4029", "4030"];
    const slow = { g1: { type: "g-inf", at: "off-2", mp: 1 } };
    expect(hexes(edge(slow).play("unit g1"))).toEqual(entries);
    const woods = map(Object.fromEntries(entries.map((h) => [h, "forest"])));
    // forest takes 2 MP, the two roads 1
    expect(hexes(edge(slow, woods).play("unit g1"))).toEqual(["4024", "4028"]);
    const vehicle = { g1: { type: "g-motinf", at: "off-2", mp: 12 } };
    const reached = hexes(edge(vehicle, woods).play("unit g1"));
    // half an MP by road, and eleven hexes in the open
    expect(reached).toContain("2924");
    expect(reached).not.toContain("2824");
  });

  rule("SOS 8.46", "Germans enter in the main movement phase only, and not by breakthrough", () => {
    const units = { g1: "g-tank off-2", g2: "g-tank 3020" };
    expect(edge(units, { stage: "breakthrough" }).legal).not.toContain("unit g1");
    expect(edge(units).legal).toContain("unit g1");
    expect(edge(units, { phase: 7, stage: "normal" }).legal).not.toContain("unit g1");
    expect(edge(units, { phase: 11, stage: "reserves", marks: { "3020": ["attack"] } }).legal).not.toContain("unit g1");
  });

  rule("SOS 8.47", "going from box to box takes the whole phase", () => {
    const table = edge({ g1: "g-inf off-2", g2: "g-how off-2" }, { bounds: { cols: [1, 40], rows: [1, 79] } });
    expect(boxes(table.play("unit g2"))).toEqual(["off-1", "off-3"]);
    table.play("box off-3");
    expect(table.unit("g2")).toMatchObject({ at: "off-3", ordered: true, unready: true });
  });

  test("deployment doubles the MP, and does not end two hexes from an enemy", () => {
    const table = edge({ g1: "g-inf off-2", gf: "g-inf 2024" }, { stage: "deploy" }).play("unit g1");
    expect(hexes(table)).toContain("2524");
    expect(boxes(table)).toEqual([]);
  });

  test("a known enemy closes an entry, and its zone of control stops units there", () => {
    const units = { g1: { type: "g-inf", at: "off-2" }, s1: "s-inf 4026" };
    const reached = hexes(edge(units).play("unit g1"));
    expect(reached).not.toContain("4026");
    expect(reached).toContain("4025");
    const table = edge(units).play("unit g1", "hex 4025");
    expect(table.at("g1")).toBe("4025");
  });

  test("foot and vehicles enter together at the cost of both", () => {
    const units = { g1: { type: "g-inf", at: "off-2", mp: 2 }, g2: { type: "g-how", at: "off-2", mp: 12 } };
    const table = edge(units, map({ "4022": "forest" })).play("unit g1", "unit g2");
    // forest: 2 MP of foot, 3 of vehicles
    expect(hexes(table)).toContain("4022");
    const slow = { ...units, g1: { type: "g-inf", at: "off-2", mp: 1 } };
    expect(hexes(edge(slow, map({ "4022": "forest" })).play("unit g1", "unit g2"))).not.toContain("4022");
  });

  test("interdiction makes the entry more expensive", () => {
    const bombs = { "4024": [{ side: "soviet", af: 10, mode: "interdict", until: 5 }] };
    const slow = { g1: { type: "g-inf", at: "off-2", mp: 2 } };
    expect(hexes(edge(slow).play("unit g1"))).toContain("4024");
    expect(hexes(edge(slow, { bombs }).play("unit g1"))).not.toContain("4024");
  });
});

describe("off the map", () => {
  rule("SOS 8.46", "a unit that can pay for its entry hex again goes from it into the box", () => {
    const table = edge({ g1: "g-inf 4024" }).play("unit g1");
    expect(boxes(table)).toEqual(["off-2"]);
    table.play("box off-2");
    expect(table.unit("g1")).toMatchObject({ at: "off-2", ordered: true });
    const tired = edge({ g1: { type: "g-inf", at: "4026", mp: 1 } }, map({ "4026": "forest" })).play("unit g1");
    expect(boxes(tired)).toEqual([]);
    expect(boxes(edge({ g1: "g-inf 3924" }).play("unit g1"))).toEqual([]);
  });

  rule("SOS 8.46", "nobody leaves the map in an exploit movement phase", () => {
    expect(boxes(edge({ g1: "g-inf 4024" }, { phase: 7, stage: "normal" }).play("unit g1"))).toEqual([]);
  });

  rule("SOS 8.46", "vehicles pay what vehicles pay for the entry hex", () => {
    // of 12 MP each hex in the open takes one, and the forest three, which are due once more
    const leaves = (from: string) =>
      boxes(
        edge({ g1: { type: "g-motinf", at: from, mp: 12 } }, map({ "4026": "forest" })).play(
          "unit g1",
          "via",
          "hex 4026",
        ),
      );
    expect([leaves("3326"), leaves("3226")]).toEqual([["off-2"], []]);
  });

  rule("SOS 8.46", "foot and vehicles leave together if each can pay for its own ground", () => {
    const pair = (at: string, mp: number) => ({ g1: { type: "g-inf", at, mp: 10 }, g2: { type: "g-how", at, mp } });
    // by the road vehicles pay half an MP
    expect(boxes(edge(pair("4024", 12)).play("unit g1", "unit g2"))).toEqual(["off-2"]);
    // a forest takes 2 MP of foot and 3 of vehicles: they enter four of them, and pay for the last one twice
    const rows = Array.from({ length: 13 }, (_, i) => 20 + i);
    const woods = Object.fromEntries([37, 38, 39, 40].flatMap((c) => rows.map((r) => [`${c}${r}`, "forest"])));
    const leaves = (mp: number) =>
      boxes(edge(pair("3626", mp), map({ ...woods, "4027": "clear" })).play("unit g1", "unit g2", "via", "hex 4026"));
    expect([leaves(15), leaves(14)]).toEqual([["off-2"], []]);
  });

  test("it may walk there first", () => {
    const table = edge({ g1: "g-inf 3824" }).play("unit g1", "via", "hex 4024");
    expect(boxes(table)).toEqual(["off-2"]);
    table.play("box off-2");
    expect(table.at("g1")).toBe("off-2");
  });

  test("Soviets never go there", () => {
    const table = edge({ s1: "s-inf 4024", g9: "g-inf 3030" }, { phase: 10, stage: "normal" }).play("unit s1");
    expect(boxes(table)).toEqual([]);
  });

  event("leaves-map", "its own side reads which unit leaves, the other side what it sees", () => {
    const leave = (viewer: number): unknown => {
      const table = edge({ g1: { type: "g-inf", at: "4024", tag: "cross" } }, map({ "4024": "city" })).play("unit g1");
      const log = new EventLog([GERMAN, SOVIET] as const);
      table.env.step("box off-2", new ScriptedDice([]), log);
      return log.take(viewer).flatMap((e) => (e.what === "leaves-map" ? [e.text] : []));
    };
    expect(leave(GERMAN)).toEqual(["German g1 leaves the map from 4024 (city) to box off-2."]);
    expect(leave(SOVIET)).toEqual(["German face-down counter (cross) leaves the map from 4024 (city) to box off-2."]);
  });
});
