import type { Heuristics } from "../types.js";
import { Odds, Pusher } from "./german.js";
import { Planner } from "./planner.js";
import { RandomLegal } from "./random-legal.js";
import { Elastic, Ferryman, Holder } from "./soviet.js";

export const streetsOfStalingrad: Heuristics = {
  "random-legal": ({ game, seed }) => new RandomLegal(game, seed),
  pusher: ({ game, seed }) => new Pusher(game, seed),
  odds: ({ game, seed }) => new Odds(game, seed),
  planner: ({ game, seed }) => new Planner(game, seed),
  holder: ({ game, seed }) => new Holder(game, seed),
  ferryman: ({ game, seed }) => new Ferryman(game, seed),
  elastic: ({ game, seed }) => new Elastic(game, seed),
};
