import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ELSEWHERE, phase5, three } from "./set-ups.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);

rule("SOS 14.97", "an OP goes with the last unit of its hex, in defensive fire too", () => {
  const units = { g1: "g-inf 2009", go: "g-op 2009", s1: { type: "s-inf", at: "2010", df: 20 } };
  const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "normal", "all: 1");
  expect([table.at("g1"), table.at("go")]).toEqual(["dead", "dead"]);
  // with another unit beside it, it stays
  const kept = new Table({ ...units, ...ELSEWHERE, g2: "g-inf 2009" }, phase5("2010"));
  expect(kept.play("hex 2010", "unit g1", "done", "normal", "all: 1").at("go")).toBe("2009");
});

rule("SOS 14.97", "an OP goes with the last of the movers that opportunity fire hits", () => {
  const units = { g1: "g-inf 2013", go: "g-op 2013", s1: { type: "s-inf", at: "2010", df: 20 } };
  const table = new Table(units).play("unit g1", "unit go", "hex 2011");
  expect(table.ask).toBe("op.fire");
  table.play("unit s1: 1");
  expect([table.at("g1"), table.at("go")]).toEqual(["dead", "dead"]);
});

rule("SOS 9.82", "forts go with the last unit of their hex, OPs too when a counter-attack is lost", () => {
  const fort = { s1: "s-inf 2009", sf: "s-fort 2009", g1: "g-inf 2010", g2: "g-inf 2010", gx: "g-inf 3031" };
  const other = { sx: "s-inf 3030", sy: "s-inf 3030" };
  const fired = new Table({ ...fort, ...other }, attacks(12, "2010", "3031")).play(
    "hex 2010",
    "normal",
    "done",
    "all: 1",
  );
  expect([fired.at("s1"), fired.at("sf")]).toEqual(["dead", "dead"]);
  const units = { ...three, ...ELSEWHERE, s0: "s-inf 2010", s1: "s-guards 2011", s2: "s-guards 1911", so: "s-op 2011" };
  const struck = () => new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 1", "unit g1", "done");
  const one = struck().play("unit s1", "done: 1");
  expect([one.at("s1"), one.at("so")]).toEqual(["dead", "dead"]);
});

/** Two German companies attack a hex where no combat unit is. */
const attackOn = (units: Record<string, string>) =>
  new Table({ g1: "g-inf 2009", g2: "g-inf 2009", ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "all");

rule("SOS 14.97", "an OP alone is fired at directly: without an answer, and any loss takes it", () => {
  const hit = attackOn({ so: "s-op 2010" }).play("normal: 1");
  expect(hit.rolls).toMatchObject([{ kind: "attack", hex: "2010", points: 10 }]);
  expect(hit.at("so")).toBe("dead");
  expect(hit.ask).toBe("advance.unit");
  // a miss leaves it, and opens nothing (R37)
  const missed = attackOn({ so: "s-op 2010" }).play("normal: 10");
  expect(missed.rolls).toMatchObject([{ kind: "attack", result: "-" }]);
  expect([missed.at("so"), missed.ask]).toEqual(["2010", "attack.unit"]);
  expect([missed.unit("g1")["spent"], missed.unit("g2")["spent"]]).toEqual([true, true]);
});

rule(
  "SOS 18.17",
  "the die rolled at the hex of a leader who is alone and face down neither hurts the leader nor opens the hex",
  () => {
    const hidden = { ...phase5("2010"), ...ground({ "2010": "suburb" }) };
    const table = new Table({ g1: "g-inf 2009", sl: "s-leader 2010", ...ELSEWHERE }, hidden);
    table.play("hex 2010", "normal", "done: 1");
    expect(table.rolls).toMatchObject([{ kind: "attack" }]);
    expect([table.at("sl"), table.ask]).toEqual(["2010", "attack.unit"]);
  },
);
