/** Explicit chance counts decisions as sampled chance does; a step that fails leaves nobody listening. */
import { expect, test } from "vitest";
import { pickLegal } from "../../../agents/random.js";
import { CHANCE, Env, GAMES, loadGame, resolveOptions, Rng, ScriptedDice } from "../../../env/index.js";

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

test("after a truncation no outcome is taken any more", () => {
  const env = new Env(game, { chance: "explicit", maxDecisions: 1 });
  env.reset("bound");
  env.step("roll");
  expect([env.actor, env.truncated]).toEqual([CHANCE, true]);
  const before = env.hash();
  expect(() => env.applyOutcome(0)).toThrow(/the episode was truncated; reset first/);
  expect(env.hash()).toBe(before);
});

test.each(GAMES.map((type) => [type.id, type.load(resolveOptions(type), type.data)] as const))(
  "%s: a step whose script of dice runs out tells nothing of later games",
  (_, played) => {
    const rng = new Rng("script");
    const env = new Env(played);
    let told = 0;
    const log = { tell: () => void told++, tellEach: () => void told++ };
    env.reset("script", undefined, log);
    const begun = told;
    new Env(played).resetTo(played.write(env.state), "anew");
    expect(told).toBe(begun);
    let failed = 0;
    while (failed < 3 && !env.terminated) {
      const action = pickLegal(env.mask, 0, played.actions.length, rng);
      try {
        env.step(action, new ScriptedDice([]), log);
      } catch {
        failed++;
        const before = told;
        new Env(played).resetTo(played.write(env.state), "anew");
        env.step(action);
        expect(told).toBe(before);
      }
    }
    expect(failed).toBeGreaterThan(0);
  },
);
