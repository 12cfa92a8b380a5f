import { expect } from "vitest";
import { gameType } from "../../../env/index.js";
import { rule } from "./table.js";

// What the rules print is held to them here; what is this project's own is listed here a second time, so that it
// can't change unseen.

const { data } = gameType("night-fight");
const map = data["map"] as unknown as {
  exitColumn: number;
  entryColumn: number;
  contacts: string[];
  columnEntries: string[];
  hexes: { id: string; terrain: string; road?: boolean; ablaze?: boolean }[];
};
const units = data["units"] as unknown as {
  budget: number;
  german: { type: string; [key: string]: unknown }[];
  soviet: { type: string; [key: string]: unknown }[];
};
const tables = data["tables"] as unknown as Record<string, unknown>;

const two = (n: number): string => String(n).padStart(2, "0");
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const column = (list: readonly { type: string; [key: string]: unknown }[], ...keys: string[]) =>
  Object.fromEntries(list.map((t) => [t.type, keys.map((key) => t[key] ?? null)]));

rule("NF 11.4", "the chart: cost, combat strength, anti-tank capability, weight", () => {
  expect(column(units.german, "cost", "strength", "antitank", "weight")).toEqual({
    vs: [2, 1, true, null],
    panther: [14, 7, true, "heavy"],
    gren: [5, 4, false, null],
    jagd: [12, 8, false, "heavy"],
    stug: [11, 6, false, "medium"],
    marder: [11, 6, true, "light"],
    sdk: [7, 4, false, "light"],
    truck: [2, 1, false, null],
  });
});

rule(
  "NF 11.2",
  "Sperber 2 for tanks and guns, Vampir 1 for Grenadiers, Uhu 3 for the halftrack, nothing for others",
  () => {
    expect(column(units.german, "night")).toEqual({
    vs: [0], panther: [2], gren: [1], jagd: [2], stug: [2], marder: [2], sdk: [3], truck: [0],
  }); // prettier-ignore
  },
);

rule("NF 11.3 B", "of all types the Volkssturm alone have a Panzerfaust", () => {
  expect(column(units.german, "panzerfaust")).toEqual({
    vs: [true], panther: [null], gren: [null], jagd: [null], stug: [null], marder: [null], sdk: [null], truck: [null],
  }); // prettier-ignore
});

rule("NF 11.3 C", "JagdPanther and StuG fire three hexes without shells, six with them", () => {
  expect(column(units.german, "range", "restoredRange")).toEqual({
    vs: [2, null],
    panther: [6, null],
    gren: [2, null],
    jagd: [3, 6],
    stug: [3, 6],
    marder: [6, null],
    sdk: [3, null],
    truck: [1, null],
  });
});

rule(
  "NF reconstructed 8",
  "movement points, kinds and counts of the German types, and 40 points to buy them with",
  () => {
    expect(column(units.german, "mp", "kind", "count")).toEqual({
      vs: [3, "infantry", 6],
      panther: [5, "vehicle", 2],
      gren: [3, "infantry", 4],
      jagd: [5, "vehicle", 1],
      stug: [5, "vehicle", 1],
      marder: [6, "vehicle", 2],
      sdk: [6, "vehicle", 2],
      truck: [6, "vehicle", 2],
    });
    expect(units.budget).toBe(40);
  },
);

rule("NF reconstructed attack", "the Soviet force: strength, anti-tank, weight, range, count, engineers", () => {
  expect(column(units.soviet, "strength", "antitank", "weight", "kind", "range", "count", "engineer")).toEqual({
    rifle: [3, false, null, "infantry", 2, 8, null],
    atgun: [5, true, null, "infantry", 4, 4, null],
    t34: [6, true, "medium", "vehicle", 4, 4, null],
    hunter: [3, true, null, "infantry", 1, 3, true],
    dummy: [0, false, null, "dummy", 0, 5, null],
  });
});

rule("NF 11.3 F", "four hexes are ablaze, those that the text names", () => {
  expect(map.hexes.filter((h) => h.ablaze === true).map((h) => h.id)).toEqual(["1807", "1907", "2721", "2822"]);
});

rule("NF 11.3", "twelve turns, and one for each truck that did not get out", () => {
  expect(tables).toMatchObject({ turns: 12, victory: { dice: 2, perTruckLost: 1 } });
});

rule("NF N1", "the entry edge is column 15, the exit edge column 30", () => {
  expect([map.entryColumn, map.exitColumn]).toEqual([15, 30]);
});

rule("NF reconstructed 8", "one road from edge to edge in row 14, one across it in column 22", () => {
  const road = [...range(15, 30).map((c) => `${c}14`), ...range(5, 24).map((r) => `22${two(r)}`)];
  expect(map.hexes.filter((h) => h.road === true).map((h) => h.id)).toEqual([...new Set(road)].sort());
});

rule("NF reconstructed 8", "the contact hexes", () => {
  expect(map.contacts).toEqual([
    "1811", "1816", "2010", "2014", "2019", "2212", "2216", "2307", "2413", "2421", "2510", "2616", "2713", "2808",
  ]); // prettier-ignore
});

rule("NF reconstructed columns", "the entry hexes of the six faces, and what the dice of columns do", () => {
  expect(map.columnEntries).toEqual(["2205", "2224", "3014", "3008", "3020", "2605"]);
  expect(tables["columns"]).toEqual({
    unitsEach: 2,
    firstTurn: 2,
    enterOn: [4, 5, 6],
    moveOn: [3, 4, 5, 6],
    moveHexes: 3,
  });
});

rule("NF reconstructed flare", "a 6 lights a flare", () => {
  expect(tables["flare"]).toEqual({ on: [6] });
});

rule("NF 11.1 (22.3)", "one point for each friend and wreck, on top of what the ground costs", () => {
  expect(tables["moveCost"]).toEqual({
    infantry: { clear: 1, woods: 1, town: 1 },
    vehicle: { clear: 1, woods: 2, town: 2 },
    road: 1,
    perFriendlyUnitOrWreck: 1,
    exit: 1,
  });
});

rule("NF reconstructed spotting", "what adds to the die of a German who looks, and of a Soviet", () => {
  expect(tables["spotting"]).toEqual({
    needBeyondDistance: 2,
    maxRange: 8,
    flareInOrAdjacent: 2,
    targetInWoodsOrTown: -1,
    adjacent: 1,
    nightVoidAblazeDistance: 3,
  });
  expect(tables["sovietSpotting"]).toEqual({ needBeyondDistance: 0, lit: 2, unspottedReach: 3 });
});

rule("NF 11.1 (19.1)", "engineers add one; what else adds to an attack", () => {
  expect(tables["attackModifiers"]).toEqual({
    coverTarget: -1,
    infantryCloseVehicleInCover: 1,
    panzerfaust: 5,
    engineerAdjacentVehicle: 1,
    ace: 1,
    antitank: { light: 3, medium: 2, heavy: 1 },
  });
});

rule("NF 11.1 (22.4)", "the lines of the results table and their limits; 0 and -1 have one line", () => {
  const crt = tables["crt"] as { upTo: number[]; results: string[][] };
  expect(crt.upTo.slice(0, -1)).toEqual([-2, 0, 1, 2, 3, 5]);
  expect(crt.results.map((row) => row.join(""))).toEqual([
    "-----S", "----SE", "---SSE", "---SEE", "--SSEE", "-SSEEE", "SSEEEE",
  ]); // prettier-ignore
});
