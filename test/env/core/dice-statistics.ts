import { chiSquareZ } from "../../conformance/chance.js";

/** Deviations from what is expected beyond which a statistic counts as wrong: by chance once in 30,000 times. */
const MOST = 4;
const LAGS = [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 64, 128, 1000];

/**
 * Looks at `n` throws of a die as at a table of them: faces, pairs, triples, runs of one face, gaps between the
 * highest, equal faces at distances, and the mean.
 *
 * @param next 1 .. `faces`
 * @returns the statistics that a fair die would not give, with the number of deviations by which they are off
 */
export function weaknesses(next: () => number, faces: number, n: number): string[] {
  const rolls = Uint8Array.from({ length: n }, next);
  const found: string[] = [];
  const note = (what: string, z: number): void => {
    if (!(z < MOST)) found.push(`${what}: ${z.toFixed(1)}`);
  };
  for (const size of [1, 2, 3]) {
    const cells = faces ** size;
    const counts = new Float64Array(cells);
    let groups = 0;
    for (let i = 0; i + size <= n; i += size, groups++) {
      let cell = 0;
      for (let k = 0; k < size; k++) cell = cell * faces + rolls[i + k]! - 1;
      counts[cell]!++;
    }
    note(["faces", "pairs", "triples"][size - 1]!, chiSquareZ([...counts].map((c) => [c, groups / cells])));
  }
  note("runs", chiSquareZ(lengths(rolls, (a, b) => a === b, 1 / faces)));
  note("gaps", chiSquareZ(lengths(rolls, (_, b) => b !== faces, 1 - 1 / faces)));
  for (const lag of LAGS) note(`equal ${lag} apart`, Math.abs(equalZ(rolls.subarray(lag), rolls, faces)));
  const mean = rolls.reduce((sum, r) => sum + r - (faces + 1) / 2, 0) / Math.sqrt((n * (faces ** 2 - 1)) / 12);
  note("mean", Math.abs(mean));
  return found;
}

/** How often two rows show the same face at the same place, in deviations from what chance gives. */
export function equalZ(a: ArrayLike<number>, b: ArrayLike<number>, faces: number): number {
  const n = Math.min(a.length, b.length);
  let same = 0;
  for (let i = 0; i < n; i++) if (a[i] === b[i]) same++;
  const p = 1 / faces;
  return (same - n * p) / Math.sqrt(n * p * (1 - p));
}

/** Lengths of stretches that go on with probability `on`, observed and expected. */
function lengths(
  rolls: Uint8Array,
  goesOn: (a: number, b: number) => boolean,
  on: number,
): (readonly [number, number])[] {
  const counts: number[] = [];
  let stretches = 0;
  let length = 1;
  for (let i = 1; i < rolls.length; i++) {
    if (goesOn(rolls[i - 1]!, rolls[i]!)) length++;
    else {
      counts[length] = (counts[length] ?? 0) + 1;
      stretches++;
      length = 1;
    }
  }
  const longest = 60;
  const cells: [number, number][] = [];
  for (let l = 1; l < longest; l++) cells.push([counts[l] ?? 0, stretches * on ** (l - 1) * (1 - on)]);
  cells.push([counts.slice(longest).reduce((s, c) => s + c, 0), stretches * on ** (longest - 1)]);
  return cells;
}
