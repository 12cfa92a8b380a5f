import type { Game, StateView } from "../../env/index.js";
import { returnsOf as pocketStalingrad } from "./pocket-stalingrad/outlook.js";

/** Estimates the return of the first player, -1..1, from a position with its decision pending. */
export type ValueEstimate = (s: StateView) => number;

/** Value estimates by game id, for search that stops before the end of the game. */
export const OUTLOOKS: Readonly<Record<string, (game: Game) => ValueEstimate>> = {
  "pocket-stalingrad": pocketStalingrad,
};
