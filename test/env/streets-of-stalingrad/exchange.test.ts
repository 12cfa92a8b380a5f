import { describe, expect, test } from "vitest";
import { EventLog, type GameEvent, type JsonObject, newState, Rng, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET, SPECTATOR] = [0, 1, -1];

type Units = Record<string, string | JsonObject>;
const of = (type: string, at: string, formation: string, more: JsonObject = {}): JsonObject => ({
  type,
  at,
  formation,
  ...more,
});
/** The Administrative Phase of turn 3, when the game goes on. */
const exchange = (units: Units, more: JsonObject = {}): Table =>
  new Table(units, { turn: 3, phase: 1, stage: "end", ...more }).play("continue");
const offered = (units: Units): string[] => {
  const table = exchange(units);
  return table.ask === "admin.exchange" ? table.legal.filter((name) => name.startsWith("unit")) : [];
};

function told(table: Table, viewer: number, action: string): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET, SPECTATOR] as const);
  table.env.step(action, new ScriptedDice([]), log);
  return log.take(viewer);
}
const view = (table: Table, viewer: number): JsonObject => table.env.game.view(table.env.state, viewer);

rule("SOS 20.1", "both sides exchange in the Administrative Phase, the German one first", () => {
  const table = exchange({ g1: "g-inf 2010", g2: "g-inf dead", s1: "s-inf 2060", s2: "s-inf dead" });
  expect([table.position["decision"], table.legal]).toEqual([
    { ask: "admin.exchange", actor: "german" },
    ["done", "unit g1", "unit gf"],
  ]);
  table.play("done");
  expect([table.position["decision"], table.legal]).toEqual([
    { ask: "admin.exchange", actor: "soviet" },
    ["done", "unit s1", "unit sf"],
  ]);
  table.play("unit s1");
  expect([table.at("s1"), table.at("s2")]).toEqual(["dead", "2060"]);
  // who was taken off is no partner in this phase, and nobody else is left
  expect(table.position["phase"]).toBe(3);
});

rule("SOS 20.1", "only a unit lost in an earlier turn comes in", () => {
  const ring = {
    w1: "g-inf 2007",
    w2: "g-inf 1808",
    w3: "g-inf 2208",
    w4: "g-inf 1810",
    w5: "g-inf 2210",
    w6: "g-inf 2010",
  };
  const table = exchange({ ...ring, s1: { type: "s-inf", at: "2009", oos: 1 }, s2: "s-inf 2060" });
  expect([table.at("s1"), table.position["phase"]]).toEqual(["dead", 3]);
  expect(table.unit("s1")["lost"]).toEqual([3, 1]);
  expect(offered({ s1: { type: "s-inf", at: "dead", lost: [3, 1] }, s2: "s-inf 2060" })).toEqual([]);
  const later = new Table(
    { s1: { type: "s-inf", at: "dead", lost: [3, 1] }, s2: "s-inf 2060", gx: "g-inf 3031", sx: "s-inf 3030" },
    { turn: 3, phase: 15, stage: "attack", marks: { "3031": ["attack"] } },
    { opFire: false },
  ).play("normal", "done: 10", "continue");
  expect([later.ask, later.legal]).toEqual(["admin.exchange", ["done", "unit s2", "unit sx", "unit sf"]]);
});

rule("SOS 20.2", "the new unit is in the same hex with the same markers", () => {
  const motorised = { type: "g-motinf", at: "2009", noMove: true, dismounted: true };
  const table = exchange({ g1: motorised, g2: "g-motinf dead", s9: "s-inf 2060" });
  expect([table.ask, table.at("g1")]).toEqual(["admin.exchange", "2009"]);
  table.play("unit g1");
  expect(table.unit("g2")).toEqual({ type: "g-motinf", at: "2009", noMove: true, dismounted: true });
  expect(table.unit("g1")).toEqual({ type: "g-motinf", at: "dead", lost: [3, 1] });
});

rule(
  "SOS 20.3",
  "a unit that is cut off is not exchanged: a Soviet one from the river, a German one from the edge",
  () => {
    const ring = (type: string): Units =>
      Object.fromEntries(["2007", "1808", "2208", "1810", "2210", "2010"].map((h, i) => [`w${i}`, `${type} ${h}`]));
    expect(offered({ ...ring("s-inf"), g1: "g-inf 2009", g2: "g-inf dead", g3: "g-inf 2050" })).toEqual([
      "unit g3",
      "unit gf",
    ]);
    expect(offered({ ...ring("g-inf"), s1: "s-guards 2009", s2: "s-guards dead", s3: "s-guards 2050" })).toEqual([
      "unit s3",
    ]);
  },
);

