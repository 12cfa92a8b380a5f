import { expect } from "vitest";
import { EventLog, type JsonObject, ScriptedDice } from "../../../../env/index.js";
import rules from "../../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../../rule.js";
import { ELSEWHERE, phase5 } from "../set-ups.js";
import { attacks, ground, Table } from "../table.js";
import { place as placeOf } from "../woods.js";
import { of, strong, REGIMENT, column, corner, NEAR, support, bombed, next, samples } from "./positions.js";

const rule = ruleTests(rules);

rule("SOS 9.71", "a leader helps while a unit of the hex attacks, until defensive fire stops it", () => {
  const units = {
    g1: "g-inf 2009",
    gl: of("g-leader", "2009", REGIMENT),
    g2: "g-inf 2110",
    s1: { type: "s-inf", at: "2010", df: 4 },
  };
  const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play(
    "hex 2010",
    "all",
    "normal",
    "hex 2009: 1 10",
  );
  expect(table.rolls).toMatchObject([
    { kind: "defense", result: "P" },
    { kind: "attack", points: 5 },
  ]);
  expect(table.rolls[1]!["drms"]).toEqual({});
  const led = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play(
    "hex 2010",
    "unit g1",
    "unit gl",
    "done",
    "normal",
  );
  expect(led.play("done: 10").rolls[0]!["drms"]).toEqual({ leader: -1 });
});

rule("SOS 9.85", "a leader goes along behind the first combat unit that advances", () => {
  const units = { ...strong, gl: of("g-leader", "2009", REGIMENT), s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "unit g1", "unit gl", "normal", "done: 1");
  expect([table.ask, table.legal]).toEqual(["advance.unit", ["done", "unit g1"]]);
  expect(table.play("unit g1").legal).toEqual(["done", "unit gl"]);
});

rule("SOS 9.88", "a side without a way out of a suburb can only give up a unit", () => {
  const ring = { g4: "g-inf 1910", g5: "g-inf 2011" };
  const units = { ...strong, ...ring, s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
  table.play("hex 2010", "unit g1", "done", "normal", "done: 4");
  expect(table.position["decision"]).toMatchObject({ ask: "loss.pick", cause: "sacrifice" });
});

rule("SOS 9.87", "nobody retreats into the Volga", () => {
  const units = { ...strong, s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2011": "volga" }) });
  table.play("hex 2010", "normal", "done: 5");
  expect([table.ask, table.legal]).toEqual(["after.hex", ["hex 1911", "hex 2111"]]);
});

rule("SOS 12.3", "units that came back by a counter-attack cause none in the attack that follows", () => {
  const units = { g1: "g-inf 2010", s1: "s-guards 2011", s2: "s-guards 2011", ...ELSEWHERE, sy: "s-guards 3032" };
  const table = new Table(units, {
    ...attacks(5, "3031"),
    attacked: ["2010"],
    frames: [{ ask: "attack.target", actor: "german" }],
    decision: { ask: "ica.unit", actor: "soviet", hex: "2010" },
  });
  table.play("all: 10", "unit s1", "done");
  expect(table.at("s1")).toBe("2010");
  table.play("all", "normal", "done: 10");
  expect(table.position["phase"]).toBe(7);
});

rule("SOS 9.71", "the first hex of the map counts for the assault advantage", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2011", g3: "g-inf 2110", s1: "s-inf 2010", ...NEAR };
  const table = new Table(units, { ...attacks(5, "2010"), ...corner("2009") });
  expect(table.play("all", "normal", "done: 10").rolls[0]!["drms"]).toEqual({ assault: -1 });
});

rule("SOS 9.41", "a unit that retreated from one attacked hex may retreat from the next", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2012", s1: "s-guards 2010", s2: "s-guards 2010", s3: "s-guards 2011" };
  const table = new Table(units, { ...attacks(5, "2010", "2011"), ...ground({ "2011": "city" }) });
  table.play("hex 2010", "normal", "unit s1", "hex 2011", "done: 10", "normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s1", "unit s3"]]);
});

