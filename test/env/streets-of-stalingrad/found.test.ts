import { describe, expect, it } from "vitest";
import { loadGame, newState, NOBODY, Rng, SeededDice, type State } from "../../../env/index.js";

const game = loadGame("streets-of-stalingrad", { scenario: "sandbox-2" });
const fresh = loadGame("streets-of-stalingrad", { scenario: "sandbox-2" });
const A = game.actions.length;
const dice = new SeededDice();

const maskIn = (g: typeof game, s: State, untouched = false): string => {
  const mask = new Uint8Array(A).fill(7);
  const n = g.legalMask(s, mask, 0, untouched);
  return `${n}: ${[...mask.keys()].filter((a) => mask[a] !== 0).join(" ")}`;
};

/** Positions of a random game, each with the mask that a game object gives which has played nothing. */
function played(n: number): State[] {
  const rng = new Rng("found");
  const s = newState(game.stateSize);
  const list: State[] = [];
  while (list.length < n) {
    if (list.length === 0 || fresh.actor(s) === NOBODY) {
      s.fill(0);
      rng.freshStream(s);
      dice.begin(s);
      fresh.start(s, dice);
    }
    const mask = new Uint8Array(A);
    fresh.legalMask(s, mask, 0);
    const legal = [...mask.keys()].filter((a) => mask[a] === 1);
    dice.begin(s);
    fresh.apply(s, legal[rng.below(legal.length)]!, dice);
    list.push(s.slice());
  }
  return list;
}

describe("the mask that an action found", () => {
  const positions = played(300);

  it("is that of the state after the action", () => {
    const s = newState(game.stateSize);
    for (const p of positions) {
      s.set(p);
      if (game.actor(s) === NOBODY) continue;
      const mask = new Uint8Array(A);
      game.legalMask(s, mask, 0);
      dice.begin(s);
      game.apply(s, mask.lastIndexOf(1), dice);
      expect(maskIn(game, s, true)).toBe(maskIn(fresh, s));
    }
  });

  it("is not given for a state that was changed", () => {
    const { offset } = game.fields.find((f) => f.name === "flags")!;
    const ORDERED = 1 << 4;
    let changes = 0;
    for (const p of positions) {
      const s = p.slice();
      if (game.actor(s) === NOBODY) continue;
      const mask = new Uint8Array(A);
      game.legalMask(s, mask, 0);
      dice.begin(s);
      game.apply(s, mask.indexOf(1), dice);
      if (game.actor(s) === NOBODY) continue;
      const before = maskIn(game, s);
      for (let u = 0; u < 12; u++) s[offset + u]! |= ORDERED;
      const after = maskIn(game, s);
      expect(after).toBe(maskIn(fresh, s));
      if (after !== before) changes++;
    }
    expect(changes).toBeGreaterThan(10);
  });
});
