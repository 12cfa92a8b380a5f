import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { EventLog, type JsonObject, ScriptedDice } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { narrationViewers, silentPaths } from "../../conformance/narration.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const QUIET = { opFire: false };
const breakthrough = (rest: JsonObject = {}, phase = 3): JsonObject => ({ phase, stage: "breakthrough", ...rest });
const three = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009" };

rule("SOS 8.5", "breakthroughs come first in all four movement phases", () => {
  for (const [phase, id] of [
    [3, "unit gt"],
    [7, "unit gt"],
    [10, "unit st"],
    [14, "unit st"],
  ] as const) {
    const table = new Table({ gt: "g-tank 2011", st: "s-tank 2016" }, { phase, stage: "breakthrough" }, QUIET);
    expect(table.ask).toBe("bt.select");
    expect(table.legal).toEqual(["done", id]);
  }
});

rule("SOS 8.5", "when an exploit movement phase begins, breakthroughs are asked for", () => {
  const table = new Table({ gx: "g-inf 3030", sx: "s-inf 3031", gt: "g-tank 2011" }, attacks(5, "3031"));
  table.play("normal", "done: 10");
  expect(table.position).toMatchObject({ phase: 7, stage: "breakthrough" });
});

rule("SOS 8.51", "armor goes on through zones of control, after breakthroughs it stops in them", () => {
  const units = { gt: "g-tank 2012", s1: "s-inf 2010" };
  const through = new Table(units, breakthrough(), QUIET).play("unit gt", "via");
  expect(through.legal).toContain("hex 2011"); // a hex to go by
  const stopped = new Table(units, breakthrough(), QUIET).play("done", "unit gt");
  expect(stopped.legal).toContain("hex 2011");
  expect(stopped.play("via").legal).not.toContain("hex 2011");
});

rule("SOS 6.6", "from zone to zone armor pays 2 MP more", () => {
  // 9 MP in an exploit phase: 2111 and 2110 are in the zone, as 2011 is
  const table = new Table({ gt: "g-tank 2011", s1: "s-inf 2010" }, breakthrough({}, 7), QUIET).play("unit gt", "via");
  table.play("hex 2111");
  expect((table.position["decision"] as { spent: number }).spent).toBe(3);
});

rule("SOS 8.55", "the road over a ravine is no way out of a zone of control", () => {
  const hexes = {
    "2011": { t: "balka", balka: "03", block: "rule", road: "14", cross: "road", f: ["road"] },
    "1912": { t: "clear", f: ["road"], road: "4" },
    "2111": { t: "clear", f: ["road"], road: "1" },
  };
  const units = (s1: string) => ({ gt: { type: "g-tank", at: "2011", rim: 0, onWay: true }, s1: `s-inf ${s1}` });
  const cost = (s1: string) => {
    const table = new Table(units(s1), breakthrough({ map: { base: "blank", hexes } }), QUIET);
    table.play("unit gt", "via", "hex 2111");
    return (table.position["decision"] as { spent: number }).spent;
  };
  expect(cost("3010")).toBe(0.5);
  expect(cost("1911")).toBe(5); // 2 to leave the zone, then round the end of the ravine by 2012 and 2112
});

rule("SOS 8.53", "enemies fire at it on the way", () => {
  const table = new Table({ gt: "g-tank 2013", s1: "s-inf 2010" }, breakthrough()).play("unit gt", "hex 2110");
  expect(table.ask).toBe("op.fire");
});

rule("SOS 8.54", "no road helps in a zone of control", () => {
  const road = (hexes: string[]) => ({
    map: { base: "blank", hexes: Object.fromEntries(hexes.map((h) => [h, { t: "clear", f: ["road"] }])) },
  });
  const hexes = Array.from({ length: 12 }, (_, i) => `20${String(i + 2).padStart(2, "0")}`);
  // by road half a point a hex; into the zone at 2011 a whole one, out of it one more and 2 for leaving
  const units = { gt: "g-tank 2013", s1: "s-inf 1910", s2: "s-inf 2111" };
  const mp = (to: string) => {
    const table = new Table(units, breakthrough(road(hexes), 7), QUIET).play("unit gt", "via");
    table.play(`hex ${to}`);
    return (table.position["decision"] as { spent: number }).spent;
  };
  expect(mp("2012")).toBe(0.5);
  expect(mp("2011")).toBe(1.5);
  expect(mp("2010")).toBe(4.5);
});

rule("SOS 8.56", "each zone left costs 2 MP, however many reach into the hex", () => {
  const units = { gt: "g-tank 2011", s1: "s-inf 2010", s2: "s-inf 2110" };
  const table = new Table(units, breakthrough({}, 7), QUIET).play("unit gt", "via", "hex 2012");
  expect((table.position["decision"] as { spent: number }).spent).toBe(3);
});

