import { expect, test } from "vitest";
import { Env, newState, resolveOptions, Rng } from "../../env/index.js";
import { TOYS } from "./index.js";

test.each(TOYS.map((t) => [t.id, t] as const))("%s plays to its end", (_id, type) => {
  const game = type.load(resolveOptions(type), type.data);
  const rng = new Rng("toys");
  const sample = newState(game.stateSize);
  let longest = 0;
  for (let n = 0; n < 300; n++) {
    const env = new Env(game);
    env.reset(`toy/${n}`);
    while (!env.terminated) {
      expect(game.invariantViolation(env.state)).toBeNull();
      game.resample(env.state, env.actor, sample, rng);
      expect(game.invariantViolation(sample)).toBeNull();
      const legal = env.legal();
      env.step(legal[rng.below(legal.length)]!);
      expect(env.truncated && !env.terminated).toBe(false);
    }
    longest = Math.max(longest, env.decisions);
  }
  expect(longest).toBeGreaterThan(8);
  expect(longest).toBeLessThanOrEqual(game.maxDecisions);
});
