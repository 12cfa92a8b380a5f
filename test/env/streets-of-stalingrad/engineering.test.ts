import { expect, test } from "vitest";
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { strong } from "./held/positions.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { Table } from "./table.js";
import {
  balka,
  builds,
  forest,
  GERMAN,
  left,
  passed,
  SOVIET,
  table,
  task,
  told,
  type Units,
  untilPhase,
  view,
  working,
} from "./engineers.js";

const rule = ruleTests(rules);

rule("SOS 17.15", "combat and construction engineers build, and flame-throwers don't", () => {
  expect(builds(table({ ge: "g-ceng 2010" }, balka).play("unit ge"))).toEqual([
    "build-bridge",
    "build-minefield",
    "build-fort",
  ]);
  const night = { phase: 10, stage: "normal", ...balka };
  expect(builds(table({ se: "s-flame 2010" }, night).play("unit se"))).toEqual([]);
  expect(builds(table({ se: "s-inf 2010" }, night).play("unit se"))).toEqual([]);
});

rule("SOS 17.15", "bridges are built in balkas, and not where one is", () => {
  const ravine = { base: "blank", hexes: { "2010": { t: "clear", f: ["balka"] } } };
  expect(table({ ge: "g-eng 2010" }).play("unit ge").legal).not.toContain("build-bridge");
  expect(table({ ge: "g-eng 2010" }, { map: ravine }).play("unit ge").legal).toContain("build-bridge");
  const bridged = { ge: "g-eng 2010", br: { type: "bridge", side: "soviet", at: "2010" } };
  expect(builds(table(bridged, balka).play("unit ge"))).toEqual(["build-minefield", "build-fort", "remove-bridge"]);
  const printed = { base: "blank", hexes: { "2010": { t: "balka", f: ["bridge"] } } };
  expect(table({ ge: "g-eng 2010" }, { map: printed }).play("unit ge").legal).not.toContain("build-bridge");
});

rule("SOS 17.15", "units that are spent or have moved build nothing", () => {
  const spent = { type: "g-eng", at: "2010", spent: true };
  expect(builds(table({ ge: spent }, balka).play("unit ge"))).toEqual([]);
  const moved = table({ ge: "g-eng 2011" }, balka).play("unit ge", "hex 2010");
  expect(moved.legal).not.toContain("unit ge");
});

rule("SOS 17.15", "a bridge is built only where vehicles can bring material beside it", () => {
  const bounds = { cols: [18, 22], rows: [8, 12] };
  const near = { gf: "g-inf 1808", sf: "s-inf 2212" };
  const at = (hexes: JsonObject) =>
    table(
      { ge: "g-eng 2010", ...near },
      { bounds, map: { base: "blank", hexes: { "2010": { t: "balka" }, ...hexes } } },
    )
      .play("unit ge")
      .legal.includes("build-bridge");
  expect(at({})).toBe(false);
  expect(at({ "2008": { t: "clear", f: ["road"] } })).toBe(true);
  // ravines on all sides of the road, which nobody drives across
  expect(at({ "2212": { t: "clear", f: ["road"] } })).toBe(false);
});

rule(
  "SOS 17.15",
  "an enemy that fires directly covers hexes in its range and sight, and one behind a wood does not",
  () => {
    const open = (units: Units, rest: JsonObject = {}) =>
      table({ ge: "g-eng 2010", ...units }, rest)
        .play("unit ge")
        .legal.includes("build-fort");
    expect(open({ st: "s-tank 2013" })).toBe(true);
    expect(open({ st: "s-at 2013" })).toBe(false);
    expect(open({ st: "s-at 2013" }, forest("2011"))).toBe(true);
    expect(open({ sh: "s-how 2014" })).toBe(true);
  },
);

rule("SOS 17.16", "a Soviet engineer needs 30 phases for a bridge, a German one 15", () => {
  const german = table({ ge: "g-eng 2010" }, balka).play("unit ge", "build-bridge");
  expect(left(german, "ge")).toBe(15);
  const soviet = table({ se: "s-eng 2010" }, { phase: 10, ...balka }).play("unit se", "build-bridge");
  expect(left(soviet, "se")).toBe(30);
});

