import { expect } from "vitest";
import type { JsonObject } from "../../../env/index.js";
import rules from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);

/** One combat about to be chosen in area 5; 8 keeps a Soviet counter on the map. */
const fight = (five: JsonObject): JsonObject => ({
  turn: 3,
  phase: "combat",
  areas: { "5": { control: "S", ...five }, "8": { soviet: ["92 Nav"] } },
  pending: ["5"],
  stuka: false,
  decision: { actor: "G", kind: "combat-area" },
});

const german = (...areas: string[]): JsonObject => Object.fromEntries(areas.map((a) => [a, { control: "G" }]));

/** Two dice of 1 show area 2, which is next to none of these: nobody moves. */
const staying = (counters: number): number[] => Array.from({ length: 2 * counters }, () => 1);

rule("SS 1.4", "when German movement ends a quiet turn, the next one has its landing step", () => {
  const table = new Table({
    turn: 3,
    phase: "ger-move",
    areas: { A: { german: ["FlaK/9"] }, "8": { soviet: ["92 Nav"] } },
    waiting: ["I/42 Gds"],
    decision: { actor: "G", kind: "ger-pick" },
  }).do("pass");
  expect(table.position).toMatchObject({ turn: 4, phase: "sov-reinf" });
  expect(table.legal).toContain("unit I/42 Gds");
});

rule("SS 2.2", "a Contested 6 that no chain joins to 8 is open to red circles alone", () => {
  const landings = (unit: string) =>
    new Table({
      turn: 7,
      phase: "sov-reinf",
      areas: {
        ...german("2", "3", "4", "5", "7", "9", "10", "11", "12"),
        "6": { control: "C", german: ["I/194"] },
        "8": { control: "S" },
      },
      waiting: [unit],
      decision: { actor: "S", kind: "reinf-pick" },
    }).do(`unit ${unit}`).legal;
  expect(landings("685/193 RD")).not.toContain("area 6");
  expect(landings("1043/284 RD")).toContain("area 6");
});

rule("SS 6.1", "in the solitaire game a second sniper leaves the HQ alone that the first has suppressed", () => {
  const table = new Table(
    {
      mode: "solo",
      turn: 3,
      phase: "ger-move",
      areas: {
        "5": { german: ["I/194", "191/HQ", "211/HQ"], soviet: ["I/272"], chits: ["sniper-1", "sniper-2"] },
        "8": { soviet: ["92 Nav"] },
      },
      decision: { actor: "G", kind: "cmd-area" },
    },
    { mode: "solo" },
  ).do("pass", 3, 4);
  expect(table.area("5")["german"]).toEqual(["I/194", "191/HQ:s", "211/HQ:s"]);
});

rule("SS 7.2", "a Soviet unit does not make an HQ win ties", () => {
  const table = new Table(fight({ german: ["191/HQ"], soviet: ["I/272:nu"] })).do("area 5", 4, 4, 2);
  expect(table.combat["winner"]).toBe("S");
});

rule("SS 7.32", "of two HQs the one that is not suppressed takes the hit of a tie of sixes", () => {
  const table = new Table(
    fight({ german: ["I/194", "191/HQ:s", "211/HQ"], soviet: ["I/272:nu", "II/272:nu", "6 Tk:nu"] }),
  );
  table.do("area 5", 6, 1, 6, 5);
  while (table.kind === "sov-hit") table.do(table.legal[0]!);
  expect(table.legal).toEqual(["unit 211/HQ"]);
});

rule("SS 9.1", "where all dice are sixes a committed company chooses a six", () => {
  const table = new Table(fight({ german: ["I/194", "71/PNR"], soviet: ["I/272:nu"] }), { engineers: true });
  table.do("area 5").do("yes", 6, 6, 1);
  expect(table.kind).toBe("die-pionier");
  expect(table.legal).toEqual(["die 1"]);
  expect(table.do("die 1").combat["germanDice"]).toEqual([6, 6]);
});

