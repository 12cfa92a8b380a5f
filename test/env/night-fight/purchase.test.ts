import { expect } from "vitest";
import { Env, loadGame, ScriptedDice } from "../../../env/index.js";
import { after, rule, table } from "./table.js";

rule("NF 11.3 A", "any mix may be bought while points and counters last", () => {
  const p = after(table({ phase: "buy" }), ["buy panther", "buy vs", "buy stug", "buy vs", "buy marder"]);
  expect(p.budget).toBe(0);
  expect(Object.keys(p.german).filter((u) => p.german[u]!.hex === "waiting")).toEqual([
    "vs-1",
    "vs-2",
    "panther-1",
    "stug-1",
    "marder-1",
  ]);
});

rule("NF 11.3 I, J", "the list has no artillery", () => {
  expect(loadGame("night-fight").actions.filter((a) => a.startsWith("buy"))).toHaveLength(8);
});

rule("NF 11.3 I, J", "the list has no captured tanks", () => {
  expect(loadGame("night-fight").actions.some((a) => a.includes("t34"))).toBe(false);
});

rule("NF 11.3 C", "one truck restores one gun, and only of a unit that was bought", () => {
  const env = table({ phase: "reinstate", german: { "stug-1": { hex: "waiting" }, "truck-2": { hex: "waiting" } } });
  expect(env.legal()).toEqual(["done", "reinstate stug"]);
  expect(after(env, ["reinstate stug"]).german["truck-2"]!.hex).toBe("dead");
  expect(env.legal()).toEqual(["done"]);
});

rule("NF N9", "the ace rides in the first bought vehicle with a weight, only with the option", () => {
  const german = {
    "vs-1": { hex: "waiting" },
    "stug-1": { hex: "waiting" },
    "sdk-1": { hex: "waiting" },
    "truck-1": { hex: "waiting" },
  };
  expect(after(table({ phase: "reinstate", german }, { panzerAce: true }), ["done"]).ace).toBe("stug-1");
  expect(after(table({ phase: "reinstate", german }), ["done"]).ace).toBeUndefined();
});

rule("NF reconstructed 8", "fourteen counters are drawn blind, in the order of the contact hexes", () => {
  const env = new Env(loadGame("night-fight"));
  const drawn = [
    "dummy-1",
    "rifle-1",
    "t34-4",
    "hunter-3",
    "atgun-1",
    "dummy-5",
    "rifle-8",
    "rifle-2",
    "rifle-3",
    "t34-1",
    "dummy-2",
    "atgun-4",
    "hunter-1",
    "rifle-7",
  ];
  const dice = new ScriptedDice(drawn);
  env.reset("contacts", dice);
  const soviet = env.game.write(env.state)["soviet"] as Record<string, { hex: string; seen?: boolean }>;
  expect(dice.left).toBe(0);
  expect(soviet["dummy-1"]).toEqual({ hex: "1811", seen: false, supp: false });
  expect(soviet["rifle-7"]!.hex).toBe("2808");
  expect(Object.values(soviet).filter((k) => k.hex === "reserve")).toHaveLength(10);
});

rule("NF 11.3 A", "when the purchase ends, trucks may be given up, then turn 1 begins", () => {
  const env = table({ phase: "buy", budget: 7, german: { "stug-1": { hex: "waiting" } } });
  expect(after(env, ["buy truck", "done"])).toMatchObject({ phase: "reinstate", budget: 5, turn: 1 });
  expect(env.legal()).toEqual(["done", "reinstate stug"]);
  expect(after(env, ["done"])).toMatchObject({ phase: "move", turn: 1, reinstated: { stug: false } });
});

rule("NF N9", "a light vehicle will do for the ace, a truck will not", () => {
  const german = { "truck-1": { hex: "waiting" }, "sdk-2": { hex: "waiting" } };
  expect(after(table({ phase: "reinstate", german }, { panzerAce: true }), ["done"]).ace).toBe("sdk-2");
});
