import { describe, expect, test } from "vitest";
import { Env, type JsonObject, KesselError, loadGame, sameSituation } from "../../../env/index.js";
import { everyCase } from "../every-case.js";
import { Table } from "./table.js";

const cross: JsonObject = {
  turn: 2,
  active: "soviet",
  areas: { S6: { soviet: 2 } },
  soviet: { cmd: 1 },
  decision: { kind: "cross", actor: "soviet" },
};
const over = (rest: JsonObject): JsonObject => ({ turn: 5, decision: { kind: "over", actor: null }, ...rest });
const dice = (rest: JsonObject): JsonObject => ({
  turn: 1,
  active: "soviet",
  decision: { kind: "dice", actor: "soviet" },
  ...rest,
});
const air = (decision: JsonObject, rest: JsonObject = {}): JsonObject => ({
  turn: 2,
  active: "german",
  areas: { "4": { soviet: 2 }, G6: { german: 2 } },
  decision,
  ...rest,
});

/** What is wrong with each document, and where the message must point. */
const BAD: readonly (readonly [string, JsonObject, string])[] = [
  ["an unknown key", { ...cross, moral: 3 }, "moral"],
  ["an unknown area", { ...cross, areas: { "7": { soviet: 1 } } }, "areas.7"],
  ["an unknown kind", { ...cross, decision: { kind: "march", actor: "soviet" } }, "decision.kind"],
  ["a turn before the first", { ...cross, turn: 0 }, "turn"],
  ["a turn after the last", { ...cross, turn: 6 }, "turn"],
  ["a negative count", { ...cross, areas: { "1": { soviet: -1 }, S6: { soviet: 1 } } }, "areas.1.soviet"],
  ["seven units in an area", { ...cross, areas: { "1": { soviet: 7 }, S6: { soviet: 1 } } }, "areas.1.soviet"],
  ["more units than the Volga may hold", { ...cross, areas: { S6: { soviet: 3, max: 2 } } }, "areas.S6.soviet"],
  [
    "more units than there are",
    { ...cross, areas: { "1": { soviet: 6 }, "2": { soviet: 6 }, "3": { soviet: 6 }, S6: { soviet: 3 } } },
    "areas",
  ],
  ["a wrong reserve", { ...cross, soviet: { cmd: 1, reserve: 17 } }, "soviet.reserve"],
  [
    "units in a captured area",
    { ...cross, areas: { "1": { captured: "soviet", german: 1 }, S6: { soviet: 1 } } },
    "areas.1.captured",
  ],
  [
    "a Fortification in a captured area",
    { ...cross, areas: { "1": { captured: "soviet", fort: true }, S6: { soviet: 1 } } },
    "areas.1.fort",
  ],
  [
    "the marker on a captured area",
    { ...cross, artillery: "1", areas: { "1": { captured: "soviet" }, S6: { soviet: 1 } } },
    "artillery",
  ],
  [
    "a used shield without Fortification",
    { ...cross, areas: { "1": { shieldUsed: true }, S6: { soviet: 1 } } },
    "areas.1.shieldUsed",
  ],
  ["a right of the other side", { ...cross, soviet: { cmd: 1, rights: ["sturm"] } }, "soviet.rights[0]"],
  ["nobody active in infiltration", { ...cross, active: null }, "active"],
  [
    "an active side in combat",
    {
      turn: 2,
      active: "german",
      areas: { "4": { german: 1, soviet: 1 } },
      german: { cmd: 1, rights: ["artillery"] },
      decision: { kind: "artillery", actor: "german", window: "end" },
    },
    "active",
  ],
  ["dice outside roll and resolve", { ...cross, dice: {} }, "dice"],
  ["no dice in the roll phase", dice({}), "dice"],
  ["four unit dice", dice({ dice: { loose: { units: [1, 2, 3, 4], command: 1, tactics: 1, ratt: 1 } } }), "dice"],
  [
    "a die both kept and loose",
    dice({ dice: { kept: { ratt: 1 }, loose: { units: [1, 2, 3, 4, 5], command: 1, tactics: 1, ratt: 1 } } }),
    "dice.loose.ratt",
  ],
  [
    "a missing Command die",
    dice({ dice: { loose: { units: [1, 2, 3, 4, 5], tactics: 1, ratt: 1 } } }),
    "dice.loose.command",
  ],
  [
    "a loose die in phase resolve",
    {
      turn: 2,
      active: "soviet",
      areas: { "1": { soviet: 1 } },
      dice: { kept: { units: [1, 1, 1, 1, 1], command: 1, tactics: 1 }, loose: { ratt: 1 }, picked: true },
      decision: { kind: "lose", actor: "soviet" },
    },
    "dice.kept.ratt",
  ],
  [
    "a die of seven",
    dice({ dice: { loose: { units: [1, 2, 3, 4, 7], command: 1, tactics: 1, ratt: 1 } } }),
    "dice.loose.units[4]",
  ],
  ["the wrong actor", { ...cross, decision: { kind: "cross", actor: "german" } }, "decision.actor"],
  ["a phase that disagrees", { ...cross, phase: "combat" }, "phase"],
  ["an optional decision with nothing to choose", { ...cross, soviet: { cmd: 0 } }, "decision"],
  [
    "a compulsory decision without action",
    {
      turn: 2,
      active: "soviet",
      dice: { kept: { units: [1, 1, 1, 1, 1], command: 1, tactics: 1, ratt: 1 }, picked: true },
      decision: { kind: "lose", actor: "soviet" },
    },
    "decision",
  ],
  [
    "raze without a used shield",
    air({ kind: "raze", actor: "soviet", area: "4", source: "air", kills: 1, attacks: 0, paid: 1 }),
    "decision.area",
  ],
  ["more paid for than on Gumrak", air({ kind: "air", actor: "german", attacks: 1, paid: 3 }), "decision.paid"],
  [
    "more Sturm moves than on Gumrak",
    air({ kind: "sturm", actor: "german", left: 3, surchargePaid: false }),
    "decision.left",
  ],
  [
    "cancel without Night",
    air({ kind: "cancel", actor: "soviet", area: "4", attacks: 0, paid: 1 }, { soviet: { cmd: 1 } }),
    "decision.kind",
  ],
  [
    "cancel without CMD",
    air({ kind: "cancel", actor: "soviet", area: "4", attacks: 0, paid: 1 }, { night: true }),
    "soviet.cmd",
  ],
  [
    "announcing again under Night",
    air({ kind: "announce", actor: "german", paid: 1 }, { night: true, german: { cmd: 1 } }),
    "decision.paid",
  ],
  [
    "Pioneers where there is nothing to remove or kill",
    {
      turn: 2,
      areas: { "4": { german: 1 } },
      german: { cmd: 1, rights: ["pioneers"] },
      decision: { kind: "pioneer", actor: "german", area: "4" },
    },
    "decision",
  ],
  [
    "Pioneers without CMD",
    {
      turn: 2,
      areas: { "4": { german: 1, soviet: 1 } },
      german: { rights: ["pioneers"] },
      decision: { kind: "pioneer", actor: "german", area: "4" },
    },
    "decision",
  ],
  ["a field of another kind", { ...cross, decision: { kind: "cross", actor: "soviet", paid: 1 } }, "decision.paid"],
  ["a missing field", air({ kind: "air", actor: "german", paid: 1 }), "decision.attacks"],
  ["a result before the end", { ...cross, result: { winner: "soviet", reason: "vp" } }, "result"],
  ["an end without result", over({}), "result"],
  [
    "a result that does not follow",
    over({ areas: { "5": { captured: "german" } }, result: { winner: "soviet", reason: "areas" } }),
    "result",
  ],
  [
    "a won game that goes on",
    {
      ...cross,
      areas: {
        "1": { captured: "soviet" },
        "2": { captured: "soviet" },
        "3": { captured: "soviet" },
        S6: { soviet: 1 },
      },
    },
    "areas",
  ],
  [
    "an artillery window of a side without the right",
    {
      turn: 2,
      areas: { "4": { german: 1, soviet: 1 } },
      german: { cmd: 1 },
      decision: { kind: "artillery", actor: "german", window: "end" },
    },
    "german.rights",
  ],
  [
    "an artillery window of the side that has no right, when the other one has",
    {
      turn: 2,
      areas: { "4": { german: 1, soviet: 1 } },
      soviet: { cmd: 1, rights: ["deploy"] },
      german: { cmd: 1, rights: ["artillery"] },
      decision: { kind: "artillery", actor: "soviet", window: "end" },
    },
    "soviet.rights",
  ],
  [
    "Sturm without the right",
    air({ kind: "sturm", actor: "german", left: 1, surchargePaid: false }, { german: { cmd: 1 } }),
    "german.rights",
  ],
  [
    "a Deploy out of Z without the right",
    {
      turn: 2,
      active: "soviet",
      areas: { Z: { soviet: 1 } },
      german: { rights: ["deploy"] },
      decision: { kind: "deployOut", actor: "soviet" },
    },
    "soviet.rights",
  ],
  [
    "a Deploy into Z without the right",
    { turn: 2, active: "german", areas: { "4": { german: 1 } }, decision: { kind: "deployIn", actor: "german" } },
    "german.rights",
  ],
  [
    "Ratzel that nobody rolled",
    { turn: 2, active: "german", areas: { "4": { soviet: 1 } }, decision: { kind: "ratzel", actor: "german" } },
    "ratzel",
  ],
  [
    "a Fortification that the Tactics die does not give",
    {
      turn: 2,
      active: "soviet",
      soviet: { cmd: 1 },
      dice: { kept: { units: [1, 1, 1, 1, 1], command: 1, tactics: 2, ratt: 5 }, picked: true },
      decision: { kind: "fortify", actor: "soviet" },
    },
    "dice.kept.tactics",
  ],
  [
    "a loss that the Ratt die does not ask for",
    {
      turn: 2,
      active: "soviet",
      areas: { "1": { soviet: 1 } },
      dice: { kept: { units: [1, 1, 1, 1, 1], command: 1, tactics: 1, ratt: 2 }, picked: true },
      decision: { kind: "lose", actor: "soviet" },
    },
    "dice.kept.ratt",
  ],
  ["a random stream that never moves", { ...cross, rng: [0, 0, 0, 0] }, "rng"],
  ["one whose low 32 bits are zero", { ...cross, rng: [0, 4294967296, 0, 0] }, "rng"],
  ["options that disagree", { ...cross, options: { sturmSurcharge: 1 } }, "options.sturmSurcharge"],
];

describe("bad positions are refused with the path and the reason", () => {
  for (const [what, doc, path] of BAD) {
    test(`${what}: ${path}`, () => {
      let error: unknown;
      try {
        new Table(doc);
      } catch (e) {
        error = e;
      }
      expect(error).toBeInstanceOf(KesselError);
      expect((error as KesselError).code).toBe("bad-position");
      expect((error as KesselError).message).toMatch(
        new RegExp(`^pocket-stalingrad: ${path.replace(/[.[\]]/g, "\\$&")}: .`),
      );
    });
  }

  test("and the environment keeps what it had", () => {
    const table = new Table(cross);
    const before = table.env.state.slice();
    expect(() => table.env.resetTo({ ...cross, turn: 9 }, 1)).toThrow(KesselError);
    expect(sameSituation(before, table.env.state)).toBe(true);
  });
});

test("the stream of a trusted save is taken over", () => {
  const env = new Env(loadGame("pocket-stalingrad"));
  env.resetTo({ ...cross, rng: [1, 2, 3, 4] }, "other");
  expect([...env.state.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
});

everyCase("pocket-stalingrad");
