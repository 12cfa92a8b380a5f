import { expect } from "vitest";
import { loadGame } from "../../../env/index.js";
import map from "../../../env/pocket-stalingrad/data/map.json" with { type: "json" };
import rules from "../../../env/pocket-stalingrad/data/rules.json" with { type: "json" };
import setup from "../../../env/pocket-stalingrad/data/setup.json" with { type: "json" };
import tables from "../../../env/pocket-stalingrad/data/tables.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { beforeRatt, Table } from "./table.js";

const rule = ruleTests(rules);
const plainDice = { units: [1, 1, 4, 4, 5], command: 2, tactics: 4, ratt: 5 };

rule(
  "PS Components",
  "twenty markers a side, five unit dice, one Fortification to an area, one Artillery marker",
  () => {
    const table = new Table({ initial: "standard" });
    expect(table.position["soviet"]).toMatchObject({ reserve: 18 });
    expect(table.position["german"]).toMatchObject({ reserve: 20 });
    table.do("roll", 1, 2, 3, 4, 5, 1, 2, 3);
    expect(table.legal).toHaveLength(8);
    const moved = new Table({
      turn: 2,
      areas: { "4": { soviet: 1 } },
      artillery: "3",
      soviet: { cmd: 1, rights: ["artillery"] },
      decision: { kind: "artillery", actor: "soviet", window: "end" },
    }).do("arty 4");
    expect(moved.position["artillery"]).toBe("4");
  },
);

rule("PS Area 4", "Central Stalingrad: nine VP, three stars, captured like any other area", () => {
  const end = (german: number) =>
    new Table({
      turn: 5,
      areas: { "4": { soviet: 1, german } },
      german: { cmd: 1, rights: ["artillery"] },
      decision: { kind: "artillery", actor: "german", window: "end" },
    }).do("done");
  expect(end(2).area("4")["captured"]).toBe(null);
  expect(end(3).area("4")["captured"]).toBe("german");
});

rule("PS Area 5", "the Tractor Factory alone has a Fortification at the start", () => {
  const table = new Table({ initial: "standard" });
  expect(["1", "2", "3", "4", "5"].filter((a) => table.area(a)["fort"])).toEqual(["5"]);
});

rule("PS Area 6 Soviet", "two units a turn, and the way out costs one CMD", () => {
  const table = new Table({ initial: "standard" });
  expect(table.area("S6")["soviet"]).toBe(2);
  const crossing = new Table({
    turn: 2,
    active: "soviet",
    areas: { S6: { soviet: 2 } },
    soviet: { cmd: 3 },
    decision: { kind: "cross", actor: "soviet" },
  })
    .do("cross 1")
    .do("cross 1");
  expect(crossing.position["soviet"]).toMatchObject({ cmd: 1 });
  expect(crossing.area("1")["soviet"]).toBe(2);
});

rule("PS Area 6 German", "one unit a turn by default; its units attack from the air and leave only by Sturm", () => {
  const handOver = {
    turn: 1,
    active: "soviet",
    areas: { S6: { soviet: 1 } },
    soviet: { cmd: 1 },
    decision: { kind: "cross", actor: "soviet" },
  };
  expect(new Table(handOver).do("done").area("G6")["german"]).toBe(1);
  expect(new Table(handOver, { gumrakReinforcements: 2 }).do("done").area("G6")["german"]).toBe(2);
  const announcing = new Table({
    turn: 1,
    active: "german",
    areas: { "1": { soviet: 1 }, G6: { german: 1 } },
    german: { cmd: 2 },
    decision: { kind: "announce", actor: "german" },
  });
  announcing.do("announce 1").do("air 1");
  expect(announcing.area("G6")["german"]).toBe(1);
  expect(announcing.kind).toBe("dice");
});

