import { expect, test } from "vitest";
import { type JsonObject, openCase } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
type Units = Record<string, string | JsonObject>;

const nkvd = { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/269/1" };
/** A P against 2010, a suburb unless it is said otherwise. */
const pinned = (units: Units, terrain = "suburb"): Table => {
  const led = "sc" in units;
  const die = (terrain === "city" ? 3 : 4) - (led ? 1 : 0);
  const table = new Table(
    { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009", ...units },
    { ...attacks(5, "2010"), ...ground({ "2010": terrain }), nkvdChecked: ["62A/10NKVD/269"] },
  ).play("unit g1", "unit g2", "unit g3", "normal");
  // with a leader they might retreat before the attack
  if (led) table.play("done");
  return table.play(`done: ${die}`);
};

rule("SOS 9.884", "NKVD units without a leader have no choice in a suburb: they go", () => {
  const table = pinned({ n1: nkvd, n2: nkvd });
  expect(table.rolls.at(-1)!["result"]).toBe("P");
  expect([table.ask, table.legal]).toEqual(["after.unit", ["unit n1", "unit n2"]]);
});

rule(
  "SOS 9.884",
  "others of the hex may stay for a unit, also for one of the NKVD, whose rest goes all the same",
  () => {
    const table = pinned({ n1: nkvd, n2: nkvd, s1: "s-inf 2010" });
    expect([table.ask, table.legal]).toEqual(["after.choice", ["retreat", "sacrifice"]]);
    table.play("sacrifice");
    expect([table.ask, table.legal]).toEqual(["loss.pick", ["unit n1", "unit n2", "unit s1"]]);
    const again = openCase(type, { id: "nkvd", rule: "", position: table.position, options: {}, steps: [] });
    expect(again.game.write(again.state)).toEqual(table.position);
    table.play("unit n2");
    expect([table.ask, table.at("n2"), table.at("s1")]).toEqual(["after.hex", "dead", "2010"]);
    table.play(table.legal[0]!);
    expect([table.at("n1") === "2010", table.at("s1")]).toEqual([false, "2010"]);
  },
);

rule("SOS 9.884", "with nobody else who could stay there is no choice", () => {
  expect(pinned({ n1: nkvd, so: "s-op 2010" }).ask).not.toBe("after.choice");
});

rule("SOS 9.884", "with a leader they may stay, and the unit given up is one of them", () => {
  const table = pinned({ n1: nkvd, s1: "s-inf 2010", sc: "s-commissar 2010" });
  expect(table.legal).toEqual(["retreat", "sacrifice"]);
  table.play("sacrifice: 10");
  expect([table.at("n1"), table.at("s1"), table.at("sc")]).toEqual(["dead", "2010", "2010"]);
});

rule("SOS 9.884", "in a city they alone go, with a leader they may be given up", () => {
  const alone = pinned({ n1: nkvd, s1: "s-inf 2010" }, "city");
  expect([alone.rolls.at(-1)!["result"], alone.ask]).toEqual(["P", "after.hex"]);
  const led = pinned({ n1: nkvd, s1: "s-inf 2010", sc: "s-commissar 2010" }, "city");
  expect([led.ask, led.legal]).toEqual(["after.choice", ["retreat", "sacrifice"]]);
});

/**
 * Germans on every second hex round 2010: the three others are in their zones of control, and what is behind is free.
 */
const ring = { g1: "g-inf 2011", g2: "g-inf 1910", g3: "g-inf 2110" };
const cutOff = (units: Units = {}, rest: JsonObject = {}): Table =>
  new Table({ ...ring, sl: "s-leader 2010", ...units }, { phase: 10, stage: "normal", ...rest }, { opFire: false });

rule("SOS 18.32", "a leader who is cut off goes through a zone of control alone, and throws at -4", () => {
  const table = cutOff().play("unit sl");
  const choice = table.env.game.narration!.prompt(table.env.state, 1).choices.find((c) => c.name === "hex 1811")!;
  expect(choice.text).toContain("throws for survival once on the way, at -4");
  // 7 - 4 wounds the leader, who gets through and misses 3 turns
  table.play("hex 1811: 7 3");
  expect(table.rolls).toEqual([
    { kind: "leader", die: 7, drm: -4, mdr: 3, result: "wounded" },
    { kind: "wound", die: 3 },
  ]);
  expect(table.at("sl")).toBe("turn-6");
});

rule("SOS 18.32", "a leader may be lost on the way, and is captured after stopping wounded beside the enemy", () => {
  expect(cutOff().play("unit sl", "hex 1811: 6").at("sl")).toBe("dead");
  expect(cutOff().play("unit sl", "hex 1911: 10").at("sl")).toBe("dead");
});

rule("SOS 18.32", "a second wound is the end", () => {
  const table = cutOff({ g4: "g-inf 1712" }).play("unit sl", "hex 1811: 10 10");
  expect([table.rolls.map((r) => r["result"]), table.at("sl")]).toEqual([["wounded", "wounded"], "dead"]);
});

rule("SOS 18.32", "who is in supply does not go through, nor does a group, nor an OP", () => {
  const free = new Table(
    { g1: ring.g1, g2: ring.g2, sl: "s-leader 2010" },
    { phase: 10, stage: "normal" },
    { opFire: false },
  );
  expect(free.play("unit sl").legal).not.toContain("hex 1911");
  expect(cutOff({ sl: "s-op 2010" }).legal).not.toContain("unit sl");
  expect(cutOff({ s1: "s-inf 2010" }).play("unit sl").legal).toContain("hex 1811");
  expect(cutOff({ s1: "s-inf 2010" }).play("unit sl", "unit s1").legal).not.toContain("hex 1811");
});

rule("SOS 18.32", "a sniper beside the zone of control worsens the die of a German", () => {
  const soviets = { s1: "s-inf 2011", s2: "s-inf 1910", s3: "s-inf 2110", sn: "s-sniper 2011" };
  const table = new Table({ ...soviets, gl: "g-leader 2010" }, { phase: 3, stage: "normal" }, { opFire: false });
  table.play("unit gl", "hex 1811: 10 1");
  expect(table.rolls[0]).toEqual({ kind: "leader", die: 10, drm: -5, mdr: 5, result: "wounded" });
  expect(table.at("gl")).toBe("turn-4");
});

test("who was cut off is in documents, of Germans for leaders", () => {
  const soviets = { s1: "s-inf 2011", s2: "s-inf 1910", s3: "s-inf 2110" };
  const table = new Table({ ...soviets, gl: "g-leader 2010", g1: "g-inf 2030" }, { phase: 3, stage: "normal" });
  const units = table.position["units"] as Record<string, JsonObject>;
  expect(units["gl"]).toEqual({ type: "g-leader", at: "2010" });
  const other = { ...table.position, units: { ...units, gl: { ...units["gl"], isolated: false } } };
  const again = openCase(type, { id: "cut", rule: "", position: other, options: {}, steps: [] });
  expect(again.game.write(again.state)).toEqual({ ...other, options: again.game.write(again.state)["options"] });
  const wrong = { ...table.position, units: { ...units, g1: { ...units["g1"], isolated: true } } };
  expect(() => openCase(type, { id: "cut", rule: "", position: wrong, options: {}, steps: [] })).toThrow(
    "units.g1.isolated: of the Germans only leaders",
  );
});

test("a document notes of a German leader who is cut off what differs from what the Germans know", () => {
  const hidden = { s1: "s-op 2011", s2: "s-op 1910", s3: "s-op 2110" };
  const cover = ground({ "2011": "suburb", "1910": "suburb", "2110": "suburb" });
  const table = new Table({ ...hidden, gl: "g-leader 2010" }, { phase: 3, stage: "normal", ...cover });
  const units = table.position["units"] as Record<string, JsonObject>;
  expect(units["gl"]).toEqual({ type: "g-leader", at: "2010" }); // each of them may be a combat unit
  const free = { ...table.position, units: { ...units, gl: { ...units["gl"], isolated: false } } };
  const again = openCase(type, { id: "cut", rule: "", position: free, options: {}, steps: [] });
  expect((again.game.write(again.state)["units"] as Record<string, JsonObject>)["gl"]).toEqual({
    type: "g-leader",
    at: "2010",
    isolated: false,
  });
});
