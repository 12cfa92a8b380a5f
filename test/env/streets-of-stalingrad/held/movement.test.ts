import { expect } from "vitest";
import { EventLog, type JsonObject } from "../../../../env/index.js";
import { Banks } from "../../../../env/streets-of-stalingrad/map/banks.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../../rule.js";
import { ELSEWHERE, phase5 } from "../set-ups.js";
import { attacks, ground, Table } from "../table.js";
import { of, strong, REGIMENT, corner, NEAR, column, ENDS, next, rows, bombed } from "./positions.js";

const rule = ruleTests(rules);

rule("SOS 18.33", "a leader throws for the unit that was given up to keep the hex", () => {
  const units = { ...strong, n1: "s-nkvd 2010", s2: "s-inf 2010", sc: "s-commissar 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "city" }) });
  table.play("hex 2010", "normal", "done", "done: 1");
  expect(table.legal).toEqual(["retreat", "sacrifice"]);
  table.play("sacrifice: 9");
  expect(table.rolls).toMatchObject([{ kind: "leader", drm: -1, result: "survives" }]);
  expect([table.at("n1"), table.at("s2"), table.at("sc")]).toEqual(["dead", "2010", "2010"]);
});

rule("SOS 8.66", "attackers on a Volga hex have 1 more on the die, and those on land do not", () => {
  const roll = (map: JsonObject) => {
    const units = { s1: "s-inf 2009", g1: "g-inf 2010", sx: "s-inf 3030", gx: "g-inf 3031" };
    return new Table(units, { ...attacks(12, "2010", "3031"), ...map }).play("hex 2010", "normal", "done: 10")
      .rolls[0]!["drms"];
  };
  expect(roll(ground({ "2009": "volga" }))).toMatchObject({ volga: 1 });
  expect(roll({})).toEqual({});
});

rule("SOS 8.73", "vehicles reach their infantry only by ground that they can cross", () => {
  const ring = ["2009", "2011", "1910", "1911", "2110", "2111"];
  const offered = (rim: readonly string[]) => {
    const hexes = Object.fromEntries(rim.map((h) => [h, { t: "volga" }]));
    const map = { base: "blank", hexes: { ...hexes, "2013": { t: "clear", f: ["road"], road: "03" } } };
    const units = { g1: { type: "g-motinf", at: "2010", dismounted: true } };
    return new Table(units, { map } as JsonObject).legal.includes("unit g1");
  };
  // on foot it could go nowhere, so whatever it may do is to mount
  expect(offered(ring)).toBe(false);
});

rule("SOS 8.06", "a group takes units in by rising number one by one, or all that move alike", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010" };
  const table = new Table(units).play("unit g1");
  expect(table.legal).toContain("all");
  table.play("unit g3");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual([]);
});

rule("SOS 8.06", "no unit joins a group on the way, and the group doesn't stay where it began", () => {
  const units = { g1: "g-inf 2010", g2: "g-inf 2010", g3: "g-inf 2010" };
  const { legal } = new Table(units).play("unit g1", "via", "hex 2012");
  expect(legal.filter((a) => !a.startsWith("hex"))).toEqual(["via"]);
});

rule("SOS 8.06", "foot and vehicles together name hexes on the way, and each pays for its own ground", () => {
  const units = { g1: "g-inf 2010", gt: { type: "g-tank", at: "2010", mp: 12 }, ...ENDS };
  const table = new Table(units, column(rows(11, 20, { t: "suburb" }))).play("unit g1", "unit gt");
  // companies pay 1 of 8 a suburb, tanks 2 of 12
  expect(table.legal).toEqual(expect.arrayContaining(["hex 2016", "via"]));
  expect(table.legal).not.toContain("hex 2017");
  table.play("via", "hex 2014");
  expect(table.legal).toContain("hex 2016");
  expect(table.legal).not.toContain("hex 2017");
});

rule("SOS 10.7", "past a breakthru marker each unit pays half its MP, also when foot and tanks go together", () => {
  const units = { g1: "g-inf 2010", gt: "g-tank 2010", ...ENDS };
  const table = new Table(units, { ...column(), marks: { "2011": ["breakthru"] } }).play("unit g1", "unit gt");
  expect(table.legal).toContain("hex 2015");
  expect(table.legal).not.toContain("hex 2016");
});

