import { expect, test } from "vitest";
import { Briefings } from "../../../agents/text/briefing.js";
import { Env, KesselError, loadGame } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";

/** A decision of a game that shows what a seat knows by samples only, one that forgot some of the past. */
class Forgetful extends OneDecision {
  override sample(...args: Parameters<OneDecision["sample"]>): boolean {
    super.sample(...args);
    return false;
  }
  override known(): void {
    throw new KesselError("unsupported", "take a sample");
  }
}

test("a decision is written from a sample, also where that had to forget some of the past", () => {
  const game = loadGame("savage-streets");
  const env = new Env(game);
  env.reset("forgetful");
  while (env.legalCount === 1) env.step(env.mask.indexOf(1));
  const { choices, texts } = new Briefings(game, "text", "none").of(new Forgetful(env), 0);
  expect(choices.map((c) => c.action).sort((a, b) => a - b)).toEqual(
    [...env.mask.keys()].filter((a) => env.mask[a] === 1),
  );
  expect(texts![1]).toMatch(/^The board:/);
});
