import { counted } from "../../core/words.js";
import { fault, type Meaning } from "../../core/decision.js";
import { oneOf } from "../../core/errors.js";
import type { StateView } from "../../core/layout.js";
import { type Deal, type Decision, markAreas, markPass } from "../actions.js";
import { CHIT, type Tables } from "../data.js";
import {
  areaId,
  CHIT_RULES,
  chitWord,
  controlWord,
  counterName,
  knowsSoviet,
  placeName,
  unitText,
} from "../events/words.js";
import {
  aboutArea,
  areaHere,
  areaMeaning,
  germansHere,
  hasStrongpoint,
  ownThere,
  unitMeaning,
  unitsAsked,
  unitThere,
} from "../narration/words.js";
import { chitAreas, firstInHand, handSize, placeChit } from "../rules/chits.js";
import { sovietStackFits } from "../rules/counters.js";
import {
  counterMayMove,
  destinations,
  markMovers,
  markSovietExcess,
  moveCounter,
  removeChitExcess,
  removeUnitExcess,
  sovietOverfull,
} from "../rules/soviet-movement.js";
import {
  type AreaId,
  ask,
  askedArea,
  askedChit,
  askedCounter,
  chitHas,
  type ChitId,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  chitsIn,
  type CounterId,
  counterOfChit,
  DECISION,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  GERMANS,
  isUnit,
  L,
  NO_AREA,
  NO_UNIT,
  PHASE,
  placeOf,
  SOVIET,
  sovietsIn,
  UNITS,
} from "../state.js";
import { removal } from "./entry.js";
import { heldArea, heldCounter, heldHandChit } from "./held.js";

export const chitPlace: Decision = {
  by: SOVIET,
  phases: () => [PHASE.chits],
  rules: ["SS 3.0"],
  cites: (t, s) => ["SS 3.0", CHIT_RULES[t.data.chitKind[askedChit(s)]!]!],
  asks(t, s) {
    const chit = `${chitWord(t, askedChit(s))} chit (${t.data.chitIds[askedChit(s)]!})`;
    return `Place the ${chit} face-down; ${counted(handSize(s), "chit")} in hand.`;
  },
  secret: "The Soviet player places an event chit.",
  marks: (t, s, mask, at) => markAreas(mask, at, chitAreas(t, s)),
  acts: {
    area: {
      means(t, s, a) {
        const double = t.data.chitKind[askedChit(s)] === CHIT.strongpoint && hasStrongpoint(t, s, a);
        return {
          ...areaMeaning(t, s, a, `Place it in ${placeName(t, a)} (${controlWord(s, a)}; ${ownThere(s, a)})`),
          warning: double ? "A strongpoint lies there already, and only one counts." : null,
        };
      },
      does: (t, s, a, play) => placeChit(t, s, askedChit(s), a, play),
    },
  },
  holds: { chit: heldHandChit },
  logged: true,
  deal(t, out) {
    out[L.decisionChit] = firstInHand(out) + 1;
    return chitAreas(t, out) !== 0;
  },
};

