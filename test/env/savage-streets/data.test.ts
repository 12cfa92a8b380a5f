import { expect } from "vitest";
import { gameType } from "../../../env/index.js";
import rules from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";

// What the rules print is held to them here; what is this project's own is listed here a second time, so that it
// can't change unseen.

const rule = ruleTests(rules);
const { data } = gameType("savage-streets");
const map = data["map"] as unknown as {
  areas: { id: string; kind: string; stars: number | null; adjacent: string[]; entryFor?: string[] }[];
  landing: { normal: string[]; redCircle: string[] };
  victoryAreas: { areas: string[]; pathTo: string[] };
  solitairePriority: { order: string[] };
};
interface German {
  id: string;
  type: string;
  division: string;
  regiment: string | null;
  entryTurn: number;
  full: number;
  depleted: number;
  mp: number;
}
interface Soviet {
  id: string;
  type: string;
  regiment: string | null;
  entryTurn: number;
  redCircle: boolean;
  smg: boolean;
  cv: number;
}
const units = data["units"] as unknown as {
  german: German[];
  soviet: Soviet[];
  regimentsOfThree: { german: string[]; soviet: string[] };
  battalionsOf: Record<string, string[]>;
};
const chits = data["chits"] as unknown as { kinds: { kind: string; count: number }[]; chits: { kind: string }[] };
const setup = data["setup"] as unknown as { sovietAtStart: { units: string[] }; solo: Record<string, unknown> };
const tables = data["tables"] as unknown as Record<string, Record<string, unknown>>;

const among = (id: string) => map.areas.find((a) => a.id === id)!;
const battalions = (regiment: string, n: number, of = regiment) =>
  ["I", "II", "III"].slice(0, n).map((k) => `${k}/${of}`);

rule(
  "SS 2.2",
  "two dice of a landing under fire bring it ashore, two turn it away, two sink it; 6 serves red circles",
  () => {
    expect(tables["underFire"]!["results"]).toEqual({
    1: "land", 2: "land", 3: "turned-away", 4: "turned-away", 5: "eliminated", 6: "eliminated",
  }); // prettier-ignore
    expect(map.landing).toMatchObject({ normal: ["7", "8"], redCircle: ["6"] });
  },
);

rule("SS 6.1", "an attack on a unit: nothing with 1 and 2, suppressed with 3 and 4, a step with 5 and 6", () => {
  expect(tables["attackOnUnit"]!["results"]).toEqual({
    1: "none", 2: "none", 3: "suppressed", 4: "suppressed", 5: "step-loss", 6: "step-loss",
  }); // prettier-ignore
});

rule("SS 10.51", "command: 4 or less moves, an HQ takes one off the die", () => {
  expect(tables["command"]).toMatchObject({ drmHq: -1, moveUpTo: 4 });
});

rule(
  "SS 7.1",
  "two dice for the greater value, one for the lesser, two each for equals, one more when more than double",
  () => {
    expect(tables["dicePool"]).toMatchObject({ greater: 2, lesser: 1, equal: 2, moreThanDouble: 1 });
  },
);

rule("SS 6.3", "one die for each artillery chit", () => {
  expect(tables["dicePool"]).toMatchObject({ perArtillery: 1, perCounterattack: 1, stuka: 1, schwereAngriff: 1 });
});

rule("SS 1.21", "three units and three chits an area, one more gun or tank, and one more HQ for the German", () => {
  expect(tables["stacking"]!["duel"]).toEqual({ units: 3, extraArmorOrAntitank: 1, extraHqGerman: 1, sovietChits: 3 });
});

rule("SS 10.11", "in the solitaire game three Soviet units, whatever they are, and three chits", () => {
  expect(tables["stacking"]!["solo"]).toEqual({ sovietUnits: 3, sovietExtraArmor: 0, sovietChits: 3 });
});

rule("SS 3.0", "three chits are drawn each turn", () => {
  expect(tables["chitsPerTurn"]).toMatchObject({ draw: 3 });
});

rule("SS 8.2", "nine turns; 7 and 8 must be held, with a way to an entry area", () => {
  expect(tables["turns"]).toMatchObject({ last: 9 });
  expect(map.victoryAreas).toMatchObject({ areas: ["7", "8"], pathTo: ["A", "B", "C"] });
});

rule("SS 4.1", "Soviet units move from turn 2 on", () => {
  expect(tables["turns"]).toMatchObject({ sovietFirstMove: 2 });
});

rule("SS 1.51", "twenty chits of seven kinds, split as reconstructed", () => {
  const split = { sniper: 3, molotov: 3, artillery: 4, ambush: 3, strongpoint: 3, counterattack: 2, dummy: 2 };
  expect(Object.fromEntries(chits.kinds.map((k) => [k.kind, k.count]))).toEqual(split);
  expect(chits.chits.map((c) => c.kind)).toEqual(
    Object.entries(split).flatMap(([kind, n]) => Array.from({ length: n }, () => kind)),
  );
});

rule("SS 1.52", "nine Soviet units are there at the start", () => {
  expect(setup.sovietAtStart.units).toEqual([
    "I/272", "II/272", "III/272", "I/270", "II/270", "Militia", "Eng/10 NKVD", "6 Tk", "20 AT",
  ]); // prettier-ignore
  expect(units.soviet.filter((u) => u.entryTurn === 0).map((u) => u.id)).toEqual(setup.sovietAtStart.units);
});

