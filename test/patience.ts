/**
 * How long a test waits for something to happen, in ms: a busy machine may take long, and a test that waits for what it
 * expects loses no time by patience. A test as a whole may take longer (`vitest.config.ts`): it waits for several
 * things.
 */
export const PATIENCE_MS = 110_000;

/** How often something is measured again that a pause of the machine may have spoilt. */
const ATTEMPTS = 4;

/**
 * The least of some measurements of a time, in ms: a pause of the machine makes one longer, none shorter.
 *
 * @param enough measures no more once one is below this
 */
export async function leastOf(measure: () => Promise<number>, enough: number): Promise<number> {
  let least = Infinity;
  for (let k = 0; k < ATTEMPTS && least >= enough; k++) least = Math.min(least, await measure());
  return least;
}
