import { expect, test } from "vitest";
import { firstDifference, KesselError, loadGame, newState, sameSituation, SeededDice } from "../../../env/index.js";
import { MOVED, SUPPRESSED } from "../../../env/night-fight/layout.js";
import { after, table } from "./table.js";
import { everyCase } from "../every-case.js";

const refusals: readonly (readonly [object, string])[] = [
  [{ phase: "move", turns: 3 }, "turns"],
  [{ phase: "sleep" }, "phase"],
  [{ phase: "move", turn: 13 }, "turn: turns are 1 to 12"],
  [{ phase: "buy", turn: 2 }, "turn: units are bought before turn 1"],
  [{ phase: "buy", budget: 41 }, "budget: there are 40 points"],
  [{ phase: "move", german: { "tiger-1": { hex: "1510" } } }, "german.tiger-1: there is no German counter"],
  [{ phase: "move", german: { "rifle-1": { hex: "1510" } } }, "german.rifle-1: there is no German counter"],
  [{ phase: "move", german: { "vs-1": { hex: "3110" } } }, 'german.vs-1.hex: "3110" is neither a hex'],
  [{ phase: "buy", german: { "vs-1": { hex: "1510" } } }, "german.vs-1.hex: no unit is on the map"],
  [{ phase: "move", german: { "vs-1": { hex: "1807" } } }, "german.vs-1.hex: hex 1807 is ablaze"],
  [{ phase: "move", german: { "vs-1": { hex: "1510", fired: true } } }, "german.vs-1.fired: nobody has fired yet"],
  [{ phase: "fire", german: { "vs-1": { hex: "waiting", fired: true } } }, "german.vs-1.fired"],
  [
    { phase: "fire", german: { "vs-1": { hex: "1510", fired: true, supp: true } } },
    "german.vs-1.supp: a suppressed unit",
  ],
  [
    {
      phase: "move",
      german: { "vs-1": { hex: "1510" }, "vs-2": { hex: "1510" }, "vs-3": { hex: "1510" }, "vs-4": { hex: "1510" } },
    },
    "german.vs-1.hex: 4 units are in 1510, a hex holds 3",
  ],
  [
    { phase: "move", german: { "vs-1": { hex: "1510" } }, soviet: { "rifle-1": { hex: "1510" } } },
    "german.vs-1.hex: a Soviet counter is in 1510",
  ],
  [
    { phase: "move", german: { "vs-1": { hex: "1510" } }, columns: ["1510", "off"] },
    "german.vs-1.hex: a column is in 1510",
  ],
  [
    { phase: "move", soviet: { "dummy-1": { hex: "1510", seen: true } } },
    "soviet.dummy-1.seen: a dummy that is turned up is dead",
  ],
  [{ phase: "move", soviet: { "rifle-1": { hex: "1510", supp: true } } }, "soviet.rifle-1.supp"],
  [
    { phase: "move", soviet: { "rifle-1": { hex: "reserve", seen: true } } },
    "soviet.rifle-1: a counter that is reserve",
  ],
  [{ phase: "move", soviet: { "?1510": { hex: "1510" } } }, "soviet.?1510: this is a player's view"],
  [{ phase: "move", columns: ["off"] }, "columns"],
  [{ phase: "move", columns: ["2721", "off"] }, "columns[0]: hex 2721 is ablaze"],
  [{ phase: "move", wrecks: { "1510": 0 } }, "wrecks.1510"],
  [{ phase: "move", wrecks: { "9999": 1 } }, "wrecks.9999: the map has no hex"],
  [{ phase: "move", flares: ["1504"] }, "flares[0]: the map has no hex"],
  [{ phase: "move", ace: "rifle-1" }, "ace: there is no German counter"],
  [
    { phase: "move", german: { "vs-1": { hex: "exited" }, "vs-2": { hex: "1510" } }, exited: 2 },
    'exited: 1 units have the hex "exited"',
  ],
  [{ phase: "step", german: { "vs-1": { hex: "1510" } } }, "active: phase step needs the unit"],
  [{ phase: "move", german: { "vs-1": { hex: "1510" } }, active: { unit: "vs-1" } }, "active: no unit acts"],
  [
    { phase: "step", german: { "vs-1": { hex: "1510", moved: true } }, active: { unit: "vs-1" } },
    "active.unit: vs-1 can't be moving",
  ],
  [
    { phase: "step", german: { "vs-1": { hex: "1510" } }, active: { unit: "vs-1", mp: 4 } },
    "active.mp: vs-1 has 3 movement points",
  ],
  [
    { phase: "target", german: { "vs-1": { hex: "1510" } }, active: { unit: "vs-1" } },
    "active.unit: vs-1 can't be choosing a target",
  ],
  [
    { phase: "follow", german: { "vs-1": { hex: "1510" } }, active: { unit: "vs-1", target: "1511" } },
    "active.target: vs-1 has nothing to fire at in 1511",
  ],
  [{ phase: "over" }, "result: phase over needs"],
  [{ phase: "move", result: 7 }, "result: there is no result yet"],
  [{ phase: "move", german: { "vs-1": { hex: "dead" } } }, "phase: no German unit is waiting or on the map"],
  [{ phase: "move", drawn: 1 }, "drawn: 1 counters can't have been drawn"],
  [{ phase: "move", silent: { "1510": { "rifle-1": [1] } } }, "silent.1510: no counter is face down in 1510"],
  [
    { phase: "move", soviet: { "rifle-1": { hex: "1510" } }, silent: { "1510": { "rifle-1": [0] } } },
    "silent.1510: rifle-1 is there",
  ],
  [
    { phase: "move", soviet: { "rifle-1": { hex: "1510" } }, silent: { "1510": { "dummy-1": [1] } } },
    "silent.1510.dummy-1: a dummy is always silent",
  ],
  [
    { phase: "move", soviet: { "dummy-1": { hex: "1510" } }, silent: { "1510": { "rifle-1": Array(13).fill(2) } } },
    "silent.1510.rifle-1: 13 dice; a counter rolls one a turn at most, and there are 12 turns",
  ],
];