/** Soviets in the woods around 2009, with one back: one of them is a leader, who has no zone of control. */
const RING = {
  "2007": "s-leader",
  "1808": "s-inf",
  "2208": "s-inf",
  "1810": "s-inf",
  "2210": "s-inf",
  "2011": "s-inf",
};

rule("SOS 20.3", "what is offered says nothing of unseen counters around a unit", () => {
  const soviets = { ...RING, "2060": "s-inf" };
  const units = Object.fromEntries(
    Object.entries(soviets).map(([at, type]): [string, JsonObject] => [`s-${at}`, of(type, at, "62A/112RD/1")]),
  );
  const { env } = exchange(
    { ...units, g1: "g-inf 2009", g2: "g-inf dead" },
    ground(Object.fromEntries(Object.keys(soviets).map((at) => [at, "forest"]))),
  );
  const [here, there] = [new Uint8Array(env.game.actions.length), new Uint8Array(env.game.actions.length)];
  env.game.legalMask(env.state, here, 0);
  expect(here[env.game.actions.indexOf("unit g1")]).toBe(1);
  const sample = newState(env.game.stateSize);
  let enclosed = 0;
  for (let i = 0; i < 50; i++) {
    expect(env.game.resample(env.state, GERMAN, sample, new Rng(String(i)))).toBe(true);
    env.game.legalMask(sample, there, 0);
    expect(there).toEqual(here);
    const { units } = env.game.write(sample) as { units: Record<string, { type: string; at: string }> };
    if (Object.values(units).some(({ type, at }) => type === "s-leader" && at === "2060")) enclosed++;
  }
  expect(enclosed).toBeGreaterThan(0); // some samples have infantry all around it
});

rule("SOS 20.4", "both have one kind and the same abilities, with equal AF or equal DF", () => {
  const against = (on: JsonObject, lost: JsonObject): boolean =>
    offered({ u1: { at: "2030", ...on }, u2: { at: "dead", ...lost }, gf: "g-88 3530", sf: "s-aa 3570" }).length > 0;
  const g = { type: "g-inf" };
  expect(against(g, g)).toBe(true);
  expect(against(g, { ...g, df: 2 })).toBe(true); // AF alone
  expect(against(g, { ...g, af: 2 })).toBe(true); // DF alone
  expect(against(g, { ...g, af: 2, df: 2 })).toBe(false);
  expect(against(g, { type: "g-eng", af: 5, df: 4 })).toBe(false);
  expect(against(g, { type: "g-motinf" })).toBe(false);
  expect(against({ type: "s-guards" }, { type: "s-marine" })).toBe(false);
  expect(against({ type: "s-nkvd" }, { type: "s-inf", af: 2 })).toBe(false);
  expect(against({ type: "s-nkvd" }, { type: "s-nkvd" })).toBe(true);
  // what a side keeps elsewhere, or gets back otherwise, is not exchanged
  for (const type of ["s-sniper", "s-op", "s-immob", "g-op"]) expect(against({ type }, { type })).toBe(false);
});

rule("SOS 20.5", "the new unit moves and fights at once", () => {
  const table = exchange({ g1: "g-inf 2010", g2: of("g-inf", "dead", "51K/71ID/194") }).play("unit g1");
  while (table.ask !== "move.select") table.play("done");
  expect(table.legal).toContain("unit g2");
});

const COMPANY = { s1: of("s-inf", "2010", "62A/95RD/241/1"), s2: of("s-inf", "2010", "62A/95RD/161/1") };

rule(
  "SOS 20.6",
  "a lost leader of the kind takes over beside a unit of the command, but not a hero or an army's leader",
  () => {
    const others = (type: string, formation: string, here = "s-leader"): string[] =>
      offered({ ...COMPANY, l1: of(here, "2010", "62A/95RD/241"), l2: of(type, "dead", formation) });
    expect(others("s-leader", "62A/95RD/161")).toEqual(["unit l1"]);
    expect(others("s-leader", "62A/95RD")).toEqual(["unit l1"]);
    expect(others("s-leader", "62A/13GRD")).toEqual([]);
    expect(others("s-commissar", "62A/95RD/161")).toEqual([]);
    expect(others("s-pavlov", "62A/95RD/161")).toEqual([]);
    expect(others("s-chuikov", "62A")).toEqual([]);
    expect(others("s-leader", "62A/95RD/161", "s-pavlov")).toEqual([]);
    const wounded = {
      ...COMPANY,
      l1: of("s-leader", "2010", "62A/95RD/241"),
      l2: of("s-leader", "turn-5", "62A/95RD/161"),
    };
    expect(offered(wounded)).toEqual([]);
  },
);

