import { describe, expect, test } from "vitest";
import {
  type ErrorCode,
  EventLog,
  type GameEvent,
  type JsonObject,
  loadGame,
  newObservation,
  newState,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { BOXES } from "../../../env/streets-of-stalingrad/schema.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

/** Rows of the Central box on the blank map, with a cliff. */
const shore = (phase: number, stage: string, more: JsonObject = {}): JsonObject => ({
  phase,
  stage,
  bounds: { cols: [1, 12], rows: [28, 33] },
  map: { base: "blank", hexes: { "0230": { t: "cliff" } } },
  ...more,
});
/** Mamayev Kurgan and the river behind it. */
const hill = (phase: number, stage: string, more: JsonObject = {}): JsonObject => ({
  phase,
  stage,
  map: { base: "standard" },
  bounds: { cols: [1, 14], rows: [36, 42] },
  ...more,
});
const near: Readonly<Record<string, string>> = { gf: "g-inf 1436", sf: "s-inf 0942" };
const gun = { type: "g-how", at: "1139", formation: "51K/71ID" };
const op = { type: "g-op-li", at: "1039", formation: "51K" };
const nobody: JsonObject = { gf: "g-inf 1233" as never, sf: "s-inf 1128" as never };

/** Stukas at a box of three howitzers. */
const raid = (units: Readonly<Record<string, string | JsonObject>> = {}, more: JsonObject = {}): Table =>
  new Table(
    {
      h1: "s-how eb-c",
      h2: "s-how eb-c",
      h3: "s-how eb-c",
      g1: "g-inf 1230",
      gf: "g-inf 1233",
      sf: "s-inf 1128",
      ...units,
    },
    shore(2, "plot-first", { stukas: { available: 6, used: 0 }, ...more }),
  );

function told(table: Table, viewer: number, action: string, dice: (number | string)[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

rule("SOS 2.16", "ranges of a box follow the numbers of the Volga hexes, also of those outside the bounds", () => {
  // 0230 of the drill's window: 0130, which has 11, is outside it
  const map: JsonObject = { map: { base: "standard" }, bounds: { cols: [2, 9], rows: [25, 32] } };
  const legal = (range: number): readonly string[] =>
    new Table(
      {
        h1: { type: "s-how", at: "eb-c", range },
        so: { type: "s-op", at: "0629", formation: "62A" },
        g1: "g-inf 0628",
        gf: "g-inf 0932",
        sf: "s-inf 0527",
      },
      { ...map, phase: 9, stage: "plot-first" },
    ).legal;
  const numbers = { "0130": 11, "0131": 11, "0132": 10, "0133": 10, "0134": 9 };
  const distance = (from: string, to: string): number => {
    const at = (id: string): [number, number] => {
      const [c, r] = [Number(id.slice(0, 2)), Number(id.slice(2))];
      return [c, c % 2 === 0 ? r + 0.5 : r];
    };
    const [[c1, y1], [c2, y2]] = [at(from), at(to)];
    return Math.abs(c1 - c2) + Math.max(0, Math.abs(y1 - y2) - Math.abs(c1 - c2) / 2);
  };
  const least = Math.min(...Object.entries(numbers).map(([hex, n]) => n + distance(hex, "0628")));
  expect(legal(least)).toContain("hex 0628");
  expect(legal(least - 1)).not.toContain("hex 0628");
});

rule("SOS 14.53", "on the blank map a Volga hex is two from its box", () => {
  const legal = (range: number): readonly string[] =>
    new Table({ h1: { type: "s-how", at: "eb-c", range }, g1: "g-inf 0230", ...nobody }, shore(9, "plot-first")).legal;
  expect([legal(3).includes("hex 0230"), legal(2).includes("hex 0230")]).toEqual([true, false]);
});

rule("SOS 14.28", "guns in a box see the cliffs along the river without a spotter, and nothing else", () => {
  const units = { h1: "s-how eb-c", g1: "g-inf 0230", g2: "g-inf 0430", gf: "g-inf 1233", sf: "s-dog 1128" };
  const alone = new Table(units, shore(9, "plot-first"));
  expect(alone.legal.filter((name) => name.startsWith("hex"))).toEqual(["hex 0230"]);
  const seen = new Table({ ...units, so: { type: "s-op", at: "0530", formation: "62A" } }, shore(9, "plot-first"));
  expect(seen.legal).toContain("hex 0430");
});

rule("SOS 14.51", "a gun in a box bombards at 0 by its own sight, and then has fired for the turn", () => {
  const table = new Table({ h1: "s-how eb-c", g1: "g-inf 0230", ...nobody }, shore(9, "plot-first"));
  table.play("hex 0230", "wbbt: 10");
  expect(table.rolls).toMatchObject([{ kind: "bombardment", hex: "0230", points: 10, drms: {} }]);
  expect(table.unit("h1")).toMatchObject({ at: "eb-c", firedAf: true });
});

rule("SOS 9.17", "guns in a box support attacks and defensive fire, and don't fire at movers", () => {
  const attack = new Table(
    { h1: "s-how eb-c", s1: "s-inf 0330", g1: "g-inf 0230", sf: "s-inf 1128", gf: "g-inf 1233" },
    shore(12, "attack", { marks: { "0230": ["attack"] } }),
  );
  expect(attack.legal).toContain("unit h1");
  const movers = new Table(
    {
      sm: { type: "s-mortar", at: "eb-c", range: 22 },
      s1: "s-inf 0430",
      g1: "g-inf 0732",
      gf: "g-inf 1233",
      sf: "s-inf 1128",
    },
    shore(3, "normal"),
  ).play("unit g1", "hex 0632");
  expect(movers.ask).toBe("move.select");
});

rule(
  "SOS 7.3",
  "a unit in a box is hidden until it fires: one that supports an attack turns face up, and the other doesn't",
  () => {
    const table = new Table(
      {
        h1: "s-how eb-c",
        h2: "s-how eb-c",
        s1: "s-inf 0330",
        s2: "s-inf 0330",
        g1: "g-inf 0230",
        sf: "s-inf 1128",
        gf: "g-inf 1233",
      },
      shore(12, "attack", { marks: { "0230": ["attack"] } }),
    ).play("unit h1", "all", "done", "normal");
    const view = (): JsonObject => table.env.game.view(table.env.state, GERMAN);
    expect(view()["units"]).toHaveProperty("h1");
    expect(view()["units"]).not.toHaveProperty("h2");
    expect(view()["boxed"]).toEqual({ "eb-c": 1 });
    const doc = table.env.game.view(table.env.state, GERMAN);
    const sample = newState(table.env.game.stateSize);
    for (let i = 0; i < 20; i++) {
      table.env.game.resample(table.env.state, GERMAN, sample, new Rng(String(i)));
      expect(table.env.game.view(sample, GERMAN)).toEqual(doc);
    }
  },
);

rule("SOS 14.29", "German guns fire at a box only with an observer on 1039 that is free to spot", () => {
  const units = { gh: gun, h1: "s-how eb-c", ...near };
  const legal = (spotter: JsonObject): readonly string[] =>
    new Table({ ...units, go: spotter }, hill(2, "plot-first")).legal;
  expect(legal(op)).toContain("box eb-c");
  expect(legal({ ...op, at: "1038" })).not.toContain("box eb-c");
  expect(legal({ ...op, type: "g-op-lw" })).not.toContain("box eb-c");
  expect(legal({ ...op, noSpot: true })).not.toContain("box eb-c");
});

rule("SOS 14.52", "a gun that can't reach the box does not fire; one of another command has +1", () => {
  const units = { go: op, h1: "s-how eb-c", ...near };
  const short = new Table({ ...units, gh: { ...gun, range: 16 } }, hill(2, "plot-first"));
  expect(short.legal).not.toContain("box eb-c");
  const other = new Table(
    { ...units, go: { ...op, type: "g-op", formation: "51K/94ID" }, gh: gun },
    hill(2, "plot-first"),
  );
  other.play("box eb-c: 3");
  expect(other.rolls).toMatchObject([{ kind: "eastbank", drms: { spot: 1 }, mdr: 4, result: "P1" }]);
});

rule("SOS 14.31", "fire at boxes gets worse from 26 September, 10 October and 30 October on", () => {
  const drmOn = (turn: number): unknown => {
    const table = new Table({ gh: gun, go: op, h1: "s-how eb-c", ...near }, hill(2, "plot-first", { turn }));
    return (table.play("box eb-c: 5").rolls[0]!["drms"] as JsonObject)["date"];
  };
  expect([13, 14, 27, 28, 47, 48].map(drmOn)).toEqual([undefined, 1, 1, 2, 2, 3]);
});

rule("SOS 14.54", "only guns that fire indirectly and are not mortars are hit in a box", () => {
  const table = raid({ h2: "s-mortar eb-c", h3: "s-inf eb-c" }).play("box eb-c", "n 6: 10 1");
  expect(table.rolls[1]).toMatchObject({ kind: "eastbank", column: "30-49", result: "P4 DE1" });
  expect(table.at("h1")).toBe("dead");
  expect([table.unit("h2"), table.unit("h3")]).toEqual([
    { type: "s-mortar", at: "eb-c" },
    { type: "s-inf", at: "eb-c" },
  ]);
});

rule("SOS 14.53", "a box is as far from a hex as the number of a Volga hex and the way from there, at least", () => {
  const tables = Reflect.get(loadGame("streets-of-stalingrad", { scenario: "campaign" }), "tables") as Tables;
  const { board, river } = tables;
  ["eb-s", "eb-c", "eb-n"].forEach((box) => {
    const numbered = board.hexes.flatMap((hex, h) => {
      const number = (hex.east as Record<string, number> | undefined)?.[box];
      return number === undefined ? [] : [[h, number] as const];
    });
    expect(numbered.length).toBeGreaterThan(10);
    const expected = board.ids.map((_, h) => Math.min(...numbered.map(([n, number]) => number + board.distance(n, h))));
    expect([...river.ranges[BOXES.indexOf(box as "eb-s")]!]).toEqual(expected);
  });
});

rule("SOS 14.81", "the units hit are drawn, first the losses, then the pinned ones", () => {
  const four = { h4: "s-how eb-c" };
  const lost = raid(four).play("box eb-c", "n 6: 10 1 h3");
  expect(["h1", "h2", "h3", "h4"].map((id) => lost.at(id))).toEqual(["eb-c", "eb-c", "dead", "eb-c"]);
  expect(["h1", "h2", "h4"].map((id) => lost.unit(id)["pinned"])).toEqual([true, true, true]);
  const pinned = raid(four).play("box eb-c", "n 3", "done: 10 5 h2");
  expect(pinned.rolls[1]).toMatchObject({ column: "10-19", die: 5, result: "P1" });
  expect(["h1", "h2", "h3", "h4"].map((id) => pinned.unit(id)["pinned"])).toEqual([
    undefined,
    true,
    undefined,
    undefined,
  ]);
});

rule(
  "SOS 14.81",
  "the German side learns how many batteries are lost, and not which; in samples one of the possible ones is lost",
  () => {
    const table = raid({ h3: "s-inf eb-c" }).play("box eb-c", "n 6: 10 1 h2");
    const { game, state } = table.env;
    const view = game.view(state, GERMAN);
    expect(view["boxed"]).toEqual({ "eb-c": 2, lost: 1 });
    expect(view["batteries"]).toEqual(["eb-c"]);
    expect(["h1", "h2", "h3"].filter((id) => id in (view["units"] as JsonObject))).toEqual([]);
    expect((game.view(state, SOVIET)["units"] as JsonObject)["h2"]).toMatchObject({ at: "dead", untold: true });
    const lost = new Set<string>();
    const sample = newState(game.stateSize);
    for (let i = 0; i < 40; i++) {
      expect(game.resample(state, GERMAN, sample, new Rng(String(i)))).toBe(true);
      expect(game.invariantViolation(sample)).toBeNull();
      expect(game.view(sample, GERMAN)).toEqual(view);
      const units = game.write(sample)["units"] as Record<string, JsonObject>;
      for (const id of ["h1", "h2", "h3"]) if (units[id]!["at"] === "dead") lost.add(id);
    }
    expect([...lost].sort()).toEqual(["h1", "h2"]);
  },
);

rule("SOS 14.81", "after a loss the German side is no longer sure of a gun in the box that it knew", () => {
  const units = (hit: string) =>
    Object.keys(
      (({ game, state }) => game.view(state, GERMAN)["units"] as JsonObject)(
        raid({}, { known: { german: ["h1"] } }).play("box eb-c", `n 6: ${hit}`).env,
      ),
    ).filter((id) => /^h\d$/.test(id));
  const { game, state } = raid({}, { known: { german: ["h1"] } }).env;
  expect(Object.keys(game.view(state, GERMAN)["units"] as JsonObject)).toContain("h1");
  expect([units("10 1 h2"), units("10 1 h1")]).toEqual([[], []]);
});

rule("SOS 14.49", "a battery pinned in its box in phase 2 fires in 9, but not in 6", () => {
  const table = raid({ h2: "s-inf 0930", h3: "s-inf eb-c", g1: "g-inf 0230" }).play("box eb-c", "n 3", "done: 10 5");
  expect(table.unit("h1")).toMatchObject({ pinned: true });
  expect(table.position["phase"]).not.toBe(2); // it could not plot any more
});

rule("SOS 15.31", "Stukas bomb a box without an observer, and the Luftwaffe's on 1039 gives -1", () => {
  const units = { ...near, h1: "s-how eb-c", gl: { type: "g-op-lw", at: "1039", formation: "51K" } };
  const stukas = { stukas: { available: 2, used: 0 } };
  const drms = (more: Readonly<Record<string, JsonObject>>): unknown =>
    new Table({ ...units, ...more }, hill(2, "plot-first", stukas)).play("box eb-c", "n 2: 10 8").rolls[1]!["drms"];
  expect(drms({})).toEqual({ "lwop-mamayev": -1 });
  expect(drms({ gl: { ...units.gl, at: "1038" } })).toEqual({});
  expect(drms({ gl: { ...units.gl, pinned: true } })).toEqual({});
});

rule("SOS 15.32", "guns and Stukas bombard a box separately, each with a die of its own", () => {
  const units = { h1: "s-how eb-c", go: op, gh: gun, ...near };
  const table = new Table(units, hill(2, "plot-first", { stukas: { available: 2, used: 0 } })).play("box eb-c");
  expect(table.legal).toEqual(["n 1", "n 2", "unit gh"]);
  table.play("unit gh");
  expect(table.ask).toBe("bomb.target");
  expect(table.legal).toContain("box eb-c"); // for the Stukas
  expect(table.position["missions"]).toEqual([{ side: "german", box: "eb-c", units: ["gh"] }]);
  table.play("box eb-c", "n 2: 9 10 8");
  expect(table.rolls.map((r) => [r["kind"], r["points"]])).toEqual([
    ["eastbank", 9],
    ["aa", 10],
    ["eastbank", 10],
  ]);
});

rule("SOS 15.33", "Stukas that bomb a box are used up", () => {
  const table = raid().play("box eb-c", "n 4", "done: 10 10");
  expect(table.position["stukas"]).toEqual({ available: 2, used: 4 });
});

rule("SOS 15.43", "a box has ten points of flak of its own, and anti-aircraft units in it may add theirs", () => {
  const own = raid().play("box eb-c", "n 6: 2 10");
  expect(own.rolls).toMatchObject([
    { kind: "aa", hex: "eb-c", points: 10, result: "D1" },
    { kind: "eastbank", points: 25, column: "20-29" },
  ]);
  const more = raid({ a1: "s-aa eb-c", a2: { type: "s-aa", at: "0130", range: 9 } }).play("box eb-c", "n 6");
  expect([more.ask, more.legal]).toEqual(["aa.unit", ["done", "unit a1"]]);
  more.play("unit a1: 3 10");
  expect(more.rolls[0]).toMatchObject({ kind: "aa", points: 15 });
  expect(more.unit("a1")).toMatchObject({ at: "eb-c" });
});

event("box-hit", "everyone reads the die; only the owner reads which unit is hit and how it was drawn", () => {
  const [german] = told(raid().play("box eb-c"), GERMAN, "n 6", [10, 1, "h2"]).filter((e) => e.what === "box-hit");
  const [soviet] = told(raid().play("box eb-c"), SOVIET, "n 6", [10, 1, "h2"]).filter((e) => e.what === "box-hit");
  expect(german).toMatchObject({ rule: "SOS 14.29", by: "german", units: [], places: ["eb-c"], amount: 1 });
  expect(german!.text).toBe("Bombardment of box eb-c: 30 points, column 30-49, die 1, no modifier: 4 pinned, 1 lost.");
  expect(german!.dice).toHaveLength(1);
  expect(soviet!.text).toBe(`${german!.text} Lost: h2. Pinned: h1 and h3.`);
  expect(soviet!.dice![1]).toMatchObject({ sides: 0, faces: ["h2"] });
});

test("prompts say which units fire at a box", () => {
  const units = { h1: "s-how eb-c", go: op, gh: gun, ...near };
  const table = new Table(units, hill(2, "plot-first", { stukas: { available: 2, used: 0 } }));
  const prompt = () => table.env.game.narration!.prompt(table.env.state, GERMAN);
  expect(prompt().choices.find((c) => c.name === "box eb-c")).toMatchObject({
    text: "Bombard the batteries in box eb-c, by the table for boxes",
    places: ["eb-c"],
  });
  table.play("box eb-c");
  expect(prompt().text).toBe("Bombardment of box eb-c. Choose a gun.");
  expect(prompt().choices.find((c) => c.name === "unit gh")!.text).toBe(
    "Fire with gh (howitzer 9-2-15) from 1139, spotting -1 by go. Then 9 points, table for boxes, column 1-9, spotting -1 (die 1: 2 pinned; 2-6: 1 pinned)",
  );
});

test("positions with fire at boxes read back as they were written", () => {
  const units = { h1: "s-how eb-c", a1: "s-aa eb-c", go: op, gh: gun, ...near };
  const table = new Table(units, hill(2, "plot-first", { stukas: { available: 2, used: 0 } }));
  const again = (): void => {
    const { env } = table;
    const doc = env.game.write(env.state);
    const out = newState(env.game.stateSize);
    env.game.read(doc, out, new ScriptedDice([]));
    expect(env.game.write(out)).toEqual(doc);
    for (const player of [GERMAN, SOVIET]) {
      const a = newObservation(env.game.observation);
      env.game.observe(out, player, a);
      for (const tensor of ["globals", "map", "units", "decision"] as const)
        expect(a[tensor].every((x) => Number.isFinite(x))).toBe(true);
      expect(env.game.scene!(env.state, player).overlays).toBeDefined();
      env.game.render(env.state, player);
    }
  };
  again();
  for (const action of ["box eb-c", "unit gh", "box eb-c", "n 2: 9"]) {
    table.play(action);
    again();
  }
  expect(table.ask).toBe("aa.unit");
  table.play("done: 10 3");
  again();
});

describe("impossible contents of a box are refused by path and reason", () => {
  const units = { h1: "s-how eb-c", m1: "s-mortar dead", go: op, gh: gun, ...near };
  const mission = (more: JsonObject): JsonObject => ({ missions: [{ side: "german", ...more }] });
  test.each([
    ["guns and Stukas together", mission({ box: "eb-c", units: ["gh"], stukas: 1 }), "missions[0].box"],
    ["a table of choice", mission({ box: "eb-c", units: ["gh"], table: "crt" }), "missions[0].box"],
    ["a hex and a box", mission({ box: "eb-c", hex: "1039" }), "missions[0]: it is at a hex or at a box"],
    ["a mortar that was lost unseen", { untold: true }, "units.m1.untold: only a battery"],
    ["a decision about no box", { decision: { ask: "bomb.table", actor: "german", box: "eb-c" } }, "decision.box"],
  ] as const)("%s", (_what, more, says) => {
    const { untold, ...rest } = more as { untold?: boolean };
    const m1 = untold === true ? { type: "s-mortar", at: "dead", untold } : "s-mortar dead";
    expect(() => new Table({ ...units, m1 }, hill(2, "plot-first", rest as JsonObject))).toThrow(
      expect.objectContaining({
        code: "bad-position" satisfies ErrorCode,
        message: expect.stringContaining(says) as string,
      }) as Error,
    );
  });
});
