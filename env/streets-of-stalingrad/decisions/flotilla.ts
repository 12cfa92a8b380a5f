import { hexId, hexText, unitId } from "../events/words.js";
import { F_UNIT } from "../layout.js";
import { hexMeaning, now, unitFrom, unitMeaning } from "../narration/words.js";
import { fillBoats, nameBoat, placeBoat } from "../rules/units/flotilla.js";
import { closeStage } from "../sequence.js";
import { askedUnit, placeOf, topFrame } from "../state.js";
import type { Decision } from "./decision.js";

/** Units of the river flotilla come on the Volga for a phase: one is named, then its hex. */
export const rfPlace: Decision = {
  rules: ["SOS 16.53", "SOS 16.52", "SOS 16.55"],
  asks: (t, s) =>
    askedUnit(t, s) < 0
      ? `${now(t, s)}: choose a flotilla unit to place on the Volga for this phase, or end. Each is used once a turn.`
      : `Choose a Volga hex for ${unitId(t, askedUnit(t, s))}. It reaches cliffs up to ${t.roster.range[askedUnit(t, s)]!} hexes away.`,
  about: (t, s) =>
    askedUnit(t, s) < 0
      ? {}
      : { units: [unitId(t, askedUnit(t, s))], places: [hexId(t, placeOf(t, s, askedUnit(t, s)))] },
  waits: (_t, _s, by) => ({ text: `The ${by} side decides on its river flotilla.`, rule: "SOS 16.53" }),
  marks: fillBoats,
  acts: {
    done: {
      means: () => "Place no more flotilla units in this phase",
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Place ${unitFrom(t, s, u)} on the Volga`),
      does: nameBoat,
    },
    hex: {
      means: (t, s, hex) => hexMeaning(t, hex, `Place ${unitId(t, askedUnit(t, s))} in ${hexText(t, hex)}`),
      does: placeBoat,
    },
  },
  closes: closeStage,
  /** Which unit is named shows when it comes. */
  hides(t, s) {
    s[topFrame(t, s) + F_UNIT] = 0;
  },
  frame: {
    hex: "none",
    read(r) {
      if (r.doc.unit === undefined) return;
      const unit = r.own("unit", r.doc.unit);
      if (r.tables.roster.boat[unit] === 0) r.refuse("unit", `${r.doc.unit} is no unit of the flotilla`);
      r.set(F_UNIT, unit + 1);
    },
  },
};
