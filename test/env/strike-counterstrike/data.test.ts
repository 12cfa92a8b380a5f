import { describe, expect, test } from "vitest";
import { KesselError } from "../../../env/core/errors.js";
import type { GameData, JsonObject, Options } from "../../../env/core/game.js";
import { ScriptedDice } from "../../../env/core/dice/dice.js";
import { Env } from "../../../env/core/env.js";
import { GERMAN_COLUMN } from "../../../env/strike-counterstrike/data.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { fire } from "../../../env/strike-counterstrike/rules/fire.js";
import { changed, play, position, rule, type } from "./table.js";
import { Play } from "../../../env/core/play.js";

const hex = (id: string): number =>
  (type.data["map"] as { hexes: { id: string }[] }).hexes.findIndex((h) => h.id === id);

/** Replaced data files that must not load, with the message. */
const BAD: readonly (readonly [string, GameData, RegExp])[] = [
  ["a hex number twice", changed("map", ["hexes", 1, "id"], "1000"), /map\.json: hexes: "1000" is listed twice/],
  ["neighbours that are not mutual", changed("map", ["grid", "neighboursOddColumn", 1], [1, -1]), /map\.json: grid: /],
  [
    "a German Moscow",
    changed("map", ["hexes", hex("2608"), "control"], "german"),
    /map\.json: moscow: hex 2608 starts under German control/,
  ],
  ["a town that the map lacks", changed("map", ["tula"], "2799"), /map\.json: tula: hex 2799 is not on the map/],
  [
    "a front hex left out",
    changed("map", ["frontOrder"], ["1900"]),
    /map\.json: frontOrder: hex 2001 is German and touches a Soviet hex/,
  ],
  [
    "a front flag too many",
    changed("map", ["hexes", hex("2007"), "front"], true),
    /map\.json: hexes\[\d+\]\.front: the front list says false for hex 2007/,
  ],
  [
    "no fortified locality",
    {
      ...type.data,
      map: JSON.parse(JSON.stringify(type.data["map"]).replaceAll('"fortified":true', '"fortified":false')),
    },
    /map\.json: hexes: there is no fortified locality/,
  ],
  [
    "two counters of one name",
    changed("units", ["german", 1, "id"], "pz-1"),
    /units\.json: german: "pz-1" is listed twice/,
  ],
  [
    "an army that starts behind the German line",
    changed("units", ["soviet", 0, "setup"], "2007"),
    /units\.json: soviet\[0\]\.setup: hex 2007 is German/,
  ],
  [
    "two armies that start in one hex",
    changed("units", ["soviet", 0, "setup"], "2000"),
    /units\.json: soviet\[1\]\.setup: army 1S starts in hex 2000 already/,
  ],
  [
    "a census that does not add up",
    changed("units", ["counterCensus", "total"], 200),
    /units\.json: counterCensus\.total: the parts add up to 208, not 200/,
  ],
  [
    "a CRT column too short",
    changed("tables", ["crt", "columns", "mech"], [0, 0, 1]),
    /tables\.json: crt\.columns\.mech: /,
  ],
  ["a turn without MP", changed("tables", ["movement"], { "1": 2 }), /tables\.json: movement\.2: /],
  [
    "two answers for forests",
    changed("tables", ["terrain", "forest", "germanMechModifier"], -2),
    /tables\.json: terrain\.forest\.germanMechModifier: /,
  ],
  [
    "columns that the map does not have",
    changed("map", ["grid", "columns", 1], 28),
    /map\.json: grid\.columns: .*10 to 27, not 10 to 28/,
  ],
  [
    "rows that the map does not have",
    changed("map", ["grid", "rows", 0], 1),
    /map\.json: grid\.rows: .*0 to 17, not 1 to 17/,
  ],
  ["another number of turns", changed("scenario", ["turns"], 7), /scenario\.json: turns: /],
];

describe("an owner's data are refused with file, path and reason", () => {
  for (const [what, data, message] of BAD)
    test(what, () => {
      let error: unknown;
      try {
        type.load({ concede: false }, data);
      } catch (e) {
        error = e;
      }
      expect(error).toBeInstanceOf(KesselError);
      expect((error as KesselError).code).toBe("bad-data");
      expect((error as KesselError).message).toMatch(message);
    });
});

