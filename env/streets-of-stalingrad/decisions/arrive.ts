import { hexId, unitId } from "../events/words.js";
import { boxPlace, F_UNIT } from "../layout.js";
import { now } from "../narration/words.js";
import { bringArrivals, fillBoxes, hasArrivals, nextToReturn, returnTo } from "../rules/units/arrivals.js";
import { closeStage } from "../sequence.js";
import { askedUnit, topFrame } from "../state.js";
import type { Decision } from "./decision.js";

/** The box to which a wounded leader or a lost flotilla unit comes back. The engine names one after another. */
export const arriveBox: Decision = {
  rules: ["SOS 18.42", "SOS 2.14", "SOS 2.15"],
  asks: (t, s) => `${now(t, s)}: ${unitId(t, askedUnit(t, s))} comes back. Choose a box.`,
  about: (t, s) => ({ units: [unitId(t, askedUnit(t, s))] }),
  waits: (_t, _s, by) => ({ text: `The ${by} side brings a unit back.`, rule: "SOS 18.42" }),
  work: {
    due: (t, s) => s[topFrame(t, s) + F_UNIT] === 0 && (nextToReturn(t, s) >= 0 || hasArrivals(t, s)),
    does(t, s, play) {
      const unit = nextToReturn(t, s);
      if (unit < 0) bringArrivals(t, s, play);
      else s[topFrame(t, s) + F_UNIT] = unit + 1;
    },
  },
  marks: fillBoxes,
  acts: {
    box: {
      means(t, s, box) {
        const id = hexId(t, boxPlace(box));
        return { text: `Bring ${unitId(t, askedUnit(t, s))} back to box ${id}`, places: [id] };
      },
      does: returnTo,
    },
  },
  closes: closeStage,
  frame: {
    hex: "none",
    unit: "none",
    write: (t, s, frame) => ({ focus: s[frame + F_UNIT] === 0 ? undefined : unitId(t, s[frame + F_UNIT]! - 1) }),
    read(r) {
      if (r.doc.focus === undefined) return;
      r.set(F_UNIT, r.own("focus", r.doc.focus) + 1);
      if (nextToReturn(r.tables, r.s) + 1 !== r.s[r.frame + F_UNIT])
        r.refuse("focus", `${r.doc.focus} is not the next to come back`);
    },
  },
};
