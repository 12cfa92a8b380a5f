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

  test("counts the Pioneers, for whom the Fortification falls: three against three kill each other", () => {
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

/** A halftrack that can move beside tank hunters who have been seen. */
const passing = () => {
  const env = at("night-fight", {
    turn: 1,
    phase: "move",
    columns: ["gone", "gone"],
    german: { "sdk-1": { hex: "2016" }, "gren-1": { hex: "1510" } },
    soviet: { "hunter-1": { hex: "2013", seen: true } },
  });
  env.step(env.game.actions.indexOf("unit sdk-1"));
  env.step(env.game.actions.indexOf("hex 2015"));
  return env;
};

test("a unit that moves beside tank hunters in Night Fight foresees their fire: 5 and 6 eliminate, 3 and 4 suppress", () => {
  const found = ahead(passing(), "hex 2014")!;
  const error = 0.98 / Math.sqrt(found.count); // as the page shows it
  const chances = Object.fromEntries(found.each.map((e) => [e.outcome, e.probability]));
  for (const result of ["eliminated", "suppressed", "unhurt"])
    expect(Math.abs(chances[`Uhu halftrack 1 ${result}`]! - 1 / 3), result).toBeLessThan(error);
});

/** An army before the German front. */
const storming = () => {
  const env = at("strike-counterstrike", { turn: 1 });
  env.step(env.game.actions.indexOf("army 10"));
  return env;
};

test("who attacks in Strike & Counterstrike foresees the end of the battle, and no end of the turn", () => {
  const env = storming();
  const attacks = promptOf(env.game, env.state, 0).choices.filter((c) => c.text.startsWith("Attack "));
  expect(attacks.length).toBeGreaterThan(0);
  for (const { name, places } of attacks) {
    const found = ahead(env, name)!;
    expect(found.presumes).toMatch(/press on/);
    const said = found.results.flatMap((r) => r.outcomes).join("; ");
    expect(said).not.toMatch(/undecided|game|check of turn/);
    for (const { outcomes: all } of found.results)
      expect(all.join("; "), places[0]).toMatch(/ captured| falls back| destroyed/);
  }
});

test.each([
  ["savage-streets", attack, "area 12"],
  ["streets-of-stalingrad", marking, "hex 2010"],
  ["night-fight", passing, "hex 2014"],
  ["strike-counterstrike", storming, "hex 2612"],
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
