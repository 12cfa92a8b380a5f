import { describe, expect, test } from "vitest";
import { type Game, loadGame, RNG_WORDS, type State } from "../../env/index.js";
import { playLong } from "./long-games.js";

const game = loadGame("pocket-stalingrad");
const changed = (edit: Partial<Game>): Game => Object.assign(Object.create(game) as Game, edit);
const agents = ["random", "heuristic:greedy"];
const long = (other: Game, every = 10) => playLong(other, { agents, seed: "long", every });

describe("a long game", () => {
  test("is played to its end, read back, sampled, and played again", async () => {
    const played = await long(game);
    expect(game.actor(played.end)).toBeLessThan(0);
    expect(played.decisions).toBeGreaterThan(40);
    expect(played.restored).toBeGreaterThan(2);
    expect(played.samples).toBe(2 * played.restored);
    expect(played.returns[0]! + played.returns[1]!).toBe(0);
  });

  test("stops at the decision after which an invariant is broken", async () => {
    let asked = 0;
    const broken = changed({ invariantViolation: () => (++asked > 7 ? "a unit is in two places" : null) });
    await expect(long(broken, 0)).rejects.toThrow(/^pocket-stalingrad, seed long, after decision 7: a unit is in two/);
  });

  test("stops where a position is read back as another", async () => {
    const forgetful = changed({
      read: (doc, s, dice) => {
        game.read(doc, s, dice);
        s[RNG_WORDS]! ^= 1;
      },
    });
    await expect(long(forgetful, 1)).rejects.toThrow(new RegExp(`${game.fields[1]!.name} is read back as another`));
  });

  test("stops where the same actions lead to another end", async () => {
    let starts = 0;
    const moody = changed({
      start: (s: State, dice, narrator) => {
        game.start(s, dice, narrator);
        if (++starts > 1) dice.d6();
      },
    });
    await expect(long(moody, 0)).rejects.toThrow(/played again/);
  });
});
