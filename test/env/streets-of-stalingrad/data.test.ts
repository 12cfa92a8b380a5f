import { describe, expect, test } from "vitest";
import { schemaHash } from "../../../env/core/describe.js";
import { type ErrorCode, type GameData, type Json, type JsonObject, loadGame } from "../../../env/index.js";
import { Board, RETREATS, RETREATS_OR_LOSES, STAYS } from "../../../env/streets-of-stalingrad/map/board.js";
import {
  dataFiles,
  dataFor,
  loadSetting,
  SANDBOX,
  standardMap,
  chartsOf,
} from "../../../env/streets-of-stalingrad/data.js";
import { answer } from "../../../env/streets-of-stalingrad/query.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { D1P, D3, DE, ICA_A1, ICA_D1, ICA_D1R2, P } from "../../../env/streets-of-stalingrad/charts.js";

const data = dataFiles();
const sandbox = (position: JsonObject) => loadSetting(dataFor({ scenario: SANDBOX, ...position }, data), SANDBOX);
const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

test("nets of the block fight from before armor and guns still fit: its schema hash stays", () => {
  expect(schemaHash(loadGame("streets-of-stalingrad"))).toBe("fbeb0edaef49afff");
});

describe("a question that can't be asked is answered with those that can", () => {
  const ask = (question: JsonObject) => () => answer(question, { scenario: "campaign" }, data);
  test.each([
    ["no kind", {}, "kind is neighbours, distance"],
    ["another kind", { kind: "weather" }, 'not "weather"'],
    ["an inherited name", { kind: "constructor" }, 'not "constructor"'],
    ["a hex off the map", { kind: "terrain", hex: "0115" }, 'hex: "0115" is no hex of this map'],
    ["a hex that is no text", { kind: "distance", from: 1039, to: "0331" }, "from is a text, not 1039"],
    ["an unknown class", { kind: "clear", hex: "1039", unit: "boat" }, 'unit is foot or vehicle, not "boat"'],
    ["an unknown unit", { kind: "unit", id: "G-1" }, 'there is no unit "G-1"'],
    ["an unknown scenario", { kind: "scenario", id: "x" }, 'there is no scenario "x"'],
  ])("%s", (_what, question, says) => expect(ask(question)).toThrow(error("bad-query", says)));
  test("an unknown map", () =>
    expect(() => answer({ kind: "terrain", hex: "0101" }, { scenario: "x" }, data)).toThrow(
      error("bad-option", "scenario is sandbox-1, sandbox-2, sandbox-3 or sandbox"),
    ));
  test("the map of a scenario that is played", () =>
    expect(answer({ kind: "terrain", hex: "0312" }, { scenario: "sandbox-1" }, data)).toMatchObject({ t: "city" }));
});

describe("geometry and lines of sight", () => {
  const real = new Board(standardMap(data), chartsOf(data).ground);
  test("neighbours are mutual, one apart, and on opposite sides", () => {
    for (let h = 0; h < real.size; h++)
      for (let d = 0; d < 6; d++) {
        const n = real.neighbours[h * 6 + d]!;
        if (n < 0) continue;
        expect(real.neighbours[n * 6 + ((d + 3) % 6)]).toBe(h);
        expect(real.distance(h, n)).toBe(1);
      }
  });
  test("the worked distances of the spec (2.1)", () => {
    const between = (a: string, b: string) => real.distance(real.index(a), real.index(b));
    expect([between("1814", "1412"), between("1039", "0433"), between("1814", "1714")]).toEqual([4, 9, 1]);
  });
  test("a line is the same in both directions", () => {
    let clear = 0;
    for (let a = 7; a < real.size; a += 61)
      for (let b = 3; b < real.size; b += 17) {
        if (real.distance(a, b) > 16) continue;
        expect(real.sight.clear(a, b)).toBe(real.sight.clear(b, a));
        if (real.sight.clear(a, b)) clear++;
      }
    expect(clear).toBeGreaterThan(100);
  });
  test("nobody sees farther than 16 hexes (R91)", () => {
    const { board } = sandbox({});
    expect(board.sight.sees(board.index("2020"), board.index("2036"))).toBe(true);
    expect(board.sight.sees(board.index("2020"), board.index("2037"))).toBe(false);
  });
  test("north is up and the Volga is in the east of the drawing", () => {
    const { board } = sandbox({});
    const [x, y] = board.point(board.index("0210"));
    expect(board.point(board.index("0211"))[1]).toBeLessThan(y);
    expect(board.point(board.index("0110"))[0]).toBeGreaterThan(x);
  });
});

