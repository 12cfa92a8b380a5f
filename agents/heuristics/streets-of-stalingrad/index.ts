import type { Heuristics } from "../types.js";
import type { Game } from "../../../env/index.js";
import { FrontFerryman, FrontPlanner } from "./front.js";
import { Odds, Pusher } from "./german.js";
import { Planner } from "./planner.js";
import { settingOf } from "./policy.js";
import { RandomLegal } from "./random-legal.js";
import { Elastic, Ferryman, Holder } from "./soviet.js";

/** True when the fight covers a whole front. */
const isLarge = (game: Game): boolean => settingOf(game).roster.many;

export const streetsOfStalingrad: Heuristics = {
  "random-legal": ({ game, seed }) => new RandomLegal(game, seed),
  pusher: ({ game, seed }) => new Pusher(game, seed),
  odds: ({ game, seed }) => new Odds(game, seed),
  planner: ({ game, seed }) => new (isLarge(game) ? FrontPlanner : Planner)(game, seed),
  holder: ({ game, seed }) => new Holder(game, seed),
  ferryman: ({ game, seed }) => new (isLarge(game) ? FrontFerryman : Ferryman)(game, seed),
  elastic: ({ game, seed }) => new Elastic(game, seed),
};
