import { describe, expect, test } from "vitest";
import { Env } from "../../../env/core/env.js";
import { KesselError } from "../../../env/core/errors.js";
import type { JsonObject } from "../../../env/core/game.js";
import { firstDifference, sameSituation } from "../../../env/core/layout.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { at, game } from "./table.js";
import { everyCase } from "../every-case.js";

const battle = {
  turn: 1,
  phase: "commit",
  armies: { "5": { hex: "2409" } },
  active: { army: "5", mp: 1 },
  battle: { hex: "2409", from: "2508", units: ["pz-1", "inf-161"] },
};
const fight = (rest: object): JsonObject => ({ ...battle, battle: { ...battle.battle, ...rest } });

/** The fault of each document, the path in the message, and its text. */
const BAD: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["an unknown key", { moral: 3 }, /moral: /],
  ["a turn after the last", { turn: 7 }, /turn: /],
  ["two armies in a hex", { armies: { "5": { hex: "2608" } } }, /armies\.16\.hex: army 5 is in hex 2608 already/],
  [
    "an army in a German hex",
    { armies: { "5": { hex: "2409" } } },
    /armies\.5\.hex: hex 2409 is not in the Soviet area/,
  ],
  ["an army that does not exist", { armies: { "99": { hex: "2700" } } }, /armies\.99: there is no army 99/],
  ["an army stronger than full", { armies: { "5": { steps: 7 } } }, /armies\.5\.steps: 5 has 1 to 6 steps, not 7/],
  ["a dead army with steps", { armies: { "5": { hex: "dead", steps: 2 } } }, /armies\.5\.steps: /],
  ["an army on the track that starts on the map", { armies: { "5": { hex: "track" } } }, /armies\.5\.hex: /],
  [
    "4S on the track on turn 4",
    { turn: 4, armies: { "4S": { hex: "track" } } },
    /armies\.4S\.hex: 4S enters on turn 3/,
  ],
  ["first fire of an ordinary army", { armies: { "5": { fired: true } } }, /armies\.5\.fired: 5 is not a shock army/],
  ["a hex off the map", { captured: ["2717"] }, /captured\[0\]: hex 2717 is not on the map/],
  ["a hex captured twice", { captured: ["2507", "2507"] }, /captured\[1\]: hex 2507 is listed twice/],
  ["a hex that was always Soviet", { captured: ["2608"] }, /captured\[0\]: hex 2608 is Soviet from the start/],
  ["a marker off the front", { front: { "2007": "pz-1" } }, /front\.2007: hex 2007 is not on the front/],
  ["a counter that does not exist", { front: { "2507": "pz-99" } }, /front\.2507: there is no German counter pz-99/],
  ["a counter in two places", { front: { "2507": "pz-1", "2506": "pz-1" } }, /pz-1 is in front\.250[67] already/],
  [
    "a marker in a hex with a garrison",
    { garrisons: { "2409": ["pz-1"] }, front: { "2409": "pz-2" } },
    /front\.2409: hex 2409 has a garrison/,
  ],
  [
    "a support marker in a garrison",
    { garrisons: { "2409": ["elefant"] } },
    /garrisons\.2409\[0\]: elefant is a support marker/,
  ],
  ["an empty garrison", { garrisons: { "2409": [] } }, /garrisons\.2409: a garrison has units/],
  ["a garrison off the front", { garrisons: { "2007": ["pz-1"] } }, /garrisons\.2007: /],
  [
    "a garrison in Phase IV",
    { phase: "attach", garrisons: { "2409": ["pz-1"] } },
    /garrisons: expected no garrison in phase attach/,
  ],
  ["an empty pool", { pool: [] }, /pool: an empty pool ends the game/],
  ["a wrong size of the pool", { poolSize: 97 }, /poolSize: 98 counters are in the pool, not 97/],
  [
    "a wrong count of fortified localities",
    { captured: ["2211"], forts: 0 },
    /forts: 1 fortified localities are held, not 0/,
  ],
  ["Guderian in the pool on turn 3", { turn: 3, pool: ["pz-1", "guderian"] }, /pool\[1\]: Guderian is out of the pool/],
  ["a box of the past", { turn: 3, track: { "2": ["pz-1"] } }, /track\.2: in turn 3 that box is empty/],
  ["1E without a host", { engineer: { host: null, steps: 3 } }, /engineer\.host: 1E is always with an army/],
  [
    "1E with a dead army",
    { armies: { "5": { hex: "dead" } }, engineer: { host: "5", steps: 3 } },
    /engineer\.host: army 5 is not on the map/,
  ],
  ["1E stronger than full", { engineer: { host: "5", steps: 7 } }, /engineer\.steps: /],
  ["setup on turn 2", { turn: 2, phase: "setup" }, /phase: setup comes on turn 1 only/],
  ["replacements on turn 1", { phase: "replace" }, /phase: replace comes from turn 2 on only/],
  ["eleven replacement steps", { turn: 2, phase: "replace", replacements: 11 }, /replacements: 1 to 10 steps are left/],
  ["a move without an army", { phase: "move" }, /active: phase move has a moving army/],
  ["a move without MP", { phase: "move", active: { army: "5", mp: 0 } }, /active\.mp: /],
  [
    "a stopped army that moves",
    { phase: "move", armies: { "5": { stopped: true } }, active: { army: "5", mp: 1 } },
    /active\.army: army 5 has stopped/,
  ],
  [
    "a battle phase without battle",
    { phase: "press", active: { army: "5", mp: 1 } },
    /battle: phase press is part of a battle/,
  ],
  [
    "a battle far from the army",
    { ...battle, armies: { "5": { hex: "2508" } } },
    /armies\.5\.hex: in its battle the army is in hex 2409/,
  ],
  ["a battle from afar", fight({ from: "2700" }), /battle\.from: hex 2700 is not a Soviet neighbour of 2409/],
  ["a wrong pocket", fight({ pocket: ["2408"] }), /battle\.pocket: the fall of 2409 would cut off \[\]/],
  ["a relief force without pocket", fight({ relief: true }), /battle\.relief: /],
  ["losses without hits", { ...fight({ stage: "B" }), phase: "losses" }, /battle\.hits: /],
  [
    "losses with nothing to choose",
    { ...fight({ stage: "B", hits: 2 }), phase: "losses" },
    /battle\.hits: 2 hits on these 2 units leave nothing to choose/,
  ],
  ["an ordinary army in stage A", { ...fight({ stage: "A", hits: 1 }), phase: "losses" }, /battle\.shockFirst: /],
  [
    "a first fire before the round",
    fight({ shockFirst: true }),
    /battle\.shockFirst: nobody has fired in this round yet/,
  ],
  ["VI IC ready and in the air", fight({ interceptor: true }), /battle\.interceptor: /],
  [
    "VI IC asked for after it was spent",
    { ...battle, interceptor: "spent" },
    /interceptor: in phase commit VI IC is ready: once it is spent nobody is asked/,
  ],
  [
    "the marker of the battle hex",
    { ...battle, front: { "2409": "pz-2" } },
    /front\.2409: the marker of the battle hex has been turned up/,
  ],
  ["partisans on turn 2", { turn: 2, partisan: "2006" }, /partisan: the marker arrives on turn 3/],
  ["partisans in a fortified locality", { turn: 4, partisan: "2005" }, /partisan: hex 2005 is a fortified locality/],
  ["partisans who should have been linked", { turn: 4, partisan: "2507" }, /partisan: hex 2507 touches Soviet hex/],
  ["a time to come", { clock: 3, entered: { "pz-1": 4 } }, /entered\.pz-1: /],
  [
    "a marker placed before its counter came",
    { clock: 9, front: { "2507": "pz-1" }, entered: { "pz-1": 5 }, placed: { "2507": 2 } },
    /front\.2507: pz-1 came to the pool after that marker was placed/,
  ],
  ["a purge with Guderian in sight", { turn: 4, clock: 3, purge: 2, removed: ["guderian"] }, /purge: /],
  [
    "markers too young for Guderian",
    { turn: 4, clock: 9, purge: 2, front: { "2507": "?" }, placed: { "2507": 8 } },
    /purge: no marker is old enough to hide Guderian/,
  ],
  ["an end without result", { phase: "over" }, /phase: over needs a result/],
  [
    "sudden death with a full pool",
    { result: "sudden-death" },
    /result: 123 counters are in the pool; sudden death empties it/,
  ],
  ["a turn 1 loss on turn 2", { turn: 2, result: "turn1" }, /result: turn1 falls on turn 1, not 2/],
];

