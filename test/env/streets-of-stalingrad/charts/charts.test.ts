import { expect, test } from "vitest";
import { nightly } from "../../../nightly.js";
import { compareFights } from "./fights.js";

/** Modifiers that fights of the generated kind bring about, by kind of die. */
const MODIFIERS = {
  attack: [
    ...["terrain", "fort", "assault", "engineer", "combined-arms", "armor-target", "oos", "nkvd", "volga", "spot"],
    ...["lwop", "leader", "enemy-leader", "adjacent-leader", "if-support", "integ-bn-good", "integ-bn-bad"],
    ...["integ-rg-good", "integ-rg-bad", "integ-div-good", "integ-div-bad", "integ-armor", "leader-spot"],
  ],
  defense: [
    ...["spot", "oos", "nkvd", "armor-target", "target-leader", "disrupted", "sniper", "leader", "integ-bn-good"],
    ...["integ-armor", "volga-target"],
  ],
  opportunity: [
    ...["spot", "oos", "nkvd", "armor-target", "target-leader", "disrupted", "sniper", "leader", "integ-bn-good"],
    "integ-armor",
  ],
  bombardment: ["terrain", "spot", "oos", "fort", "enemy-leader", "armor-target", "lwop", "interdict-own"],
  ica: ["sum"],
};

test("the dice of generated fights have the modifiers that the charts give them, and no others", () => {
  const { counts, differences } = compareFights(500, "g");
  expect(differences).toEqual([]);
  expect(Object.keys(counts).toSorted()).toEqual(["attack", "bombardment", "defense", "ica", "opportunity"]);
});

test("so have 100,000, and every modifier comes up", nightly, () => {
  const { differences, met } = compareFights(100_000, "charts/nightly");
  expect(differences).toEqual([]);
  const all = Object.entries(MODIFIERS).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`));
  expect(all.filter((name) => met[name] === undefined)).toEqual([]);
});
