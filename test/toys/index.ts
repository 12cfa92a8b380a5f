import type { GameType } from "../../env/index.js";
import { ambush } from "./ambush.js";
import { patrol } from "./patrol.js";
import { race } from "./race.js";

/** Small valid games: public and nested, hidden with an interrupt, solitaire with a hidden pile. */
export const TOYS: readonly GameType[] = [race, ambush, patrol];
