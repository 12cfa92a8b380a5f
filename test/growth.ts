/** CPU milliseconds of this process that `work` takes. */
function cost(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * CPU time of `work` for a long input over that for one a tenth as long, each the least of seven: 10 where it is
 * linear, 100 where it is quadratic. Times below a tenth of a millisecond count as that.
 *
 * @param work does something with an input of a given length
 */
export function growth(work: (length: number) => void, length: number): number {
  const least = (n: number): number => Math.min(...Array.from({ length: 7 }, () => cost(() => work(n))));
  work(length); // compiled, not measured
  return least(length) / Math.max(least(length / 10), 0.1);
}