test.each(refusals)("%j is refused: %s", (position, reason) => {
  const load = () => table(position as never);
  expect(load).toThrow(KesselError);
  expect(load).toThrow(`night-fight: ${reason}`);
});

test("a contact may have been silent in every turn", () => {
  const silent = { "1510": { "rifle-1": Array(12).fill(2) as number[] } };
  expect(() =>
    table({ phase: "over", turn: 12, result: 7, soviet: { "dummy-1": { hex: "1510" } }, silent } as never),
  ).not.toThrow();
});

test("a player's view names what has been turned up and the hexes of the rest", () => {
  const env = table({
    phase: "move",
    german: { "vs-1": { hex: "1510" } },
    soviet: { "t34-1": { hex: "2013" }, "rifle-2": { hex: "2014", seen: true }, "dummy-1": { hex: "dead" } },
  });
  expect(env.game.view(env.state, 0)["soviet"]).toEqual({
    "?2013": { hex: "2013" },
    "rifle-2": { hex: "2014", seen: true, supp: false },
    "dummy-1": { hex: "dead" },
  });
});

test("what silence has revealed is in the document and comes back from it", () => {
  const env = table({
    phase: "fire",
    german: { "gren-1": { hex: "2011" } },
    soviet: { "dummy-1": { hex: "2013" }, "dummy-2": { hex: "1910" } },
  });
  const p = after(env, ["done"], [1]);
  expect(p.silent!["1910"]!["rifle-1"]).toEqual([0]); // in the next hex it couldn't have missed
  expect(p.silent!["1910"]!["dummy-3"]).toBeUndefined();
  const again = newState(env.game.stateSize);
  env.game.read(env.game.write(env.state), again, new SeededDice());
  expect(sameSituation(env.state, again), firstDifference(env.game.fields, env.state, again) ?? "").toBe(true);
});

test("data of an owner are refused with file, path and reason", () => {
  const data = loadGame("night-fight").type.data as Record<string, Record<string, unknown>>;
  const load = (file: string, change: object) => () =>
    loadGame("night-fight", {}, { [file]: { ...data[file], ...change } as never });
  const hexes = data["map"]!["hexes"] as object[];
  expect(load("map", { contacts: ["1811", "9999"] })).toThrow(
    "night-fight/map.json: contacts[1]: there is no hex 9999",
  );
  expect(load("map", { contacts: ["1807"] })).toThrow("contacts[0]: hex 1807 is ablaze");
  expect(load("map", { contacts: ["1811", "1811"] })).toThrow("contacts: a hex is listed twice");
  expect(load("map", { hexes: hexes.slice(1) })).toThrow("night-fight/map.json: hexes");
  expect(load("map", { hexes: [hexes[1], hexes[0], ...hexes.slice(2)] })).toThrow(
    "hexes[1].id: expected hexes in rising order",
  );
  expect(load("map", { exitColumn: 31 })).toThrow("exitColumn: the map has columns 15 to 30, not 31");
  expect(load("map", { columnEntries: ["2205"] })).toThrow("night-fight/map.json: columnEntries");
  expect(load("map", { forest: true })).toThrow("night-fight/map.json: forest: there is no such key");
  const german = data["units"]!["german"] as { count: number }[];
  expect(load("units", { german: [{ ...german[0], count: 7 }, ...german.slice(1)] })).toThrow(
    "night-fight/units.json: german: counts add up to 21; there are 20 counters",
  );
  expect(load("units", { german: [...german].reverse() })).toThrow("german: types are vs, panther");
  const crt = data["tables"]!["crt"] as { upTo: number[] };
  expect(load("tables", { crt: { ...crt, upTo: [0, 0, 1, 2, 3, 5, 99] } })).toThrow("crt.upTo[1]: limits rise");
  expect(load("tables", { turns: 0 })).toThrow("night-fight/tables.json: turns");
  const longer = loadGame("night-fight", {}, { tables: { ...data["tables"], turns: 15 } as never });
  expect(longer.maxDecisions).toBeGreaterThan(loadGame("night-fight").maxDecisions);
});

test("what no document may say breaks an invariant in the same words", () => {
  const broken: readonly (readonly [field: string, value: number, words: string])[] = [
    ["flags", MOVED | SUPPRESSED, "german.vs-1.supp: a suppressed unit neither moves nor fires"],
    ["budget", 41, "budget: there are 40 points in all, not 41"],
    ["drawnForColumns", 3, "drawn: 3 counters can't have been drawn for columns, 0 are known"],
  ];
  for (const [field, value, words] of broken) {
    const { game, state } = table({ phase: "move", german: { "vs-1": { hex: "1510" } } });
    expect(game.invariantViolation(state)).toBeNull();
    state[game.fields.find((f) => f.name === field)!.offset] = value;
    expect(game.invariantViolation(state)).toBe(words);
    expect(() => table(game.write(state))).toThrow(words);
  }
});

everyCase("night-fight");
