/** Explicit chance counts decisions as sampled chance does; a step that fails leaves nobody listening. */
import { expect, test } from "vitest";
import { pickLegal } from "../../../agents/random.js";
import { CHANCE, Env, loadGame, Rng, ScriptedDice } from "../../../env/index.js";

const game = loadGame("pocket-stalingrad");

test("an episode with explicit chance is truncated after the same number of decisions", () => {
  const env = new Env(game, { chance: "explicit", maxDecisions: 12 });
  env.reset("bound");
  const rng = new Rng("bound");
  let decisions = 0;
  while (!env.truncated && !env.terminated) {
    if (env.actor === CHANCE) env.applyOutcome(0);
    else {
      env.step(pickLegal(env.mask, 0, game.actions.length, rng));
      decisions++;
    }
  }
  expect([decisions, env.truncated]).toEqual([12, true]);
});

test("a step whose script of dice runs out tells nothing of later games", () => {
  const env = new Env(game);
  env.reset("script");
  let told = 0;
  const log = { tell: () => void told++, tellEach: () => void told++ };
  expect(() => env.step("roll", new ScriptedDice([1, 2]), log)).toThrow();
  const before = told;
  new Env(game).resetTo(game.write(env.state), "anew");
  expect(told).toBe(before);
});
