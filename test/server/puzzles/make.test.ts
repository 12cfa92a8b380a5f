/** What becomes a puzzle, and what does not. */
import { describe, expect, test } from "vitest";
import { Env, gameType, loadGame, Rng, sameSituation, sampleFor, type State } from "../../../env/index.js";
import type { Evaluator } from "../../../server/analysis/evaluator.js";
import { type Candidate, candidatesOf, chosenOf, gapOf, sharpened } from "../../../server/puzzles/candidates.js";
import { confirmed, keyOf, positionOf, puzzleOf, weighed } from "../../../server/puzzles/check.js";
import { lostGames } from "../../../server/analysis/blunders.js";
import { nim, pileOf } from "../../training/nim.js";
import { evaluatorBy } from "../analysis/nets.js";

const game = nim.load({}, {});
/** Knows Nim: who is to move loses at a multiple of four. */
const knowing = evaluatorBy(game, ({ globals }) => (globals.indexOf(1) % 4 === 0 ? -1 : 1));
const candidate = (pile: number): Candidate => ({
  state: pileOf(pile),
  actions: [0, 1, 2],
  gap: 1,
  best: 2,
  record: 0,
  t: 0,
  kind: "take",
});

const trial = { worlds: 128, depth: 0, least: 0.2 };

describe("in Nim", () => {
  test("one move wins, and it is the puzzle's answer by the whole return", async () => {
    const found = (await weighed(game, candidate(7), knowing, trial))!;
    expect(found.accepted).toEqual([2]); // leaves four
    expect(found.margin).toBe(2);
  });

  test("where all moves lose there is no puzzle", async () => {
    expect(await weighed(game, candidate(8), knowing, trial)).toBeNull();
  });

  test("an evaluator that sees no difference finds none", async () => {
    const flat = evaluatorBy(game, () => 0.3);
    expect(await weighed(game, candidate(7), flat, trial)).toBeNull();
  });

  test("games that are played out decide, whatever the net believes of the position after the move", async () => {
    // after the move both sides take one each time: who leaves an even pile takes the last
    const wrong = evaluatorBy(
      game,
      ({ globals }) => (globals.indexOf(1) % 4 === 0 ? 1 : -1),
      () => 0,
    );
    const found = (await weighed(game, candidate(8), wrong, { ...trial, depth: null }))!;
    expect(found.accepted).toEqual([1]); // leaves six; the others leave seven and five
    expect(found.margin).toBe(2);
  });

  test("of six actions two may be right, and of three one", () => {
    expect(gapOf([1, 1, -1, -1, -1, -1])).toBe(2);
    expect(gapOf([1, 1, -1])).toBe(0);
  });

  test("what the second judge would not play does not hold", async () => {
    const found = (await weighed(game, candidate(7), knowing, trial))!;
    const judging = (taken: number): Evaluator =>
      evaluatorBy(
        game,
        () => 0,
        () => taken,
      );
    expect(await confirmed(judging(2), found)).toBeCloseTo(1);
    expect(await confirmed(judging(0), found)).toBeNull();
    // an action that is as good is right, too
    expect(await confirmed(judging(0), { ...found, accepted: [2, 0] })).toBeCloseTo(1);
    // one that prefers it by a little only does not agree
    expect(
      await confirmed(
        evaluatorBy(game, () => 0),
        found,
      ),
    ).toBeNull();
  });

  test("candidates are decisions in which one action stands out", async () => {
    const records = await lostGames(game, ["random", "random"], 0, 8, "candidates");
    const all = (await Promise.all(records.map((r, i) => candidatesOf(r, i, knowing, 0.2)))).flat();
    expect(all.length).toBeGreaterThan(5);
    const pile = (c: Candidate): number => c.state.at(-2)!;
    for (const c of all) {
      expect(pile(c) % 4).not.toBe(0);
      expect(pile(c)).toBeGreaterThanOrEqual(3); // three legal actions
      expect(c.best).toBe((pile(c) % 4) - 1);
    }
    expect(await sharpened(game, all, knowing, { least: 0.2, looked: 1 })).toHaveLength(all.length);
    const flat = evaluatorBy(game, () => 0);
    const further = all.filter((c) => pile(c) > 3); // where the game does not end with the answer
    expect(further.length).toBeGreaterThan(0);
    expect(await sharpened(game, further, flat, { least: 0.2, looked: 1 })).toEqual([]);
  });

  test("it is written down with who solves it", async () => {
    const found = (await weighed(game, candidate(7), knowing, trial))!;
    const solver = evaluatorBy(game, () => 0);
    const puzzle = await puzzleOf(game, found, 0.9, new Map([["anybody", solver]]));
    expect(puzzle).toMatchObject({ side: "first", best: "take 3", accepted: ["take 3"], margin: 2, visits: 0.9 });
    expect(puzzle.values).toEqual({ "take 3": 1, "take 1": -1, "take 2": -1 });
    expect(puzzle.solvedBy["anybody"]).toBeCloseTo(1 / 3, 3);
    expect(puzzle.solvedBy["random"]).toBeCloseTo(1 / 3, 3);
  });
});

test("those that are judged have different answers and are apart", () => {
  const pocket = loadGame("pocket-stalingrad");
  const state = new Env(pocket).state;
  const at = (record: number, t: number, best: number, gap: number): Candidate => ({
    state,
    actions: [best, 90],
    gap,
    best,
    record,
    t,
    kind: `kind ${best % 7}`,
  });
  const near = chosenOf(pocket, [at(0, 10, 1, 0.5), at(0, 14, 2, 0.9), at(0, 40, 3, 0.3), at(0, 80, 4, 0.2)], 9);
  expect(near.map((c) => c.t)).toEqual([14, 40]); // the wider of two that are near, and two of a game at most
  const sameAnswer = [0, 1, 2, 3, 4, 5].map((r) => at(r, 10, 5, 0.5));
  expect(chosenOf(pocket, sameAnswer, 90)).toHaveLength(4);
});

test("the position of a puzzle holds what the side knows, and not what it can't know of the game that was played", () => {
  const streets = gameType("savage-streets").load(loadGame("savage-streets").options, gameType("savage-streets").data);
  const env = new Env(streets);
  const rng = new Rng("positions");
  let hidden = 0;
  for (let g = 0; hidden < 5; g++) {
    env.reset(`position ${g}`);
    for (let k = 0; k < 60 && !env.terminated; k++) {
      const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
      env.step(legal[rng.below(legal.length)]!);
    }
    if (env.terminated) continue;
    const twin: State = sampleFor(streets, env.state, env.actor, rng);
    if (sameSituation(twin, env.state)) continue;
    hidden++;
    expect(keyOf(streets, twin)).toBe(keyOf(streets, env.state));
    expect(positionOf(streets, twin)).toEqual(positionOf(streets, env.state));
  }
});