rule("SOS 8.57", "one leader of the command rides along, and no other unit on foot", () => {
  const units: Record<string, string | JsonObject> = {
    gt: { type: "g-tank", at: "2011", formation: "51K/24PZ/24PR/I" },
    gl: { type: "g-leader", at: "2011", formation: "51K/24PZ" },
    go: { type: "g-op", at: "2011", formation: "51K/24PZ" },
    gm: { type: "g-op-lw", at: "2011" },
    g1: "g-inf 2011",
  };
  const table = new Table(units, breakthrough(), QUIET).play("unit gt");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual(["unit gl", "unit go"]);
  table.play("unit gl");
  expect(table.legal.filter((a) => a.startsWith("unit"))).toEqual([]);
});

rule("SOS 8.52", "a group attacks from the hex that it has reached; groups that moved before it do not", () => {
  const units = { t1: "g-tank 2013", t2: "g-tank 2113", s1: "s-inf 2010" };
  const table = new Table(units, breakthrough(), QUIET).play("unit t1", "hex 2011");
  expect(table.unit("t1")["fresh"]).toBe(true);
  expect(table.legal).toEqual(["done", "hex 2010", "unit t2"]);
  table.play("unit t2", "hex 2111");
  table.play("hex 2010");
  // t2 alone: the one attacker is picked by itself, and nobody of the Soviets could retreat
  expect((table.position["frames"] as JsonObject[]).at(-1)).toMatchObject({ attackers: ["t2"] });
});

rule("SOS 10.1", "infantry breaks through too, from its own hex", () => {
  const table = new Table({ ...three, s1: "s-inf 2010" }, breakthrough(), QUIET);
  expect(table.legal).toEqual(["done", "hex 2010"]);
});

rule(
  "SOS 10.2",
  "no breakthrough enters the city or an interdicted hex, and none is made by pinned or spent units",
  () => {
    const on = (terrain: string, rest: JsonObject = {}) =>
      new Table(
        { g1: "g-inf 2009", s1: "s-inf 2010" },
        breakthrough({ ...ground({ "2010": terrain }), ...rest }),
        QUIET,
      ).ask;
    for (const t of ["clear", "forest", "suburb", "balka"]) expect(on(t)).toBe("bt.select");
    for (const t of ["city", "industrial", "strongpoint", "cliff"]) expect(on(t)).toBe("move.select");
    const bombs = { "2010": [{ side: "german", af: 4, mode: "interdict", until: 5 }] };
    expect(on("clear", { bombs })).toBe("move.select");
    const pinned = { g1: { type: "g-inf", at: "2009", pinned: true }, s1: "s-inf 2010" };
    expect(new Table(pinned, breakthrough(), QUIET).ask).not.toBe("bt.select");
  },
);

rule("SOS 10.3", "Stukas support it if their observer sees the hex, and mortars of the command", () => {
  const units: Record<string, string | JsonObject> = {
    g1: { type: "g-inf", at: "2009", formation: "51K/71ID/191/I" },
    gm: { type: "g-mortar", at: "2007", formation: "51K/71ID/191/I" },
    gh: { type: "g-how", at: "2005", formation: "51K/71ID" },
    go: { type: "g-op", at: "2008", formation: "51K/71ID" },
    gw: "g-op-lw 2008",
    s1: "s-inf 2010",
  };
  const start = (more: Record<string, string> = {}) =>
    new Table({ ...units, ...more }, breakthrough({ stukas: { available: 2 } }), QUIET).play("hex 2010");
  const table = start();
  expect(table.legal).toEqual(["n 1", "n 2", "unit g1"]);
  table.play("unit g1");
  expect(table.legal).toEqual(["done", "n 1", "n 2", "unit gm"]); // the howitzer stays out of it
  expect(start({ gw: "g-op-lw 2030" }).legal).not.toContain("n 1");
});

rule("SOS 10.4", "a hex is tried once a phase", () => {
  const units = { ...three, g4: "g-inf 2011", s1: "s-inf 2010", s2: "s-inf 2010" };
  const table = new Table(units, breakthrough(), QUIET).play("hex 2010", "unit g1", "done", "normal", "done: 10");
  expect(table.ask).toBe("move.select");
  expect(table.legal).not.toContain("hex 2010");
});

rule("SOS 10.6", "an attack that fails leaves its units spent and where they are", () => {
  const units = { ...three, g9: "g-inf 3031", s1: "s-inf 2010" };
  const table = new Table(units, breakthrough(), QUIET).play("hex 2010", "all", "normal", "done: 10");
  expect(["g1", "g2", "g3"].map((id) => table.unit(id)["spent"])).toEqual([true, true, true]);
  expect(table.legal).not.toContain("unit g1");
});