rule("SOS 17.16", "a bridge begun in phase 11 is ready in phase 11 of the next day", () => {
  const marks = { "3031": ["attack"] };
  const units = { ge: "g-eng 2010", g1: "g-inf 3033", s1: "s-inf 3031" };
  const t = table(units, { phase: 11, stage: "reserves", marks, reserves: ["ge", "g1"], ...balka });
  t.play("unit ge", "build-bridge");
  expect([t.position["phase"], left(t, "ge")]).toEqual([11, 15]);
  t.play("done");
  expect(left(t, "ge")).toBe(15 - passed(t, 11));
  const last = table({ ge: working("g-eng 2010", "bridge", 1) }, { phase: 10, stage: "mark", ...balka });
  expect([last.at("brg-1"), left(last, "ge")]).toEqual(["2010", undefined]);
});

rule("SOS 17.16", "a pin, a spent marker and a fight each cost a phase", () => {
  const after = (more: JsonObject, rest: JsonObject = {}) => {
    const t = table(
      { ge: working("g-eng 2010", "bridge", 9, more), s9: "s-inf 3030", g8: "g-inf 3031" },
      { phase: 11, stage: "reserves", marks: { "3031": ["attack"] }, reserves: ["g8"], ...balka, ...rest },
    );
    return left(t.play("done"), "ge");
  };
  expect(after({})).toBe(8);
  expect(after({ pinned: true })).toBe(9);
  expect(after({ spent: true })).toBe(9);
  expect(after({ defFired: true })).toBe(9);
  expect(after({ opFired: true, opFiredIn: 11 })).toBe(9);
  expect(after({}, { attacked: ["2010"] })).toBe(9);
});

rule("SOS 17.26", "a bombardment of the engineer's hex costs a phase, an interdiction does not", () => {
  const units = {
    ge: { type: "g-eng", at: "2010", task: task("minefield", "2009", 9) },
    so: { type: "s-op", at: "2014", formation: "62A/1RD" },
    sh: { type: "s-how", at: "2025", formation: "62A/1RD" },
    s1: "s-inf 2014",
  };
  const after = (action: string, ...dice: number[]) => {
    const t = table(units, { phase: 9, stage: "plot-first" }).play("hex 2010");
    const log = new EventLog([GERMAN, SOVIET] as const);
    t.env.step(action, new ScriptedDice(dice), log);
    return left(t, "ge");
  };
  expect(after("crt", 10)).toBe(9);
  expect(after("interdict")).toBe(8);
});

rule("SOS 17.36", "a fort needs a phase more for each in which its engineer is pinned", () => {
  const marks = { "3031": ["attack"] };
  const after = (more: JsonObject) => {
    const units = { ge: working("g-eng 2010", "fort", 9, more), g1: "g-inf 3030", s1: "s-inf 3031" };
    const t = table(units, { phase: 11, stage: "reserves", marks, reserves: ["g1"] }).play("done");
    return 9 - passed(t, 11) - left(t, "ge")!;
  };
  // the pin goes when phase 13 begins
  expect([after({}), after({ pinned: true })]).toEqual([0, -2]);
});

rule("SOS 17.17", "a bridge may be crossed in the phase in which it is placed", () => {
  const units = { ge: working("g-eng 2010", "bridge", 0), g1: { type: "g-inf", at: "2011", mp: 1 } };
  const t = table(units, { phase: 2, stage: "plot-first", ...balka });
  expect([t.position["phase"], t.at("brg-1")]).toEqual([3, "2010"]);
  expect(t.play("unit g1").legal).toContain("hex 2010");
});

rule("SOS 17.18", "an engineer that has built a bridge moves in the next movement phase, not in this one", () => {
  const t = table({ ge: working("g-eng 2010", "bridge", 0) }, { phase: 2, stage: "plot-first", ...balka });
  expect(t.position["phase"]).toBe(3);
  expect(t.unit("ge")).toMatchObject({ rests: true });
  expect(t.legal).not.toContain("unit ge");
  untilPhase(t, 7);
  expect(t.unit("ge")["rests"]).toBeUndefined();
  expect(t.legal).toContain("unit ge");
});

rule("SOS 17.27", "an engineer that has laid a minefield stays for the phase", () => {
  const ge = { type: "g-eng", at: "2010", task: task("minefield", "2009", 0) };
  const t = table({ ge }, { phase: 2, stage: "plot-first" });
  expect([t.at("mf-1"), t.unit("ge")["rests"], t.legal.includes("unit ge")]).toEqual(["2009", true, false]);
});

