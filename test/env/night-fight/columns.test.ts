import { expect } from "vitest";
import { after, rule, table } from "./table.js";

const NO_FLARE = 1;

/** The position after the end of a turn, with the dice of the columns. */
const ended = (position: object, dice: (number | string)[]) =>
  after(table({ phase: "fire", ...position }), ["done"], [NO_FLARE, ...dice]);
const at = (...hexes: string[]) => Object.fromEntries(hexes.map((hex, i) => [`vs-${i + 1}`, { hex }]));

/** Where a column ends a march towards Germans in these hexes, none of which it comes beside. */
const marches = (from: string, ...hexes: string[]) =>
  ended({ german: at(...hexes), columns: [from, "gone"] }, [3]).columns[0];
/** Where it deploys, when it comes beside one. */
const deploys = (from: string, ...hexes: string[]) => {
  const p = ended({ german: at(...hexes), columns: [from, "gone"] }, [3, "rifle-1", "rifle-2"]);
  expect(p.columns[0]).toBe("gone");
  expect(p.soviet["rifle-2"]!.hex).toBe(p.soviet["rifle-1"]!.hex);
  return p.soviet["rifle-1"]!.hex;
};

rule("NF reconstructed columns", "a march: three hexes, each the neighbour nearest to the nearest German", () => {
  expect(marches("2010", "1510")).toBe("1709");
  expect(marches("3024", "2524")).toBe("2723");
  expect(marches("1505", "1515")).toBe("1508");
  expect(marches("1524", "1514")).toBe("1521");
});

rule("NF reconstructed columns", "the goal is the nearest German, of two as near the one in the lowest hex", () => {
  expect(marches("1510", "1505", "1524")).toBe("1507"); // 5 hexes and 14
  expect(marches("1510", "1524", "1505")).toBe("1507");
  expect(deploys("2010", "2410", "1610")).toBe("1709");
  expect(deploys("2010", "1610", "2410")).toBe("1709");
  expect(deploys("2010", "1505", "2410")).toBe("2309");
});

rule("NF reconstructed columns", "of neighbours as near it takes the lowest", () => {
  // 1605 is next to 1505 and to 1606, both of which are beside 1506
  expect(deploys("1506", "1605")).toBe("1505");
});

rule("NF reconstructed columns", "it stops beside a German, and deploys there", () => {
  expect(deploys("2016", "2018")).toBe("2017");
  expect(deploys("2016", "2019")).toBe("2018");
  expect(deploys("2016", "2017")).toBe("2016");
});

rule("NF reconstructed columns", "it never enters fire: from 1706 it passes 1807 by", () => {
  expect(deploys("1706", "2008")).toBe("1908");
});

rule("NF reconstructed columns", "no column moves or comes on before turn 2", () => {
  const env = table({ phase: "reinstate", german: { "vs-1": { hex: "waiting" } }, columns: ["off", "off"] });
  expect(after(env, ["done"])).toMatchObject({ turn: 1, phase: "move", columns: ["off", "off"] });
});

rule("NF reconstructed columns", "each of the six faces has its hex to come on", () => {
  const hexes = ["2205", "2224", "3014", "3008", "3020", "2605"];
  hexes.forEach((hex, i) =>
    expect(ended({ german: at("1510"), columns: ["off", "gone"] }, [4, i + 1]).columns).toEqual([hex, "gone"]),
  );
});

rule("NF reconstructed columns", "it comes on with 4, not with 3; it marches with 3, not with 2", () => {
  expect(ended({ german: at("1510"), columns: ["gone", "off"] }, [3]).columns).toEqual(["gone", "off"]);
  expect(ended({ german: at("1510"), columns: ["gone", "off"] }, [4, 1]).columns).toEqual(["gone", "2205"]);
  expect(ended({ german: at("1510"), columns: ["gone", "2010"] }, [2]).columns).toEqual(["gone", "2010"]);
  expect(ended({ german: at("1510"), columns: ["gone", "2010"] }, [3]).columns).toEqual(["gone", "1709"]);
});

