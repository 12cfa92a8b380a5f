import { createHash } from "node:crypto";
import { canonical } from "./describe.js";
import { InvariantError, KesselError, shown } from "./errors.js";
import { EVERYTHING, type Game, type Viewer } from "./game.js";
import type { StateView } from "./layout.js";
import { type Odds, Tally } from "./odds-tally.js";

export type { Odds, OddsResult } from "./odds-tally.js";

/**
 * What a legal action of the actor can come to, and how likely, as far as `viewer` can know. Exact where the viewer
 * knows the whole state and the dice can fall in at most 100,000 ways, or are independent (`Narration.throwsApart`);
 * otherwise from samples whose seed derives from the view alone, so that the answer is the same in every world that the
 * viewer can't tell apart. Never uses the random stream in the state.
 *
 * @param viewer the actor, or `EVERYTHING`
 * @throws KesselError `illegal-action` when `action` isn't legal now, `unsupported` when `viewer` doesn't decide
 */
export function odds(game: Game, s: StateView, viewer: Viewer, action: number): Odds {
  const actor = game.actor(s);
  if (actor < 0 || (viewer !== actor && viewer !== EVERYTHING))
    throw new KesselError("unsupported", `${game.type.id}: odds are for the side that decides`);
  const mask = new Uint8Array(game.actions.length);
  game.legalMask(s, mask, 0);
  if (mask[action] !== 1)
    throw new KesselError(
      "illegal-action",
      `${game.type.id}: ${shown(game.actions[action] ?? action)} is not legal now`,
    );
  const tally = new Tally(game, viewer, action, actor);
  const known = viewer === EVERYTHING ? null : canonical(game.view(s, viewer));
  const knowsAll = known === null || known === canonical(game.write(s));
  if (knowsAll && game.narration?.throwsApart?.(s, action) === true && tally.lookApart(s)) return tally.odds("exact");
  if (knowsAll && tally.enumerate(s)) return tally.odds("exact");
  const seed = createHash("sha256")
    .update(`odds\n${game.actions[action]!}\n${known ?? canonical(game.write(s))}`)
    .digest("hex");
  tally.sample(s, seed, (world) => {
    if (game.actor(world) !== actor) throw new InvariantError(`${game.type.id}: a sampled world has another actor`);
    game.legalMask(world, mask, 0);
    if (mask[action] !== 1) throw new InvariantError(`${game.type.id}: a sampled world has another mask`);
  });
  return tally.odds("sampled");
}
