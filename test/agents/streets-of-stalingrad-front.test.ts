import { expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { loadGame, newState, NOBODY, Rng, SeededDice } from "../../env/index.js";
import { loadSetting } from "../../env/streets-of-stalingrad/data.js";
import { Tables } from "../../env/streets-of-stalingrad/state.js";
import { germanPoints } from "../../env/streets-of-stalingrad/victory.js";
import { nightly } from "../nightly.js";

const fightOf = (scenario: string) => {
  const game = loadGame("streets-of-stalingrad", { scenario });
  return { game, tables: new Tables(loadSetting(game.type.data, scenario), game.options) };
};
const island = fightOf("scenario-7");

interface Played {
  readonly points: number;
  readonly turns: number;
  readonly decisions: number;
  /** True when the game ended by its rules. */
  readonly over: boolean;
}

/**
 * A game between two scripted players, with the invariants asked after each decision. A choice has to be the same when
 * its player is given a sample of what it knows.
 *
 * @param most decisions @param guess every how many decisions a sample is asked too, 0 never
 */
async function play(
  german: string,
  soviet: string,
  seed: string,
  { most = Infinity, guess = 0, fight = island } = {},
): Promise<Played> {
  const { game, tables } = fight;
  const turnOf = (s: Int32Array): number => s[tables.layout.turn]!;
  const agents = await Promise.all(
    [german, soviet, german, soviet].map((name, k) =>
      makeAgent(`heuristic:${name}`, { game, seed: `${seed}/${k % 2}` }),
    ),
  );
  const [s, sampled] = [newState(game.stateSize), newState(game.stateSize)];
  const mask = new Uint8Array(game.actions.length);
  const out = new Int32Array(1);
  const dice = new SeededDice();
  const rng = new Rng(seed);
  rng.freshStream(s);
  dice.begin(s);
  game.start(s, dice);
  const choose = async (k: number, of: Int32Array): Promise<number> => {
    const actor = game.actor(s);
    const known = (_i: number, into: Int32Array): void => game.redact!(of, actor, into);
    const decision = { game, size: 1, actors: Int32Array.of(actor), mask, known };
    await agents[k]!.act(decision as never, out);
    return out[0]!;
  };
  const first = turnOf(s);
  let decisions = 0;
  for (; game.actor(s) !== NOBODY && decisions < most; decisions++) {
    const actor = game.actor(s);
    mask.fill(0);
    game.legalMask(s, mask, 0);
    const action = await choose(actor, s);
    expect(mask[action]).toBe(1);
    if (guess > 0 && decisions % guess === 0) {
      game.resample(s, actor, sampled, rng);
      expect(game.actions[await choose(actor + 2, sampled)]).toBe(game.actions[action]);
    }
    dice.begin(s);
    game.apply(s, action, dice);
    expect(game.invariantViolation(s)).toBeNull();
  }
  const over = game.actor(s) === NOBODY;
  return { points: germanPoints(tables, s), turns: turnOf(s) - first, decisions, over };
}

test("planner and ferryman go for the landings and leave the rest of the front: few hundred decisions a turn", async () => {
  const games = await Promise.all(["a", "b", "c"].map((seed) => play("planner", "ferryman", seed)));
  for (const { decisions, over, turns } of games) {
    expect(over).toBe(true);
    expect(decisions / (turns + 1)).toBeLessThan(500);
  }
  // more than the two that the Germans begin with
  expect(games.filter(({ points }) => points > 2).length).toBeGreaterThanOrEqual(2);
}, 60_000);

test("on a map of the city planner marches to the landings, and ferryman delays it", async () => {
  const fight = fightOf("scenario-1");
  const { over, points, turns } = await play("planner", "ferryman", "march", { fight });
  expect(over).toBe(true);
  expect(points).toBeGreaterThan(3); // all begin seven hexes from the front or farther
  expect(turns).toBeGreaterThan(5);
}, 60_000);

test(
  "both choose by what their seats know: the same in a sample as in the truth",
  () => play("planner", "ferryman", "guess", { most: 600, guess: 7 }),
  60_000,
);

test("ferryman leaves a German without a plan no landing more", async () => {
  for (const seed of ["a", "b", "c"]) expect((await play("random-legal", "ferryman", seed)).points).toBeLessThan(3);
}, 60_000);

test("games of all pairs go to their end", nightly, async () => {
  for (const german of ["random-legal", "pusher", "odds", "planner"])
    for (const soviet of ["random-legal", "holder", "elastic", "ferryman"])
      for (let k = 0; k < 20; k++) expect((await play(german, soviet, `pairs/${k}`, { most: 40_000 })).over).toBe(true);
});
