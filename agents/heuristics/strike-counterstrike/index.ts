import type { Heuristics } from "../types.js";
import { Drainer } from "./drainer.js";
import { Encircler } from "./encircler.js";
import { Greedy } from "./greedy.js";
import { Script } from "./script.js";
import { Squeezer } from "./squeezer.js";

export const strikeCounterstrike: Heuristics = {
  drainer: ({ game, seed }) => new Drainer("heuristic:drainer", game, seed, 0.2, 0.2),
  greedy: ({ game, seed }) => new Greedy("heuristic:greedy", game, seed),
  script: ({ game, seed }) => new Script("heuristic:script", game, seed),
  squeezer: ({ game, seed }) => new Squeezer("heuristic:squeezer", game, seed),
  encircler: ({ game, seed }) => new Encircler("heuristic:encircler", game, seed),
};