/** A leader whose only company is exchanged for one of another regiment. */
const dissolved: Units = {
  s1: of("s-inf", "2010", "62A/95RD/241/1"),
  sl: of("s-leader", "2010", "62A/95RD/241"),
  s2: of("s-inf", "dead", "62A/95RD/161/1"),
  g9: "g-inf 3070",
};

describe("a leader without command", () => {
  rule("SOS 20.7", "the leader leaves when the last unit of the command is exchanged away", () => {
    const table = exchange(dissolved).play("unit s1");
    expect(table.unit("sl")).toEqual({ type: "s-leader", formation: "62A/95RD/241", aside: true });
    expect(view(table, GERMAN)["units"]).toHaveProperty("sl");
    const kept = { ...dissolved, s3: of("s-inf", "eb-c", "62A/95RD/241/2") };
    expect(exchange(kept).play("unit s1").at("sl")).toBe("2010");
    const away = { ...dissolved, s3: of("s-inf", "dead", "62A/95RD/241/2") };
    expect(exchange(away).play("unit s1", "unit s2").unit("sl")["aside"]).toBe(true);
  });

  rule("SOS 20.7", "the leader comes back when a unit of the command is replaced", () => {
    const units = {
      ...dissolved,
      s1: of("s-inf", "dead", "62A/95RD/241/1"),
      s2: of("s-inf", "2010", "62A/95RD/161/1"),
    };
    const table = new Table(
      { ...units, sl: { type: "s-leader", formation: "62A/95RD/241", aside: true } },
      { turn: 3, phase: 10, stage: "arrive", replacements: { soviet: { af: 3 } } },
    );
    expect(table.ask).toBe("arrive.replace");
    table.play("unit s1", "box eb-n");
    expect([table.position["decision"], table.legal]).toEqual([
      { ask: "arrive.box", actor: "soviet", focus: "sl" },
      ["box eb-s", "box eb-c", "box eb-n"],
    ]);
    table.play("box eb-s");
    expect(table.unit("sl")).toEqual({ type: "s-leader", formation: "62A/95RD/241", at: "eb-s" });
  });

  test("only a leader in the pool may be one", () => {
    const read = (unit: JsonObject) => () => new Table({ u1: unit });
    expect(read({ type: "s-leader", at: "2010", aside: true })).toThrow("units.u1.aside: only a leader in the pool");
    expect(read({ type: "s-inf", aside: true })).toThrow("units.u1.aside");
    expect(read({ type: "s-chuikov", aside: true })).toThrow("units.u1.aside");
  });
});

