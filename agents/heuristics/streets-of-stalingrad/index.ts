import type { Heuristics } from "../types.js";
import type { Game } from "../../../env/index.js";
import { FrontFerryman, FrontPlanner } from "./front.js";
import { Odds, Pusher } from "./german.js";
import { MarchingFerryman, MarchingPlanner } from "./march.js";
import { Planner } from "./planner.js";
import { settingOf } from "./policy.js";
import { RandomLegal } from "./random-legal.js";
import { Elastic, Ferryman, Holder } from "./soviet.js";

/** Hexes from which on a map shows so much of the city that units must march to the victory hexes. */
const CITY = 800;

/** The class for a fight of a few units, for a whole front, or for a map of the city. */
function pick<T>(game: Game, few: T, front: T, city: T): T {
  const { board, roster } = settingOf(game);
  return !roster.many ? few : board.size < CITY ? front : city;
}

export const streetsOfStalingrad: Heuristics = {
  "random-legal": ({ game, seed }) => new RandomLegal(game, seed),
  pusher: ({ game, seed }) => new Pusher(game, seed),
  odds: ({ game, seed }) => new Odds(game, seed),
  planner: ({ game, seed }) => new (pick(game, Planner, FrontPlanner, MarchingPlanner))(game, seed),
  holder: ({ game, seed }) => new Holder(game, seed),
  ferryman: ({ game, seed }) => new (pick(game, Ferryman, FrontFerryman, MarchingFerryman))(game, seed),
  elastic: ({ game, seed }) => new Elastic(game, seed),
};