rule("PS Area Z", "no air target, and no attrition unless somebody pays", () => {
  const table = new Table({
    turn: 2,
    active: "german",
    areas: { Z: { soviet: 2, german: 2 }, "1": { soviet: 1 }, G6: { german: 1 } },
    soviet: { cmd: 1 },
    german: { cmd: 1 },
    decision: { kind: "announce", actor: "german" },
  });
  table.do("announce 1");
  expect(table.legal).toEqual(["done", "air 1"]);
  table.do("air 1");
  expect(table.legal).toEqual(["done", "fight"]);
  expect(table.do("done").area("Z")).toEqual({ soviet: 2, german: 2 });
});

rule("PS 3", "rights, Ratzel and CMD end with the turn, damage to the Areas 6 stays", () => {
  const table = new Table({ ...beforeRatt("german", { ...plainDice, tactics: 5, ratt: 4 }), turn: 2 });
  table.do("keep ratt");
  expect(table.position["german"]).toMatchObject({ cmd: 2, rights: ["deploy", "pioneers"] });
  while (table.kind !== "dice") table.do("done");
  expect(table.position["turn"]).toBe(3);
  expect(table.position["german"]).toMatchObject({ cmd: 0, rights: [] });
  expect(table.area("S6")["max"]).toBe(5);
  expect(table.area("G6")["max"]).toBe(5);
});

rule("PS 3 Ratt 2", "Breach takes its CMD at once: a Command die of 1 leaves nothing to spend", () => {
  // ruling R22
  const table = new Table({ ...beforeRatt("soviet", { ...plainDice, command: 1, tactics: 3, ratt: 2 }) }).do(
    "keep ratt",
  );
  expect(table.position["soviet"]).toMatchObject({ cmd: 0, rights: ["artillery", "deploy"] });
});

rule("PS 3 Ratt 4", "a maximum never falls below zero", () => {
  const table = new Table({
    ...beforeRatt("soviet", { ...plainDice, ratt: 4 }),
    areas: { S6: { max: 0 }, G6: { max: 0 } },
  }).do("keep ratt");
  expect(table.area("S6")["max"]).toBe(0);
  expect(table.area("G6")["max"]).toBe(0);
});

rule("PS 3 Deploy", "Ratt and Tactics both granting it make one Deploy", () => {
  // ruling R27: a unit can't go from city area to city area
  const table = new Table({
    ...beforeRatt("german", { ...plainDice, tactics: 2, ratt: 2 }),
    areas: { Z: { german: 1 } },
  }).do("keep ratt");
  while (table.kind !== "deployOut") table.do("done");
  table.do("out 3");
  expect(table.kind).toBe("deployIn");
  table.do("in 3").do("done");
  expect(table.position["active"]).toBe(null);
});

rule("PS Guards", "the Guards unit is lost when Z is full", () => {
  const table = new Table({ ...beforeRatt("soviet", { ...plainDice, tactics: 6 }), areas: { Z: { soviet: 6 } } }).do(
    "keep ratt",
  );
  expect(table.kind).toBe("deployOut");
  expect(table.area("Z")["soviet"]).toBe(6);
  expect(table.position["soviet"]).toMatchObject({ reserve: 20 - 6 - 5 });
});

rule("PS Fortify", "the marker may be given up once, and then shields nothing more", () => {
  const table = new Table({
    turn: 2,
    active: "german",
    areas: { "4": { soviet: 2, fort: true, shieldUsed: true }, G6: { german: 2 } },
    german: { cmd: 2 },
    decision: { kind: "announce", actor: "german" },
  });
  table.do("announce 2").do("air 4").do("raze");
  expect(table.area("4")).toMatchObject({ soviet: 2, fort: false, shieldUsed: false });
  table.do("air 4");
  expect(table.area("4")["soviet"]).toBe(1);
});

rule(
  "PS Fortify",
  "in attrition the shield lowers kills, not losses: four Germans kill both of two fortified units",
  () => {
    // ruling R31
    const table = new Table({
      turn: 2,
      active: "german",
      areas: { "4": { soviet: 2, german: 4, fort: true } },
      german: { rights: ["deploy"] },
      decision: { kind: "deployIn", actor: "german" },
    }).do("done");
    expect(table.area("4")).toMatchObject({ soviet: 0, german: 2, fort: true });
  },
);

