import { describe, expect, test } from "vitest";
import { EventLog, type GameEvent, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET, SPECTATOR] = [0, 1, -1];

type Units = Record<string, string | JsonObject>;
const LED = { armyLeaders: true, opFire: false };
const line = { bounds: { cols: [1, 40], rows: [30, 30] } };
const chuikov = (at: string, more: JsonObject = {}): JsonObject => ({
  type: "s-chuikov",
  at,
  formation: "62A",
  ...more,
});
const paulus = (at: string, more: JsonObject = {}): JsonObject => ({
  type: "g-leader",
  army: true,
  at,
  formation: "51K",
  ...more,
});
const hq = (type: string, formation: string): JsonObject => ({ type, formation, army: true });

/** The farthest hex of row 30 that a unit reaches to the west. */
function reach(units: Units, unit: string, more: JsonObject = {}, options: Record<string, boolean> = LED): number {
  const table = new Table(
    { ...units, gf: "g-inf 4030", sf: "s-inf 0230" },
    { turn: 5, stage: "normal", ...line, ...more },
    options,
  ).play(`unit ${unit}`);
  const from = Number((table.unit(unit)["at"] as string).slice(0, 2));
  return Math.max(
    ...table.legal.flatMap((name) => (name.startsWith("hex ") ? [Math.abs(Number(name.slice(4, 6)) - from)] : [])),
  );
}
const soviet = { phase: 10 };
const german = { phase: 3 };

test("an army whose leader leaves the bank has none who has come back", () => {
  const hexes = { "0130": { t: "volga", arrow: 8 }, "0230": { t: "clear", landing: 8 } };
  const units = { sk: chuikov("0230"), s1: "s-inf 2030" };
  const table = new Table(units, { turn: 5, phase: 10, stage: "normal", map: { base: "blank", hexes } }, LED);
  table.play("unit sk", "box eb-c");
  expect(table.at("sk")).toBe("eb-c");
  expect([table.position["commandSince"], table.position["returning"]]).toEqual([undefined, undefined]);
});

