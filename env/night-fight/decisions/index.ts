import { Decisions } from "../../core/decision.js";
import { type Decision, SPACE } from "../actions.js";
import { standing } from "../narration/standing.js";
import { PHASES } from "../state.js";
import { buy, reinstate } from "./buy.js";
import { fire, follow, target } from "./fire.js";
import { move, step } from "./move.js";

const over: Decision = { rules: ["NF 11.3"], asks: (t, s) => standing(t, s).ifEndedNow, marks: () => 0, acts: {} };

/** All decisions: one for each phase. */
export const decisions = new Decisions("night-fight", SPACE, PHASES, {
  buy,
  reinstate,
  move,
  step,
  fire,
  target,
  follow,
  over,
});
