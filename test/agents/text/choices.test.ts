import { expect, test } from "vitest";
import { pickLegal } from "../../../agents/random.js";
import { choicesOnScreen } from "../../../agents/text/choices.js";
import { boardText } from "../../../agents/text/sentences.js";
import { type Choice, Env, loadGame, promptOf, Rng } from "../../../env/index.js";

const LARGE = ["scenario-7", "campaign"].map((scenario) => loadGame("streets-of-stalingrad", { scenario }));

/** Choices of each kind of decision that random play meets. */
function met(game: ReturnType<typeof loadGame>, decisions: number): Map<string, readonly Choice[]> {
  const env = new Env(game);
  env.reset("screen");
  const rng = new Rng("screen");
  const longest = new Map<string, readonly Choice[]>();
  for (let n = 0; n < decisions && !env.terminated; n++) {
    const { kind, choices } = promptOf(game, env.state, env.actor);
    if (choices.length > (longest.get(kind)?.length ?? 0)) longest.set(kind, choices);
    env.step(pickLegal(env.mask, 0, env.mask.length, rng));
  }
  return longest;
}

test.each(LARGE)("choices of a large fight fit a screen of 18 rows, and none is left uncounted: %#", (game) => {
  const kinds = met(game, 600);
  expect(Math.max(...[...kinds.values()].map((c) => c.length))).toBeGreaterThan(350);
  for (const [kind, choices] of kinds) {
    const lines = choicesOnScreen(choices, 80, 18).split("\n");
    expect(lines.length, kind).toBeLessThanOrEqual(18);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    if (!lines.some((line) => / X, \d+: /.test(line))) continue;
    const listed = lines.filter((line) => /^ +\d+ /.test(line));
    const counted = lines.flatMap((line) => (/ X, (\d+): /.exec(line)?.[1] ?? "").split(/\D/).map(Number));
    expect(listed.length + counted.reduce((a, b) => a + b, 0), kind).toBe(choices.length);
    expect(listed.join("\n"), "what ends something is always there").toContain(`[${choices.at(-1)!.name}]`);
  }
});

test("a map that is wider than the screen comes in parts whose columns stay below each other", () => {
  const [game] = LARGE;
  const env = new Env(game!);
  env.reset("screen");
  const whole = boardText(game!, env.state, 0, 1000).split("\n");
  const narrow = boardText(game!, env.state, 0, 80).split("\n");
  for (const line of narrow) expect(line.length).toBeLessThanOrEqual(80);
  const heads = narrow.filter((line) => /^ +\d\d {4}\d\d/.test(line));
  expect(heads.length).toBeGreaterThan(2);
  expect(heads.join(" ").match(/\d\d/g)).toEqual(whole.find((line) => /^ +40 {4}39/.test(line))!.match(/\d\d/g));
  // what is in a row of the map is at the same columns in one of the parts
  const row = (lines: readonly string[]) => lines.filter((line) => line.startsWith("55 "));
  expect(row(narrow)).toHaveLength(heads.length);
  expect(row(narrow).flatMap((line) => line.slice(3).match(/\S+/g) ?? [])).toEqual(
    row(whole)[0]!.slice(3).match(/\S+/g),
  );
  heads.forEach((head, part) => {
    const columns = [...head.matchAll(/\d\d/g)].map((m) => m.index);
    for (const m of row(narrow)[part]!.slice(3).matchAll(/\S+/g)) expect(columns).toContain(m.index + 3);
  });
});
