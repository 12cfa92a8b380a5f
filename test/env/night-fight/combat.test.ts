import { expect } from "vitest";
import { loadGame } from "../../../env/index.js";
import { ELIMINATE, NOTHING, SUPPRESS } from "../../../env/night-fight/data.js";
import { tablesOf } from "../../../env/night-fight/index.js";
import { leastDie, resultOf } from "../../../env/night-fight/rules/combat.js";
import { after, rule, table } from "./table.js";

const fire = (position: object) => table({ phase: "fire", ...position });
const tables = tablesOf(loadGame("night-fight"));

rule("NF 11.1 (22.4)", "0 and -1 share a line; -2 has one of its own", () => {
  for (let die = 1; die <= 6; die++) expect(resultOf(tables, 0, die)).toBe(resultOf(tables, -1, die));
  expect(resultOf(tables, 0, 5)).toBe(SUPPRESS);
  expect(resultOf(tables, -2, 5)).toBe(NOTHING);
  expect(resultOf(tables, -9, 6)).toBe(SUPPRESS);
});

rule("NF reconstructed attack", "a better value never gives a worse result", () => {
  for (let value = -8; value < 12; value++)
    for (let die = 1; die <= 6; die++)
      expect(resultOf(tables, value + 1, die)).toBeGreaterThanOrEqual(resultOf(tables, value, die));
  expect(resultOf(tables, 12, 3)).toBe(ELIMINATE);
});

rule("NF reconstructed attack", "a target in woods costs one, unless it is a vehicle beside infantry", () => {
  // grenadiers 4 against rifle 3 in the open: 1, a 4 suppresses; in woods: 0, it takes a 5
  const rifle = (hex: string, from: string, die: number) =>
    after(
      fire({ german: { "gren-1": { hex: from } }, soviet: { "rifle-1": { hex, seen: true } } }),
      ["unit gren-1", `hex ${hex}`],
      [die],
    ).soviet["rifle-1"]!.supp;
  expect(rifle("2013", "2014", 4)).toBe(true);
  expect(rifle("1608", "1609", 4)).toBe(false);
  expect(rifle("1608", "1609", 5)).toBe(true);
  // Volkssturm beside a T-34 in woods: 1 - 6 - 1 + 1 + 5 = 0, a 6 eliminates as in the open
  const tank = fire({ german: { "vs-1": { hex: "1609" } }, soviet: { "t34-1": { hex: "1608", seen: true } } });
  expect(after(tank, ["unit vs-1", "hex 1608"], [6]).wrecks).toEqual({ "1608": 1 });
});

rule("NF 11.3 B", "a Panzerfaust reaches the next hex only", () => {
  const env = fire({ german: { "vs-1": { hex: "2015" } }, soviet: { "t34-1": { hex: "2013", seen: true } } });
  expect(env.legal()).toEqual(["done"]);
});

rule("NF 11.3 B", "and helps nobody but the Volkssturm", () => {
  const env = fire({
    german: { "vs-1": { hex: "2014" }, "gren-1": { hex: "2014" } },
    soviet: { "t34-1": { hex: "2013", seen: true } },
  });
  expect(env.legal()).toEqual(["done", "unit vs-1"]);
});

rule("NF 11.3 C", "a restored gun reaches six hexes, an empty one fires its machine gun three", () => {
  const position = (reinstated: boolean) => ({
    german: { "stug-1": { hex: "2017" } },
    soviet: { "rifle-1": { hex: "2013", seen: true } },
    reinstated: { stug: reinstated },
  });
  expect(fire(position(false)).legal()).toEqual(["done"]);
  expect(fire(position(true)).legal()).toEqual(["done", "unit stug-1"]);
});

rule("NF 11.1 (4.0)", "the ace adds one to the attacks of the unit it rides with", () => {
  // Panther 7 against rifle 3: 4, a 3 suppresses; with the ace 5, the same line; against T-34 7 - 6 + 2 = 3: a 4
  // suppresses, with the ace it eliminates
  const position = { german: { "panther-1": { hex: "2015" } }, soviet: { "t34-1": { hex: "2013", seen: true } } };
  expect(after(fire(position), ["unit panther-1", "hex 2013"], [4]).soviet["t34-1"]!.supp).toBe(true);
  expect(after(fire({ ...position, ace: "panther-1" }), ["unit panther-1", "hex 2013"], [4]).soviet["t34-1"]!.hex).toBe(
    "dead",
  );
});

rule("NF reconstructed results", "a second suppression eliminates", () => {
  const env = fire({
    german: { "gren-1": { hex: "2014" } },
    soviet: { "rifle-1": { hex: "2013", seen: true, supp: true } },
  });
  const p = after(env, ["unit gren-1", "hex 2013"], [4]);
  expect(p.soviet["rifle-1"]!.hex).toBe("dead");
  expect(p.wrecks).toEqual({});
});