rule("SOS 17.37", "an engineer that has built a fort stays for the phase", () => {
  const t = table({ ge: working("g-eng 2010", "fort", 0) }, { phase: 2, stage: "plot-first" });
  expect([t.at("ft-1"), t.unit("ge")["rests"], t.legal.includes("unit ge")]).toEqual(["2010", true, false]);
});

rule("SOS 17.35", "two engineers build a fort in 15 phases, a third does not join", () => {
  const units = { e1: "g-eng 2010", e2: "g-eng 2010", e3: "g-ceng 2010" };
  const t = table(units).play("unit e1", "build-fort");
  expect(left(t, "e1")).toBe(30);
  t.play("unit e2", "build-fort");
  expect([left(t, "e1"), left(t, "e2")]).toEqual([15, 15]);
  expect(t.play("unit e3").legal).not.toContain("build-fort");
});

rule("SOS 17.35", "when one of two leaves, the other needs twice as long", () => {
  const units = { e1: working("g-eng 2010", "fort", 7), e2: working("g-eng 2010", "fort", 7) };
  const t = table(units).play("unit e1", "hex 2011");
  expect([left(t, "e1"), left(t, "e2")]).toEqual([undefined, 14]);
  t.play("unit e2", "abandon-task");
  expect(left(t, "e2")).toBeUndefined();
  expect(view(t, SOVIET)["works"]).toBeUndefined();
});

rule("SOS 17.25", "one engineer lays a minefield in 15 phases, and no second one helps", () => {
  const t = table({ e1: "g-eng 2010", e2: "g-eng 2010" }).play("unit e1", "build-minefield", "hex 2009");
  expect(t.unit("e1")["task"]).toEqual(task("minefield", "2009", 15));
  expect(t.play("unit e2", "build-minefield").legal).not.toContain("hex 2009");
});

rule(
  "SOS 17.24",
  "minefields are not laid on the river, on enemies, in a mined hex, or among more than one friend",
  () => {
    const units = {
      ge: "g-eng 2010",
      g1: "g-inf 2009",
      g2: "g-inf 2009",
      g3: "g-inf 2110",
      gm: "g-mine 1910",
      sl: "s-op 1911",
    };
    expect(table(units).play("unit ge", "build-minefield").legal).toEqual(["hex 2011", "hex 2110", "hex 2111"]);
    const bank = table({ se: "s-eng 0230" }, { phase: 10 }).play("unit se", "build-minefield");
    expect(bank.legal.filter((h) => h.startsWith("hex 01"))).toEqual([]);
  },
);

rule(
  "SOS 17.24",
  "minefields of both sides are removed from beside them, bridges of both, forts by their owner",
  () => {
    const units = { ge: "g-eng 2010", gm: "g-mine 2009", sm: "s-mine 2011", gx: "g-fort 2010" };
    const t = table(units).play("unit ge");
    expect(builds(t)).toEqual(["build-minefield", "remove-minefield", "remove-fort"]);
    expect(t.play("remove-minefield").legal).toEqual(["hex 2009", "hex 2011"]);
    const zone = table({ ge: "g-eng 2010", sm: "s-mine 2011", s1: "s-inf 2012" }).play("unit ge");
    expect(zone.legal).not.toContain("remove-minefield");
    const ge = { type: "g-eng", at: "2010", task: task("remove-minefield", "2011", 0) };
    const done = table({ ge, sm: "s-mine 2011" }, { phase: 2, stage: "plot-first" });
    expect([done.at("sm"), done.unit("ge")["task"]]).toEqual(["dead", undefined]);
  },
);

rule("SOS 17.34", "a fort is removed as it is built, in 30 phases", () => {
  const t = table({ ge: "g-eng 2010", gx: "g-fort 2010" }).play("unit ge", "remove-fort");
  expect(t.unit("ge")["task"]).toEqual(task("remove-fort", "2010", 30));
  const done = table(
    { ge: working("g-eng 2010", "remove-fort", 0), gx: "g-fort 2010" },
    { phase: 2, stage: "plot-first" },
  );
  expect(done.at("gx")).toBe("dead");
});

