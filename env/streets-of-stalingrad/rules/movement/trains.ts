import type { StateView } from "../../../core/layout.js";
import { RAIL_COST, RAIL_PATH } from "../../layout.js";
import type { Tables } from "../../state.js";

/** 7 October, and how many hexes trains go from then on. Rule: SOS 16.61 */
const SLOW_TURN = 25;
const SLOW_HEXES = 6;
const MAIN_PHASE = 10;

/** Half MP of a train in its movement phase. Nothing halves them. Rule: SOS 16.61 */
export const railAllowance = ({ layout }: Tables, s: StateView): number =>
  RAIL_COST * (s[layout.turn]! < SLOW_TURN ? RAIL_PATH : SLOW_HEXES);

/**
 * Half MP of a train for a step, 0 where no rails lead: only they count, no other ground. Rule: SOS 16.61, ruling R53
 */
export const railCost = ({ rails }: Tables, from: number, d: number): number => RAIL_COST * rails[from * 6 + d]!;

/** Trains move in the Soviet movement phase alone. Rule: SOS 16.61 */
export const runsNow = ({ layout }: Tables, s: StateView): boolean => s[layout.phase] === MAIN_PHASE;
