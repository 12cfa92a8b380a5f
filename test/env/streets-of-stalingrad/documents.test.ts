import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import { attacks, Table } from "./table.js";

type Units = Record<string, string | JsonObject>;

/** Germans in 2009 and 2110 attack 2010. */
const UNITS: Units = {
  ...{ g1: "g-inf 2009", g2: "g-inf 2110" },
  ...{ s1: "s-inf 2010", s2: "s-inf 2010", s3: "s-inf 2010" },
};
const attack = (step: number, more: JsonObject = {}): JsonObject[] => [
  { ask: "attack.target", actor: "german" },
  { ask: "attack.unit", actor: "german", hex: "2010", attackers: ["g1", "g2"], ...more, step },
];
const bare = { ask: "loss.pick", actor: "soviet", hex: "2010", from: ["s1", "s2", "s3"] };
const loss = { ...bare, need: 1, cause: "attack" };
const retreat = { ask: "after.unit", actor: "soviet", hex: "2010", left: ["s1", "s2"] };

/** A position whose last frame is its decision. */
const position = (frames: readonly JsonObject[], rest: JsonObject, units: Units = UNITS): Table =>
  new Table(units, { ...rest, frames: frames.slice(0, -1), decision: frames.at(-1)! });

/** The same frames after reading and writing. */
function kept(frames: readonly JsonObject[], rest: JsonObject, units?: Units): JsonObject[] {
  const doc = position(frames, rest, units).position as { frames?: JsonObject[]; decision: JsonObject };
  return [...(doc.frames ?? []), doc.decision];
}
const phase5 = attacks(5, "2010");

describe("a position keeps in an attack", () => {
  const entered = {
    ...UNITS,
    g1: "g-inf 2010",
    g2: "g-inf 2010",
    s1: "s-inf 2011",
    s2: "s-inf 2011",
    s3: "s-inf 2011",
  };
  const strikesBack = { ask: "ica.unit", actor: "soviet", hex: "2010", list: ["s1"], step: 1 };
  const lossOfIt = { ...loss, actor: "german", from: ["g1", "g2"], cause: "counter-attack" };
  const mortar = { ...UNITS, s2: "s-mortar 2010" };
  const fires = [{ hex: "2009", units: ["s2"], table: "wbbt" }];
  const kinds: readonly [string, JsonObject[], Units?][] = [
    ["the losses so far and a sniper's help", [...attack(9), { ...loss, pin: true, losses: 3, sniper: 1 }]],
    ["what it has cleared, and flak that has answered", [...attack(9, { cleared: true, flak: true }), loss]],
    ["flak that has answered, when nothing was cleared", [...attack(9, { flak: true }), loss]],
    ["who retreats, how far, and that NKVD are tested", [...attack(9), { ...retreat, steps: 2, nkvd: true }]],
    ["how far a counter-attack has come", [...attack(11), strikesBack, lossOfIt], entered],
    [
      "the table by which guns defend",
      [...attack(7), { ask: "df.target", actor: "soviet", hex: "2010", fires }],
      mortar,
    ],
  ];
  test.each(kinds)("%s", (_what, frames, units) => {
    expect(kept(frames, phase5, units)).toEqual(frames);
  });
});

describe("what a position leaves out has a value", () => {
  test("one unit is lost, in the attack", () => {
    expect(kept([...attack(9), bare], phase5).at(-1)).toEqual(loss);
  });

  test("units retreat one hex", () => {
    expect(kept([...attack(9), retreat], phase5).at(-1)).toEqual({ ...retreat, steps: 1 });
  });

  test("ammunition is short in step 5 of the Administrative Phase", () => {
    const guns = { h1: "g-how 2010", h2: "g-how 2010", h3: "g-how 2010" };
    const decision = { ask: "admin.ammo", actor: "german", need: 10 };
    const asked = new Table(guns, { turn: 2, phase: 1, stage: "end", ammo: { german: { short: 20 } }, decision });
    expect(asked.position["frames"]).toEqual([{ ask: "admin.end", actor: "german", step: 5 }]);
  });
});

