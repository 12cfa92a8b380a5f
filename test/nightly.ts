/**
 * Options of a test that takes minutes of CPU time: `npm run test:nightly` runs it, `npm test` leaves it out. Whatever
 * it proves has a shorter test beside it that `npm test` runs.
 *
 * @example test("a game is played to its end by clicks", nightly, async () => { ... });
 */
export const nightly = { tags: "nightly", skip: process.env["KESSEL_NIGHTLY"] === undefined };

/**
 * `nightly` for all rows of a table but those that stand for the others.
 *
 * @param short whether `npm test` runs this row
 */
export const nightlyUnless = (short: boolean): object => (short ? {} : nightly);
