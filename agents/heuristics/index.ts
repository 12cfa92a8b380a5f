import { KesselError, oneOf, shown } from "../../env/core/errors.js";
import type { AgentMaker } from "../agent.js";
import type { Heuristics } from "./types.js";

/** Code of the scripted players by game id: one line a game. */
const CODE: Readonly<Record<string, () => Promise<Heuristics>>> = {
  "night-fight": async () => (await import("./night-fight/index.js")).nightFight,
  "pocket-stalingrad": async () => (await import("./pocket-stalingrad/index.js")).pocketStalingrad,
  "savage-streets": async () => (await import("./savage-streets/index.js")).savageStreets,
  "streets-of-stalingrad": async () => (await import("./streets-of-stalingrad/index.js")).streetsOfStalingrad,
  "strike-counterstrike": async () => (await import("./strike-counterstrike/index.js")).strikeCounterstrike,
};

const loaded = new Map<string, Heuristics>();

/** True when the scripted players of a game are loaded. True where a game has none. */
export const hasHeuristics = (game: string): boolean => loaded.has(game) || !(game in CODE);

/** Loads the scripted players of a game, unless they are loaded. A game without any gets an empty table. */
export async function importHeuristics(game: string): Promise<Heuristics> {
  let table = loaded.get(game);
  if (table === undefined) loaded.set(game, (table = (await CODE[game]?.()) ?? {}));
  return table;
}

/** Takes the scripted players of a game from a caller that loads modules its own way. @public */
export const adoptHeuristics = (game: string, table: Heuristics): void => void loaded.set(game, table);

/** The scripted players of a game whose code is loaded, weakest first. */
export const heuristicsOf = (game: string): Heuristics => {
  const table = loaded.get(game);
  if (table === undefined && game in CODE) throw new Error(`await importHeuristics("${game}") first`);
  return table ?? {};
};

/** Names of a game's heuristics, weakest first. */
export const heuristicNames = (game: string): string[] => Object.keys(heuristicsOf(game));

/**
 * A scripted player of a game whose code is loaded.
 *
 * @throws KesselError `bad-agent` naming the heuristics the game has
 */
export const makeHeuristic: AgentMaker = (name, context) => {
  const table = heuristicsOf(context.game.type.id);
  const maker = Object.hasOwn(table, name) ? table[name] : undefined;
  if (maker === undefined)
    throw new KesselError(
      "bad-agent",
      `${context.game.type.id} has no heuristic ${shown(name)}; it has ${oneOf(Object.keys(table).map((n) => `heuristic:${n}`))}`,
    );
  return maker(context);
};
