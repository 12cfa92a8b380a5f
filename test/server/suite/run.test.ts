import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { RandomAgent } from "../../../agents/random.js";
import { makeAgent } from "../../../agents/registry.js";
import { roster } from "../../../agents/roster.js";
import { ThroughText } from "../../../agents/text/through-text.js";
import { Env, gameIds, loadGame } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { askBelief } from "../../../server/suite/belief-questions.js";
import { puzzlesOf } from "../../../server/puzzles/puzzle.js";
import { bookHash, readSuite } from "../../../server/suite/document.js";
import { lossBounds } from "../../../server/suite/grade.js";
import { Positions } from "../../../server/suite/positions.js";
import { effortOf, suiteText } from "../../../server/suite/report.js";
import { askRule } from "../../../server/suite/rule-questions.js";
import { runSuite, spread, type SuiteOptions } from "../../../server/suite/run.js";
import { scoresOf } from "../../../server/suite/submission.js";
import { type Asked, closeStubs, stub } from "../../agents/llm-stub.js";

afterEach(closeStubs);

test.each(gameIds())("%s: scripted players choose through text what they choose without it", async (id) => {
  const game = loadGame(id);
  const scripted = game.players.map((_, i) =>
    roster(game).find((e) => e.kind === "scripted" && e.players.includes(i))!,
  );
  const made = () => Promise.all(scripted.map((e, i) => makeAgent(e.name, { game, seed: `through/${i}` })));
  const [plain, inner] = [await made(), await made()];
  const through = inner.map((agent) => new ThroughText(agent.name, agent, game, "through"));
  const env = new Env(game);
  env.reset("through");
  const [direct, read] = [new Int32Array(1), new Int32Array(1)];
  let asked = 0;
  while (env.actor >= 0) {
    const decision = new OneDecision(env);
    await plain[env.actor]!.act(decision, direct);
    await through[env.actor]!.act(decision, read);
    expect(read[0]).toBe(direct[0]);
    if (env.legalCount > 1) asked++;
    env.step(direct[0]!);
  }
  expect(asked).toBeGreaterThan(10);
  expect(through.map((t) => t.count.answers).reduce((a, b) => a + b)).toBe(asked);
});

test("what is listed by name in a very long list is chosen by name through text", async () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7", maxTurns: 1 });
  const through = new ThroughText("random", new RandomAgent("long"), game, "long");
  const env = new Env(game);
  env.reset("long");
  const read = new Int32Array(1);
  let long = 0;
  for (let n = 0; n < 30 && env.actor >= 0; n++) {
    if (env.legalCount > 300) long++;
    await through.act(new OneDecision(env), read);
    expect(env.mask[read[0]!]).toBe(1);
    env.step(read[0]!);
  }
  expect(long).toBeGreaterThan(0);
  expect(through.count.illegal).toBe(0);
});

/** The suite of one game with a stand-in that answers what `reply` says to the last message. */
async function played(
  id: string,
  reply: (text: string) => string,
  {
    atOnce = 8,
    tries = 2,
    ...options
  }: Partial<SuiteOptions> & { readonly atOnce?: number; readonly tries?: number } = {},
) {
  const { url, seen } = await stub((asked) => reply(asked.messages.at(-1)!.content));
  const book = readSuite(id);
  const { game, suite } = book;
  const result = await runSuite(book, `llm:${url},model=stub,price=10/100,tries=${tries},atOnce=${atOnce}`, {
    parts: ["rules", "beliefs"],
    games: 2,
    ...options,
  });
  return { book, game, suite, result, seen };
}

