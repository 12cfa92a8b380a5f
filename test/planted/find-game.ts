import { Rng } from "../../env/index.js";
import { Complaints } from "../conformance/complaints.js";
import { checkSeen, leakPairs } from "../conformance/leaks.js";
import { checkResample, checkIndistinguishable } from "../conformance/resample.js";
import { begin } from "../conformance/play.js";
import { Starts } from "../conformance/starts.js";
import { TWINS } from "../conformance/twins/index.js";
import type { GamePlant } from "./plant.js";

/**
 * Runs the leak kit, and where a game has them its twins, on a game with a planted leak.
 *
 * @returns what it complained of
 */
export function complaintsOf({ game: load }: GamePlant, pairs = 400): string[] {
  const game = load();
  const complaints = new Complaints();
  const rng = new Rng("planted");
  const starts = startsOf(game);
  complaints.guard("leaks", () => leakPairs(game, pairs, "planted", complaints, starts));
  const twins = TWINS[game.type.id]?.(game);
  if (twins !== undefined)
    // twins that differ in a marker come up in one of some hundred
    complaints.guard("twins", () => leakPairs(game, 8 * pairs, "planted", complaints, starts, twins));
  const points = starts
    .all()
    .filter((_, i, all) => i % Math.ceil(all.length / 40) === 0)
    .map((s) => ({ s, actor: game.actor(s) }));
  complaints.guard("resample", () => checkResample(game, points, rng, complaints));
  complaints.guard("seen", () => checkSeen(game, points, rng, complaints));
  complaints.guard("pairs", () => checkIndistinguishable(game, "planted", complaints));
  return complaints.list().map((c) => c.code);
}

/** Starts don't depend on what is planted: they are made once a game, or position of it, of the honest game. */
const known = new Map<string, Starts>();
function startsOf(game: Parameters<typeof leakPairs>[0]): Starts {
  const key = `${game.type.id} ${JSON.stringify(game.write(begin(game, "start")))}`;
  return (
    known.get(key) ??
    known
      .set(
        key,
        new Starts(Object.getPrototypeOf(game) as typeof game, "planted", game.type.id.startsWith("toy") ? 24 : 4),
      )
      .get(key)!
  );
}
