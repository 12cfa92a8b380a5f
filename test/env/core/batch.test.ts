import { describe, expect, test } from "vitest";
import { Batch, type BatchOptions, Env, type ErrorCode, newState, resolveOptions } from "../../../env/index.js";
import { pickLegal } from "../../../agents/random.js";
import { Rng } from "../../../env/index.js";
import { race } from "../../toys/race.js";

const game = race.load(resolveOptions(race), {});
const A = game.actions.length;
const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

function made(options: Partial<BatchOptions> = {}): Batch {
  const batch = new Batch(game, { size: 3, ...options });
  batch.reset("batch");
  return batch;
}

/** Everything a caller sees, as one list. */
const all = (b: Batch) => [
  ...b.states.flatMap((s) => [...s]),
  ...b.actors,
  ...b.mask,
  ...b.legalCounts,
  ...b.rewards,
  ...b.terminated,
  ...b.truncated,
  ...b.decisions,
  ...b.observations.all.globals,
  ...b.observations.all.units,
];

/** One random step; ended episodes get an action that is ignored. */
function randomStep(b: Batch, rng: Rng): void {
  b.step(Array.from({ length: b.size }, (_, i) => (b.over(i) ? -1 : pickLegal(b.mask, i * A, A, rng))));
}

describe("an action that can't be taken leaves the whole batch as it was", () => {
  test.each([
    [
      "illegal in one environment",
      [0, 3, 0],
      "illegal-action",
      'environment 1: toy-race: "hold" is not legal for north',
    ],
    ["too high", [0, 0, 10], "bad-action", "environment 2: actions of toy-race are 0 to 9, not 10"],
    ["not whole", [0.5, 0, 0], "bad-action", "environment 0"],
    ["not a number", [0, NaN, 0], "bad-action", "environment 1"],
    ["one too few", [0, 0], "bad-action", "expected 3 actions (one per environment), got 2"],
  ] as const)("%s", (_what, actions, code, says) => {
    const batch = made();
    const before = all(batch);
    expect(() => batch.step(actions)).toThrow(error(code, says));
    expect(all(batch)).toEqual(before);
  });
});

describe("seeds", () => {
  test("a batch seed gives each environment and episode its own", () => {
    const batch = made();
    expect([0, 1, 2].map((i) => batch.seedOf(i))).toEqual(["batch/0/0", "batch/1/0", "batch/2/0"]);
  });
  test("one seed per environment is used as it is", () => {
    const batch = new Batch(game, { size: 2 });
    batch.reset(["left", 7]);
    expect([batch.seedOf(0), batch.seedOf(1)]).toEqual(["left", "7"]);
    const env = new Env(game, { skipForced: true });
    env.reset("left");
    expect([...batch.states[0]!]).toEqual([...env.state]);
  });
  test("any episode replays alone from its seed", () => {
    const rng = new Rng("episodes");
    const batch = made({ autoreset: "same-step" });
    while (batch.episodes[1]! < 3) randomStep(batch, rng);
    const env = new Env(game, { skipForced: true });
    expect(batch.seedOf(1)).toBe("batch/1/3");
    env.reset(batch.seedOf(1));
    for (let n = 0; n < 5; n++) {
      const chosen = pickLegal(batch.mask, A, A, rng);
      batch.step([0, 1, 2].map((i) => (i === 1 ? chosen : pickLegal(batch.mask, i * A, A, rng))));
      env.step(chosen);
    }
    expect([...batch.states[1]!]).toEqual([...env.state]);
  });
  test.each([
    ["too few seeds", ["a"], undefined, "bad-seed", "expected 3 seeds (one per environment), got 1"],
    ["an empty seed", ["a", "", "c"], undefined, "bad-seed", "a seed is"],
    ["an environment that is not there", "x", [0, 3], "bad-option", "0 to 2, not 3"],
  ] as const)("%s is refused", (_what, seeds, which, code, says) => {
    const batch = made();
    const before = all(batch);
    expect(() => batch.reset(seeds, which)).toThrow(error(code, says));
    expect(all(batch)).toEqual(before);
  });
});

