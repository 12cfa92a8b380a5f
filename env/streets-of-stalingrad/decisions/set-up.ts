import { hexText, unitId } from "../events/words.js";
import { FRONT } from "../data.js";
import { hexMeaning } from "../narration/words.js";
import { fillPlaces, leftToPlace, nextSide, nextToPlace, placeRest, placeUnit } from "../rules/units/set-up.js";
import { testStart } from "../rules/units/reliability.js";
import { closeStage } from "../sequence.js";
import { actorOf, type Tables } from "../state.js";
import type { StateView } from "../../core/layout.js";
import { faceText } from "../events/words.js";
import type { Decision } from "./decision.js";

const countText = (left: number): string => (left === 1 ? ", the last one" : `, the first of ${left} that are left`);
const focus = (t: Tables, s: StateView) => nextToPlace(t, s, actorOf(t, s));

/** Where a unit begins the scenario, one after another, the Soviet side first. */
export const setupPlace: Decision = {
  rules: ["SOS 2.33", "SOS 2.31"],
  asks(t, s) {
    const unit = focus(t, s);
    const left = countText(leftToPlace(t, s, actorOf(t, s)));
    const whom = `${unitId(t, unit)} (${faceText(t, unit)})${left}`;
    return `Set-up: choose a hex for ${whom}. Infantry stands on the front of its formation, others in its area too.`;
  },
  about: (t, s) => ({ units: [unitId(t, focus(t, s))] }),
  waits: (_t, _s, by) => ({ text: `The ${by} side sets up.`, rule: "SOS 2.33" }),
  work: {
    due: (t, s) => focus(t, s) < 0,
    does(t, s, play) {
      if (nextSide(t, s, play)) return;
      testStart(t, s, play); // Rule: SOS 16.84
      closeStage(t, s, play);
    },
  },
  marks: fillPlaces,
  acts: {
    auto: {
      means: () => "All that are left to their ready places",
      does: (t, s, _i, play) => placeRest(t, s, play),
    },
    hex: {
      means: (t, s, hex) => {
        const { group, hexes } = t.zones!;
        const front = hexes[group[focus(t, s)]!]![hex] === FRONT ? ", on the front" : "";
        return hexMeaning(t, hex, `Set ${unitId(t, focus(t, s))} up in ${hexText(t, hex)}${front}`);
      },
      does: placeUnit,
    },
  },
  frame: {
    hex: "none",
    unit: "none",
    write(t, s) {
      const unit = focus(t, s);
      return { focus: unit < 0 ? undefined : unitId(t, unit) };
    },
    read(r) {
      if (r.doc.focus === undefined) return;
      if (nextToPlace(r.tables, r.s, r.actor) !== r.own("focus", r.doc.focus))
        r.refuse("focus", `${r.doc.focus} is not the next to set up`);
    },
  },
};