describe("what the other side sees", () => {
  const city: JsonObject = { map: { base: "blank", hexes: { "2010": { t: "city" }, "2050": { t: "city" } } } };
  const hidden: Units = {
    s1: of("s-inf", "2010", "62A/95RD/241/1"),
    s2: of("s-inf", "dead", "62A/112RD/416/1"),
    s3: of("s-inf", "2050", "62A/95RD/241/2"),
  };

  test("a face-down unit is exchanged for another; only the backs show it", () => {
    const table = exchange(hidden, city);
    expect(view(table, GERMAN)["faceDown"]).toEqual({ "2010": ["95RD"], "2050": ["95RD"] });
    table.play("unit s1");
    const seen = view(table, GERMAN);
    expect(seen["faceDown"]).toEqual({ "2010": ["112RD"], "2050": ["95RD"] });
    expect((seen["units"] as JsonObject)["s1"]).toMatchObject({ at: "dead" });
    expect(seen["units"]).not.toHaveProperty("s2");
  });

  test("a unit in the open is exchanged for one that is seen", () => {
    const table = exchange({ s1: "s-inf 2010", s2: "s-inf dead" }).play("unit s1");
    expect((view(table, GERMAN)["units"] as JsonObject)["s2"]).toEqual({ type: "s-inf", at: "2010" });
  });

  test("what was known and announced of the hex stays, and an exchange for a like unit does not show", () => {
    const pair = {
      s1: of("s-inf", "2010", "62A/95RD/241/1"),
      s2: of("s-inf", "dead", "62A/95RD/161/1"),
      s3: of("s-inf", "2010", "62A/95RD/241/2"),
    };
    const begin = () => exchange(pair, { ...city, known: { german: ["s3"] }, announced: { "2010": "zoc" } });
    const table = begin().play("unit s1");
    expect(view(table, GERMAN)["units"]).toHaveProperty("s3");
    expect(view(table, GERMAN)["units"]).not.toHaveProperty("s2");
    expect(table.position["announced"]).toEqual({ "2010": "zoc" });
    const texts = (viewer: number, unit: string) =>
      told(begin(), viewer, unit).flatMap((e) => (e.what === "exchanged" ? [[e.text, e.places]] : []));
    expect(texts(GERMAN, "unit s1")).toEqual([
      ["Soviet s1, which was face down, is exchanged for s2 (infantry 3-3-8).", []],
    ]);
    expect(texts(SOVIET, "unit s1")).toEqual([
      ["Soviet s1 in 2010 (city) is exchanged for s2 (infantry 3-3-8).", ["2010"]],
    ]);
    expect(texts(GERMAN, "unit s3")).toEqual([
      ["Soviet s3 in 2010 (city) is exchanged for s2 (infantry 3-3-8).", ["2010"]],
    ]);
  });

  test("the unit named to leave shows only when the other comes", () => {
    const table = exchange({ ...hidden, s4: of("s-inf", "dead", "62A/112RD/416/2") }, city).play("unit s1");
    expect(table.position["decision"]).toEqual({ ask: "admin.exchange-with", actor: "soviet", focus: "s1" });
    for (const viewer of [GERMAN, SPECTATOR])
      expect(view(table, viewer)["decision"]).toEqual({ ask: "admin.exchange", actor: "soviet" });
    const { game, state } = table.env;
    const sample = newState(game.stateSize);
    for (let i = 0; i < 10; i++) {
      expect(game.resample(state, GERMAN, sample, new Rng(String(i)))).toBe(true);
      expect(game.actor(sample)).toBe(SOVIET);
    }
  });

  test("a battery that was lost in a box comes in unnamed", () => {
    const guns = { s1: "s-how 2010", s2: { type: "s-how", at: "dead", untold: true } };
    expect(view(exchange(guns), GERMAN)["boxed"]).toEqual({ lost: 1 });
    const [event] = told(exchange(guns), GERMAN, "unit s1").filter((e) => e.what === "exchanged");
    expect([event!.units, event!.text]).toEqual([
      ["s1"],
      "Soviet s1 in 2010 (clear) is exchanged for a battery that was lost in a box.",
    ]);
  });
});

event(
  "exchanged",
  "everyone reads which unit leaves, which comes, and where, and which leader is left without a command",
  () => {
    for (const viewer of [GERMAN, SOVIET, SPECTATOR])
      expect(
        told(exchange(dissolved), viewer, "unit s1").flatMap((e) => (e.what === "exchanged" ? [e.text] : [])),
      ).toEqual([
        "Soviet s1 in 2010 (clear) is exchanged for s2 (infantry 3-3-8).",
        "Soviet sl in 2010 (clear) has no unit left to command and leaves the map.",
      ]);
  },
);

test("of two leaders who leave at once the enemy doesn't learn which face-down counter each was", () => {
  const city = { map: { base: "blank", hexes: { "2010": { t: "city" }, "2050": { t: "city" } } } };
  const gone = (first: string, second: string, viewer: number) => {
    const leader = (at: string) => of("s-leader", at, "62A/95RD/241");
    const table = exchange({ ...dissolved, sl: leader(first), sm: leader(second) }, city);
    return told(table, viewer, "unit s1").filter((e) => e.rule === "SOS 20.7");
  };
  expect(gone("2010", "2050", GERMAN)).toEqual(gone("2050", "2010", GERMAN));
  expect(gone("2010", "2050", GERMAN).map((e) => e.units)).toEqual([["sl"], ["sm"]]);
  expect(gone("2010", "2050", SOVIET).map((e) => e.places)).toEqual([["2010"], ["2050"]]);
});

test("an impossible decision is refused", () => {
  const asks = (decision: JsonObject) => () =>
    new Table({ g1: "g-inf 2010", g2: "g-inf dead", s1: "s-inf 2060" }, { turn: 3, phase: 1, stage: "end", decision });
  expect(asks({ ask: "admin.exchange-with", actor: "german" })).toThrow("decision.focus");
  expect(asks({ ask: "admin.exchange-with", actor: "german", focus: "s1" })).toThrow(
    "decision.focus: s1 is of the other side",
  );
  expect(asks({ ask: "admin.exchange-with", actor: "german", focus: "g2" })).toThrow(
    "decision.focus: g2 is not on the map",
  );
});
