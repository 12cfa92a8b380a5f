/** The `q`-th quantile of numbers in order, 0 <= q <= 1; infinite where there are none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Infinity;
}
