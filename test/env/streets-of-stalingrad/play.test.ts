import { expect, test } from "vitest";
import {
  firstDifference,
  type Game,
  type JsonObject,
  loadGame,
  newState,
  Rng,
  RNG_WORDS,
  SeededDice,
} from "../../../env/index.js";
import { seedStream } from "../../../env/core/dice/rng.js";
import { nightly } from "../../nightly.js";

/** Decisions that are built, by their names in positions. */
const BUILT = [
  "admin.end",
  "bt.select",
  "move.select",
  "move.group",
  "op.fire",
  "op.group",
  "mark.hex",
  "attack.target",
  "attack.unit",
  "attack.drm",
  "attack.mode",
  "retreat.unit",
  "retreat.hex",
  "df.target",
  "df.unit",
  "loss.pick",
  "after.choice",
  "after.unit",
  "after.hex",
  "advance.unit",
  "ica.unit",
];

test("nobody has won or lost before the game has ended", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7" });
  const s = newState(game.stateSize);
  game.start(s, new SeededDice());
  const returns = new Float32Array(2).fill(9);
  game.returns(s, returns);
  expect([...returns]).toEqual([0, 0]);
});

/** Plays games at random and hands each decision to `look`. @returns the most decisions of a game */
function play(game: Game, games: number, seed: string, look: (s: Int32Array, decision: number) => void): number {
  const mask = new Uint8Array(game.actions.length);
  const dice = new SeededDice();
  let most = 0;
  for (let g = 0; g < games; g++) {
    const s = newState(game.stateSize);
    const rng = new Rng(`${seed}/${g}/choices`);
    seedStream(`${seed}/${g}`, s);
    dice.begin(s);
    game.start(s, dice);
    let n = 0;
    for (; game.actor(s) >= 0; n++) {
      look(s, n);
      let k = rng.below(game.legalMask(s, mask, 0));
      let action = mask.indexOf(1);
      while (k-- > 0) action = mask.indexOf(1, action + 1);
      game.apply(s, action, dice);
    }
    look(s, n);
    most = Math.max(most, n);
  }
  return most;
}

const kindOf = (game: Game, s: Int32Array): string =>
  (game.write(s)["decision"] as { ask: string } | undefined)?.ask ?? "over";

/** Plays games at random, in which no state may break a rule. @returns the most decisions of one */
function soundPlay(games: number, seed: string): number {
  const game = loadGame("streets-of-stalingrad");
  return play(game, games, seed, (s) => {
    const wrong = game.invariantViolation(s);
    if (wrong !== null) expect.unreachable(wrong);
  });
}

test("a hundred random games end, and no state breaks a rule", () => {
  expect(soundPlay(100, "hundred")).toBeLessThan(1000);
});

test("a thousand random games end, and no state breaks a rule", nightly, () => {
  expect(soundPlay(1000, "thousand")).toBeLessThan(1000);
});

test("positions are read back word for word in every kind of decision", () => {
  const PER_KIND = 25; // of each kind, with and without decisions played by the engine
  const dice = new SeededDice();
  const reached = new Map<string, number>();
  for (const autoSingle of [true, false]) {
    const game = loadGame("streets-of-stalingrad", { autoSingle });
    const seen = new Map<string, number>();
    play(game, 300, "kinds", (s) => {
      const kind = kindOf(game, s);
      const n = seen.get(kind) ?? 0;
      seen.set(kind, n + 1);
      reached.set(kind, (reached.get(kind) ?? 0) + 1);
      if (n >= PER_KIND) return;
      const back = newState(game.stateSize);
      dice.begin(back);
      game.read(JSON.parse(JSON.stringify(game.write(s))) as JsonObject, back, dice);
      back.set(s.subarray(0, RNG_WORDS));
      expect(firstDifference(game.fields, s, back), kind).toBeNull();
    });
  }
  console.log(`kinds reached: ${[...reached].map(([k, n]) => `${k} ${n}`).join(", ")}`);
  expect([...reached.keys()].sort()).toEqual([...BUILT, "over"].sort());
});

test("the state of a drill takes less than 8 KB", () => {
  expect(loadGame("streets-of-stalingrad").stateSize * 4).toBeLessThan(8192);
});
