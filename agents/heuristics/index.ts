import { KesselError, oneOf, shown } from "../../env/index.js";
import type { AgentMaker } from "../agent.js";
import { nightFight } from "./night-fight/index.js";
import { pocketStalingrad } from "./pocket-stalingrad/index.js";
import { savageStreets } from "./savage-streets/index.js";
import { streetsOfStalingrad } from "./streets-of-stalingrad/index.js";
import { strikeCounterstrike } from "./strike-counterstrike/index.js";
import type { Heuristics } from "./types.js";

/** Scripted players by game id: one line a game. */
export const HEURISTICS: Readonly<Record<string, Heuristics>> = {
  "night-fight": nightFight,
  "pocket-stalingrad": pocketStalingrad,
  "savage-streets": savageStreets,
  "streets-of-stalingrad": streetsOfStalingrad,
  "strike-counterstrike": strikeCounterstrike,
};

/** Names of a game's heuristics, weakest first. */
export const heuristicNames = (game: string): string[] => Object.keys(HEURISTICS[game] ?? {});

/** @throws KesselError `bad-agent` naming the heuristics the game has */
export const makeHeuristic: AgentMaker = (name, context) => {
  const table = HEURISTICS[context.game.type.id] ?? {};
  const maker = Object.hasOwn(table, name) ? table[name] : undefined;
  if (maker === undefined)
    throw new KesselError(
      "bad-agent",
      `${context.game.type.id} has no heuristic ${shown(name)}; it has ${oneOf(Object.keys(table).map((n) => `heuristic:${n}`))}`,
    );
  return maker(context);
};