rule("SOS 9.14", "a marked hex without adjacent infantry can't be attacked, not even by tanks in range", () => {
  const units = { gt: "g-tank 2008", s1: "s-inf 2010", ...ELSEWHERE };
  expect(new Table(units, phase5("2010")).position["decision"]).toMatchObject({ ask: "attack.unit", hex: "3031" });
});

rule("SOS 9.57", "fire declared at two hexes is rolled once for each", () => {
  const gun = { type: "s-inf", at: "2010", df: 12 };
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2110", g4: "g-inf 2110", s1: gun, s2: gun };
  const table = new Table({ ...units, ...ELSEWHERE }, phase5("2010")).play("hex 2010", "all", "normal");
  table.play("hex 2009", "unit s1", "done", "hex 2110: 1", "unit g1: 1", "unit g3: 10");
  expect(table.rolls).toMatchObject([{ kind: "attack", points: 10 }]);
});

rule("SOS 9.53", "a unit that isn't attacked supports defenders once a phase, and then is face up", () => {
  const table = new Table(support, { ...attacks(5, "2010", "2207"), ...ground({ "2110": "suburb" }) });
  table.play("hex 2010", "normal", "hex 2009");
  expect(table.legal).toContain("unit st");
  table.play("unit st", "done: 10 10");
  expect(table.unit("st")).toMatchObject({ shown: true });
  table.play("normal", "hex 2108");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual(["unit s2", "unit s3"]);
});