rule("SOS 8.11", "an embankment costs foot one more point", () => {
  const units = { g1: "g-inf 2010", ...ENDS };
  const { legal } = new Table(units, column({ "2011": { t: "clear", f: ["embankment"] } })).play("unit g1");
  expect(legal).toContain("hex 2017");
  expect(legal).not.toContain("hex 2018");
});

rule("SOS 8.23", "units that deploy name hexes on the way", () => {
  const table = new Table({ gb: "g-inf 3025", sf: "s-inf 3570" }, { phase: 3, stage: "deploy" }).play("unit gb");
  expect(table.play("via").legal).toContain("hex 3026");
});

rule("SOS 8.24", "without an enemy on the map every unit deploys", () => {
  const units = { gb: "g-inf 3025", sf: { type: "s-inf", at: "dead" } };
  const table = new Table(units, { phase: 3, stage: "deploy" });
  expect(table.legal).toContain("unit gb");
  expect(table.play("unit gb").legal).toContain("hex 3041");
});

rule("SOS 11.1", "only the enemy of the movers fires at them", () => {
  const table = new Table({ s1: "s-inf 2012", g1: "g-inf 2010" }, { phase: 10, stage: "normal" });
  table.play("unit s1", "hex 2011");
  expect([table.ask, table.legal]).toEqual(["op.fire", ["pass", "hold", "unit g1"]]);
});

rule("SOS 11.9", "underlined guns that fire at a mixed group hit its vehicles first", () => {
  const units = { s1: "s-inf 2014", st: "s-tank 2014", ga: { type: "g-at", at: "2010", af: 30 } };
  const table = new Table(units, { phase: 10, stage: "normal" }).play("unit s1", "unit st", "hex 2013", "unit ga: 5");
  expect(table.at("st")).toBe("dead");
  expect(table.at("s1")).not.toBe("dead");
});

rule("SOS 18.16", "a lone leader enters a zone of control only where a combat unit of the same side is", () => {
  const ways = (friend: string) =>
    new Table({ gl: of("g-leader", "2012", REGIMENT), g2: `${friend} 2011`, s1: "s-inf 2010" }).play("unit gl").legal;
  expect(ways("g-inf")).toContain("hex 2011");
  expect(ways("g-op")).not.toContain("hex 2011");
});

rule("SOS 8.04", "of two ways that cost the same the one with fewer hexes is taken", () => {
  const hexes = {
    "2010": { t: "clear", f: ["road"], road: "1" },
    "1911": { t: "clear", f: ["road"], road: "45" },
    "2011": { t: "clear", f: ["road"], road: "2" },
  };
  // the tank has 1911 in range, the other two hexes not
  const table = new Table({ gt: "g-tank 2010", st: "s-tank 1712" }, { map: { base: "blank", hexes } });
  table.play("unit gt", "hex 2011");
  expect(table.at("gt")).toBe("2011");
});

rule("SOS 8.13", "a ravine protects infantry from bombs, and tanks it does not", () => {
  const ravine = ground({ "2010": "balka" });
  expect(bombed({ s1: "s-inf 2010" }, ravine)).toEqual({ terrain: 1 });
  expect(bombed({ st: "s-tank 2010" }, ravine)).toEqual({ "armor-target": 1 });
});

rule("SOS 8.12", "tanks that leave the first hex of the map come to a bank of the ravine", () => {
  const hexes = { "2011": { t: "balka", balka: "14", block: "rule" } };
  const position = { ...corner("2010"), map: { base: "blank", hexes } };
  const table = new Table({ gt: "g-tank 2010", ...NEAR }, position, { opFire: false }).play("unit gt", "hex 2011");
  // in by the south side: the sector from north-east to south-west
  expect(table.unit("gt")).toMatchObject({ at: "2011", rim: 1 });
});

rule("SOS 8.24", "guns in the first hex of the map keep deploying units off the open ground in their range", () => {
  const units = { gb: "g-inf 2018", gf: "g-inf 2012", sf: "s-at 2010" };
  const { legal } = new Table(units, { phase: 3, stage: "deploy", ...corner("2010") }).play("unit gb");
  expect(legal).toContain("hex 2014");
  expect(legal).not.toContain("hex 2013");
});

