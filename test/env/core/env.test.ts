import { describe, expect, test } from "vitest";
import {
  CHANCE,
  Env,
  type ErrorCode,
  KesselError,
  newState,
  outcomesOf,
  resolveOptions,
  ScriptedDice,
  stepScripted,
} from "../../../env/index.js";
import { patrol } from "../../toys/patrol.js";
import { L, race } from "../../toys/race.js";

const game = race.load(resolveOptions(race), {});
const started = (options = {}) => {
  const env = new Env(game, options);
  env.reset("env");
  return env;
};
const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

describe("stepping", () => {
  test("takes numbers and strings alike", () => {
    const [a, b] = [started(), started()];
    a.step(1);
    b.step("roll 2");
    expect(a.hash()).toBe(b.hash());
    expect(a.decisions).toBe(1);
  });
  test.each([
    ["before a reset", () => new Env(game).step(0), "not-reset", "reset the environment first"],
    ["looking before a reset", () => new Env(game).observe(), "not-reset", "reset the environment first"],
    ["an unknown string", () => started().step("roll 4"), "bad-action", 'no action "roll 4"'],
    ["a number too high", () => started().step(10), "bad-action", "0 to 9, not 10"],
    ["a negative number", () => started().step(-1), "bad-action", "not -1"],
    ["half a number", () => started().step(0.5), "bad-action", "not 0.5"],
    [
      "an action outside the mask",
      () => started().step("hold"),
      "illegal-action",
      '"hold" is not legal for north; 3 actions are',
    ],
  ] as const)("%s is refused", (_what, run, code, says) => expect(run).toThrow(error(code, says)));

  test("a refusal changes nothing", () => {
    const env = started();
    const before = [...env.state];
    expect(() => env.step("hold")).toThrow(KesselError);
    expect([[...env.state], env.decisions]).toEqual([before, 0]);
  });
  test("after the end says that the game is over", () => {
    const env = started();
    env.resetTo({ ...game.write(env.state), score: [19, 0], pot: [6], throws: [1] }, "end");
    const { rewards, terminated } = env.step("hold");
    expect([[...rewards], terminated]).toEqual([[1, -1], true]);
    expect(env.legal()).toEqual([]);
    expect(() => env.step("hold")).toThrow(error("illegal-action", "the game is over"));
  });
  test("no reward comes before the end", () => expect([...started().step("roll 1").rewards]).toEqual([0, 0]));
});

describe("truncation", () => {
  test("is ours, not the game's end", () => {
    const env = started({ maxDecisions: 2 });
    expect(env.step("roll 3").truncated).toBe(false);
    const { truncated, terminated } = env.step(env.legal()[0]!);
    expect([truncated, terminated, env.truncated, env.terminated]).toEqual([true, false, true, false]);
    expect(() => env.step(env.legal()[0]!)).toThrow(error("not-reset", "truncated"));
    env.reset("again");
    expect([env.truncated, env.decisions]).toEqual([false, 0]);
  });
  test.each([0, -1, 1.5, NaN])("a limit of %s is refused", (maxDecisions) =>
    expect(() => new Env(game, { maxDecisions })).toThrow(error("bad-option", "maxDecisions")),
  );
});

describe("skipForced", () => {
  test("plays decisions with one action", () => {
    // a throw of three 6s leaves one face to take; it is taken without asking, and the next are asked about
    const plain = started();
    const forced = started({ skipForced: true });
    for (const env of [plain, forced]) env.step("roll 3", new ScriptedDice([6, 6, 6]));
    expect(plain.legal()).toEqual(["keep 6"]);
    expect(forced.legal()).toEqual(["keep 6", "leave"]);
    expect([plain.decisions, forced.decisions]).toEqual([1, 2]);
  });
});

describe("resetting to a position", () => {
  test("refuses a bad one and keeps the game that was", () => {
    const env = started();
    env.step("roll 1");
    const before = [...env.state];
    expect(() => env.resetTo({ ...game.write(env.state), pot: [99] }, "bad")).toThrow(
      error("bad-position", "points nobody can reach"),
    );
    expect(() => env.resetTo({ nothing: 1 }, "bad")).toThrow(error("bad-position", "toy-race"));
    expect([[...env.state], env.decisions]).toEqual([before, 1]);
  });
  test("a whole state is taken over with its stream", () => {
    const [a, b] = [started(), started()];
    a.step("roll 3");
    b.restore(a.state);
    a.step(a.legal()[0]!);
    b.step(b.legal()[0]!);
    expect([...a.state]).toEqual([...b.state]);
    expect(() => b.restore(newState(3))).toThrow(error("bad-state", `${game.stateSize} words, this has 3`));
  });
});

describe("scripted dice", () => {
  test("that run out leave the state as it was", () => {
    const env = started();
    const before = [...env.state];
    expect(() => env.step("roll 3", new ScriptedDice([2, 2]))).toThrow(error("bad-dice", "has 2 dice"));
    expect([...env.state]).toEqual(before);
  });
  test("that are left over are refused too", () => {
    const env = started();
    const before = [...env.state];
    expect(() => stepScripted(env, "roll 1", [2, 3])).toThrow(error("bad-dice", "1 of the 2 dice"));
    expect([...env.state]).toEqual(before);
    stepScripted(env, "roll 1", [5]);
    expect(env.legal()).toEqual(["keep 5"]);
  });
});

describe("explicit chance", () => {
  test("stops at the throw and goes on with an outcome", () => {
    const env = started({ chance: "explicit" });
    env.step("roll 2");
    expect([env.actor, env.legalCount]).toEqual([CHANCE, 0]);
    const outcomes = game.chance!.outcomes(env.state);
    expect(outcomes).toHaveLength(21);
    env.applyOutcome(outcomes.findIndex((o) => o.name === "3 5"));
    expect(env.legal()).toEqual(["keep 3", "keep 5"]);
  });
  test.each([-1, 21, 0.5])("has no outcome %s", (index) => {
    const env = started({ chance: "explicit" });
    env.step("roll 2");
    expect(() => env.applyOutcome(index)).toThrow(error("illegal-action", "there are 21"));
  });
  test("is not offered by every game, and waits only at a chance node", () => {
    expect(() => new Env(patrol.load({}, {}), { chance: "explicit" })).toThrow(
      error("unsupported", "no explicit chance"),
    );
    expect(() => started().applyOutcome(0)).toThrow(error("illegal-action", "no chance node"));
  });
});

test("viewers are the players and the spectator", () => {
  const env = started();
  for (const viewer of [-1, 0, 1]) expect(() => env.observe(viewer)).not.toThrow();
  for (const viewer of [-2, 2, 0.5]) expect(() => env.observe(viewer)).toThrow(RangeError);
});

test("outcomes of a throw are its multisets, those with a 1 together", () => {
  const env = started();
  const outcomes = outcomesOf(game, env.state, 1);
  // two dice: 15 multisets without a 1, and one end of the turn
  expect(outcomes).toHaveLength(16);
  const bust = outcomes.find((o) => o.state[L.active] === 1)!;
  expect(bust.probability).toBeCloseTo(11 / 36, 12);
});
