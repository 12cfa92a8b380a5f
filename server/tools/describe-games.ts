import { importGame } from "../../agents/import-game.js";
import { roster } from "../../agents/roster.js";
import { Env, type Game, gameIds, GAMES, type GameType, loadGame } from "../../env/index.js";
import { sideNames } from "../../agents/text/sentences.js";

/** All games with seats, options and opponents, as text. */
export async function gamesText(): Promise<string> {
  await Promise.all(gameIds().map(importGame));
  return GAMES.map(gameText).join("\n\n");
}

function gameText(type: GameType): string {
  const game = loadGame(type.id);
  const options = type.options.map(
    (o) => `  option ${o.id} (${o.values.map(String).join(", ")}), default ${String(o.default)}: ${o.about}`,
  );
  const agents = roster(game).map((e) => {
    const seats =
      e.players.length === game.players.length ? "" : ` (plays ${e.players.map((p) => game.players[p]).join(", ")})`;
    return `  opponent ${e.short}${seats}: ${e.about}`;
  });
  return [
    `${type.id}: ${type.title}; ${type.credits}. Seats: ${seatNames(game).join(", ")}.`,
    ...(type.reconstructed === null ? [] : [`  Reconstructed: ${type.reconstructed}`]),
    ...options,
    ...agents,
  ].join("\n");
}

/** A game's seats with the names of their sides: `G (German)`. */
export function seatNames(game: Game): string[] {
  const env = new Env(game);
  env.reset("names");
  const nameOf = sideNames(game, env.state);
  return game.players.map((p) => (nameOf(p).toLowerCase() === p.toLowerCase() ? p : `${p} (${nameOf(p)})`));
}
