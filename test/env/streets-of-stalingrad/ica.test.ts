import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";
import { ELSEWHERE, phase5, three } from "./set-ups.js";

const rule = ruleTests(rules);

const cleared = {
  ...three,
  ...ELSEWHERE,
  s0: "s-inf 2010",
  s1: "s-guards 2011",
  s2: "s-guards 1911",
  s3: "s-guards 2013",
};
const entered = (units: Record<string, string> = cleared) =>
  new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 1", "unit g1", "done");

rule("SOS 12.1", "the defender may strike back at a hex just entered", () => {
  const table = entered();
  expect(table.ask).toBe("ica.unit");
  expect(table.play("pass").unit("g1")).toMatchObject({ at: "2010", spent: true });
  const halted = new Table(cleared, phase5("2010")).play("hex 2010", "all", "normal", "done: 1", "done");
  expect(halted.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 12.2", "once for each hex entered", () => {
  const table = entered().play("unit s1", "done: 2");
  expect(table.at("s1")).toBe("dead");
  expect(table.position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 12.3", "from beside the hex only", () => {
  expect(entered().legal).not.toContain("unit s3");
});

rule("SOS 12.4", "from several hexes together", () => {
  const table = entered().play("all: 2");
  expect(table.rolls[0]).toMatchObject({ kind: "ica", drm: 4 });
});

rule("SOS 12.8", "the loser picks", () => {
  const table = entered().play("unit s1", "unit s2: 1");
  expect(table.rolls[0]).toMatchObject({ mdr: 5, result: "D1" });
  expect(table.at("g1")).toBe("dead");
  const lost = entered().play("all: 1");
  expect(lost.at("g1")).toBe("dead");
});

rule("SOS 12.6", "units driven back go two hexes, each step away from the hex", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011" };
  const table = new Table(
    { ...units, ...ELSEWHERE },
    {
      ...phase5(),
      attacked: ["2010"],
      frames: [{ ask: "attack.target", actor: "german" }],
      decision: { ask: "ica.unit", actor: "soviet", hex: "2010" },
    },
  );
  table.play("all: 7", "unit g1");
  // 1911 and 2111 lie in the zone of the Soviets in 2011
  expect(table.legal).toEqual(["hex 1910", "hex 2009", "hex 2110"]);
  table.play("hex 2009");
  expect(table.at("g2")).toBe("2009");
  expect(table.legal).not.toContain("hex 2010");
  table.play("hex 2008");
  expect(table.at("g2")).toBe("2008");
  expect(table.ask).toBe("advance.unit");
  expect(table.play("unit s1", "done").unit("s2")).toMatchObject({ at: "2011", spent: true });
});
