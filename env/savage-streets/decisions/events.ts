import type { Decision } from "../actions.js";
import { CHIT } from "../data.js";
import { unitText } from "../events/words.js";
import { aboutArea, areaHere, unitMeaning } from "../narration/words.js";
import { markGermans } from "../rules/counters.js";
import { aim, ambushMayHit, molotovMayHit, sniperMayHit } from "../rules/events.js";
import { askedArea, askedChit, PHASE, SOVIET } from "../state.js";
import { heldArea, heldShooter, shooterFault } from "./held.js";

/** What the decisions of chits that shoot have in common. */
const shooting = {
  by: SOVIET,
  phases: () => [PHASE.events, PHASE.combat],
  about: aboutArea,
  acts: {
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Aim at ${unitText(t, s, u)}`),
      does: (t, s, u, play) => aim(t, s, askedChit(s), u, play),
    },
  },
  fault: shooterFault,
} as const satisfies Partial<Decision>;

export const sniperTarget: Decision = {
  ...shooting,
  rules: ["SS 6.1"],
  asks: (t, s) => `The sniper in ${areaHere(t, s)} shoots at one HQ.`,
  marks: (t, s, mask, at) => markGermans(t, s, askedArea(s), sniperMayHit, mask, at),
  holds: { area: heldArea, chit: heldShooter(CHIT.sniper) },
};

export const molotovTarget: Decision = {
  ...shooting,
  rules: ["SS 6.2"],
  asks: (t, s) => `The molotov in ${areaHere(t, s)} is thrown at one armoured unit.`,
  marks: (t, s, mask, at) => markGermans(t, s, askedArea(s), molotovMayHit, mask, at),
  holds: { area: heldArea, chit: heldShooter(CHIT.molotov) },
};

export const ambushTarget: Decision = {
  ...shooting,
  rules: ["SS 6.4"],
  asks: (t, s) => `Aim an ambush in ${areaHere(t, s)} at a unit; all dice fall when every ambush is aimed.`,
  marks: (t, s, mask, at) => markGermans(t, s, askedArea(s), ambushMayHit, mask, at),
  holds: { area: heldArea, chit: heldShooter(CHIT.ambush) },
};
