import { fault } from "../../core/decision.js";
import { listed } from "../../core/words.js";
import { type Decision, markAreas, markPass } from "../actions.js";
import type { Tables } from "../data.js";
import { areaId, bitsOf, placeName, unitIds, unitText } from "../events/words.js";
import { aboutArea, areaHere, areaMeaning, breakthroughWarning, step, unitMeaning } from "../narration/words.js";
import { breakThrough, breakthroughTargets, declineBreakthrough, join, mayJoin } from "../rules/breakthrough.js";
import { markGermans } from "../rules/counters.js";
import { askedArea, breakthroughEnd, breakthroughStart, GERMAN, L, PHASE, type UnitId } from "../state.js";
import { heldBreakthrough } from "./held.js";

/** Ruling R18, option `dummy`: also among the events. */
const phases = (t: Tables) => (t.dummyAtOnce ? [PHASE.events, PHASE.combat] : [PHASE.combat]);

export const btDest: Decision = {
  by: GERMAN,
  phases,
  rules: ["SS 7.31"],
  asks: (t, s) => `Break through from ${areaHere(t, s)} to an area next to it without Germans?`,
  about: aboutArea,
  marks: (t, s, mask, at) => markPass(mask, at) + markAreas(mask, at, breakthroughTargets(t, s, askedArea(s))),
  acts: {
    pass: {
      means: (t, s) => ({ text: "Stay: no breakthrough", warning: breakthroughWarning(t, s) }),
      does: (t, s, _i, play) => declineBreakthrough(t, s, play),
    },
    area: {
      means: (t, s, a) => areaMeaning(t, s, a, `To ${placeName(t, a)} (${step(s, a)})`),
      does(_t, s, a) {
        s[L.breakthroughTo] = a + 1;
      },
    },
  },
  holds: { area: heldBreakthrough },
};

export const btUnit: Decision = {
  by: GERMAN,
  phases,
  rules: ["SS 7.31"],
  asks(t, s) {
    const chosen = bitsOf<UnitId>(s[L.breakthroughUnits]!);
    const so = chosen.length === 0 ? "" : ` So far: ${listed(unitIds(t, chosen), "none")}.`;
    return `Choose who breaks through from ${areaHere(t, s)} to ${placeName(t, breakthroughEnd(s))}.${so}`;
  },
  about: (t, s) => ({
    units: unitIds(t, bitsOf<UnitId>(s[L.breakthroughUnits]!)),
    places: [areaId(t, askedArea(s)), areaId(t, breakthroughEnd(s))],
  }),
  marks(t, s, mask, at) {
    const n = markGermans(t, s, breakthroughStart(s), mayJoin, mask, at);
    return s[L.breakthroughUnits] === 0 ? n : n + markPass(mask, at);
  },
  acts: {
    pass: { means: () => "Nobody else: break through now", does: (t, s, _i, play) => breakThrough(t, s, play) },
    unit: { means: (t, s, u) => unitMeaning(t, s, u, `${unitText(t, s, u)} goes`), does: join },
  },
  holds: { area: heldBreakthrough },
  fault: (_t, s) =>
    breakthroughEnd(s) < 0 ? fault("breakthrough.dest", "bt-unit comes after the destination is chosen") : null,
};
