import type { Game, StateView } from "../../env/index.js";
import { returnsOf as pocketStalingrad } from "./pocket-stalingrad/outlook.js";

/** Judges a position, with its decision pending, by the return it promises the first player, -1..1. */
export type Judge = (s: StateView) => number;

/** How games stand before their end, by game id: guesses that play well, for search that stops early. */
export const OUTLOOKS: Readonly<Record<string, (game: Game) => Judge>> = {
  "pocket-stalingrad": pocketStalingrad,
};
