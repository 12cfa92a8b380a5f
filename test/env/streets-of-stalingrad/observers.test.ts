import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const REGIMENT = "51K/71ID/191";
const ELSEWHERE = { gx: "g-inf 3030", sx: "s-inf 3060" };
/** After combat an OP and its unit retreat; so does one of another hex later. */
const RETREAT = { g1: { type: "g-inf", at: "2009", af: 20 }, s1: "s-guards 2010", so: of("s-op", "2010", "62A") };
const RETREATS = {
  ...attacks(5, "2010", "3031"),
  decision: { ask: "after.unit", actor: "soviet", hex: "2010", left: ["s1"], attackers: ["g1"] },
};
const pinned = (at: string) => ({ type: "g-inf", at, pinned: true });

rule("SOS 9.111", "an OP goes into a hex with a pin and no farther", () => {
  const ring = ["1910", "1911", "2009", "2011", "2110", "2111"];
  const all = Object.fromEntries(ring.map((at, i) => [`p${i}`, pinned(at)]));
  const { legal } = new Table({ go: of("g-op", "2010", "51K/71ID"), ...all }).play("unit go");
  expect(legal).toContain("hex 2009");
  expect(legal).not.toContain("hex 2007");
});

rule("SOS 9.111", "an OP that goes to a pinned unit of its command at once is pinned there", () => {
  const units = {
    go: of("g-op", "2010", "51K/71ID"),
    g1: of("g-inf", "2050", `${REGIMENT}/I`, { pinned: true }),
    s1: "s-inf 2053",
  };
  const table = new Table(units).play("unit go", "hex 2050");
  expect([table.at("go"), table.unit("go")["pinned"]]).toEqual(["2050", true]);
});

rule("SOS 9.111", "an OP that follows a retreat into a hex with a pin is pinned, but still spots in this phase", () => {
  const units = { ...RETREAT, ...ELSEWHERE, sx: "s-inf 3031" };
  const table = new Table(units, RETREATS);
  table.play("hex 2011");
  expect([table.at("s1"), table.at("so")]).toEqual(["2011", "2011"]);
  const pin = { ...units, s1: { type: "s-guards", at: "2010", pinned: true } };
  const held = new Table(pin, RETREATS).play("hex 2011");
  expect(held.unit("so")).toMatchObject({ at: "2011", pinned: true, newPin: true });
  // one that was pinned before is not pinned again (SOS 14.94)
  const before = { ...pin, so: of("s-op", "2010", "62A", { pinned: true }) };
  const still = new Table(before, RETREATS).play("hex 2011").unit("so");
  expect(still).toMatchObject({ at: "2011", pinned: true });
  expect(still).not.toHaveProperty("newPin");
});

rule("SOS 9.87", "an OP that followed a retreat does not follow a later one", () => {
  const units = { ...RETREAT, ...ELSEWHERE, sx: "s-guards 3031", sy: "s-guards 3031" };
  const table = new Table(units, RETREATS).play("hex 2011");
  for (let k = 0; k < 5 && table.ask !== "retreat.unit"; k++)
    table.play(table.legal.includes("normal") ? "normal" : "done");
  table.play("unit sx", "hex 3033");
  expect([table.at("sx"), table.at("so"), table.at("s1")]).toEqual(["3033", "2011", "2011"]);
});

rule("SOS 14.95", "an OP that spots for a breakthrough misses the next movement phase too", () => {
  const units = {
    gt: of("g-tank", "2009", `${REGIMENT}/II`),
    gm: of("g-mortar", "2007", REGIMENT),
    go: of("g-op", "2008", "51K/71ID"),
    s1: "s-inf 2010",
  };
  const table = new Table(units, { phase: 3, stage: "breakthrough" });
  table.play("hex 2010", "unit gm", "done: 10");
  expect(table.unit("go")).toMatchObject({ noMove: true, noMoveNext: true });
  const until = (phase: number) => {
    for (let k = 0; k < 20 && (table.position["phase"] as number) < phase; k++)
      table.play(table.legal.find((a) => ["done", "pass"].includes(a))!);
    return table.unit("go");
  };
  expect(until(7)).toMatchObject({ noMove: true });
  expect(table.legal).not.toContain("unit go");
  expect(until(9)).not.toHaveProperty("noMove");
});

rule("SOS 14.95", "an OP that spots in defence against a breakthrough misses one movement phase of its side", () => {
  const units = {
    gt: "g-tank 2009",
    s1: of("s-inf", "2010", "62A/13GRD/42"),
    sm: of("s-mortar", "2013", "62A/13GRD"),
    so: of("s-op", "2011", "62A"),
  };
  const table = new Table(units, { phase: 3, stage: "breakthrough" });
  table.play("hex 2010", "hex 2009", "unit sm", "unit s1: 10 10");
  expect(table.unit("so")).toMatchObject({ noMove: true });
  expect(table.unit("so")).not.toHaveProperty("noMoveNext");
});

rule("SOS 14.95", "an OP that spots in an attack phase moves again after the next movement phase", () => {
  const units = {
    gh: of("g-how", "2020", "51K/71ID"),
    go: of("g-op", "2008", "51K/71ID"),
    s1: "s-inf 2010",
    gx: "g-inf 3030",
    sx: "s-inf 3031",
  };
  const table = new Table(units, attacks(5, "3031")).play("hex 2010", "crt: 10");
  expect(table.unit("go")).toMatchObject({ noMove: true });
  expect(table.unit("go")).not.toHaveProperty("noMoveNext");
});

rule(
  "SOS 14.95",
  "an OP that spots in the exploit attack phase misses the movement phase after it, not that before",
  () => {
    const units = {
      gh: of("g-how", "2020", "51K/71ID"),
      go: of("g-op", "2008", "51K/71ID"),
      s1: "s-inf 2010",
      gx: "g-inf 3030",
      sx: "s-inf 3031",
    };
    const table = new Table(units, attacks(8)).play("hex 2010", "crt: 10");
    for (let k = 0; k < 20 && (table.position["phase"] as number) < 10; k++)
      table.play(table.legal.find((a) => ["done", "pass", "continue"].includes(a)) ?? table.legal[0]!);
    expect(table.position["phase"]).toBe(10);
    expect(table.unit("go")).toMatchObject({ noMove: true });
  },
);

rule("SOS 14.94", "an OP that is pinned when a phase begins does not spot in it", () => {
  const units = {
    gh: of("g-how", "2020", "51K/71ID"),
    go: of("g-op", "2008", "51K/71ID", { pinned: true, newPin: true }),
    g1: "g-inf 2009",
    g2: "g-inf 2009",
    s1: "s-inf 2010",
  };
  const table = new Table(units, { phase: 3, stage: "mark" }).play("hex 2010");
  for (let k = 0; k < 3 && table.position["phase"] === 3; k++) table.play("done");
  expect(table.position["phase"]).toBe(5);
  expect(table.unit("go")).toMatchObject({ pinned: true });
  expect(table.unit("go")).not.toHaveProperty("newPin");
});
