import { describe, expect, test } from "vitest";
import {
  gameFor,
  type JsonObject,
  loadGame,
  newState,
  Rng,
  RNG_WORDS,
  ScriptedDice,
  SeededDice,
} from "../../../env/index.js";
import { TASK_BITS, TASK_SIDE_BITS } from "../../../env/streets-of-stalingrad/layout.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { Workers } from "../../../env/streets-of-stalingrad/sampling/workers.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ground, type Table } from "./table.js";
import { WORKS } from "./woods.js";
import { balka, builds, forest, GERMAN, SOVIET, table, task, told, type Units, view, working } from "./engineers.js";

const rule = ruleTests(rules);

const refused: readonly [string, Units, JsonObject, string][] = [
  ["no engineer", { g1: working("g-inf 2010", "fort", 3) }, {}, "units.g1.task: an infantry builds nothing"],
  ["too many phases", { ge: working("g-eng 2010", "fort", 31) }, {}, "units.ge.task.left"],
  ["more than it takes", { ge: working("g-eng 2010", "bridge", 16) }, balka, "units.ge.task.left: it takes 15 phases"],
  [
    "far away",
    { ge: { type: "g-eng", at: "2010", task: task("minefield", "2012", 3) } },
    {},
    "units.ge.task.hex: no hex beside its own",
  ],
  [
    "elsewhere",
    { ge: { type: "g-eng", at: "2010", task: task("fort", "2011", 3) } },
    {},
    "units.ge.task.hex: the engineer works in its own hex",
  ],
  ["no hex", { ge: { type: "g-eng", at: "2010", task: task("minefield", "9999", 3) } }, {}, "units.ge.task.hex"],
  [
    "off the map",
    { ge: { type: "g-eng", at: "dead", task: task("fort", "2010", 3) } },
    {},
    "units.ge.task: only a unit",
  ],
  [
    "two tasks",
    { e1: working("g-eng 2010", "fort", 3), e2: working("g-eng 2010", "bridge", 3) },
    balka,
    "units.e2.task: another engineer does something else in hex 2010",
  ],
  [
    "two counts",
    { e1: working("g-eng 2010", "fort", 3), e2: working("g-eng 2010", "fort", 4) },
    {},
    "units.e2.task: another engineer",
  ],
  [
    "three engineers",
    Object.fromEntries(["e1", "e2", "e3"].map((id) => [id, working("g-eng 2010", "fort", 3)])),
    {},
    "units.e3.task: two engineers work at one thing",
  ],
  [
    "two bridges",
    { b1: { type: "bridge", side: "german", at: "2010" }, b2: { type: "bridge", side: "soviet", at: "2010" } },
    {},
    "hex 2010 has two counters of kind bridge",
  ],
  ["two mines", { m1: "g-mine 2010", m2: "s-mine 2010" }, {}, "hex 2010 has two counters of kind minefield"],
  ["rest and work", { ge: working("g-eng 2010", "fort", 3, { rests: true }) }, {}, "units.ge.rests: it has a task"],
  ["rest of others", { g1: { type: "g-inf", at: "2010", rests: true } }, {}, "units.g1.rests: an infantry builds"],
  ["no mine", {}, { friendlyMines: ["2010"] }, "friendlyMines: hex 2010 has no minefield"],
];
test.each(refused)("a position is refused: %s", (_name, units, rest, says) => {
  expect(() => table(units, rest)).toThrow(says);
});

rule("SOS 17.25", "nobody takes up a minefield that nobody has seen", () => {
  const removes = (known: string[]) =>
    builds(
      table({ ge: "g-eng 2010", sm: "s-mine 2011" }, { ...forest("2011"), known: { german: known } }).play("unit ge"),
    );
  expect(removes(["sm"])).toContain("remove-minefield");
  expect(removes([])).not.toContain("remove-minefield");
});

/** Water on all sides of 2010. */
const ISLAND = ["1910", "1911", "2009", "2011", "2110", "2111"];
const water = (...dry: string[]): JsonObject =>
  ground(Object.fromEntries(ISLAND.filter((h) => !dry.includes(h)).map((h) => [h, "volga"])));

