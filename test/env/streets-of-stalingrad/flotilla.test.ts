import { expect, test } from "vitest";
import {
  EventLog,
  type GameEvent,
  type JsonObject,
  newState,
  OrderRun,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

const bounds = { cols: [1, 12], rows: [28, 33] };
const cliffs: JsonObject = { base: "blank", hexes: { "0230": { t: "cliff" }, "0231": { t: "cliff" } } };
const near: Readonly<Record<string, string>> = { gf: "g-inf 1233", sf: "s-inf 1128" };
/** A flotilla unit in the Central box, in the stage in which it may come. */
const stage = (
  phase: number,
  units: Readonly<Record<string, string | JsonObject>> = {},
  more: JsonObject = {},
): Table =>
  new Table(
    { rf: "s-rf eb-c", s1: "s-inf 0530", g9: "g-inf 1230", ...near, ...units },
    { phase, stage: "flotilla", bounds, map: cliffs, ...more },
  );
/** One that is on the river, in an attack phase. */
const attack = (phase: number, units: Readonly<Record<string, string | JsonObject>>, more: JsonObject = {}): Table =>
  new Table(
    { rf: { type: "s-rf", at: "0130", from: "eb-c" }, ...near, ...units },
    { phase, stage: "attack", bounds, map: cliffs, ...more },
  );
const hexes = (table: Table): string[] => table.legal.filter((name) => name.startsWith("hex "));

function told(table: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

rule(
  "SOS 16.52",
  "the flotilla comes in the Soviet movement and attack phases and in the German attacks, once a turn",
  () => {
    for (const phase of [5, 8, 10, 12, 14, 15]) expect(stage(phase).ask).toBe("rf.place");
    for (const phase of [3, 7]) expect(() => stage(phase)).toThrow("has no stage flotilla");
    expect(stage(10, { rf: { type: "s-rf", at: "eb-c", used: true } }).ask).not.toBe("rf.place");
    const placed = stage(12, { g1: "g-inf 0230" }).play("unit rf", "hex 0130");
    expect(placed.ask).toBe("attack.target");
    placed.play("done");
    expect(placed.unit("rf")).toEqual({ type: "s-rf", at: "eb-c", used: true });
  },
);

rule("SOS 16.53", "a third flotilla unit has no place where two are in the only hex of the river", () => {
  const one = { bounds: { cols: [1, 12], rows: [30, 30] }, map: { base: "blank" } };
  const far = { g9: "g-inf 1230", gf: "g-inf 1130", sf: "s-inf 0630" };
  const boats = (...at: string[]) =>
    at.map((from): JsonObject => ({ type: "s-rf", at: from, ...(from === "0130" ? { from: "eb-c" } : {}) }));
  const asks = (...at: string[]): string | undefined => {
    const [rf, ra, rb] = boats(...at) as [JsonObject, JsonObject, JsonObject];
    return stage(10, { rf, ra, rb, ...far }, one).ask;
  };
  expect([asks("eb-c", "eb-c", "0130"), asks("eb-c", "0130", "0130")]).toEqual(["rf.place", "move.select"]);
});

rule("SOS 16.55", "the flotilla fires in attack phases, and takes no part in a breakthrough", () => {
  const units = { rf: { type: "s-rf", at: "0130", from: "eb-c" }, g1: "g-inf 0230", st: "s-tank 0533", ...near };
  const map: JsonObject = { base: "blank", hexes: { "0230": { t: "clear", f: ["bank"] } } };
  const table = new Table(units, { phase: 10, stage: "breakthrough", bounds, map });
  expect(table.ask).toBe("bt.select");
  expect(hexes(table)).toEqual([]);
  const beside = new Table({ ...units, st: "s-tank 0331" }, { phase: 10, stage: "breakthrough", bounds, map });
  expect(hexes(beside)).toEqual(["hex 0230"]);
  expect(beside.play("hex 0230").legal).not.toContain("unit rf");
});

rule("SOS 16.52", "a unit that is pinned in its box does not come", () => {
  const pinned = { type: "s-rf", at: "eb-c", pinned: true };
  expect(stage(10, { rf: pinned }).ask).not.toBe("rf.place");
  const table = stage(10, { rf: pinned, r2: "s-rf eb-c" });
  expect(table.legal.filter((name) => name.startsWith("unit"))).toEqual(["unit r2"]);
});

rule("SOS 16.52", "in a new turn it may be used again", () => {
  const used = { rf: { type: "s-rf", at: "eb-c", used: true } };
  const marks = { "3031": ["attack"] };
  const table = new Table(
    { ...used, g1: "g-inf 3031", s1: "s-inf 3030" },
    { turn: 2, phase: 15, stage: "attack", marks },
  ).play("normal", "done: 10");
  expect(table.position["turn"]).toBe(3);
  expect(table.unit("rf")).toEqual({ type: "s-rf", at: "eb-c" });
});

rule("SOS 16.53", "it comes on any solid Volga hex, two in a hex", () => {
  const others = { r2: { type: "s-rf", at: "0130", from: "eb-c" }, r3: { type: "s-rf", at: "0130", from: "eb-c" } };
  expect(hexes(stage(10).play("unit rf"))).toEqual(
    ["0128", "0129", "0130", "0131", "0132", "0133"].map((h) => `hex ${h}`),
  );
  expect(hexes(stage(10, others).play("unit rf"))).not.toContain("hex 0130");
  expect(hexes(stage(10, { r2: others.r2 }).play("unit rf"))).toContain("hex 0130");
});

rule("SOS 16.51", "it is armor, has no movement points, and is face up on the river", () => {
  const table = stage(10).play("unit rf", "hex 0130");
  expect(table.legal).not.toContain("unit rf");
  expect(table.env.game.view(table.env.state, GERMAN)["units"]).toHaveProperty("rf");
  const tank = attack(5, { gt: "g-tank 0330", s1: "s-inf 0829", g1: "g-inf 0929" }, { marks: { "0829": ["attack"] } });
  tank.play("hex 0130: 10");
  expect(tank.rolls.at(-1)).toMatchObject({ kind: "attack", hex: "0130" });
  const cars = attack(5, { ga: { type: "g-acar", at: "0230" }, s1: "s-inf 0829" });
  cars.play("hex 0130", "done: 10");
  expect(cars.rolls.at(-1)).toMatchObject({ hex: "0130", drms: { "armor-target": 1 } });
});

rule("SOS 16.54", "a side that crosses may lose a flotilla unit instead", () => {
  const table = new Table(
    { s1: "s-inf eb-c", rf: { type: "s-rf", at: "0130", from: "eb-c" }, gt: { type: "g-tank", at: "0330", df: 12 } },
    {
      phase: 10,
      stage: "normal",
      map: { base: "blank", hexes: { "0130": { t: "volga", arrow: 8 }, "0230": { t: "clear", landing: 8 } } },
    },
  ).play("unit s1", "hex 0230", "unit gt: 2");
  expect(table.legal).toEqual(["unit s1", "unit rf"]);
  table.play("unit rf: 4");
  expect([table.at("rf"), table.at("s1")]).toEqual(["turn-4", "0230"]);
});

rule("SOS 8.68", "so may attackers from the river, under defensive fire", () => {
  const table = attack(
    12,
    { s1: { type: "s-inf", at: "0130", from: "eb-c" }, g1: { type: "g-inf", at: "0230", df: 12 } },
    { marks: { "0230": ["attack"] } },
  );
  table.play("unit s1", "done", "normal", "all: 2");
  expect([table.ask, table.legal]).toEqual(["loss.pick", ["unit rf", "unit s1"]]);
});

rule("SOS 16.55", "it fires only at Germans on cliffs in its range, in attack phases, by either table", () => {
  const table = attack(12, { g1: "g-inf 0230", g2: "g-inf 0329" });
  expect(table.legal).toEqual(["done", "hex 0230"]);
  table.play("hex 0230");
  expect([table.ask, table.legal]).toEqual(["bomb.table", ["crt", "wbbt"]]);
  table.play("crt: 10");
  expect(table.rolls).toMatchObject([{ kind: "attack", table: "CRT", points: 4, drms: { terrain: 1 } }]);
  expect(
    attack(12, { g1: "g-inf 0230", rf: { type: "s-rf", at: "0130", from: "eb-c", range: 0 } }).position["phase"],
  ).not.toBe(12);
});

rule("SOS 16.55", "with others it attacks by the combat table, and is no artillery support", () => {
  const table = attack(12, { g1: "g-inf 0230", s1: "s-inf 0330" }, { marks: { "0230": ["attack"] } });
  table.play("unit rf", "normal", "done: 10");
  expect(table.rolls.at(-1)).toMatchObject({ kind: "attack", table: "CRT", points: 7, drms: { terrain: 1 } });
});

rule("SOS 16.55", "it never opens fire at movers", () => {
  const units = { rf: { type: "s-rf", at: "0130", from: "eb-c" }, g1: "g-inf 0330", s1: "s-inf 0829", ...near };
  const table = new Table(units, { phase: 3, stage: "normal", bounds, map: cliffs }).play("unit g1", "hex 0230");
  expect(table.ask).toBe("move.select");
});

rule("SOS 16.56", "when the phase is over it goes back to its box", () => {
  const table = stage(5, { g1: "g-inf 0230", sx: "s-inf 0829", gx: "g-inf 0929" }, { marks: { "0829": ["attack"] } });
  table.play("unit rf", "hex 0131").play("normal", "done: 10");
  expect(table.position["phase"]).not.toBe(5);
  expect(table.unit("rf")).toEqual({ type: "s-rf", at: "eb-c", used: true });
});

rule(
  "SOS 16.57",
  "if lost it returns after half the die in turns, rounded up; if pinned it goes to its box for the turn",
  () => {
    const hit = (...dice: number[]): Table =>
      attack(
        5,
        { gt: { type: "g-tank", at: "0230", af: 40 }, sx: "s-inf 0829", gx: "g-inf 0929" },
        { turn: 3, marks: { "0829": ["attack"] } },
      ).play("hex 0130", `done: ${dice.join(" ")}`);
    const lost = hit(1, 7);
    expect(lost.at("rf")).toBe("turn-7");
    expect(lost.rolls.at(-1)).toEqual({ kind: "flotilla", die: 7, result: 4 });
    const pinned = hit(7);
    expect(pinned.unit("rf")).toEqual({ type: "s-rf", at: "eb-c", pinned: true, used: true });
  },
);

event("flotilla", "everyone sees it come and go", () => {
  const table = stage(12, { g1: "g-inf 0230" }).play("unit rf");
  const [comes] = told(table, GERMAN, "hex 0130").filter((e) => e.what === "flotilla");
  expect(comes).toMatchObject({
    rule: "SOS 16.53",
    by: "soviet",
    text: "Soviet rf (river-flotilla 4-4-0) comes from box eb-c to 0130 (volga).",
    units: ["rf"],
    places: ["eb-c", "0130"],
  });
  const [goes] = told(table, GERMAN, "done").filter((e) => e.what === "flotilla");
  expect(goes).toMatchObject({ rule: "SOS 16.56", text: "Soviet rf goes back from 0130 (volga) to box eb-c." });
});

event("sinks", "everyone reads its die", () => {
  const table = attack(
    5,
    { gt: { type: "g-tank", at: "0230", af: 40 }, sx: "s-inf 0829", gx: "g-inf 0929" },
    { marks: { "0829": ["attack"] } },
  );
  table.play("hex 0130");
  const [die] = told(table, GERMAN, "done", 1, 7).filter((e) => e.what === "sinks");
  expect(die).toMatchObject({ rule: "SOS 16.57", text: "Soviet rf: die 7: it comes back in 4 turns.", amount: 4 });
});

test("an order in words places a flotilla unit, another bombards a box", () => {
  const ordered = (table: Table, text: string): string[] => {
    const { env } = table;
    const run = new OrderRun(env.game, env.state, env.actor, text);
    const did: string[] = [];
    for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
      did.push(env.game.actions[a]!);
      env.step(a);
    }
    return did;
  };
  const table = stage(10, { r2: "s-rf eb-c" });
  expect(ordered(table, "place rf, hex 0131")).toEqual(["unit rf", "hex 0131"]);
  expect([table.at("rf"), table.ask]).toEqual(["0131", "rf.place"]);
  const raid = new Table(
    { h1: "s-how eb-c", g1: "g-inf 1230", ...near },
    { phase: 2, stage: "plot-first", stukas: { available: 6, used: 0 }, bounds, map: cliffs },
  );
  expect(ordered(raid, "box eb-c, n 3")).toEqual(["box eb-c", "n 3"]);
});

test("the named unit does not show before it comes, nor does its box", () => {
  const one = stage(10, { r2: "s-rf eb-c" }).play("unit rf");
  const other = stage(10, { r2: "s-rf eb-c" }).play("unit r2");
  const view = (t: Table): JsonObject => t.env.game.view(t.env.state, GERMAN);
  expect(view(one)).toEqual(view(other));
  const sample = newState(one.env.game.stateSize);
  for (let i = 0; i < 10; i++) {
    one.env.game.resample(one.env.state, GERMAN, sample, new Rng(String(i)));
    expect(one.env.game.view(sample, GERMAN)).toEqual(view(one));
  }
});

rule(
  "SOS 16.52",
  "without flotillaDefends it stays away in German phases, and does not fire at attackers (R105)",
  () => {
    const stage = (phase: number) =>
      new Table(
        { rf: "s-rf eb-c", s1: "s-inf 0530", g9: "g-inf 1230", ...near },
        { phase, stage: "flotilla", bounds, map: cliffs },
        { flotillaDefends: false },
      );
    const asked = (phase: number) => [stage(phase).position["phase"], stage(phase).ask];
    for (const phase of [5, 8]) expect(asked(phase)).not.toEqual([phase, "rf.place"]);
    for (const phase of [10, 12, 14, 15]) expect(asked(phase)).toEqual([phase, "rf.place"]);
    const attacked = (flotillaDefends: boolean) =>
      new Table(
        {
          rf: { type: "s-rf", at: "0130", from: "eb-c" },
          g1: "g-inf 0230",
          s1: "s-inf 0330",
          s2: "s-inf 0330",
          ...near,
        },
        { phase: 8, stage: "attack", bounds, map: cliffs, marks: { "0330": ["attack"] } },
        { flotillaDefends },
      );
    const firers = (table: Table) => {
      table.play("normal", "hex 0230");
      return table.legal.filter((name) => name.startsWith("unit "));
    };
    expect(firers(attacked(true))).toEqual(["unit rf", "unit s1", "unit s2"]);
    expect(firers(attacked(false))).toEqual(["unit s1", "unit s2"]);
  },
);
