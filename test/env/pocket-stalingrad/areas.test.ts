import { expect } from "vitest";
import rules from "../../../env/pocket-stalingrad/data/rules.json" with { type: "json" };
import { type JsonObject, Rng } from "../../../env/index.js";
import { ruleTests } from "../../rule.js";
import { beforeRatt, Table } from "./table.js";

const rule = ruleTests("PS", rules);
const START: JsonObject = { initial: "standard" };
const plain = { units: [1, 1, 4, 4, 5], command: 2, tactics: 4 };

/** Calls `each` with the position before every decision of some random games. */
function randomPlay(games: number, each: (table: Table, game: number) => void): void {
  const rng = new Rng("areas");
  for (let g = 0; g < games; g++) {
    const table = new Table(START);
    table.env.reset(`areas/${g}`);
    for (; !table.env.terminated; table.do(table.legal[rng.below(table.legal.length)]!)) each(table, g);
  }
}

const unitsIn = (areas: JsonObject, side: string): number => Object.values(areas).reduce((n: number, a) => n + (((a as JsonObject)[side] as number | undefined) ?? 0), 0);

rule("PS Components", "a throw shows five unit dice, Command, Tactics and Ratt; no more than 20 units a side and five Fortifications are in play", () => {
  const dice = new Table(START).do("roll", 1, 2, 3, 4, 5, 6, 1, 2).position["dice"] as { loose: JsonObject };
  expect(dice.loose).toEqual({ units: [1, 2, 3, 4, 5], command: 6, tactics: 1, ratt: 2 });
  randomPlay(4, ({ position }) => {
    const areas = position["areas"] as JsonObject;
    for (const side of ["soviet", "german"]) expect(unitsIn(areas, side) + ((position[side] as JsonObject)["reserve"] as number)).toBe(20);
    expect(Object.values(areas).filter((a) => (a as JsonObject)["fort"] === true).length).toBeLessThanOrEqual(5);
  });
});

rule("PS 3", "unit dice and Command count before the Ratt die, the Tactics die after it", () => {
  const table = new Table(beforeRatt("soviet", { ...plain, ratt: 1 })).do("keep ratt");
  expect(table.kind).toBe("lose");
  expect([table.area("1")["soviet"], table.area("4")["soviet"], table.area("5")["soviet"]]).toEqual([2, 2, 1]);
  expect(table.position["soviet"]).toMatchObject({ cmd: 2 });
  expect(table.position["night"]).toBe(false);
  table.do("lose 1");
  expect(table.position["soviet"]).toMatchObject({ cmd: 3 });
  expect(table.position["night"]).toBe(true); // the Soviet 4 of the Tactics die
});

rule("PS 3", "nothing but damage of Areas 6 outlives the Victory phase", () => {
  let damaged = 0;
  const least = new Map<string, number>();
  randomPlay(8, (table, game) => {
    const p = table.position;
    if (p["turn"] === 1 || p["active"] !== "soviet" || table.kind !== "dice" || !table.legal.includes("roll") || (p["dice"] as { kept: { units: number[] }; loose: { units: number[] } }).loose.units.length > 0) return;
    if ((p["dice"] as { kept: { units: number[] } }).kept.units.length > 0) return;
    for (const side of ["soviet", "german"]) expect(p[side]).toMatchObject({ cmd: 0, rights: [] });
    expect([p["night"], p["ratzel"]]).toEqual([false, false]);
    for (const id of ["S6", "G6"]) {
      const max = table.area(id)["max"] as number;
      expect(max).toBeLessThanOrEqual(least.get(`${game} ${id}`) ?? 6);
      least.set(`${game} ${id}`, max);
      if (max < 6) damaged++;
    }
  });
  expect(damaged).toBeGreaterThan(0);
});

rule("PS Area 4", "Central Stalingrad gives neither a CMD nor a re-roll", () => {
  const held = { areas: { "4": { soviet: 1, german: 0 }, S6: { soviet: 1 } } };
  const table = new Table(beforeRatt("soviet", { ...plain, ratt: 5 }, held)).do("keep ratt");
  expect(table.kind).toBe("cross"); // nobody was asked for a re-roll
  expect(table.position["soviet"]).toMatchObject({ cmd: 2 });
});

rule("PS Area 5", "the only Fortification at the start lies in the Tractor Factory", () => {
  const table = new Table(START);
  expect(["1", "2", "3", "4", "5"].map((id) => table.area(id)["fort"])).toEqual([false, false, false, false, true]);
});

rule("PS Area 6 Soviet", "two units arrive at the crossing each turn, and each leaves it for one CMD", () => {
  expect(new Table(START).area("S6")["soviet"]).toBe(2);
  const table = new Table({ turn: 1, active: "soviet", areas: { S6: { soviet: 3 } }, soviet: { cmd: 2 }, decision: { kind: "cross", actor: "soviet" } });
  table.do("cross 4");
  expect([table.area("S6")["soviet"], table.area("4")["soviet"], (table.position["soviet"] as JsonObject)["cmd"]]).toEqual([2, 1, 1]);
});

rule("PS Area 6 German", "one unit reaches Gumrak, or as many as the house rule says, and each can fly one attack", () => {
  for (const arrive of [1, 2, 3]) {
    const crossing = { turn: 1, active: "soviet", areas: { S6: { soviet: 1 } }, soviet: { cmd: 1 }, decision: { kind: "cross", actor: "soviet" } };
    const table = new Table(crossing, { gumrakReinforcements: arrive }).do("done");
    expect([table.position["active"], table.area("G6")["german"]]).toEqual(["german", arrive]);
  }
  const air = { turn: 2, active: "german", areas: { "1": { soviet: 2 }, G6: { german: 2 } }, german: { cmd: 5 }, decision: { kind: "announce", actor: "german" } };
  expect(new Table(air).legal).toEqual(["done", "announce 1", "announce 2"]);
});

rule("PS Area Z", "no aircraft finds anyone there, and nobody fights there unpaid", () => {
  const both = { Z: { soviet: 1, german: 1 }, "1": { soviet: 1 }, G6: { german: 2 } };
  const air = new Table({ turn: 2, active: "german", areas: both, german: { cmd: 2 }, decision: { kind: "announce", actor: "german" } }).do("announce 1");
  expect(air.legal).toEqual(["done", "air 1"]);
  const dusk = { turn: 2, active: "german", areas: { Z: { soviet: 1, german: 1 }, "1": { german: 1 } }, decision: { kind: "deployIn", actor: "german" }, german: { cmd: 0, rights: ["deploy"] } };
  const unpaid = new Table(dusk).do("done");
  expect([unpaid.position["turn"], unpaid.area("Z")]).toMatchObject([3, { soviet: 1, german: 1 }]);
  const paid = new Table({ ...dusk, german: { cmd: 1, rights: ["deploy"] } }).do("done").do("fight");
  expect([paid.position["turn"], paid.area("Z")]).toMatchObject([3, { soviet: 0, german: 0 }]);
});
