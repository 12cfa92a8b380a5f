import { describe, expect, test } from "vitest";
import { boardText } from "../../../agents/text/briefing.js";
import { EVERYTHING, gameIds, promptOf, Rng, sampleFor, type State } from "../../../env/index.js";
import { askBelief, sharesOf } from "../../../server/suite/belief-questions.js";
import { readSuite } from "../../../server/suite/document.js";
import { lossBounds } from "../../../server/suite/grade.js";
import { Positions } from "../../../server/suite/positions.js";
import { commonest } from "../../../server/suite/report.js";
import { askRule } from "../../../server/suite/rule-questions.js";

describe.each(gameIds())("the suite of %s", (id) => {
  const { suite, game } = readSuite(id);
  const positions = new Positions(game, suite.games);

  test("holds 50 different rule questions, and the engine gives each the answer that stands there", () => {
    expect(suite.rules.length).toBe(50);
    const texts = new Set(suite.rules.map((q) => JSON.stringify(q)));
    expect(texts.size).toBe(50);
    const wrong = suite.rules.filter((q) => askRule(game, positions.of(q), q).answer !== q.answer);
    expect(wrong).toEqual([]);
  });

  test("asks of legal actions as of illegal ones, and no question gives its answer away", () => {
    const legal = suite.rules.filter((q) => q.kind === "legal");
    expect(legal.length).toBeGreaterThan(0);
    expect(Math.abs(legal.filter((q) => q.answer === "yes").length - legal.length / 2)).toBeLessThanOrEqual(0.5);
    expect(commonest(suite), "the commonest answers make few points").toBeLessThan(35);
    for (const q of suite.rules) {
      expect(promptOf(game, positions.of(q), EVERYTHING).choices.length).toBeGreaterThan(1);
      if (q.kind === "result") expect(new Set(q.options.map((o) => o.join())).size).toBe(q.options.length);
    }
  });

  test("asks 50 beliefs where counters lie face-down, with shares of consistent worlds", () => {
    expect(suite.beliefs.length).toBe(id === "pocket-stalingrad" ? 0 : 50);
    for (const q of suite.beliefs) {
      expect(q.what.length).toBe(q.shares.length);
      expect(q.shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 1);
      const { uniform, least } = lossBounds(q);
      expect(least).toBeLessThanOrEqual(uniform + 1e-9);
    }
    const rng = new Rng("worlds");
    for (const q of suite.beliefs.slice(0, 10)) {
      const [s, seat] = [positions.of(q), game.players.indexOf(q.seat)];
      const asked = (world: State): string => `${boardText(game, world, seat)}${askBelief(game, world, q)}`;
      expect(asked(sampleFor(game, s, seat, rng)), "the question is the same in every world").toBe(asked(s));
    }
    const [q] = suite.beliefs;
    if (q !== undefined)
      expect(sharesOf(game, positions.of(q), game.players.indexOf(q.seat), q)).toEqual({
        what: q.what,
        shares: q.shares,
      });
  });
});
