import { describe, expect, test } from "vitest";
import { ScriptedDice } from "../../../env/core/dice/dice.js";
import {
  type ClassId,
  ELEFANT,
  FK8,
  GUDERIAN,
  MECH,
  NONMECH,
  ROTKOPF,
  SEC,
} from "../../../env/strike-counterstrike/data.js";
import { fire, germanModifier } from "../../../env/strike-counterstrike/rules/fire.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { at, play, position, rule, type } from "./table.js";
import { Play } from "../../../env/core/play.js";

const tables = loadTables(type.data, { concede: false });
const hex = (id: string) => tables.grid.index(id);
const hits = (column: number, modifier: number): number[] =>
  [1, 2, 3, 4, 5, 6].map((d) => fire(tables, 1, column, modifier, new Play(new ScriptedDice([d]))));

describe("the Combat Results Table", () => {
  rule("SC 10.1", "hits by column for an unmodified die", () => {
    expect(hits(0, 0)).toEqual([0, 0, 1, 1, 1, 2]); // shock armies first
    expect(hits(1, 0)).toEqual([0, 0, 0, 1, 1, 1]); // other Soviets
    expect(hits(2, 0)).toEqual([0, 0, 0, 1, 1, 1]); // mech
    expect(hits(3, 0)).toEqual([0, 0, 0, 0, 1, 1]); // nonmech
    expect(hits(4, 0)).toEqual([0, 0, 0, 0, 0, 1]); // security
    expect(hits(5, 0)).toEqual([0, 0, 0, 0, 1, 1]); // VI IC
  });

  rule("SC 10.1", "rolls below 0 read as 0, above 7 as 7", () => {
    expect(hits(2, -3)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(hits(2, 5)).toEqual([1, 2, 2, 2, 2, 2]);
  });

  rule("SC 2.7", "a die for each step", () =>
    expect(fire(tables, 3, 1, 0, new Play(new ScriptedDice([4, 3, 6])))).toBe(2),
  );
});

describe("modifiers of German dice", () => {
  const modifier = (cls: ClassId, id: string, first: boolean, base: number, ...kinds: number[]): number => {
    tables.force.fill(0);
    for (const k of kinds) tables.force[4 + k] = 1;
    return germanModifier(tables, cls, hex(id), first, base);
  };

  rule("SC 1.4", "they add up", () => {
    expect(modifier(MECH, "2506", true, 1, FK8, GUDERIAN, ELEFANT, ROTKOPF)).toBe(1 + 1 + 1 + 1 + 1 - 1);
    expect(modifier(NONMECH, "2506", true, 1, FK8, GUDERIAN, ELEFANT, ROTKOPF)).toBe(5);
  });

  rule("SC 2.14", "each of the four German markers helps infantry in the first round", () =>
    expect([FK8, GUDERIAN, ELEFANT, ROTKOPF].map((kind) => modifier(NONMECH, "2409", true, 0, kind))).toEqual([
      1, 1, 1, 1,
    ]),
  );
  rule("SC 10.9", "Rotkopf leaves security units out", () =>
    expect(modifier(SEC, "2409", true, 0, ROTKOPF, FK8)).toBe(1),
  );
  rule("SC 10.8", "Elefant and Christophorus is over after the first round", () =>
    expect(modifier(NONMECH, "2409", false, 0, ELEFANT)).toBe(0),
  );
  rule("SC 10.4", "the forest hinders mechanised units only", () =>
    expect([MECH, NONMECH, SEC].map((c) => modifier(c, "2506", true, 0))).toEqual([-1, 0, 0]),
  );
});

describe("a battle", () => {
  rule("SC 10.5", "support rolls no die: fk8 beside one infantry unit makes one German die a round", () => {
    const env = at({ turn: 4, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 2, "fk8"], ["hold", 3, 1, 1, 1, 1, 1, 1]); // 3 + 1 misses in the nonmech column
    expect(position(env).armies["5"]!.steps).toBe(6);
  });

  rule("SC 2.9", "one hit removes a German unit, whatever its type", () => {
    const env = at({ turn: 1, front: { "2409": "pz-1" } });
    play(env, ["army 5"], ["hex 2409", 1], ["hold", 1, 4, 1, 1, 1, 1, 1, "inf-162", "inf-167"]);
    expect(position(env)).toMatchObject({ control: { "2409": "soviet" }, track: { "2": ["pz-1"] } });
  });

  rule("SC 2.11", "the cavalry brigade counts as infantry", () => {
    const cavalry = tables.counters.find((c) => c.name.includes("Cavalry"))!;
    expect(cavalry.cls).toBe(NONMECH);
  });

  rule("SC 6.4", "a roll of 6 brings five counters beside the marker", () => {
    const env = at({ turn: 1, front: { "2409": "pz-1" } });
    play(env, ["army 5"], ["hex 2409", 6, "inf-161", "inf-162", "inf-167", "inf-183", "sec-201"]);
    expect(position(env).battle!.units).toHaveLength(6);
  });

  rule("SC 10.3", "the garrison is still there after each round that leaves it alive", () => {
    const env = at({ turn: 2, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 1], ["hold", 1, 1, 1, 1, 1, 1, 1], ["press"], ["hold", 1, 1, 1, 1, 1, 1, 1]);
    expect(position(env)).toMatchObject({
      phase: "press",
      active: { mp: 1 },
      battle: { round: 2, units: ["inf-161"] },
    });
  });

  rule("SC 9.6", "with no MP for another round the force falls back by itself", () => {
    const env = at({ turn: 1, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 1], ["hold", 1, 1, 1, 1, 1, 1, 1], ["press"], ["hold", 1, 1, 1, 1, 1, 1, 1]);
    expect(position(env)).toMatchObject({ phase: "activate", armies: { "5": { hex: "2508", stopped: true } } });
  });

  rule("SC 9.8", "a force that has fallen back does not move again this turn", () => {
    const env = at({ turn: 1, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 1], ["hold", 1, 1, 1, 1, 1, 1, 1], ["withdraw"]);
    expect(env.legal()).not.toContain("army 5");
  });

  rule("SC 6.5", "a full garrison of six keeps no army from attacking, and 1E fights beside its host", () => {
    const env = at({
      turn: 1,
      garrisons: { "2409": ["pz-1", "pz-2", "inf-161", "inf-162", "sec-201", "sec-203"] },
      engineer: { host: "5", steps: 6 },
    });
    play(env, ["army 5"], ["hex 2409"]);
    expect(position(env).battle!.units).toHaveLength(6);
    // two mech, two nonmech miss; twelve Soviet dice; two security units miss
    play(env, ["hold", 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], ["lose sec", 1]);
    expect(position(env).track["2"]).toEqual(["sec-201"]);
  });

  rule("SC 2.6", "a dead army gets no replacements and nobody takes its place", () => {
    const env = at({ turn: 2, phase: "replace", armies: { "5": { hex: "dead" }, "20": { steps: 5 } } });
    expect(env.legal().sort()).toEqual(["army 20", "done"]);
  });

  rule("SC 10.11", "VI IC is spent even when the battle ends before it fires", () => {
    const env = at({ turn: 1, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 1], ["commit", 1, 4, 1, 1, 1, 1, 1, "inf-162", "inf-167"]);
    expect(position(env)).toMatchObject({ interceptor: "spent", control: { "2409": "soviet" } });
  });

  rule("SC 10.14", "hits that reach the number of units ask nothing", () => {
    const env = at({ turn: 1, front: { "2409": "pz-1" } });
    play(env, ["army 5"], ["hex 2409", 2, "sec-201"], ["hold", 1, 4, 4, 1, 1, 1, 1, "inf-162", "inf-167"]);
    expect(position(env).track["2"]!.sort()).toEqual(["pz-1", "sec-201"]);
  });

  test("ruling R18: one class left, the lowest slots die without a question", () => {
    const env = at({ turn: 1, front: { "2409": "inf-162" } });
    play(env, ["army 5"], ["hex 2409", 3, "inf-161", "inf-167"], ["hold", 1, 1, 1, 4, 4, 1, 1, 1, 1]);
    expect(position(env)).toMatchObject({
      phase: "press",
      battle: { units: ["inf-167"] },
      track: { "2": ["inf-161", "inf-162"] },
    });
  });
});

describe("a battle with the first two tank units alone in a small pool", () => {
  const garrison = { turn: 1, garrisons: { "2409": ["inf-161"] }, pool: ["pz-1", "pz-2", "inf-162", "inf-167"] };

  rule("SC 8.9", "only who fought stays in the hex, and leaves it in Phase IV", () => {
    const env = at(garrison);
    play(env, ["army 5"], ["hex 2409"], ["hold", 1, 1, 1, 1, 1, 1, 1], ["withdraw"]);
    expect(position(env)).toMatchObject({ garrisons: { "2409": ["inf-161"] }, poolSize: 4 });
    play(env, ["done", "pz-1"]);
    expect(position(env)).toMatchObject({ garrisons: {}, front: { "2409": "pz-1" }, poolSize: 4 });
  });
});

describe("Guderian", () => {
  test("ruling R16: Guderian revealed outside the permitted area returns to the pool, and another counter defends", () => {
    const env = at({ turn: 1, front: { "2408": "guderian" } });
    const before = position(env).poolSize;
    play(env, ["army 5"], ["hex 2408", "inf-162", 1]);
    expect(position(env)).toMatchObject({
      battle: { units: ["inf-162"], support: [] },
      poolSize: before,
      clock: 2,
      entered: { guderian: 2 },
    });
  });

  test("ruling R15: Guderian revealed from turn 3 on leaves the game, and another counter defends", () => {
    const env = at({ turn: 4, clock: 30, purge: 20, front: { "2409": "guderian" }, placed: { "2409": 7 } });
    play(env, ["army 5"], ["hex 2409", "inf-162", 1]);
    expect(position(env)).toMatchObject({ battle: { units: ["inf-162"] }, removed: ["guderian"] });
    expect(position(env).purge).toBeUndefined();
  });

  test("ruling R4: a swap is one draw, so the pool may be empty for its length", () => {
    const env = at({ turn: 1, front: { "2408": "inf-161" }, pool: ["guderian", "inf-162"] });
    play(env, ["army 5"], ["hex 2408", 2, "guderian", "inf-162"]);
    expect(position(env)).toMatchObject({ phase: "commit", poolSize: 1, battle: { units: ["inf-161", "inf-162"] } });
  });

  rule("SC 4.8", "a swap that finds nobody ends the game", () => {
    const env = at({ turn: 1, front: { "2408": "inf-161" }, pool: ["guderian"] });
    play(env, ["army 5"], ["hex 2408", 2, "guderian"]);
    expect(position(env)).toMatchObject({ result: "sudden-death", poolSize: 0 });
  });

  rule("SC 10.7", "Guderian under a marker survives the dismissal unknown, with the time of it kept", () => {
    const env = at({ turn: 2, phase: "attach", clock: 12, front: { "2409": "guderian" }, placed: { "2409": 5 } });
    play(env, ["army 16"]);
    expect(position(env)).toMatchObject({ turn: 3, front: { "2409": "guderian" }, removed: [] });
    expect(position(env).purge).toBe(position(env).clock);
  });
});