rule("SS 9.1", "behind the Pioniers the HQ is next, which a tie of sixes binds too", () => {
  const table = new Table(
    fight({ german: ["I/194", "71/PNR", "191/HQ"], soviet: ["I/272:nu"], chits: ["counterattack-1:u"] }),
    { engineers: true },
  );
  // the counterattack chit wins the tie, and its six is one more hit
  table.do("area 5").do("yes", 6, 1, 1, 6, 1).do("die 2");
  expect(table.legal).toEqual(["unit 71/PNR", "unit 191/HQ"]);
  expect(table.do("unit 71/PNR").legal).toEqual(["unit 191/HQ"]);
});

rule("SS 9.1", "Pioniers and Engineers of one combat raise a die each", () => {
  const table = new Table(fight({ german: ["I/194", "71/PNR"], soviet: ["Eng/10 NKVD:nu", "6 Tk:nu"] }), {
    engineers: true,
  });
  table.do("area 5").do("yes").do("yes", 4, 1, 2).do("die 1");
  expect(table.kind).toBe("die-engineer");
  expect(table.do("die 1").combat).toMatchObject({ germanDice: [5, 1], sovietDice: [3] });
});

rule("SS 9.1", "in the solitaire game Engineers raise the highest die that is no six, wherever it is", () => {
  const table = new Table(
    {
      ...fight({ german: ["I/194:d"], soviet: ["Eng/10 NKVD:nu", "I/42 Gds:nu"] }),
      mode: "solo",
    },
    { mode: "solo", engineers: true },
  ).do("area 5", 4, 2, 5, 4);
  expect(table.combat["sovietDice"]).toEqual([2, 6, 4]);
});

rule("SS 9.3", "guns shoot at armour, also at armour alone, and not at infantry", () => {
  const beginning = (...units: string[]) =>
    new Table(fight({ german: units, soviet: ["20 AT:nu"] }), { antitank: true });
  expect(beginning("StuG/244", "FlaK/9").do("area 5").legal).toEqual(["unit StuG/244", "unit FlaK/9"]);
  expect(beginning("I/194").do("area 5", 4, 1, 3, 1).combat["winner"]).toBe("G");
});

rule("SS 9.42", "without the option a complete regiment has no bonus", () => {
  const soviet = ["I/272:nu", "II/272:nu", "III/272:nu"];
  const totals = (integrity: boolean) =>
    new Table(fight({ german: ["I/194"], soviet }), { integrity }).do("area 5", 4, 1, 1).combat["totals"];
  expect(totals(false)).toEqual([4, 5]);
  expect(totals(true)).toEqual([4, 6]);
});

rule("SS 9.42", "with the HQ and two battalions of three there is no bonus", () => {
  const total = (battalions: string[]) =>
    new Table(fight({ german: [...battalions, "517/HQ"], soviet: ["6 Tk:nu"] }), { integrity: true }).do(
      "area 5",
      6,
      5,
      4,
      3,
    ).combat["totals"];
  expect(total(["II/517", "III/517"])).toEqual([10, 4]);
  expect(total(["I/517", "II/517", "III/517"])).toEqual([15, 4]);
});

rule("SS 9.6", "a unit that is alone can't attack all-out", () => {
  const table = new Table(fight({ german: ["I/194"], soviet: ["I/272:nu"] }), { schwere: true });
  expect(table.do("area 5", 6, 1, 5).combat["germanDice"]).toEqual([6, 1]);
});

rule("SS 9.6", "who attacks as usual keeps the Schwere Angriff for another combat", () => {
  const table = new Table(fight({ german: ["I/194", "II/194"], soviet: ["I/272:nu"] }), { schwere: true });
  table.do("area 5").do("pass", 6, 1, 1, 5);
  expect(table.position["schwereAvailable"]).toBe(true);
  expect(table.combat["germanHits"]).toEqual(["base"]);
});

rule("SS 4.1", "of two chits of a kind in an area one is offered to move, in another area another", () => {
  const table = new Table({
    turn: 4,
    phase: "sov-move",
    areas: { "5": { chits: ["sniper-1", "sniper-2"] }, "8": { chits: ["sniper-3", "dummy-1"] } },
    decision: { actor: "S", kind: "sov-pick" },
  });
  expect(table.legal).toEqual(["pass", "chit sniper-1", "chit sniper-3", "chit dummy-1"]);
});

