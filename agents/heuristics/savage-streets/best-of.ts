import type { Rng } from "../../../env/index.js";

/**
 * The legal one of the actions `first .. first + n - 1` with the greatest score, ties at random; `otherwise` when there
 * is none.
 */
export function bestOf<I extends number>(
  rng: Rng,
  legal: (a: number) => boolean,
  first: number,
  n: number,
  score: (i: I) => number,
  otherwise = -1,
): number {
  let found = otherwise;
  let most = -Infinity;
  for (let i = 0; i < n; i++) {
    if (!legal(first + i)) continue;
    const s = score(i as I) + rng.float() * 1e-3;
    if (s <= most) continue;
    most = s;
    found = first + i;
  }
  return found;
}
