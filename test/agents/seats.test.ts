import { expect, test } from "vitest";
import { checkChoice } from "../../agents/seats.js";
import { Batch } from "../../env/index.js";
import { raceGame } from "../training/arena/race.js";

test("an action that is none is refused, whatever the mask of another environment holds in its place", () => {
  const batch = new Batch(raceGame(), { size: 3 });
  batch.reset(1);
  const A = batch.game.actions.length;
  const check = (choice: number) => () => checkChoice(batch, 1, { name: "agent" } as never, choice);
  for (let action = 0; action < A; action++) {
    if (batch.mask[A + action] === 1) expect(check(action)).not.toThrow();
    expect(check(A + action)).toThrow(/agent chose .*not legal/);
    expect(check(action - A)).toThrow(/agent chose .*not legal/);
  }
});
