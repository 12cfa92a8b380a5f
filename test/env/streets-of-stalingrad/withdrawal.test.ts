import { describe, expect, test } from "vitest";
import { Env, EventLog, type GameEvent, type JsonObject, loadGame, ScriptedDice } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
const SOVIET = 1;
const DIVISION = { formation: "29MOT", units: ["m1", "m2"], minimum: "all", penalty: -1, bonus: 1 };
const GUNS = {
  formation: "29MOT artillery",
  units: ["h1"],
  minimum: "all",
  penaltyWith: "29MOT",
  forcedTurn: 28,
  turn: 23,
};
const ROWS = [{ ...DIVISION, bonusIfAllBy: 7, forcedTurn: 28, turn: 17 }, GUNS];
const UNITS = { m1: "g-motinf 2010", m2: "g-motinf off-2", h1: "g-how 2030", g1: "g-inf 2040" };

/** The Administrative Phase of a turn, without dice for ammunition. */
const dawn = (
  turn: number,
  rows: unknown[],
  units: Record<string, string | JsonObject>,
  more: JsonObject = {},
): Table =>
  new Table(
    units,
    { turn, phase: 1, stage: "end", schedule: { withdrawals: rows } as unknown as JsonObject, ...more },
    { ammunition: false },
  );
const asked = (table: Table): JsonObject => table.position["decision"] as JsonObject;
const points = (table: Table): unknown => (table.position["vp"] as { adjust?: number } | undefined)?.adjust ?? 0;

describe("a division that may stay", () => {
  rule("SOS 3.5", "gone with its guns by 19 September it brings a point", () => {
    const table = dawn(7, ROWS, UNITS).play("continue", "yes");
    expect(asked(table)).toMatchObject({ ask: "admin.withdraw", focus: "29MOT artillery" });
    expect(points(table)).toBe(0);
    table.play("yes");
    expect([table.at("m1"), table.at("m2"), table.at("h1"), points(table)]).toEqual(["out", "out", "out", 1]);
  });

  rule("SOS 3.5", "without its guns it brings none", () => {
    const table = dawn(7, ROWS, UNITS).play("continue", "yes", "no");
    expect([table.at("m1"), table.at("h1"), points(table)]).toEqual(["out", "2030", 0]);
  });

  rule("SOS 21.54", "who keeps the division then is not asked for its guns", () => {
    const table = dawn(7, ROWS, UNITS).play("continue", "no");
    expect([table.ask === "admin.withdraw", table.at("m1"), points(table)]).toEqual([false, "2010", 0]);
  });

  rule("SOS 3.7", "guns that stay after 5 October cost the point only if the division has not", () => {
    const cost = (vp: JsonObject) => points(dawn(23, ROWS, UNITS, vp).play("continue", "no"));
    expect([cost({}), cost({ vp: { adjust: -1, counted: ["29MOT"] } })]).toEqual([-1, -1]);
  });

  rule("SOS 3.7", "a division of which nobody is left costs nothing", () => {
    const table = dawn(17, ROWS, { ...UNITS, m1: "g-motinf dead", m2: "g-motinf dead" }).play("continue");
    expect([table.ask === "admin.withdraw", points(table)]).toEqual([false, 0]);
  });

  rule("SOS 21.53", "who was withdrawn never comes back, not even for points", () => {
    const units = { ...UNITS, m1: "g-motinf out", g1: "g-inf dead", g2: "g-inf dead" };
    const more = { phase: 3, stage: "arrive", replacements: { german: { pz: 90, af: 90 } } };
    expect(dawn(18, ROWS, units, more).legal).toEqual(["done", "unit g1", "unit g2"]);
  });
});

describe("a division that leaves at once", () => {
  const seen = { ...UNITS, m2: "g-motinf 2020", s1: "s-inf 2050" };
  const gone = (units: Record<string, string | JsonObject>, viewer: number, more: JsonObject = {}): GameEvent[] =>
    heardBy(viewer, dawn(7, ROWS, units, more).play("continue").env, "yes").filter((e) => e.what === "withdrawn");

  test("the enemy learns who left, not which of the face-down counters each was", () => {
    const [here, there] = [seen, { ...seen, m1: seen.m2, m2: seen.m1 }].map((units) => gone(units, SOVIET));
    expect(here).toEqual(there);
    expect(here!.map((e) => e.units)).toEqual([["m1"], ["m2"]]);
    expect(JSON.stringify(here)).not.toMatch(/2010|2020/);
  });

  test("its owner reads from where each goes, the enemy of those that it knows", () => {
    expect(gone(seen, 0).map((e) => e.places)).toEqual([["2010"], ["2020"]]);
    const known = { ...ground({ "2010": "forest" }), known: { soviet: ["m1"] } };
    expect(gone(seen, SOVIET, known).map((e) => e.places)).toEqual([["2010"], undefined]);
  });
});