rule("NF reconstructed target", "fire hits the strongest that may be attacked, then the lowest slot", () => {
  const rifles = { "rifle-2": { hex: "2013", seen: true }, "rifle-1": { hex: "2013", seen: true } };
  const soviet = { ...rifles, "t34-1": { hex: "2013", seen: true }, "atgun-1": { hex: "2013", seen: true } };
  // grenadiers can't hurt the tank, so the gun is hit: 4 - 5 = -1
  expect(
    after(fire({ german: { "gren-1": { hex: "2014" } }, soviet }), ["unit gren-1", "hex 2013"], [6]).soviet["atgun-1"]!
      .hex,
  ).toBe("dead");
  const p = after(fire({ german: { "gren-1": { hex: "2014" } }, soviet: rifles }), ["unit gren-1", "hex 2013"], [6]);
  expect(p.soviet["rifle-1"]!.hex).toBe("dead");
  expect(p.soviet["rifle-2"]!.hex).toBe("2013");
});

rule("NF reconstructed fire", "what may be attacked goes before what is face down in the same hex", () => {
  const env = fire({
    german: { "gren-1": { hex: "2014" } },
    soviet: { "rifle-1": { hex: "2013", seen: true }, "rifle-2": { hex: "2013" } },
  });
  const p = after(env, ["unit gren-1", "hex 2013"], [6]);
  expect(p.soviet["rifle-1"]!.hex).toBe("dead");
  expect(p.soviet["rifle-2"]!.seen).toBe(false);
});

rule("NF reconstructed fire", "a unit that holds its fire has had its turn", () => {
  const env = fire({ german: { "gren-1": { hex: "2014" } }, soviet: { "rifle-1": { hex: "2013", seen: true } } });
  expect(after(env, ["unit gren-1", "stop"]).german["gren-1"]!.fired).toBe(true);
  expect(env.legal()).toEqual(["done"]);
});

rule(
  "NF reconstructed attack",
  "infantry beside a vehicle in cover makes up for the cover, others and from afar not",
  () => {
    const die = (unit: string, from: string, target: string) => {
      // what least die harms the target in the woods of 1608
      for (let d = 1; d <= 6; d++) {
        const p = after(
          fire({ german: { [unit]: { hex: from } }, soviet: { [target]: { hex: "1608", seen: true } } }),
          [`unit ${unit}`, "hex 1608"],
          [d],
        );
        if (p.soviet[target]!.hex === "dead" || p.soviet[target]!.supp) return d;
      }
      return 7;
    };
    // Volkssturm 1 - 6 - 1 + 1 + 5 = 0; Marder 6 - 6 - 1 + 2 = 1; Panther 7 - 6 - 1 + 1 + 2: no, it is a vehicle: 2
    expect(die("vs-1", "1609", "t34-1")).toBe(5);
    expect(die("marder-1", "1609", "t34-1")).toBe(4);
    expect(die("panther-1", "1609", "t34-1")).toBe(4);
    // infantry in the woods is no vehicle: 4 - 3 - 1 = 0
    expect(die("gren-1", "1609", "rifle-1")).toBe(5);
  },
);

rule("NF reconstructed results", "a unit that is not eliminated stays in its hex, and the next action comes", () => {
  const env = fire({
    german: { "gren-1": { hex: "2014" }, "gren-2": { hex: "2014" } },
    soviet: { "rifle-1": { hex: "2013", seen: true } },
  });
  const p = after(env, ["unit gren-1", "hex 2013"], [1]);
  expect(p).toMatchObject({ phase: "fire", turn: 1 });
  expect(p.soviet["rifle-1"]).toEqual({ hex: "2013", seen: true, supp: false });
  expect(env.legal()).toEqual(["done", "unit gren-2"]);
});

rule(
  "NF reconstructed target",
  "of two as strong the lower slot is hit, wherever it comes in the list of a hex",
  () => {
    const soviet = { "t34-1": { hex: "2013", seen: true }, "t34-2": { hex: "2013", seen: true } };
    const p = after(fire({ german: { "panther-1": { hex: "2015" } }, soviet }), ["unit panther-1", "hex 2013"], [6]);
    expect([p.soviet["t34-1"]!.hex, p.soviet["t34-2"]!.hex]).toEqual(["dead", "2013"]);
  },
);

rule("NF 11.1 (22.4)", "the least die of a result: 7 where no die brings it", () => {
  expect([-2, 0, 1, 2, 3, 5, 6].map((value) => leastDie(tables, value, SUPPRESS))).toEqual([6, 5, 4, 4, 3, 2, 1]);
  expect([-2, 0, 1, 2, 3, 5, 6].map((value) => leastDie(tables, value, ELIMINATE))).toEqual([7, 6, 6, 5, 5, 4, 3]);
});
