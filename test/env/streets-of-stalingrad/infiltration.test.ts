import { expect, test } from "vitest";
import { EventLog, type GameEvent, gameFor, type JsonObject, openCase, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { streetsOfStalingrad as twinsOf } from "../../conformance/twins/streets-of-stalingrad.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";
import { RAID } from "./woods.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1] as const;
type Units = Record<string, string | JsonObject>;

/**
 * A city from 2008 to 2013: Herman is in 2012 with s1, Germans in 2010, and a fight far off keeps the phase open.
 */
const city = ground(Object.fromEntries(["2007", "2008", "2009", "2010", "2011", "2012"].map((h) => [h, "city"])));
const raid = (units: Units = {}, rest: JsonObject = {}): Table =>
  new Table(
    {
      g1: "g-inf 2010",
      g2: "g-inf 2010",
      s1: "s-inf 2012",
      sh: "s-herman 2012",
      s2: "s-inf 2013",
      sx: "s-inf 3030",
      sy: "s-inf 3030",
      gx: "g-inf 3031",
      ...units,
    },
    { phase: 15, stage: "infiltrate", turn: 14, ...city, marks: { "3031": ["attack"] }, ...rest },
  );
const hexes = (table: Table): string[] => table.legal.filter((n) => n.startsWith("hex ")).map((n) => n.slice(4));

rule(
  "SOS 13.1",
  "from 26 September in phase 15 Herman takes one unpinned, unspent infantry unit of the hex along",
  () => {
    const spent = { type: "s-inf", at: "2012", spent: true };
    expect(raid().legal).toEqual(["pass", "unit s1"]);
    expect(raid({ s3: "s-guards 2012", s4: spent }).legal).toEqual(["pass", "unit s1", "unit s3"]);
    expect(raid({}, { turn: 13 }).ask).toBe("attack.unit");
    for (const without of [{ s1: "s-eng 2012" }, { s1: spent }, { s1: "s-inf 2013" }])
      expect(raid(without).ask).toBe("attack.unit");
    expect(() => raid({ sh: "s-leader 2012" })).toThrow("phase 15 has no stage infiltrate");
    expect(raid().play("pass").ask).toBe("attack.unit");
  },
);

rule("SOS 13.1", "they go no farther than four hexes from a unit that stays behind", () => {
  // 2008 is beside 2007, five hexes from 2012; s3 stays near it
  const far = { g1: "g-inf 2008", g2: "g-inf 2008" };
  const road = ground(
    Object.fromEntries(["2005", "2006", "2007", "2008", "2009", "2010", "2011", "2012"].map((h) => [h, "city"])),
  );
  expect(raid({ ...far, s2: "s-inf 2015" }, road).ask).toBe("attack.unit");
  expect(raid({ ...far, s2: "s-inf 2013" }, road).legal).toEqual(["pass", "unit s1"]);
});

rule("SOS 13.2", "over Germans they go in a city, and over their mines, not in the open", () => {
  const behind = { g3: "g-inf 2008", g4: "g-inf 2111", g5: "g-inf 1911", g6: "g-inf 2110", g7: "g-inf 1910" };
  const city2 = ground(
    Object.fromEntries(
      ["2007", "2008", "2009", "2010", "2011", "2012", "2111", "1911", "2110", "1910"].map((h) => [h, "city"]),
    ),
  );
  expect(hexes(raid(behind, city2).play("unit s1"))).toContain("2008");
  // over the minefield in 2009 they come to 2008, beside the target in 2007
  const mined = raid({ ...behind, g3: "g-inf 2007", gm: "g-mine 2009", s2: "s-inf 2012" }, city2).play("unit s1");
  expect(hexes(mined)).toContain("2007");
  expect(hexes(raid(behind, ground({ "2012": "city", "2008": "city" })).play("unit s1"))).not.toContain("2008");
});

rule("SOS 13.2", "a zone of control in the open stops them", () => {
  // 2110 and 1910 are beside 2009 and 2010
  const between = { g1: "g-inf 2008", g2: "g-inf 2110", g3: "g-inf 1910" };
  const open = ground({ "2012": "city", "2008": "city", "2013": "city" });
  expect(hexes(raid(between, open).play("unit s1"))).toEqual(["1910", "2110"]);
  const town = ground(Object.fromEntries(["2008", "2009", "2010", "2011", "2012"].map((h) => [h, "city"])));
  expect(hexes(raid(between, town).play("unit s1"))).toEqual(["1910", "2008", "2110"]);
});

rule("SOS 13.8", "they come back over four hexes", () => {
  const table = raid({ g1: "g-inf 2007", g2: "g-inf 2007", s2: "s-inf 2012" }).play("unit s1", "enemy 0: 1");
  expect([table.at("s1"), table.at("sh")]).toEqual(["2012", "2012"]);
});

rule("SOS 13.3", "they attack one combat unit of the hex, which the Soviet side chooses by its place", () => {
  const table = raid({ gl: "g-leader 2010" }).play("unit s1");
  expect([table.ask, table.legal]).toEqual(["infil.target", ["enemy 0", "enemy 1"]]);
  table.play("enemy 1: 1 10");
  expect([table.at("g1"), table.at("g2")].sort()).toEqual(["2010", "dead"]);
  expect(table.rolls[0]).toMatchObject({ kind: "infiltration", points: 3, drms: { leader: -1 }, hex: "2010" });
});

rule("SOS 13.3", "where a hex has no combat unit its owner says so, and another may be named", () => {
  const none = { g1: "g-op 2010", g2: "g-inf 2111" };
  const town = ground(Object.fromEntries(["2008", "2009", "2010", "2011", "2012", "2111"].map((h) => [h, "city"])));
  const table = raid(none, town).play("unit s1");
  expect(hexes(table)).toEqual(["2010", "2111"]);
  table.play("hex 2010: 1");
  // the only other hex has one unit, which is attacked
  expect(table.at("g2")).toBe("dead");
});

rule("SOS 13.4", "it comes before all other combat of the phase, and the partner is spent", () => {
  const table = raid().play("unit s1", "enemy 0: 1");
  expect([table.ask, table.unit("s1")]).toMatchObject(["attack.unit", { at: "2012", spent: true }]);
});

rule("SOS 13.5", "of all modifiers only Herman's count, for both dice", () => {
  const table = raid({ s1: { type: "s-nkvd", at: "2012", oos: 2 }, g1: { type: "g-inf", at: "2010", pinned: true } });
  table.play("unit s1", "enemy 0: 10 10");
  expect(table.rolls).toMatchObject([
    { kind: "infiltration", drms: { leader: -1 }, drm: -1 },
    { kind: "infiltration-fire", drms: { "target-leader": 1 }, drm: 1, points: 8, hex: "2011" },
  ]);
});

rule("SOS 13.6", "every result kills, also a P; Herman is lost with the partner", () => {
  const table = raid().play("unit s1", "enemy 0: 10 1");
  expect(table.rolls.map((r) => r["result"])).toEqual(["-", "P"]);
  expect([table.at("s1"), table.at("sh"), table.at("g1"), table.at("g2")]).toEqual(["dead", "dead", "2010", "2010"]);
  const pinned = raid().play("unit s1", "enemy 0: 2");
  expect(pinned.rolls).toMatchObject([{ result: "P" }]);
  expect([pinned.at("g1"), pinned.at("g2")].sort()).toEqual(["2010", "dead"]);
});

rule(
  "SOS 13.7",
  "a unit that survives fires back with its whole stack, one that does not leaves nobody to fire",
  () => {
    const table = raid().play("unit s1", "enemy 0: 10 10");
    expect(table.rolls[1]).toMatchObject({ points: 8 });
    expect(raid().play("unit s1", "enemy 0: 1").rolls).toHaveLength(1);
  },
);

rule("SOS 13.8", "they go back at once to where they came from", () => {
  const table = raid().play("unit s1", "enemy 0: 10 10");
  expect([table.at("s1"), table.at("sh")]).toEqual(["2012", "2012"]);
});

rule("SOS 13.8", "four hexes at most lead back, or to the nearest other Soviet unit", () => {
  const long = ["2004", "2005", "2006", "2007", "2008", "2009", "2010", "2011", "2012"];
  const road = ground(Object.fromEntries(long.map((h) => [h, "city"])));
  const open = { g1: "g-inf 2005", g2: "g-inf 2005", s2: "s-inf 2008", s3: "s-inf 2009", s4: "s-inf 2010" };
  const table = raid(open, road).play("unit s1", "enemy 0: 1");
  // from 2006 it is six hexes to 2012, and two to 2008
  expect([table.at("s1"), table.at("sh")]).toEqual(["2008", "2008"]);
});

/** What the German side hears of an action. */
function heard(table: Table, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(GERMAN);
}

event("infiltration-target", "both sides hear how many combat units a hex has that is named", () => {
  const table = raid(
    { g3: "g-inf 2111" },
    ground({ "2111": "city", "2110": "city", "2010": "city", "2011": "city", "2012": "city" }),
  );
  table.play("unit s1");
  expect(heard(table, "hex 2010").find((e) => e.what === "infiltration-target")).toMatchObject({
    places: ["2010"],
    amount: 2,
  });
});

event("infiltrates", "all see who comes, whom they attack, and where they go back to", () => {
  const table = raid().play("unit s1");
  const ways = heard(table, "enemy 0", 10, 10).filter((e) => e.what === "infiltrates");
  expect(ways.map(({ rule, units }) => [rule, units?.slice(0, 2)])).toEqual([
    ["SOS 13.2", ["s1", "sh"]],
    ["SOS 13.8", ["s1", "sh"]],
  ]);
  expect(ways[1]!.places).toEqual(["2011", "2012"]);
});

test("the German side hears of it when they come, and a position comes back as it was", () => {
  const table = raid().play("unit s1");
  const again = openCase(type, { id: "raid", rule: "", position: table.position, options: {}, steps: [] });
  expect(again.game.write(again.state)).toEqual(table.position);
  const frames = { ...table.position, decision: { ask: "infil.target", actor: "soviet", unit: "s2" } };
  expect(() => openCase(type, { id: "raid", rule: "", position: frames, options: {}, steps: [] })).toThrow(
    "s2 is not with Herman",
  );
});

test("which counters are combat units comes out nowhere but by what is said", () => {
  const game = gameFor(type, RAID);
  const complaints = new Complaints();
  const { different } = leakPairs(game, 250, "raid", complaints, new Starts(game, "raid", 4), twinsOf(game));
  expect(complaints.list()).toEqual([]);
  expect(different).toBeGreaterThan(30);
});
