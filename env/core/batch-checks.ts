import { illegalAction } from "./env.js";
import { KesselError, shown } from "./errors.js";
import { type Game, NOBODY } from "./game.js";
import { checkSeed, type Seed } from "./dice/rng.js";

/** The part of a batch that decides which actions are legal: `actors` int32 [B], `mask` uint8 [B, A]. */
interface LegalActions {
  readonly game: Game;
  readonly autoreset: string;
  readonly actors: Int32Array;
  readonly mask: Uint8Array;
}

/**
 * Checks the actions of a batch, or of many slices of one.
 *
 * @param first number of its first environment, for messages
 * @throws KesselError `illegal-action`, `bad-action`, `not-reset`
 */
export function checkActions(batch: LegalActions, actions: ArrayLike<number>, first = 0): void {
  const { actors } = batch;
  if (actions.length !== actors.length)
    throw new KesselError(
      "bad-action",
      `expected ${actors.length} actions (one per environment), got ${actions.length}`,
    );
  for (let i = 0; i < actors.length; i++) checkAction(batch, i, actions[i]!, first);
}

/** As `checkActions`, for the environments `which` alone, with an action each. */
export function checkSomeActions(
  batch: LegalActions,
  which: ArrayLike<number>,
  actions: ArrayLike<number>,
  first = 0,
): void {
  for (let k = 0; k < which.length; k++) checkAction(batch, which[k]!, actions[k]!, first);
}

function checkAction({ game, autoreset, actors, mask }: LegalActions, i: number, a: number, first = 0): void {
  const A = game.actions.length;
  if (actors[i] === NOBODY) {
    if (autoreset === "disabled")
      throw new KesselError("not-reset", `environment ${first + i} has ended its episode; reset it first`);
    return;
  }
  if (!(a >= 0 && a < A) || !Number.isInteger(a))
    throw new KesselError(
      "bad-action",
      `environment ${first + i}: actions of ${game.type.id} are 0 to ${A - 1}, not ${a}`,
    );
  if (mask[i * A + a] !== 1) {
    const legal = mask.subarray(i * A, (i + 1) * A).reduce((n, m) => n + m, 0);
    const e = illegalAction(game, game.actions[a]!, game.players[actors[i]!]!, legal);
    throw new KesselError(e.code, `environment ${first + i}: ${e.message}`);
  }
}

/** @throws KesselError `bad-option` for environments that do not exist, or come twice */
export function checkRows(which: readonly number[], size: number): void {
  for (const i of which)
    if (!Number.isInteger(i) || i < 0 || i >= size)
      throw new KesselError("bad-option", `environments are 0 to ${size - 1}, not ${shown(i)}`);
  if (new Set(which).size < which.length) throw new KesselError("bad-option", "an environment is named twice");
}

/**
 * Seeds of a reset as text: one for each of `count` environments, or one to make them from.
 *
 * @throws KesselError `bad-seed`
 */
export function checkSeeds(
  seeds: Seed | readonly Seed[],
  count: number,
): { list: string[]; base: null } | { list: null; base: string } {
  const one = typeof seeds !== "object";
  if (!one && seeds.length !== count)
    throw new KesselError("bad-seed", `expected ${count} seeds (one per environment), got ${seeds.length}`);
  const texts = (one ? [seeds] : seeds).map(checkSeed);
  for (const seed of texts)
    if (seed.length > 150)
      throw new KesselError(
        "bad-seed",
        `a seed of a batch has at most 150 characters (later episodes add their number), not ${seed.length}`,
      );
  return one ? { list: null, base: texts[0]! } : { list: texts, base: null };
}
