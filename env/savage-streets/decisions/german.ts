import { counted } from "../../core/words.js";
import { fault, type Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { type Decision, markAreas, markPass } from "../actions.js";
import type { Tables } from "../data.js";
import { areaId, placeName, unitId, unitText } from "../events/words.js";
import { reachOf } from "../narration/reach.js";
import {
  aboutArea,
  areaHere,
  areaMeaning,
  crowded,
  movementWarning,
  spent,
  stepOf,
  unitMeaning,
  unitsAsked,
  unitThere,
  unmoved,
} from "../narration/words.js";
import {
  closeCommand,
  command,
  commandAreas,
  markUnmoved,
  openCommand,
  startMove,
  stepTo,
  stopUnit,
} from "../rules/german-movement.js";
import {
  AREAS,
  askedArea,
  askedUnit,
  commandAreaOf,
  FLAG,
  GERMAN,
  L,
  NO_AREA,
  PHASE,
  placeOf,
  unitHas,
  type UnitId,
} from "../state.js";
import { heldCommand, heldFirst, heldGerman, heldModifier, heldPoints } from "./held.js";

function endMovement(t: Tables, s: StateView): Meaning {
  return { text: "End German movement", ends: "phase", warning: movementWarning(t, s) };
}

export const gerPick: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerMove],
  mode: "duel",
  rules: ["SS 5.1", "SS 5.2", "SS 5.3"],
  asks: () => "Choose a German unit to move, or end German movement.",
  marks: (_t, s, mask, at) => markPass(mask, at) + markUnmoved(s, NO_AREA, mask, at),
  acts: {
    pass: { means: endMovement, does: () => true },
    unit: {
      means: (t, s, u) => withReach(t, s, u, `Move ${unitThere(t, s, u)}`),
      does: startMove,
    },
  },
};

function withReach(t: Tables, s: StateView, u: UnitId, text: string): Meaning {
  return { ...unitMeaning(t, s, u, text), reach: reachOf(t, s, u, t.data.mp[u]!) };
}

export const gerStep: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerMove],
  rules: ["SS 5.1", "SS 5.2"],
  asks(t, s) {
    const u = askedUnit(s);
    return `Move ${unitId(t, u)} on from ${placeName(t, placeOf(s, u))}: ${s[L.decisionMp]!} of ${t.data.mp[u]!} MP left.`;
  },
  about: (t, s) => ({ units: unitsAsked(t, s), places: [areaId(t, placeOf(s, askedUnit(s)))] }),
  marks(t, s, mask, at) {
    const n = markAreas(mask, at, t.data.adjacent[placeOf(s, askedUnit(s))]!);
    return s[L.decisionIsFirstStep] === 1 && !t.mayStay ? n : n + markPass(mask, at);
  },
  acts: {
    pass: {
      means: (t, s) => ({
        text: `${s[L.decisionIsFirstStep] === 1 ? "Stay" : "Stop"} in ${placeName(t, placeOf(s, askedUnit(s)))}`,
        warning: "The movement points left are lost.",
      }),
      does: (t, s, _i, play) => stopUnit(t, s, askedUnit(s), play),
    },
    area: {
      means: (t, s, a) => ({
        ...areaMeaning(t, s, a, `To ${placeName(t, a)} (${stepOf(t, s, askedUnit(s), a)})`),
        cost: spent(t, s, askedUnit(s)),
        warning: crowded(t, s, a, askedUnit(s), "at the end of movement"),
      }),
      does: (t, s, a, play) => stepTo(t, s, askedUnit(s), a, s[L.decisionMp]!, play),
    },
  },
  holds: { unit: heldGerman, mp: heldPoints, first: heldFirst },
  /** A unit under way or about to go. Rule: SS 5.1, SS 10.51. */
  unasked(t, s) {
    const u = askedUnit(s);
    const id = unitId(t, u);
    const all = t.data.mp[u]!;
    const mp = s[L.decisionMp]!;
    const command = commandAreaOf(s);
    if (placeOf(s, u) >= AREAS) return fault("decision.unit", `${id} is not on the map`);
    if (unitHas(s, u, FLAG.moved)) return fault("decision.unit", `${id} has moved already`);
    if (mp > all) return fault("decision.mp", `${id} has 1 to ${all} movement points, not ${mp}`);
    if ((s[L.decisionIsFirstStep] === 1) !== (mp === all))
      return fault("decision.first", `with ${mp} of ${all} movement points it is ${mp === all}`);
    if (t.solo && command < 0) return fault("command", "the unit that moves was commanded in an open area");
    return t.solo && mp === all && placeOf(s, u) !== command
      ? fault("decision.unit", `${id} is not in area ${areaId(t, command)}, which is commanded`)
      : null;
  },
};

export const cmdArea: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerMove],
  mode: "solo",
  rules: ["SS 10.51"],
  asks: () => "Open an area for command, or end German movement.",
  marks: (_t, s, mask, at) => markPass(mask, at) + markAreas(mask, at, commandAreas(s)),
  acts: {
    pass: { means: endMovement, does: () => true },
    area: {
      means: (t, s, a) =>
        areaMeaning(t, s, a, `Open ${placeName(t, a)} (${counted(unmoved(s, a), "unit")} to command)`),
      does: openCommand,
    },
  },
};

export const cmdUnit: Decision = {
  by: GERMAN,
  phases: () => [PHASE.gerMove],
  mode: "solo",
  rules: ["SS 10.51"],
  asks(t, s) {
    const needed = t.data.commandMax - s[L.commandModifier]!;
    return `Try to command a unit in ${areaHere(t, s)} (a die of ${needed} or less moves it), or close the area.`;
  },
  about: aboutArea,
  marks: (_t, s, mask, at) => markPass(mask, at) + markUnmoved(s, askedArea(s), mask, at),
  acts: {
    pass: {
      means: (_t, s) => ({
        text: "Close the area",
        warning: unmoved(s, askedArea(s)) > 0 ? "It can't be opened again this turn." : null,
      }),
      does: (t, s, _i, play) => closeCommand(t, s, play),
    },
    unit: {
      means: (t, s, u) => withReach(t, s, u, `Roll for ${unitText(t, s, u)}`),
      does: command,
    },
  },
  holds: { area: heldCommand, drm: heldModifier },
};
