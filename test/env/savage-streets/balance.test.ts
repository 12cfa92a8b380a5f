import { expect, test } from "vitest";
import { Env, type JsonObject, loadGame } from "../../../env/index.js";

/** The first legal action each time, until a unit has left the reinforcements to come. */
function untilDue(unit: string, options: JsonObject): { turn: number; hand: number } {
  const env = new Env(loadGame("savage-streets", options));
  env.reset("balance");
  let hand = 0;
  for (;;) {
    const doc = env.game.write(env.state) as { turn: number; hand: unknown[]; future: string[] } & JsonObject;
    hand = Math.max(hand, doc.hand.length);
    if (!doc.future.includes(unit)) return { turn: doc.turn, hand };
    env.step(env.legal()[0]!);
  }
}

test.each([
  ["I/42 Gds", 2, 3],
  ["III/34 Gds", 3, 4],
])("in an even game two chits are drawn, not three, and %s comes in turn %i + 1", (unit, printed, even) => {
  expect(untilDue(unit, {})).toEqual({ turn: printed, hand: 3 });
  expect(untilDue(unit, { balance: "even" })).toEqual({ turn: even, hand: 2 });
});

test("in an even game Germans come as printed, and the nine Soviet units of the start are there", () => {
  expect(untilDue("I/194", { balance: "even" }).turn).toBe(untilDue("I/194", {}).turn);
  expect(untilDue("Militia", { balance: "even" })).toEqual({ turn: 1, hand: 0 });
});
