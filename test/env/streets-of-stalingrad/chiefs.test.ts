import { describe, expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });
const REGIMENT = "51K/71ID/191";
const ELSEWHERE = { gx: "g-inf 3030", sx: "s-inf 3060" };
const pinned = (at: string) => ({ type: "g-inf", at, pinned: true });

rule("SOS 18.14", "a leader enters and passes a hex with a pin without being pinned", () => {
  const units = { gl: of("g-leader", "2010", REGIMENT), g1: pinned("2011") };
  const { legal } = new Table(units).play("unit gl");
  expect(legal).toEqual(expect.arrayContaining(["hex 2011", "hex 2012"]));
  expect(new Table(units).play("unit gl", "hex 2011").unit("gl")["pinned"]).toBeUndefined();
  // all around the leader
  const ring = ["1909", "1910", "1911", "2009", "2109", "2110", "2111"];
  const all = Object.fromEntries(ring.map((at, i) => [`p${i}`, pinned(at)]));
  expect(new Table({ ...units, ...all }).play("unit gl").legal).toContain("hex 2013");
});

rule("SOS 9.111", "a group stops at a pin wherever its leader is in the order of counters", () => {
  const ring = ["1910", "1911", "2009", "2011", "2110", "2111"];
  const all = Object.fromEntries(ring.map((at, i) => [`p${i}`, pinned(at)]));
  const [gl, g2] = [of("g-leader", "2010", REGIMENT), { type: "g-inf", at: "2010" }];
  for (const group of [
    { gl, g2 },
    { g2, gl },
  ]) {
    const { legal } = new Table({ ...group, ...all }).play(...Object.keys(group).map((id) => `unit ${id}`));
    expect(legal).toContain("hex 2009");
    expect(legal).not.toContain("hex 2007");
  }
});

rule("SOS 9.111", "units that go with a leader are pinned there, and the leader is not", () => {
  const units = { gl: of("g-leader", "2010", REGIMENT), g2: "g-inf 2010", g1: pinned("2011") };
  const table = new Table(units).play("unit gl", "unit g2", "hex 2011");
  expect(table.unit("g2")["pinned"]).toBe(true);
  expect(table.unit("gl")["pinned"]).toBeUndefined();
});

rule("SOS 9.71", "a German leader beside the attacked hex helps units of the command there", () => {
  const beside = (formation: string, at = "2011") => {
    const units = {
      s1: { type: "s-inf", at: "2009", af: 4 },
      g1: of("g-inf", "2010", `${REGIMENT}/I`),
      gl: of("g-leader", at, formation),
      sx: "s-inf 3030",
      gx: "g-inf 3031",
    };
    const table = new Table(units, attacks(12, "2010", "3031")).play("hex 2010", "normal", "done: 10");
    return table.rolls.at(-1)!["drms"];
  };
  expect(beside(REGIMENT)).toEqual({ "adjacent-leader": 1 });
  expect(beside("51K/295ID/516")).toEqual({});
  // not from farther off
  for (const at of ["1907", "1812", "2008"]) expect(beside(REGIMENT, at)).toEqual({});
});

rule(
  "SOS 9.71",
  "a leader beside the attacked hex helps, except a hero or one whose hex is a target in this phase",
  () => {
    const modifiers = (type: string, more: JsonObject = {}) => {
      const units = {
        g1: { type: "g-inf", at: "2009", af: 12 },
        s1: of("s-inf", "2010", "62A/13GRD/42/1"),
        s2: of("s-inf", "2011", "62A/13GRD/42/1"),
        sl: of(type, "2011", "62A/13GRD"),
        ...ELSEWHERE,
        gx: "g-inf 3030",
        sx: "s-inf 3031",
      };
      const { marks, ...rest } = attacks(5, "2010", "3031");
      const position = { ...rest, ...more, marks: { ...(marks as JsonObject), ...(more["marks"] as JsonObject) } };
      return new Table(units, position).play("hex 2010", "normal", "done: 10").rolls.at(-1)!["drms"];
    };
    expect(modifiers("s-leader")).toHaveProperty("adjacent-leader", 1);
    for (const hero of ["s-pavlov", "s-herman"]) expect(modifiers(hero)).not.toHaveProperty("adjacent-leader");
    for (const target of [
      { marks: { "2011": ["attack"] } },
      { marks: { "2011": ["attack-done"] }, attacked: ["2011"] },
    ])
      expect(modifiers("s-leader", target)).not.toHaveProperty("adjacent-leader");
  },
);

