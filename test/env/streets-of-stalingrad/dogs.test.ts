import { expect, test } from "vitest";
import {
  EventLog,
  gameFor,
  type GameEvent,
  type JsonObject,
  newState,
  openCase,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { streetsOfStalingrad as twinsOf } from "../../conformance/twins/streets-of-stalingrad.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";
import { KENNEL } from "./woods.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET] = [0, 1];

/** Germans beside 2010, which is attacked; a dog in it, and a tank beside the dog that does not attack. */
const units = {
  g1: "g-inf 2009",
  g2: "g-inf 2009",
  gt: "g-tank 2110",
  s1: "s-inf 2010",
  sd: "s-dog 2010",
} as const;
const attack = (more: Readonly<Record<string, string | JsonObject>> = {}, rest: JsonObject = {}): Table =>
  new Table({ ...units, ...more }, { ...attacks(5, "2010"), ...rest });

function told(table: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}

rule("SOS 16.22", "a dog attacks armor beside it before a German attack, whether that armor attacks or not", () => {
  const table = attack().play("unit g1", "unit g2", "done", "normal");
  expect([table.ask, table.legal]).toEqual(["dog.use", ["pass", "unit sd"]]);
  table.play("unit sd: 2");
  expect([table.at("gt"), table.at("sd"), table.ask]).toEqual(["dead", "dead", "df.target"]);
  expect(table.rolls).toEqual([{ kind: "dog", die: 2, result: "hit" }]);
});

rule("SOS 16.22", "it may be beside any German attack, not only in the attacked hex", () => {
  const table = attack({ sd: "s-dog 2111" }).play("hex 2010", "unit g1", "unit g2", "done", "normal", "unit sd: 10");
  expect([table.at("gt"), table.at("sd")]).toEqual(["2110", "dead"]);
});

rule("SOS 16.22", "nobody is asked without armor beside a dog, nor of a pinned dog, nor before a Soviet attack", () => {
  const far = attack({ gt: "g-tank 2212" }).play("unit g1", "unit g2", "normal");
  const pinned = attack({ sd: { type: "s-dog", at: "2010", pinned: true } });
  const dismounted = { type: "g-ainf", at: "2110", dismounted: true };
  expect(far.ask).toBe("df.target");
  expect(pinned.play("unit g1", "unit g2", "done", "normal").ask).toBe("df.target");
  expect(attack({ gt: dismounted }).play("unit g1", "unit g2", "done", "normal").ask).toBe("df.target");
  const soviet = new Table({ ...units, s2: "s-inf 2008" }, attacks(12, "2009")).play("unit s1", "done", "normal");
  expect(soviet.ask).toBe("df.target");
});

test("where no dog can be used nobody is asked, even one who is asked about everything", () => {
  const far = new Table({ ...units, gt: "g-tank 2212" }, attacks(5, "2010"), { autoSingle: false });
  far.play("hex 2010", "unit g1", "unit g2");
  expect(far.play(...(far.legal.includes("done") ? ["done"] : []), "normal").ask).toBe("df.target");
});

rule("SOS 16.22", "after a dog another one is sent, to any hex beside it", () => {
  const both = { se: "s-dog 2010", gu: "g-tank 2011" };
  const table = attack(both).play("unit g1", "unit g2", "done", "normal", "unit sd", "hex 2110: 10");
  expect([table.at("sd"), table.ask]).toEqual(["dead", "dog.use"]);
  expect(table.play("unit se").legal).toEqual(["hex 2011", "hex 2110"]);
});

test("a prompt names the armor that is known, also the first counter of all", () => {
  const known = { t0: "g-tank 2110", ...units, gu: "g-tank 2110" };
  const table = new Table(known, attacks(5, "2010")).play("unit g1", "unit g2", "done", "normal", "unit sd");
  const { choices } = table.env.game.narration!.prompt(table.env.state, SOVIET);
  expect(choices.map(({ name, units: of }) => [name, of])).toEqual([
    ["enemy 0", ["t0"]],
    ["enemy 1", ["gt"]],
    ["enemy 2", ["gu"]],
  ]);
});

rule("SOS 16.21", "guns alone make no attack: no dog is used", () => {
  const table = attack({ gm: "g-mortar 2009", s1: "s-inf 2010" }, { marks: { "3031": ["attack"] }, turn: 2 });
  expect(table.legal).toContain("hex 2010");
  table.play("hex 2010", "unit gm", "done", "crt: 10");
  expect(table.ask).not.toBe("dog.use");
});

rule("SOS 16.21", "before a breakthrough attack it is used as well, and only then", () => {
  const table = new Table({ ...units, gt: "g-tank 2110" }, { phase: 3, stage: "breakthrough" });
  table.play("hex 2010", "unit gt", "done");
  while (table.ask !== "dog.use") table.play(table.legal[0]!);
  table.play("unit sd: 1");
  // it was the only attacker: the attack ends without a die
  expect([table.at("gt"), table.at("s1")]).toEqual(["dead", "2010"]);
  expect(table.rolls.map((r) => r["kind"])).toEqual(["dog"]);
});

rule("SOS 16.23", "on 1 and 2 the tank is lost with the dog, and the leader in its hex throws", () => {
  const table = attack({
    gl: { type: "g-leader", at: "2110", formation: "51K/24PZ" },
    g1: { type: "g-inf", at: "2009", formation: "51K/24PZ/21/I" },
  }).play("unit g1", "unit g2", "done", "normal");
  table.play("unit sd: 1 10");
  expect(table.rolls.map((r) => r["kind"])).toEqual(["dog", "leader"]);
  // left alone, the leader goes to the only other hex of the command
  expect(table.at("gl")).toBe("2009");
});

rule("SOS 16.24", "on 3 to 10 the dog alone is lost", () => {
  for (const die of [3, 10]) {
    const table = attack().play("unit g1", "unit g2", "done", "normal", `unit sd: ${die}`);
    expect([table.at("gt"), table.at("sd")]).toEqual(["2110", "dead"]);
    expect(table.rolls).toEqual([{ kind: "dog", die, result: "-" }]);
  }
});

rule("SOS 16.22", "each of two dogs is asked about; who passes keeps it for the next attack", () => {
  const table = attack({ s3: "s-dog 2111" }).play("hex 2010", "unit g1", "unit g2", "done", "normal");
  expect(table.legal).toEqual(["pass", "unit sd", "unit s3"]);
  table.play("unit s3: 7");
  expect([table.ask, table.legal]).toEqual(["dog.use", ["pass", "unit sd"]]);
  table.play("pass");
  expect([table.ask, table.at("sd")]).toEqual(["df.target", "2010"]);
});

rule("SOS 16.26", "lost dogs are not replaced", () => {
  const table = new Table(
    { sd: { type: "s-dog", at: "dead", af: 1 }, s1: "s-inf dead", s2: "s-inf 0570" },
    { phase: 10, stage: "arrive", replacements: { soviet: { af: 30 } }, map: { base: "standard" } },
  );
  expect(table.legal).toContain("unit s1");
  expect(table.legal).not.toContain("unit sd");
});

/** The German counters are face down in the city; the dog is beside two hexes of it. */
const hidden = (more: Readonly<Record<string, string>> = {}): Table =>
  attack(
    { gt: "g-tank 2110", g3: "g-inf 2110", g4: "g-inf 1911", g5: "g-inf 2011", ...more },
    ground({ "2011": "city", "2110": "city", "1911": "city", "2009": "city", "2010": "city", "3031": "city" }),
  ).play("unit g1", "unit g2", "done", "normal");

rule(
  "SOS 16.22",
  "of face-down counters beside it the owner says how many are armor, and the Soviet side chooses one",
  () => {
    const table = hidden({ gu: "g-tank 2110" }).play("unit sd");
    expect([table.ask, table.legal]).toEqual(["dog.target", ["hex 1911", "hex 2011", "hex 2110"]]);
    table.play("hex 2110");
    expect([table.ask, table.legal]).toEqual(["dog.target", ["enemy 0", "enemy 1"]]);
    expect(JSON.stringify(table.env.game.narration!.prompt(table.env.state, SOVIET))).not.toMatch(/\b(gt|gu)\b/);
    table.play("enemy 1: 1");
    expect([table.at("gt"), table.at("gu")].sort()).toEqual(["2110", "dead"]);
  },
);

rule("SOS 16.22", "where none is armor the dog has not been used, and that hex is not asked about again", () => {
  const table = hidden().play("unit sd", "hex 1911");
  expect([table.ask, table.at("sd")]).toEqual(["dog.use", "2010"]);
  table.play("unit sd");
  expect(table.legal).toEqual(["hex 2011", "hex 2110"]);
  expect(opened(table.position)).toEqual(table.position);
});

event("dog-runs", "the German side hears of a dog when it runs, and not before", () => {
  const table = hidden();
  const seen = (): string =>
    JSON.stringify([
      table.env.game.view(table.env.state, GERMAN),
      table.env.game.narration!.prompt(table.env.state, GERMAN),
    ]);
  expect(seen()).not.toContain("dog");
  expect(told(table, GERMAN, "unit sd")).toEqual([]);
  expect(seen()).not.toContain("dog");
  expect(told(table, GERMAN, "hex 2110", 9).map((e) => e.what)).toEqual([
    "reveals",
    "dog-runs",
    "reveals",
    "dog",
    "lost",
  ]);
});

event("dog", "all read the die, what it needed, and what it did", () => {
  const table = hidden();
  told(table, GERMAN, "unit sd");
  const runs = told(table, GERMAN, "hex 2110", 9).find((e) => e.what === "dog")!;
  expect(runs).toMatchObject({ by: "soviet", places: ["2110"] });
  expect(runs.dice).toMatchObject([{ sides: 10, faces: [9], needed: "2 or less destroys it", result: "no effect" }]);
});

test("a position is refused where a dog is named that is none, or no armor is where it is sent", () => {
  const frame = (more: JsonObject): JsonObject => ({
    scenario: "sandbox",
    phase: 5,
    stage: "attack",
    marks: { "2010": ["attack"] },
    units: Object.fromEntries(
      Object.entries({ ...units, gf: "g-inf 3530" }).map(([id, at]) => [
        id,
        { type: at.split(" ")[0]!, at: at.split(" ")[1]! },
      ]),
    ),
    decision: { ask: "dog.target", actor: "soviet", hex: "2010", attackers: ["g1"], ...more },
  });
  expect(() => opened(frame({}))).toThrow("dog.target names the dog");
  expect(() => opened(frame({ unit: "s1" }))).toThrow("s1 is no mine dog");
  expect(() => opened(frame({ unit: "sd", focus: "2009" }))).toThrow("no German armor is beside sd in 2009");
});
/** What is written of a position that was read. */
function opened(position: JsonObject): JsonObject {
  const env = openCase(type, { id: "dogs", rule: "", position, options: {}, steps: [] });
  return env.game.write(env.state);
}

test("which counters are armor comes out nowhere but by what a dog asks", () => {
  const game = gameFor(type, KENNEL);
  const complaints = new Complaints();
  const { different } = leakPairs(game, 400, "kennel", complaints, new Starts(game, "kennel", 4), twinsOf(game));
  expect(complaints.list()).toEqual([]);
  expect(different).toBeGreaterThan(50);
});

/** Samples for the Soviet side of the kennel, where 0410 is attacked and a question about dogs is open. */
function* samples(decision: JsonObject, n = 60): Generator<Record<string, JsonObject>> {
  const asked = { actor: "soviet", hex: "0410", attackers: ["g1"], ...decision };
  const all = KENNEL["units"] as Record<string, JsonObject>;
  const units = { ...all, g4: { ...all["g4"], at: "0511" } } as JsonObject;
  const position = { ...KENNEL, phase: 5, stage: "attack", marks: { "0410": ["attack"] }, units, decision: asked };
  const { game, state } = openCase(type, { id: "samples", rule: "", position, options: {}, steps: [] });
  const out = newState(game.stateSize);
  const rng = new Rng("dogs");
  for (let i = 0; i < n; i++) {
    expect(game.resample(state, SOVIET, out, rng)).toBe(true);
    yield game.write(out)["units"] as Record<string, JsonObject>;
  }
}
const armorIn = (all: Record<string, JsonObject>, hex: string): number =>
  ["g3", "g4", "g6"].filter((id) => all[id]!["at"] === hex).length;

rule(
  "SOS 16.22",
  "in a sample as many counters are armor as their owner has said, and none where none was said",
  () => {
    const focused = [...samples({ ask: "dog.target", unit: "sd", focus: "0511" })];
    expect(new Set(focused.map((all) => armorIn(all, "0511")))).toEqual(new Set([2]));
    expect(new Set(focused.map((all) => armorIn(all, "0411")))).toEqual(new Set([0, 1]));
    for (const all of samples({ ask: "dog.use", unarmored: ["0611"] })) expect(armorIn(all, "0611")).toBe(0);
  },
);

test("fights without a dog never hear of one", () => {
  const table = new Table({ g1: "g-inf 2009", g2: "g-inf 2009", s1: "s-inf 2010" }, attacks(5, "2010")).play(
    "unit g1",
    "unit g2",
    "normal",
  );
  expect(table.ask).toBe("df.target");
  expect(JSON.stringify(table.position)).not.toContain("dogs");
});