export const sovPick: Decision = {
  by: SOVIET,
  phases: () => [PHASE.sovMove],
  rules: ["SS 4.1", "SS 4.2", "SS 4.3"],
  asks: () => "Choose a Soviet counter to move, or end Soviet movement.",
  secret: "The Soviet player decides which counter moves next.",
  marks: (t, s, mask, at) => markPass(mask, at) + markMovers(t, s, mask, at),
  acts: {
    pass: { means: () => ({ text: "End Soviet movement", ends: "phase" }), does: () => true },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Move ${unitThere(t, s, u)}`),
      does: (_t, s, u) => ask(s, DECISION.sovDest, NO_AREA, u),
    },
    chit: {
      means: (t, s, c) => chitMeaning(t, s, c, (chit, where) => `Move the ${chit} from ${where}`),
      does: (_t, s, c) => ask(s, DECISION.sovDest, NO_AREA, counterOfChit(c)),
    },
  },
};

function chitMeaning(t: Tables, s: StateView, c: ChitId, text: (chit: string, where: string) => string): Meaning {
  const a = chitPlaceOf(s, c);
  const face = chitHas(s, c, FLAG.faceUp) ? "face-up " : "";
  const chit = `${face}${chitWord(t, c)} (${t.data.chitIds[c]!})`;
  return { text: text(chit, placeName(t, a)), places: [areaId(t, a)] };
}

export const sovDest: Decision = {
  by: SOVIET,
  phases: () => [PHASE.sovMove],
  rules: ["SS 4.1", "SS 4.3", "SS 1.21"],
  asks(t, s) {
    const counter = askedCounter(s);
    const what = isUnit(counter) ? unitText(t, s, counter) : `chit ${counterName(t, counter)}`;
    return `Move ${what} from ${placeName(t, moverPlace(s))} to an area next to it.`;
  },
  secret: "The Soviet player decides where a counter moves.",
  about: (t, s) => ({ units: unitsAsked(t, s), places: [areaId(t, moverPlace(s))] }),
  marks: (t, s, mask, at) => markAreas(mask, at, destinations(t, s, askedCounter(s))),
  acts: {
    area: {
      means: (t, s, a) =>
        areaMeaning(t, s, a, `To ${placeName(t, a)} (${controlWord(s, a)}; ${ownThere(s, a)}${germansHere(s, a)})`),
      does: (t, s, a, play) => moveCounter(t, s, askedCounter(s), a, play),
    },
  },
  holds: { unit: heldCounter },
  unasked(t, s) {
    const counter = askedCounter(s);
    if (counterMayMove(t, s, counter)) return null;
    const able: string[] = [];
    for (let k: CounterId = GERMANS; k < UNITS + CHITS; k++) if (counterMayMove(t, s, k)) able.push(counterName(t, k));
    return fault("decision.unit", `${counterName(t, counter)} can't move here: ${oneOf(able)} can`);
  },
  logged: true,
  deal: (t, out, rng) => dealMover(t, out, rng),
};

function moverPlace(s: StateView): AreaId {
  const counter = askedCounter(s);
  return isUnit(counter) ? placeOf(s, counter) : chitPlaceOf(s, chitOfCounter(counter));
}

/** Any counter that may move can have been picked; of equal chits in an area the lowest slot. */
const dealMover: Deal = (t, out, rng) => {
  let n = 0;
  for (let k: CounterId = GERMANS; k < UNITS + CHITS; k++) if (counterMayMove(t, out, k)) n++;
  if (n === 0) return false;
  let pick = rng.below(n);
  for (let k: CounterId = GERMANS; k < UNITS + CHITS; k++)
    if (counterMayMove(t, out, k) && pick-- === 0)
      out[L.decisionUnit] = (isUnit(k) ? k : counterOfChit(lowestAlike(t, out, chitOfCounter(k)))) + 1;
  return true;
};

function lowestAlike(t: Tables, s: StateView, chit: ChitId): ChitId {
  for (let c = FIRST_CHIT; c < chit; c++)
    if (
      t.data.chitKind[c] === t.data.chitKind[chit] &&
      chitPlaceOf(s, c) === chitPlaceOf(s, chit) &&
      counterMayMove(t, s, counterOfChit(c))
    )
      return c;
  return chit;
}

/** When Soviet movement is over. */
export const sovExcess: Decision = {
  by: SOVIET,
  phases: () => [PHASE.sovMove],
  afterPicks: () => true,
  rules: ["SS 1.21"],
  asks(t, s, viewer) {
    // whether units or chits are too many is not for others to know
    if (!knowsSoviet(viewer)) return `${areaHere(t, s)} holds too many Soviet counters.`;
    const a = askedArea(s);
    const n = sovietStackFits(t, s, a, NO_UNIT)
      ? counted(chitsIn(s, a), "chit")
      : counted(sovietsIn(s, a), "Soviet unit");
    return `${areaHere(t, s)} holds too much: remove one of ${n}.`;
  },
  about: aboutArea,
  marks: (t, s, mask, at) => markSovietExcess(t, s, askedArea(s), mask, at),
  acts: {
    unit: {
      means: removal,
      does(t, s, u, play) {
        removeUnitExcess(t, s, u, play);
        return true;
      },
    },
    chit: {
      means: (t, s, c) => chitMeaning(t, s, c, (chit) => `Put the ${chit} back into the pile`),
      does(t, s, c, play) {
        removeChitExcess(t, s, c, play);
        return true;
      },
    },
  },
  holds: { area: heldArea },
  logged: true,
  deal(t, out) {
    const area = askedArea(out);
    for (let a = FIRST_AREA; a < area; a++) if (sovietOverfull(t, out, a)) return false;
    return sovietOverfull(t, out, area);
  },
};
