import { Decisions } from "../../core/decision.js";
import { type Decision, type Ranges, SPACE } from "../actions.js";
import type { Tables } from "../data.js";
import { resultText } from "../events/action.js";
import { DECISION_KINDS, type DecisionKind, L, REASONS } from "../state.js";
import { air, announce, cancel, raze, reduce, sturm } from "./air.js";
import { artillery, fight, guards, pioneer } from "./combat.js";
import { dice, fortify, lose, place, reroll } from "./dice.js";
import { heldAwaiting } from "./held.js";
import { cross, deployIn, deployOut, ratzel } from "./infiltration.js";

const over: Decision = {
  rules: ["PS Victory"],
  asks: (t, s) => resultText(t, s, s[L.winner]!, REASONS[s[L.reason]!]!),
  marks: () => 0,
  acts: {},
};

/** Explicit chance: the game waits for dice (`rules/roll.ts`). */
const chance: Decision = {
  rules: ["PS 2"],
  asks: () => "Chance decides how the dice fall.",
  marks: () => 0,
  acts: {},
  holds: { awaiting: heldAwaiting },
};

export const BY_KIND: Readonly<Record<DecisionKind, Decision>> = {
  dice,
  place,
  reroll,
  lose,
  fortify,
  announce,
  reduce,
  air,
  cancel,
  raze,
  sturm,
  cross,
  ratzel,
  deployOut,
  deployIn,
  artillery,
  fight,
  pioneer,
  guards,
  over,
  chance,
};
export const decisions = new Decisions<Tables, DecisionKind, Ranges, number>(
  "pocket-stalingrad",
  SPACE,
  DECISION_KINDS,
  BY_KIND,
);
