import type { Heuristics } from "../types.js";
import { FirstKeep } from "./first-keep.js";
import { Greedy } from "./greedy.js";
import { Planner } from "./planner.js";

export const pocketStalingrad: Heuristics = {
  "first-keep": ({ game, seed }) => new FirstKeep("heuristic:first-keep", game, seed),
  greedy: ({ game, seed }) => new Greedy("heuristic:greedy", game, seed),
  planner: ({ game, seed }) => new Planner("heuristic:planner", game, seed),
};