rule("SOS 17.34", "an engineer who can go nowhere can still build where it is", () => {
  const t = table({ ge: "g-eng 2010", g1: "g-inf 2020" }, water());
  expect(t.legal).toContain("unit ge");
  expect(builds(t.play("unit ge"))).toEqual(["build-fort"]);
});

test("a prompt names the only hex in which a minefield can be laid", () => {
  const t = table({ ge: "g-eng 2010", g1: "g-inf 2020" }, water("2111")).play("unit ge");
  const { choices } = t.env.game.narration!.prompt(t.env.state, GERMAN);
  expect(choices.find(({ name }) => name === "build-minefield")!.text).toContain("in 2111 (clear)");
});

test("an engineer that has a minefield is asked for its hex", () => {
  const ask = { ask: "move.task-hex", actor: "german", unit: "ge" };
  const frames: JsonObject[] = [
    { ask: "move.select", actor: "german" },
    { ask: "move.group", actor: "german", group: ["ge"] },
  ];
  const t = (decision: JsonObject, units: Units = { ge: "g-eng 2010" }) => table(units, { frames, decision });
  expect(t(ask).legal).toHaveLength(6);
  expect(t(ask).position["decision"]).toMatchObject({ ask: "move.task-hex", unit: "ge", task: "minefield" });
  expect(() => t({ ...ask, task: "fort" })).toThrow("decision.task: only minefields");
  expect(() => t({ ...ask, task: "remove-minefield" })).toThrow("decision.unit: ge has no hex to work at");
  expect(() => t({ ...ask, hex: "2011" })).toThrow("decision.hex: ge is not there");
  expect(() => t({ ...ask, unit: "g2" }, { ge: "g-eng 2010", g2: "g-eng 2020" })).toThrow(
    "decision.unit: g2 has no order",
  );
  expect(() => t(ask, { ge: "g-inf 2010", g2: "g-eng 2020" })).toThrow("decision.unit: ge builds nothing");
  frames[1] = { ask: "move.group", actor: "german", group: ["ge", "g2"] };
  expect(() => t(ask, { ge: "g-eng 2010", g2: "g-eng 2010" })).toThrow("decision.unit: ge is ordered with others");
});

test("the other side sees what is built and how long it takes, and not by which unit", () => {
  const units = { ge: "g-eng 2010", g2: "g-eng 2010", g1: "g-inf 2010" };
  const t = table(units, forest("2010")).play("unit ge");
  const events = told(t, SOVIET, "build-fort");
  expect(events.filter((e) => e.what === "task").map((e) => [e.text, e.units])).toEqual([
    ["The German side begins a fortification in 2010 (forest): 30 phases.", []],
  ]);
  expect(view(t, SOVIET)["works"]).toEqual({ "2010": [{ side: "german", kind: "fort", left: 30 }] });
  expect(view(t, SOVIET)["faceDown"]).toMatchObject({ "2010": ["cross", "cross", "cross"] });
  expect((view(t, GERMAN)["units"] as Record<string, JsonObject>)["ge"]).toHaveProperty("task");
});

test("as far as a player knows, any engineer of the hex builds", () => {
  const { state, game } = table(
    { e1: working("g-eng 2010", "fort", 20), e2: "g-eng 2010", g1: "g-inf 2010" },
    forest("2010"),
  ).env;
  const out = newState(game.stateSize);
  const rng = new Rng("workers");
  const workers = new Set<string>();
  for (let i = 0; i < 40; i++) {
    expect(game.resample(state, SOVIET, out, rng)).toBe(true);
    expect(game.invariantViolation(out)).toBeNull();
    const all = game.write(out)["units"] as Record<string, JsonObject>;
    workers.add(
      Object.keys(all)
        .filter((id) => all[id]!["task"] !== undefined)
        .join(),
    );
  }
  expect([...workers].sort()).toEqual(["e1", "e2"]);
});

