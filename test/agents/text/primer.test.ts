/** What choices are for and what words mean, as text. */
import { describe, expect, test } from "vitest";
import { whyText, wordText } from "../../../agents/text/primer.js";
import { Env, gameType, GAMES, loadGame, promptOf } from "../../../env/index.js";

const type = gameType("pocket-stalingrad");

describe("words", () => {
  test("a word is explained with its rule, whatever its capitals, and by its other forms", () => {
    const told = wordText(type, "command DIE", 200);
    expect(told).toMatch(/^Command die \(PS 3 Command\): /);
    expect(wordText(type, "command points", 200)).toMatch(/^CMD \(PS 3 Command\): /);
  });
  test("a part of a word finds all that hold it, unless it is one itself", () => {
    expect(wordText(type, "command", 200)!.split("\n").length).toBeGreaterThan(1);
    expect(
      wordText(type, "CMD", 200)!
        .split("\n")
        .filter((l) => !l.startsWith(" ")),
    ).toHaveLength(1);
  });
  test("without a word all are listed", () => {
    const all = wordText(type, "", 5000)!;
    for (const { term } of type.teaching!.primer.terms) expect(all).toContain(term);
  });
  test("another word is said to be none", () => {
    expect(wordText(type, "panzerfaust", 200)).toBe(
      '"panzerfaust" is none of the words that are explained; words lists them',
    );
  });
});

test.each(GAMES.map((g) => g.id))("%s says of its first decision what the choices are for, in lines that fit", (id) => {
  const game = loadGame(id);
  const env = new Env(game);
  env.reset("why");
  const prompt = promptOf(game, env.state, env.actor);
  const told = whyText(game.type, prompt, 60)!;
  expect(Math.max(...told.split("\n").map((l) => l.length))).toBeLessThanOrEqual(60);
  const { moves } = game.type.teaching!.primer;
  expect(moves.some((m) => told.startsWith(`${m.name} (${m.rule}):`))).toBe(true);
});

test("a game that teaches nothing has neither", () => {
  const mute = Object.assign(Object.create(type) as typeof type, { teaching: undefined });
  expect(wordText(mute, "CMD", 80)).toBeNull();
  expect(whyText(mute, { choices: [] } as never, 80)).toBeNull();
});