describe("questions", () => {
  test("who knows all answers gets every point, and the least loss that there is", async () => {
    const { game, suite } = readSuite("night-fight");
    const positions = new Positions(game, suite.games);
    const answers = [
      ...suite.rules.map((q) => ({ text: askRule(game, positions, q).text, answer: q.answer })),
      ...suite.beliefs.map((q) => ({
        text: askBelief(game, positions.of(q), q),
        answer: q.shares.map((p, i) => `${i + 1}=${100 * p}`).join(", "),
      })),
    ];
    // one request at a time comes in the order of the questions
    let n = 0;
    const settings = { atOnce: 1, parts: ["rules", "beliefs"] as const };
    const { result } = await played(
      "night-fight",
      (text) => {
        const { text: question, answer } = answers[n++]!;
        return text.includes(question) ? `I know.\nAnswer: ${answer}` : `What, not ${question}?`;
      },
      settings,
    );
    expect(result.rules!.scores).toEqual(suite.rules.map(() => 1));
    result.beliefs!.scores.forEach((loss, i) => expect(loss).toBeCloseTo(lossBounds(suite.beliefs[i]!).least, 6));
    expect(result.games).toBeNull();
  });

  test("nonsense gets no point and the loss of saying nothing, and is counted", async () => {
    const { suite, result } = await played("savage-streets", () => "Hurrah!");
    const n = suite.rules.length;
    expect(result.rules!.scores).toEqual(suite.rules.map(() => 0));
    expect(result.rules!.usage).toMatchObject({ answers: n, illegal: n, asked: 100 * n, answered: 10 * n });
    expect(result.rules!.usage.money).toBeCloseTo(0.002 * n, 9);
    result.beliefs!.scores.forEach((loss, i) => expect(loss).toBeCloseTo(lossBounds(suite.beliefs[i]!).uniform, 6));
  });

  test("no question lists legal actions: of rules they would be the answer", async () => {
    const { seen, suite } = await played("strike-counterstrike", () => "Answer: 1");
    const texts = seen.map((s) => s.asked.messages.at(-1)!.content);
    expect(texts.length).toBe(suite.rules.length + suite.beliefs.length);
    expect(texts.filter((t) => t.includes("Legal actions"))).toEqual([]);
    expect(texts.filter((t) => /face-down counters of the .* is picked blindly/.test(t)).length).toBe(
      suite.beliefs.length,
    );
  });

  test("a limit of items asks some of each kind, and the table says how many", async () => {
    const { book, suite, result, seen } = await played("night-fight", () => "Answer: 1=50, 2=50", {
      items: 2,
      parts: ["puzzles", "rules", "beliefs"],
      tries: 1,
    });
    const kinds = [...new Set(suite.rules.map((q) => q.kind))];
    const rules = kinds.reduce((n, kind) => n + Math.min(2, suite.rules.filter((q) => q.kind === kind).length), 0);
    const asked = [result.puzzles!.asked, result.rules!.asked, result.beliefs!.asked];
    expect(asked).toEqual([2, rules, 2]);
    expect(seen.length).toBe(4 + rules);
    expect(result.beliefs!.least).toHaveLength(2);
    for (const [i, least] of result.beliefs!.least!.entries())
      expect(result.beliefs!.scores[i]).toBeGreaterThanOrEqual(least);
    const row = suiteText(book, [result])
      .split("\n")
      .find((line) => line.startsWith("llm:stub") && line.includes(" of "))!;
    expect(row.match(/ of \d+/g)).toEqual(asked.map((n) => ` of ${n}`));
    expect(scoresOf(book, result).beliefsAbove!.of).toBe(2);
  });

  test("items are spread evenly over a list, and never asked twice", () => {
    expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 2)).toEqual([2, 7]);
    expect(spread([0, 1, 2], 2)).toEqual([0, 2]);
    expect(spread([0, 1, 2], 9)).toEqual([0, 1, 2]);
    expect(spread([], 3)).toEqual([]);
  });

  test("agents that are no language models are not asked", async () => {
    const book = readSuite("night-fight");
    const result = await runSuite(book, "random", { parts: ["rules", "beliefs"], games: 1 });
    expect(result).toEqual({
      game: "night-fight",
      book: bookHash(book),
      agent: "random",
      settings: null,
      games: null,
      gamesAside: null,
      puzzles: null,
      rules: null,
      beliefs: null,
    });
  });
});