test("another strength of an army plays and shows", () => {
  const data = changed("units", ["soviet", 3, "strength"], 8);
  const { counterCensus: census } = data["units"] as { counterCensus: { sovietArmies: number; total: number } };
  census.sovietArmies++; // 8 steps are four counters, not three
  census.total++;
  const game = type.load({ concede: false }, data);
  const env = new Env(game);
  env.reset("owner");
  expect(game.write(env.state)["armies"]).toMatchObject({ "5": { steps: 8 } });
});

describe("an owner's data play by the same rules", () => {
  const start = (data: GameData, position: JsonObject): Env => {
    const env = new Env(type.load({ concede: false }, data));
    env.resetTo(position, "owner");
    return env;
  };

  rule("SC 7.4", "without replacements Phase II goes on at once", () => {
    const env = start(changed("tables", ["replacementsPerTurn"], 0), { turn: 2, phase: "attach" });
    play(env, ["army 16"]);
    expect(position(env)).toMatchObject({ turn: 3, phase: "enter", replacements: 0 });
    const later = start(changed("tables", ["replacementsPerTurn"], 0), { turn: 4, phase: "attach" });
    play(later, ["army 16"]);
    expect(position(later)).toMatchObject({ turn: 5, phase: "activate" });
  });

  rule("SC 10.1", "a modified roll of 0 has a row of its own", () => {
    const tables = loadTables(changed("tables", ["crt", "columns", "mech"], [3, 0, 0, 0, 1, 1, 1, 2]), {
      concede: false,
    });
    expect(fire(tables, 2, GERMAN_COLUMN, -1, new Play(new ScriptedDice([1, 2])))).toBe(3);
  });

  rule("SC 7.2", "the army that comes on turn 3 may be the first of the list", () => {
    const data = changed("units", ["soviet", 0, "setup"], "track:3");
    const env = start(data, { turn: 2, phase: "attach", armies: { "4S": { hex: "dead" } } });
    play(env, ["army 16"], ["done"]);
    expect(position(env)).toMatchObject({ turn: 3, phase: "enter", armies: { "1S": { hex: "track" } } });
    play(env, ["hex 2700"]);
    expect(position(env)).toMatchObject({ phase: "partisan", armies: { "1S": { hex: "2700", steps: 8 } } });
  });

  rule("SC 7.2", "two armies that come on turn 3 enter one after the other", () => {
    const env = start(changed("units", ["soviet", 0, "setup"], "track:3"), { turn: 3, phase: "enter" });
    play(env, ["hex 2700"]);
    expect(position(env)).toMatchObject({ phase: "enter", armies: { "1S": { hex: "2700" }, "4S": { hex: "track" } } });
    play(env, ["hex 2600"]);
    expect(position(env)).toMatchObject({ phase: "partisan", armies: { "4S": { hex: "2600", steps: 8 } } });
  });

  rule("SC 7.2", "where every hex of entry is taken the army never comes (R20)", () => {
    const west = (type.data["map"] as { edges: JsonObject }).edges["west"]!;
    const data = changed("map", ["edges"], { west, north: [], south: [], east: [] });
    const env = start(data, { turn: 3, phase: "enter" }); // the 16th Army is in Moscow, the 50th in Tula
    expect(env.legal()).toEqual(["done"]);
    play(env, ["done"]);
    expect(position(env)).toMatchObject({ phase: "partisan", armies: { "4S": { hex: "dead", steps: 0 } } });
  });
});

const map = type.data["map"] as unknown as {
  hexes: { id: string; fortified?: boolean; kLine?: boolean }[];
  edges: Record<string, string[]>;
};
const tables = type.data["tables"] as unknown as {
  movement: Record<string, number>;
  crt: { columns: Record<string, number[]> };
};

rule("SC 1.6", "the edges run from corner to corner, and a corner belongs to two of them", () => {
  const pad = (n: number): string => String(n).padStart(2, "0");
  const columns = Array.from({ length: 18 }, (_, i) => 10 + i);
  expect(map.edges["west"]).toEqual(Array.from({ length: 18 }, (_, row) => `10${pad(row)}`));
  expect(map.edges["east"]).toEqual(Array.from({ length: 17 }, (_, row) => `27${pad(row)}`));
  expect(map.edges["north"]).toEqual(columns.map((c) => `${c}00`));
  expect(map.edges["south"]).toEqual(columns.map((c) => `${c}${c % 2 === 0 ? 17 : 16}`));
});