describe("without the leader of the army", () => {
  rule(
    "SOS 18.51",
    "Soviets on the West Bank have half their MP while Chuikov is elsewhere, on the East Bank too",
    () => {
      const s1 = { s1: "s-inf 2030" };
      for (const at of ["turn-9", "dead", "eb-c", "pool"])
        expect(reach({ ...s1, sk: chuikov(at) }, "s1", soviet)).toBe(4);
      expect(reach({ ...s1, sk: chuikov("1030") }, "s1", soviet)).toBe(8);
      expect(reach(s1, "s1", soviet)).toBe(8); // the leader is not in the game
      expect(reach({ ...s1, sk: chuikov("turn-9") }, "s1", { phase: 14 })).toBe(2);
      expect(reach({ ...s1, sk: chuikov("turn-9") }, "s1", soviet, { opFire: false })).toBe(8);
    },
  );

  rule("SOS 18.51", "in the phase of Chuikov's return they are still slow, afterwards not", () => {
    const units = { s1: "s-inf 2030", sk: chuikov("1030") };
    const since = { commandSince: { soviet: 5 } };
    expect(reach(units, "s1", { ...soviet, ...since, returning: ["soviet"] })).toBe(4);
    expect(reach(units, "s1", { ...soviet, ...since })).toBe(8);
  });

  test("units that begin on the East Bank cross with all their MP, and leaders are never slowed", () => {
    const units = {
      s1: "s-inf eb-c",
      sk: chuikov("turn-9"),
      sl: { type: "s-leader", at: "2030", formation: "62A/95RD" },
    };
    const table = new Table(
      { ...units, gf: "g-inf 4030", sf: "s-inf 0330" },
      { turn: 5, stage: "normal", ...line, ...soviet },
      LED,
    );
    expect(table.play("unit s1").legal).toContain("hex 0530");
    expect(reach(units, "sl", soviet)).toBe(16);
  });

  rule("SOS 18.52", "Soviets mark and attack nothing until the turn after Chuikov returns, but counter-attack", () => {
    const units = { s1: "s-inf 2030", g1: "g-inf 2031" };
    const marks = (sk: JsonObject, more: JsonObject = {}): boolean =>
      new Table({ ...units, sk }, { turn: 5, phase: 10, stage: "mark", ...more }, LED).ask === "mark.hex";
    expect(marks(chuikov("2030"))).toBe(true);
    expect(marks(chuikov("turn-9"))).toBe(false);
    expect(marks(chuikov("eb-c"))).toBe(false);
    expect(marks(chuikov("2030"), { commandSince: { soviet: 5 } })).toBe(false);
    expect(marks(chuikov("2030"), { commandSince: { soviet: 4 } })).toBe(true);
    const attack = { turn: 5, phase: 12, stage: "attack", marks: { "2031": ["attack"] } };
    expect(new Table({ ...units, sk: chuikov("2030") }, attack, LED).ask).toBe("attack.unit");
    expect(new Table({ ...units, sk: chuikov("turn-9") }, attack, LED).ask).toBe("move.select");
    const city = { map: { base: "blank", hexes: { "2010": { t: "city" } } } };
    const counter = new Table(
      {
        g1: { type: "g-inf", at: "2009", af: 30 },
        s1: "s-inf 2010",
        s2: "s-guards 2011",
        sl: { type: "s-leader", at: "2011", formation: "62A" },
        sk: chuikov("turn-9"),
      },
      { turn: 5, phase: 5, stage: "attack", marks: { "2010": ["attack"] }, ...city },
      LED,
    ).play("normal", "done: 1", "unit g1");
    expect(counter.ask).toBe("ica.unit");
  });

  test("tanks break through without an attack", () => {
    const units = { st: "s-tank 2030", g1: "g-inf 2031" };
    const breaks = (sk: JsonObject): readonly string[] =>
      new Table({ ...units, sk }, { turn: 5, phase: 10, stage: "breakthrough" }, LED).legal;
    expect(breaks(chuikov("2530"))).toContain("hex 2031");
    expect(breaks(chuikov("turn-9"))).toContain("unit st");
    expect(breaks(chuikov("turn-9"))).not.toContain("hex 2031");
  });

  rule(
    "SOS 18.53",
    "Germans have half their MP once a leader has been on the map and none is there or in a box",
    () => {
      const g1 = { g1: "g-inf 2030" };
      for (const at of ["turn-9", "dead"]) expect(reach({ ...g1, gp: paulus(at) }, "g1", german)).toBe(4);
      for (const at of ["2530", "off-2", "pool"])
        expect(
          reach(
            { ...g1, gp: paulus(at) },
            "g1",
            at === "off-2" ? { ...german, bounds: { cols: [1, 40], rows: [30, 30] } } : german,
          ),
        ).toBe(8);
      expect(reach({ ...g1, gp: paulus("dead"), gs: paulus("2530") }, "g1", german)).toBe(8);
      const returning = { commandSince: { german: 5 }, returning: ["german"] };
      expect(reach({ ...g1, gp: paulus("2530") }, "g1", { ...german, ...returning })).toBe(4);
    },
  );

  rule("SOS 18.54", "Germans attack nothing until the turn after a leader returns", () => {
    const units = { g1: "g-inf 2030", s1: "s-inf 2031" };
    const marks = (gp: JsonObject, more: JsonObject = {}): boolean =>
      new Table({ ...units, gp }, { turn: 5, phase: 3, stage: "mark", ...more }, LED).ask === "mark.hex";
    expect(marks(paulus("2030"))).toBe(true);
    expect(marks(paulus("turn-9"))).toBe(false);
    expect(marks(paulus("off-2"), { commandSince: { german: 5 } })).toBe(false);
  });
});

