import { expect, test } from "vitest";
import { EventLog, EVERYTHING } from "../../../../env/index.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../../rule.js";
import { attacks, Table } from "../table.js";
import { of, REGIMENT, plot, one, strong } from "./positions.js";

const rule = ruleTests(rules);

rule("SOS 4.1", "what units did in a phase is forgotten at its end", () => {
  const did = {
    g1: { type: "g-inf", at: "2040", opFired: true },
    g2: { type: "g-inf", at: "2041", defFired: true },
    g3: { type: "g-motinf", at: "2042", dismounted: true, modeChanged: true },
    g4: { type: "g-inf", at: "2043", opFiredIn: 10 },
    go: { type: "g-op", at: "2044", pinned: true, newPin: true },
    s1: { type: "s-inf", at: "2060", ordered: true },
    sa: { type: "s-aa", at: "2061", aaFired: true },
  };
  const table = new Table({ ...did, gx: "g-inf 3031", sx: "s-inf 3030" }, attacks(12, "3031"));
  table.play("normal", "done: 10");
  expect(table.position["phase"]).toBe(14);
  for (const id of Object.keys(did))
    for (const mark of ["ordered", "opFired", "defFired", "modeChanged", "aaFired", "newPin", "opFiredIn"])
      expect([id, mark, table.unit(id)[mark]]).toEqual([id, mark, undefined]);
});

rule("SOS 3.3", "a draw reaches from its first to its last point, and the margin is level in its middle", () => {
  const levels = { germanMarginal: 3, germanDecisive: 5, sovietDecisive: 0, draw: [1, 2] };
  const table = (adjust: number) =>
    new Table(
      { g1: "g-inf 2009" },
      { phase: 1, stage: "end", turn: 3, vp: { adjust }, victory: { hexes: {}, levels } },
    );
  const returns = (points: number) => {
    const { env } = table(points).play("declare-end");
    const out = new Float32Array(2);
    env.game.returns(env.state, out);
    return Math.sign(out[0]!);
  };
  expect([0, 1, 2, 3].map(returns)).toEqual([-1, 0, 0, 1]);
  const margin = (points: number) => {
    const { env } = table(points);
    return env.game.margin!(env.state);
  };
  expect(margin(1)).toBeCloseTo(-margin(2));
  expect(margin(2)).toBeGreaterThan(0);
});

rule("SOS 3.2", "in shaping, the enemy's losses are a gain and one's own a loss", () => {
  const worth = (german: string, soviet: string) => {
    const units = { g1: { type: "g-inf", at: german }, s1: { type: "s-inf", at: soviet } };
    const { env } = new Table(units, { phase: 1, stage: "end" });
    return env.game.potentials!["points"]!(env.state);
  };
  expect(worth("2009", "dead")).toBeGreaterThan(worth("2009", "2020"));
  expect(worth("dead", "2020")).toBeLessThan(worth("2009", "2020"));
});

test("the reported number of legal actions is the number marked", () => {
  const aa = { g1: "g-inf 3008", s1: "s-inf 2010", sa: "s-aa 2013" };
  const led = {
    gl: of("g-leader", "2010", REGIMENT),
    g1: of("g-inf", "2012", `${REGIMENT}/I`),
    g2: of("g-inf", "2060", `${REGIMENT}/I`),
  };
  const positions = [
    new Table(aa, plot(one)).play("hex 2010", "wbbt"),
    new Table({ ...aa, sb: "s-aa 2013" }, plot(one)).play("hex 2010", "wbbt"),
    new Table({ g1: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2010" }, { phase: 3, stage: "mark" }),
    new Table(led).play("unit gl"),
    new Table({ g1: "g-inf 2009" }, { phase: 1, stage: "end", turn: 3 }),
  ];
  expect(positions.map((p) => p.ask)).toEqual(["aa.unit", "aa.unit", "mark.hex", "move.group", "admin.end"]);
  expect(positions[3]!.legal).toContain("hex 2060"); // a report to a company of the command
  for (const { env, ask } of positions) {
    const mask = new Uint8Array(env.game.actions.length);
    const told = env.game.legalMask(env.state, mask, 0);
    expect([ask, told]).toEqual([ask, mask.reduce((n, legal) => n + legal, 0)]);
  }
});

rule("SOS 4.3", "a bombardment in which nobody has anything to fire is not announced", () => {
  const table = new Table({ g1: "g-inf 2009", s1: "s-inf 2020" }, { phase: 1, stage: "end", turn: 3 });
  const log = new EventLog([EVERYTHING]);
  table.env.step("continue", undefined, log);
  const phases = log.take(EVERYTHING).filter(({ what }) => what === "phase");
  expect(phases.length).toBeGreaterThan(0);
  for (const { text } of phases) expect(text).not.toMatch(/bombard/i);
});

rule("SOS 3.3", "if a position names no levels neither side is ahead", () => {
  const { env } = new Table({ g1: "g-inf 2009" });
  expect(env.game.margin!(env.state)).toBe(0);
});

test("positions name units of the game alone", () => {
  expect(() => new Table({ g1: "g-inf 2009" }, { known: { german: ["nobody"] } })).toThrow(/there is no unit nobody/);
});

rule("SOS 18.41", "the turns that a wounded leader is away are not the result of a table", () => {
  const units = { ...strong, s1: "s-inf 2010", sc: of("s-commissar", "2010", "62A/112RD") };
  const { env, rolls } = new Table(units, attacks(5, "2010")).play("normal", "done", "done: 1 5 3");
  expect(rolls.at(-1)).toEqual({ kind: "wound", die: 3 });
  const { globals } = env.observe(0);
  const index = env.game.observation.globals.findIndex((f: { name: string }) => f.name === "last_result");
  expect(globals[index]).toBe(0);
});
