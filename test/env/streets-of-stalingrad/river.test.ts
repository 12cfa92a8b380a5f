import { expect, test } from "vitest";
import { EventLog, type GameEvent, type JsonObject, newState, ScriptedDice } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { attacks, Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

/** Arrow 8 leads from Volga hex 0130 to bank 0230. */
const arrow = (bank: string): JsonObject => ({
  base: "blank",
  hexes: { "0130": { t: "volga", arrow: 8 }, "0230": { t: bank, landing: 8 } },
});
const night = (phase = 10, stage = "normal", bank = "clear"): JsonObject => ({ phase, stage, map: arrow(bank) });
const hexes = (table: Table): string[] => table.legal.filter((name) => name.startsWith("hex "));

/** What a viewer reads of an action. */
function told(table: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

rule("SOS 8.41", "units in a box of the East Bank move in phases 10 and 14 only, and no German goes there", () => {
  const units = { s1: "s-inf eb-c", s2: "s-tank 2060", g1: "g-inf 0430" };
  expect(new Table(units, night(10)).legal).toContain("unit s1");
  expect(new Table(units, night(14)).legal).toContain("unit s1");
  expect(new Table(units, { ...night(4, "reserves"), marks: { "2062": ["attack"] } }).legal).not.toContain("unit s1");
  expect(new Table({ ...units, s1: "s-tank eb-c" }, night(10, "breakthrough")).legal).not.toContain("unit s1");
  const german = new Table(units, { phase: 3, stage: "normal" }).play("unit g1");
  expect(german.legal.filter((name) => name.startsWith("hex 01") || name.startsWith("box"))).toEqual([]);
});

rule("SOS 8.35", "nobody leaves a box in the reserves phases", () => {
  const units = {
    s1: "s-inf eb-c",
    sl: { type: "s-leader", at: "eb-c", formation: "62A/13GRD/42" },
    s2: "s-tank 2060",
  };
  const asked = (reserves: string[]) =>
    new Table(units, { ...night(4, "reserves"), marks: { "2062": ["attack"] }, reserves }).legal;
  const legal = asked(["s2"]);
  expect(["unit s2", "unit s1", "unit sl"].map((name) => legal.includes(name))).toEqual([true, false, false]);
  expect(() => asked(["s2", "s1"])).toThrow("reserves[1]: s1 can't move in this phase");
});

rule("SOS 8.42", "going from box to box takes the whole phase", () => {
  const table = new Table({ s1: "s-inf eb-c", s2: "s-inf 2060" }, night()).play("unit s1", "box eb-s");
  expect(table.unit("s1")).toMatchObject({ at: "eb-s", ordered: true });
  expect(table.legal).not.toContain("unit s1");
  expect(new Table({ s1: "s-inf eb-c", s2: "s-inf 2060" }, night(10, "deploy")).play("unit s1").legal).not.toContain(
    "box eb-s",
  );
});

rule("SOS 8.63", "pinned units do not cross", () => {
  const table = new Table({ s1: { type: "s-inf", at: "eb-c", pinned: true }, s2: "s-inf eb-c" }, night());
  expect([table.legal.includes("unit s1"), table.legal.includes("unit s2")]).toEqual([false, true]);
});

rule("SOS 8.64", "units that cross are face down: the enemy sees only the backs, until the bank shows them", () => {
  const units = { s1: { type: "s-guards", at: "eb-c", formation: "62A/13GRD/42/1" }, gt: "g-tank 0330" };
  const table = new Table(units, night()).play("unit s1", "hex 0230");
  expect(table.ask).toBe("op.fire");
  const view = table.env.game.view(table.env.state, GERMAN);
  expect(view["faceDown"]).toEqual({ "0130": ["13GRD:ordered"] });
  expect(JSON.stringify(view)).not.toContain('"s1"');
  table.play("pass");
  expect(table.env.game.view(table.env.state, GERMAN)["units"]).toHaveProperty("s1");
});

rule("SOS 8.66", "off the arrows a bank hex takes one unit and one leader in a phase", () => {
  const guards = { type: "s-guards", at: "eb-c", formation: "62A/13GRD/42/1" };
  const units = {
    s1: guards,
    s2: guards,
    so: { type: "s-op", at: "eb-c", formation: "62A/1RD" },
    sl: { type: "s-leader", at: "eb-c", formation: "62A/13GRD/42" },
    gf: "g-inf 1233",
    sf: "s-inf 1133",
  };
  const bounds = { cols: [1, 12], rows: [33, 33] };
  const table = new Table(units, { phase: 10, stage: "normal", bounds }, { opFire: false });
  expect(table.legal).not.toContain("unit so");
  table.play("unit s1", "hex 0333");
  expect(table.position["crossed"]).toEqual({ "0233": { units: 1 } });
  expect([table.legal.includes("unit s2"), table.legal.includes("unit sl")]).toEqual([false, true]);
  table.play("unit sl", "hex 0233");
  expect(table.position["crossed"]).toEqual({ "0233": { units: 1, leader: true } });
});

rule("SOS 8.66", "nine units go over an arrow, and no leader counts", () => {
  const units = { sl: { type: "s-leader", at: "eb-c", formation: "62A/13GRD/42" }, s1: "s-inf eb-c", s9: "s-inf 2060" };
  const bounds = { cols: [1, 40], rows: [30, 30] };
  const full = { ...night(), bounds, crossed: { "8": { stacks: 3, units: 9 } } };
  const far = { gf: "g-inf 3530", sf: "s-inf 2030", s9: "s-inf 2130" };
  const table = new Table({ ...units, ...far }, full);
  expect([table.legal.includes("unit s1"), table.legal.includes("unit sl")]).toEqual([false, true]);
});

rule("SOS 8.67", "vehicles go up a cliff only at a landing", () => {
  const cliff = (landing: JsonObject): JsonObject => ({
    phase: 10,
    stage: "normal",
    bounds: { cols: [1, 12], rows: [32, 32] },
    map: { base: "blank", hexes: { "0132": { t: "volga", arrow: 8 }, "0232": { t: "cliff", ...landing } } },
  });
  const units = { s1: "s-tank eb-c", gf: "g-inf 1232", sf: "s-inf 1132" };
  expect(new Table(units, cliff({})).legal).not.toContain("unit s1");
  expect(new Table(units, cliff({ landing: 8 })).legal).toContain("unit s1");
  expect(new Table({ ...units, s1: "s-inf eb-c" }, cliff({})).legal).toContain("unit s1");
});

rule("SOS 8.70", "a unit goes back over the river for half of its points, walking to the bank first", () => {
  const table = new Table({ s1: "s-inf 0330", s9: "s-inf 2060" }, night(), { opFire: false }).play("unit s1");
  expect(table.legal).not.toContain("box eb-c");
  table.play("via", "hex 0230");
  expect(table.legal).toContain("box eb-c");
  table.play("box eb-c");
  expect(table.unit("s1")).toMatchObject({ at: "eb-c", ordered: true });
  expect(table.position["crossed"]).toEqual({ "8": { stacks: 1, units: 1 } });
});

rule("SOS 8.70", "who goes back over an arrow counts as one who comes: nine units in a phase", () => {
  const bounds = { cols: [1, 40], rows: [30, 30] };
  const units = { s1: "s-inf 0230", s2: "s-inf 0230", gf: "g-inf 3530", sf: "s-inf 2030" };
  const table = new Table(units, { ...night(), bounds, crossed: { "8": { stacks: 3, units: 8 } } }, { opFire: false });
  expect(table.play("unit s1").legal).toContain("box eb-c");
  expect(table.play("unit s2").legal).not.toContain("box eb-c");
});

rule("SOS 8.70", "a unit that attacked from the Volga is back in its box when the attacks are over", () => {
  const units = {
    s1: { type: "s-inf", at: "0130", from: "eb-n" },
    g1: "g-inf 0230",
    s2: "s-inf 3030",
    gx: "g-inf 3031",
  };
  const map = { base: "blank", hexes: { "0156": { t: "volga" }, "0230": { t: "clear", landing: 8 } } };
  const table = new Table(units, { phase: 12, stage: "attack", map, marks: { "3031": ["attack"] } });
  table.play("normal", "done: 10");
  expect(table.position["phase"]).not.toBe(12);
  expect(table.unit("s1")).toEqual({ type: "s-inf", at: "eb-n" });
});

rule("SOS 8.69", "a Volga hex is entered only beside an enemy on the bank, to attack it", () => {
  const table = new Table({ s1: "s-inf eb-c", s9: "s-inf 2060", g1: "g-inf 0233" }, night()).play("unit s1");
  expect(hexes(table).filter((name) => name.startsWith("hex 01"))).toEqual(["hex 0133", "hex 0134"]);
  table.play("hex 0133", "pass");
  expect(table.unit("s1")).toMatchObject({ at: "0133", from: "eb-c" });
});

rule("SOS 11.2", "German guns fire at units that cross the river, if a unit sees them; rockets don't", () => {
  const guns = { gh: "g-how 1030", gn: "g-neb 1031", go: "g-op-li 0330" };
  const table = new Table({ s1: "s-inf eb-c", s9: "s-inf 2060", ...guns }, night()).play("unit s1", "hex 0230");
  expect(table.legal).toEqual(["pass", "hold", "unit gh"]);
});

rule("SOS 11.5", "over the river the line of fire is always clear", () => {
  const wood = { ...(arrow("clear")["hexes"] as JsonObject), "0331": { t: "forest" }, "0330": { t: "forest" } };
  const units = { s1: "s-inf eb-c", s9: "s-inf 2060", gt: { type: "g-tank", at: "0431", range: 4 } };
  const table = new Table(units, { ...night(), map: { base: "blank", hexes: wood } }).play("unit s1", "hex 0230");
  expect(table.legal).toContain("unit gt");
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "0130" });
});