rule("SS 9.51", "the option lets SMG companies infiltrate, not chits", () => {
  const table = new Table(
    {
      turn: 4,
      phase: "sov-move",
      areas: {
        "5": { control: "C", german: ["I/194"], chits: ["dummy-1"] },
        "10": { control: "G", german: ["I/191"] },
        "8": { soviet: ["92 Nav"] },
      },
      decision: { actor: "S", kind: "sov-pick" },
    },
    { infiltration: true },
  ).do("chit dummy-1");
  expect(table.legal).toContain("area 4");
  expect(table.legal).not.toContain("area 10");
});

rule("SS 10.31", "no landing is Soviet: red circles fill a Contested 6 without a roll, then try 8 under fire", () => {
  const RED = ["1043/284 RD", "1045/284 RD", "1047/284 RD"];
  const table = new Table(
    {
      mode: "solo",
      turn: 7,
      phase: "ger-reinf",
      areas: {
        ...german("2", "3", "4", "5", "7", "9", "10", "11", "12"),
        "6": { control: "C", german: ["I/194"], soviet: ["I/272:u"] },
        "8": { control: "C", german: ["I/191"], soviet: ["II/272:u"] },
      },
      future: ["FlaK/9", ...RED],
      decision: { actor: "G", kind: "ger-place", unit: "FlaK/9" },
    },
    { mode: "solo" },
  );
  const chits = ["dummy-1", "dummy-2", "sniper-1"];
  // two have room in 6, the third lands in 8 with a 2; the chits go to 6
  table.do("area A", ...RED, 2, ...chits, 3, 3, 3, 3, 3, 3, ...staying(8));
  expect(table.area("6")["soviet"]).toEqual(["I/272:u", RED[0], RED[1]]);
  expect(table.area("8")["soviet"]).toEqual(["II/272:u", RED[2]]);
});

rule("SS 10.31", "behind the occupied areas the empty ones away from the front have a unit each", () => {
  const waiting = ["I/42 Gds", "II/42 Gds", "III/42 Gds", "I/34 Gds", "II/34 Gds", "III/34 Gds"];
  const late = ["I/39 Gds", "II/39 Gds", "III/39 Gds"];
  const table = new Table(
    {
      mode: "solo",
      turn: 5,
      phase: "ger-reinf",
      areas: {
        "7": { soviet: ["I/272", "II/272", "III/272"] },
        "8": { soviet: ["I/270", "II/270", "Militia"] },
      },
      future: ["FlaK/9"],
      waiting: [...waiting, ...late],
      decision: { actor: "G", kind: "ger-place", unit: "FlaK/9" },
    },
    { mode: "solo" },
  );
  // 4, 3, 2 and 12 border the entry areas; each has two, then 6 is first. Everybody rolls 7, which is full
  const chits = ["dummy-1", "dummy-2", "sniper-1"];
  table.do(
    "area A",
    ...waiting,
    ...late,
    ...chits,
    ...Array.from({ length: 18 }, () => [3, 4]).flat(),
    3,
    4,
    3,
    4,
    3,
    4,
  );
  expect(["4", "3", "2", "12"].map((a) => (table.area(a)["soviet"] as string[]).length)).toEqual([2, 2, 2, 2]);
  expect(table.area("6")["soviet"]).toEqual(["III/39 Gds"]);
});

rule("SS 10.11", "of a fourth unit and a fourth chit the least unit and the lowest chit of the area go", () => {
  const table = new Table(
    {
      mode: "solo",
      turn: 4,
      phase: "sov-move",
      areas: {
        "8": { chits: ["sniper-1"] },
        "9": {
          soviet: ["I/42 Gds", "Militia", "II/42 Gds", "III/42 Gds"],
          chits: ["molotov-1", "artillery-1", "ambush-1", "dummy-1"],
        },
      },
    },
    { mode: "solo" },
    staying(9),
  );
  expect(table.area("9")).toMatchObject({
    soviet: ["I/42 Gds", "II/42 Gds", "III/42 Gds"],
    chits: ["artillery-1", "ambush-1", "dummy-1"],
  });
  expect(table.area("8")["chits"]).toEqual(["sniper-1"]);
});
