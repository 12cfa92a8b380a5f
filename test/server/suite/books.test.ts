/** Books made from a secret, what is held out, and what a leaderboard gets. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { boardsMarkdown, boardsOf } from "../../../server/suite/board.js";
import { bookHash, readHeldOut, readSuite } from "../../../server/suite/document.js";
import { heldOutText } from "../../../server/suite/report.js";
import type { SuiteResult } from "../../../server/suite/run.js";
import { parseSubmission, type Submission } from "../../../server/suite/submission.js";
import { closeStubs, stub } from "../../agents/llm-stub.js";
import { kesselHere } from "../cli/kessel.js";
import { newFolder } from "../page/guest.js";

afterEach(closeStubs);

const GAME = "pocket-stalingrad";
const SECRET = "a-seed-that-nobody-knows";
const make = (dir: string, seed: string) => kesselHere(["suite", "make", GAME, "--book-seed", seed, "--out", dir]);

describe("kessel suite make", () => {
  test("makes the same book of a seed again, another of another one, and keeps the seed out of it", async () => {
    const [one, two, three] = [newFolder(), newFolder(), newFolder()];
    const ran = await make(one, SECRET);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(
      /^pocket-stalingrad: \d+ rule questions, 0 belief questions, 0 puzzles; book [0-9a-f]{12}\n$/,
    );
    await make(two, SECRET);
    await make(three, "another-seed-of-mine");
    const text = (dir: string): string => readFileSync(join(dir, `${GAME}.json`), "utf8");
    expect(text(two)).toBe(text(one));
    expect(text(three)).not.toBe(text(one));
    expect(text(one)).not.toContain(SECRET);
    const [book, other] = [readHeldOut(one, GAME)!, readHeldOut(three, GAME)!];
    expect(bookHash(book)).not.toBe(bookHash(other));
    expect(book.suite.secret).not.toBe(other.suite.secret);
    const open = new Set(readSuite(GAME).suite.rules.map((q) => JSON.stringify(q)));
    expect(book.suite.rules.filter((q) => open.has(JSON.stringify(q)))).toEqual([]);
  });

  test("a held-out book is asked beside the public one, and a submission has both", async () => {
    const dir = newFolder();
    await make(dir, SECRET);
    const known = new Map(readSuite(GAME).suite.rules.map((q) => [q.answer, q]));
    expect(known.size).toBeGreaterThan(2);
    const { url } = await stub(() => "Answer: yes");
    const file = join(newFolder(), "run.json");
    const transcript = join(newFolder(), "t.jsonl");
    const ran = await kesselHere([
      ...["arena", GAME, "--suite", "language", "--parts", "rules", "--held-out", dir, "--submit", file],
      ...["-a", `random,llm:${url},model=yes-man,key=PATH,transcript=${transcript}`],
    ]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(/In the public book [0-9a-f]{12} and the held-out book [0-9a-f]{12}:/);
    expect(ran.out).toMatch(/llm:yes-man +rules right % +[\d.]+ +[\d.]+ +-?[\d.]+ \[/);
    const text = readFileSync(file, "utf8");
    for (const secret of ["127.0.0.1", "PATH", transcript, SECRET]) expect(text).not.toContain(secret);
    const { agents, version } = parseSubmission(JSON.parse(text), "run.json");
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(agents.map((a) => a.agent)).toEqual(["random", "llm:yes-man"]);
    const model = agents[1]!;
    expect(model.settings).toMatchObject({ model: "yes-man", rules: "short", tries: "3" });
    expect(model.transcript).toMatch(/^[0-9a-f]{64}$/);
    expect(model.scores[0]!.book).toBe(bookHash(readSuite(GAME)));
    expect(model.heldOut![0]!.book).toBe(bookHash(readHeldOut(dir, GAME)!));
    const yes = readSuite(GAME).suite.rules.filter((q) => q.answer === "yes").length;
    expect(model.scores[0]!.rules!.mean).toBeCloseTo(yes / readSuite(GAME).suite.rules.length, 9);
    expect(agents[0]!.settings).toBeNull();
  });

  test.each([
    [["suite", "make", GAME, "--out", "x"], /--book-seed/],
    [
      ["arena", GAME, "--suite", "language", "-a", "random", "--held-out", "/no/where"],
      /has no book of pocket-stalingrad/,
    ],
    [["arena", GAME, "-a", "random,greedy", "--submit", "x.json"], /--submit is for --suite/],
    [["suite", "table", "/no/where"], /cannot read the folder/],
  ])("%j is refused", async (args, why) => {
    const ran = await kesselHere(args);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(why);
  });
});

test("who knows the public book by heart is better there, with an interval", () => {
  const book = readSuite(GAME);
  const result = (right: number): SuiteResult => {
    const scores = book.suite.rules.map((_, i) => (i < right ? 1 : 0));
    const usage = { answers: 0, illegal: 0, asked: 0, answered: 0, money: 0, asides: 0, silent: {} };
    const rules = { asked: scores.length, aside: 0, scores, usage };
    return {
      game: GAME,
      book: bookHash(book),
      agent: "parrot",
      settings: null,
      games: null,
      gamesAside: null,
      puzzles: null,
      rules,
      beliefs: null,
    };
  };
  const n = book.suite.rules.length;
  const text = heldOutText([book, book], [result(n)], [result(0)]);
  const [low] = /100\.0 \[([\d.]+), 100\.0\]/.exec(text)!.slice(1).map(Number);
  expect(low).toBeGreaterThan(85);
  expect(heldOutText([book, book], [result(10)], [result(10)])).toMatch(/ 0\.0 \[-[\d.]+, [\d.]+\]/);
});

describe("the leaderboard", () => {
  const score = (mean: number) => ({ mean, interval: [mean - 0.1, mean + 0.1] as [number, number], of: 20 });
  const run = (agent: string, book: string, progress: number, rules: number): Submission => {
    const scores = {
      ...{ game: GAME, version: 1, book, points: { recruit: score(0.25), random: score(0.75) } },
      ...{ progress: score(progress), turns: {}, regret: score(0.05), illegal: score(0), tokensAnOrder: 812.4 },
      ...{ decisionsAnOrder: 1.5, puzzles: score(0.4), puzzleRegret: null, rules: score(rules) },
      ...{ beliefs: null, beliefsAbove: null },
    };
    const held = [{ ...scores, rules: score(rules - 0.2) }];
    const one = { agent, settings: null, transcript: null, scores: [scores], heldOut: held };
    return { kessel: "suite", format: 1, version: "0.2.0", node: "v20", made: "now", games: 20, agents: [one] };
  };
  const runs = [run("weak", "aaaaaaaaaaaaaaaa", 30, 0.5), run("strong", "aaaaaaaaaaaaaaaa", 70, 0.8)];

  test("has the best progress first, each book by itself, and what is lost where nobody has read the answers", () => {
    const boards = boardsOf([...runs, run("other", "bbbbbbbbbbbbbbbb", 99, 1)]);
    expect(boards.map((b) => b.book)).toEqual(["aaaaaaaaaaaa", "bbbbbbbbbbbb"]);
    expect(boards[0]!.rows.map((r) => r[0])).toEqual(["strong", "weak"]);
    const row = Object.fromEntries(boards[0]!.heads.map((h, i) => [h, boards[0]!.rows[0]![i]!]));
    expect(row).toMatchObject({ "points %": "50.0", "rules %": "80.0 [70.0, 90.0]", "tokens an order": "812" });
    expect(row["public less held-out: puzzles, rules"]).toBe("0.0, 20.0");
    expect(boardsMarkdown(boards)).toContain("| strong | - | 20 | 50.0 |");
  });

  test("names the settings of a model that are not the default, and how many games it played", () => {
    const set = (settings: Record<string, string>): Submission => {
      const one = run("llm:m", "aaaaaaaaaaaaaaaa", 30, 0.5);
      return { ...one, agents: [{ ...one.agents[0]!, settings }] };
    };
    const plain = { model: "m", rules: "short", memory: "none", tools: "none", form: "actions", answer: "once" };
    // an older submission lacks a setting that has come since
    const old = { model: "m", rules: "short" };
    const [board] = boardsOf([
      ...[set(plain), set({ ...plain, memory: "notes", tools: "odds+look", form: "orders" }), set(old)],
      run("greedy", "aaaaaaaaaaaaaaaa", 1, 0.1),
    ]);
    const column = (head: string): string[] => board!.rows.map((r) => r[board!.heads.indexOf(head)]!);
    expect(column("settings")).toEqual(["default", "memory=notes, tools=odds+look, form=orders", "default", "-"]);
    expect(column("games")).toEqual(["20", "20", "20", "20"]);
  });

  test("is printed and written as a page from a folder of runs; names can't break out of it", async () => {
    const dir = newFolder();
    runs.forEach((r, i) => writeFileSync(join(dir, `${i}.json`), JSON.stringify(r)));
    writeFileSync(join(dir, "2.json"), JSON.stringify(run("<script>alert(1)</script>", "aaaaaaaaaaaaaaaa", 1, 0.1)));
    const html = join(newFolder(), "board.html");
    const ran = await kesselHere(["suite", "table", dir, "--html", html]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(/Pocket Stalingrad.*book aaaaaaaaaaaa[^]*strong[^]*weak/);
    expect(readFileSync(html, "utf8")).not.toContain("<script>");
    writeFileSync(join(dir, "3.json"), JSON.stringify({ ...runs[0], more: 1 }));
    expect((await kesselHere(["suite", "table", dir])).err).toMatch(/3\.json: more: there is no such key/);
  });
});