rule("PS Artillery", "under the marker Pioneers still remove a Fortification but kill nobody", () => {
  // ruling R36
  const combat = (fort: boolean) =>
    new Table({
      turn: 2,
      active: "german",
      artillery: "4",
      areas: { "4": { soviet: 2, german: 1, fort } },
      german: { cmd: 1, rights: ["deploy", "pioneers"] },
      decision: { kind: "deployIn", actor: "german" },
    }).do("done");
  expect(combat(false).kind).toBe("dice");
  const removing = combat(true);
  expect(removing.kind).toBe("pioneer");
  expect(removing.do("pioneer").area("4")).toMatchObject({ soviet: 2, german: 1, fort: false });
});

rule("PS Pioneers", "an area with a bare Fortification is live for Pioneers alone", () => {
  // rulings R41, R45
  const table = new Table({
    turn: 2,
    active: "german",
    areas: { "3": { german: 1, fort: true } },
    german: { cmd: 1, rights: ["deploy", "pioneers"] },
    decision: { kind: "deployIn", actor: "german" },
  }).do("done");
  expect(table.kind).toBe("pioneer");
  expect(table.do("pioneer").area("3")["fort"]).toBe(false);
});

rule(
  "PS Night",
  "one attack announced under Night is the one that is wasted; the unit may still go in by Sturm",
  () => {
    const table = new Table({
      turn: 2,
      active: "german",
      night: true,
      areas: { "1": { soviet: 1 }, G6: { german: 1 } },
      german: { cmd: 1, rights: ["sturm"] },
      decision: { kind: "announce", actor: "german" },
    });
    table.do("announce 1");
    expect(table.kind).toBe("sturm");
    expect(table.do("sturm 1").area("1")).toMatchObject({ german: 0, soviet: 0 });
  },
);

rule("PS Victory", "three captures beat everything, whatever the enemy holds", () => {
  const table = new Table({
    turn: 1,
    areas: {
      "1": { captured: "german" },
      "2": { captured: "german" },
      "3": { german: 3 },
      "4": { captured: "soviet" },
      "5": { captured: "soviet" },
    },
    german: { cmd: 1, rights: ["artillery"] },
    decision: { kind: "artillery", actor: "german", window: "end" },
  }).do("done");
  expect(table.position["result"]).toEqual({ winner: "german", reason: "sudden" });
});

rule("PS Setup", "an owner's set-up file changes the start", () => {
  const game = loadGame(
    "pocket-stalingrad",
    {},
    {
      setup: {
        ...setup,
        areas: { ...setup.areas, "2": { soviet: 1, fort: true } },
      },
    },
  );
  const s = new Int32Array(game.stateSize);
  game.start(s, { begin() {}, d6: () => 1, d10: () => 1, draw: () => 0, sum6: () => 7, throw6() {} });
  expect(game.write(s)["areas"]).toMatchObject({ "2": { soviet: 1, fort: true }, S6: { soviet: 2 } });
});

rule("PS Guards", "an owner's price for the Guards' move from Z is asked for and paid", () => {
  const guards = (price: number, cmd: number): Table =>
    new Table(
      {
        turn: 2,
        active: null,
        areas: { Z: { soviet: 1 }, S6: { soviet: 1 } },
        soviet: { cmd, rights: ["guards"] },
        decision: { kind: "guards", actor: "soviet" },
      },
      {},
      "sampled",
      { tables: { ...tables, costs: { ...tables.costs, guardsFromZ: price } } },
    );
  expect(guards(2, 1).legal).not.toContain("guards Z-2");
  expect(guards(2, 2).legal).toContain("guards Z-2");
  const { game, state } = guards(2, 2).env;
  const choices = game.narration!.prompt(state, 0).choices.map((c) => c.text);
  expect(choices.filter((text) => text.startsWith("Move a Guards unit from Z (2 CMD) to "))).toHaveLength(5);
});

