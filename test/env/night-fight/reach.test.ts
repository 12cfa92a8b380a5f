import { describe, expect } from "vitest";
import { after, rule, table } from "./table.js";

// Column 15 is clear from end to end, and far from all fire: a unit there sees along it.
const NO_FLARE = 1;
const below = (row: number): string => `15${String(row).padStart(2, "0")}`;
const fire = (position: object) => table({ phase: "fire", ...position });

describe.each([
  ["vs-1", 2, {}],
  ["panther-1", 6, {}],
  ["gren-1", 2, {}],
  ["jagd-1", 3, {}],
  ["jagd-1", 6, { jagd: true }],
  ["stug-1", 3, {}],
  ["stug-1", 6, { stug: true }],
  ["marder-1", 6, {}],
  ["sdk-1", 3, {}],
  ["truck-1", 1, {}],
] as const)("%s with range %s", (unit, reach, reinstated) => {
  rule("NF reconstructed attack", "fires as far as its range, no farther", () => {
    const legal = (distance: number) =>
      fire({
        german: { [unit]: { hex: below(16) } },
        soviet: { "rifle-1": { hex: below(16 + distance), seen: true } },
        reinstated,
      }).legal();
    expect(legal(reach)).toEqual(["done", `unit ${unit}`]);
    expect(legal(reach + 1)).toEqual(["done"]);
  });
});

describe.each([
  ["vs-1", 0],
  ["panther-1", 2],
  ["gren-1", 1],
  ["jagd-1", 2],
  ["stug-1", 2],
  ["marder-1", 2],
  ["sdk-1", 3],
  ["truck-1", 0],
] as const)("%s with a night bonus of %s", (unit, bonus) => {
  rule("NF 11.2", "finds at four hexes with six less its bonus", () => {
    const found = (die: number) =>
      after(
        fire({ german: { [unit]: { hex: below(16) } }, soviet: { "rifle-1": { hex: below(20) } } }),
        [`unit ${unit}`, `hex ${below(20)}`],
        [die],
      ).soviet["rifle-1"]!.seen;
    expect(found(6 - bonus)).toBe(true);
    expect(found(5 - bonus)).toBe(false);
  });

  rule("NF 11.2", "has none into the light of a flare, which gives everybody two", () => {
    const found = (die: number, flare: number) =>
      after(
        fire({
          german: { [unit]: { hex: below(16) } },
          soviet: { "rifle-1": { hex: below(20) } },
          flares: [below(flare)],
        }),
        [`unit ${unit}`, `hex ${below(20)}`],
        [die],
      ).soviet["rifle-1"]!.seen;
    for (const flare of [19, 20, 21]) {
      expect(found(4, flare)).toBe(true);
      expect(found(3, flare)).toBe(false);
    }
    expect(found(6 - bonus, 22)).toBe(true);
    expect(found(5 - bonus, 22)).toBe(false);
  });

  rule("NF 11.2", "has none into or beside the hex of a wreck, which gives nobody anything", () => {
    const found = (die: number, wreck: number) =>
      after(
        fire({
          german: { [unit]: { hex: below(16) } },
          soviet: { "rifle-1": { hex: below(20) } },
          wrecks: { [below(wreck)]: 1 },
        }),
        [`unit ${unit}`, `hex ${below(20)}`],
        [die],
      ).soviet["rifle-1"]!.seen;
    for (const wreck of [19, 20, 21]) {
      expect(found(6, wreck)).toBe(true);
      expect(found(5, wreck)).toBe(false);
    }
    expect(found(6 - bonus, 22)).toBe(true);
  });
});

describe.each([
  ["rifle-1", 2],
  ["atgun-1", 4],
  ["t34-1", 4],
  ["hunter-1", 1],
] as const)("%s with range %s", (unit, reach) => {
  rule("NF reconstructed soviet fire", "looks for targets within its range, and needs the distance", () => {
    const hit = (distance: number, dice: number[]) =>
      after(
        fire({
          german: { "gren-1": { hex: below(16 + distance) }, "vs-1": { hex: "2023" } },
          soviet: { [unit]: { hex: below(16), seen: true } },
        }),
        ["done"],
        [NO_FLARE, ...dice],
      ).german["gren-1"]!;
    // strengths 3, 5 or 6 against 4: a 6 eliminates in all their lines
    expect(hit(reach, [reach, 6]).hex).toBe("dead");
    if (reach > 1) expect(hit(reach, [reach - 1]).hex).toBe(below(16 + reach));
    expect(hit(reach + 1, []).hex).toBe(below(17 + reach));
  });
});

rule(
  "NF reconstructed soviet fire",
  "face down it fires at three hexes, with the die that the distance asks for",
  () => {
    const shot = (dice: number[]) =>
      after(
        fire({
          german: { "gren-1": { hex: below(19) }, "vs-1": { hex: "2023" } },
          soviet: { "t34-1": { hex: below(16) } },
        }),
        ["done"],
        [NO_FLARE, ...dice],
      );
    expect(shot([3, 1]).soviet["t34-1"]!.seen).toBe(true);
    expect(shot([2]).soviet["t34-1"]!.seen).toBe(false);
  },
);

rule("NF reconstructed soviet fire", "two go off the die near fire, where the dark helps nobody", () => {
  // 2005 is three hexes from 1907: an AT gun at four hexes needs 4 - 2
  const shot = (dice: number[]) =>
    after(
      fire({
        german: { "gren-1": { hex: "2005" }, "vs-1": { hex: "2023" } },
        soviet: { "atgun-1": { hex: "2009", seen: true } },
      }),
      ["done"],
      [NO_FLARE, ...dice],
    ).german["gren-1"]!.hex;
  expect(shot([2, 6])).toBe("dead");
  expect(shot([1])).toBe("2005");
});

describe.each([
  ["vs", 2, 3],
  ["panther", 14, 5],
  ["gren", 5, 3],
  ["jagd", 12, 5],
  ["stug", 11, 5],
  ["marder", 11, 6],
  ["sdk", 7, 6],
  ["truck", 2, 6],
] as const)("%s", (type, cost, mp) => {
  rule("NF 11.4", `costs ${cost} points: with one less it can't be bought`, () => {
    const legal = (budget: number) => table({ phase: "buy", budget }).legal();
    expect(legal(cost)).toContain(`buy ${type}`);
    expect(legal(cost - 1)).not.toContain(`buy ${type}`);
    expect(after(table({ phase: "buy", budget: 40 }), [`buy ${type}`]).budget).toBe(40 - cost);
  });

  rule("NF reconstructed 8", `has ${mp} movement points, in each turn`, () => {
    const german = { [`${type}-1`]: { hex: "1510" } };
    expect(after(table({ phase: "move", german }), [`unit ${type}-1`]).active).toEqual({ unit: `${type}-1`, mp });
  });
});
