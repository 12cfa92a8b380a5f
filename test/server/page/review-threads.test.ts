/** Threads that look back at games: handed from table to table, and nothing with them. */
import { afterEach, expect, test, vi } from "vitest";
import { Belief } from "../../../agents/search/belief.js";
import { Env, type Game, loadGame } from "../../../env/index.js";
import { NetEvaluator } from "../../../server/analysis/evaluator.js";
import { Reviewer } from "../../../server/page/review/reviewer.js";
import { open } from "../../../server/page/review/thread-worker.js";
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
  return { game, env, ask };
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
  for (const [seat, reviewer] of [
    [pocket, one],
    [streets, two],
    [pocket, one],
  ] as const) {
    await seat.ask(reviewer);
    expect([ofOne!.asker, ofTwo!.asker]).toEqual(before);
  }
  expect(taken.size).toBe(2);
});

test("nobody else gets the thread of a table that waits for an answer, and it asks none that another has", async () => {
  const threads = newThreads();
  const one = new Reviewer(pocket.game, threads);
  const answers = [pocket.ask(one), pocket.ask(one)];
  await answers[0];
  const other = threads.take({});
  expect(other.asker).toBeNull(); // a new one
  await answers[1];
  const last = threads.take({});
  expect(last.asker).not.toBeNull();
  const asked = vi.spyOn(last.pool, "run");
  await pocket.ask(one);
  expect(asked).not.toHaveBeenCalled();
  for (const thread of [other, last]) threads.give(thread);
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

test("the nets of a table are closed when another one asks", async () => {
  const closed = [vi.spyOn(Belief.prototype, "close"), vi.spyOn(NetEvaluator.prototype, "close")];
  const answer = open({ counted: new SharedArrayBuffer(8) });
  const table = ({ game }: typeof pocket) => answer({ what: "table", game: game.type.id, options: game.options });
  const { env } = streets;
  const asks = { state: env.state, seat: 0, taken: env.mask.indexOf(1), by: "commander" };
  await table(streets);
  await answer({ what: "beliefs", ...asks });
  await answer({ what: "judge", ...asks });
  await answer({ what: "judge", ...asks });
  expect(closed.map((c) => c.mock.calls.length)).toEqual([0, 0]);
  await table(pocket);
  expect(closed.map((c) => c.mock.calls.length)).toEqual([1, 1]);
  for (const c of closed) c.mockRestore(); // other tests have these modules too
});

test("a thread that could not take a table up answers nothing from the last one", async () => {
  const threads = newThreads();
  await pocket.ask(new Reviewer(pocket.game, threads));
  const unknown = { type: { id: "no-game" }, options: {} } as unknown as Game;
  const two = new Reviewer(unknown, threads);
  for (let k = 0; k < 2; k++) await expect(pocket.ask(two)).rejects.toThrow(/no-game/);
});

test("a thread that waits ends after a minute, one that is taken doesn't", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const threads = newThreads();
    const [one, two] = [threads.take({}), threads.take({})];
    threads.give(one);
    threads.give(two);
    expect(threads.take({})).toBe(two);
    vi.advanceTimersByTime(59_000);
    expect([one.pool.failed, two.pool.failed]).toEqual([false, false]);
    vi.advanceTimersByTime(2_000);
    expect([one.pool.failed, two.pool.failed]).toEqual([true, false]);
    threads.give(two);
  } finally {
    vi.useRealTimers();
  }
});
