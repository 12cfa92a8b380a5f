import { expect, test } from "vitest";
import { EventLog, type GameEvent, gameFor, type JsonObject, newState, Rng, ScriptedDice } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { strong } from "./held/positions.js";
import { attacks, ground, Table } from "./table.js";
import { UNDER_FIRE } from "./woods.js";

type Units = Record<string, string | JsonObject>;
const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

const night = (units: Units, rest: JsonObject = {}, options = { opFire: false }): Table =>
  new Table(units, { phase: 10, stage: "normal", ...rest }, options);
const hexes = (t: Table): string[] => t.legal.filter((name) => name.startsWith("hex "));
const picks = (t: Table): string[] => t.legal.filter((name) => name.startsWith("unit "));
const carried = (t: Table): string[] => {
  const units = t.position["units"] as Record<string, JsonObject>;
  return Object.keys(units).filter((id) => units[id]!["carried"] === true);
};

/** What a viewer reads of an action. */
function told(t: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  t.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

rule("SOS 16.41", "transports carry foot infantry, engineers, mortars, leaders, OPs, snipers and dogs at 24 MP", () => {
  const reaches = (unit: string) =>
    night({ s1: `${unit} 2010`, st: "s-transport 2010" })
      .play("unit s1", "unit st")
      .legal.includes("hex 2034");
  for (const unit of ["inf", "guards", "nkvd", "eng", "mortar", "leader", "op", "sniper", "dog"])
    expect([unit, reaches(`s-${unit}`)]).toEqual([unit, true]);
  for (const unit of ["how", "at", "tank", "flame"]) expect([unit, reaches(`s-${unit}`)]).toEqual([unit, false]);
});

rule("SOS 16.42", "they go in the Soviet movement, exploit and reserves phases", () => {
  const units = { s1: "s-inf 2010", st: "s-transport 2010", sl: "s-leader 2010", g1: "g-inf 2013" };
  const reach = (rest: JsonObject) => {
    const t = new Table(units, rest, { opFire: false });
    return Math.max(
      ...hexes(t.play("unit s1", "unit st"))
        .map((h) => h.slice(4))
        .filter((h) => h.startsWith("20"))
        .map((h) => 10 - Number(h.slice(2))),
    );
  };
  expect(reach({ phase: 14, stage: "normal" })).toBe(9);
  const reserves = { phase: 4, stage: "reserves", marks: { "2012": ["attack"] } };
  expect(reach({ ...reserves, units: {} })).toBe(9);
  const armor = { ...units, tk: "s-tank 2020" };
  expect(picks(new Table(armor, { phase: 10, stage: "breakthrough" }))).toEqual(["unit tk"]);
});

rule("SOS 16.42", "in a retreat before combat a transport carries a unit farther than it can walk", () => {
  const units = { ...strong, s1: "s-guards 2010", s2: "s-guards 2010", st: "s-transport 2010", ...ELSEWHERE };
  const t = new Table(units, phase5("2010"), { opFire: false });
  t.play("hex 2010", "normal");
  expect(t.ask).toBe("retreat.unit");
  t.play("unit s1");
  expect([t.legal.includes("hex 2012"), t.legal.includes("hex 2016"), t.legal.includes("hex 2017")]).toEqual([
    true,
    true,
    false,
  ]);
  t.play("hex 2016");
  expect([t.at("s1"), t.at("st")]).toEqual(["2016", "2016"]);
  const walk = new Table(units, phase5("2010"), { opFire: false }).play("hex 2010", "normal", "unit s1", "hex 2012");
  expect([walk.at("s1"), walk.at("st")]).toEqual(["2012", "2010"]);
});

rule("SOS 16.44", "a transport that has carried a unit in this phase carries no other one in a retreat", () => {
  const far = (...transports: JsonObject[]): boolean => {
    const named = transports.map((more, i) => [`t${i}`, { type: "s-transport", at: "2010", ...more }]);
    const units = { ...strong, s1: "s-guards 2010", s2: "s-guards 2010", ...Object.fromEntries(named), ...ELSEWHERE };
    const t = new Table(units, phase5("2010"), { opFire: false }).play("hex 2010", "normal", "unit s1");
    expect(t.legal).toContain("hex 2012");
    return t.legal.includes("hex 2016");
  };
  expect(far({ tookTroop: true })).toBe(false);
  expect(far({ tookChief: true })).toBe(true);
  expect(far({ tookTroop: true }, {})).toBe(true);
});

rule("SOS 16.42", "in a retreat a transport takes, of equal ways, that of the lowest hex numbers (R13)", () => {
  const way = (to: string): string[] => {
    const units = { ...strong, s1: "s-guards 2010", s2: "s-guards 2010", st: "s-transport 2010", ...ELSEWHERE };
    const t = new Table(units, phase5("2010"), { opFire: false }).play("hex 2010", "normal", "unit s1");
    return told(t, SOVIET, `hex ${to}`).flatMap((e) => (e.what === "retreats" ? [e.places!.at(-1)!] : []));
  };
  expect(way("1915")).toEqual(["1911", "1912", "1913", "1914", "1915"]);
  expect(way("2213")).toEqual(["2011", "2012", "2113", "2213"]);
  // as far as a quarter of its MP takes it
  expect(way("2215")).toEqual(["2011", "2012", "2013", "2014", "2115", "2215"]);
});

rule("SOS 9.85", "attackers advance into a hex whose transports were lost, also where they could not retreat", () => {
  const asks = (more: Units): string[] => {
    const t = new Table(
      { ...strong, st: "s-transport 2010", ...more },
      { ...phase5("2010"), known: { german: ["st"] } },
    );
    told(t, GERMAN, "normal", 5);
    const list: string[] = [];
    for (let ask = ""; ask !== "advance.unit" && list.length < 4; list.push(ask)) {
      ask = String((t.position["decision"] as JsonObject | undefined)?.["ask"]);
      if (ask !== "advance.unit") t.play(t.legal[0]!);
    }
    return list;
  };
  const closed = { g5: "g-inf 1912", g6: "g-inf 2112", g7: "g-inf 1809", g8: "g-inf 2209", g9: "g-inf 2012" };
  expect(asks({}).at(-1)).toBe("advance.unit");
  expect(asks(closed)).toEqual(["advance.unit"]);
});

rule("SOS 16.43", "a pinned transport neither moves nor carries, a spent one does both", () => {
  const t = (more: JsonObject) => night({ s1: "s-inf 2010", st: { type: "s-transport", at: "2010", ...more } });
  expect(picks(t({ pinned: true }))).not.toContain("unit st");
  expect(picks(t({ pinned: true }).play("unit s1"))).toEqual([]);
  expect(t({ spent: true }).play("unit s1", "unit st").legal).toContain("hex 2034");
});

rule("SOS 16.44", "each carries one unit and one leader, OP, dog or sniper; others slow the group", () => {
  const units = {
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sl: "s-leader 2010",
    sn: "s-sniper 2010",
    st: "s-transport 2010",
  };
  const t = night(units).play("unit s1", "unit sl", "unit st");
  expect(carried(t)).toEqual(["s1", "sl"]);
  expect(t.legal).toContain("hex 2034");
  const two = night(units).play("unit s1", "unit s2", "unit st");
  expect(carried(two)).toEqual(["s1"]);
  expect(two.legal).not.toContain("hex 2019");
  const sniper = night(units).play("unit sl", "unit sn", "unit st");
  expect([carried(sniper), sniper.legal.includes("hex 2019")]).toEqual([["sl"], false]);
  const both = night({ ...units, t2: "s-transport 2010" }).play("unit s1", "unit s2", "unit sl", "unit st", "unit t2");
  expect(carried(both)).toEqual(["s1", "s2", "sl"]);
});

rule("SOS 16.44", "a transport carries one of each sort in a phase", () => {
  const units = { s1: "s-inf 2012", sl: "s-leader 2014", s3: "s-inf 2014", st: "s-transport 2010" };
  const t = night(units).play("unit st", "via", "hex 2012", "unit s1", "via", "hex 2014");
  expect(picks(t)).toEqual(["unit sl"]);
  const after = night({ ...units, st: { type: "s-transport", at: "2010", tookTroop: true } });
  expect(picks(after.play("unit st", "via", "hex 2012"))).toEqual([]);
});

rule("SOS 16.44", "a hex may contain three transports", () => {
  const units = { t1: "s-transport 2010", t2: "s-transport 2010", t3: "s-transport 2010", t4: "s-transport 2012" };
  expect(night(units).play("unit t4").legal).not.toContain("hex 2010");
  expect(night({ ...units, t3: "s-transport 2020" }).play("unit t4").legal).toContain("hex 2010");
});

rule("SOS 16.45", "on its way it picks up a unit, which rides to the end at no cost", () => {
  const t = night({ s1: "s-inf 2014", st: "s-transport 2010" }).play("unit st", "via", "hex 2014");
  expect(picks(t)).toEqual(["unit s1"]);
  t.play("unit s1");
  expect(t.legal).toContain("hex 2034");
  t.play("hex 2034");
  expect([t.at("s1"), t.at("st")]).toEqual(["2034", "2034"]);
  expect([t.unit("s1"), t.unit("st")]).toEqual([
    { type: "s-inf", at: "2034", ordered: true },
    { type: "s-transport", at: "2034", ordered: true, tookTroop: true },
  ]);
});

rule("SOS 16.45", "units that have moved or are pinned are not picked up", () => {
  const at = (more: JsonObject) =>
    picks(
      night({ s1: { type: "s-inf", at: "2014", ...more }, st: "s-transport 2010" }).play("unit st", "via", "hex 2014"),
    );
  expect(at({ ordered: true })).toEqual([]);
  const pinned = { s1: { type: "s-inf", at: "2010", pinned: true }, st: "s-transport 2010" };
  expect(picks(night(pinned).play("unit st"))).toEqual([]);
});

rule("SOS 16.46", "it enters a zone of control, unloads and goes on, and its passenger fights at once", () => {
  const units = { s1: "s-inf 2010", st: "s-transport 2010", g1: "g-inf 2013" };
  const t = night(units).play("unit s1", "unit st", "via", "hex 2012", "unload", "hex 2008");
  expect([t.at("s1"), t.at("st")]).toEqual(["2012", "2008"]);
  expect(t.unit("s1")).toEqual({ type: "s-inf", at: "2012", ordered: true });
  while (t.ask !== "mark.hex") t.play("done");
  expect(t.legal).toContain("hex 2013");
});

rule("SOS 16.46", "zones of control stop neither transports nor their passengers, but others with them", () => {
  const units = { s1: "s-inf 2010", s2: "s-inf 2010", st: "s-transport 2010", g1: "g-inf 2113", g2: "g-inf 1912" };
  const column = { bounds: { cols: [19, 21], rows: [5, 40] }, gf: "g-inf 2140", sf: "s-inf 1905" };
  const near = { gf: "g-inf 2140", sf: "s-inf 1905" };
  const rest = { bounds: column.bounds };
  expect(night({ ...units, ...near }, rest).play("unit s1", "unit st").legal).toContain("hex 2015");
  expect(night({ ...units, ...near }, rest).play("unit s1", "unit s2", "unit st").legal).not.toContain("hex 2015");
  expect(night({ ...units, ...near }, rest).play("unit s1").legal).not.toContain("hex 2013");
  const t = night({ ...units, ...near }, rest).play("unit s1", "unit st", "hex 2015");
  expect([t.at("s1"), t.at("st")]).toEqual(["2015", "2015"]);
});

rule("SOS 16.46", "nobody unloads where there is no room, or while a unit walks along", () => {
  const full = { a1: "s-inf 2014", a2: "s-inf 2014", a3: "s-inf 2014" };
  const units = { s1: "s-inf 2010", s2: "s-inf 2010", st: "s-transport 2010" };
  const at = (more: Units, ...steps: string[]) => night({ ...units, ...more }).play(...steps, "via", "hex 2014").legal;
  expect(at({}, "unit s1", "unit st")).toContain("unload");
  expect(at(full, "unit s1", "unit st")).not.toContain("unload");
  expect(at({}, "unit st")).not.toContain("unload");
  expect(at({ s2: "s-inf 2010" }, "unit s1", "unit s2", "unit st")).not.toContain("unload");
});

rule("SOS 16.47", "it moves through a breakthru marker, and takes no part in combat", () => {
  const units = { st: "s-transport 2009", g1: "g-inf 2010", s1: "s-inf 2110", s2: "s-inf 2110" };
  const t = new Table({ ...units, gx: "g-inf 3031", sx: "s-inf 3030" }, attacks(12, "2010", "3031"));
  t.play("hex 2010");
  expect(picks(t)).not.toContain("unit st");
  const gap = night({ st: "s-transport 2010", g1: "g-inf 2012" }, { marks: { "2011": ["breakthru"] } });
  expect(gap.play("unit st").legal).toContain("hex 2011");
});

rule("SOS 16.48", "a passenger is a vehicle for opportunity fire: guns fire by the anti-tank chart", () => {
  const units = { s1: "s-inf 2011", st: "s-transport 2011", g1: "g-at 2013" };
  const t = night(units, {}, { opFire: true }).play("unit s1", "unit st", "hex 2010", "unit g1: 10");
  expect(t.rolls[0]).toMatchObject({ kind: "opportunity", points: 6 });
  const foot = night({ ...units, st: "s-inf 2011" }, {}, { opFire: true }).play("unit s1", "hex 2010", "unit g1: 10");
  expect(foot.rolls[0]).toMatchObject({ points: 4 });
});

rule("SOS 16.44", "a passenger rides on a transport of its own group", () => {
  const t = night({ s1: "s-inf 2010", t1: "s-transport 2030", t2: "s-transport 2010" });
  t.play("unit s1", "unit t2", "hex 2014");
  expect([t.at("s1"), t.unit("t1")["tookTroop"], t.unit("t2")["tookTroop"]]).toEqual(["2014", undefined, true]);
});

rule("SOS 16.48", "who is elsewhere is not lost with a transport", () => {
  const gun = { type: "g-at", at: "2013", af: 30 };
  const units = { s0: "s-inf 2030", s1: "s-inf 2011", sl: "s-leader 2011", st: "s-transport 2011", g1: gun };
  const t = night(units, {}, { opFire: true }).play("unit s1", "unit sl", "unit st", "hex 2010", "unit g1: 4");
  expect(["s0", "s1", "sl", "st"].map((id) => t.at(id))).toEqual(["2030", "dead", "dead", "dead"]);
});

test("in a sample a transport under fire has taken who rides on it", () => {
  const game = gameFor(type, UNDER_FIRE);
  const [s, out] = [newState(game.stateSize), newState(game.stateSize)];
  game.start(s, new ScriptedDice([]));
  const rng = new Rng("rides");
  const sorts = new Set<string>();
  for (let i = 0; i < 60; i++) {
    expect(game.resample(s, GERMAN, out, rng)).toBe(true);
    expect(game.invariantViolation(out)).toBeNull();
    const all = Object.values(game.write(out)["units"] as Record<string, JsonObject>);
    const aboard = all
      .filter((u) => u["aboard"] === true)
      .map((u) => (CHIEFS.includes(u["type"] as string) ? "tookChief" : "tookTroop"));
    const took = all.flatMap((u) => ["tookTroop", "tookChief"].filter((key) => u[key] === true));
    expect(took.sort()).toEqual(aboard.sort());
    for (const sort of aboard) sorts.add(sort);
  }
  expect([...sorts]).toEqual(["tookTroop"]);
});
const CHIEFS = ["s-leader", "s-commissar", "s-op", "s-sniper"];

rule("SOS 16.48", "a passenger is lost with its transport, and no die is rolled for a leader", () => {
  const units = {
    s1: "s-inf 2011",
    sl: "s-leader 2011",
    st: "s-transport 2011",
    g1: { type: "g-at", at: "2013", af: 30 },
  };
  const t = night(units, {}, { opFire: true }).play("unit s1", "unit sl", "unit st", "hex 2010", "unit g1: 4");
  expect(t.rolls.map((r) => r["kind"])).toEqual(["opportunity"]);
  expect(["s1", "sl", "st"].map((id) => t.at(id))).toEqual(["dead", "dead", "dead"]);
});

rule(
  "SOS 16.48",
  "a transport alone can be fired at: of several the owner names one, and its passenger is lost with it",
  () => {
    const gun = { type: "g-at", at: "2013", af: 30 };
    const alone = night({ st: "s-transport 2011", g1: gun }, {}, { opFire: true });
    expect(alone.play("unit st", "hex 2010", "unit g1: 4").at("st")).toBe("dead");
    const units = { sl: "s-leader 2011", so: "s-op 2011", st: "s-transport 2011", t2: "s-transport 2011", g1: gun };
    const two = night(units, {}, { opFire: true });
    two.play("unit sl", "unit so", "unit st", "unit t2", "hex 2010", "unit g1: 4");
    expect(two.ask).toBe("loss.pick");
    two.play("unit st");
    expect(["st", "sl", "t2", "so"].map((id) => two.at(id))).toEqual(["dead", "dead", "2011", "2011"]);
  },
);

rule("SOS 16.48", "a German combat unit that enters its hex takes it", () => {
  const t = new Table({ st: "s-transport 2011", g1: "g-inf 2012" }, {}, { opFire: false }).play("unit g1", "hex 2011");
  expect([t.at("st"), t.at("g1")]).toEqual(["dead", "2011"]);
});

rule(
  "SOS 16.49",
  "it is lost with the last combat unit of its hex, also to bombs, and does not count as a loss",
  () => {
    const units = {
      go: { type: "g-op", at: "2007", formation: "51K/71ID" },
      h1: { type: "g-how", at: "2025", af: 30, formation: "51K/71ID" },
      st: "s-transport 2010",
    };
    const plot = { phase: 2, stage: "plot-first" };
    const one = new Table({ ...units, s1: "s-inf 2010" }, plot).play("hex 2010", "crt: 3");
    expect([one.at("s1"), one.at("st")]).toEqual(["dead", "dead"]);
    const two = new Table({ ...units, s1: "s-inf 2010", s2: "s-inf 2010" }, plot).play("hex 2010", "crt: 4");
    expect(two.legal).toEqual(["unit s1", "unit s2"]);
    expect(two.play("unit s1").at("st")).toBe("2010");
  },
);

const river: JsonObject = {
  map: { base: "blank", hexes: { "0130": { t: "volga", arrow: 8 }, "0230": { t: "forest", landing: 8 } } },
};

rule("SOS 7.3", "a transport that crosses the river is face up, and its passenger is not", () => {
  const units = { s1: "s-inf eb-c", st: "s-transport eb-c", s9: "s-inf 2060" };
  const t = night(units, river).play("unit s1", "unit st", "hex 0230");
  const view = t.env.game.view(t.env.state, GERMAN);
  expect(view["units"]).toHaveProperty("st");
  expect(view["faceDown"]).toMatchObject({ "0230": ["star:ordered"] });
});

rule("SOS 8.64", "a transport and its passenger cross for half of the transport's MP", () => {
  const units = { s1: "s-inf eb-c", st: "s-transport eb-c", s9: "s-inf 2060" };
  const clear = {
    map: { base: "blank", hexes: { "0130": { t: "volga", arrow: 8 }, "0230": { t: "clear", landing: 8 } } },
  };
  const t = night(units, clear).play("unit s1", "unit st");
  expect([t.legal.includes("hex 1430"), t.legal.includes("hex 1530")]).toEqual([true, false]);
});

test("the enemy does not learn which units ride", () => {
  const woods = ground({ "2010": "forest", "2011": "forest", "2012": "forest" });
  const units = { s1: "s-inf 2010", s2: "s-inf 2010", st: "s-transport 2010", sl: "s-leader 2010" };
  const t = night(units, woods).play("unit s1", "unit st", "unit sl");
  const events = told(t, GERMAN, "hex 2011");
  expect(events.filter((e) => e.what === "rides")).toEqual([]);
  expect(JSON.stringify(events)).not.toMatch(/"s1"|"st"|MP/);
  expect(JSON.stringify(t.env.game.view(t.env.state, GERMAN))).not.toMatch(/carried|aboard|took/);
});

test("samples of a walk have no more passengers than transports carry", () => {
  const woods = ground({ "2010": "forest", "2011": "forest", "2012": "clear" });
  const units = { s1: "s-inf 2010", s2: "s-inf 2010", st: "s-transport 2010", sl: "s-leader 2010", g1: "g-at 2014" };
  const t = night(units, woods, { opFire: true }).play("unit s1", "unit st", "unit sl", "hex 2012");
  expect(t.ask).toBe("op.fire");
  const { game, state } = t.env;
  const out = newState(game.stateSize);
  const rng = new Rng("rides");
  for (let i = 0; i < 40; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    expect(game.invariantViolation(out)).toBeNull();
  }
});

test("a walk with passengers reads back", () => {
  const units = { s1: "s-inf 2014", s2: "s-inf 2010", st: "s-transport 2010", t2: "s-transport 2010" };
  const t = night(units).play(
    "unit s2",
    "unit st",
    "unit t2",
    "via",
    "hex 2014",
    "unit s1",
    "via",
    "hex 2016",
    "unload",
  );
  const { game, state } = t.env;
  const doc = game.write(state);
  expect(doc["decision"]).toMatchObject({ via: ["2014", "2016"], unload: ["2016"] });
  const back = newState(game.stateSize);
  game.read(JSON.parse(JSON.stringify(doc)) as JsonObject, back, new ScriptedDice([]));
  expect(game.write(back)).toEqual(doc);
});

const order = (group: string[], more: JsonObject = {}): JsonObject => ({
  frames: [{ ask: "move.select", actor: "soviet" }],
  decision: { ask: "move.group", actor: "soviet", group, kind: "normal", ...more },
});
const refused: readonly [string, Units, JsonObject, string][] = [
  [
    "a passenger without a transport",
    { s1: { type: "s-inf", at: "2010", carried: true }, st: "s-transport 2020" },
    {},
    "units.s1.carried: no transport has an order",
  ],
  [
    "a passenger in a game without transports",
    { s1: { type: "s-inf", at: "2010", carried: true } },
    {},
    "units.s1.carried: no transport of the game carries it",
  ],
  [
    "more than it carries",
    {
      s1: { type: "s-inf", at: "2010", carried: true },
      s2: { type: "s-inf", at: "2010", carried: true },
      st: "s-transport 2010",
    },
    order(["s1", "s2", "st"]),
    "units.s2.carried: 1 transports carry no more of its sort",
  ],
  [
    "a tank that rides",
    { s1: { type: "s-tank", at: "2010", carried: true }, st: "s-transport 2010" },
    order(["s1", "st"]),
    "units.s1.carried: no transport of the game carries it",
  ],
  [
    "a pinned passenger",
    { s1: { type: "s-inf", at: "2010", carried: true, pinned: true }, st: "s-transport 2010" },
    order(["st"]),
    "units.s1.carried: a pinned unit does not ride",
  ],
  [
    "aboard and elsewhere",
    { s1: { type: "s-inf", at: "2012", carried: true, aboard: true }, st: "s-transport 2010" },
    order(["st"]),
    "units.s1.carried: a unit that is aboard moves with the transports",
  ],
  [
    "aboard, not carried",
    { s1: { type: "s-inf", at: "2010", aboard: true }, st: "s-transport 2010" },
    order(["s1", "st"]),
    "units.s1.aboard: it is not carried",
  ],
  [
    "a load of others",
    { s1: { type: "s-inf", at: "2010", tookTroop: true } },
    {},
    "units.s1.tookTroop: only transports",
  ],
  [
    "unloading elsewhere",
    { s1: "s-inf 2010", st: "s-transport 2010" },
    order(["s1", "st"], { via: ["2012"], unload: ["2014"] }),
    "decision.unload[0]: the group doesn't come by hex 2014",
  ],
];
test.each(refused)("a position is refused: %s", (_name, units, rest, says) => {
  expect(() => night(units, rest)).toThrow(says);
});

test("prompts say which units ride, and what unloading does", () => {
  const texts = (t: Table) =>
    Object.fromEntries(
      t.env.game
        .narration!.prompt(t.env.state, SOVIET)
        .choices.map(({ action, text }) => [t.env.game.actions[action], text]),
    );
  const units = { s1: "s-inf 2010", s2: "s-inf 2014", st: "s-transport 2010", t2: "s-transport 2010" };
  const begin = night(units).play("unit st");
  expect(texts(begin)["unit t2"]).toBe("Take t2 (transport 0-0-24) along");
  const t = night({ ...units, st: "s-transport 2010", s1: "s-inf 2010" }).play("unit s1", "unit st", "unit t2", "via");
  t.play("hex 2014");
  expect(texts(t)["unit s2"]).toBe("Pick s2 (infantry 3-3-8) up here; it rides to the end, or to where you unload");
  expect(texts(t)["unload"]).toBe("Put down in 2014 (clear) whoever rides; the transports go on");
});

event("rides", "units get on transports and off, and only their side reads it", () => {
  const t = night({ s1: "s-inf 2010", st: "s-transport 2010" }).play("unit s1", "unit st", "via", "hex 2012", "unload");
  expect(
    told(t, SOVIET, "hex 2008")
      .filter((e) => e.what === "rides")
      .map((e) => e.text),
  ).toEqual(["Soviet s1 gets on transports in 2010 (clear).", "Soviet s1 gets off in 2012 (clear)."]);
});