rule("SOS 9.46", "a pinned unit does not retreat before combat", () => {
  const pinned = { type: "s-guards", at: "2010", pinned: true, pinHeld: true };
  const units = { g1: "g-inf 2009", s1: pinned, s2: "s-guards 2010", s3: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s2", "unit s3"]]);
});

rule("SOS 9.47", "nobody ends a retreat in a full hex", () => {
  const full = { sa: "s-inf 2011", sb: "s-inf 2011", sc: "s-inf 2011" };
  const units = { g1: "g-inf 2009", s1: "s-guards 2010", s2: "s-guards 2010", ...full, ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1");
  expect(table.legal).not.toContain("hex 2011");
  expect(table.legal).toContain("hex 2012");
});

rule("SOS 9.92", "a single Stuka at armor has 1 more on the die", () => {
  expect(bombed({ st: "s-tank 2010" })).toEqual({ "armor-target": 1 });
  expect(bombed({ s1: "s-inf 2010" })).toEqual({});
});

rule("SOS 9.71", "a leader also helps a hex under bombs", () => {
  expect(bombed({ s1: "s-inf 2010", sl: of("s-leader", "2010", "62A/112RD") })).toEqual({ "enemy-leader": 1 });
});

rule(
  "SOS 9.71",
  "flame-throwers are committed in a suburb as combat engineers are, engineers without red AF are not",
  () => {
    const ask = (type: string) =>
      new Table({ s0: `${type} 2009`, g1: "g-inf 2010" }, { ...attacks(12, "2010"), ...ground({ "2010": "suburb" }) })
        .ask;
    expect([ask("s-flame"), ask("s-eng")]).toEqual(["attack.drm", "attack.mode"]);
  },
);

rule("SOS 9.47", "of two equal ways a unit retreats by the one with the lowest hex numbers", () => {
  const units = { g1: "g-inf 2011", gt: "g-tank 1711", s1: "s-guards 2010", s2: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s1", "hex 1909");
  expect(table.position["decision"]).toMatchObject({ ask: "op.fire", hex: "1910" });
});

rule("SOS 9.88", "if no unit that must retreat counts for stacking there is nothing to give up", () => {
  const tank = { type: "s-immob", at: "2010" };
  const units = { ...strong, sn: "s-sniper 2010", i1: tank, i2: tank, ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
  table.play("hex 2010", "normal", "done: 4");
  expect(table.ask).toBe("after.hex");
});

rule("SOS 9.02", "an attack asks for its units in step 2, what is committed in 3, and how they attack in 4", () => {
  const units = { g1: "g-inf 2009", g2: "g-eng 2009", s1: "s-inf 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) }).play("hex 2010");
  const step = () => [table.ask, (table.position["decision"] as JsonObject)["step"]];
  expect(step()).toEqual(["attack.unit", 2]);
  table.play("all");
  expect(step()).toEqual(["attack.drm", 3]);
  table.play("no");
  expect(step()).toEqual(["attack.mode", 4]);
  const shells = { go: of("g-op", "2008", "51K/71ID"), gh: of("g-how", "2020", "51K/71ID") };
  const guns = new Table({ ...shells, gt: "g-tank 2009", s1: "s-inf 2010" }, attacks(5)).play(
    "hex 2010",
    "unit gh",
    "done",
  );
  expect([guns.ask, (guns.position["decision"] as JsonObject)["step"]]).toEqual(["bomb.table", 4]);
});

rule("SOS 9.38", "units on a hilltop fire over woods on the slope below, on either side", () => {
  for (const hill of ["2120", "2220"])
    for (let side = 0; side < 6; side++) {
      const slope = next(hill, side);
      const target = next(slope, side);
      const open = (down: number) => {
        const hexes = {
          [hill]: { t: "clear", f: ["hilltop"], down: String(down) },
          [slope]: { t: "forest", f: ["slope"] },
        };
        const units = { gt: `g-tank ${hill}`, s1: `s-inf ${target}` };
        return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes(`hex ${target}`);
      };
      expect([hill, side, open(side), open((side + 3) % 6)]).toEqual([hill, side, true, false]);
    }
});

rule("SOS 9.58", "defensive fire hits attackers only, also in the enemy's view of their hex", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009", s1: { type: "s-inf", at: "2010", df: 12 } };
  const table = new Table({ ...units, ...ELSEWHERE }, { ...phase5("2010"), ...ground({ "2009": "suburb" }) });
  table.play("hex 2010", "unit g1", "unit g2", "done", "normal", "all: 1");
  expect(table.legal).toEqual(["unit g1", "unit g2"]);
  const { game } = table.env;
  const mask = new Uint8Array(game.actions.length);
  for (const state of samples(table, 1, 20)) {
    mask.fill(0);
    game.legalMask(state, mask, 0);
    expect(game.actions.filter((_, a) => mask[a] === 1)).toEqual(["unit g1", "unit g2"]);
  }
});

rule(
  "SOS 9.82",
  "where armor has to be the first loss a gun is among the defenders, also in the attacker's view",
  () => {
    const units = { g1: "g-inf 2009", gt: "g-tank 2009", gu: "g-tank 2009" };
    const gun = { s1: { type: "s-inf", at: "2010", df: 12 }, sa: "s-at 2010", s2: "s-inf 2040" };
    const map = ground({ "2010": "suburb", "2040": "suburb" });
    const table = new Table({ ...units, ...gun, ...ELSEWHERE }, { ...phase5("2010"), ...map });
    table.play("hex 2010", "all", "no", "normal", "hex 2009", "unit s1", "done: 1");
    expect(table.legal).toEqual(["unit gt", "unit gu"]);
    const { game } = table.env;
    for (const state of samples(table, 0, 50))
      expect(placeOf(game, state, "sa")).toBe(game.observation.mapRows.indexOf("2010"));
  },
);

rule(
  "SOS 9.40",
  "a vehicle beside a bend of its wall looks from the middle of the side next to where its bank begins",
  () => {
    // the wall bends to within a quarter of a hex of the middle of the north-eastern side
    const wall = [
      [0, 4],
      [3.2, 1.6],
      [0, -4],
    ];
    const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" } };
    const open = (rim: number) => {
      const units = { gt: { type: "g-tank", at: "2010", rim }, s1: "s-inf 1911" };
      return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes("hex 1911");
    };
    expect([open(0), open(3)]).toEqual([true, false]);
  },
);

rule(
  "SOS 9.52",
  "in a breakthrough only mortars of the defenders' command answer, no howitzer and no other mortar",
  () => {
    const REGIMENT_42 = "62A/13GRD/42";
    const units = {
      g1: { type: "g-inf", at: "2009", af: 10 },
      s1: of("s-guards", "2010", `${REGIMENT_42}/1`),
      so: of("s-op", "2014", "62A"),
      sh: "s-how 2020",
      sm: of("s-mortar", "2015", `${REGIMENT_42}/1`),
      sn: of("s-mortar", "2015", "62A/112RD/385/1"),
    };
    const table = new Table(units, { phase: 3, stage: "breakthrough" }).play("hex 2010", "normal", "hex 2009");
    expect([table.ask, table.legal]).toEqual(["df.unit", ["unit s1", "unit sm"]]);
  },
);

rule("SOS 9.53", 'supporters alone are not offered as "all units" of the attacked hex', () => {
  const offered = (more: JsonObject) => {
    const defenders = { sa: { type: "s-at", at: "2010", ...more } };
    const units = { g1: "g-inf 2009", ...defenders, st: "s-tank 2111", ...ELSEWHERE };
    return new Table(units, phase5("2010")).play("hex 2010", "normal").legal;
  };
  expect(offered({})).toEqual(["done", "all", "hex 2009"]);
  expect(offered({ unready: true })).toEqual(["done", "hex 2009"]);
});

rule("SOS 9.48", "a unit with a single hex to go to may retreat there", () => {
  const units = { g1: "g-inf 2009", s1: "s-guards 2010", s2: "s-guards 2010", gf: "g-inf 2035", sf: "s-inf 2040" };
  const position = { ...phase5("2010"), ...column({ "2011": { t: "city" } }), marks: { "2010": ["attack"] } };
  const table = new Table(units, position).play("normal");
  expect([table.ask, table.legal]).toEqual(["retreat.unit", ["done", "unit s1", "unit s2"]]);
  expect(table.play("unit s1").at("s1")).toBe("2011");
});

rule("SOS 9.41", "after a unit has retreated the next one is asked for", () => {
  const units = { g1: "g-inf 2009", s1: "s-guards 2010", s2: "s-guards 2010", s3: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "normal", "unit s2", "hex 2011");
  expect(table.position["decision"]).toEqual({
    ask: "retreat.unit",
    actor: "soviet",
    hex: "2010",
    retreated: ["s2"],
  });
});

rule(
  "SOS 9.82",
  "armor that would have been the first loss of a fire that missed is not asked for in the next result",
  () => {
    const units = { g1: "g-inf 2009", gt: "g-tank 2009", s1: "s-inf 2010", s2: "s-inf 2010", ...ELSEWHERE };
    const table = new Table(
      { ...units, gt: { type: "g-tank", at: "2009", af: 12 } },
      {
        ...phase5("2010"),
        ...ground({ "2010": "suburb" }),
      },
    );
    table.play("hex 2010", "all", "yes", "normal", "all: 10 1");
    expect([table.ask, table.legal]).toEqual(["loss.pick", ["unit s1", "unit s2"]]);
  },
);

rule("SOS 9.87", "nobody retreats into another hex that is to be attacked, not even by night", () => {
  const units = {
    ...{ s1: { type: "s-inf", at: "2009", af: 15 }, s2: "s-inf 2211" },
    ...{ g1: "g-inf 2010", g2: "g-inf 2111" },
  };
  const city = ground({ "2111": "city" }); // no zone of control reaches into it
  const table = new Table(units, { ...attacks(12, "2010", "2111"), ...city }).play("hex 2010", "normal", "done: 5");
  expect([table.ask, table.legal]).toEqual(["after.hex", ["hex 1911", "hex 2011"]]);
});

rule("SOS 9.87", "tanks do not retreat into the Volga", () => {
  const units = { ...strong, st: "s-tank 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2011": "volga" }) });
  table.play("hex 2010", "normal", "done: 5");
  expect([table.ask, table.legal]).toEqual(["after.hex", ["hex 1911", "hex 2111"]]);
});

rule("SOS 18.33", "a leader who rolls for the losses of the hex is turned face up", () => {
  const units = {
    ...strong,
    s1: "s-inf 2010",
    s2: "s-inf 2010",
    sc: of("s-commissar", "2010", "62A/112RD"),
    ...ELSEWHERE,
  };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) });
  table.play("hex 2010", "normal", "done");
  expect(table.unit("sc")["shown"]).toBeUndefined();
  table.play("done: 1", "unit s1: 9");
  expect(table.rolls).toMatchObject([{ kind: "leader", result: "survives" }]);
  expect(table.unit("sc")["shown"]).toBe(true);
});