rule(
  "SS 10.21",
  "of the nine one each starts in 2, 3, 5, 6, 9 and 12, dice place the other three and three chits",
  () => {
    expect(setup.solo).toMatchObject({
      oneEachIn: ["2", "3", "5", "6", "9", "12"],
      byDiceRoll: 3,
      eventChitsByDiceRoll: 3,
    });
  },
);

rule("SS 10.32", "the order of areas for the Soviets of the solitaire game", () => {
  expect(map.solitairePriority.order).toEqual(["7", "8", "6", "5", "9", "10", "4", "3", "11", "2", "12"]);
});

rule("SS 2.1", "the 71st comes on in A, the 295th in B or C, armour in all three", () => {
  expect(["A", "B", "C"].map((id) => among(id).entryFor?.toSorted())).toEqual([
    ["71", "none"],
    ["295", "none"],
    ["295", "none"],
  ]);
  expect(map.areas.filter((a) => a.kind === "entry").map((a) => a.id)).toEqual(["A", "B", "C"]);
});

rule("SS 7.1", "stars of the areas, as reconstructed", () => {
  expect(Object.fromEntries(map.areas.flatMap((a) => (a.stars === null ? [] : [[a.id, a.stars]])))).toEqual({
    2: 1, 3: 2, 4: 1, 5: 2, 6: 2, 7: 3, 8: 1, 9: 2, 10: 2, 11: 1, 12: 1,
  }); // prettier-ignore
});

rule("SS 5.1", "areas that border each other, as reconstructed", () => {
  expect(Object.fromEntries(map.areas.map((a) => [a.id, a.adjacent.toSorted().join(" ")]))).toEqual({
    A: "12 3 B", B: "2 3 A C", C: "2 4 B",
    2: "3 4 5 B C", 3: "10 12 2 5 A B", 4: "2 5 6 C", 5: "10 2 3 4 6 9", 6: "4 5 7 9", 7: "6 8 9",
    8: "11 7 9", 9: "10 11 5 6 7 8", 10: "11 12 3 5 9", 11: "10 12 8 9", 12: "10 11 3 A",
  }); // prettier-ignore
});

rule(
  "SS 2.0",
  "German units by the turn they come on; battalions 4-2, HQs and Pioniere 2-1, two movement points",
  () => {
    const own = (regiment: string, n: number, turn: number) => [
      ...battalions(regiment, n).map((id) => `${id} ${turn} 4-2 2`),
      `${regiment}/HQ ${turn} 2-1 2`,
    ];
    const of = (division: string) =>
      units.german
        .filter((u) => u.division === division)
        .map((u) => `${u.id} ${u.entryTurn} ${u.full}-${u.depleted} ${u.mp}`);
    expect(of("71").sort()).toEqual(
      [...own("194", 2, 1), ...own("191", 3, 2), ...own("211", 3, 3), "71/PNR 1 2-1 2"].sort(),
    );
    expect(of("295").sort()).toEqual(
      [...own("517", 3, 1), ...own("516", 3, 1), ...own("518", 2, 3), "295/PNR 2 2-1 2"].sort(),
    );
    expect(of("none")).toEqual(["StuG/244 1 4-2 3", "StuG/245 2 4-2 3", "FlaK/9 4 3-1 2"]);
  },
);

rule("SS 2.0", "Soviet units by the turn they come on, with combat value, red circles and sub-machine guns", () => {
  const by = (turn: number) =>
    units.soviet
      .filter((u) => u.entryTurn === turn)
      .map((u) => `${u.id} ${u.cv}${u.redCircle ? " red" : ""}${u.smg ? " smg" : ""}`);
  expect(by(0)).toEqual([
    "I/272 1", "II/272 1", "III/272 1", "I/270 1", "II/270 1", "Militia 1", "Eng/10 NKVD 1", "6 Tk 2", "20 AT 2",
  ]); // prettier-ignore
  expect(by(1)).toEqual([]);
  expect(by(2)).toEqual([...battalions("42 Gds", 3).map((id) => `${id} 2`), "SMG/42 Gds 1 smg"]);
  expect(by(3)).toEqual([...battalions("34 Gds", 3).map((id) => `${id} 2`), "SMG/34 Gds 1 smg", "AT/13 Gds 2"]);
  expect(by(4)).toEqual([...battalions("39 Gds", 2).map((id) => `${id} 2`), "Eng/13 Gds 2"]);
  expect(by(5)).toEqual(["III/39 Gds 2", "SMG/39 Gds 1 smg", "137 Tk 2"]);
  expect(by(6)).toEqual(["92 Nav 2"]);
  expect(by(7)).toEqual([
    "1043/284 RD 2 red", "1045/284 RD 2 red", "1047/284 RD 2 red", "SMG/284 RD 1 red smg", "685/193 RD 2",
  ]); // prettier-ignore
  expect(by(8)).toEqual(["AT/284 RD 2"]);
});

rule("SS 9.42", "regiments of three battalions; 194 and 518 have two and no bonus", () => {
  expect(units.regimentsOfThree).toMatchObject({
    german: ["191", "211", "516", "517"],
    soviet: ["272", "34Gds", "39Gds", "42Gds"],
  });
  const guards = ["34", "39", "42"].map((n) => [`${n}Gds`, battalions("", 3, `${n} Gds`)]);
  expect(units.battalionsOf).toEqual({
    ...Object.fromEntries(["191", "211", "272", "516", "517"].map((n) => [n, battalions(n, 3)])),
    ...Object.fromEntries(["194", "518"].map((n) => [n, battalions(n, 2)])),
    ...Object.fromEntries(guards),
  });
});