rule("SOS 17.33", "a hex has one fort", () => {
  expect(table({ ge: "g-eng 2010", gx: "g-fort 2010" }).play("unit ge").legal).not.toContain("build-fort");
  expect(() => table({ f1: "g-fort 2010", f2: "g-fort 2010" })).toThrow(
    "hex 2010 has two counters of kind fortification",
  );
});

rule("SOS 17.0", "an enemy zone of control stops work in the hex completely", () => {
  const units = { ge: working("g-eng 2010", "fort", 3), s1: "s-inf 2013" };
  const t = table(units, { phase: 10 });
  const events = told(t.play("unit s1"), GERMAN, "hex 2011");
  expect(t.unit("ge")["task"]).toBeUndefined();
  expect(events.filter((e) => e.what === "task").map((e) => e.text)).toEqual([
    "The German side stops a fortification in 2010 (clear).",
  ]);
  const away = table({ ...units, s1: "s-inf 2014" }, { phase: 10 }).play("unit s1", "hex 2012");
  expect(left(away, "ge")).toBe(3);
});

rule("SOS 17.0", "a face-down unit that comes beside work has to say whether it has a zone of control", () => {
  const units = { ge: working("g-eng 2010", "fort", 3), so: "s-leader 2012", s1: "s-inf 2012" };
  const t = table(units, { phase: 10, ...forest("2011", "2012") }).play("unit s1", "hex 2011");
  expect(t.unit("ge")["task"]).toBeUndefined();
  expect(t.position["announced"]).toMatchObject({ "2011": "zoc" });
  const dog = { ...units, so: "s-dog 2012" };
  const none = table(dog, { phase: 10, ...forest("2011", "2012") }).play("unit so", "hex 2011");
  expect(left(none, "ge")).toBe(3);
  expect(none.position["announced"]).toMatchObject({ "2011": "none" });
});

rule("SOS 17.0", "a hidden enemy in range prevents a task, and shows its weakest unit", () => {
  const units = { ge: "g-eng 2010", st: "s-at 2013", s1: { type: "s-tank", at: "2012", af: 2 } };
  const t = table(units, forest("2012", "2013"));
  t.play("unit ge");
  expect(t.legal).toContain("build-fort");
  const events = told(t, GERMAN, "build-fort");
  expect(events.map((e) => [e.what, e.rule])).toContainEqual(["task", "SOS 17.0"]);
  expect(t.unit("ge")).toMatchObject({ ordered: true });
  expect(t.unit("ge")["task"]).toBeUndefined();
  expect(t.position["known"]).toEqual({ german: ["s1"] });
});

rule("SOS 17.0", "no task begins in a zone of control that the enemy had not announced", () => {
  const t = table({ ge: "g-eng 2010", s1: "s-inf 2011" }, forest("2011")).play("unit ge", "build-fort");
  expect([t.unit("ge")["task"], t.position["announced"]]).toEqual([undefined, { "2011": "zoc" }]);
});

rule("SOS 17.0", "a hidden enemy that covers work is shown when a phase ends, and the work does not go on", () => {
  const units = { ge: working("g-eng 2010", "fort", 3), st: "s-at 2013" };
  const t = table(units, { phase: 7, ...forest("2013") });
  t.play("done");
  expect(left(t, "ge")).toBe(3);
  expect(t.position["known"]).toEqual({ german: ["st"] });
});

rule("SOS 17.34", "an engineer that continues stays, and can't begin another task", () => {
  const t = table({ ge: working("g-eng 2010", "fort", 12) }).play("unit ge");
  expect(builds(t)).toEqual([]);
  t.play("stay");
  expect(left(t, "ge")).toBe(12);
});

rule("SOS 17.11", "both sides use a bridge, whoever built it", () => {
  const bridge = { type: "bridge", side: "german", at: "2010" };
  for (const [unit, phase] of [
    ["g-inf", 3],
    ["s-inf", 10],
  ] as const) {
    const t = table({ u1: { type: unit, at: "2011", mp: 1 }, br: bridge }, { phase, ...balka }).play("unit u1");
    expect(t.legal).toContain("hex 2010");
  }
});