rule("NF reconstructed columns", "entry hexes held by Germans are passed over, as many as there are (N7)", () => {
  const german = { ...at("3020", "2605"), "gren-1": { hex: "1510" } };
  const p = ended({ german, columns: ["off", "gone"] }, [6, 5]);
  expect(p.columns).toEqual(["2205", "gone"]);
});

rule("NF reconstructed columns", "with Germans in all six entry hexes it stays off the map (N7)", () => {
  const german = at("2205", "2224", "3014", "3008", "3020", "2605");
  expect(ended({ german, columns: ["off", "gone"] }, [6, 3]).columns).toEqual(["off", "gone"]);
});

rule("NF reconstructed columns", "a column that is gone throws no die", () => {
  expect(ended({ german: at("1510"), columns: ["gone", "gone"] }, []).turn).toBe(2);
});

rule("NF reconstructed columns", "with nobody on the map each rolls and stays, and deploys beside nobody (N7)", () => {
  const german = { "vs-1": { hex: "waiting" }, "vs-2": { hex: "exited" } };
  expect(ended({ german, columns: ["2010", "1505"] }, [6, 6]).columns).toEqual(["2010", "1505"]);
});

rule("NF reconstructed columns", "what was drawn for columns is counted, both columns together", () => {
  const position = { german: at("1510", "2010"), columns: ["1610", "2110"] };
  const p = ended(position, [1, "rifle-1", "rifle-2", 1, "rifle-3", "t34-1"]);
  expect(p.drawn).toBe(4);
  expect(p.soviet["t34-1"]).toEqual({ hex: "2110", seen: true, supp: false });
});

rule("NF reconstructed columns", "units of a column draw nothing from the counters on the map", () => {
  const position = {
    german: at("1510"),
    soviet: { "rifle-1": { hex: "2413" }, "rifle-2": { hex: "dead" }, "rifle-3": { hex: "2020", seen: true } },
    columns: ["1610", "gone"],
  };
  for (const name of ["rifle-1", "rifle-2", "rifle-3", "dummy-1"])
    expect(() => ended(position, [1, name, "t34-1"])).toThrow(/rifle|dummy/);
  expect(ended(position, [1, "rifle-4", "t34-1"]).soviet["rifle-4"]!.hex).toBe("1610");
});

rule("NF 11.1 (8.5)", "a column that is looked at and found gives way to its units, which may be fired at once", () => {
  const env = table({ phase: "fire", columns: ["1512", "gone"], german: { "gren-1": { hex: "1510" } } });
  const p = after(env, ["unit gren-1", "hex 1512"], [3, "rifle-1", "t34-1"]);
  expect(p.columns[0]).toBe("gone");
  expect(p.active).toEqual({ unit: "gren-1", target: "1512" });
  expect(env.legal()).toEqual(["stop", "fire"]);
});

rule("NF 11.1 (8.5)", "its marker is looked for within eight hexes and in sight only", () => {
  const legal = (from: string, column: string) =>
    table({ phase: "fire", columns: [column, "gone"], german: { "gren-1": { hex: from } } }).legal();
  expect(legal("1510", "1518")).toEqual(["done", "unit gren-1"]);
  expect(legal("1510", "1519")).toEqual(["done"]);
  expect(legal("1911", "1909")).toEqual(["done"]); // the woods of 1910
});

rule("NF reconstructed columns", "a German one hex nearer is the goal, whichever comes first", () => {
  expect(deploys("2010", "1610", "2510")).toBe("1709");
  expect(deploys("2010", "2510", "1610")).toBe("1709");
});

rule("NF reconstructed columns", "a Soviet counter in an entry hex is in nobody's way", () => {
  const p = ended({ german: at("1510"), soviet: { "rifle-1": { hex: "2205" } }, columns: ["off", "gone"] }, [4, 1]);
  expect(p.columns).toEqual(["2205", "gone"]);
});

rule("NF reconstructed columns", "beside Soviets it has no reason to deploy", () => {
  const p = ended(
    { german: at("1510"), soviet: { "rifle-1": { hex: "2011", seen: true } }, columns: ["2010", "gone"] },
    [1],
  );
  expect(p.columns).toEqual(["2010", "gone"]);
});
