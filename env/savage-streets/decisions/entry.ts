import { counted } from "../../core/words.js";
import { fault, type Meaning } from "../../core/decision.js";
import { oneOf } from "../../core/errors.js";
import type { StateView } from "../../core/layout.js";
import { type Deal, type Decision, markAreas, markPass } from "../actions.js";
import type { Tables } from "../data.js";
import { placeName, unitId, unitText } from "../events/words.js";
import {
  aboutArea,
  aboutUnit,
  areaHere,
  areaMeaning,
  crowded,
  ownThere,
  underFire,
  unitMeaning,
} from "../narration/words.js";
import { markGermans } from "../rules/counters.js";
import {
  enterUnit,
  germanEntryAreas,
  holdBack,
  land,
  landingAreas,
  landingChoices,
  markLanders,
  mayLand,
  mayTry,
  removeGermanExcess,
} from "../rules/reinforcement.js";
import { setUpUnit, setupAreas } from "../rules/setup.js";
import {
  ask,
  askedArea,
  askedUnit,
  DECISION,
  GERMAN,
  GERMANS,
  germansIn,
  L,
  NO_AREA,
  PHASE,
  phaseOf,
  SOVIET,
  type UnitId,
  UNITS,
} from "../state.js";
import { heldArea, heldGerman, heldSoviet } from "./held.js";

export const setupPlace: Decision = {
  by: SOVIET,
  phases: () => [PHASE.setup],
  rules: ["SS 1.52", "SS 1.21"],
  asks: (t, s) => `Set up ${unitText(t, s, askedUnit(s))} face-down in a numbered area.`,
  secret: "The Soviet player sets up the at-start units unseen.",
  about: aboutUnit,
  marks: (t, s, mask, at) => markAreas(mask, at, setupAreas(t, s, askedUnit(s))),
  acts: {
    area: {
      means: (t, s, a) => areaMeaning(t, s, a, `Set it up in ${placeName(t, a)} (${ownThere(s, a)})`),
      does: (t, s, a, play) => setUpUnit(t, s, askedUnit(s), a, play),
    },
  },
  holds: { unit: heldSoviet },
};

export const gerPlace: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerReinf],
  rules: ["SS 2.1", "SS 1.21"],
  asks: (t, s) => `Place ${unitText(t, s, askedUnit(s))} in an entry area.`,
  about: aboutUnit,
  marks: (t, s, mask, at) => markAreas(mask, at, germanEntryAreas(t, s, askedUnit(s))),
  acts: {
    area: {
      means: (t, s, a) => ({
        ...areaMeaning(t, s, a, `Enter at ${placeName(t, a)} (${counted(germansIn(s, a), "unit")} there)`),
        warning: crowded(t, s, a, askedUnit(s), "when all have entered"),
      }),
      does: (t, s, a, play) => enterUnit(t, s, askedUnit(s), a, play),
    },
  },
  holds: { unit: heldGerman },
};

/** When all have entered, or when German movement is over. */
export const gerExcess: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerReinf, PHASE.gerMove],
  afterPicks: (s) => phaseOf(s) === PHASE.gerMove,
  rules: ["SS 1.21"],
  asks: (t, s) =>
    `${areaHere(t, s)} holds ${counted(germansIn(s, askedArea(s)), "German unit")}, too many: remove one.`,
  about: aboutArea,
  marks: (t, s, mask, at) => markGermans(t, s, askedArea(s), anyUnit, mask, at),
  acts: {
    unit: {
      means: removal,
      does(t, s, u, play) {
        removeGermanExcess(t, s, u, play);
        return phaseOf(s) === PHASE.gerMove;
      },
    },
  },
  holds: { area: heldArea },
};

const anyUnit = () => true;

/** A unit that is one too many. */
export function removal(t: Tables, s: StateView, u: UnitId): Meaning {
  return { ...unitMeaning(t, s, u, `Remove ${unitText(t, s, u)}`), warning: "It is eliminated." };
}

export const reinfPick: Decision = {
  by: SOVIET,
  phases: () => [PHASE.sovReinf],
  rules: ["SS 2.2"],
  asks: () => "Choose the next unit to land, or hold back the rest.",
  secret: "The Soviet player decides which unit lands next.",
  marks: (t, s, mask, at) => markPass(mask, at) + markLanders(t, s, mask, at),
  acts: {
    pass: {
      means(_t, s) {
        let n = 0;
        for (let u = GERMANS; u < UNITS; u++) if (mayTry(s, u)) n++;
        const warning = `${counted(n, "unit")} will wait until the next turn.`;
        return { text: "Hold back the rest", ends: "phase", warning };
      },
      does(t, s, _i, play) {
        holdBack(t, s, play);
        return true;
      },
    },
    unit: {
      means: (t, s, u) => ({ text: `Land ${unitText(t, s, u)}`, units: [unitId(t, u)] }),
      does: (_t, s, u) => ask(s, DECISION.reinfArea, NO_AREA, u),
    },
  },
  deal: (t, out) => landers(t, out) > 0,
};

function landers(t: Tables, s: StateView): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) if (mayLand(t, s, u)) n++;
  return n;
}

export const reinfArea: Decision = {
  by: SOVIET,
  phases: () => [PHASE.sovReinf],
  opener: DECISION.reinfPick,
  rules: ["SS 2.2", "SS 1.21"],
  asks: (t, s) => `Land ${unitText(t, s, askedUnit(s))}.`,
  secret: "The Soviet player decides where a unit lands.",
  about: aboutUnit,
  marks: (t, s, mask, at) => markAreas(mask, at, landingChoices(t, s, askedUnit(s))),
  acts: {
    area: {
      means(t, s, a) {
        const fire = ((landingAreas(t, s, t.data.red[askedUnit(s)] === 1) >> a) & 1) === 0;
        const text = `Land in ${placeName(t, a)}${fire ? " under fire" : ""} (${ownThere(s, a)})`;
        return { ...areaMeaning(t, s, a, text), warning: fire ? underFire(t) : null };
      },
      does: (t, s, a, play) => land(t, s, askedUnit(s), a, play),
    },
  },
  holds: { unit: heldSoviet },
  unasked(t, s) {
    if (mayLand(t, s, askedUnit(s))) return null;
    const able = t.data.unitIds.filter((_, u) => u >= GERMANS && mayLand(t, s, u));
    return fault("decision.unit", `${unitId(t, askedUnit(s))} can't land here: ${oneOf(able)} can`);
  },
  logged: true,
  deal: (t, out, rng) => dealLander(t, out, rng),
};

/** Any unit that may land can have been picked. */
const dealLander: Deal = (t, out, rng) => {
  const n = landers(t, out);
  if (n === 0) return false;
  let pick = rng.below(n);
  for (let u = GERMANS; u < UNITS; u++) if (mayLand(t, out, u) && pick-- === 0) out[L.decisionUnit] = u + 1;
  return true;
};
