import { bothOf, fault } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { CANCEL, type Decision, DONE, RAZE } from "../actions.js";
import { AREA_IDS, GUMRAK, type Tables } from "../data.js";
import { areaId, forces, unitsOf } from "../events/words.js";
import {
  aboutArea,
  airMeaning,
  announceMeaning,
  areaHere,
  cmdText,
  lapse,
  movesTo,
  sturmLost,
} from "../narration/words.js";
import {
  attackFromAir,
  cancelAttack,
  cancelSome,
  endAnnouncing,
  markAirTargets,
  markAnnounced,
  markReduced,
  markSturm,
  moveBySturm,
  payForAttacks,
  razeAgainstAir,
  strike,
} from "../rules/air.js";
import { razeInAttrition } from "../rules/combat.js";
import { actorOf, AIR, areaOf, cmdOf, GERMAN, hasFort, L, SOVIET, unitsIn } from "../state.js";
import { CROSS_STEP, STURM_STEP } from "../steps.js";
import { held, heldArea, heldSource, heldSurcharge, inAir, rightFault } from "./held.js";

const attacks = held(L.attacks);
const paid = held(L.paid);

export const announce: Decision = {
  rules: ["PS 4.1", "PS Night", "PS Sturm"],
  asks(_t, s) {
    const night = s[L.night] === 1 ? "; Night wastes the first, and the number is final" : "";
    return `pay for air attacks, 1 CMD each (you have ${cmdText(s, GERMAN)}${night})?`;
  },
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markAnnounced(t, s, mask, at);
  },
  acts: {
    done: {
      means: (_t, s) => ({
        text: s[L.paid] === 0 ? "Make no air attack" : "Announce no more air attacks",
        warning: sturmLost(s) ?? lapse(s, actorOf(s)),
      }),
      does: (_t, s) => endAnnouncing(s, s[L.paid]!),
    },
    announce: { means: announceMeaning, does: payForAttacks },
  },
  by: () => GERMAN,
  turnOf: () => GERMAN,
  holds: { paid: { ...paid, absent: () => null } },
  fault: (_t, s) =>
    s[L.paid]! > 0 && s[L.night] === 1 ? fault("decision.paid", "under Night the total is announced once") : null,
};

/** What the Soviet answers to air attacks need. */
function answerFault(t: Tables, s: StateView, kind: "reduce" | "cancel") {
  if (s[L.night] !== 1) return fault("decision.kind", `${kind} needs Night`);
  const response = kind === "reduce" ? "total" : "per-attack";
  if (t.nightTotal !== (kind === "reduce"))
    return fault("decision.kind", `${kind} needs option nightResponse ${response}`);
  return cmdOf(s, SOVIET) < t.costs.nightCancel
    ? fault("soviet.cmd", `${kind} needs ${t.costs.nightCancel} CMD`)
    : null;
}

const attacksFault = (s: StateView) => (s[L.attacks] === 0 ? fault("decision.attacks", "no attack is left") : null);

export const reduce: Decision = {
  rules: ["PS Night", "PS 4.1"],
  asks: (t, s) =>
    `${counted(s[L.attacks]!, "air attack")} are coming; cancel some for ${t.costs.nightCancel} CMD each (you have ${cmdText(s, SOVIET)})?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markReduced(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Cancel no air attack", does: (t, s, _i, play) => cancelSome(t, s, 0, play) },
    reduce: {
      means: (t, _s, n) => `Cancel ${counted(n, "air attack")}, ${n * t.costs.nightCancel} CMD`,
      does: cancelSome,
    },
  },
  by: () => SOVIET,
  turnOf: () => GERMAN,
  holds: { attacks, paid },
  fault: (t, s) => answerFault(t, s, "reduce") ?? attacksFault(s),
};

export const air: Decision = {
  rules: ["PS 4.1", "PS Fortify", "PS Artillery"],
  asks: (_t, s) => `${counted(s[L.attacks]!, "air attack")} to assign. Where does the next one strike?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markAirTargets(t, s, mask, at);
  },
  acts: {
    done: {
      means: (_t, s) => ({
        text: `Give up ${counted(s[L.attacks]!, "air attack")}`,
        warning: "The CMD paid for them is lost.",
      }),
      does: () => STURM_STEP,
    },
    air: { means: airMeaning, does: attackFromAir },
  },
  by: () => GERMAN,
  turnOf: () => GERMAN,
  holds: { attacks, paid },
  fault: (_t, s) => attacksFault(s),
};

