import { expect, test } from "vitest";
import { largestWithin, slicesOf } from "../../../server/batch/slicing.js";

test("the largest batch that fits is the largest of all that do, each tried", () => {
  for (const threads of [1, 2, 3, 8])
    for (const ready of [undefined, 32, 200])
      for (const size of [128, 129, 1000, 3000]) {
        const cut = { size, ready, bytes: 0, agents: true, ownThreads: true };
        const slices = (s: number): number =>
          slicesOf({ ...cut, size: s, ready: Math.min(ready ?? s, s) }, threads).length;
        for (let most = 0; most < slices(size); most++) {
          let largest = size - 1;
          while (largest > 0 && slices(largest) > most) largest--;
          expect(largestWithin(most, cut, threads), JSON.stringify({ threads, ready, size, most })).toBe(largest);
        }
      }
});
