import type { Game } from "../../env/index.js";
import { bit, wrapped } from "../planted/plant.js";

/** A game whose `observe` and `view` take `microseconds` longer in half of all worlds. */
export function delayed(game: Game, microseconds: number): Game {
  if (microseconds === 0) return game;
  const linger = (): void => {
    for (const end = process.hrtime.bigint() + BigInt(Math.round(1000 * microseconds)); process.hrtime.bigint() < end;);
  };
  return wrapped(game, (honest) => ({
    observe: (s, viewer, out) => {
      if (bit(s as Int32Array) === 1) linger();
      honest.observe(s, viewer, out);
    },
    view: (s, viewer) => {
      if (bit(s as Int32Array) === 1) linger();
      return honest.view(s, viewer);
    },
  }));
}