rule("SOS 8.24", "a unit that begins the movement phase in a zone of control does not deploy", () => {
  // g3 stays as near to the enemy as g2 was, so only the zone holds them
  const units = { g2: "g-inf 2009", g3: "g-inf 2009", gb: "g-inf 3025", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 1, stage: "end" }).play("continue", "done", "done");
  expect(table.position).toMatchObject({ phase: 3, stage: "deploy" });
  expect(table.legal).toContain("unit gb");
  expect(table.legal).not.toContain("unit g2");
  expect(table.legal).not.toContain("unit g3");
});

rule("SOS 8.24", "fire of an enemy that was seen before neither frees nor holds a unit that came beside it", () => {
  const g2 = { type: "g-inf", at: "1911", zoned: false };
  const units = { g2, gm: "g-inf 2007", gf: "g-inf 3530", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 3, stage: "normal" }).play("unit gm", "hex 2009", "unit s1: 10", "done");
  expect(table.position["stage"]).toBe("deploy");
  expect(table.legal).toContain("unit g2");
});

rule(
  "SOS 8.24",
  "no zone of control reaches into a city: units that begin there deploy, whatever appears beside them",
  () => {
    const units = { ...strong, g2: "g-inf 1911", gf: "g-inf 3530", s1: "s-inf 2010" };
    const map = ground({ "2010": "suburb", "1911": "city" });
    const table = new Table(units, { phase: 3, stage: "breakthrough", ...map }, { opFire: false });
    table.play("hex 2010", "unit g1", "done", "normal", "done: 1", "done");
    expect(table.position["stage"]).toBe("deploy");
    expect(table.legal).toContain("unit g2");
  },
);

rule("SOS 8.12", "a vehicle leaves a ravine by the sides of the bank that it came in by, and along the ravine", () => {
  const sides = [0, 1, 2, 3, 4, 5];
  for (let features = 1; features < 64; features++) {
    const cut = sides.filter((d) => (features & (1 << d)) !== 0);
    if (cut.length < 2) continue;
    const banks = new Banks(
      [
        { h: "2010", t: "balka", balka: cut.join(""), block: "rule" },
        { h: "2011", t: "clear" },
      ] as never,
      new Uint8Array(2),
    );
    for (const e of sides.filter((d) => !cut.includes(d))) {
      const bank = banks.enter(1, 0, (e + 3) % 6, 0);
      // round the rim both ways, up to the ravine
      const open = new Set([e]);
      for (const turn of [1, 5]) for (let d = e; !cut.includes(d);) open.add((d = (d + turn) % 6));
      expect([features, e, sides.filter((d) => banks.mayLeave(0, bank, d, false, false))]).toEqual([
        features,
        e,
        [...open].sort(),
      ]);
    }
  }
});

rule("SOS 8.67", "only Soviet vehicles leave a landing by any side, and only there", () => {
  const hex = { h: "2010", t: "balka", balka: "03", block: "rule" };
  const banks = new Banks([hex, { h: "2011", t: "clear" }, hex] as never, Uint8Array.from([1, 0, 0]));
  const bank = banks.enter(1, 0, 4, 0); // by side 1
  expect(banks.mayLeave(0, bank, 4, true, false)).toBe(true);
  expect(banks.mayLeave(0, bank, 4, false, false)).toBe(false);
  expect(banks.mayLeave(2, bank, 4, true, false)).toBe(false);
  // no bank is named where a vehicle begins
  expect([0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(2, 0, d, false, false))).toBe(true);
  expect([0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(1, 0, d, false, false))).toBe(true);
});

rule("SOS 8.14", "the road across a ravine serves only units that came by it, and only along the road", () => {
  const hex = { h: "2010", t: "balka", balka: "03", block: "rule", road: "15", cross: "road" };
  const banks = new Banks([hex, { h: "2011", t: "clear" }] as never, new Uint8Array(2));
  const leaves = (e: number, byWay: boolean) => {
    const bank = banks.enter(1, 0, (e + 3) % 6, 0);
    return [0, 1, 2, 3, 4, 5].filter((d) => banks.mayLeave(0, bank, d, false, byWay));
  };
  expect(leaves(1, true)).toEqual([0, 1, 2, 3, 5]);
  expect(leaves(1, false)).toEqual([0, 1, 2, 3]);
  expect(leaves(2, true)).toEqual([0, 1, 2, 3]);
});

