import { inverse, Matrix, solve } from "ml-matrix";

/** Two-sided 95 % point of the normal distribution. */
export const Z95 = 1.959963984540054;

/** Least and greatest value of an interval. */
export type Interval = readonly [number, number];

/**
 * Wilson's score interval for a rate. `successes` may include half points (draws): such outcomes vary less than binary
 * ones of the same mean, so the interval is conservative.
 *
 * @param successes 0..n
 * @param n trials; 0 gives [0, 1]
 */
export function wilson(successes: number, n: number, z = Z95): Interval {
  if (n === 0) return [0, 1];
  const p = successes / n;
  const zz = (z * z) / n;
  const centre = p + zz / 2;
  const half = z * Math.sqrt((p * (1 - p)) / n + zz / (4 * n));
  const scale = 1 + zz;
  return [p === 0 ? 0 : (centre - half) / scale, p === 1 ? 1 : (centre + half) / scale];
}

/**
 * Mean and its 95 % interval from sums, by the normal approximation. No interval is narrower than the data allow at n =
 * 1.
 */
export function meanInterval(sum: number, squares: number, n: number, z = Z95): { mean: number; interval: Interval } {
  if (n === 0) return { mean: 0, interval: [-Infinity, Infinity] };
  const mean = sum / n;
  if (n === 1) return { mean, interval: [-Infinity, Infinity] };
  const half = z * Math.sqrt(Math.max(0, squares - n * mean * mean) / (n - 1) / n);
  return { mean, interval: [mean - half, mean + half] };
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("no values, no median");
  const sorted = [...values].sort((a, b) => a - b);
  const mid = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[mid]! : (sorted[mid - 1]! + sorted[mid]!) / 2;
}

/**
 * Interval of the difference of two independent proportions, from their Wilson intervals (Newcombe 1998, method 10).
 *
 * @param of each proportion and its interval
 */
export function differenceInterval(
  ...[[p, [pLow, pHigh]], [q, [qLow, qHigh]]]: [of: readonly [number, Interval], less: readonly [number, Interval]]
): Interval {
  return [p - q - Math.hypot(p - pLow, qHigh - q), p - q + Math.hypot(pHigh - p, q - qLow)];
}

/** Games between two players of a Bradley-Terry model. */
export interface Meeting {
  /** Who sits in the first seat, and who in the second. */
  readonly first: number;
  readonly second: number;
  readonly games: number;
  /** Points of `first`: 1 a win, 1/2 a draw. */
  readonly score: number;
}

export interface Ratings {
  /** Elo points of each player; they sum to 0. */
  readonly elo: readonly number[];
  /** 95 % interval of each. */
  readonly interval: readonly Interval[];
  /** Elo points that the first seat is worth, and its interval; 0 when not fitted. */
  readonly firstSeat: number;
  readonly firstSeatInterval: Interval;
}

const ELO = 400 / Math.LN10;

/**
 * Bradley-Terry ratings on the Elo scale: the log odds that `first` beats `second` are the difference of their
 * strengths plus, with `seat`, an advantage of the first seat. Maximum likelihood by Newton's method; intervals from
 * the Fisher information.
 *
 * @param prior drawn games added to every meeting, so that an agent that won every game has a finite rating
 * @throws RangeError when the meetings do not connect all players
 */
export function bradleyTerry(players: number, meetings: readonly Meeting[], { seat = true, prior = 1 } = {}): Ratings {
  if (!isConnected(players, meetings)) throw new RangeError("ratings need meetings that connect all players");
  const size = players + (seat ? 1 : 0);
  const x = new Float64Array(size);
  let information = Matrix.zeros(size, size);
  for (let round = 0; round < 100; round++) {
    const gradient = new Float64Array(size);
    information = Matrix.zeros(size, size);
    for (const m of meetings) if (m.games > 0) accumulate(m, x, seat ? players : -1, prior, gradient, information);
    // strengths are determined up to a constant: this fixes their sum and leaves the fit unchanged
    for (let i = 0; i < players; i++) for (let j = 0; j < players; j++) addTo(information, i, j, 1 / players);
    const move = solve(information, Matrix.columnVector(gradient)).to1DArray();
    // Newton's step may overshoot
    const largestStep = Math.max(...move.map(Math.abs));
    const scale = largestStep > 2 ? 2 / largestStep : 1;
    for (let i = 0; i < size; i++) x[i]! += move[i]! * scale;
    if (largestStep < 1e-12) break;
  }
  const covariance = inverse(information);
  const half = (i: number): number =>
    Z95 * ELO * Math.sqrt(Math.max(0, covariance.get(i, i) - (i < players ? 1 / players : 0)));
  const around = (i: number): Interval => [x[i]! * ELO - half(i), x[i]! * ELO + half(i)];
  return {
    elo: Array.from({ length: players }, (_, i) => x[i]! * ELO),
    interval: Array.from({ length: players }, (_, i) => around(i)),
    firstSeat: seat ? x[players]! * ELO : 0,
    firstSeatInterval: seat ? around(players) : [0, 0],
  };
}

/** Adds one meeting's share to gradient and information of the log likelihood. */
function accumulate(
  m: Meeting,
  x: Float64Array,
  seatAt: number,
  prior: number,
  gradient: Float64Array,
  information: Matrix,
): void {
  const at = seatAt < 0 ? [m.first, m.second] : [m.first, m.second, seatAt];
  const sign = [1, -1, 1];
  const logit = x[m.first]! - x[m.second]! + (seatAt < 0 ? 0 : x[seatAt]!);
  const p = 1 / (1 + Math.exp(-logit));
  const n = m.games + prior;
  const residual = m.score + prior / 2 - n * p;
  at.forEach((i, a) => {
    gradient[i]! += sign[a]! * residual;
    at.forEach((j, b) => addTo(information, i, j, sign[a]! * sign[b]! * n * p * (1 - p)));
  });
}

const addTo = (m: Matrix, row: number, column: number, x: number): void => {
  m.set(row, column, m.get(row, column) + x);
};

/** True when a chain of meetings leads from each player to every other. */
export function isConnected(players: number, meetings: readonly Meeting[]): boolean {
  const group = Array.from({ length: players }, (_, i) => i);
  for (const m of meetings) {
    if (m.games === 0) continue;
    const [from, to] = [group[m.first]!, group[m.second]!];
    for (let i = 0; i < players; i++) if (group[i] === from) group[i] = to;
  }
  return group.every((g) => g === group[0]);
}
