import { expect } from "vitest";
import { type JsonObject, newState, Rng } from "../../../../env/index.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../../rule.js";
import { ELSEWHERE, phase5 } from "../set-ups.js";
import { attacks, ground, Table } from "../table.js";
import { of, REGIMENT, samples, strong } from "./positions.js";

// What each side knows while the other decides.

const rule = ruleTests(rules);
const viewOf = ({ env: { game, state } }: Table, viewer: number) => game.view(state, viewer) as JsonObject;
const thought = (table: Table, viewer: number, n: number) =>
  Array.from(samples(table, viewer, n), (state) => structuredClone(table.env.game.write(state)));
const NIGHT = { s1: { type: "s-inf", at: "2009", af: 15 }, gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };

// ruling R16
rule("SOS 11.1", "only the enemy knows that it holds its fire for the whole order", () => {
  const units = {
    g1: "g-inf 2010",
    sl: of("s-leader", "2012", "62A/112RD"),
    s2: of("s-inf", "2022", "62A/112RD/1"),
    s3: of("s-inf", "2002", "62A/112RD/1"),
    sa: "s-at 2210",
  };
  const table = new Table(units).play("unit g1", "hex 2013", "hold");
  expect(table.ask).toBe("leader.move");
  const walk = (viewer: number) => (viewOf(table, viewer)["frames"] as JsonObject[]).find((f) => f["ask"] === "walk")!;
  expect([walk(1)["hold"], walk(0)["hold"], walk(-1)["hold"]]).toEqual([true, undefined, undefined]);
});

rule("SOS 9.57", "only the defender knows the hex for which it is about to name firers", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2110", s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "hex 2009");
  expect(table.position["decision"]).toMatchObject({ ask: "df.unit", fires: [{ hex: "2009" }] });
  for (const { decision } of thought(table, 0, 10))
    expect(decision).toEqual({ ask: "df.target", actor: "soviet", hex: "2010" });
});

rule("SOS 9.82", "the number of losses that the enemy has to choose is public, also of face-down units", () => {
  const woods = ground({ "2010": "forest", "2012": "forest" });
  const units = { g0: "g-inf 2012", g1: "g-inf 2010", g2: "g-inf 2010", ...NIGHT };
  const table = new Table(units, { ...attacks(12, "2010", "3031"), ...woods });
  table.play("hex 2010", "normal", "done", "done: 1");
  expect(table.position["decision"]).toMatchObject({ ask: "loss.pick", need: 1 });
  expect(viewOf(table, 1)["decision"]).toMatchObject({ ask: "loss.pick", need: 1 });
});

// ruling R38
rule("SOS 9.87", "where the first retreating unit went is public, and which unit it was is not", () => {
  const woods = ground({ "2010": "forest", "2011": "forest", "2030": "forest" });
  const units = { g0: "g-inf 2010", g1: "g-inf 2010", g2: "g-inf 2030", ...NIGHT };
  const table = new Table(units, { ...attacks(12, "2010", "3031"), ...woods });
  table.play("hex 2010", "normal", "done", "done: 4", "retreat", "unit g0", "hex 2011");
  expect(table.position["decision"]).toMatchObject({ ask: "after.hex", unit: "g1", first: "g0" });
  const first = thought(table, 1, 30).map((doc) => {
    const id = (doc["decision"] as JsonObject)["first"] as string;
    return [id, (doc["units"] as Record<string, JsonObject>)[id]!["at"]];
  });
  expect(new Set(first.map(([, at]) => at))).toEqual(new Set(["2011"]));
  expect(new Set(first.map(([id]) => id)).size).toBeGreaterThan(1);
});

rule(
  "SOS 9.88",
  "a side that gives up a unit to keep its hex chooses among the units there, also in the enemy's view",
  () => {
    const ring = { g4: "g-inf 1910", g5: "g-inf 2011" };
    const units = { ...strong, ...ring, s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
    const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
    table.play("hex 2010", "unit g1", "done", "normal", "done: 4");
    for (const { decision } of thought(table, 0, 10))
      expect(decision).toMatchObject({ ask: "loss.pick", cause: "sacrifice", from: ["s1", "s2"] });
  },
);

// ruling R10
rule("SOS 7.1", "a leader who makes way into cover is no longer known", () => {
  const units = {
    g1: "g-inf 2008",
    sl: of("s-leader", "2010", "62A/112RD"),
    s2: of("s-inf", "2030", "62A/112RD/1"),
    s3: of("s-inf", "2030", "62A/112RD/2"),
  };
  const position = { ...ground({ "2010": "forest", "2030": "forest" }), known: { german: ["sl"] } };
  const table = new Table(units, position, { opFire: false });
  expect(table.position["known"]).toEqual({ german: ["sl"] });
  table.play("unit g1", "hex 2010");
  expect(table.at("sl")).toBe("2030");
  expect(table.position["known"]).not.toHaveProperty("german");
});

rule("SOS 9.40", "in samples a face-down counter at the Tartar Wall is a vehicle on the bank that hides it", () => {
  const wall = [
    [0, 4],
    [0, -4],
  ];
  const forest = { t: "forest" };
  const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" }, "2020": forest, "2025": forest };
  const company = (type: string, at: string, more = {}) => of(type, at, `${REGIMENT}/I`, more);
  const dealt = (observer: string, rim: number) => {
    const tanks = { gt: company("g-tank", "2010", { rim }), g2: company("g-tank", "2020") };
    const units = { ...tanks, g1: company("g-inf", "2025"), s1: `s-inf ${observer}` };
    const known = { german: ["s1", "sf"], soviet: [] };
    const { env } = new Table(units, { phase: 3, stage: "normal", known, map: { base: "blank", hexes } });
    const out = newState(env.game.stateSize);
    const rng = new Rng("wall");
    const there = new Set<string>();
    for (let i = 0; i < 40; i++) {
      expect(env.game.resample(env.state, 1, out, rng)).toBe(true);
      expect(env.game.view(out, 1)).toEqual(env.game.view(env.state, 1));
      const all = Object.entries(env.game.write(out)["units"] as Record<string, JsonObject>);
      for (const [id, unit] of all) if (unit["at"] === "2010") there.add(`${id} ${String(unit["rim"])}`);
    }
    return [...there].sort();
  };
  // 1911 is in the east, 2111 in the west
  expect(dealt("1911", 3)).toEqual(["g2 3", "gt 3"]);
  expect(dealt("2111", 0)).toEqual(["g2 0", "gt 0"]);
  expect(dealt("1911", 0)).toEqual(["gt 0"]); // face up
});