rule("SOS 8.04", "of two equal ways the one with the lowest hex numbers is taken", () => {
  // by 1911 or 1910, which the Soviet tank has in range, not by 2011 or 2009
  const table = new Table({ gt: "g-tank 2010", st: "s-tank 1710" }).play("unit gt", "hex 1912");
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1911" });
  const south = new Table({ gt: "g-tank 2010", st: "s-tank 1711" }).play("unit gt", "hex 1909");
  expect(south.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1910" });
});

rule("SOS 8.12", "tanks on both banks of a ravine do not move as one group", () => {
  const hexes = { "2011": { t: "balka", balka: "03", block: "rule" } };
  const joins = (rim: number) => {
    const units = { gt: { type: "g-tank", at: "2011", rim: 0 }, gu: { type: "g-tank", at: "2011", rim } };
    return new Table(units, { map: { base: "blank", hexes } }).play("unit gt").legal.includes("unit gu");
  };
  expect([joins(0), joins(3)]).toEqual([true, false]);
});

rule("SOS 8.73", "roads that others could reach don't help a unit that is cut off", () => {
  const road = { t: "clear", f: ["road"], road: "03" };
  const volga = ["2009", "2011", "1910", "1911", "2110", "2111"].map((h) => [h, { t: "volga" }]);
  const roads = ["2029", "2031", "1930", "1931", "2130", "2131"].map((h) => [h, road]);
  const units = { g0: "g-inf 2030", g1: { type: "g-motinf", at: "2010", dismounted: true } };
  const table = new Table(units, {
    map: { base: "blank", hexes: Object.fromEntries([...volga, ...roads]) as JsonObject },
  });
  expect(table.play("unit g0", "stay").legal).not.toContain("unit g1");
});

rule(
  "SOS 18.1",
  "a leader without a command waits for the end of the phase, though another goes to another command at once",
  () => {
    const units = {
      g1: { type: "g-inf", at: "2009", af: 20 },
      s1: of("s-guards", "2010", "62A/13GRD/42/1"),
      sl: of("s-leader", "2010", "62A/13GRD/42"),
      s2: of("s-guards", "2013", "62A/13GRD/42/2"),
      s3: of("s-guards", "2040", "62A/13GRD/42/3"),
      sm: of("s-leader", "2060", "62A/112RD", { bereft: true }),
      s4: of("s-inf", "2062", "62A/112RD/1"),
      ...ELSEWHERE,
    };
    const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9", "hex 2040");
    expect([table.at("sl"), table.at("sm"), table.ask]).toEqual(["2040", "2060", "advance.unit"]);
    const fewer = Object.fromEntries(Object.entries(units).filter(([id]) => id !== "s2" && id !== "s3"));
    const lost = new Table(fewer, phase5("2010")).play("hex 2010", "normal", "done", "done: 1 9");
    expect([lost.at("sl"), lost.at("sm"), lost.ask]).toEqual(["dead", "2060", "advance.unit"]);
  },
);

rule("SOS 18.15", "a leader may go any distance to a unit of the command in movement, not in deployment", () => {
  const units = { gl: of("g-leader", "2005", REGIMENT), g2: of("g-inf", "2065", `${REGIMENT}/I`) };
  const goes = (stage: string) => new Table(units, { phase: 3, stage }).play("unit gl").legal.includes("hex 2065");
  expect([goes("normal"), goes("deploy")]).toEqual([true, false]);
});

rule("SOS 8.24", "tanks don't deploy into the open within range of a known gun", () => {
  const units = { gt: "g-tank 2020", g2: "g-inf 2026", sa: "s-at 2029" };
  const { legal } = new Table(units, { phase: 3, stage: "deploy" }, { opFire: false }).play("unit gt");
  expect(legal).toContain("hex 2025");
  expect(legal).not.toContain("hex 2026"); // three hexes from the gun
});

rule("SOS 14.12", "a Soviet gun that fired misses the movement by night, and moves in the exploit phase", () => {
  const moves = (phase: number) => {
    const units = { sh: { type: "s-how", at: "2040", noMove: true }, s2: "s-inf 2041" };
    return new Table(units, { phase, stage: "normal" }).legal.includes("unit sh");
  };
  expect([moves(10), moves(14)]).toEqual([false, true]);
});

// spec 4.5
rule("SOS 8.06", '"all units" is offered only where there are several', () => {
  const legal = (units: Record<string, string>) => new Table({ g1: "g-inf 2010", ...units }).play("unit g1").legal;
  expect(legal({ g2: "g-inf 2010" })).not.toContain("all");
  expect(legal({ g2: "g-inf 2010", g3: "g-inf 2010" })).toContain("all");
});

rule("SOS 8.71", "nobody dismounts where armor breaks through, but when normal movement comes", () => {
  const units = { ga: "g-ainf 2010" };
  const table = new Table(units, { phase: 3, stage: "breakthrough" }).play("unit ga");
  expect(table.legal).not.toContain("dismount");
  expect(new Table(units).play("unit ga").legal).toContain("dismount");
});

rule("SOS 9.44", "a leader beside the hex leads it from every side", () => {
  for (let side = 0; side < 6; side++) {
    const attacker = next("2020", (side + 3) % 6);
    const units = { g1: `g-inf ${attacker}`, s1: "s-inf 2020", s2: "s-inf 2020", sl: `s-leader ${next("2020", side)}` };
    const table = new Table({ ...units, ...ELSEWHERE }, phase5("2020")).play("hex 2020", "normal");
    expect([side, table.ask, table.legal]).toEqual([side, "retreat.unit", ["done", "unit s1", "unit s2"]]);
  }
});

rule("SOS 11.2", "a unit with a DF of 1 fires at movers", () => {
  const units = { g1: "g-inf 2012", s1: { type: "s-inf", at: "2010", df: 1 } };
  const table = new Table(units).play("unit g1", "hex 2011");
  expect([table.ask, table.legal]).toEqual(["op.fire", ["pass", "hold", "unit s1"]]);
  expect(table.play("unit s1: 10").rolls).toMatchObject([{ points: 1 }]);
});

rule("SOS 11.7", "of units that fire together the one named first is reported first", () => {
  const units = { g1: "g-inf 2012", s1: "s-inf 2010", s2: "s-inf 2010", s3: "s-inf 2010" };
  const table = new Table(units).play("unit g1", "hex 2011", "unit s2", "unit s1");
  expect(table.position["decision"]).toMatchObject({ ask: "op.group", firing: ["s2", "s1"] });
});

rule("SOS 14.45", "mortars that fire at movers by the bombardment table are not changed by a leader among them", () => {
  const units = {
    g1: of("g-inf", "2013", `${REGIMENT}/I`),
    gl: of("g-leader", "2013", REGIMENT),
    s1: { ...of("s-inf", "2010", "62A/13GRD/42/1"), df: 0, af: 0 },
    sm: of("s-mortar", "2006", "62A/13GRD/42/1"),
  };
  const drms = (by: string) => {
    const table = new Table(units).play("unit g1", "unit gl", "hex 2012", "unit sm", `${by}: 10`);
    return table.rolls[0]!["drms"];
  };
  expect([drms("crt"), drms("wbbt")]).toEqual([{ spot: 2, "target-leader": 1 }, { spot: 2 }]);
});

rule("SOS 9.46", "a unit that fired at movers does not retreat before the combat that follows", () => {
  const units = { g1: "g-inf 2012", s1: "s-guards 2010", s2: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units).play("unit g1", "hex 2011", "unit s1", "done: 10", "pass");
  while (table.position["stage"] !== "mark") table.play("done");
  table.play("hex 2010");
  while (table.position["phase"] !== 5) table.play("done");
  table.play("normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s2"]]);
});

