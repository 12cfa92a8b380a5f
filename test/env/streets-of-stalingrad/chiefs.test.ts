import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const REGIMENT = "51K/71ID/191";
const pinned = (at: string) => ({ type: "g-inf", at, pinned: true });

rule("SOS 18.14", "a leader goes into and through a hex with a pin, and no pin sticks to him", () => {
  const units = { gl: of("g-leader", "2010", REGIMENT), g1: pinned("2011") };
  const { legal } = new Table(units).play("unit gl");
  expect(legal).toEqual(expect.arrayContaining(["hex 2011", "hex 2012"]));
  expect(new Table(units).play("unit gl", "hex 2011").unit("gl")["pinned"]).toBeUndefined();
  // all around him
  const ring = ["1909", "1910", "1911", "2009", "2109", "2110", "2111"];
  const all = Object.fromEntries(ring.map((at, i) => [`p${i}`, pinned(at)]));
  expect(new Table({ ...units, ...all }).play("unit gl").legal).toContain("hex 2013");
});

rule("SOS 9.111", "whoever goes with the leader is pinned there, he is not", () => {
  const units = { gl: of("g-leader", "2010", REGIMENT), g2: "g-inf 2010", g1: pinned("2011") };
  const table = new Table(units).play("unit gl", "unit g2", "hex 2011");
  expect(table.unit("g2")["pinned"]).toBe(true);
  expect(table.unit("gl")["pinned"]).toBeUndefined();
});
