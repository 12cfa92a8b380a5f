import { expect, test } from "vitest";
import { EventLog } from "../../../env/index.js";
import { chosenIn } from "../../../env/streets-of-stalingrad/rules/units/faces.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const knownTo = (table: Table, side: string) =>
  ((table.position["known"] ?? {}) as Record<string, string[]>)[side] ?? [];

test("which of two face-down counters the first is, nobody knows: it depends on the dice of the game", () => {
  const { env } = new Table({ g1: "g-inf 2010", g2: "g-inf 2010" }, ground({ "2010": "city" }));
  const tables = Reflect.get(env.game, "tables") as Tables;
  const s = env.state.slice();
  const hex = env.game.observation.mapRows.indexOf("2010");
  const chosen = new Set<number>();
  for (let seed = 0; seed < 40; seed++) {
    s[0] = seed * 7919;
    chosen.add(chosenIn(tables, s, 0, hex, 0, () => true));
  }
  expect(chosen.size).toBe(2);
});

rule("SOS 2.22", "backs show the formation, so like ones are mixed up when one of them moves face down", () => {
  const woods = ground({ "2010": "forest", "2011": "forest" });
  const known = { known: { german: ["s1", "s2", "s3"] } };
  const unit = (formation: string) => ({ type: "s-inf", at: "2010", formation });
  const units = {
    s1: unit("62A/13GRD/42/1"),
    s2: unit("62A/13GRD/39/2"),
    s3: unit("62A/112RD/385/1"),
    g1: "g-inf 2030",
  };
  const table = new Table(units, { ...woods, ...known, phase: 10 });
  expect(knownTo(table, "german")).toEqual(["s1", "s2", "s3"]);
  table.play("unit s1", "hex 2011");
  expect(knownTo(table, "german")).toEqual(["s3"]);
});

test("the order of the units named as mixed up does not show which of them moved", () => {
  const told = (mover: string): unknown => {
    const unit = { type: "s-inf", at: "2010", formation: "62A/13GRD/42/1" };
    const table = new Table(
      { s1: unit, s2: unit, s3: unit, g1: "g-inf 2030" },
      { ...ground({ "2010": "forest", "2011": "forest" }), known: { german: ["s1", "s2"] }, phase: 10 },
    );
    const log = new EventLog([0]);
    table.env.step(`unit ${mover}`, undefined, log);
    table.env.step("hex 2011", undefined, log);
    return log.take(0).map(({ what, units }) => ({ what, units }));
  };
  const mixed = [
    { what: "mixes-in", units: ["s1"] },
    { what: "mixes-in", units: ["s2"] },
  ];
  expect(told("s3")).toEqual(expect.arrayContaining(mixed));
  for (const known of ["s1", "s2"]) expect(told(known)).toEqual(told("s3"));
});

rule("SOS 7.1", "in the open nothing is hidden from a unit that sees it", () => {
  const units = { g1: "g-inf 2014", g2: "g-inf 2040", s1: "s-inf 2010" };
  const table = new Table(units);
  const faces = (table.env.game.view(table.env.state, 1) as { units: object }).units;
  expect(Object.keys(faces)).toContain("g1");
  expect(Object.keys(faces)).not.toContain("g2");
});

rule("SOS 7.5", "fire, attacks and open ground show a unit", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" }, ground({ "2010": "forest" }));
  table.play("unit g1", "hex 2011");
  expect(table.unit("s1")["shown"]).toBeUndefined();
  expect(table.play("unit s1: 10").unit("s1")["shown"]).toBe(true);
});

rule("SOS 7.6", "opportunity firers are face up until the end of the attack phase, then face down but known", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" }, ground({ "2010": "forest" }));
  table.play("unit g1", "hex 2011", "unit s1: 10", "done", "done", "hex 2010"); // nobody else moves or deploys
  expect(table.position["phase"]).toBe(5);
  expect(table.unit("s1")["shown"]).toBe(true);
  table.play("normal", "done: 10");
  expect(table.position["phase"]).toBe(7);
  expect(table.unit("s1")["shown"]).toBeUndefined();
  expect(knownTo(table, "german")).toContain("s1");
});

