import { Env, type Game, newState, Rng, RNG_WORDS } from "../../env/index.js";

/**
 * Random games that are looked through. In a game with hidden information, the first decisions of the first show it.
 */
const GAMES = 4;

/**
 * True when anything but future dice is hidden from a player. No game says so of itself; in one that hides nothing a
 * world that fits what the player knows is always the true one.
 */
export function isBlind(game: Game, player: number): boolean {
  const env = new Env(game);
  const rng = new Rng("hidden");
  const world = newState(game.stateSize);
  for (let k = 0; k < GAMES; k++) {
    env.reset(`hidden/${k}`);
    while (env.actor >= 0) {
      if (env.actor === player) {
        game.resample(env.state, player, world, rng);
        if (world.some((word, i) => i >= RNG_WORDS && word !== env.state[i])) return true;
      }
      const legal = game.actions.flatMap((_, action) => (env.mask[action] === 1 ? [action] : []));
      env.step(legal[rng.below(legal.length)]!);
    }
  }
  return false;
}