describe("bad positions are refused with path and reason", () => {
  for (const [what, doc, message] of BAD)
    test(what, () => {
      let error: unknown;
      try {
        at(doc);
      } catch (e) {
        error = e;
      }
      expect(error).toBeInstanceOf(KesselError);
      expect((error as KesselError).code).toBe("bad-position");
      expect((error as KesselError).message).toMatch(message);
    });
});

describe("positions", () => {
  test("round trip exactly, at every decision of random games and at their ends", () => {
    const env = new Env(game);
    const back = new Env(game);
    const rng = new Rng("round trip");
    const phases = new Set<string>();
    for (let g = 0; g < 12; g++) {
      env.reset(`trip ${g}`);
      for (;;) {
        const doc = game.write(env.state);
        phases.add(doc["phase"] as string);
        back.resetTo(doc, "other");
        expect(firstDifference(game.fields.slice(1), env.state, back.state)).toBeNull();
        expect(sameSituation(env.state, back.state)).toBe(true);
        if (env.terminated) break;
        const legal = env.legal().filter((a) => a !== "stop");
        env.step(legal.length > 0 ? legal[rng.below(legal.length)]! : "stop");
      }
    }
    expect([...phases].sort()).toEqual(
      expect.arrayContaining(["activate", "commit", "losses", "move", "over", "press", "setup"]),
    );
  });

  test("of the specification's example load: 61 before the first round in 2513", () => {
    const env = at({
      game: "strike-counterstrike",
      version: 1,
      turn: 1,
      phase: "commit",
      armies: { "61": { hex: "2513", steps: 8, stopped: false, fired: false } },
      engineer: { host: "50", steps: 6 },
      captured: [],
      garrisons: {},
      interceptor: "ready",
      front: { "2612": "inf-162", "2613": "pz-1" },
      track: {},
      removed: [],
      partisan: "track",
      active: { army: "61", mp: 1 },
      battle: {
        hex: "2513",
        from: "2614",
        relief: true,
        pocket: ["2612", "2613"],
        round: 1,
        units: ["pz-2", "inf-161", "sec-201"],
        support: [],
        interceptor: false,
        hits: 0,
      },
    });
    expect(env.legal()).toEqual(["commit", "hold"]);
    // track {} leaves the printed reinforcements where they wait
    expect(game.write(env.state)["track"]).toMatchObject({ "3": ["fk8"] });
  });
});

test("what no document may say breaks an invariant in the same words", () => {
  const word = (name: string, i = 0): number => game.fields.find((f) => f.name === name)!.offset + i;
  const broken: readonly (readonly [at: number, value: number, words: string])[] = [
    [word("armyFired", game.observation.unitRows.indexOf("5")), 1, "armies.5.fired: 5 is not a shock army"],
    [word("mp"), 9, "active.mp: an army has 0 to 2 MP here, not 9"],
    [word("replacements"), 2, "replacements: steps are left in phase replace only"],
  ];
  for (const [i, value, words] of broken) {
    const { state } = at(battle);
    expect(game.invariantViolation(state)).toBeNull();
    state[i] = value;
    expect(game.invariantViolation(state)).toBe(words);
    expect(() => at(game.write(state))).toThrow(words);
  }
});

everyCase("strike-counterstrike");