rule("SOS 17.12", "any unit crosses a bridge for 1 MP, except under a pin", () => {
  const bridge = { br: { type: "bridge", side: "soviet", at: "2010" } };
  const at = (units: Units) =>
    table({ g1: { type: "g-inf", at: "2011", mp: 1 }, ...units }, balka)
      .play("unit g1")
      .legal.includes("hex 2010");
  expect(at({})).toBe(false);
  expect(at(bridge)).toBe(true);
  expect(at({ ...bridge, g2: { type: "g-inf", at: "2010", pinned: true } })).toBe(false);
});

/** A ravine from north to south through 2010, which vehicles can't cross. */
const ravine = (bridge: boolean): [Units, JsonObject] => [
  {
    gt: "g-tank 1910",
    ...(bridge ? { br: { type: "bridge", side: "german", at: "2010" } } : {}),
  },
  {
    bounds: { cols: [18, 22], rows: [9, 11] },
    map: {
      base: "blank",
      hexes: Object.fromEntries(["2009", "2010", "2011"].map((h) => [h, { t: "balka", balka: "03", block: "rule" }])),
    },
  },
];
rule("SOS 17.12", "vehicles cross a ravine over a bridge", () => {
  const near = { gf: "g-inf 1809", sf: "s-inf 2211" };
  const reaches = (bridge: boolean) => {
    const [units, rest] = ravine(bridge);
    return table({ ...units, ...near }, rest)
      .play("unit gt")
      .legal.some((h) => h.startsWith("hex 21"));
  };
  expect([reaches(false), reaches(true)]).toEqual([false, true]);
});

const shelled = (units: Units): Table =>
  table(
    {
      go: { type: "g-op", at: "2007", formation: "51K/71ID" },
      h1: { type: "g-how", at: "2025", af: 30, formation: "51K/71ID" },
      br: { type: "bridge", side: "soviet", at: "2010" },
      ...units,
    },
    { phase: 2, stage: "plot-first", ...balka },
  ).play("hex 2010");

rule("SOS 17.13", "bombs take a bridge first, also alone, and also one that the other side built", () => {
  const t = shelled({ s1: "s-inf 2010", s2: "s-inf 2010" }).play("crt: 3");
  expect([t.at("br"), t.at("s1"), t.at("s2")]).toEqual(["dead", "2010", "2010"]);
  expect(shelled({}).play("crt: 3").at("br")).toBe("dead");
  const german = { br: { type: "bridge", side: "german", at: "2010" } };
  expect(
    shelled({ ...german, s1: "s-inf 2010", s2: "s-inf 2010" })
      .play("crt: 3")
      .at("br"),
  ).toBe("dead");
  expect(shelled(german).legal).toContain("crt");
});

rule("SOS 17.14", "a vehicle of 24 MP or more on the bridge is lost with it, a slower one is not", () => {
  const fast = { sc: { type: "s-ltank", at: "2010", mp: 24 }, s1: "s-inf 2010" };
  const t = shelled(fast).play("crt: 3");
  expect([t.at("br"), t.at("sc"), t.at("s1")]).toEqual(["dead", "dead", "2010"]);
  const slow = shelled({ sc: { type: "s-ltank", at: "2010", mp: 23 }, s1: "s-inf 2010" }).play("crt: 3");
  expect([slow.at("br"), slow.at("sc")]).toEqual(["dead", "2010"]);
});

rule("SOS 17.14", "of two such vehicles the owner names one", () => {
  const fast = (at: string) => ({ type: "s-ltank", at, mp: 24 });
  const t = shelled({ s1: fast("2010"), s2: fast("2010"), s3: "s-inf 2010" }).play("crt: 3");
  expect([t.ask, t.legal]).toEqual(["loss.pick", ["unit s1", "unit s2"]]);
  t.play("unit s2");
  expect(["br", "s1", "s2", "s3"].map((id) => t.at(id))).toEqual(["dead", "2010", "dead", "2010"]);
});