describe("the block fight", () => {
  const { board, roster, points, levels, lastTurn } = loadSetting(data, "sandbox-1");
  const at = (id: string) => board.index(id);
  test("sizes of the spec (6.6)", () => expect([board.size, roster.size]).toEqual([104, 19]));
  test("slots: German roster, spares, Soviet roster, spares (5.3)", () => {
    const ids = "g1 g2 g3 g4 g5 ge brg-1 brg-2 mf-1 ft-1 s1 s2 s3 s4 s5 imm-1 imm-2 mf-2 ft-2";
    expect(roster.counters.map((c) => c.id).join(" ")).toBe(ids);
    expect([roster.first(GERMAN), roster.end(GERMAN), roster.first(SOVIET), roster.end(SOVIET)]).toEqual([
      0, 10, 10, 19,
    ]);
  });
  test("backs show the flag of the division, or star and cross (2.22)", () => {
    const tag = (id: string) => roster.tags[roster.tag[roster.index(id)]!];
    expect(["g1", "s1", "s3", "mf-1", "mf-2"].map(tag)).toEqual(["71ID", "13GRD", "112RD", "cross", "star"]);
  });
  test("costs in half MP, by the hex entered", () => {
    const cost = (from: string, to: string) => board.footCost[at(from) * 6 + board.sideTo(at(from), at(to))];
    expect([cost("0314", "0313"), cost("0313", "0312"), cost("0315", "0314"), cost("0211", "0111")]).toEqual([
      2, 4, 2, 0,
    ]);
  });
  test("city keeps zones out, spends and holds; open ground does none of these (6.2, 9.84, 9.87)", () => {
    for (const [id, zoc, spends, p] of [
      ["0312", 0, 1, STAYS],
      ["0313", 1, 0, RETREATS_OR_LOSES],
      ["0315", 1, 0, RETREATS],
    ] as const)
      expect([board.zocEnters[at(id)], board.pinSpends[at(id)], board.retreatOnP[at(id)]]).toEqual([zoc, spends, p]);
  });
  test("terrain modifiers", () =>
    expect(["0312", "0313", "0315"].map((id) => board.footDrm[at(id)])).toEqual([2, 1, 0]));
  test("sight ends at the block", () => {
    expect(board.sight.clear(at("0315"), at("0313"))).toBe(true);
    expect(board.sight.clear(at("0315"), at("0310"))).toBe(false);
  });
  test("victory", () => {
    expect(points.reduce((a, b) => a + b, 0)).toBe(3);
    expect(levels).toEqual({ germanMarginal: 2, germanDecisive: 3, sovietDecisive: 0 });
    expect(lastTurn).toBe(3);
  });
});

describe("tables", () => {
  const charts = chartsOf(data);
  test("columns by points; a sum of 0 can't fire (R77)", () =>
    expect([0, 1, 2, 3, 9, 10, 49, 50, 99].map((n) => charts.column(n))).toEqual([-1, 0, 0, 1, 4, 5, 7, 8, 8]));
  test("results, the die kept inside the table (CRT)", () => {
    expect(charts.result(0, 0)).toBe(P);
    expect(charts.result(0, -3)).toBe(D1P);
    expect(charts.result(8, -99)).toBe(DE);
    expect(charts.result(8, 0)).toBe(D3);
    expect(charts.result(8, 99)).toBe(charts.result(8, 10));
  });
  test("instant counter-attacks (12.6)", () =>
    expect([-5, 2, 3, 6, 7, 30].map((n) => charts.ica(n))).toEqual([
      ICA_A1,
      ICA_A1,
      ICA_D1,
      ICA_D1,
      ICA_D1R2,
      ICA_D1R2,
    ]));
});