rule("SOS 10.6", "a unit that retreats was not eliminated, so nobody enters", () => {
  const units = { ...three, g9: "g-inf 3031", s1: "s-inf 2010" };
  const table = new Table(units, breakthrough(), QUIET).play("hex 2010", "all", "normal", "done: 4");
  expect(table.ask).toBe("after.hex");
  table.play("hex 2011");
  expect(table.ask).toBe("move.select");
  expect(table.position["marks"]).toBeUndefined();
  expect(table.unit("g1")["spent"]).toBe(true);
});

const taken = (more: Record<string, string> = {}, s2 = "s-inf 2110") =>
  new Table({ ...three, ...more, s1: "s-inf 2010", s2 }, breakthrough(), QUIET)
    .play("hex 2010", "all", "normal")
    .play("done: 2", "unit g1", "done");

rule("SOS 10.7", "no enemy zone reaches into the marker; passing it takes half the MP and the attack", () => {
  const table = taken({ gt: "g-tank 2007" });
  expect(table.position["marks"]).toEqual({ "2010": ["breakthru"] });
  table.play("unit gt", "via", "hex 2010");
  // 1908, 1909 and 1910 are in no zone: 3 MP, then 9 of 18
  expect((table.position["decision"] as { spent: number }).spent).toBe(12);
  table.play("hex 2011");
  expect(table.unit("gt")["fresh"]).toBeUndefined();
});

rule("SOS 10.8", "a unit beside the marker may counter-attack at once", () => {
  const table = new Table({ ...three, s1: "s-inf 2010", s2: "s-guards 2011" }, breakthrough(), QUIET)
    .play("hex 2010", "all", "normal")
    .play("all: 10 2", "unit g1", "done");
  expect(table.ask).toBe("ica.unit");
  table.play("unit s2: 10");
  if (table.ask === "advance.unit") table.play("unit s2");
  expect(table.position["marks"]).toBeUndefined();
});

rule("SOS 10.9", "units under the marker are spent when movement ends", () => {
  const table = taken({ g9: "g-inf 3031" }, "s-inf 3570");
  expect(table.unit("g1")["spent"]).toBeUndefined();
  while (table.position["phase"] === 3) table.play("done");
  expect(table.unit("g1")["spent"]).toBe(true);
  expect(table.position["marks"]).toBeUndefined();
});

rule("SOS 12.9", "taking the hex back removes the marker", () => {
  const table = new Table(
    { ...three, s1: "s-inf 2010", s2: { type: "s-guards", at: "2011", af: 20 } },
    breakthrough(),
    QUIET,
  )
    .play("hex 2010", "all", "normal")
    .play("all: 10 2", "unit g1", "done", "unit s2: 10", "unit s2");
  expect(table.at("s2")).toBe("2010");
  expect(table.position["marks"]).toBeUndefined();
});

rule(
  "SOS 8.52",
  "when a group sets out the text says which units may attack afterwards, and which no longer may",
  () => {
    const units = { t1: "g-tank 2014", t2: "g-tank 2114", s1: "s-inf 2010" };
    const { env } = new Table(units, breakthrough());
    const { game } = env;
    const viewers = narrationViewers(game);
    const fresh: unknown[] = [];
    for (const action of ["unit t1", "hex 2011", "hold", "unit t2", "hex 2111", "pass"]) {
      const before = viewers.map((viewer) => game.view(env.state, viewer));
      const log = new EventLog(viewers);
      env.step(action, new ScriptedDice([]), log);
      viewers.forEach((viewer, i) => {
        const silent = silentPaths(
          streetsOfStalingrad.events!,
          before[i]!,
          game.view(env.state, viewer),
          log.take(viewer),
        );
        expect({ action, viewer, silent }).toEqual({ action, viewer, silent: [] });
      });
      const at = game.write(env.state)["units"] as Record<string, JsonObject>;
      fresh.push(Object.keys(at).filter((id) => at[id]!["fresh"] === true));
    }
    // while t2 is only named, nobody sees that t1 won't attack
    expect(fresh).toEqual([[], ["t1"], ["t1"], ["t1"], ["t2"], ["t2"]]);
  },
);

rule("SOS 8.52", "armor that stays where it is leaves the group before it without an attack", () => {
  const units = { t1: "g-tank 2013", t2: "g-tank 2113", s1: "s-inf 2010" };
  const table = new Table(units, breakthrough(), QUIET).play("unit t1", "hex 2011", "unit t2", "stay");
  expect(table.unit("t1")["fresh"]).toBeUndefined();
  expect(table.position["stage"]).toBe("normal");
});