test("a position keeps the Stukas of a bombardment that is plotted", () => {
  const guns = { go: "g-op 2009", h1: "g-how 2020", h2: "g-how 2020", s1: "s-inf 2010" };
  const frames = [
    { ask: "bomb.target", actor: "german" },
    { ask: "bomb.unit", actor: "german", hex: "2010", units: ["h1"], stukas: 2 },
  ];
  expect(kept(frames, { phase: 2, stage: "plot-first", stukas: { available: 3 } }, guns).at(-1)).toEqual(frames[1]);
});

describe("a position keeps of a move", () => {
  const select = { ask: "move.select", actor: "german" };

  test("that the next hex is a waypoint", () => {
    const frames = [select, { ask: "move.group", actor: "german", group: ["g1"], waypoint: true, kind: "normal" }];
    expect(kept(frames, { phase: 3, stage: "normal" }, { g1: "g-inf 2009" }).at(-1)).toEqual(frames[1]);
  });

  test("that the enemy holds its fire", () => {
    // the leader in 2011 makes way to one of two units before the company goes on
    const guards = (type: string, at: string) => ({ type, at, formation: "62A/13GRD" });
    const walk = { ask: "walk", actor: "german", group: ["g1"], path: ["2012"], mp: 6, kind: "normal", hold: true };
    const frames = [select, walk, { ask: "leader.move", actor: "soviet", unit: "sl" }];
    const far = { s1: guards("s-inf", "1807"), s2: guards("s-inf", "2207") };
    const units = { g1: "g-inf 2011", sl: guards("s-leader", "2011"), ...far };
    expect(kept(frames, { phase: 3, stage: "normal" }, units)).toEqual(frames);
  });

  test("who may attack after it: the armor of the group, unless it has gone past a breakthrough marker. SOS 10.7", () => {
    const units = {
      t1: "g-tank 2012",
      t2: { type: "g-tank", at: "2020", ordered: true, fresh: true },
      s1: "s-inf 2013",
    };
    const fresh = (more: JsonObject): unknown[] => {
      const walk = {
        ask: "walk",
        actor: "german",
        group: ["t1"],
        path: ["2011"],
        mp: 8,
        kind: "breakthrough",
        ...more,
      };
      const asked = { ask: "op.fire", actor: "soviet", hex: "2012" };
      const t = position(
        [{ ask: "bt.select", actor: "german" }, walk, asked],
        { phase: 3, stage: "breakthrough" },
        units,
      );
      return ["t1", "t2"].map((id) => t.unit(id)["fresh"]);
    };
    expect(fresh({})).toEqual([true, undefined]);
    expect(fresh({ passed: true })).toEqual([undefined, true]);
  });
});

describe("a way over the river", () => {
  const hexes = { "0130": { t: "volga", arrow: 8 }, "0230": { t: "clear", landing: 8 } };
  const map = { base: "blank", hexes };
  const units: Units = { s1: { type: "s-inf", at: "0130", from: "eb-c" }, gt: "g-tank 0330" };
  const crosses = (path: string): JsonObject[] => [
    { ask: "move.select", actor: "soviet" },
    { ask: "walk", actor: "soviet", group: ["s1"], path: [path], mp: 2, kind: "normal" },
    { ask: "op.fire", actor: "german", hex: "0130" },
  ];
  const night = { phase: 10, stage: "normal", map };

  test.each(["0230", "eb-c"])("leads from the Volga to %s", (path) => {
    expect(kept(crosses(path), night, units).at(1)).toEqual(crosses(path).at(1));
  });

  test("leads to no other hex", () => {
    expect(() => kept(crosses("0430"), night, units)).toThrow("nobody steps from 0130 to 0430");
  });
});