const leader = { gl: of("g-leader", "2030", REGIMENT), sl: of("s-leader", "2010", "62A/13GRD") };
const op = { go: of("g-op", "2030", "51K"), so: of("s-op", "2010", "62A") };

rule("SOS 18.15", "a leader has 16 hexes in exploit movement too", () => {
  const { legal } = new Table(leader, { phase: 7, stage: "normal" }).play("unit gl");
  expect(legal).toContain("hex 2046");
  expect(legal).not.toContain("hex 2047");
});

rule("SOS 18.15", "a Soviet leader has 16 hexes in the first turn, in every kind of movement", () => {
  for (const [phase, stage] of [
    [4, "reserves"],
    [10, "normal"],
    [14, "normal"],
  ] as const) {
    const { legal } = new Table(leader, { turn: 1, phase, stage }).play("unit sl");
    expect([phase, legal.includes("hex 2026"), legal.includes("hex 2027")]).toEqual([phase, true, false]);
  }
});

rule("SOS 14.92", "an OP has 16 hexes in reserves and exploit movement and in the first turn", () => {
  for (const [turn, phase, stage, id, far, farther] of [
    [2, 7, "normal", "go", "hex 2046", "hex 2047"],
    [2, 11, "reserves", "go", "hex 2046", "hex 2047"],
    [1, 14, "normal", "so", "hex 2026", "hex 2027"],
  ] as const) {
    const { legal } = new Table(op, { turn, phase, stage }).play(`unit ${id}`);
    expect([phase, legal.includes(far), legal.includes(farther)]).toEqual([phase, true, false]);
  }
});

/** Into and out of the city nobody says anything. */
const woods = ground({ "2010": "forest", "2011": "city" });

rule("SOS 14.97", "a leader or OP who comes alone leaves a lone OP where it is", () => {
  const so = of("s-op", "2010", "62A");
  for (const mover of [of("g-leader", "2012", REGIMENT), of("g-op", "2012", "51K")]) {
    const table = new Table({ gm: mover, so }).play("unit gm", "hex 2010");
    expect([table.at("gm"), table.at("so")]).toEqual(["2010", "2010"]);
  }
  const led = new Table({ gm: of("g-leader", "2012", REGIMENT), g1: "g-inf 2012", so });
  expect(led.play("unit gm", "unit g1", "hex 2010").at("so")).toBe("dead");
});

rule("SOS 18.31", "a leader stays with an enemy leader who comes alone, and makes way for a company", () => {
  const units = {
    gl: of("g-leader", "2012", REGIMENT),
    g1: "g-inf 2013",
    sl: of("s-leader", "2010", "62A/13GRD"),
    s1: of("s-inf", "2030", "62A/13GRD"),
    s2: of("s-inf", "2010", "62A/13GRD", { at: "2050" }),
  };
  const table = new Table(units).play("unit gl", "hex 2010");
  expect([table.at("gl"), table.at("sl")]).toEqual(["2010", "2010"]);
  expect(table.play("unit g1", "hex 2010").at("sl")).toBe("2030");
});

rule("SOS 16.48", "a leader does not take a transport that is alone", () => {
  const units = { gl: of("g-leader", "2012", REGIMENT), st: { type: "s-transport", at: "2010" } };
  const table = new Table(units).play("unit gl", "hex 2010");
  expect([table.at("gl"), table.at("st")]).toEqual(["2010", "2010"]);
});

rule("SOS 17.32", "a fort without a unit falls to the first unit that enters", () => {
  const units = { gl: of("g-leader", "2012", REGIMENT), sf: { type: "s-fort", at: "2010" } };
  expect(new Table(units).play("unit gl", "hex 2010").at("sf")).toBe("dead");
});

rule("SOS 6.5", "leaders face down in one hex are known to have no zone of control until one leaves", () => {
  const units = {
    gl: of("g-leader", "2012", REGIMENT),
    so: of("s-op", "2010", "62A"),
    ...ELSEWHERE,
  };
  const shared = { ...woods, announced: { "2010": "none" } };
  const table = new Table(units, shared).play("unit gl", "hex 2010");
  expect([table.at("gl"), table.at("so")]).toEqual(["2010", "2010"]);
  expect(table.position["announced"]).toEqual({ "2010": "none" });
  const left = new Table(
    { ...units, gl: of("g-leader", "2010", REGIMENT), g1: "g-inf 2012" },
    { ...shared, map: woods["map"]! },
  );
  expect(left.play("unit gl", "hex 2013").position["announced"]).toBeUndefined();
  expect(left.play("unit g1").legal).not.toContain("hex 2010");
});