rule("SC 2.10", "two movement points on turn 1, three on every turn after it", () => {
  expect(tables.movement).toEqual({ "1": 2, "2": 3, "3": 3, "4": 3, "5": 3, "6": 3 });
});

rule("SC 10.1", "hits of a die by its modified roll, 0 to 7, in each column of the reconstructed table", () => {
  expect(tables.crt.columns).toEqual({
    shockFirst: [0, 0, 0, 1, 1, 1, 2, 2],
    sovietOther: [0, 0, 0, 0, 1, 1, 1, 2],
    mech: [0, 0, 0, 0, 1, 1, 1, 2],
    nonmech: [0, 0, 0, 0, 0, 1, 1, 2],
    sec: [0, 0, 0, 0, 0, 0, 1, 1],
    interceptor: [0, 0, 0, 0, 0, 1, 1, 1],
  });
});

rule("SC 10.13", "nineteen fortified localities, Kaluga, Sukhinichi and Yukhnov among them", () => {
  const fortified = map.hexes.filter((h) => h.fortified === true).map((h) => h.id);
  expect(fortified).toHaveLength(19);
  for (const id of ["2211", "2012", "2010"]) expect(fortified).toContain(id);
});

rule("SC 4.3", "the K-Line has 34 hexes, none of them fortified", () => {
  const line = map.hexes.filter((h) => h.kLine === true);
  expect(line).toHaveLength(34);
  expect(line.filter((h) => h.fortified === true)).toEqual([]);
});

const half = { concede: false, counters: "half-sheet" };

rule(
  "SC 2.1",
  "as on half-sheets: 87 Soviet counters, 7 Germans and 20 of the other game make 114, as 114 Germans do",
  () => {
    const { armies, counters, engineer } = loadTables(type.data, half);
    const { sovietMarkers, otherGame, total } = (type.data["half-sheet"] as { counterCensus: Record<string, number> })
      .counterCensus;
    const soviet = [...armies, engineer].reduce((n, a) => n + a.strength / 2, 0) + sovietMarkers!;
    expect(armies).toHaveLength(17);
    expect(sovietMarkers).toBe(4 + armies.length);
    const late = counters.filter((c) => c.enters > 0).length;
    expect([late, soviet + late + otherGame!, counters.length - late]).toEqual([7, 114, 114]);
    expect(total).toBe(208 + otherGame!);
  },
);

rule("SC 3.5", "with the half-sheets five more armies start on Soviet hexes, and the twelve start as always", () => {
  const armiesOf = (options: Options) => {
    const game = type.load(options, type.data);
    const env = new Env(game);
    env.reset("armies");
    return game.write(env.state)["armies"] as Record<string, { hex: string; steps: number }>;
  };
  const armies = armiesOf(half);
  const where = (id: string) => `${armies[id]!.hex} ${armies[id]!.steps}`;
  expect(["22", "29", "33", "39", "43"].map(where)).toEqual(["2102 6", "2303 8", "2510 6", "2202 6", "2509 6"]);
  const twelve = armiesOf({ concede: false });
  expect(Object.fromEntries(Object.keys(twelve).map((id) => [id, armies[id]]))).toEqual(twelve);
});

rule("SC 2.8", "with the half-sheets 27 mech, 76 nonmech, 12 security, and all six support markers", () => {
  const { slotsOf, counters } = loadTables(type.data, half);
  expect(slotsOf.map((x) => x.length)).toEqual([27, 76, 12, 6]);
  for (const id of ["pz-esebeck", "pg-16", "pg-60", "inf-recke", "inf-haenicke", "sec-l44"])
    expect(counters.map((c) => c.id)).not.toContain(id);
});

test("a half-sheet may leave out only counters that there are", () => {
  const load = () => type.load(half, changed("half-sheet", ["withoutGerman", 0], "pz-99"));
  expect(load).toThrow(/half-sheet\.json: withoutGerman\[0\]: units\.json has no German counter pz-99/);
});
