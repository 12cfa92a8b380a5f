import { expect, test } from "vitest";
import { type Game, loadGame, newState, NOBODY, Rng, SeededDice, type State } from "../../../env/index.js";
import { RNG_WORDS } from "../../../env/core/layout.js";
import { nightly } from "../../nightly.js";

const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7" });

/** A random game, in which the German declares no end. @param each after every decision, with its number */
function play(of: Game, seed: string, most: number, each: (s: State, i: number) => void): State {
  const [s, mask] = [newState(of.stateSize), new Uint8Array(of.actions.length)];
  const end = of.actions.indexOf("declare-end");
  const dice = new SeededDice();
  const rng = new Rng(seed);
  rng.freshStream(s);
  dice.begin(s);
  of.start(s, dice);
  for (let i = 0; i < most && of.actor(s) !== NOBODY; i++) {
    mask.fill(0);
    let k = rng.below(of.legalMask(s, mask, 0));
    if (mask[end] === 1) k = 1;
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    dice.begin(s);
    of.apply(s, action, dice);
    each(s, i);
  }
  return s;
}

/** True when a position that is written and read is the same state, word by word, except for the random stream. */
function restores(s: State): void {
  const again = newState(game.stateSize);
  game.read(game.write(s), again, new SeededDice());
  for (let w = RNG_WORDS; w < s.length; w++)
    if (again[w] !== s[w])
      expect.fail(`${game.fields.findLast((f) => f.offset <= w)!.name}: ${s[w]} became ${again[w]}`);
}

test("3,000 random decisions keep every invariant, and a hundred positions of them read back bit for bit", () => {
  let read = 0;
  play(game, "island", 3000, (s, i) => {
    expect(game.invariantViolation(s)).toBeNull();
    if (i % 30 !== 0 || game.actor(s) === NOBODY) return;
    restores(s);
    read++;
  });
  expect(read).toBe(100);
}, 60_000);

test("a hundred random games end, and a thousand positions read back", nightly, () => {
  let read = 0;
  for (let g = 0; g < 100; g++) {
    const s = play(game, `island/${g}`, game.maxDecisions, (at, i) => {
      expect(game.invariantViolation(at)).toBeNull();
      if (i % 200 !== 0 || game.actor(at) === NOBODY) return;
      restores(at);
      read++;
    });
    expect(game.actor(s)).toBe(NOBODY);
  }
  expect(read).toBeGreaterThan(1000);
});