rule("SOS 6.5", "an unseen OP is still known to have no zone of control when a known leader joins it", () => {
  const units = { gl: of("g-leader", "2012", REGIMENT), so: of("s-op", "2010", "62A"), ...ELSEWHERE };
  const table = new Table(units, {
    ...ground({ "2010": "forest" }),
    announced: { "2010": "none" },
    known: { soviet: ["gl"] },
  });
  table.play("unit gl", "hex 2010");
  expect([table.at("gl"), table.at("so")]).toEqual(["2010", "2010"]);
  expect(table.position["announced"]).toEqual({ "2010": "none" });
  expect((table.position["known"] as JsonObject)["soviet"]).toContain("gl");
  expect((table.position["known"] as JsonObject)["german"] ?? []).not.toContain("so");
});

rule("SOS 6.5", "a company that drives a leader out is not announced as having no zone of control", () => {
  const units = {
    g1: of("g-inf", "2011", `${REGIMENT}/I`),
    sl: of("s-leader", "2010", "62A/13GRD"),
    s1: of("s-inf", "1014", "62A/13GRD"),
    s2: of("s-inf", "3014", "62A/13GRD"),
  };
  const table = new Table(units, { ...woods, announced: { "2010": "none" } }).play("unit g1", "hex 2010");
  expect([table.ask, table.legal]).toEqual(["leader.move", ["hex 1014", "hex 3014"]]);
  expect(table.position["announced"]).toBeUndefined();
});

rule("SOS 18.16", "a leader or OP who goes with others neither slows them nor changes what ground costs them", () => {
  const rough = ground({ "2011": "forest", "2012": "forest", "2111": "suburb", "1911": "balka" });
  for (const type of ["g-leader", "g-op", "g-leader-2"])
    for (const mover of [{ mp: 24 }, { type: "g-tank" }, {}]) {
      // before and behind the others in slot order
      const chief = of(type.replace("-2", ""), "2010", REGIMENT);
      const g1 = { type: "g-inf", at: "2010", ...mover };
      const [first, second] = type.endsWith("2") ? ["g1", "gm"] : ["gm", "g1"];
      const units = first === "gm" ? { gm: chief, g1 } : { g1, gm: chief };
      const alone = new Table(units, rough).play("unit g1").legal.filter((a) => a.startsWith("hex"));
      const led = new Table(units, rough).play(`unit ${first}`, `unit ${second}`).legal;
      expect(led.filter((a) => a.startsWith("hex"))).toEqual(alone);
      expect(alone.length).toBeGreaterThan(30);
    }
});

rule(
  "SOS 18.31",
  "a lone face-down leader who is shelled in an attack phase goes to the nearest unit of the command",
  () => {
    const units = {
      gh: { type: "g-how", at: "2020" },
      go: of("g-op", "2008", "51K/71ID"),
      sl: of("s-leader", "2010", "62A/13GRD"),
      s1: of("s-inf", "2014", "62A/13GRD"),
      s2: of("s-inf", "2012", "62A/13GRD"),
      ...ELSEWHERE,
    };
    const table = new Table(units, { ...attacks(5), ...ground({ "2010": "suburb" }) });
    table.play("hex 2010", "crt: 10");
    expect(table.at("sl")).toBe("2012");
  },
);

rule("SOS 18.34", "a leader who survives the last unit of a shelled hex goes once, to any unit of the command", () => {
  const units = {
    gh: { type: "g-how", at: "2020", af: 30 },
    go: of("g-op", "2008", "51K/71ID"),
    s1: of("s-inf", "2010", "62A/13GRD"),
    sl: of("s-leader", "2010", "62A/13GRD"),
    s2: of("s-inf", "2012", "62A/13GRD"),
    s3: of("s-inf", "2014", "62A/13GRD"),
    ...ELSEWHERE,
  };
  const table = new Table(units, attacks(5)).play("hex 2010", "crt: 1 10");
  expect(table.at("s1")).toBe("dead");
  expect([table.ask, table.legal]).toEqual(["leader.move", ["hex 2012", "hex 2014"]]);
  table.play("hex 2014");
  expect(table.at("sl")).toBe("2014");
  expect(table.ask).not.toBe("leader.move");
});

