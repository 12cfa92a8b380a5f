import { describe, expect, test } from "vitest";
import { boardText } from "../../../agents/text/briefing.js";
import { gameIds, Rng, sampleFor, type State } from "../../../env/index.js";
import { askBelief, likeliest, information } from "../../../server/suite/belief-questions.js";
import { type RuleQuestion, readSuite } from "../../../server/suite/document.js";
import { givenAway, itemOf, optionsOf, tooCommon } from "../../../server/suite/fairness.js";
import { lossBounds } from "../../../server/suite/grade.js";
import { sharesAt } from "../../../server/suite/hidden.js";
import { Positions } from "../../../server/suite/positions.js";
import { askedIn, askRule, TOLERANCE } from "../../../server/suite/rule-questions.js";
import { chanceOf, noThought } from "../../../server/puzzles/no-thought.js";

/** What each game can ask at least: one without hidden counters has no beliefs, and areas have no lines of sight. */
const KINDS = ["legal", "unlisted", "result", "after", "instead"];

describe.each(gameIds())("the suite of %s", (id) => {
  const { suite, game } = readSuite(id);
  const positions = new Positions(game, suite.games);
  const asked = suite.rules.map((q) => ({ q, asked: askRule(game, positions, q) }));

  test("holds different rule questions of many kinds, and the engine gives each the answer that is written there", () => {
    expect(suite.rules.length).toBeGreaterThanOrEqual(50);
    expect(new Set(asked.map((a) => `${a.asked.shown}\n${a.asked.text}`)).size).toBe(suite.rules.length);
    const kinds = new Set(suite.rules.map((q) => q.kind));
    expect(
      KINDS.filter((k) => !kinds.has(k as RuleQuestion["kind"]) && !(id.startsWith("strike") && k === "result")),
    ).toEqual([]);
    if (["savage-streets", "night-fight", "streets-of-stalingrad"].includes(id)) expect(kinds).toContain("hidden");
    expect(asked.filter((a) => a.asked.answer !== a.q.answer).map((a) => a.q)).toEqual([]);
  });

  test("no answer can be copied from what is shown", () => {
    expect(asked.filter((a) => givenAway(a.q, a.asked)).map((a) => [a.q, a.asked.text])).toEqual([]);
  });

  test("in no kind is an answer, a place in the list, or the longest option right more than 1.3 times as often as chance", () => {
    expect(tooCommon(suite.rules.map(itemOf))).toEqual([]);
  });

  test("who answers without thought has no more than five points above chance", () => {
    const items = suite.rules.map(itemOf);
    for (const { policy, share } of noThought(items)) expect(share - chanceOf(items), policy).toBeLessThanOrEqual(0.05);
  });

  test("no two odds are answered by one guess", () => {
    const odds = suite.rules.flatMap((q) => (q.kind === "odds" ? [Number(q.answer)] : []));
    for (const a of odds) expect(odds.filter((b) => Math.abs(a - b) <= 2 * TOLERANCE)).toEqual([a]);
  });

  test("options are different, and dice name their side and their kind", () => {
    for (const { q, asked: a } of asked) {
      expect(new Set(optionsOf(q)).size, a.text).toBe(optionsOf(q).length);
      const dice = /These dice fall: (.*)\. What/.exec(a.text)?.[1] ?? "";
      for (const thrown of dice === "" ? [] : dice.split("; ")) expect(thrown).toMatch(/\(d\d+\)|^[^\d]*$/);
    }
  });

  test("asks what the side that decides can know: nothing changes in worlds that it can't tell apart", () => {
    const rng = new Rng("twins");
    let compared = 0;
    for (const { q, asked: a } of asked) {
      if (q.kind === "instead" || q.kind === "hidden") continue;
      for (let k = 0; k < 3; k++) {
        const twin = sampleFor(game, a.state, a.viewer, rng);
        const again = askedIn(game, twin, null, q);
        expect([again.shown, again.text, again.answer], q.kind).toEqual([a.shown, a.text, a.answer]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  test("asks beliefs where a place reveals more than the list of all hidden counters, with shares of consistent worlds", () => {
    for (const q of suite.beliefs) {
      expect(q.what.length).toBe(q.shares.length);
      expect(q.pool.length).toBe(q.shares.length);
      expect(q.shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 1);
      expect(information(q)).toBeGreaterThan(0.005);
      const { uniform, least, pool } = lossBounds(q);
      expect(least).toBeLessThanOrEqual(Math.min(uniform, pool) + 1e-9);
    }
    const n = suite.beliefs.length;
    const size = Math.min(4, ...suite.beliefs.map((q) => q.what.length));
    const most = Math.max(1, Math.floor((1.3 * n) / size));
    const count = (key: (q: (typeof suite.beliefs)[number]) => string | number): number =>
      Math.max(0, ...suite.beliefs.map((q) => suite.beliefs.filter((o) => key(o) === key(q)).length));
    expect(
      count((q) => q.what[likeliest(q)]!),
      "the likeliest thing",
    ).toBeLessThanOrEqual(most);
    expect(count(likeliest), "the place of the likeliest in the list").toBeLessThanOrEqual(most);
    const rng = new Rng("worlds");
    for (const q of suite.beliefs.slice(0, 10)) {
      const [s, seat] = [positions.of(q).slice(), game.players.indexOf(q.seat)];
      const text = (world: State): string => `${boardText(game, world, seat)}${askBelief(game, world, q)}`;
      expect(text(sampleFor(game, s, seat, rng)), "the question is the same in every world").toBe(text(s));
    }
    const [q] = suite.beliefs;
    if (q === undefined) return;
    const all = sharesAt(game, positions.of(q), game.players.indexOf(q.seat), q)!;
    const part = q.what.map((w) => all.shares[all.what.indexOf(w)]!);
    const sum = part.reduce((a, b) => a + b, 0);
    q.shares.forEach((share, i) => expect(share).toBeCloseTo(part[i]! / sum, 2));
  });
});

describe("the kits find what they are made for", () => {
  const { suite, game } = readSuite("savage-streets");
  const positions = new Positions(game, suite.games);

  test("an answer that is shown", () => {
    const q = suite.rules.find((r) => r.kind === "unlisted")!;
    const right = optionsOf(q)[Number(q.answer) - 1]!;
    const { text } = askRule(game, positions, q);
    expect(givenAway(q, { shown: `The board:\n${right}`, text })).toBe(true);
    expect(givenAway(q, { shown: "The board:\nnothing", text })).toBe(false);
    const odds = {
      game: 0,
      at: 0,
      kind: "odds",
      action: "roll",
      outcome: "a hit",
      fails: false,
      answer: "17",
    } as const;
    expect(givenAway(odds, { shown: "happens in 17 % of rolls", text: "" })).toBe(true);
    expect(givenAway(odds, { shown: "happens in 117 % of rolls", text: "" })).toBe(false);
    for (const kind of ["legal", "after", "instead"] as const) {
      const named = { game: 0, at: 0, kind, action: "Hex 7", line: [], taken: "roll", answer: "yes" } as RuleQuestion;
      expect(givenAway(named, { shown: "The board:\nWhere to? hex 7 is full.", text: "" }), kind).toBe(true);
      expect(givenAway(named, { shown: "hex 7: a counter\nWhere to?", text: "" }), kind).toBe(false);
    }
    const copied = {
      ...{ game: 0, at: 0, kind: "result", action: "roll", dice: [4] },
      ...{ options: [["Command 4"], ["Command 5"], ["Command 1"], ["Command 2"]], answer: "1" },
    } as RuleQuestion;
    expect(givenAway(copied, { shown: "Roll?", text: "These dice fall: command (d6) 4. What comes of it?" })).toBe(
      true,
    );
  });

  test("an answer that is too common", () => {
    const of = (kind: RuleQuestion["kind"]): RuleQuestion[] => suite.rules.filter((q) => q.kind === kind);
    const yes = of("legal").map((q) => ({ ...q, answer: "yes" }) as RuleQuestion);
    expect(tooCommon(yes.map(itemOf)).join()).toMatch(/legal: first has 1\d of 1\d right/);
    const third = of("unlisted").map((q) => ({ ...q, answer: "3" }) as RuleQuestion);
    expect(tooCommon(third.map(itemOf)).join()).toMatch(/unlisted: commonest has/);
  });
});