test("puzzles: who takes the best actions solves all, by text as a model does", async () => {
  const { puzzles } = puzzlesOf("pocket-stalingrad")!;
  let n = 0;
  // one request at a time comes in the order of the puzzles
  const { result } = await played(
    "pocket-stalingrad",
    () => (n % 2 === 0 ? `**Move:** ${puzzles[n++]!.best}` : `Action: 1000${n++}`),
    { atOnce: 1, tries: 1, parts: ["puzzles"] },
  );
  expect(result.puzzles!.asked).toBe(puzzles.length);
  puzzles.forEach((p, i) => {
    if (i % 2 === 0) expect(result.puzzles!.scores[i], p.id).toBe(1);
  });
  expect(result.puzzles!.usage.illegal).toBe(Math.floor(puzzles.length / 2));
});

test("a puzzle without a legal answer is not solved, and costs what an arbitrary action costs on average", async () => {
  const { puzzles } = puzzlesOf("savage-streets")!;
  const { result } = await played("savage-streets", () => "Hurrah!", { atOnce: 1, tries: 2, parts: ["puzzles"] });
  expect(result.puzzles!.scores).toEqual(puzzles.map(() => 0));
  expect(result.puzzles!.usage).toMatchObject({ answers: 2 * puzzles.length, illegal: 2 * puzzles.length });
  puzzles.forEach(({ values, best }, i) => {
    const lost = Object.values(values).map((v) => values[best]! - v);
    expect(result.puzzles!.regrets![i]).toBeCloseTo(lost.reduce((a, b) => a + b, 0) / lost.length, 9);
  });
});

