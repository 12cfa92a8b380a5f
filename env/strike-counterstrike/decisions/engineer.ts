import { ARMY, type Decision } from "../actions.js";
import { PHASE } from "../layout.js";
import { checkText, engineerSteps, rideWith } from "../narration/words.js";
import { joinArmy, markHosts } from "../rules/engineer.js";
import { LAST_TURN } from "../rules/victory.js";
import { endTurn } from "../turn.js";
import { comes } from "./held.js";

export const setup: Decision = {
  rules: ["SC 3.5", "SC 6.3"],
  caption: "First Engineer Army joins an army at the start",
  asks: (t, s) =>
    `Which army does ${t.engineer.id}, the ${t.engineer.name} (${engineerSteps(t, s)}), ride with? Its steps fire with that army and are lost first.`,
  about: (t) => ({ units: [t.engineer.id] }),
  marks: (t, s, mask, at) => markHosts(t, s, mask, at + ARMY),
  acts: {
    army: {
      means: (t, s, army) => ({ ...rideWith(t, s, army), ends: "phase" }),
      does(t, s, army, play) {
        joinArmy(t, s, army, true, play);
        s[t.L.phase] = PHASE.activate;
      },
    },
  },
  fault: (t, s) => comes(t, s, "on turn 1", s[t.L.turn] === 1),
};

export const attach: Decision = {
  rules: ["SC 6.3", "SC 4.1"],
  caption: "First Engineer Army joins an army",
  asks: (t, s) =>
    `The turn ends. Which army does ${t.engineer.id} (${engineerSteps(t, s)}) ride with next turn? ${checkText(t, s)}`,
  about: (t) => ({ units: [t.engineer.id] }),
  marks: (t, s, mask, at) => markHosts(t, s, mask, at + ARMY),
  acts: {
    army: {
      means: (t, s, army) => ({ ...rideWith(t, s, army), ends: "turn" }),
      does(t, s, army, play) {
        joinArmy(t, s, army, false, play);
        endTurn(t, s, play);
      },
    },
  },
  fault: (t, s) =>
    comes(
      t,
      s,
      `on turns 1 to ${LAST_TURN - 1} while ${t.engineer.id} lives`,
      s[t.L.turn]! < LAST_TURN && s[t.L.engineer]! > 0,
    ),
};