rule("SOS 16.83", "a German company that comes beside NKVD has the regiment throw, once in the game", () => {
  const regiment = (at: string, n: number) => ({ type: "s-nkvd", at, formation: `62A/10NKVD/269/${n}` });
  const units = { g1: "g-inf 2008", g2: "g-inf 2208", n1: regiment("2010", 1), n2: regiment("2012", 2) };
  const table = new Table(units, {}, { opFire: false }).play("unit g1", "hex 2009: 9 3");
  expect(table.rolls).toEqual([
    { kind: "nkvd", die: 9, result: "removed" },
    { kind: "nkvd", die: 3, result: "stays" },
  ]);
  expect([table.at("n1"), table.at("n2")]).toEqual(["dead", "2012"]);
  expect(table.position["nkvdChecked"]).toEqual(["62A/10NKVD/269"]);
});

rule("SOS 16.83", "a regiment throws also where its counter names no battalion", () => {
  const units = { g1: "g-inf 2013", n1: { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/269" } };
  const table = new Table(units, {}, { opFire: false }).play("unit g1", "hex 2011: 3");
  expect(table.rolls).toEqual([{ kind: "nkvd", die: 3, result: "stays" }]);
});

const RING = {
  w1: "g-inf 2007",
  w2: "g-inf 1808",
  w3: "g-inf 2208",
  w4: "g-inf 1810",
  w5: "g-inf 2210",
  w6: "g-inf 2010",
};
const evening = { turn: 4, phase: 15, stage: "attack" };

rule("SOS 19.2", "Soviet units take German zones of control off the way to the river", () => {
  const numberOf = (more: Readonly<Record<string, string>>): unknown =>
    new Table({ ...RING, ...more, s1: "s-guards 2009" }, evening, { opFire: false }).play("continue").unit("s1")["oos"];
  expect(numberOf({})).toBe(1);
  expect(numberOf({ s2: "s-inf 1909", s3: "s-inf 1809", s4: "s-inf 1709" })).toBe(undefined);
});

rule("SOS 19.3", "a unit that is cut off gets the next number in each Administrative Phase", () => {
  const table = new Table({ ...RING, s1: "s-guards 2009" }, evening, { opFire: false });
  expect([table.ask, table.unit("s1")["oos"]]).toEqual(["admin.end", undefined]);
  table.play("continue");
  expect(table.unit("s1")["oos"]).toBe(1);
});

test("supply does not matter if the bounds contain no river", () => {
  const bounds = { cols: [10, 40], rows: [1, 79] };
  const table = new Table({ ...RING, s1: "s-inf 2009" }, { ...evening, bounds }, { opFire: false }).play("continue");
  expect(table.unit("s1")).toEqual({ type: "s-inf", at: "2009" });
});

event("supply", "both sides read which units are cut off, and which are in supply again", () => {
  const table = new Table({ ...RING, s1: "s-guards 2009" }, evening, { opFire: false });
  for (const viewer of [GERMAN]) {
    const [cut] = told(table, viewer, "continue").filter((e) => e.what === "supply");
    expect(cut).toMatchObject({ rule: "SOS 19.3", units: ["s1"], amount: 1 });
    expect(cut!.text).toBe("Soviet s1 in 2009 (clear) is cut off from the river: marker 1.");
  }
});

event("reliability", "everyone reads its die", () => {
  const units = { g1: "g-inf 2008", n1: { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/269/1" } };
  const table = new Table(units, {}, { opFire: false }).play("unit g1");
  const [die] = told(table, GERMAN, "hex 2009", 9).filter((e) => e.what === "reliability");
  expect(die).toMatchObject({ rule: "SOS 16.83", by: "soviet", units: ["n1"] });
  expect(die!.dice).toEqual([
    {
      by: "soviet",
      purpose: "reliability of the NKVD in 2010",
      sides: 10,
      faces: [9],
      needed: "8 or more removed",
      result: "removed",
    },
  ]);
});

event("no-target", "if a regiment runs away while it is fired at the shot is void, and counts", () => {
  const n1 = { type: "s-nkvd", at: "2012", formation: "62A/10NKVD/269/1" };
  const table = new Table({ n1, gt: "g-tank 2010", s9: "s-inf 2060" }, { phase: 10, stage: "normal" });
  table.play("unit n1", "hex 2112");
  expect(table.ask).toBe("op.fire");
  const [shot] = told(table, SOVIET, "unit gt", 10).filter((e) => e.what === "no-target");
  expect(shot!.text).toBe("The fire of German gt at 2012 (clear) finds nobody.");
  expect([table.at("n1"), table.unit("gt")["opFired"]]).toEqual(["dead", true]);
});

/** A German company with many points attacks a Soviet tank in a city. */
const storm = (): Table =>
  new Table(
    {
      g1: { type: "g-inf", at: "2009", af: 30 },
      st: "s-tank 2010",
      gx: "g-inf 3030",
      gy: "g-inf 3030",
      sx: "s-inf 3031",
    },
    { ...attacks(5, "2010", "3031"), map: { base: "blank", hexes: { "2010": { t: "city" } } } },
  ).play("hex 2010", "normal");

rule("SOS 16.32", "from a die of 5 on nothing is left of a tank", () => {
  const table = storm().play("done: 1 5");
  expect([table.at("st"), table.unit("imm-1")]).toEqual(["dead", undefined]);
  expect(table.rolls[1]).toEqual({ kind: "tank", die: 5, result: "-" });
});

event("wreck", "everyone reads its die, and the counter that is left", () => {
  const [die] = told(storm(), GERMAN, "done", 1, 4).filter((e) => e.what === "wreck");
  expect(die).toMatchObject({
    text: "Soviet st in 2010 (city): die 4: immobilised.",
    units: ["st", "imm-1"],
    by: "soviet",
  });
});

rule("SOS 8.70", "who is on the Volga beside no bank goes back to a box that is in play", () => {
  const volga = ["0164", "0165", "0166", "0264", "0265", "0266"].map((hex) => [hex, { t: "volga" }]);
  const map = { base: "blank", hexes: Object.fromEntries(volga) as JsonObject };
  const bounds = { cols: [1, 36], rows: [30, 72] };
  const position = { phase: 12, stage: "attack", map, bounds, marks: { "1066": ["attack"] } };
  const table = new Table({ rf: "s-rf 0165", s1: "s-inf 1065", g1: "g-inf 1066" }, position);
  for (let n = 0; n < 20 && table.at("rf") === "0165"; n++)
    told(table, SOVIET, table.legal.at(-1)!, ...Array<number>(30).fill(10));
  expect(table.at("rf")).toMatch(/^eb-/);
  const { game } = table.env;
  expect(() => game.read(table.position, newState(game.stateSize), new ScriptedDice([]))).not.toThrow();
});

event("crosses", "both sides see which units go back over the river, the enemy by the backs", () => {
  const units = { s1: { type: "s-guards", at: "eb-c", formation: "62A/13GRD/42/1" }, gt: "g-tank 0330" };
  const play = () => new Table(units, night()).play("unit s1", "hex 0230");
  const [german] = told(play(), GERMAN, "unit gt", 2).filter((e) => e.what === "crosses");
  const [soviet] = told(play(), SOVIET, "unit gt", 2).filter((e) => e.what === "crosses");
  expect(german!.text).toBe("Soviet face-down counter (13GRD) goes back from 0130 (volga) to box eb-c.");
  expect(soviet!.text).toBe("Soviet s1 goes back from 0130 (volga) to box eb-c.");
});

event("crosses", "it names the box that the units came from, also where another one is nearer", () => {
  const units = {
    s1: { type: "s-inf", at: "0130", from: "eb-n" },
    g1: "g-inf 0230",
    s2: "s-inf 3030",
    gx: "g-inf 3031",
  };
  const map = { base: "blank", hexes: { "0156": { t: "volga" }, "0230": { t: "clear", landing: 8 } } };
  const position = { phase: 12, stage: "attack", map, marks: { "3031": ["attack"] } };
  const table = new Table(units, position).play("normal");
  const [back] = told(table, SOVIET, "done", 10).filter((e) => e.what === "crosses");
  expect(back).toMatchObject({
    text: "Soviet s1 goes back from 0130 (volga) to box eb-n.",
    places: ["0130", "eb-n"],
  });
});

event("changes-box", "the enemy reads how many go, and not which", () => {
  const play = () => new Table({ s1: "s-inf eb-c", s2: "s-inf 2060" }, night()).play("unit s1");
  const [german] = told(play(), GERMAN, "box eb-s").filter((e) => e.what === "changes-box");
  const [soviet] = told(play(), SOVIET, "box eb-s").filter((e) => e.what === "changes-box");
  expect(german).toMatchObject({ text: "Soviet 1 counter goes from box eb-c to box eb-s.", units: [] });
  expect(soviet).toMatchObject({ text: "Soviet s1 goes from box eb-c to box eb-s.", units: ["s1"] });
});

event("arrives", "both sides read that a leader is back", () => {
  const units = { sl: { type: "s-leader", at: "turn-4", formation: "62A/13GRD/42" }, s2: "s-inf 2060" };
  const table = new Table(units, { ...night(10, "arrive"), turn: 4 });
  expect(table.legal).toEqual(["box eb-s", "box eb-c", "box eb-n"]);
  const [back] = told(table, GERMAN, "box eb-n").filter((e) => e.what === "arrives");
  expect(back).toMatchObject({ text: "Soviet sl comes back to box eb-n.", units: ["sl"], by: "soviet" });
  expect(table.at("sl")).toBe("eb-n");
});

rule("SOS 8.67", "Germans beside the Volga hex of an arrow close it, unless the option opens it (R128)", () => {
  // the only bank hex besides is the German's
  const units = { s1: "s-inf eb-c", g1: "g-inf 0229", gf: "g-inf 1229", sf: "s-inf 1130" };
  const map = { base: "blank", hexes: { "0130": { t: "volga", arrow: 8 }, "0230": { t: "clear", landing: 8 } } };
  const bounds = { cols: [1, 12], rows: [29, 30] };
  const legal = (riverZones: boolean) =>
    hexes(new Table(units, { ...night(), map, bounds }, { riverZones, opFire: false }).play("unit s1"));
  expect(legal(true)).not.toContain("hex 0230");
  expect(legal(false)).toContain("hex 0230");
  const landed = new Table(units, { ...night(), map, bounds }, { riverZones: false, opFire: false });
  expect(landed.play("unit s1", "hex 0230").at("s1")).toBe("0230");
});

rule(
  "SOS 18.16",
  "a leader or OP alone lands in a zone of control only where a combat unit of the same side is",
  () => {
    // 0331 is beside the bank, and not beside the Volga hex of the arrow
    const lands = (chief: string, more: Record<string, string>): boolean => {
      const units = { sc: `${chief} eb-c`, s9: "s-inf 2060", ...more };
      const known = { german: [], soviet: "g1" in more ? ["g1"] : [] };
      return new Table(units, { ...night(), known }, { opFire: false }).play("unit sc").legal.includes("hex 0230");
    };
    for (const chief of ["s-leader", "s-op"]) {
      expect([chief, lands(chief, {})]).toEqual([chief, true]);
      expect([chief, lands(chief, { g1: "g-inf 0331" })]).toEqual([chief, false]);
      expect([chief, lands(chief, { g1: "g-inf 0331", s1: "s-inf 0230" })]).toEqual([chief, true]);
    }
  },
);

rule("SOS 14.84", "shells that interdict a landing slow units that cross to it: 1 MP for 5 AF", () => {
  const landings = (af: number, mode = "interdict", side = "german"): string[] => {
    const position = { ...night(), bombs: { "0230": [{ side, af, mode, until: 12 }] } };
    return hexes(new Table({ s1: "s-inf eb-c" }, position).play("unit s1"));
  };
  // infantry has 8 MP, and crossing takes half of them
  expect(landings(20 + 4)).toContain("hex 0230");
  expect(landings(20 + 5)).not.toContain("hex 0230");
  expect(landings(20 + 5, "fired")).toContain("hex 0230");
  expect(landings(20 + 5, "interdict", "soviet")).toContain("hex 0230");
});
