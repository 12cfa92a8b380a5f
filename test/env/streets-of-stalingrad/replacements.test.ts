import { describe, expect, test } from "vitest";
import { EventLog, type GameEvent, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET, SPECTATOR] = [0, 1, -1];

type Units = Record<string, string | JsonObject>;
/** The start of a side's main movement phase. */
const arrive = (phase: number, units: Units, more: JsonObject = {}): Table =>
  new Table(units, { turn: 5, phase, stage: "arrive", ...more });
const german = (pz: number, af: number): JsonObject => ({ replacements: { german: { pz, af } } });
const soviet = (af: number): JsonObject => ({ replacements: { soviet: { af } } });
const offered = (table: Table): string[] =>
  table.ask === "arrive.replace" ? table.legal.filter((name) => name.startsWith("unit")) : [];
const view = (table: Table, viewer: number): JsonObject => table.env.game.view(table.env.state, viewer);
function told(table: Table, viewer: number, action: string): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET, SPECTATOR] as const);
  table.env.step(action, new ScriptedDice([]), log);
  return log.take(viewer);
}

/** The last German question before the Soviet movement of a turn. */
const dusk = (turn: number, rows: JsonObject[], units: Units = {}): Table =>
  new Table(
    { ...units, gx: "g-inf 3030", sx: "s-inf 3031" },
    { turn, phase: 8, stage: "attack", marks: { "3031": ["attack"] }, schedule: { replacements: rows } },
    { opFire: false },
  ).play("normal", "done: 10");
const row = { fromTurn: 2, toTurn: 8, every: 3, side: "soviet", af: 6 };

describe("points", () => {
  rule(
    "SOS 21.41",
    "points come at the start of the main movement phase in the turns of their row, and are kept",
    () => {
      const points = (turn: number): unknown => dusk(turn, [row]).position["replacements"];
      expect(points(2)).toEqual({ soviet: { af: 6 } });
      expect([points(1), points(3), points(4)]).toEqual([undefined, undefined, undefined]);
      expect([points(5), points(8)]).toEqual([{ soviet: { af: 6 } }, { soviet: { af: 6 } }]);
      expect(points(11)).toBe(undefined);
      expect(dusk(5, [row, { ...row, side: "german" }, { ...row, af: 1 }]).position["replacements"]).toEqual({
        soviet: { af: 7 },
      });
    },
  );

  rule("SOS 21.41", "unused points stay for later turns", () => {
    const table = arrive(10, { s1: "s-inf dead" }, soviet(7)).play("done");
    expect(table.position["replacements"]).toEqual({ soviet: { af: 7 } });
    const bought = arrive(10, { s1: "s-inf dead", s2: "s-marine dead" }, soviet(7)).play("unit s1", "box eb-c");
    expect([bought.position["replacements"], offered(bought)]).toEqual([{ soviet: { af: 4 } }, ["unit s2"]]);
  });

  test("points of a position written between purchases come once", () => {
    const schedule = { schedule: { replacements: [{ ...row, side: "german", pz: 2 }] } };
    const table = arrive(3, { g1: "g-inf dead", g2: "g-inf dead" }, schedule);
    expect(table.position["replacements"]).toEqual({ german: { pz: 2, af: 6 } });
    expect(table.position["decision"]).toEqual({ ask: "arrive.replace", actor: "german", step: 1 });
    table.play("unit g1");
    expect(table.position["frames"]).toEqual([{ ask: "arrive.replace", actor: "german", step: 1 }]);
  });

  test("impossible rows and points are refused", () => {
    const refused = (more: JsonObject): string => {
      try {
        arrive(3, {}, more);
        return "read";
      } catch (e) {
        return (e as Error).message;
      }
    };
    expect(refused({ replacements: { german: { af: -1 } } })).toContain("replacements.german.af");
    expect(refused({ replacements: { soviet: { pz: 1 } } })).toContain("replacements.soviet");
    const rows = (more: JsonObject) => refused({ schedule: { replacements: [{ ...row, ...more }] } });
    expect(rows({ af: -1 })).toContain("schedule: replacements[0].af");
    expect(rows({ every: 0 })).toContain("replacements[0].every");
    expect(rows({ toTurn: 1 })).toContain("schedule.replacements[0].toTurn: it is before fromTurn 2");
    expect(rows({ pz: 3 })).toContain("schedule.replacements[0].pz: only the German side replaces armor");
    expect(refused({ decision: { ask: "arrive.replace", actor: "german", step: 3 } })).toContain("decision.step");
    const focus = (id: string) =>
      refused({
        replacements: { german: { af: 5 } },
        frames: [{ ask: "arrive.replace", actor: "german", step: 1 }],
        decision: { ask: "arrive.box", actor: "german", focus: id },
      });
    expect(focus("gf")).toContain("decision.focus: gf is not the next to come back");
  });
});

