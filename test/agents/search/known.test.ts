import { describe, expect, test } from "vitest";
import { type Agent, type Decisions } from "../../../agents/agent.js";
import { RandomAgent } from "../../../agents/random.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { Batch, newState, resolveOptions, RNG_WORDS, type State } from "../../../env/index.js";
import { ambush, L, SLOTS } from "../../toys/ambush.js";
import { race } from "../../toys/race.js";

/** Red's agent: keeps what it sees of the board and takes the first legal action. */
class Witness implements Agent {
  readonly name = "witness";
  readonly told: State[] = [];
  act(d: Decisions, out: Int32Array): void {
    const A = d.game.actions.length;
    for (let i = 0; i < d.size; i++) {
      const s = newState(d.game.stateSize);
      d.known(i, s);
      this.told.push(s);
      out[i] = d.mask.indexOf(1, i * A) - i * A;
    }
  }
}

describe("an agent may ask for the state as its seat knows it", () => {
  test("own counters are there, the other side's and the dice are not", async () => {
    const red = new Witness();
    const game = ambush.load(resolveOptions(ambush), {});
    await new SeatedBatch(new Batch(game, { size: 2, autoreset: "disabled" }), () => [
      red,
      new RandomAgent("blue"),
    ]).reset("known");
    expect(red.told.length).toBeGreaterThan(0);
    for (const s of red.told) {
      expect([...s.subarray(0, RNG_WORDS)]).toEqual(new Array(RNG_WORDS).fill(0));
      expect([...s.subarray(L.slot, L.slot + SLOTS)].sort()).toEqual([0, 1, 2, 3, 4]);
    }
    const start = red.told[0]!;
    expect([...start.subarray(L.slot + SLOTS, L.slot + 2 * SLOTS)]).toEqual(new Array(SLOTS).fill(-1));
  });

  test("a game that writes no such state says so", async () => {
    const game = race.load(resolveOptions(race), {});
    const seated = new SeatedBatch(new Batch(game, { size: 1 }), () => [new Witness(), new Witness()]);
    await expect(seated.reset("known")).rejects.toThrow("toy-race does not write a state as one player knows it");
  });
});