describe("coming back", () => {
  test("when Chuikov crosses the river the others stay slow to the end of the phase, and attack in the next turn", () => {
    const units = { sk: chuikov("eb-c"), s1: "s-inf 2030", g9: "g-inf 4030", gf: "g-inf 3930", sf: "s-inf 0630" };
    const table = new Table(units, { turn: 5, phase: 10, stage: "normal", ...line }, LED).play("unit sk", "hex 0230");
    expect([table.position["commandSince"], table.position["returning"]]).toEqual([{ soviet: 5 }, ["soviet"]]);
    table.play("unit s1");
    expect([table.legal.includes("hex 1630"), table.legal.includes("hex 1530")]).toEqual([true, false]);
    table.play("stay");
    while (table.position["phase"] === 10) table.play("done");
    expect([table.position["commandSince"], table.position["returning"]]).toEqual([{ soviet: 5 }, undefined]);
    expect(table.env.game.view(table.env.state, GERMAN)["commandSince"]).toBe(undefined);
    while (table.position["turn"] === 5) table.play("done");
    expect(table.position["commandSince"]).toBe(undefined);
  });

  test("a German leader is back as soon as the leader is in the box", () => {
    const table = new Table(
      { gp: paulus("turn-5"), g1: "g-inf 2030", s1: "s-inf 2060" },
      { turn: 5, phase: 3, stage: "arrive" },
      LED,
    ).play("box off-2");
    expect([table.position["commandSince"], table.position["returning"]]).toEqual([{ german: 5 }, ["german"]]);
  });

  test("a leader's first arrival is no return", () => {
    const schedule = { reinforcements: [{ turn: 5, side: "german", box: "off-2", units: ["gp"] }] };
    const gp = { type: "g-leader", army: true, formation: "51K" };
    const table = new Table(
      { gp, g1: "g-inf 2030", s1: "s-inf 2060" },
      { turn: 5, phase: 3, stage: "arrive", schedule },
      LED,
    );
    expect([table.at("gp"), table.position["commandSince"]]).toEqual(["off-2", undefined]);
  });

  test("impossible positions are refused", () => {
    const read = (more: JsonObject) => () => new Table({ sk: chuikov("2030") }, { turn: 5, ...more }, LED);
    expect(read({ commandSince: { soviet: 6 } })).toThrow("commandSince.soviet: it is turn 5 now");
    expect(read({ returning: ["soviet"] })).toThrow("returning: commandSince.soviet is this turn");
    expect(read({ commandSince: { soviet: 0 } })).toThrow("commandSince.soviet");
  });
});

