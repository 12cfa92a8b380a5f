import { describe, expect, it } from "vitest";
import { OffThread, RowCosts } from "../../../server/batch/off-thread.js";
import type { LongQuestion } from "../../../server/slice/long-question.js";

const view = (n: number): LongQuestion => ({
  what: "view",
  states: Array.from({ length: n }, (_, i) => Int32Array.of(i)),
  viewers: Array.from({ length: n }, () => 0),
  whole: false,
});
/** Answers each row by its number, and takes `msPerRow` milliseconds a row. */
function offThreadAt(msPerRow: number): { offThread: OffThread; pieces: number[] } {
  const pieces: number[] = [];
  const offThread = new OffThread((question) => {
    const { states } = question as Extract<LongQuestion, { what: "view" }>;
    pieces.push(states.length);
    const body = { positions: states.map((s) => ({ number: s[0]! })) };
    return Promise.resolve({ body, ms: msPerRow * states.length });
  });
  return { offThread, pieces };
}
const numbers = (n: number) => ({ positions: Array.from({ length: n }, (_, number) => ({ number })) });
const inPlace = () => numbers(9);

describe("what takes long", () => {
  it("is answered in pieces of some milliseconds, and joined in order", async () => {
    const { offThread, pieces } = offThreadAt(2);
    expect(await offThread.ask(view(9))).toEqual(numbers(9));
    expect(pieces).toEqual([1, 2, 2, 2, 2]);
  });
  it("is answered row by row when a row takes long already", async () => {
    const { offThread, pieces } = offThreadAt(30);
    expect(await offThread.ask(view(4), inPlace)).toEqual(numbers(4));
    expect(pieces).toEqual([1, 1, 1, 1]);
  });
  it("is answered in place once it has been measured to be short, and apart again when there is more of it", async () => {
    const { offThread, pieces } = offThreadAt(0.05);
    await offThread.ask(view(9), inPlace);
    const before = pieces.length;
    expect(await offThread.ask(view(9), inPlace)).toEqual(numbers(9));
    expect(pieces.length).toBe(before);
    expect(await offThread.ask(view(1000), inPlace)).toEqual(numbers(1000));
    expect(pieces.length).toBeGreaterThan(before + 2);
  });
  it("of no rows is one piece", async () => {
    const { offThread, pieces } = offThreadAt(1);
    expect(await offThread.ask(view(0))).toEqual({ positions: [] });
    expect(pieces).toEqual([0]);
  });
  it("follows what rows take by now", () => {
    const costs = new RowCosts();
    expect([costs.piece("view"), costs.isShort("view", 1)]).toEqual([1, false]);
    costs.note("view", 10, 1);
    expect(costs.isShort("view", 9)).toBe(true);
    for (let k = 0; k < 20; k++) costs.note("view", 1, 50);
    expect([costs.piece("view"), costs.isShort("view", 1)]).toEqual([1, false]);
    expect(costs.piece("draw")).toBe(1);
  });
});
