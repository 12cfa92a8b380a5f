import { describe, expect, test } from "vitest";
import {
  Env,
  type Game,
  gameFor,
  type JsonObject,
  newState,
  type Observation,
  Rng,
  ScriptedDice,
  type StateView,
} from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { checkGame } from "../../conformance/check.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { nightly, nightlyUnless } from "../../nightly.js";
import { LANDING } from "./woods.js";

const GERMAN = 0;
const landing = gameFor(type, LANDING);

const leaksOf = (game: Game, pairs: number) => {
  const complaints = new Complaints();
  const { different } = leakPairs(game, pairs, "landing", complaints);
  return { different, codes: complaints.list().map((c) => c.code) };
};
const at = (s: StateView, id: string): unknown => (landing.write(s)["units"] as Record<string, JsonObject>)[id]?.["at"];

describe("which units are in which box, and which cross, leaks nowhere", () => {
  test("two worlds that one side can't tell apart stay alike on every channel", () => {
    const { different, codes } = leaksOf(landing, 400);
    expect(codes).toEqual([]);
    expect(different).toBeGreaterThan(40);
  });

  test("all promises of the core hold", nightly, () => {
    const again = Object.assign(Object.create(landing) as Game, { type: { ...type, data: {}, load: () => landing } });
    expect(checkGame(again, { games: 12, points: 96, pairs: 1000, chances: 4, steps: 24 })).toEqual([]);
  });

  test("each back of two boxes is in either box in some sample", () => {
    const s = newState(landing.stateSize);
    landing.read({ ...LANDING, phase: 3, stage: "normal" }, s, new ScriptedDice([]));
    const out = newState(landing.stateSize);
    const met = new Set<string>();
    for (let i = 0; i < 200; i++) {
      landing.resample(s, GERMAN, out, new Rng(String(i)));
      for (const id of ["s1", "s2", "s3", "s4", "sl", "st"]) met.add(`${id} ${String(at(out, id))}`);
    }
    for (const id of ["s1", "s2", "sl", "st"])
      expect([met.has(`${id} eb-s`), met.has(`${id} eb-c`)]).toEqual([true, true]);
  });

  test("whichever unit of a back crosses under fire, the enemy sees the same", () => {
    const env = new Env(landing);
    env.resetTo({ ...LANDING, phase: 10, stage: "normal" }, "night");
    env.step("unit s1");
    env.step("hex 0230");
    expect(env.actor).toBe(GERMAN);
    const out = newState(landing.stateSize);
    const crossers = new Set<string>();
    for (let i = 0; i < 100; i++) {
      expect(landing.resample(env.state, GERMAN, out, new Rng(String(i)))).toBe(true);
      expect(landing.view(out, GERMAN)).toEqual(landing.view(env.state, GERMAN));
      for (const id of ["s1", "s2", "sl"]) if (at(out, id) === "0130") crossers.add(id);
    }
    expect([...crossers].sort()).toEqual(["s1", "s2"]); // nobody fires at a leader
  });

  const plants: readonly [code: string, is: string, edit: Partial<Game>][] = [
    [
      "leak-observation",
      "a feature shows that the tank is in the southern box",
      {
        observe(s: StateView, viewer: number, out: Observation) {
          landing.observe(s, viewer, out);
          if (at(s, "st") === "eb-s") out.decision[63] = 1;
        },
      },
    ],
    ["leak-view", "the view is the position", { view: (s: StateView) => landing.write(s) }],
  ];
  plants.forEach(([code, is, edit], i) => {
    test(`${code}: ${is}`, nightlyUnless(i === 0), () => {
      expect(leaksOf(Object.assign(Object.create(landing) as Game, edit), 1500).codes).toContain(code);
    });
  });
});