describe("who can be replaced", () => {
  rule("SOS 21.42", "Pz points bring German armor of any kind, plain points everything else that has AF", () => {
    const armor = { gt: "g-tank dead", gs: "g-stug dead", gc: "g-acar dead", ga: "g-ainf dead" };
    const rest = {
      gi: "g-inf dead",
      ge: "g-eng dead",
      gm: "g-mortar dead",
      gh: "g-how dead",
      gp: "g-at dead",
      gx: "g-motinf dead",
    };
    const names = (units: Units) => Object.keys(units).map((id) => `unit ${id}`);
    expect(offered(arrive(3, { ...armor, ...rest }, german(9, 0)))).toEqual(names(armor));
    expect(offered(arrive(3, { ...armor, ...rest }, german(0, 9)))).toEqual(names(rest));
  });

  rule("SOS 21.42", "a unit costs its AF; Soviet armor has no points", () => {
    const units = { s1: "s-inf dead", sh: "s-how dead", st: "s-ltank dead" };
    expect(offered(arrive(10, units, soviet(2)))).toEqual([]);
    expect(offered(arrive(10, units, soviet(3)))).toEqual(["unit s1"]);
    expect(offered(arrive(10, units, soviet(10)))).toEqual(["unit s1", "unit sh"]);
    expect(offered(arrive(3, { gi: "g-inf dead", gt: "g-tank dead" }, german(8, 4)))).toEqual(["unit gt"]);
  });

  rule(
    "SOS 21.43",
    "leaders, snipers, immobilised tanks, trains, dogs, transports and the repair unit are lost for good",
    () => {
      const types = ["leader", "commissar", "sniper", "immob", "train", "dog", "transport", "repair"];
      const units = Object.fromEntries(types.map((type) => [`x-${type}`, `s-${type} dead`]));
      // with AF of their own they would be affordable
      const armed = Object.fromEntries(
        types.map((type) => [`y-${type}`, { type: `s-${type}`, at: "dead", af: 2, armored: false }]),
      );
      expect(offered(arrive(10, { ...units, ...armed, s1: "s-inf dead" }, soviet(30)))).toEqual(["unit s1"]);
    },
  );

  rule("SOS 21.44", "Marines are replaced, Guards and Guards Mortars are not", () => {
    const units = { sm: "s-marine dead", sg: "s-guards dead", sk: "s-kat dead", sn: "s-nkvd dead" };
    expect(offered(arrive(10, units, soviet(30)))).toEqual(["unit sm", "unit sn"]);
  });

  rule("SOS 21.45", "OPs and the flotilla return by themselves, works only by engineers", () => {
    const units = {
      so: "s-op dead",
      sr: "s-rf dead",
      s1: { type: "s-mine", at: "dead", af: 1 },
      s2: { type: "s-fort", at: "dead", af: 1 },
    };
    expect(offered(arrive(10, { ...units, s3: "s-inf dead" }, soviet(30)))).toEqual(["unit s3"]);
  });

  rule("SOS 21.46", "only eliminated units return, each once", () => {
    const units = { s1: "s-inf dead", s2: "s-inf 2010", s3: { type: "s-inf" }, s4: "s-inf out", s5: "s-inf eb-c" };
    const table = arrive(10, units, soviet(30));
    expect(offered(table)).toEqual(["unit s1"]);
    table.play("unit s1", "box eb-n");
    expect([table.at("s1"), table.ask]).toEqual(["eb-n", "move.select"]);
  });
});