describe("a number of units that has to go", () => {
  const row = (minimum: number, ...units: string[]) => [{ formation: "PAK670", units, minimum, turn: 3 }];
  const guns = { p1: "g-at 2010", p2: "g-at 2011" };

  rule("SOS 21.51", "they go on their date, neither before nor after", () => {
    const asks = [2, 3, 4].map((turn) => dawn(turn, row(1, ...Object.keys(guns)), guns).play("continue").ask);
    expect(asks.map((ask) => ask === "admin.withdraw")).toEqual([false, true, false]);
  });

  rule("SOS 21.53", "who goes is neither lost nor waits in a box", () => {
    const table = dawn(3, row(1, ...Object.keys(guns)), guns).play("continue", "unit p2");
    expect(table.unit("p2")).toMatchObject({ at: "out" });
  });

  rule("SOS 21.52", "in place of a lost unit one of its kind with no less AF goes", () => {
    const units = {
      ...guns,
      p1: "g-at dead",
      p2: "g-at dead",
      x1: "g-at 2020",
      x4: "g-at 2023",
      x2: "g-inf 2021",
      x3: { type: "g-at", at: "2022", af: 1 },
    };
    const table = dawn(3, row(1, "p1", "p2"), units).play("continue");
    expect(table.legal).toEqual(["unit x1", "unit x4"]);
    expect(table.play("unit x1").at("x1")).toBe("out");
  });

  rule("SOS 21.52", "where none can, its AF in points is paid, or the duty lapses (R63)", () => {
    const left = (af: number): number => {
      const units = { p1: { type: "g-at", at: "dead", af: 6 }, g1: "g-inf 2020" };
      const table = dawn(3, row(1, "p1"), units, { replacements: { german: { af } } }).play("continue");
      return (table.position["replacements"] as { german: { af: number } }).german.af;
    };
    expect([left(20), left(5)]).toEqual([14, 5]);
  });

  rule("SOS 21.52", "of several that were lost the cheapest is paid for", () => {
    const lost = (af: number): JsonObject => ({ type: "g-at", at: "dead", af });
    const table = dawn(
      3,
      row(1, "p1", "p2"),
      { p1: lost(6), p2: lost(9), g1: "g-inf 2020" },
      { replacements: { german: { af: 20 } } },
    );
    expect(table.play("continue").position["replacements"]).toEqual({ german: { af: 14 } });
  });

  test("a save between two units comes back there", () => {
    const table = dawn(3, row(2, "p1", "p2", "p3"), { ...guns, p3: "g-at 2012" }).play("continue", "unit p2");
    const doc = table.position;
    expect(doc["decision"]).toEqual({ ask: "admin.withdraw", actor: "german", focus: "PAK670", need: 1 });
    table.env.resetTo(doc, "again");
    expect(table.position).toEqual(doc);
    expect(table.play("unit p3").ask).not.toBe("admin.withdraw");
  });

  event("withdrawn", "everybody sees who goes", () => {
    const table = dawn(3, row(1, ...Object.keys(guns)), guns).play("continue");
    const log = new EventLog([0, SOVIET] as const);
    table.env.step("unit p1", new ScriptedDice([]), log);
    const [gone] = log.take(SOVIET).filter((e: GameEvent) => e.what === "withdrawn");
    expect(gone).toMatchObject({ units: ["p1"], places: ["2010"], by: "german" });
  });
});

/** What a side hears of an action. */
function heardBy(viewer: number, env: Env, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([0, SOVIET] as const);
  env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer as 0);
}
const heard = (env: Env, action: string, ...dice: number[]): GameEvent[] => heardBy(SOVIET, env, action, ...dice);

event("withdrawal-paid", "all read what is paid for those that can't go", () => {
  const units = { p1: { type: "g-at", at: "dead", af: 6 }, g1: "g-inf 2020" };
  const rows = [{ formation: "PAK670", units: ["p1"], minimum: 1, turn: 3 }];
  const { env } = dawn(3, rows, units, { replacements: { german: { af: 20 } } });
  expect(heard(env, "continue").find((e) => e.what === "withdrawal-paid")).toMatchObject({ by: "german", amount: 6 });
});

