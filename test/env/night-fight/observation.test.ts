import { expect, test } from "vitest";
import { describe as about, loadGame, newObservation } from "../../../env/index.js";
import actions from "../../../env/night-fight/data/actions.json" with { type: "json" };
import { after, rule, table } from "./table.js";

const game = loadGame("night-fight");

/** One feature of one row of the observation of a table. */
function feature(
  env: ReturnType<typeof table>,
  block: "globals" | "map" | "units" | "decision",
  name: string,
  row = "",
): number {
  const o = newObservation(game.observation);
  env.game.observe(env.state, 0, o);
  const spec = game.observation;
  const i = spec[block].findIndex((f) => f.name === name);
  const r = block === "map" ? spec.mapRows.indexOf(row) : block === "units" ? spec.unitRows.indexOf(row) : 0;
  if (i < 0 || r < 0) throw new RangeError(`${block} has no ${name} or no row ${row}`);
  return o[block][r * spec[block].length + i]!;
}

test("shapes and actions are those of the specification", () => {
  expect(about(game)["shapes"]).toEqual({ globals: [12], map: [320, 8], units: [44, 10], decision: [12] });
  expect(game.actions).toHaveLength(actions.size);
  expect([0, 1, 2, 3, 4, 5, 6, 13, 14, 33, 34, 353].map((i) => game.actions[i])).toEqual([
    "done", "stop", "exit", "fire", "reinstate jagd", "reinstate stug", "buy vs", "buy truck", "unit vs-1", "unit truck-2", "hex 1505", "hex 3024",
  ]); // prettier-ignore
});

test("a Soviet row is zero until the counter is spotted or dead", () => {
  const env = table({
    phase: "fire",
    german: { "gren-1": { hex: "2014" } },
    soviet: { "t34-1": { hex: "2013" }, "dummy-1": { hex: "dead" } },
  });
  for (const f of game.observation.units) expect(feature(env, "units", f.name, "t34-1")).toBe(0);
  expect(feature(env, "map", "contact", "2013")).toBe(1);
  expect(feature(env, "units", "present", "dummy-1")).toBe(0);
  expect(feature(env, "units", "dead", "dummy-1")).toBe(1);
  after(env, ["unit gren-1", "hex 2013"], [6]);
  expect(feature(env, "units", "present", "t34-1")).toBe(1);
  expect(feature(env, "units", "column", "t34-1")).toBeCloseTo(20 / 30);
  expect(feature(env, "map", "contact", "2013")).toBe(0);
  expect(feature(env, "map", "soviet_strength", "2013")).toBeCloseTo(6 / 12);
});

test("what never changes is given once", () => {
  const told = (table: "map" | "units", name: string, row: string): number => {
    const { features, values } = game.statics[table]!;
    return values[game.observation[table === "map" ? "mapRows" : "unitRows"].indexOf(row)]![
      features.findIndex((f) => f.name === name)
    ]!;
  };
  expect(told("units", "strength", "t34-1")).toBe(6 / 8);
  expect(told("units", "type", "dummy-1")).toBe(1);
  expect(["clear", "woods", "town", "exit_column", "entry_column"].map((f) => told("map", f, "1510"))).toEqual([
    1, 0, 0, 0, 1,
  ]); // units enter in column 15
});

test("a restored gun shows, and what follow-up fire needs", () => {
  const env = table({
    phase: "follow",
    german: { "stug-1": { hex: "2017" } },
    soviet: { "rifle-1": { hex: "2013", seen: true } },
    reinstated: { stug: true },
    active: { unit: "stug-1", target: "2013" },
  });
  expect(feature(env, "units", "antitank", "stug-1")).toBe(1);
  expect(feature(env, "globals", "restored_stug")).toBe(1);
  expect(feature(env, "decision", "target_distance")).toBe(4 / 8);
  expect(feature(env, "decision", "die_need")).toBe(3 / 8); // 6 - 3 = 3: a 3 is the first S
});

rule("NF 11.2", "the hexes where night equipment gives nothing are marked", () => {
  const env = table({ phase: "move", german: { "gren-1": { hex: "1510" } }, wrecks: { "2517": 1 } });
  expect(feature(env, "map", "bright", "2517")).toBe(1);
  expect(feature(env, "map", "bright", "2516")).toBe(1);
  expect(feature(env, "map", "bright", "2515")).toBe(0);
  expect(feature(env, "map", "bright", "1810")).toBe(1); // three hexes from 1807
  expect(feature(env, "map", "bright", "1811")).toBe(0);
});

test("legal targets are the hexes of the mask", () => {
  const env = table({ phase: "move", german: { "sdk-1": { hex: "1510" } } });
  after(env, ["unit sdk-1"]);
  for (const id of game.observation.mapRows)
    expect(feature(env, "map", "legal_target", id)).toBe(env.legal().includes(`hex ${id}`) ? 1 : 0);
});

test("and so they are for a unit that looks for a target, spotted, face down or a column", () => {
  const env = table({
    phase: "fire",
    columns: ["1512", "1514"],
    german: { "gren-1": { hex: "1510" } },
    soviet: { "rifle-1": { hex: "1511", seen: true }, "dummy-1": { hex: "1513" } },
  });
  after(env, ["unit gren-1"]);
  const legal = env.legal().filter((a) => a.startsWith("hex"));
  expect(legal).toEqual(["hex 1511", "hex 1512", "hex 1513", "hex 1514"]);
  for (const id of game.observation.mapRows)
    expect(feature(env, "map", "legal_target", id)).toBe(legal.includes(`hex ${id}`) ? 1 : 0);
});