rule("SOS 17.21", "a minefield leaves room for a fort, a bridge, one unit, and one leader, OP, sniper or dog", () => {
  const units = {
    sm: "s-mine 2010",
    sf: "s-fort 2010",
    br: { type: "bridge", side: "soviet", at: "2010" },
    s1: "s-inf 2011",
  };
  const goes = (more: Units, unit = "s1") =>
    table({ ...units, ...more }, { phase: 10, ...balka })
      .play(`unit ${unit}`)
      .legal.includes("hex 2010");
  expect(goes({})).toBe(true);
  expect(goes({ s2: "s-inf 2010" })).toBe(false);
  expect(goes({ so: "s-op 2010" })).toBe(true);
  expect(goes({ so: "s-op 2010", sn: "s-sniper 2011" }, "sn")).toBe(false);
  expect(goes({ sn: "s-sniper 2011" }, "sn")).toBe(true);
});

rule("SOS 5.6", "a hex with a minefield and more units than it may hold is thinned out first", () => {
  const t = table({ sm: "s-mine 2010", s1: "s-inf 2010", s2: "s-inf 2010", s3: "s-inf 2020" }, { phase: 10 });
  expect(t.legal).toEqual(["unit s1", "unit s2"]);
});

rule("SOS 17.21", "an unguarded minefield is shown to a unit that comes beside it, and a guarded one is not", () => {
  const units = { g1: "g-inf 2012", sm: "s-mine 2010" };
  const t = table(units, forest("2010"));
  expect(view(t, GERMAN)["faceDown"]).toEqual({ "2010": ["star"] });
  t.play("unit g1", "hex 2011");
  expect(view(t, GERMAN)["units"]).toHaveProperty("sm");
  const guarded = table({ ...units, s1: "s-inf 2010" }, forest("2010")).play("unit g1", "hex 2011");
  expect(view(guarded, GERMAN)["units"]).not.toHaveProperty("sm");
  const op = table({ ...units, g1: "g-op 2012" }, forest("2010")).play("unit g1", "hex 2011");
  expect(view(op, GERMAN)["units"]).not.toHaveProperty("sm");
  expect(view(table({ g1: "g-inf 2020", sm: "s-mine 2010" }), GERMAN)["units"]).toHaveProperty("sm");
});

rule("SOS 17.22", "minefields stop their own side's units too, and a unit that begins on one leaves it freely", () => {
  const own = { g1: { type: "g-inf", at: "2012", mp: 2 }, gm: "g-mine 2011" };
  expect(table(own).play("unit g1").legal).not.toContain("hex 2010");
  expect(table({ ...own, g1: { type: "g-inf", at: "2011", mp: 1 } }).play("unit g1").legal).toContain("hex 2010");
});

rule(
  "SOS 17.22",
  "friends that were there lead others through for 2 MP more, and friends that came in this phase don't",
  () => {
    const units = { gm: "g-mine 2011", g2: "g-inf 2011", gf: "g-inf 2035", sf: "s-inf 2040" };
    const column = { bounds: { cols: [20, 20], rows: [5, 40] } };
    const passes = (mp: number, more: JsonObject = {}) =>
      table({ ...units, g1: { type: "g-inf", at: "2012", mp } }, { ...column, ...more })
        .play("unit g1")
        .legal.includes("hex 2010");
    expect([passes(4), passes(3)]).toEqual([true, false]);
    expect(passes(4, { friendlyMines: [] })).toBe(false);
  },
);

rule("SOS 17.22", "foot and vehicles that go together pay 2 MP more for a minefield of their own, too", () => {
  const reaches = (more: Units) => {
    const units = { g1: "g-inf 2010", gt: { type: "g-tank", at: "2010", mp: 12 }, gf: "g-inf 2035", sf: "s-inf 2040" };
    const column = { bounds: { cols: [20, 20], rows: [5, 40] } };
    const { legal } = table({ ...units, ...more }, column).play("unit g1", "unit gt");
    return ["hex 2016", "hex 2017", "hex 2018", "hex 2019"].filter((h) => legal.includes(h));
  };
  expect(reaches({})).toEqual(["hex 2016", "hex 2017", "hex 2018"]);
  expect(reaches({ gm: "g-mine 2011", g2: "g-inf 2011" })).toEqual(["hex 2016"]);
});

rule("SOS 17.22", "an unseen minefield ends the walk in its hex", () => {
  const units = { g1: "g-op 2012", sm: "s-mine 2011", so: "s-op 2011" };
  const t = table(units, { ...forest("2011"), announced: { "2011": "none" } });
  t.play("unit g1");
  expect(t.legal).toContain("hex 2010");
  t.play("hex 2010");
  expect(["2010", "2011"]).toContain(t.at("g1"));
});

