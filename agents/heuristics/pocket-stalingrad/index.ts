import type { Heuristics } from "../index.js";
import { FirstKeep } from "./first-keep.js";

export const pocketStalingrad: Heuristics = {
  "first-keep": ({ game, seed }) => new FirstKeep("heuristic:first-keep", game, seed),
};