test("with 15 phases left one engineer may have worked, or two; with more it was one alone", () => {
  const workersOf = (left: number): string[] => {
    const { state, game } = table(
      { e1: working("g-eng 2010", "fort", left), e2: "g-eng 2010", g1: "g-inf 2010" },
      forest("2010"),
    ).env;
    const out = newState(game.stateSize);
    const rng = new Rng("two");
    const found = new Set<string>();
    for (let i = 0; i < 60; i++) {
      expect(game.resample(state, SOVIET, out, rng)).toBe(true);
      const all = game.write(out)["units"] as Record<string, JsonObject>;
      found.add(
        Object.keys(all)
          .filter((id) => all[id]!["task"] !== undefined)
          .join(),
      );
    }
    return [...found].sort();
  };
  expect([workersOf(15), workersOf(16)]).toEqual([
    ["e1", "e1,e2", "e2"],
    ["e1", "e2"],
  ]);
});

test("no deal leaves work without an engineer", () => {
  const game = gameFor(type, WORKS);
  const s = newState(game.stateSize);
  const out = newState(game.stateSize);
  game.start(s, new ScriptedDice([]));
  const rng = new Rng("works");
  for (const player of [GERMAN, SOVIET])
    for (let i = 0; i < 60; i++) {
      expect(game.resample(s, player, out, rng)).toBe(true);
      expect(game.invariantViolation(out)).toBeNull();
    }
});

test("no deal lays a second minefield", () => {
  const mined = { gm: "g-mine 2010", sc: "s-commissar 2010", sm: "s-mine 2030", s2: "s-mine 2032", g1: "g-inf 2012" };
  const { state, game } = table(mined, forest("2010", "2030", "2032")).env;
  const out = newState(game.stateSize);
  const rng = new Rng("mines");
  for (let i = 0; i < 40; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    expect(game.invariantViolation(out)).toBeNull();
  }
});

/** Hexes that samples of a side give an enemy minefield near a unit of the side. What is known of that unit stays. */
function minefields(viewer: number, at: string, weather: string): string[] {
  const [own, enemy] = viewer === GERMAN ? ["g", "s"] : ["s", "g"];
  const hidden = (kind: string, at: string): JsonObject => ({ type: `${enemy}-${kind}`, at, tag: "star" });
  const units = {
    own: `${own}-inf ${at}`,
    mine: hidden("mine", "2010"),
    one: hidden("inf", "2030"),
    two: hidden("inf", "2032"),
  };
  const { state, game } = table(units, { ...forest("2010", "2030", "2032", "2013"), weather }).env;
  const out = newState(game.stateSize);
  const as = (s: typeof state): unknown => (game.redact!(s, viewer, out), out.subarray(RNG_WORDS).join());
  const known = as(state);
  const sample = newState(game.stateSize);
  const hexes = new Set<string>();
  for (let i = 0; i < 40; i++) {
    expect(game.resample(state, viewer, sample, new Rng(`lookouts/${i}`))).toBe(true);
    hexes.add((game.write(sample)["units"] as Record<string, { at: string }>)["mine"]!.at);
    expect(as(sample)).toBe(known);
  }
  return [...hexes].sort();
}

rule("SOS 7.3", "a German in the open whom nobody has seen shows that counters in sight are no lookouts", () => {
  expect(minefields(GERMAN, "2012", "good")).toEqual(["2010"]);
  // in a forest the German is hidden anyway
  expect(minefields(GERMAN, "2013", "good")).toEqual(["2010", "2030", "2032"]);
});

rule("SOS 7.4", "in bad weather a Soviet in the open says the same of counters within four hexes", () => {
  expect(minefields(SOVIET, "2006", "bad")).toEqual(["2010"]);
  expect(minefields(SOVIET, "2005", "bad")).toEqual(["2010", "2030", "2032"]);
  // in good weather every German counter sees the Soviet
  expect(minefields(SOVIET, "2006", "good")).toEqual(["2010", "2030", "2032"]);
});

test("what was announced of a unit in the enemy's minefield says nothing of the minefield", () => {
  const entered = { g1: "g-inf 2010", sm: "s-mine 2010", sc: "s-inf 2030", s1: "s-inf 2012" };
  const { state, game } = table(entered, {
    ...forest("2010", "2012", "2030"),
    announced: { "2010": "zoc" },
    known: { german: ["sm"] },
  }).env;
  const out = newState(game.stateSize);
  for (const player of [GERMAN, SOVIET])
    for (let i = 0; i < 10; i++) {
      expect(game.resample(state, player, out, new Rng(`entered/${i}`))).toBe(true);
      expect(game.invariantViolation(out)).toBeNull();
    }
});