rule("SOS 14.94", "only an observer pinned in this phase is marked as such", () => {
  const units = { ...strong, s1: "s-inf 2010", so: of("s-op", "2010", "62A"), ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "strongpoint" }) });
  table.play("hex 2010", "normal", "done: 2");
  expect([table.unit("s1"), table.unit("so")]).toMatchObject([{ pinned: true }, { pinned: true, newPin: true }]);
  expect(table.unit("s1")["newPin"]).toBeUndefined();
});

rule("SOS 10.6", "a breakthrough of a hex is reported once, however many units enter it", () => {
  const units = { g1: { type: "g-inf", at: "2009", af: 15 }, g2: "g-inf 2009", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 3, stage: "breakthrough" }).play("hex 2010", "all", "normal", "done: 1");
  const log = new EventLog([0]);
  for (const action of ["unit g1", "unit g2"]) table.env.step(action, new ScriptedDice([]), log);
  expect(["g1", "g2"].map((id) => table.at(id))).toEqual(["2010", "2010"]);
  expect(log.take(0).filter(({ rule }) => rule === "SOS 10.6")).toHaveLength(1);
});

rule("SOS 9.40", "a vehicle looks along its wall from the middle of the side, not from the corner beside it", () => {
  // the line from the corner to the southern hex meets the bend, the one from the middle of the side passes it
  const wall = [
    [0, 4],
    [2, 1],
    [0, -4],
  ];
  const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" } };
  const open = (hex: string) => {
    const units = { gt: { type: "g-tank", at: "2010", rim: 0 }, s1: `s-inf ${hex}` };
    return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes(`hex ${hex}`);
  };
  expect([open("2009"), open("2110")]).toEqual([true, false]);
});