test("a hopeless model finishes all parts, and each answer that says nothing is counted by its reason", async () => {
  const said = (content: string | null, finish_reason: string) => ({
    status: 200,
    body: JSON.stringify({ choices: [{ message: { content }, finish_reason }], usage: { prompt_tokens: 9 } }),
  });
  const replies = [
    said("the the the ".repeat(2000), "length"),
    said('{"action": {"nested": "Action"', "stop"),
    said("Forward to the river!", "stop"),
    said("<think>never ending", "length"),
    said(null, "content_filter"),
    { status: 400, body: '{"error":{"message":"maximum context length is 2048 tokens"}}' },
  ];
  const { url, seen } = await stub((_, n) => replies[n % replies.length]!);
  const book = readSuite("pocket-stalingrad");
  const { beliefs } = readSuite("night-fight").suite;
  const run = (of: typeof book, parts: SuiteOptions["parts"]) =>
    runSuite(of, `llm:${url},model=hopeless,tries=2,atOnce=1`, { parts, games: 2 });
  const result = await run(book, ["games", "puzzles", "rules"]);
  const parts = [result.games, result.puzzles, result.rules].map((p) => p!.usage);
  expect(parts.map((p) => [p.illegal, p.answers])).toEqual(parts.map((p) => [p.answers, p.answers]));
  expect(parts.reduce((n, p) => n + p.answers, 0)).toBe(seen.length);
  const silent = (why: "cut off" | "filtered" | "too long a request"): number =>
    parts.reduce((n, p) => n + (p.silent[why] ?? 0), 0);
  const each = Math.floor(seen.length / replies.length);
  for (const why of ["cut off", "filtered", "too long a request"] as const)
    expect([each, each + 1]).toContain(silent(why));
  expect(result.games!.against.map((a) => a.total.games)).toEqual([2, 2, 2, 2]);
  const text = suiteText(book, [result]);
  expect(text).toMatch(/llm:hopeless .* 100\.0 \[/);
  expect(text).not.toMatch(/NaN|undefined/);
  const believed = await run(readSuite("night-fight"), ["beliefs"]);
  expect(believed.beliefs).toMatchObject({ asked: beliefs.length, aside: 0 });
  believed.beliefs!.scores.forEach((loss, i) => expect(loss).toBeCloseTo(lossBounds(beliefs[i]!).uniform, 6));
});

describe("whole games", () => {
  test("a model meets every level and random play in both seats; illegal answers are counted with their tokens", async () => {
    let n = 0;
    const { result, game } = await played("streets-of-stalingrad", () => (n++ % 10 === 0 ? "Forward!" : "Action: 1"), {
      parts: ["games"],
    });
    const { against, ratings, usage } = result.games!;
    expect(against.map((a) => [a.level, a.total.games])).toEqual([
      ["recruit", 2],
      ["veteran", 2],
      ["commander", 2],
      ["random", 2],
    ]);
    expect(ratings.map((r) => [r.seat, r.games])).toEqual([
      ["german", 4],
      ["soviet", 4],
    ]);
    expect(usage.answers).toBe(n);
    expect(usage.illegal).toBe(Math.ceil(n / 10));
    expect(usage.asked).toBe(100 * n);
    const text = suiteText(readSuite(game.type.id), [result]);
    expect(text).toMatch(/against commander %.*Elo as german.*illegal %/);
    expect(text).toMatch(/llm:stub/);
    expect(text).not.toContain("127.0.0.1");
  });

  test("games that all end alike have an interval, too", async () => {
    const book = readSuite("strike-counterstrike");
    const lost = await runSuite(book, "random", { parts: ["games"], games: 2 });
    expect(lost.games!.against[0]!.total.losses).toBe(2);
    // Wilson's upper end of 0 in 2 is z^2 / (2 + z^2) = 0.658
    expect(suiteText(book, [lost])).toContain("-1.00 [-1.00, 0.32]");
  });

  test("the same agent plays the same games again, and others with a secret", async () => {
    const book = readSuite("night-fight");
    const run = (secret?: string) =>
      runSuite(book, "heuristic:runner", {
        parts: ["games"],
        games: 4,
        ...(secret === undefined ? {} : { secret }),
      });
    const first = await run();
    expect(await run()).toEqual(first);
    expect(await run("another-secret-of-mine")).not.toEqual(first);
  });
});

describe("settings that builders compare", () => {
  const run = async (settings: string, parts: SuiteOptions["parts"], reply: (asked: Asked) => string) => {
    const { url, seen } = await stub(reply);
    const book = readSuite("pocket-stalingrad");
    const result = await runSuite(book, `llm:${url},model=stub,tries=1${settings}`, { parts, games: 2 });
    return { result, seen, text: suiteText(book, [result]) };
  };
  const first = (): string => "Notes: none\nAction: 1";

  test("each model's are in a table of their own", async () => {
    const { text } = await run(",rules=long,memory=3,tools=odds+look,form=orders,answer=check", ["puzzles"], first);
    expect(text).toMatch(
      /agent +rules +memory +tools +answers with +answers\n.*\n *llm:stub +long +3 +odds\+look +orders +check/,
    );
    const plain = await run("", ["puzzles"], first);
    expect(plain.text).toMatch(/llm:stub +short +none +none +actions +once/);
  });

  test("the table names the interface and what is sent beside, where they are not the default", async () => {
    const { text, seen } = await run(',api=responses,body={"top_k":1}', ["rules"], () => "Answer: 1");
    expect(text).toMatch(/answers +others\n.*\n *llm:stub .* once +api=responses, body=\{"top_k":1\}/);
    for (const { asked } of seen) expect(asked).toMatchObject({ top_k: 1, store: false });
  });

  test("no puzzle is remembered in the next", async () => {
    const { seen } = await run(",memory=all", ["puzzles"], first);
    expect(seen.length).toBe(puzzlesOf("pocket-stalingrad")!.puzzles.length);
    for (const { asked } of seen) expect(asked.messages.length).toBe(2);
  });

  test("in whole games what asks and proposes is no order, and its tokens count", async () => {
    const { result, seen } = await run(",memory=notes,tools=all,asks=1,answer=check", ["games"], ({ messages }) =>
      messages.length === 2 ? "Ask: look 3" : first(),
    );
    const { usage, courses } = result.games!;
    expect(usage.answers).toBe(seen.length);
    expect(usage.asides).toBe((2 * usage.answers) / 3);
    const [tokens, decisions] = effortOf(courses, usage);
    expect(tokens).toBe(3 * 110);
    expect(decisions).toBeGreaterThanOrEqual(1);
  });

  test("questions about rules and beliefs are asked alike: tools would answer them", async () => {
    const texts = async (settings: string): Promise<string[]> => {
      const { seen } = await run(settings, ["rules"], () => "Answer: 1");
      return seen.map(({ asked }) => asked.messages.map((m) => m.content).join("\n")).sort();
    };
    expect(await texts(",memory=all,tools=all,form=orders,answer=check")).toEqual(await texts(""));
  });
});

describe("a model whose server is down", () => {
  const N = readSuite("night-fight").suite.rules.length;
  /** Requests 0, 5, 10, ... */
  const failed = Math.ceil(N / 5);
  const suiteOf = async (
    reply: Parameters<typeof stub>[0],
    transcript: string,
    parts: SuiteOptions["parts"],
    retries = 0,
  ) => {
    const { url, seen } = await stub(reply);
    const book = readSuite("night-fight");
    const name = `llm:${url},model=stub,retries=${retries},atOnce=1,transcript=${transcript}`;
    const result = await runSuite(book, name, { parts, games: 1 });
    return { text: suiteText(book, [result]), result, asked: seen.length };
  };
  const file = (): string => join(mkdtempSync(join(tmpdir(), "aside-")), "transcript.jsonl");

  test("is asked the other items, and what was set aside is asked by the next run", async () => {
    const transcript = file();
    const parts = ["rules"] as const;
    const failing = await suiteOf((_, n) => (n % 5 === 0 ? { status: 503 } : "Answer: 1"), transcript, parts);
    expect(failing.result.rules).toMatchObject({ asked: N - failed, aside: failed });
    expect(failing.result.rules!.scores.length).toBe(N - failed);
    expect(failing.text).toMatch(/set aside because its server gave no answer: \d+ rule questions\. Run it again/);
    const later = file(); // a process reads a transcript once
    copyFileSync(transcript, later);
    const again = await suiteOf(() => "Answer: 1", later, parts);
    expect(again.result.rules).toMatchObject({ asked: N, aside: 0 });
    expect(again.asked).toBe(failed);
  });

  test("that has no room for the questions is measured, with the cause", async () => {
    const tooLong = { status: 400, body: '{"error":{"code":"context_length_exceeded"}}' };
    const { text, result } = await suiteOf(() => tooLong, file(), ["rules"]);
    expect(result.rules).toMatchObject({ asked: N, aside: 0 });
    expect(text).toMatch(new RegExp(`llm:stub +0 +0 +0\\.0000 +${N} too long a request`));
  });

  test("is not asked again for each item after four in a row, but again once it has answered", async () => {
    // four items twice, a fifth once; an answer; then one more failure, after which it is asked again
    const fails = (n: number): boolean => n < 9 || n === 10;
    const { result, asked } = await suiteOf((_, n) => (fails(n) ? { status: 503 } : "Answer: 1"), file(), ["rules"], 1);
    expect(result.rules).toMatchObject({ asked: N - 5, aside: 5 });
    expect(asked).toBe(9 + N - 5 + 1);
  });

  test("and has its games set aside as a whole, puzzles and questions one by one", async () => {
    const { result, text } = await suiteOf(() => ({ status: 500 }), file(), ["games", "puzzles", "rules", "beliefs"]);
    expect(result.games).toBeNull();
    expect(result.gamesAside).toMatch(/^the language model at .* answers 500/);
    expect(result.puzzles).toMatchObject({ asked: 0, aside: puzzlesOf("night-fight")!.puzzles.length });
    expect(result.rules).toMatchObject({ asked: 0, aside: N, scores: [] });
    expect(result.beliefs).toMatchObject({
      asked: 0,
      aside: readSuite("night-fight").suite.beliefs.length,
      scores: [],
    });
    expect(text).toMatch(/set aside .*: the games, (\d+ puzzles, )?\d+ rule questions, \d+ belief questions/);
    expect(text).not.toContain("NaN");
  });

  test("one that refuses the key ends the run: asking again would not help", async () => {
    await expect(suiteOf(() => ({ status: 401, body: "no key" }), file(), ["rules"])).rejects.toThrow(/answers 401/);
  });
});
