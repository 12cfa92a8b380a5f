/** What a choice leads to after all that must follow. */
import { describe, expect, test } from "vitest";
import {
  type Env,
  foresee,
  type Foreseen,
  GAMES,
  gameType,
  importGames,
  loadGame,
  openCase,
  orderRulesOf,
  promptOf,
  Rng,
  sampleFor,
} from "../../../env/index.js";
import { race } from "../../toys/race.js";
import { resolveOptions } from "../../../env/index.js";

await importGames();

type Position = Parameters<typeof openCase>[1]["position"];
const at = (id: string, position: Position, options = {}): Env =>
  openCase(gameType(id), { id: "foresight", rule: "", position, options, steps: [] });

/** What the side that decides foresees of an action. */
const ahead = ({ game, state }: Env, action: string): Foreseen | null =>
  foresee(game, state, game.actor(state), game.actions.indexOf(action));
const outcomes = (found: Foreseen | null): string[] => found!.results.map((r) => r.outcomes.join("; "));

describe("the combat that must follow in Pocket Stalingrad", () => {
  const pioneers = (german: number) =>
    at("pocket-stalingrad", {
      turn: 2,
      active: null,
      areas: { "5": { soviet: 3, german, fort: true } },
      german: { cmd: 1, rights: ["pioneers"] },
      decision: { kind: "pioneer", actor: "german", area: "5" },
    });

  test("is told with the Pioneers, for whom the Fortification falls: three against three kill each other", () => {
    const found = ahead(pioneers(3), "pioneer");
    expect([found!.exact, found!.count]).toEqual([true, 1]);
    expect(outcomes(found)).toEqual(["Fortification in 5 lost; 5: Soviet -3, German -3"]);
  });
  test("without them the Fortification saves one", () => {
    expect(outcomes(ahead(pioneers(3), "done"))).toEqual(["5: Soviet -2, German -3"]);
  });
  test("and a capture is foreseen where enough are left for the stars", () => {
    const position = {
      turn: 2,
      active: null,
      areas: { "2": { soviet: 6, german: 2 } },
      decision: { kind: "artillery", actor: "german", window: "before", area: "2", passed: [] },
      german: { cmd: 1, rights: ["artillery"] },
    };
    expect(outcomes(ahead(at("pocket-stalingrad", position), "done"))).toEqual([
      "2: Soviet -2, German -2; Soviet captures 2",
    ]);
  });
});

/** A battalion that is asked where it goes: a Soviet unit is in area 12, nobody in 3. */
const attack = (): Env => {
  const env = at("savage-streets", {
    game: "savage-streets",
    mode: "duel",
    turn: 3,
    phase: "ger-move",
    areas: {
      A: { german: ["I/194", "II/194"] },
      "12": { control: "S", soviet: ["Militia"] },
      "8": { control: "S", soviet: ["92 Nav"] },
    },
    stuka: false,
    decision: { actor: "G", kind: "ger-pick" },
  });
  env.step(env.game.actions.indexOf("unit I/194"));
  return env;
};

test("who moves to an enemy in Savage Streets foresees the combat there in per cent, and none where nobody is", () => {
  const env = attack();
  const found = ahead(env, "area 12")!;
  expect(found.results.length).toBeGreaterThan(1);
  expect(found.results.reduce((sum, r) => sum + r.probability, 0)).toBeCloseTo(1, 6);
  for (const outcome of outcomes(found)) expect(outcome).toMatch(/12: (German|Soviet) win/);
  const chance = (what: RegExp): number =>
    found.each.filter((e) => what.test(e.outcome)).reduce((sum, e) => sum + e.probability, 0);
  expect(chance(/^12: .* win/)).toBeCloseTo(1, 6);
  expect(chance(/^12: Soviet win/)).toBeCloseTo(
    found.results.filter((r) => r.outcomes.includes("12: Soviet win")).reduce((sum, r) => sum + r.probability, 0),
    6,
  );
  expect(JSON.stringify(ahead(env, "area 3"))).not.toMatch(/win/);
});

const marking = () =>
  at(
    "streets-of-stalingrad",
    {
      scenario: "sandbox",
      phase: 3,
      stage: "mark",
      units: {
        g1: { type: "g-inf", at: "2009" },
        g2: { type: "g-inf", at: "2009" },
        g3: { type: "g-inf", at: "3009" },
        s1: { type: "s-inf", at: "2010" },
        s2: { type: "s-inf", at: "3010" },
      },
    },
    { autoSingle: true },
  );

test("whoever marks a hex in Streets of Stalingrad foresees its attack, and no other", () => {
  const found = ahead(marking(), "hex 2010")!;
  expect(found.results.length).toBeGreaterThan(1);
  expect(found.results.reduce((sum, r) => sum + r.probability, 0)).toBeCloseTo(1, 6);
  expect(outcomes(found).join()).toContain("2010");
  expect(outcomes(found).join()).not.toContain("3010");
});

test.each([
  ["savage-streets", attack, "area 12"],
  ["streets-of-stalingrad", marking, "hex 2010"],
] as const)(
  "in %s it is the same in all worlds that the viewer can't tell apart, and changes nothing",
  (_id, make, action) => {
    const { game, state } = make();
    const viewer = game.actor(state);
    const before = [...state];
    const index = game.actions.indexOf(action);
    const found = foresee(game, state, viewer, index);
    expect([...state]).toEqual(before);
    for (const seed of ["one", "two", "three"])
      expect(foresee(game, sampleFor(game, state, viewer, new Rng(seed)), viewer, index)).toEqual(found);
  },
);

test("nothing is foreseen from other decisions, for others than who decides, and in games that don't look ahead", () => {
  const env = attack();
  const move = env.game.actions.indexOf("area 12");
  for (const viewer of [-1, 1]) expect(foresee(env.game, env.state, viewer, move)).toBeNull();
  expect(ahead(env, "area 7"), "not legal").toBeNull();
  env.step(env.game.actions.indexOf("area 12"));
  expect(promptOf(env.game, env.state, 0).kind).toBe("ger-pick");
  expect(ahead(env, "unit II/194")).toBeNull();
  const game = race.load(resolveOptions(race), race.data);
  expect(orderRulesOf(game).foresight.from).toEqual([]);
});

test.each(GAMES.map((g) => g.id))("%s looks ahead by actions that it has", (id) => {
  const game = loadGame(id);
  const { answers } = orderRulesOf(game).foresight;
  const named = Object.values(answers)
    .flat()
    .filter((name) => name !== "@" && name !== "*");
  expect(named.filter((name) => !game.actions.includes(name))).toEqual([]);
});
