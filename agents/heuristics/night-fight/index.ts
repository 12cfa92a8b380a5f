import type { Heuristics } from "../types.js";
import { Breakout, RUNNER, SCREEN, STALKER } from "./breakout.js";

export const nightFight: Heuristics = {
  screen: ({ game, seed }) => new Breakout("heuristic:screen", game, seed, SCREEN),
  runner: ({ game, seed }) => new Breakout("heuristic:runner", game, seed, RUNNER),
  stalker: ({ game, seed }) => new Breakout("heuristic:stalker", game, seed, STALKER),
};
