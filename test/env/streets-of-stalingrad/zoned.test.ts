import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
type Units = Record<string, string | JsonObject>;
/** gb is far behind, with gf in front of it, and may always deploy. */
const REAR = { gb: "g-inf 3025", gf: "g-inf 3530", sf: "s-inf 3570" };
const strong = { g1: { type: "g-inf", at: "2009", af: 15 } };
const TAKEN = ["hex 2010", "unit g1", "done", "normal", "done: 1", "done"];
const breakthrough: JsonObject = { phase: 3, stage: "breakthrough" };
const quiet = { opFire: false };
const deploying = (units: Units, rest: JsonObject, ...steps: string[]): readonly string[] => {
  const table = new Table({ ...REAR, ...units }, rest, quiet).play(...steps);
  expect(table.position["stage"]).toBe("deploy");
  return table.legal;
};

rule("SOS 8.24", "a zone of control lifted during the phase frees nobody for deployment", () => {
  const units = { ...strong, g2: "g-inf 1911", s1: "s-inf 2010" };
  expect(deploying(units, breakthrough, ...TAKEN)).toEqual(["done", "unit gb"]);
  // who began beside no enemy deploys
  expect(
    deploying(
      { ...strong, g2: "g-inf 1908", s1: "s-inf 2010" },
      breakthrough,
      ...TAKEN.slice(0, 1),
      "normal",
      "done: 1",
      "done",
    ),
  ).toContain("unit g2");
});

rule("SOS 8.24", "a zone of control that nobody knew of until its unit was lost frees nobody either", () => {
  const units = { ...strong, g2: "g-inf 1911", s1: "s-inf 2010" };
  const hidden = { ...breakthrough, ...ground({ "2010": "suburb" }) };
  expect(deploying(units, hidden, ...TAKEN)).toEqual(["done", "unit gb"]);
});

rule("SOS 8.24", "by night Soviets that began in a German zone stay, too", () => {
  const units = {
    ...{ s1: { type: "s-inf", at: "2009", af: 15 }, s2: "s-inf 1911", g1: "g-inf 2010" },
    ...{ gf: "g-inf 3570", sf: "s-inf 3530", sb: "s-inf 3025" },
  };
  const table = new Table(units, { phase: 10, stage: "breakthrough" }, quiet);
  table.play("hex 2010", "unit s1", "done", "normal", "done: 1", "done");
  expect([table.position["stage"], table.legal]).toEqual(["deploy", ["done", "unit sb"]]);
});

rule("SOS 8.24", "positions say which units began in a zone, where these aren't the units in one now", () => {
  const left = { ...REAR, ...strong, g2: "g-inf 1911" };
  const units = { ...left, s1: "s-inf 2010" };
  const table = new Table(units, breakthrough, quiet).play(...TAKEN.slice(0, -1));
  expect(table.unit("g2")).toMatchObject({ zoned: true });
  const deploy = { phase: 3, stage: "deploy" };
  expect(new Table({ ...left, g2: { type: "g-inf", at: "1911", zoned: true } }, deploy, quiet).legal).not.toContain(
    "unit g2",
  );
  expect(new Table({ ...left, g2: "g-inf 1911" }, deploy, quiet).legal).toContain("unit g2");
  // an enemy who came in the phase holds back nobody who began outside
  const came = { ...units, g2: { type: "g-inf", at: "1911", zoned: false } };
  expect(new Table(came, deploy, quiet).legal).toContain("unit g2");
  expect(() => new Table({ g2: { type: "g-inf", at: "1911", zoned: true } }, { phase: 5, stage: "attack" })).toThrow(
    /units\.g2\.zoned.*no order of this phase awaits it/,
  );
});
