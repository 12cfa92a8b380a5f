/** Explicit chance counts decisions as sampled chance does; a step that fails leaves nobody listening. */
import { expect, test } from "vitest";
import { pickLegal } from "../../../agents/random.js";
import {
  actionIndex,
  Batch,
  CHANCE,
  Env,
  GAMES,
  hashState,
  loadGame,
  resolveOptions,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";

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
  "%s: a step whose script of dice runs out reveals nothing of later games",
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

/** A state and its document that wait for an outcome. */
function atChanceNode() {
  const env = new Env(game, { chance: "explicit" });
  env.reset("node");
  env.step("roll");
  expect(env.actor).toBe(CHANCE);
  return { state: env.state.slice(), position: game.write(env.state) };
}

test("an environment that samples chance refuses a position at a chance node, and keeps its game", () => {
  const { state, position } = atChanceNode();
  const env = new Env(game);
  env.reset("kept");
  const before = env.hash();
  expect(() => env.resetTo(position, "node")).toThrow(/waits for an outcome at a chance node.*chance "explicit"/);
  expect(() => env.restore(state)).toThrow(/chance "explicit"/);
  expect(env.hash()).toBe(before);
  const explicit = new Env(game, { chance: "explicit" });
  explicit.resetTo(position, "node");
  explicit.applyOutcome(0);
  explicit.restore(state);
  expect(explicit.actor).toBe(CHANCE);
});

test("a batch refuses states at a chance node before any environment has moved", () => {
  const batch = new Batch(game, { size: 2 });
  batch.reset("kept");
  const before = batch.states.map((s) => hashState(s));
  const { state } = atChanceNode();
  expect(() => batch.load([0, 1], [batch.states[1]!.slice(), state])).toThrow(/chance "explicit"/);
  expect(() => batch.restore(0, state)).toThrow(/chance "explicit"/);
  expect(batch.states.map((s) => hashState(s))).toEqual(before);
});

test("a state of explicit chance goes on with sampled chance, and the other way round", () => {
  const explicit = new Env(game, { chance: "explicit" });
  explicit.reset("over");
  const sampled = new Env(game);
  sampled.restore(explicit.state);
  sampled.step("roll");
  expect(sampled.actor).not.toBe(CHANCE);
  const batch = new Batch(game, { size: 1, skipForced: false });
  batch.reset("other");
  batch.restore(0, explicit.state);
  batch.step([actionIndex(game, "roll")]);
  expect(batch.actors[0]).toBeGreaterThanOrEqual(0);
  sampled.reset("under");
  explicit.restore(sampled.state);
  explicit.step("roll");
  expect(explicit.actor).toBe(CHANCE);
});

test("a script that runs out in a forced decision leaves the step undone", () => {
  const env = new Env(game, { skipForced: true });
  const alone = new Env(game); // plays no forced decisions
  const rng = new Rng("forced");
  let undone = 0;
  const script = (n: number) => new ScriptedDice(Array.from({ length: n }, () => 1));
  for (let seed = 0; undone < 5; seed++) {
    env.reset(`forced/${seed}`);
    while (!env.terminated && undone < 5) {
      const action = pickLegal(env.mask, 0, game.actions.length, rng);
      let dice = 0; // that the action itself takes
      for (let enough = false; !enough; dice++) {
        alone.restore(env.state);
        try {
          alone.step(action, script(dice));
          enough = true;
        } catch (e) {
          expect(e).toHaveProperty("code", "bad-dice");
        }
      }
      const [before, mask, decisions] = [env.hash(), env.mask.slice(), env.decisions];
      try {
        env.step(action, script(dice - 1));
      } catch {
        undone++;
        expect([env.hash(), env.mask, env.decisions]).toEqual([before, mask, decisions]);
        env.step(action);
      }
    }
  }
});
