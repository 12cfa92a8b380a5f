import { describe, expect, test } from "vitest";
import {
  CHANCE,
  Env,
  type JsonObject,
  loadGame,
  multisets6,
  outcomesOf,
  ScriptedDice,
  type State,
} from "../../../env/index.js";
import chance from "./chance.json" with { type: "json" };
import { L } from "../../../env/pocket-stalingrad/state.js";
import { beforeRatt, Table } from "./table.js";

const game = loadGame("pocket-stalingrad");

/** The roll phase with `kept` unit dice and the other three dice kept, about to throw the rest again. */
function aboutToThrow(kept: number[]): Table {
  const loose = Array.from({ length: 5 - kept.length }, () => 2);
  return new Table(
    {
      turn: 1,
      active: "soviet",
      areas: { S6: { soviet: 2 } },
      dice: { kept: { units: kept, command: 1, tactics: 1, ratt: 5 }, loose: { units: loose }, picked: true },
      decision: { kind: "dice", actor: "soviet" },
    },
    {},
    "explicit",
  );
}

describe("explicit chance against the table of its outcomes", () => {
  for (const row of chance.units.counts) {
    test(`${row.dice} unit dice have ${row.outcomes} outcomes over ${row.denominator}`, () => {
      const table = aboutToThrow(Array.from({ length: 5 - row.dice }, () => 1));
      table.do("roll");
      const outcomes = game.chance!.outcomes(table.env.state);
      expect(table.env.actor).toBe(CHANCE);
      expect(outcomes).toHaveLength(row.outcomes);
      expect(outcomes.reduce((sum, o) => sum + o.probability, 0)).toBeCloseTo(1, 12);
      for (const e of chance.units.examples.filter((x) => x.denominator === row.denominator)) {
        expect(outcomes[e.index]!.name).toBe(e.outcome);
        expect(outcomes[e.index]!.probability * e.denominator).toBeCloseTo(e.weight, 9);
      }
    });
  }

  test("the first throw awaits units, Command, Tactics and Ratt in this order", () => {
    const table = new Table({ initial: "standard" }, {}, "explicit").do("roll");
    const seen: string[] = [];
    while (table.env.actor === CHANCE) {
      seen.push(game.chance!.outcomes(table.env.state)[0]!.name);
      table.env.applyOutcome(0);
    }
    expect(seen).toEqual(["units 1,1,1,1,1", "command 1", "tactics 1", "ratt 1"]);
    expect(table.kind).toBe("dice");
  });

  test("an awaited re-roll leaves the old face among the kept dice until the outcome", () => {
    const doc = beforeRatt(
      "soviet",
      { units: [1, 1, 4, 4, 5], command: 2, tactics: 4, ratt: 4 },
      { areas: { "2": { soviet: 1, german: 2 }, S6: { soviet: 1 } } },
    );
    const table = new Table(doc, {}, "explicit").do("keep ratt").do("reroll");
    expect(table.position["decision"]).toEqual({ kind: "chance", actor: "chance", awaiting: ["reroll"] });
    expect(table.position["dice"]).toMatchObject({ kept: { ratt: 4 } });
    expect(game.chance!.outcomes(table.env.state)).toHaveLength(6);
    table.env.applyOutcome(4);
    expect(table.kind).toBe("cross");
  });

  test("sampled and explicit mode reach the same states", () => {
    const faces = [5, 1, 5, 3, 5, 4, 2, 6];
    const sampled = new Table({ initial: "standard" }).do("roll", ...faces);
    const explicit = new Table({ initial: "standard" }, {}, "explicit").do("roll");
    explicit.env.applyOutcome(multisets6(5).findIndex((m) => m.faces.join() === "1,3,5,5,5"));
    for (const face of [4, 2, 6]) explicit.env.applyOutcome(face - 1);
    const without = (s: State) => s.filter((_, i) => i >= 4 && i !== L.explicit);
    expect([...without(explicit.env.state)]).toEqual([...without(sampled.env.state)]);
  });
});