describe("partial reset", () => {
  test("touches only the environments named", () => {
    const batch = made();
    randomStep(batch, new Rng("partial"));
    const [first, last] = [[...batch.states[0]!], [...batch.states[2]!]];
    batch.reset("again", [1]);
    expect([[...batch.states[0]!], [...batch.states[2]!], batch.seedOf(1)]).toEqual([first, last, "again/1/0"]);
  });
  test("can't come first", () =>
    expect(() => new Batch(game, { size: 2 }).reset("x", [0])).toThrow(
      error("not-reset", "first reset must include every environment"),
    ));
  test("stepping can't either", () =>
    expect(() => new Batch(game, { size: 1 }).step([0])).toThrow(error("not-reset", "reset the batch")));
});

describe("the end of an episode", () => {
  /** Plays until environment 0 ends. */
  function untilEnd(b: Batch): void {
    const rng = new Rng("until");
    while (b.terminated[0] !== 1 && b.truncated[0] !== 1) randomStep(b, rng);
  }
  test("next-step: the ended state is shown, the following step begins a new episode and ignores its action", () => {
    const batch = made({ autoreset: "next-step" });
    untilEnd(batch);
    expect([batch.over(0), batch.episodes[0], batch.legalCounts[0]]).toEqual([true, 0, 0]);
    randomStep(batch, new Rng("next"));
    expect([batch.over(0), batch.episodes[0], batch.terminated[0], batch.rewards[0]]).toEqual([false, 1, 0, 0]);
    expect(batch.seedOf(0)).toBe("batch/0/1");
  });
  test("same-step: the next episode is there at once, the last observation in `final`", () => {
    const batch = made({ autoreset: "same-step" });
    untilEnd(batch);
    expect([batch.over(0), batch.episodes[0], batch.finalWritten[0]]).toEqual([false, 1, 1]);
    expect(batch.final!.rows[0]!.globals[0]).toBeGreaterThan(batch.observations.rows[0]!.globals[0]!);
    const rewards = [...batch.rewards.subarray(0, 2)];
    expect(rewards[0]! + rewards[1]!).toBe(0);
    randomStep(batch, new Rng("next"));
    expect([batch.terminated[0], batch.finalWritten[0]]).toEqual([0, 0]);
  });
  test("disabled: nothing moves until it is reset", () => {
    const batch = made({ autoreset: "disabled", maxDecisions: 3 });
    untilEnd(batch);
    const before = all(batch);
    expect(() => batch.step([0, 0, 0])).toThrow(error("not-reset", "environment 0 has ended"));
    expect(all(batch)).toEqual(before);
    batch.reset("b", [0, 1, 2]);
    expect(batch.over(0)).toBe(false);
  });
  test("a limit truncates: no reward, no termination", () => {
    const batch = made({ maxDecisions: 1, skipForced: false });
    randomStep(batch, new Rng("cut"));
    expect([...batch.truncated, ...batch.terminated, ...batch.rewards]).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

test.each([
  [{ size: 0 }, "at least 1 environments"],
  [{ size: 1.5 }, "not 1.5"],
  [{ size: 1, maxDecisions: 0 }, "maxDecisions"],
  [{ size: 1, autoreset: "never" as never }, 'not "never"'],
])("options %j are refused", (options, says) =>
  expect(() => new Batch(game, options)).toThrow(error("bad-option", says)),
);

test("a state put into an environment is played on from there", () => {
  const batch = made();
  const s = batch.states[0]!.slice();
  randomStep(batch, new Rng("put"));
  batch.restore(0, s);
  expect([...batch.states[0]!]).toEqual([...s]);
  expect(() => batch.restore(0, newState(2))).toThrow(error("bad-state", "this has 2"));
});
