import type { Game } from "../../../env/index.js";
import type { MakeTwin } from "../leaks.js";
import { streetsOfStalingrad } from "./streets-of-stalingrad.js";

/** What makes twins of a game's worlds, by its id; a game where samples are enough has none. */
export const TWINS: Readonly<Record<string, ((game: Game) => MakeTwin) | undefined>> = {
  "streets-of-stalingrad": streetsOfStalingrad,
};