export const cancel: Decision = {
  rules: ["PS Night", "PS 4.1"],
  asks: (t, s) =>
    `an air attack strikes ${areaHere(t, s)} (${forces(s, areaOf(s))}). Cancel it for ${t.costs.nightCancel} CMD (you have ${cmdText(s, SOVIET)})?`,
  about: aboutArea,
  optional: true,
  marks: bothOf(DONE, CANCEL),
  acts: {
    done: { means: () => "Let the air attack strike", does: (t, s, _i, play) => strike(t, s, areaOf(s), play) },
    cancel: {
      means: (t) => `Cancel the air attack, ${t.costs.nightCancel} CMD`,
      does: (t, s, _i, play) => cancelAttack(t, s, play),
    },
  },
  by: () => SOVIET,
  turnOf: () => GERMAN,
  holds: { area: heldArea, attacks, paid },
  fault: (t, s) =>
    answerFault(t, s, "cancel") ??
    (t.airTarget[areaOf(s)] !== 1 || unitsIn(s, SOVIET, areaOf(s)) === 0
      ? fault("decision.area", `${AREA_IDS[areaOf(s)]} cannot be attacked from the air`)
      : null),
};

/** A Fortification has absorbed its kill of the turn; in the air or in attrition. */
export const raze: Decision = {
  rules: ["PS Fortify", "PS 5"],
  asks: (t, s) =>
    `${counted(s[L.kills]!, "kill")} in ${areaHere(t, s)} (${forces(s, areaOf(s))}). Give the Fortification up to save a unit?`,
  about: aboutArea,
  optional: true,
  marks: bothOf(DONE, RAZE),
  acts: {
    done: {
      means: (_t, s) => ({ text: "Keep the Fortification and lose the unit", places: [areaId(areaOf(s))] }),
      does: (t, s, _i, play) => (s[L.source] === AIR ? razeAgainstAir : razeInAttrition)(t, s, false, play),
    },
    raze: {
      means: (_t, s) => ({ text: "Give the Fortification up and save a unit", places: [areaId(areaOf(s))] }),
      does: (t, s, _i, play) => (s[L.source] === AIR ? razeAgainstAir : razeInAttrition)(t, s, true, play),
    },
  },
  by: () => SOVIET,
  turnOf: (s) => (s[L.source] === AIR ? GERMAN : null),
  holds: { area: heldArea, source: heldSource, kills: held(L.kills), attacks: inAir(attacks), paid: inAir(paid) },
  fault(_t, s) {
    const area = areaOf(s);
    if (!hasFort(s, area) || s[L.shieldUsed + area] === 0)
      return fault("decision.area", `raze needs a Fortification with a used shield in ${AREA_IDS[area]}`);
    if (s[L.kills]! < 1 || s[L.kills]! > unitsIn(s, SOVIET, area))
      return fault("decision.kills", `${s[L.kills]} kills among ${unitsIn(s, SOVIET, area)} Soviet units`);
    if (s[L.source] === AIR) return s[L.kills] === 1 ? null : fault("decision.kills", "an air attack makes one kill");
    return unitsIn(s, GERMAN, area) === 0 ? fault("decision.area", `no German unit is in ${AREA_IDS[area]}`) : null;
  },
};

export const sturm: Decision = {
  rules: ["PS Sturm", "PS 4.1"],
  asks(t, s) {
    const cost = s[L.surchargePaid] === 0 && t.sturmSurcharge > 0 ? ` for ${t.sturmSurcharge} CMD` : "";
    return `Sturm: ${unitsOf(s[L.left]!)} of Gumrak may infiltrate${cost}. Where to?`;
  },
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markSturm(t, s, mask, at);
  },
  acts: {
    done: {
      means: () => ({ text: "Move no more units by Sturm", warning: "What is left of the Sturm is lost." }),
      does: () => CROSS_STEP,
    },
    sturm: { means: (t, s, to) => movesTo(t, s, "Move a unit from Gumrak", GUMRAK, to), does: moveBySturm },
  },
  by: () => GERMAN,
  turnOf: () => GERMAN,
  holds: { left: held(L.left), surchargePaid: heldSurcharge },
  fault: (_t, s) => rightFault(s, "sturm", "sturm"),
};