describe("headquarters", () => {
  const arrive = (phase: number, units: Units, options = LED): Table =>
    new Table({ g9: "g-inf 3030", s9: "s-inf 2060", ...units }, { turn: 5, phase, stage: "arrive" }, options);
  const sixtyTwo = { "S-HQ-62A": hq("s-leader", "62A") };

  rule(
    "SOS 18.44",
    "the headquarters of the 62nd Army comes to a box in the Soviet movement after Chuikov is eliminated",
    () => {
      const table = arrive(10, { sk: chuikov("dead"), ...sixtyTwo });
      expect([table.position["decision"], table.legal]).toEqual([
        { ask: "arrive.box", actor: "soviet", focus: "S-HQ-62A" },
        ["box eb-s", "box eb-c", "box eb-n"],
      ]);
      table.play("box eb-c");
      expect([table.at("S-HQ-62A"), table.ask]).toEqual(["eb-c", "move.select"]);
      expect(arrive(3, { sk: chuikov("dead"), ...sixtyTwo }).ask).not.toBe("arrive.box");
      expect(arrive(10, { sk: chuikov("dead"), ...sixtyTwo }, { ...LED, armyLeaders: false }).ask).not.toBe(
        "arrive.box",
      );
    },
  );

  rule("SOS 18.45", "while Chuikov is only wounded no headquarters comes", () => {
    expect(arrive(10, { sk: chuikov("turn-9"), ...sixtyTwo }).ask).not.toBe("arrive.box");
    expect(arrive(10, { sk: chuikov("2060"), ...sixtyTwo }).ask).not.toBe("arrive.box");
  });

  const both = {
    "G-HQ-51K": { ...hq("g-leader", "51K"), tag: "cross2" },
    "G-HQ-6A": { ...hq("g-leader", "51K"), tag: "cross3" },
  };
  rule("SOS 18.46", "the headquarters of the 6th Army replaces Paulus, that of the LI Corps von Seydlitz", () => {
    const focus = (leaders: Units): unknown =>
      (arrive(3, { ...leaders, ...both }).position["decision"] as JsonObject)["focus"];
    expect(focus({ gp: paulus("dead", { tag: "cross3" }), gs: paulus("3030", { tag: "cross2" }) })).toBe("G-HQ-6A");
    expect(focus({ gp: paulus("3030", { tag: "cross3" }), gs: paulus("dead", { tag: "cross2" }) })).toBe("G-HQ-51K");
    const table = arrive(3, { gp: paulus("dead", { tag: "cross3" }), ...both }).play("box off-3");
    expect([table.at("G-HQ-6A"), table.position["commandSince"]]).toEqual(["off-3", { german: 5 }]);
  });

  rule("SOS 18.47", "while a German leader is only wounded no headquarters comes", () => {
    const table = arrive(3, { gp: paulus("turn-7", { tag: "cross3" }), ...both });
    expect(table.ask).not.toBe("arrive.box");
  });

  rule("SOS 18.43", "no other leader has a headquarters", () => {
    const others = { sl: "s-leader dead", sp: "s-pavlov dead", sc: "s-commissar dead", ...sixtyTwo };
    expect(arrive(10, others).ask).not.toBe("arrive.box");
  });

  test("a headquarters that is lost is not followed by another", () => {
    const units = { sk: chuikov("dead"), "S-HQ-62A": { ...hq("s-leader", "62A"), at: "dead" } };
    expect(arrive(10, units).ask).not.toBe("arrive.box");
  });

  test("until it comes everyone knows that it is not in play", () => {
    const units = { s1: { type: "s-inf", at: "2010", tag: "star" }, sk: chuikov("turn-9"), ...sixtyTwo };
    const city = { map: { base: "blank", hexes: { "2010": { t: "city" } } } };
    const table = new Table(units, { turn: 5, ...city }, LED);
    const seen = table.env.game.view(table.env.state, GERMAN);
    expect([seen["faceDown"], Object.keys(seen["units"] as JsonObject)]).toEqual([
      { "2010": ["star"] },
      ["gf", "sk", "S-HQ-62A", "sf"],
    ]);
  });
});

event("army-leader", "only its side reads that the army has lost its leader, or has one again", () => {
  const read = (viewer: number, table: Table, action: string, ...dice: number[]): string[] => {
    const log = new EventLog([GERMAN, SOVIET, SPECTATOR] as const);
    table.env.step(action, new ScriptedDice(dice), log);
    return log.take(viewer).flatMap((e: GameEvent) => (e.what === "army-leader" ? [e.text] : []));
  };
  const units: Units = { gf: "g-inf 4030" };
  const returns = () =>
    new Table(
      { ...units, sk: chuikov("eb-c"), sf: "s-inf 0630" },
      { turn: 5, phase: 10, stage: "normal", ...line },
      LED,
    ).play("unit sk");
  expect(read(SOVIET, returns(), "hex 0230")).toEqual([
    "The Soviet army has a leader again: MP are whole from the next phase, and it attacks from the next turn on.",
  ]);
  for (const viewer of [GERMAN, SPECTATOR]) expect(read(viewer, returns(), "hex 0230")).toEqual([]);
  // a company beside the leader is lost, and the leader is wounded
  const falls = () =>
    new Table(
      {
        g1: { type: "g-inf", at: "2009", af: 30 },
        s1: "s-inf 2010",
        s2: "s-inf 2010",
        sk: chuikov("2010"),
        gx: "g-inf 3030",
        sx: "s-inf 3031",
      },
      { turn: 5, phase: 5, stage: "attack", marks: { "2010": ["attack"], "3031": ["attack"] } },
      LED,
    ).play("hex 2010", "normal", "done", "done: 3");
  expect([falls().ask, falls().rolls.at(-1)!["result"]]).toEqual(["loss.pick", "D1"]);
  expect(read(SOVIET, falls(), "unit s1", 4, 3)).toEqual([
    "The Soviet army has no leader: MP are halved, and nobody attacks.",
  ]);
  expect(read(GERMAN, falls(), "unit s1", 4, 3)).toEqual([]);
});