describe("bad rows are refused with their path", () => {
  const row = { formation: "PAK670", units: ["p1"], minimum: 1, turn: 3 };
  test.each<[string, unknown, string]>([
    [
      "a minimum above the units",
      { ...row, minimum: 2 },
      "schedule.withdrawals[0].minimum: it is 2, and there are 1 units",
    ],
    ["a unit that is not there", { ...row, units: ["p9"] }, "schedule.withdrawals[0].units[0]: there is no unit"],
    [
      "a unit of the other side",
      { ...row, units: ["s1"] },
      "schedule.withdrawals[0].units[0]: s1 is of the other side",
    ],
    ["a formation to share points with that is not there", { ...row, minimum: "all", penaltyWith: "X" }, "penaltyWith"],
    ["a turn before the first", { ...row, turn: 0 }, "schedule: withdrawals[0].turn"],
    ["another key", { ...row, fog: 1 }, "fog"],
  ])("%s", (_what, bad, says) => expect(() => dawn(3, [bad], { p1: "g-at 2010", s1: "s-inf 2060" })).toThrow(says));

  test("a decision about a formation that has no row", () =>
    expect(() =>
      dawn(
        3,
        [row],
        { p1: "g-at 2010" },
        { decision: { ask: "admin.withdraw", actor: "german", focus: "X", need: 1 } },
      ),
    ).toThrow("decision.focus: no formation X is to be withdrawn"));

  test("points that are counted for a formation that has no row", () =>
    expect(() => dawn(3, [row], { p1: "g-at 2010" }, { vp: { adjust: 0, counted: ["X"] } })).toThrow("vp.counted[0]"));
});

describe("the campaign", () => {
  const campaign = (position: JsonObject) => {
    const env = new Env(loadGame(type.id, { scenario: "campaign" }));
    env.resetTo({ scenario: "campaign", ...position }, "campaign");
    return env;
  };
  const held = (env: Env) => env.game.narration!.standing(env.state, SOVIET).ifEndedNow;

  rule(
    "SOS 3.5",
    "divisions that have not come count from the start: five points; one that is refused goes on counting",
    () => {
      const env = campaign({ turn: 13, phase: 3, stage: "arrive" });
      expect(held(env)).toContain(
        "100JG has not come, 1; 305ID has not come, 1; 14PZ has not come, 2; 79ID has not come, 1",
      );
      env.step("no");
      expect(held(env)).toContain("100JG has not come, 1");
      const taken = campaign({ turn: 13, phase: 3, stage: "arrive" });
      taken.step("yes");
      expect(held(taken)).not.toContain("100JG has not come");
    },
  );

  rule("SOS 3.6", "the 100th comes on 25 September, the 305th and 14th on 11 October, the 79th on 20 October", () => {
    const { divisions } = loadSetting(type.data, "campaign");
    expect(divisions.map(({ name, turn }) => [name, turn])).toEqual([
      ["100JG", 13],
      ["305ID", 29],
      ["14PZ", 29],
      ["79ID", 38],
    ]);
  });

  test("a decision about a division that doesn't come now is refused", () =>
    expect(() =>
      campaign({
        turn: 18,
        phase: 3,
        stage: "arrive",
        decision: { ask: "arrive.commit", actor: "german", focus: "79ID" },
      }),
    ).toThrow("decision.focus: no division 79ID comes in this turn"));

  rule("SOS 15.52", "from the second turn on 22 less a die of Stukas fly; the die is not thrown on the first", () => {
    const env = campaign({ turn: 2, phase: 1, stage: "end" });
    env.step("continue", new ScriptedDice([9]));
    expect(env.game.write(env.state)["stukas"]).toEqual({ available: 13 });
    const first = campaign({ turn: 1, phase: 1, stage: "end" });
    expect(first.game.write(first.state)["stukas"]).toEqual({ available: 21 });
  });

  event("stuka-number", "all read the die and how many fly", () => {
    const env = campaign({ turn: 2, phase: 1, stage: "end" });
    const [flies] = heard(env, "continue", 9).filter((e) => e.what === "stuka-number");
    expect(flies).toMatchObject({ amount: 13, dice: [{ sides: 10, faces: [9], result: "13" }] });
  });

  event("division", "all hear that one comes, or never will, and what that counts", () => {
    const asked = (): Env => campaign({ turn: 13, phase: 3, stage: "arrive" });
    const said = (action: string): (number | undefined)[] =>
      heard(asked(), action).flatMap((e) => (e.what === "division" ? [e.amount] : []));
    expect([said("yes"), said("no")]).toEqual([[0], [1]]);
  });

  rule("SOS 15.52", "in bad weather the die is not thrown (R115)", () => {
    const env = campaign({ turn: 39, phase: 1, stage: "end", units: {} });
    env.step("continue", new ScriptedDice([1, 1, 1]));
    const dice = env.game.write(env.state)["resolutions"] as unknown as { kind: string }[];
    expect(dice.map(({ kind }) => kind)).not.toContain("stukas");
  });
});