describe("roster of a position", () => {
  const units = {
    g1: { type: "g-inf", at: "1010" },
    s1: { type: "s-guards", at: "1012", formation: "62A/13GRD/42/1" },
  };
  test("attributes may be changed in place", () => {
    const { roster } = sandbox({ units: { ...units, g2: { type: "g-inf", at: "1010", df: 2, mp: 12 } } });
    const [plain, changed] = [roster.index("g1"), roster.index("g2")];
    expect([roster.df[plain], roster.mp[plain], roster.df[changed], roster.mp[changed]]).toEqual([4, 8, 2, 12]);
    expect(roster.sameFace(plain, changed)).toBe(false);
  });
  test("the four senses of a combat unit (R2)", () => {
    const types = ["g-inf", "s-sniper", "s-dog", "s-leader", "s-rf", "s-fort", "s-immob"];
    const { roster } = sandbox({ units: Object.fromEntries(types.map((type, i) => [`u${i}`, { type, at: "1010" }])) });
    const of = (what: Uint8Array) => types.filter((_, i) => what[roster.index(`u${i}`)] === 1);
    expect(of(roster.stackUnit)).toEqual(["g-inf", "s-immob"]);
    expect(of(roster.zocUnit)).toEqual(["g-inf", "s-sniper", "s-immob"]);
    expect(of(roster.lossUnit)).toEqual(["g-inf", "s-sniper", "s-dog", "s-rf", "s-immob"]);
  });
  test("a position that names a spare slot's id takes the slot (5.3)", () => {
    const { roster } = sandbox({ units: { ...units, "mf-2": { type: "s-mine", at: "1013" } } });
    expect(roster.counters.filter((c) => c.id === "mf-2").map((c) => c.spare)).toEqual([false]);
    expect(roster.size).toBe(2 + 8);
  });
  test("more than 40 counters of a side get 16 spare slots each", () => {
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`g${i}`, { type: "g-inf", at: "pool" }]));
    expect(sandbox({ units: many }).roster.size).toBe(41 + 32);
  });
  test.each<[string, JsonObject, string]>([
    ["an unknown type", { units: { g1: { type: "g-boat" } } }, 'units.g1.type: there is no counter type "g-boat"'],
    ["no type", { units: { g1: { at: "1010" } } }, "units.g1: type"],
    ["a value that no counter has", { units: { g1: { type: "g-inf", af: -1 } } }, "units.g1: af"],
    ["a counter of nobody", { units: { b: { type: "bridge" } } }, "units.b: a bridge belongs to no side"],
    ["an id with a blank", { units: { "g 1": { type: "g-inf" } } }, "units.g 1: an id has letters"],
    ["bounds without a hex", { bounds: { cols: [50, 60], rows: [1, 2] } }, "bounds: no hex is inside columns 50 to 60"],
    [
      "a patch off the map",
      { map: { base: "blank", hexes: { "4199": { t: "city" } } } },
      "map.hexes.4199: the map has no",
    ],
    ["an unknown terrain", { map: { base: "blank", hexes: { "1010": { t: "swamp" } } } }, "map: hexes.1010.t"],
    ["an unknown key", { map: { base: "blank", hexes: { "1010": { t: "city", wet: true } } } }, "map: hexes.1010.wet"],
    ["a turn too late", { lastTurn: 68 }, "lastTurn"],
  ])("%s is refused", (_what, position, says) => expect(() => sandbox(position)).toThrow(error("bad-data", says)));
});

describe("an owner's files are refused with file, path and reason", () => {
  /** The data with one value of a file replaced, or taken out. */
  const edited = (path: string, value?: Json): GameData => {
    const [file, ...keys] = path.split(" ") as [string, ...string[]];
    const doc = structuredClone(data[file]) as Record<string, unknown>;
    const last = keys.pop()!;
    const at = keys.reduce((x, key) => x[key] as Record<string, unknown>, doc);
    if (value === undefined) delete at[last];
    else at[last] = value;
    return { ...data, [file]: doc as Json };
  };
  test.each<[string, GameData, string]>([
    ["a row short in the CRT", edited("tables crt columns 2 results 3"), "crt.columns[2].results: there is no row 3"],
    ["columns in disorder", edited("tables crt columns 1 min", 1), "tables.json: crt.columns[1].min"],
    ["a gap in the ICA", edited("tables ica rows 1 min", 4), "tables.json: ica.rows"],
    ["ground without flags", edited("terrain kinds city"), "terrain.json: kinds.city"],
    ["a cost of a third", edited("tables tec terrain city footMp", 1.3), "tables.json: tec.terrain.city.footMp"],
    ["bounds", edited("sandbox-scenarios scenarios 0 position bounds", 3), "scenarios[0].position: bounds"],
    ["a unit", edited("sandbox-scenarios scenarios 0 position units g1 type", 7), "position: units.g1: type"],
  ])("%s", (_what, files, says) => expect(() => loadSetting(files, "sandbox-1")).toThrow(error("bad-data", says)));
});