describe("each outcome of explicit chance is what the dice would have done", () => {
  /** Fields but the random stream and the mode of chance. */
  const without = (s: State) => [...s.filter((_, i) => i >= 4 && i !== L.explicit)];
  const again = (rest: JsonObject) => ({
    turn: 1,
    active: "soviet",
    areas: { "2": { soviet: 1 }, S6: { soviet: 2 } },
    decision: { kind: "dice", actor: "soviet" },
    ...rest,
  });

  test("unit dice thrown again beside kept ones, sixes too", () => {
    const doc = again({
      dice: { kept: { units: [1, 1, 6], command: 1, tactics: 4, ratt: 5 }, loose: { units: [2, 3] }, picked: true },
    });
    for (const [i, { faces }] of multisets6(2).entries()) {
      const explicit = new Table(doc, {}, "explicit").do("roll");
      expect(explicit.position["decision"]).toMatchObject({ awaiting: ["units"] });
      explicit.env.applyOutcome(i);
      expect(without(explicit.env.state)).toEqual(without(new Table(doc).do("roll", ...faces).env.state));
    }
  });

  test("one special die thrown again, its old face gone until the outcome", () => {
    const doc = again({
      dice: { kept: { units: [1, 1, 4, 4], tactics: 4, ratt: 5 }, loose: { units: [6], command: 2 }, picked: false },
    });
    for (const face of [1, 2, 3, 4, 5, 6]) {
      const explicit = new Table(doc, {}, "explicit").do("keep unit 6").do("roll");
      expect(explicit.position["decision"]).toMatchObject({ awaiting: ["command"] });
      expect(explicit.position["dice"]).toMatchObject({ loose: { command: null, tactics: null, ratt: null } });
      const outcomes = game.chance!.outcomes(explicit.env.state);
      expect(outcomes[face - 1]).toEqual({ name: `command ${face}`, probability: 1 / 6 });
      explicit.env.applyOutcome(face - 1);
      expect(without(explicit.env.state)).toEqual(without(new Table(doc).do("keep unit 6").do("roll", face).env.state));
    }
  });

  test("several special dice are awaited together, none of them shows a face before", () => {
    const doc = again({
      dice: { kept: { units: [1, 1, 4, 4] }, loose: { units: [6], command: 2, tactics: 3, ratt: 1 }, picked: false },
    });
    const explicit = new Table(doc, {}, "explicit").do("keep unit 6").do("roll");
    expect(explicit.position["decision"]).toMatchObject({ awaiting: ["command", "tactics", "ratt"] });
    expect(explicit.position["dice"]).toMatchObject({ loose: { command: null, tactics: null, ratt: null } });
  });

  test("Pavlov's re-roll", () => {
    const doc = beforeRatt(
      "soviet",
      { units: [1, 1, 4, 4, 5], command: 2, tactics: 4, ratt: 4 },
      { areas: { "2": { soviet: 1, german: 2 }, S6: { soviet: 1 } } },
    );
    for (const face of [1, 2, 3, 4, 5, 6]) {
      const explicit = new Table(doc, {}, "explicit").do("keep ratt").do("reroll");
      expect(game.chance!.outcomes(explicit.env.state)[face - 1]).toEqual({
        name: `reroll ${face}`,
        probability: 1 / 6,
      });
      explicit.env.applyOutcome(face - 1);
      const sampled = new Table(doc).do("keep ratt").do("reroll", face);
      expect(without(explicit.env.state)).toEqual(without(sampled.env.state));
    }
  });

  test("a choice of dice to be served is between unit dice, and chance stays explicit", () => {
    const doc = beforeRatt(
      "soviet",
      { units: [1, 1, 2, 5, 5], command: 3, tactics: 3, ratt: 5 },
      { areas: { "1": { soviet: 6 }, "3": { soviet: 6 }, "4": { soviet: 6 }, S6: { soviet: 1 } } },
    );
    const table = new Table(doc, {}, "explicit").do("keep ratt");
    expect(table.legal).toEqual(["place 2", "place 5"]);
    expect(table.env.state[L.explicit]).toBe(1);
  });
});

describe("enumerated dice", () => {
  test("a throw of two unit dice has 21 results; doubles weigh 1/36, pairs 2/36", () => {
    const table = new Table({
      turn: 1,
      active: "soviet",
      areas: { S6: { soviet: 2 } },
      dice: { kept: { units: [1, 1, 1], command: 1, tactics: 1, ratt: 5 }, loose: { units: [2, 3] }, picked: true },
      decision: { kind: "dice", actor: "soviet" },
    });
    const outcomes = outcomesOf(game, table.env.state, game.actions.indexOf("roll"));
    expect(outcomes).toHaveLength(21);
    for (const o of outcomes) {
      const double = [1, 2, 3, 4, 5, 6].some((f) => o.state[L.loose + f - 1] === 2);
      expect(o.probability * 36).toBeCloseTo(double ? 1 : 2, 12);
    }
  });

  test("the whole first throw: 252 x 216 results that sum to 1, at least one five in 1 - (5/6)^5 of them", () => {
    const env = new Env(game);
    env.reset("odds");
    const outcomes = outcomesOf(game, env.state, game.actions.indexOf("roll"));
    expect(outcomes).toHaveLength(252 * 216);
    let all = 0;
    let five = 0;
    for (const o of outcomes) {
      all += o.probability;
      if (o.state[L.loose + 4]! > 0) five += o.probability;
    }
    expect(all).toBeCloseTo(1, 9);
    expect(five).toBeCloseTo(1 - (5 / 6) ** 5, 9);
  });
});

test("a throw takes exactly the dice that are not kept", () => {
  const table = new Table({ initial: "standard" });
  expect(() => table.do("roll", 1, 2, 3)).toThrow("the script has 3 dice and a d6 more was called for");
  expect(table.kind).toBe("dice");
  const dice = new ScriptedDice([1, 2, 3, 4, 5, 6, 1, 2, 3]);
  table.env.step("roll", dice);
  expect(dice.left).toBe(1);
});
