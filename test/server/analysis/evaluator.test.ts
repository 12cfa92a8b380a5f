import { afterAll, describe, expect, test } from "vitest";
import { Env, loadGame } from "../../../env/index.js";
import { type Evaluator, makeEvaluator, withEffort } from "../../../server/analysis/evaluator.js";
import { inTurn } from "./nets.js";

const pocket = loadGame("pocket-stalingrad");
const opened: Evaluator[] = [];
const evaluator = async (name: string, effort?: number): Promise<Evaluator> => {
  const made = await makeEvaluator(name, pocket, effort);
  opened.push(made);
  return made;
};
afterAll(async () => {
  for (const e of opened) await e.close();
});

/** States of games in which somebody decides. */
function states(many: number) {
  const env = new Env(pocket);
  env.reset("evaluator");
  return Array.from({ length: many }, (_, i) => {
    if (env.terminated) env.reset(`evaluator/${i}`);
    const s = env.state.slice();
    env.step(inTurn(env));
    return s;
  });
}

test("a level's short name is its model", async () => {
  const [short, full] = await Promise.all([evaluator("commander"), evaluator("onnx:pocket-stalingrad/commander.onnx")]);
  expect(await short.judge(states(20))).toEqual(await full.judge(states(20)));
});

test.each([
  ["random", /"random" gives no values to analyse with; .*commander.*, onnx:FILE or search:iterations=N do/],
  ["heuristic:first-keep", /gives no values/],
  ["onnx:savage-streets/commander.onnx", /savage-streets/],
  ["onnx:nothing.onnx", /no model file "nothing.onnx"/],
  ["general", /no agent "general"/],
])("%s is refused", async (name, why) => {
  await expect(makeEvaluator(name, pocket)).rejects.toThrow(why);
});

test("chances are those of the temperature that an agent draws at; for one that takes the best action, of its policy", async () => {
  const list = states(12);
  const judged = async (query: string) =>
    (await (await evaluator(`onnx:pocket-stalingrad/recruit.onnx${query}`)).judge(list)).map(({ actions }) =>
      actions.map((a) => a.probability),
    );
  const [best, one, two] = await Promise.all(["", "?temperature=1", "?temperature=2"].map(judged));
  expect(best).toEqual(one);
  one!.forEach((chances, i) => {
    const roots = chances.map(Math.sqrt);
    const sum = roots.reduce((n, p) => n + p, 0);
    roots.forEach((p, k) => expect(two![i]![k]).toBeCloseTo(p / sum, 6));
  });
  expect(two).not.toEqual(one);
});

test("many positions are judged as each by itself, whatever shares its batch", async () => {
  const net = await evaluator("recruit");
  const list = states(300);
  const together = await net.judge(list);
  for (const i of [0, 1, 150, 255, 256, 299]) {
    const [alone] = await net.judge([list[i]!]);
    expect(together[i]!.value).toBeCloseTo(alone!.value, 4);
    expect(together[i]!.actions.map((a) => a.action)).toEqual(alone!.actions.map((a) => a.action));
  }
});

describe.each(["recruit", "search:iterations=40"])("%s", (name) => {
  test("gives legal actions chances that sum to 1, and values from -1 to 1", async () => {
    const made = await evaluator(name);
    const mask = new Uint8Array(pocket.actions.length);
    const list = states(12);
    for (const [i, judged] of (await made.judge(list)).entries()) {
      pocket.legalMask(list[i]!, mask, 0);
      expect(judged.actions.every((a) => mask[a.action] === 1)).toBe(true);
      expect(judged.actions.reduce((n, a) => n + a.probability, 0)).toBeCloseTo(1, 5);
      expect(Math.abs(judged.value)).toBeLessThanOrEqual(1);
    }
  });

  test("sums a finished game by its return", async () => {
    const env = new Env(pocket);
    env.reset("sums");
    while (!env.terminated) env.step(inTurn(env));
    const into = new Float64Array(2);
    const sums = (await evaluator(name)).sums(into);
    await sums.add(env.state, 1, 0.5);
    await sums.flush();
    const returns = new Float32Array(2);
    pocket.returns(env.state, returns);
    expect([...into]).toEqual([0, returns[0]! / 2]);
  });
});

test("a search that is given more effort has as many iterations more, and the rest as before", () => {
  expect(withEffort("search", pocket, 20)).toBe("search:iterations=4000");
  expect(withEffort("search:iterations=50,explore=1", pocket, 20)).toBe("search:iterations=1000,explore=1");
  expect(withEffort("search:rollout=random,ms=10", pocket, 3)).toBe("search:ms=30,rollout=random");
  expect(() => withEffort("recruit", pocket, 20)).toThrow(/can't be asked to think more/);
});

test("a net plays on in place, a decision with a choice at a time, and stops at the end", async () => {
  const net = await evaluator("recruit");
  const start = states(1)[0]!;
  const [none, some, all] = [start.slice(), start.slice(), start.slice()];
  await net.playOn([
    { state: none, depth: 0 },
    { state: some, depth: 3 },
    { state: all, depth: 5000 },
  ]);
  expect(none).toEqual(start);
  expect(some).not.toEqual(start);
  expect(pocket.actor(some)).toBeGreaterThanOrEqual(0);
  expect(pocket.actor(all)).toBe(-1);
});