rule("SOS 9.40", "a vehicle behind its wall is covered from beyond it, with a fort in its hex too", () => {
  const wall = [
    [0, 4],
    [0, -4],
  ];
  const hexes = { "2010": { t: "clear", f: ["tartar-wall"], wall, block: "rule" } };
  const open = (rim: number, more: Record<string, string>) => {
    const units = { gt: "g-tank 1911", st: { type: "s-tank", at: "2010", rim }, ...more };
    return new Table(units, { ...attacks(5), map: { base: "blank", hexes } }).legal.includes("hex 2010");
  };
  // 1911 is in the east, as the sector from north to south does
  for (const more of [{}, { sf: "s-inf 3570", sx: "s-fort 2010" }] as Record<string, string>[])
    expect([open(0, more), open(3, more)]).toEqual([true, false]);
});

rule("SOS 9.40", "only the Tartar Wall hides a vehicle on its bank, a ravine does not", () => {
  const ends = [
    [0, 4],
    [0, -4],
  ];
  const wall = { t: "clear", f: ["tartar-wall"], wall: ends, block: "rule" };
  const open = (hex: JsonObject) => {
    const units = { gt: "g-tank 1911", st: { type: "s-tank", at: "2010", rim: 3 } };
    const map = { base: "blank", hexes: { "2010": hex, "2610": wall } };
    return new Table(units, { ...attacks(5), map }).legal.includes("hex 2010");
  };
  expect([open(wall), open({ t: "balka", balka: "03", block: "rule" })]).toEqual([false, true]);
});
