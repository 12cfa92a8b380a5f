import { expect, test } from "vitest";
import { type Game, resolveOptions, Rng, type State, type StateView } from "../../env/index.js";
import { Ambush, ambush } from "../toys/ambush.js";
import { Complaints } from "./complaints.js";
import { leakPairs } from "./leaks.js";
import { begin } from "./play.js";
import { checkResample } from "./resample.js";

/** Samples that give the history up `of` times in `every`, and then hold another world than the player sees. */
function ambushWith(of: number, every: number): Game {
  let made = 0;
  class GivesUp extends Ambush {
    override resample(s: StateView, player: number, out: State, rng: Rng): boolean {
      const fits = made++ % every >= of;
      if (fits) return super.resample(s, player, out, rng);
      out.set(begin(this, String(made)));
      rng.freshStream(out);
      return false;
    }
  }
  return new GivesUp(ambush, resolveOptions(ambush, {}));
}
const none = { size: 0, pick: () => new Int32Array() };
const codes = (complaints: Complaints): string[] => complaints.list().map((c) => c.code);

test("a sample that gives the history up is no twin: the leak kit makes no pair with it, and counts it", () => {
  const complaints = new Complaints();
  const { different, fallbacks } = leakPairs(ambushWith(1, 40), 2000, "few", complaints, none);
  expect(different).toBeGreaterThan(100);
  expect(fallbacks).toBeGreaterThan(0);
  expect(codes(complaints)).toEqual([]);
});

test("where more than one in twenty does, the leak kit complains", () => {
  const complaints = new Complaints();
  leakPairs(ambushWith(1, 4), 2000, "many", complaints, none);
  expect(codes(complaints)).toEqual(["resample-fallback"]);
});

test("so does the check of samples, and it compares none of them with the true state", () => {
  const complaints = new Complaints();
  const game = ambushWith(1, 1);
  const points = Array.from({ length: 40 }, (_, i) => ({ s: begin(game, String(i)), actor: 0 }));
  checkResample(game, points, new Rng("check"), complaints);
  expect(codes(complaints)).toContain("resample-fallback");
  expect(codes(complaints).filter((code) => code.startsWith("leak"))).toEqual([]);
});