describe("arriving", () => {
  rule(
    "SOS 21.3",
    "a replaced unit moves in the same phase but does not break through, and guns are not ready to fire",
    () => {
      const units = { gt: "g-tank dead", gh: "g-how dead", g2: "g-tank 3010", s1: "s-inf 3210" };
      const table = arrive(3, units, german(8, 9)).play("unit gt", "box off-2", "unit gh", "box off-2");
      expect(table.ask).toBe("bt.select");
      expect(table.legal).not.toContain("unit gt");
      table.play("done");
      expect(table.legal).toContain("unit gt");
      expect([table.unit("gh")["unready"], table.unit("gt")["unready"]]).toEqual([true, undefined]);
    },
  );

  rule("SOS 2.15", "Germans come into boxes off the map, Soviets into those of the East Bank", () => {
    const legal = (phase: number, unit: string, more: JsonObject) =>
      arrive(phase, { u1: unit }, more).play("unit u1").legal;
    expect(legal(3, "g-inf dead", german(0, 5))).toEqual(["box off-1", "box off-2", "box off-3", "box off-4"]);
    expect(legal(10, "s-inf dead", soviet(5))).toEqual(["box eb-s", "box eb-c", "box eb-n"]);
  });

  test("wounded leaders and arrivals come before points are spent", () => {
    const units = { gl: "g-leader turn-5", g1: "g-inf dead", g2: { type: "g-inf" } };
    const schedule = { reinforcements: [{ turn: 5, side: "german", box: "off-3", units: ["g2"] }] };
    const table = arrive(3, units, { ...german(0, 5), schedule });
    expect([table.position["decision"], table.unit("g2")["at"]]).toEqual([
      { ask: "arrive.box", actor: "german", focus: "gl" },
      undefined,
    ]);
    table.play("box off-1");
    expect([table.ask, table.at("g2")]).toEqual(["arrive.replace", "off-3"]);
  });

  test("which unit is named shows only when it comes into its box, and there its face is unknown", () => {
    const table = arrive(10, { s1: "s-inf dead", s2: "s-inf dead", g1: "g-inf 2010" }, soviet(6)).play("unit s1");
    expect(table.position["decision"]).toEqual({ ask: "arrive.box", actor: "soviet", focus: "s1" });
    for (const viewer of [GERMAN, SPECTATOR]) {
      expect(view(table, viewer)["decision"]).toEqual({ ask: "arrive.replace", actor: "soviet", step: 1 });
      expect(view(table, viewer)["frames"]).toBe(undefined);
    }
    table.play("box eb-c");
    const seen = view(table, GERMAN);
    expect([seen["boxed"], seen["replacements"]]).toEqual([{ "eb-c": 1 }, { soviet: { af: 3 } }]);
    expect(seen["units"]).not.toHaveProperty("s1");
  });

  test("a battery that was lost in a box comes back unnamed", () => {
    const units = { s1: { type: "s-how", at: "dead", untold: true }, s2: "s-inf dead" };
    const table = arrive(10, units, soviet(10));
    expect(offered(table)).toEqual(["unit s1", "unit s2"]);
    table.play("unit s1");
    const event = told(table, GERMAN, "box eb-c").find((e) => e.what === "replaced")!;
    expect([event.text, event.units]).toEqual([
      "Soviet battery that was lost in a box comes back to box eb-c for 10 points.",
      [],
    ]);
  });
});

event("replacement-points", "everyone reads the points", () => {
  const before = new Table(
    { gx: "g-inf 3030", sx: "s-inf 3031", s1: "s-inf dead" },
    {
      turn: 5,
      phase: 8,
      stage: "attack",
      marks: { "3031": ["attack"] },
      schedule: { replacements: [row] },
      ...soviet(2),
    },
    { opFire: false },
  ).play("normal");
  const log = new EventLog([GERMAN, SOVIET] as const);
  before.env.step("done", new ScriptedDice([10]), log);
  expect(log.take(GERMAN).flatMap((e) => (e.what === "replacement-points" ? [e.text] : []))).toEqual([
    "Soviet points for replacements: 6 AF more, 8 AF in all.",
  ]);
});

event("replaced", "everyone reads which unit returns, since eliminated units are public", () => {
  for (const viewer of [GERMAN, SOVIET, SPECTATOR]) {
    const table = arrive(3, { g1: "g-inf dead", g2: "g-tank dead" }, german(8, 5)).play("unit g2");
    expect(told(table, viewer, "box off-2").flatMap((e) => (e.what === "replaced" ? [e.text] : []))).toEqual([
      "German g2 (tank 8-6-18) comes back to box off-2 for 8 points.",
    ]);
  }
});