rule(
  "SOS 18.1",
  "any number of leaders who lost their command go one after another, and a position between them reads back",
  () => {
    const units: Record<string, JsonObject> = { sx: { type: "s-inf", at: "3031" } };
    for (let i = 0; i < 12; i++) {
      units[`l${i}`] = of("g-leader", `2${i % 2}${10 + i}`, REGIMENT, { bereft: true });
      units[`a${i}`] = of("g-inf", `1${i % 2}${10 + i}`, `${REGIMENT}/I`);
    }
    let table = new Table(units, { phase: 5, stage: "attack" });
    let asked = 0;
    for (; table.ask === "leader.move"; asked++) {
      const { units: now, ...rest } = table.position as { units: Record<string, JsonObject> };
      const again = new Table(now, rest as JsonObject);
      expect([...again.legal]).toEqual([...table.legal]);
      table = again.play(again.legal[0]!);
    }
    expect(asked).toBeGreaterThan(4); // where one hex is nearest nobody is asked
    const stands = (id: string, i: number) => table.at(`${id}${i}`);
    const taken = Array.from({ length: 12 }, (_, i) => stands("l", i)).sort();
    expect(taken).toEqual(Array.from({ length: 12 }, (_, i) => stands("a", i)).sort());
  },
);

rule("SOS 18.31", "a leader without any unit of the command left is lost, and the others still go", () => {
  const units = {
    l1: of("g-leader", "2010", "51K/295ID/516", { bereft: true }),
    l2: of("g-leader", "2012", REGIMENT, { bereft: true }),
    a2: of("g-inf", "1513", `${REGIMENT}/I`),
    sx: "s-inf 3031",
  };
  const table = new Table(units, { phase: 5, stage: "attack" });
  expect([table.at("l1"), table.at("l2")]).toEqual(["dead", "1513"]);
});

rule("SOS 18.1", "a leader stays if units of the command have come to the hex by the end of the phase", () => {
  const units = {
    l1: of("g-leader", "2010", REGIMENT, { bereft: true }),
    a1: of("g-inf", "2010", `${REGIMENT}/I`),
    a2: of("g-inf", "2014", `${REGIMENT}/I`),
    sx: "s-inf 3031",
  };
  const table = new Table(units, { phase: 5, stage: "attack" });
  expect(table.position["phase"]).toBe(7);
  expect(table.at("l1")).toBe("2010");
});

rule("SOS 6.5", "zones of control are announced to a leader who goes to the command at once", () => {
  const units = {
    gl: of("g-leader", "2010", REGIMENT),
    g1: of("g-inf", "2050", `${REGIMENT}/I`),
    s1: "s-inf 2051",
    s2: of("s-op", "2151", "62A"),
  };
  const table = new Table(units, ground({ "2051": "forest", "2049": "forest" })).play("unit gl", "hex 2050");
  expect(table.position["announced"]).toEqual({ "2051": "zoc" });
});

rule("SOS 6.5", "zones of control are announced to a leader who makes way to the command", () => {
  const units = {
    g1: of("g-inf", "2012", `${REGIMENT}/I`),
    g2: "g-inf 2015",
    sl: of("s-leader", "2010", "62A/13GRD"),
    s1: of("s-inf", "2016", "62A/13GRD"),
  };
  const table = new Table(units, ground({ "2015": "forest" })).play("unit g1", "hex 2010");
  expect(table.at("sl")).toBe("2016");
  expect(table.position["announced"]).toEqual({ "2015": "zoc" });
});

describe("a leader and a mine dog make way, the dog in vain", () => {
  const LOST = { sl: of("s-leader", "2012", "62A/112RD"), sd: "s-dog 2012", sm: of("s-mortar", "2040", "62A/112RD/1") };
  const entered = (dice: string) =>
    new Table({ g1: "g-inf 2010", ...LOST, sx: "s-dog 2040", sf: "s-op 3570" }, { turn: 1 }, { opFire: false }).play(
      "unit g1",
      `hex 2012: ${dice}`,
    );
  rule("SOS 18.33", "a leader who dies of that joins no unit of the command", () => {
    const table = entered("2");
    expect(table.rolls.map((r) => r["result"])).toContain("eliminated");
    expect(table.at("sl")).toBe("dead");
  });
  rule("SOS 18.41", "a wounded leader joins none either, until the turns away are over", () => {
    expect(entered("5 2").at("sl")).toMatch(/^turn-/);
  });
});
