import { describe, expect, test } from "vitest";
import {
  type Game,
  loadGame,
  newObservation,
  newState,
  NOBODY,
  Rng,
  SeededDice,
  type State,
  TENSORS,
} from "../../../env/index.js";
import { RNG_WORDS } from "../../../env/core/layout.js";
import { nightly, nightlyUnless } from "../../nightly.js";
import { playLong } from "../long-games.js";
import { BOOK } from "./book.js";

/**
 * A random game, in which the German declares no end, its positions checked.
 *
 * @param every number of decisions of which one is read back
 */
function play(game: Game, seed: string, most: number, every: number): State {
  const [s, again, sample] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
  const mask = new Uint8Array(game.actions.length);
  const end = game.actions.indexOf("declare-end");
  const dice = new SeededDice();
  const rng = new Rng(seed);
  rng.freshStream(s);
  dice.begin(s);
  game.start(s, dice);
  let fallbacks = 0;
  let samples = 0;
  for (let i = 1; i <= most && game.actor(s) !== NOBODY; i++) {
    mask.fill(0);
    let k = rng.below(game.legalMask(s, mask, 0));
    if (mask[end] === 1) k = 1;
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    dice.begin(s);
    game.apply(s, action, dice);
    expect(game.invariantViolation(s)).toBeNull();
    if (i % every !== 0 || game.actor(s) === NOBODY) continue;
    again.fill(0);
    game.read(game.write(s), again, new SeededDice());
    for (let w = RNG_WORDS; w < s.length; w++)
      if (again[w] !== s[w])
        expect.fail(`${game.fields.findLast((f) => f.offset <= w)!.name}: ${s[w]} became ${again[w]}`);
    for (const player of [0, 1]) {
      if (!game.resample(s, player, sample, rng)) fallbacks++;
      expect(game.invariantViolation(sample)).toBeNull();
      samples++;
    }
  }
  expect(fallbacks).toBeLessThanOrEqual(Math.ceil(samples / 20));
  return s;
}

/** Where two lists first differ, -1 nowhere. */
function differAt(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i;
  return -1;
}

describe.each(BOOK)("$id", ({ id }) => {
  /** One of the smaller and the largest stand for the others. */
  const short = id === "scenario-5" || id === "campaign";

  test(
    "400 random decisions keep every invariant, and positions of them read back bit for bit",
    nightlyUnless(short),
    () => {
      play(loadGame("streets-of-stalingrad", { scenario: id }), id, 400, 100);
    },
  );

  test("samples show a player what that player sees, and nothing else", nightlyUnless(short), () => {
    const game = loadGame("streets-of-stalingrad", { scenario: id });
    const [seen, same, sample] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
    const [mask, other] = [new Uint8Array(game.actions.length), new Uint8Array(game.actions.length)];
    const [a, b] = [newObservation(game.observation), newObservation(game.observation)];
    let moved = 0;
    for (const decisions of [40, 150, 300]) {
      const s = play(game, `${id}/seen`, decisions, decisions);
      for (const player of [0, 1]) {
        if (!game.resample(s, player, sample, new Rng(`${id}/${decisions}`))) continue;
        game.redact!(s, player, seen);
        game.redact!(sample, player, same);
        expect(differAt(same, seen)).toBe(-1);
        game.observe(s, player, a);
        game.observe(sample, player, b);
        for (const tensor of TENSORS) expect(differAt(b[tensor], a[tensor])).toBe(-1);
        expect(game.view(sample, player)).toEqual(game.view(s, player));
        game.legalMask(s, mask.fill(0), 0);
        game.legalMask(sample, other.fill(0), 0);
        if (game.actor(s) === player) expect(differAt(other, mask)).toBe(-1);
        const { offset, size } = game.fields.find((f) => f.name === "place")!;
        for (let u = offset; u < offset + size; u++) if (sample[u] !== s[u]) moved++;
      }
    }
    expect(moved).toBeGreaterThan(50);
  });

  test.each([
    ["twenty random games", 20, ["random", "random"]],
    ["five games of scripts", 5, ["heuristic:planner", "heuristic:ferryman"]],
  ])("%s end, and positions of them read back and are sampled", nightly, async (_, games, agents) => {
    const game = loadGame("streets-of-stalingrad", { scenario: id });
    let [samples, fallbacks] = [0, 0];
    for (let g = 0; g < games; g++) {
      const played = await playLong(game, { agents, seed: `${id}/${g}`, every: 500 });
      expect(game.actor(played.end)).toBe(NOBODY);
      samples += played.samples;
      fallbacks += played.fallbacks;
    }
    expect(fallbacks).toBeLessThanOrEqual(samples / 20);
  });
});