rule(
  "SOS 7.6",
  "a unit that fires at reserves is face up until the enemy has attacked, for a whole turn if need be",
  () => {
    const units = { g1: "g-inf 2013", s1: "s-inf 2010", s2: "s-inf 3010", gx: "g-inf 3009" };
    const start = {
      ...ground({ "2010": "forest", "2013": "forest" }),
      turn: 2,
      phase: 11,
      stage: "reserves",
      reserves: ["g1"],
    };
    const table = new Table(units, start).play("unit g1", "hex 2011", "unit s1: 10");
    expect(table.unit("s1")).toMatchObject({ shown: true, liesOpen: true });
    const phases = new Set<number>();
    for (let k = 0; k < 40 && !(table.position["turn"] === 3 && (table.position["phase"] as number) > 5); k++) {
      expect(table.unit("s1")["shown"]).toBe(true);
      phases.add(table.position["phase"] as number);
      table.play(table.legal.find((a) => ["done", "continue", "pass"].includes(a))!);
    }
    expect(phases.has(3)).toBe(true);
    expect(table.unit("s1")).not.toHaveProperty("shown");
  },
);

rule("SOS 7.6", "attackers of a breakthrough are face down again when the movement phase ends", () => {
  const cover = ground({ "2009": "forest" });
  const table = new Table(
    { gt: "g-tank 2009", s1: "s-inf 2010", gx: "g-tank 3030", sx: "s-inf 3031" },
    { phase: 3, stage: "breakthrough", ...cover },
  );
  table.play("hex 2010", "done: 10");
  expect(table.position["stage"]).not.toBe("attack");
  expect(table.unit("gt")["shown"]).toBe(true);
  for (let k = 0; k < 9 && table.position["phase"] === 3; k++) table.play("done");
  expect(table.position["phase"]).toBe(5);
  expect(table.unit("gt")["shown"]).toBeUndefined();
});

rule("SOS 9.42", "attackers in cover are shown when the attack is announced", () => {
  const cover = ground({ "2009": "suburb" });
  const table = new Table(
    { g1: "g-inf 2009", g2: "g-inf 2009", s1: "s-inf 2010" },
    { ...attacks(5, "2010"), ...cover },
  );
  table.play("unit g1", "done", "normal");
  expect(table.unit("g1")["shown"]).toBe(true);
  expect(table.unit("g2")["shown"]).toBeUndefined();
});

rule("SOS 7.6", "when the movement phase ends nobody reads that firers at movers turn face down", () => {
  const table = new Table({ g1: "g-inf 2013", s1: "s-inf 2010" }, ground({ "2010": "forest" }));
  table.play("unit g1", "hex 2011", "unit s1: 10");
  const log = new EventLog([0]);
  for (const action of ["done", "done", "hex 2010"]) table.env.step(action, undefined, log);
  expect(table.position["phase"]).toBe(5);
  expect(log.take(0).map(({ what }) => what)).not.toContain("turned-down");
});

rule("SOS 9.114", "where a pin stays under an attack marker nobody sees another pin leave that face-down stack", () => {
  const pinned = (more = {}) => ({ type: "s-inf", at: "2010", pinned: true, ...more });
  const told = (held: boolean) => {
    const units = { s1: pinned({ pinHeld: held }), s2: pinned(), gx: "g-inf 3030", sx: "s-inf 3031" };
    const table = new Table(units, { ...attacks(5, "3031"), ...ground({ "2010": "forest" }) });
    const log = new EventLog([0]);
    for (let k = 0; k < 20 && table.position["phase"] === 5; k++)
      table.env.step(table.legal.find((a) => ["done", "normal"].includes(a)) ?? table.legal[0]!, undefined, log);
    expect(table.unit("s2")).not.toHaveProperty("pinned");
    const off = log.take(0).filter(({ what, places }) => what === "marker-off" && places?.includes("2010"));
    return [off.length, table.env.game.view(table.env.state, 0)["unpinned"]];
  };
  expect(told(false)).toEqual([1, { "2010": 2 }]);
  expect(told(true)).toEqual([0, undefined]);
});