describe("two engineers work, and all other unseen counters with their back are batteries in boxes", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-8" });
  const start = newState(game.stateSize);
  new SeededDice().begin(start);
  game.start(start, new SeededDice());
  const position = game.write(start) as { units: JsonObject };
  const others = ["S-MR141-1", "S-MR292-1", "S-TD614-1", "S-TD614-2", "S-TD1186-1", "S-AA1077-1"];
  const fort = (hex: string) => ({ at: hex, task: { kind: "fort", hex, left: 10 } });
  const units = {
    ...position.units,
    ...Object.fromEntries(others.map((id) => [id, { at: "dead" }])),
    "S-ENG107-1": fort("0175"),
    "S-ENG107-2": fort("0461"),
  };
  const s = newState(game.stateSize);
  game.read({ ...position, units }, s, new SeededDice());
  const out = newState(game.stateSize);

  test("deals find them", () => {
    for (let i = 0; i < 6; i++) {
      expect(game.resample(s, GERMAN, out, new Rng(`batteries/${i}`))).toBe(true);
      expect(game.invariantViolation(out)).toBeNull();
    }
  });

  test("sites where nobody works are given up", () => {
    const tables = Reflect.get(game, "tables") as Tables;
    const workers = new Workers(tables);
    out.set(s);
    workers.begin(out, GERMAN);
    for (const u of tables.engineers[SOVIET]!) out[tables.layout.work + u]! &= ~(TASK_BITS | TASK_SIDE_BITS);
    expect(game.invariantViolation(out)).toMatch("nobody works in hex");
    workers.giveUp(out);
    expect(game.invariantViolation(out)).toBeNull();
  });
});

test("prompts say what a task takes, and what is lost by giving it up", () => {
  const choices = (t: Table) =>
    Object.fromEntries(
      t.env.game
        .narration!.prompt(t.env.state, GERMAN)
        .choices.map(({ action, text, warning }) => [t.env.game.actions[action], [text, warning ?? null]]),
    );
  const begin = choices(table({ ge: "g-eng 2010", g2: working("g-eng 2010", "fort", 9) }).play("unit ge"));
  expect(begin["build-fort"]).toEqual(["Help with a fortification in 2010 (clear): 5 phases in peace", null]);
  expect(begin["build-minefield"]![0]).toBe("Begin to build a minefield in a hex beside it: 15 phases in peace");
  const stop = choices(table({ ge: working("g-eng 2010", "fort", 9) }).play("unit ge"));
  expect(stop["abandon-task"]![1]).toBe("It needs 9 phases more; what was done is lost.");
  expect(stop["hex 2011"]![1]).toBe("ge leaves a fortification in 2010: what was done is lost.");
});

event("task", "engineers begin a task, and it is stopped", () => {
  const t = table({ ge: "g-eng 2010" }).play("unit ge");
  expect(told(t, GERMAN, "build-fort").map((e) => [e.what, e.rule, e.amount])).toEqual([["task", "SOS 17.34", 30]]);
});

event("built", "the works of engineers are placed when their side moves", () => {
  const t = table({ ge: working("g-eng 2010", "bridge", 1) }, { phase: 10, ...balka });
  const events = [...told(t, SOVIET, "done"), ...(t.position["phase"] === 10 ? told(t, SOVIET, t.legal[0]!) : [])];
  expect(events.filter((e) => e.what === "built").map((e) => [e.rule, e.units, e.places])).toEqual([
    ["SOS 17.15", ["brg-1"], ["2010"]],
  ]);
});

event("mined", "a minefield stops movers that meant to go on", () => {
  const units = { g1: "g-inf 2012", gm: "g-mine 2011" };
  const frames = [{ ask: "move.select", actor: "german" }];
  const decision = { ask: "walk", actor: "german", group: ["g1"], path: ["2011", "2010"], mp: 8, kind: "normal" };
  const t = table(units, { frames, decision });
  expect(t.at("g1")).toBe("2011");
});
