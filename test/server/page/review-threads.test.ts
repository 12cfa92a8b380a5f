/** Threads that look back at games: handed from table to table, and nothing with them. */
import { afterEach, expect, test } from "vitest";
import { Env, loadGame } from "../../../env/index.js";
import { Reviewer } from "../../../server/page/review/reviewer.js";
import { type ReviewThread, ReviewThreads } from "../../../server/page/review/threads.js";

const all: ReviewThreads[] = [];
const newThreads = (): ReviewThreads => {
  all.push(new ReviewThreads());
  return all.at(-1)!;
};
afterEach(async () => {
  await Promise.all(all.splice(0).map((t) => t.close()));
});

/** Threads that were taken. */
function watched(threads: ReviewThreads): Set<ReviewThread> {
  const taken = new Set<ReviewThread>();
  const take = threads.take.bind(threads);
  threads.take = (asker) => {
    const thread = take(asker);
    taken.add(thread);
    return thread;
  };
  return taken;
}

const first = (id: string) => {
  const game = loadGame(id);
  const env = new Env(game);
  env.reset("threads");
  while (env.legalCount === 1) env.step(env.mask.indexOf(1));
  const ask = (reviewer: Reviewer) => reviewer.judge(env.state, env.mask.indexOf(1), "commander");
  return { game, ask };
};
const pocket = first("pocket-stalingrad");
const streets = first("savage-streets");

test("a table gets the thread of one that has its answer, and the answer that a new thread gives", async () => {
  const [threads, others] = [newThreads(), newThreads()];
  const taken = watched(threads);
  const [one, two] = [new Reviewer(pocket.game, threads), new Reviewer(streets.game, threads)];
  const answers = [await pocket.ask(one), await streets.ask(two), await pocket.ask(one)];
  expect(taken.size).toBe(1);
  expect(answers[2]).toEqual(answers[0]);
  expect(answers[1]).toEqual(await streets.ask(new Reviewer(streets.game, others)));
});

test("tables that ask at the same time have a thread each, and each the one that it had before", async () => {
  const threads = newThreads();
  const taken = watched(threads);
  const [one, two] = [new Reviewer(pocket.game, threads), new Reviewer(streets.game, threads)];
  await Promise.all([pocket.ask(one), streets.ask(two)]);
  expect(taken.size).toBe(2);
  const [ofOne, ofTwo] = taken;
  expect(ofOne!.asker).not.toBe(ofTwo!.asker);
  const before = [ofOne!.asker, ofTwo!.asker];
  await pocket.ask(one);
  await streets.ask(two);
  await pocket.ask(one);
  expect(taken.size).toBe(2);
  expect([ofOne!.asker, ofTwo!.asker]).toEqual(before);
});

test("a table that is closed while it is answered takes its thread with it; others get another", async () => {
  const threads = newThreads();
  const taken = watched(threads);
  const one = new Reviewer(pocket.game, threads);
  const refused = expect(pocket.ask(one)).rejects.toThrow("the worker threads were stopped");
  await one.close();
  await refused;
  await streets.ask(new Reviewer(streets.game, threads));
  expect([...taken].map((t) => t.pool.failed)).toEqual([true, false]);
});

test("no more than four threads wait", () => {
  const threads = newThreads();
  const taken = Array.from({ length: 5 }, () => threads.take({}));
  expect(new Set(taken).size).toBe(5);
  for (const thread of taken) threads.give(thread);
  expect(taken.map((t) => t.pool.failed)).toEqual([true, false, false, false, false]);
});
