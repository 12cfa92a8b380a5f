import { Decisions, type Held } from "../../core/decision.js";
import { type Decision, type Ranges, spaceFor } from "../actions.js";
import type { Tables } from "../data.js";
import { endingText } from "../events/turn.js";
import { type PhaseName, PHASES } from "../layout.js";
import { activeArmy, battleHex } from "../state.js";
import { enter, partisan, replace } from "./arrivals.js";
import { commit, losses, press } from "./battle.js";
import { attach, setup } from "./engineer.js";
import { activeFault, battleFault, heldActive, heldBattle, nothingToTake } from "./held.js";
import { activate, move } from "./move.js";

/** Left out where the game did not end in it. */
function ifAny(held: Held<Tables>): Held<Tables> {
  return { ...held, absent: () => null };
}

const over: Decision = {
  rules: ["SC 4.1"],
  asks: (t, s) => `The game is over: ${endingText(t, s, s[t.L.result]!)}`,
  marks: () => 0,
  acts: {},
  holds: { active: ifAny(heldActive(0)), battle: ifAny(heldBattle) },
  fault(t, s) {
    if (battleHex(t, s) >= 0) return nothingToTake(t, s) ?? battleFault(t, s);
    return activeArmy(t, s) < 0 ? null : activeFault(t, s, 0);
  },
};

/** All decisions: one for each phase. */
export const BY_PHASE: Readonly<Record<PhaseName, Decision>> = {
  setup,
  replace,
  enter,
  partisan,
  activate,
  move,
  commit,
  losses,
  press,
  attach,
  over,
};

/** By phase: what marks the hexes that its actions name. */
export const HEXES_OF = PHASES.map((phase) => BY_PHASE[phase].hexes);

export type StrikeDecisions = Decisions<Tables, PhaseName, Ranges>;

/** The decisions of a game with these numbers of armies and hexes. */
export const decisionsFor = (armies: number, hexes: number): StrikeDecisions =>
  new Decisions<Tables, PhaseName, Ranges>("strike-counterstrike", spaceFor(armies, hexes), PHASES, BY_PHASE);

/** What documents can hold of open decisions, in any game. */
export const HELD = decisionsFor(0, 0).shape;