rule("SOS 8.56", "leaving a zone of control that is announced on the way costs a breakthrough group 2 MP", () => {
  const units = { gt: { type: "g-tank", at: "2010", mp: 12 }, s1: "s-inf 2115" };
  const table = (at: string) =>
    new Table(
      { ...units, s1: `s-inf ${at}` },
      { phase: 3, stage: "breakthrough", ...ground({ "2115": "forest", "2315": "forest" }) },
      { opFire: false },
    ).play("unit gt", "hex 2022");
  expect(table("2315").at("gt")).toBe("2022");
  // 2014 and 2015 are in its zone
  expect(table("2115").at("gt")).toBe("2018");
});

rule("SOS 18.31", "when a leader has made way the movers come under fire in the hex that was the leader's", () => {
  const units = {
    g1: "g-inf 2010",
    sl: of("s-leader", "2012", "62A/112RD"),
    s2: of("s-inf", "2040", "62A/112RD/1"),
    sa: "s-at 2015",
  };
  const table = new Table(units).play("unit g1", "hex 2014");
  expect([table.at("g1"), table.at("sl")]).toEqual(["2012", "2040"]);
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "2012" });
});

// ruling R10
rule("SOS 7.1", "a known unit that comes into the open is not mixed up with any other", () => {
  const units = { s1: of("s-inf", "2010", "62A/13GRD/42/1"), g1: "g-inf 2030" };
  const position = { phase: 10, ...ground({ "2010": "forest" }), known: { german: ["s1"] } };
  const table = new Table(units, position).play("unit s1");
  const log = new EventLog([0]);
  table.env.step("hex 2011", undefined, log);
  expect(log.take(0).map(({ what }) => what)).not.toContain("mixes-in");
});