rule("SOS 17.23", "bombs and fire have -1 at units on a minefield of the firer's side", () => {
  const t = shelled({ s1: "s-inf 2010", s2: "s-inf 2010", gm: "g-mine 2010" }).play("crt: 10");
  expect(t.rolls[0]).toMatchObject({ drms: { "target-minefield": -1 } });
  const wbbt = shelled({ s1: "s-inf 2010", s2: "s-inf 2010", gm: "g-mine 2010" }).play("wbbt: 10");
  expect(wbbt.rolls[0]).toMatchObject({ table: "WBBT", drms: { "target-minefield": -1 } });
  const own = shelled({ s1: "s-inf 2010", s2: "s-inf 2010", sm: "s-mine 2010" }).play("crt: 10");
  expect((own.rolls[0]!["drms"] as JsonObject)["target-minefield"]).toBeUndefined();
  const fire = new Table({ g1: "g-inf 2012", sm: "s-mine 2011", st: "s-tank 2010" }).play("unit g1", "hex 2011");
  while (fire.at("g1") !== "2011") fire.play("pass");
  fire.play("unit st: 10");
  expect(fire.rolls[0]).toMatchObject({ kind: "opportunity", drms: { "target-minefield": -1 } });
});

rule("SOS 17.23", "only infantry, engineers and armor attack worse from a minefield", () => {
  const roll = (unit: string) =>
    table(
      { g1: { type: unit, at: "2009", af: 15 }, sm: "s-mine 2009", s1: "s-inf 2010", g2: "g-inf 2110", ...ELSEWHERE },
      phase5("2010"),
    );
  const drms = (t: Table) => t.play("hex 2010", "all", "normal", "done: 10").rolls[0]!["drms"] as JsonObject;
  expect(drms(roll("g-eng"))).toHaveProperty("on-minefield", 1);
  expect(drms(roll("g-stug"))).toHaveProperty("on-minefield", 1);
  expect(drms(roll("g-at"))).not.toHaveProperty("on-minefield");
});

rule("SOS 9.82", "the owner of an attacked hex may give up its minefield in place of a unit", () => {
  const units = { ...strong, sm: "s-mine 2010", s1: "s-inf 2010", ...ELSEWHERE };
  const t = table(units, phase5("2010"));
  t.play("hex 2010", "normal", "done: 2");
  expect([t.ask, t.legal]).toEqual(["loss.pick", ["unit sm", "unit s1"]]);
  expect(t.play("unit sm").at("s1")).toBe("2010");
});

rule("SOS 17.31", "a fort gives +1 against attacks and bombs, but not for armor alone", () => {
  const roll = (units: Units) =>
    table({ ...strong, fort: "s-fort 2010", ...ELSEWHERE, ...units }, phase5("2010")).play(
      "hex 2010",
      "normal",
      "done: 10",
    ).rolls[0]!["drms"];
  expect(roll({ s1: "s-inf 2010" })).toHaveProperty("fort", 1);
  expect(roll({ st: "s-tank 2010" })).not.toHaveProperty("fort");
});

rule("SOS 17.32", "a fort is lost with its last defender, and falls to the first unit that enters", () => {
  const units = { ...strong, s1: "s-inf 2010", fort: "s-fort 2010", ...ELSEWHERE };
  const t = table(units, phase5("2010")).play("hex 2010", "normal", "done: 1");
  expect([t.at("s1"), t.at("fort")]).toEqual(["dead", "dead"]);
  const walk = table({ g1: "g-inf 2012", fort: "s-fort 2011" }).play("unit g1", "hex 2011");
  expect([walk.at("g1"), walk.at("fort")]).toEqual(["2011", "dead"]);
});

test("a task waits where no counter is free", () => {
  const used = { "brg-1": "bridge", "brg-2": "bridge" };
  const units = Object.fromEntries(
    Object.entries(used).map(([id, t], i) => [id, { type: t, side: "german", at: `202${i}` }]),
  );
  const t = table({ ge: working("g-eng 2010", "bridge", 0), ...units }, { phase: 2, stage: "plot-first", ...balka });
  expect([left(t, "ge"), t.position["phase"]]).toEqual([0, 3]);
});