rule("PS Setup", "the maxima of the two Areas 6 are read each for its own side", () => {
  const { S6, G6 } = setup.areas;
  const areas = { ...setup.areas, S6: { ...S6, max: 5 }, G6: { ...G6, max: 4 } };
  const table = new Table({ initial: "standard" }, {}, "sampled", { setup: { ...setup, areas } });
  expect(table.area("S6")["max"]).toBe(5);
  expect(table.area("G6")["max"]).toBe(4);
});

rule("PS Area 2", "the right to a re-roll goes with the area that an owner's map gives it to, or is nobody's", () => {
  const played = (special: (id: string) => object, side: "soviet" | "german" = "soviet") => {
    const dice = { ...plainDice, units: [1, 1, 4, 4, 4] };
    const majorityIn1 = beforeRatt(side, dice, { areas: { S6: { soviet: 1 }, G6: { german: 1 } } });
    const areas = map.areas.map((area) => {
      const plain = Object.fromEntries(Object.entries(area).filter(([key]) => key !== "special"));
      return { ...plain, ...special(area.id) };
    });
    return new Table(majorityIn1, {}, "sampled", { map: { ...map, areas } }).do("keep ratt").kind;
  };
  expect(played((id) => (id === "1" ? { special: "controllerMayForceRattReroll" } : {}))).toBe("reroll");
  expect(played((id) => (id === "2" ? { special: "controllerMayForceRattReroll" } : {}))).toBe("cross");
  expect(played(() => ({}))).toBe("cross");
  expect(played(() => ({}), "german")).toBe("announce");
});

rule("PS Victory", "the cards' VP are 5, 6, 7, 9 and 12", () => {
  const vp = ["1", "2", "3", "4", "5"].map((id) => {
    const { game, state } = new Table({
      turn: 2,
      active: "soviet",
      areas: { [id]: { captured: "german" }, S6: { soviet: 1 } },
      soviet: { cmd: 1 },
      decision: { kind: "cross", actor: "soviet" },
    }).env;
    return game.narration!.standing(state, 0).conditions.find((c) => c.side === "german" && c.unit === "VP")!.have;
  });
  expect(vp).toEqual([5, 6, 7, 9, 12]);
});

rule("PS Area 6 German", "a card's value that no rule reads is refused, and one that is missing is asked for", () => {
  const changed = (id: string, change: object) => () => {
    const areas = map.areas.map((area) => (area.id === id ? { ...area, ...change } : area));
    return loadGame("pocket-stalingrad", {}, { map: { ...map, areas } });
  };
  const says = (what: string) => `pocket-stalingrad/map.json: areas: area ${what}`;
  expect(changed("G6", { reinforcements: 2 })).toThrow(says("G6 has reinforcements, which nothing reads there"));
  expect(changed("G6", { sideCap: 6 })).toThrow(says("G6 has sideCap, which nothing reads there"));
  expect(changed("Z", { vp: 1 })).toThrow(says("Z has vp, which nothing reads there"));
  expect(changed("S6", { reinforcements: undefined })).toThrow(says("S6 needs reinforcements"));
  expect(changed("3", { stars: undefined })).toThrow(says("3 needs stars"));
});

rule("PS 5 Area Z", "the CMD paid for combat in Z is spent: none is left for Pioneers there", () => {
  const paid = (cmd: number) =>
    new Table({
      turn: 2,
      active: "german",
      areas: { Z: { soviet: 2, german: 1 } },
      german: { cmd, rights: ["deploy", "pioneers"] },
      decision: { kind: "deployOut", actor: "german" },
    })
      .do("done")
      .do("fight");
  expect(paid(2).kind).toBe("pioneer");
  expect(paid(1).position["turn"]).toBe(3);
});

rule("PS Artillery", "no window opens before an area that Soviets hold alone: only the one at the end", () => {
  const table = new Table({
    turn: 2,
    active: "german",
    areas: { "1": { soviet: 2 }, "2": { german: 1 } },
    german: { cmd: 1, rights: ["deploy", "artillery"] },
    decision: { kind: "deployIn", actor: "german" },
  }).do("done");
  expect(table.position["decision"]).toMatchObject({ kind: "artillery", window: "end" });
});
