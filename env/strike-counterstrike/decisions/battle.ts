import { bothOf, fault } from "../../core/decision.js";
import { counted } from "../../core/words.js";
import { COMMIT, type Decision, HOLD, LOSE, PRESS, WITHDRAW } from "../actions.js";
import { MECH, SEC } from "../data.js";
import {
  battleText,
  CLASS_TEXT,
  counterIds,
  countersAt,
  counterTexts,
  hexIds,
  hexText,
  INTERCEPTOR_TEXT,
} from "../events/words.js";
import { BATTLE } from "../layout.js";
import { aboutBattle, cutOffText, opponents } from "../narration/words.js";
import {
  fightRound,
  loseUnit,
  markClasses,
  pressOn,
  sendInterceptor,
  takeGermanLosses,
  withdraw,
} from "../rules/combat.js";
import { countForce } from "../rules/garrison.js";
import { battleHex, originHex } from "../state.js";
import { battleFault, heldActive, heldBattle, nothingToTake } from "./held.js";

export const commit: Decision = {
  rules: ["SC 10.11", "SC 10.1"],
  caption: "commit the interceptors or hold them",
  asks: (t, s) =>
    `Round ${s[t.L.round]!}: ${opponents(t, s)}. Send ${INTERCEPTOR_TEXT}, once a turn: a die against each unit left at the end of the round?${cutOffText(t, s)}`,
  about: aboutBattle,
  marks: bothOf(COMMIT, HOLD),
  presumed: () => HOLD,
  acts: {
    commit: {
      means: (t, s) => ({
        text: `Send ${INTERCEPTOR_TEXT} in this round`,
        units: [t.interceptorId],
        places: hexIds(t, [battleHex(t, s)]),
        warning: t.spentWhenFired
          ? null
          : `${INTERCEPTOR_TEXT} is spent until the next turn, whether it still finds a target or not.`,
      }),
      does: (t, s, _i, play) => sendInterceptor(t, s, play),
    },
    hold: {
      means: (t) => ({ text: `Hold ${INTERCEPTOR_TEXT} back for another round or battle`, units: [t.interceptorId] }),
      does: (t, s, _i, play) => fightRound(t, s, play),
    },
  },
  holds: { active: heldActive(0), battle: heldBattle },
  fault(t, s) {
    // Rule: SC 10.11, ruling R12
    if (s[t.L.interceptor] === 0)
      return fault("interceptor", "in phase commit VI IC is ready: once it is spent nobody is asked");
    const early = s[t.L.shockFirst] === 1 ? fault("battle.shockFirst", "nobody has fired in this round yet") : null;
    return nothingToTake(t, s) ?? early ?? battleFault(t, s);
  },
};

export const losses: Decision = {
  rules: ["SC 10.14", "SC 10.1", "SC 2.6"],
  caption: "take the losses",
  asks: (t, s) => `${counted(s[t.L.hits]!, "hit")} on the Germans in ${battleText(t, s)}: which unit is lost?`,
  about: aboutBattle,
  marks: (t, s, mask, at) => markClasses(t, s, mask, at + LOSE),
  /** The first class of units named takes the hits. */
  presumed: (t, s) => LOSE + Math.min(...countersAt(t, s, BATTLE).map((c) => t.cls[c]!)),
  acts: {
    lose: {
      means(t, s, cls) {
        const lost = countersAt(t, s, BATTLE)
          .filter((c) => t.cls[c] === cls)
          .slice(0, 1);
        return {
          text: `A ${CLASS_TEXT[cls]!} unit: ${counterTexts(t, lost)}`,
          units: counterIds(t, lost),
          places: hexIds(t, [battleHex(t, s)]),
        };
      },
      does(t, s, cls, play) {
        loseUnit(t, s, cls, play);
        takeGermanLosses(t, s, s[t.L.stage]!, play);
      },
    },
  },
  holds: { active: heldActive(0), battle: heldBattle },
  fault(t, s) {
    const { L, force } = t;
    if (s[L.stage] === 0) return fault("battle.stage", "losses are chosen in stage A or B");
    const units = countForce(t, s, BATTLE);
    let classes = 0;
    for (let cls = MECH; cls <= SEC; cls++) if (force[cls]! > 0) classes++;
    if (s[L.hits]! < 1 || s[L.hits]! >= units || classes < 2)
      return fault("battle.hits", `${s[L.hits]!} hits on these ${units} units leave nothing to choose`);
    return battleFault(t, s);
  },
};

export const press: Decision = {
  rules: ["SC 9.3", "SC 9.5", "SC 10.3"],
  caption: "another round of battle or not",
  asks: (t, s) =>
    `Round ${s[t.L.round]!} was undecided: ${opponents(t, s)}. Press on for ${t.extraRoundCost} of ${s[t.L.mp]!} MP or fall back to ${hexText(t, originHex(t, s))}?${cutOffText(t, s)}`,
  about: aboutBattle,
  marks: bothOf(PRESS, WITHDRAW),
  acts: {
    press: {
      means: (t, s) => ({
        text: `Press on for ${t.extraRoundCost} MP (${s[t.L.mp]! - t.extraRoundCost} left)`,
        places: hexIds(t, [battleHex(t, s)]),
      }),
      does: (t, s, _i, play) => pressOn(t, s, play),
    },
    withdraw: {
      means: (t, s) => ({
        text: `Fall back to ${hexText(t, originHex(t, s))}; the army is done and ${counted(s[t.L.mp]!, "MP lapses", "MP lapse")}`,
        places: hexIds(t, [originHex(t, s)]),
      }),
      does: (t, s, _i, play) => withdraw(t, s, "SC 9.5", play),
    },
  },
  holds: { active: heldActive(0), battle: heldBattle },
  fault: (t, s) =>
    s[t.L.mp]! < t.extraRoundCost
      ? fault("active.mp", "without MP for another round there is nothing to press")
      : (nothingToTake(t, s) ?? battleFault(t, s)),
};