rule("SOS 9.114", "a pin from the night bombardment lasts through the Soviet movement", () => {
  const units = {
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    g1: of("g-inf", "2009", "51K/71ID/191/II"),
    gm: of("g-mortar", "2005", "51K/71ID/191/II"),
  };
  const table = new Table(units, { phase: 9, stage: "plot-second", decision: { ask: "bomb.target", actor: "german" } });
  table.play("hex 2010", "wbbt: 2");
  expect([table.position["phase"], table.unit("s1")["pinned"]]).toEqual([10, true]);
  expect(table.legal).not.toContain("unit s1");
});

// ruling R137
rule("SOS 8.24", "where a unit began a movement phase is forgotten at its end", () => {
  const units = { g1: "g-inf 2009", gb: "g-inf 3025", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 3, stage: "deploy" });
  expect(table.legal).not.toContain("unit g1");
  table.play("done");
  while (table.position["phase"] === 3) table.play("done");
  expect(table.unit("g1")["zoned"]).toBeUndefined();
});

rule("SOS App. A", "embankments and railroad cuts stop vehicles as ravines do", () => {
  for (const feature of ["balka", "emb", "cut"]) {
    const hex = { h: "2010", t: "clear", [feature]: "03", block: "rule" };
    const banks = new Banks([hex, { h: "2011", t: "clear" }] as never, new Uint8Array(2));
    const bank = banks.enter(1, 0, 4, 0); // by side 1
    expect([feature, [0, 1, 2, 3, 4, 5].filter((d) => banks.mayLeave(0, bank, d, false, false))]).toEqual([
      feature,
      [0, 1, 2, 3],
    ]);
  }
});

rule("SOS 8.12", "a ravine that only begins in a hex puts no vehicle on a bank", () => {
  const end = { h: "2010", t: "balka", balka: "0", block: "rule" };
  const through = { h: "2011", t: "balka", balka: "03", block: "rule" };
  const banks = new Banks([end, through] as never, new Uint8Array(2));
  const bank = banks.enter(0, banks.enter(1, 0, 4, 0), 0, 1); // into 2010 by side 1, on along the ravine
  expect([0, 1, 2, 3, 4, 5].every((d) => banks.mayLeave(1, bank, d, false, false))).toBe(true);
});

// ruling R58
rule("SOS 18.33", "a leader rolls for a mine dog that has nowhere to go, and stays away when wounded", () => {
  const units = {
    g1: "g-inf 2010",
    sl: of("s-leader", "2012", "62A/112RD"),
    sd: "s-dog 2012",
    sf: "s-op 3570",
  };
  const table = new Table(units, { turn: 1 }, { opFire: false }).play("unit g1", "hex 2012: 5 2");
  expect(table.rolls).toMatchObject([{ kind: "leader", drm: -1, result: "wounded" }, { kind: "wound" }]);
  expect([table.at("sd"), table.at("sl")]).toEqual(["dead", "turn-4"]);
});
