import { describe, expect, test } from "vitest";
import { EventLog, type GameEvent, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1] as const;

/** The last question before the Soviet movement: a howitzer may bombard. */
const dusk = (turn: number, units: Record<string, string | JsonObject>, more: JsonObject = {}): Table =>
  new Table({ sh: "s-how 2060", ...units }, { phase: 9, stage: "plot-first", turn, ...more });

function told(table: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

describe("breakdown", () => {
  rule("SOS 16.33", "before 11 October no tank throws", () => {
    const table = dusk(28, { t1: "s-tank 2010" }).play("done");
    expect([table.position["phase"], table.rolls]).toEqual([10, []]);
  });

  rule("SOS 16.33", "only tanks on the map throw, no other armor, and no immobilised tank", () => {
    const units = { t1: "s-tank eb-c", i1: "s-immob 2010", a1: "s-train 2015", t2: "s-tank 2020" };
    const map = { base: "blank", hexes: { "2015": { t: "clear", f: ["railroad"] } } };
    const table = dusk(29, units, { map }).play("done: 5");
    expect(table.rolls).toEqual([{ kind: "breakdown", die: 5, result: "-" }]);
    expect([table.at("t1"), table.at("i1"), table.at("t2")]).toEqual(["eb-c", "2010", "2020"]);
  });

  rule("SOS 16.34", "nothing is left of a tank that breaks down in a German zone of control", () => {
    const table = dusk(29, { t1: "s-tank 2010", g1: "g-inf 2011" }).play("done: 1");
    expect(table.rolls).toEqual([{ kind: "breakdown", die: 1, result: "lost" }]);
    expect([table.at("t1"), table.unit("imm-1")]).toEqual(["dead", undefined]);
  });

  rule("SOS 16.34", "no zone of control reaches into a city, so the tank stays there", () => {
    const table = dusk(29, { t1: "s-tank 2010", g1: "g-inf 2011" }, ground({ "2010": "city" })).play("done: 4");
    expect([table.at("t1"), table.at("imm-1")]).toEqual(["dead", "2010"]);
  });

  test("what is left shows Soviets whether unseen Germans beside it have a zone of control (R7, R102)", () => {
    const units = { t1: "s-tank 2010", g1: "g-inf 2011", l1: "g-leader 2110" };
    const table = dusk(29, units, ground({ "2011": "forest", "2110": "forest" })).play("done: 2");
    expect(table.position["announced"]).toEqual({ "2011": "zoc", "2110": "none" });
  });

  test("tanks throw hex by hex, so that the order reveals nothing of who is where", () => {
    const table = dusk(30, { t1: "s-tank 2015", t2: "s-tank 2010" }).play("done: 1 9");
    expect([table.at("t1"), table.at("t2"), table.at("imm-1")]).toEqual(["2015", "dead", "2010"]);
  });

  event("breakdown", "of a tank that runs on the enemy does not learn which it is", () => {
    const units = { t1: "s-tank 2010", g9: "g-inf 3070" };
    const [german] = told(dusk(29, units), GERMAN, "done", 8).filter((e) => e.what === "breakdown");
    const [soviet] = told(dusk(29, units), SOVIET, "done", 8).filter((e) => e.what === "breakdown");
    expect([german!.text, german!.units]).toEqual(["Soviet tank: die 8: it runs on.", []]);
    expect([soviet!.text, soviet!.units]).toEqual(["Soviet t1: die 8: it runs on.", ["t1"]]);
  });

  test("the die is written and read back; other results are refused", () => {
    const table = dusk(29, { t1: "s-tank 2010" }).play("done: 3");
    const doc = table.position;
    table.env.resetTo(doc, "again");
    expect(table.position).toEqual(doc);
    const worse = { ...doc, resolutions: [{ kind: "breakdown", die: 3, result: "gone" }] } as unknown as JsonObject;
    expect(() => table.env.resetTo(worse, "worse")).toThrow("resolutions[0].result: it is - or immobilized or lost");
  });
});

/** The Soviet movement begins, with the repair unit in the Tractor Factory. */
const factory = (turn: number, units: Record<string, string | JsonObject>, more: JsonObject = {}): Table =>
  new Table(
    { sr: "s-repair 0665", s1: "s-inf 0770", ...units },
    { turn, phase: 10, stage: "arrive", map: { base: "standard" }, ...more },
    { opFire: false },
  );

describe("repair", () => {
  rule("SOS 16.72", "in every other turn from 16 September on", () => {
    const asks = [2, 3, 4, 5, 6, 7, 8].filter((turn) => factory(turn, { t1: "s-tank dead" }).ask === "arrive.repair");
    expect(asks).toEqual([4, 6, 8]);
  });

  rule("SOS 16.72", "the tank comes to the repair unit's hex and may move at once; only one does", () => {
    const table = factory(4, { t1: "s-tank dead", t2: "s-tank dead" }).play("unit t1");
    expect([table.at("t1"), table.at("t2"), table.ask]).toEqual(["0665", "dead", "bt.select"]);
    expect(table.legal).toContain("unit t1");
  });

  rule("SOS 16.72", "the offer can be passed", () => {
    const table = factory(4, { t1: "s-tank dead" }).play("pass");
    expect([table.at("t1"), table.ask]).toEqual(["dead", "move.select"]);
  });

  rule("SOS 16.71", "a repair unit outside the factory repairs nothing", () =>
    expect(factory(4, { t1: "s-tank dead", sr: "s-repair 0770" }).ask).not.toBe("arrive.repair"),
  );

  rule("SOS 5.4", "a full hex has no room for the tank", () => {
    const full = { sa: "s-inf 0665", sb: "s-inf 0665", sc: "s-inf 0665" };
    expect(factory(4, { t1: "s-tank dead", ...full }).ask).not.toBe("arrive.repair");
  });

  test("units that are bought come before it, and a save in between comes back there (R103)", () => {
    const table = factory(
      4,
      { t1: "s-tank dead", s2: "s-inf dead", sf: "s-inf 0570", gf: "g-inf 3530" },
      { replacements: { soviet: { af: 9 } } },
    );
    expect(table.ask).toBe("arrive.replace");
    table.play("done");
    expect(table.ask).toBe("arrive.repair");
    const doc = table.position;
    expect(doc["decision"]).toEqual({ ask: "arrive.repair", actor: "soviet" });
    table.env.resetTo(doc, "again");
    expect(table.position).toEqual(doc);
    expect(table.play("unit t1").ask).toBe("bt.select");
  });

  test("no German is asked", () =>
    expect(() => factory(4, { t1: "s-tank dead" }, { decision: { ask: "arrive.repair", actor: "german" } })).toThrow(
      "decision",
    ));

  event("repaired", "both sides see which tank is back, and where", () => {
    const [back] = told(factory(4, { t1: "s-tank dead" }), GERMAN, "unit t1").filter((e) => e.what === "repaired");
    expect(back).toMatchObject({
      text: expect.stringContaining("Soviet t1") as string,
      units: ["t1"],
      places: ["0665"],
    });
    const table = factory(4, { t1: "s-tank dead" }).play("unit t1");
    expect(table.env.game.view(table.env.state, GERMAN)["units"]).toHaveProperty("t1.at", "0665");
  });
});

describe("the repair unit is lost", () => {
  const storm = (target: Record<string, string>): Table =>
    new Table(
      { g1: { type: "g-inf", at: "2009", af: 30 }, gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031", ...target },
      { ...attacks(5, "2010", "3031"), ...ground({ "2010": "industrial" }) },
    ).play("hex 2010", "normal");

  rule("SOS 16.73", "to a P", () => {
    // 30 points, 3 for the factory: a P
    const table = storm({ sr: "s-repair 2010", s1: "s-inf 2010" });
    const die = Array.from({ length: 10 }, (_, i) => i + 1).find(
      (n) => storm({ sr: "s-repair 2010", s1: "s-inf 2010" }).play(`done: ${n}`).rolls.at(-1)!["result"] === "P",
    );
    expect(table.play(`done: ${die}`).at("sr")).toBe("dead");
    expect([table.at("s1"), table.unit("s1")["spent"]]).toEqual(["2010", true]);
  });

  rule("SOS 9.85", "alone in its hex it is driven out by a P, and the attackers may advance", () => {
    const alone = { sr: "s-repair 2010" };
    const attack = (die: number): Table =>
      new Table(
        { g1: { type: "g-inf", at: "2009", af: 30 }, gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031", ...alone },
        { ...attacks(5, "2010", "3031"), ...ground({ "2010": "industrial" }) },
      ).play("hex 2010", `normal: ${die}`);
    // 3 for the factory: 6 is a P, 9 has no effect
    const [hit, missed] = [attack(3), attack(6)];
    expect([hit.rolls[0]!["result"], hit.at("sr"), hit.position["decision"]]).toMatchObject([
      "P",
      "dead",
      { ask: "advance.unit", hex: "2010" },
    ]);
    expect([missed.rolls[0]!["result"], missed.at("sr"), missed.ask]).toEqual(["-", "2010", "attack.unit"]);
  });

  rule("SOS 16.73", "not to a loss of units (R107)", () => {
    const units = { sr: "s-repair 2010", s1: "s-inf 2010", s2: "s-inf 2010" };
    const die = Array.from({ length: 10 }, (_, i) => i + 1).find(
      (n) => storm(units).play(`done: ${n}`).rolls.at(-1)!["result"] === "D1",
    );
    expect(storm(units).play(`done: ${die}`).at("sr")).toBe("2010");
  });

  rule("SOS 16.73", "to Germans who enter its hex", () => {
    const table = new Table({ sr: "s-repair 2010", g1: "g-inf 2009", sf: "s-inf 3570" }, {}, { opFire: false });
    expect(table.play("unit g1", "hex 2010").at("sr")).toBe("dead");
  });
});
