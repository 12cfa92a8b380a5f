import { pointsLeft } from "../events/administration.js";
import * as events from "../events/administration.js";
import { hexId, unitId, unitText } from "../events/words.js";
import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import {
  ASK_REPLACE,
  boxPlace,
  F_ASK,
  F_STEP,
  F_UNIT,
  FRAME_WORDS,
  GUN_PHASE_SHIFT,
  isLost,
  type UnitId,
  UNREADY,
} from "../layout.js";
import { now } from "../narration/words.js";
import {
  ARRIVED,
  BOUGHT,
  bringAll,
  fillReplacements,
  isArriving,
  isDueBack,
  nameReplacement,
  payFor,
} from "../rules/administration/replacements.js";
import {
  bringArrivals,
  comeTo,
  fillBoxes,
  hasArrivals,
  nextToReturn,
  onlyBox,
  returnTo,
} from "../rules/units/arrivals.js";
import { closeStage } from "../sequence.js";
import { actorOf, askedUnit, give, placeOf, pop, setExtra, type Tables, topFrame } from "../state.js";
import { counted } from "../../core/words.js";
import { NO, YES } from "../actions.js";
import { askedDivision, decideCommitment, noteAsked } from "../rules/administration/commitment.js";
import { isDue } from "../divisions.js";
import { fillRepairs, offerRepair, repair, REPAIRED } from "../rules/administration/repair.js";
import { SOVIET } from "../roster.js";
import type { Decision } from "./decision.js";
import { positive } from "./frame.js";

/** True when the decision is above that of replacements, and not the root of the stage itself. */
const isAbove = (t: Tables, s: StateView): boolean => s[topFrame(t, s) - FRAME_WORDS + F_ASK] === ASK_REPLACE;
/** True when the arriving unit is bought. */
const isBought = (t: Tables, s: StateView): boolean => isLost(placeOf(t, s, askedUnit(t, s)));

/**
 * The box to which a unit comes: a wounded leader or a lost flotilla unit who is back, one after another; a
 * headquarters, or a unit that is replaced.
 */
export const arriveBox: Decision = {
  rules: ["SOS 18.42", "SOS 2.14", "SOS 2.15", "SOS 21.2"],
  asks: (t, s) =>
    isBought(t, s)
      ? `${now(t, s)}: ${unitText(t, s, askedUnit(t, s))} is replaced for ${t.roster.af[askedUnit(t, s)]!} of ${pointsLeft(t, s, actorOf(t, s))}. Choose a box.`
      : `${now(t, s)}: ${unitId(t, askedUnit(t, s))} comes back. Choose a box.`,
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
      does: choose,
    },
  },
  closes: closeStage,
  /** What is bought shows when it comes. */
  hides(t, s) {
    if (!isAbove(t, s) || !isBought(t, s)) return false;
    pop(t, s);
    return true;
  },
  frame: {
    on: ["arrive.replace"],
    hex: "none",
    unit: "none",
    write: (t, s, frame) => ({ focus: s[frame + F_UNIT] === 0 ? undefined : unitId(t, s[frame + F_UNIT]! - 1) }),
    read(r) {
      const { s, tables } = r;
      if (r.doc.focus === undefined) {
        if (r.below >= 0) r.refuse("focus", "it is the unit that comes");
        return;
      }
      const unit = r.own("focus", r.doc.focus);
      const due = r.below < 0 ? nextToReturn(tables, s) === unit : isDueBack(tables, s, unit, r.frame);
      r.set(F_UNIT, unit + 1);
      if (!due) r.refuse("focus", `${r.doc.focus} is not the next to come back`);
    },
  },
};

/** The unit comes to a box. */
function choose(t: Tables, s: State, box: number, play: Play): void {
  const above = isAbove(t, s);
  const unit = askedUnit(t, s);
  if (above && isBought(t, s)) replace(t, s, unit, box, play);
  else returnTo(t, s, box, play);
  if (above) pop(t, s);
}

/** A unit is bought; guns are not ready to fire. Rule: SOS 14.11, SOS 21.41, rulings R62, R130 */
function replace(t: Tables, s: State, unit: UnitId, box: number, play: Play): void {
  payFor(t, s, unit);
  if (play.narrator !== null) events.replaces(t, s, unit, box, play);
  setExtra(t, s, unit, GUN_PHASE_SHIFT, 0);
  comeTo(t, s, unit, box, play);
  if (t.roster.towed[unit] === 1) give(t, s, unit, UNREADY);
  s[topFrame(t, s) - FRAME_WORDS + F_STEP] = BOUGHT;
}

/** A division that the German side takes, or refuses for good. */
export const arriveCommit: Decision = {
  rules: ["SOS 3.5", "SOS 3.6"],
  asks(t, s) {
    const { name, points, units } = askedDivision(t, s);
    return `${now(t, s)}: ${name} comes with ${counted(units.length, "unit")} in all. Take it, or refuse it for good and get ${counted(points, "point")}?`;
  },
  waits: (_t, _s, by) => ({ text: `The ${by} side decides whether it takes a division.`, rule: "SOS 3.5" }),
  marks(_t, _s, mask, at) {
    mask[at + YES] = 1;
    mask[at + NO] = 1;
    return 2;
  },
  acts: {
    yes: {
      means: (t, s) => `Take ${askedDivision(t, s).name}`,
      does: (t, s, _i, play) => decideCommitment(t, s, true, play),
    },
    no: {
      means: (t, s) => ({
        text: `Refuse ${askedDivision(t, s).name} for ${counted(askedDivision(t, s).points, "point")}`,
        warning: "It never comes.",
      }),
      does: (t, s, _i, play) => decideCommitment(t, s, false, play),
    },
  },
  frame: {
    on: ["arrive.replace"],
    hex: "none",
    unit: "none",
    write: (t, s, frame) => ({ focus: t.setting.divisions[s[frame + F_STEP]!]!.name }),
    read(r) {
      const { divisions } = r.tables.setting;
      const i = divisions.findIndex(({ name }) => name === r.doc.focus);
      if (i < 0 || !isDue(r.tables, r.s, divisions[i]!))
        r.refuse("focus", `no division ${r.doc.focus ?? ""} comes in this turn for the first time`);
      noteAsked(r.s, r.frame, i);
      r.set(F_STEP, i);
    },
  },
};

/** Eliminated units that come back for points. Units that come back otherwise, and scheduled arrivals, come first. */
export const arriveReplace: Decision = {
  rules: ["SOS 21.41", "SOS 21.42", "SOS 21.43"],
  asks: (t, s) =>
    `${now(t, s)}: ${pointsLeft(t, s, actorOf(t, s))} for replacements. Choose an eliminated unit, which costs its AF, or keep the points.`,
  waits: (_t, _s, by) => ({ text: `The ${by} side replaces eliminated units.`, rule: "SOS 21.41" }),
  work: { due: isArriving, does: bringAll },
  marks: fillReplacements,
  acts: {
    done: {
      means: () => "Keep the points that are left",
      does(t, s, _i, play) {
        if (play.narrator !== null) events.pointsKept(t, s, actorOf(t, s), play);
        endArrivals(t, s, play);
      },
    },
    unit: {
      means(t, s, u) {
        const box = onlyBox(t, actorOf(t, s));
        const where = box < 0 ? "" : ` in box ${hexId(t, boxPlace(box))}`;
        const text = `Replace ${unitText(t, s, u)}${where} for ${t.roster.af[u]!} points`;
        return { text, units: [unitId(t, u)] };
      },
      does: nameReplacement,
    },
  },
  closes: endArrivals,
  frame: {
    // the repair above it says that it has come to that
    write: (_t, s, frame) => ({ step: s[frame + F_STEP] === REPAIRED ? undefined : positive(s[frame + F_STEP]!) }),
    read(r) {
      const { step = 0 } = r.doc;
      if (step > BOUGHT)
        r.refuse("step", `it is ${ARRIVED} once arrivals have come, ${BOUGHT} once a unit was replaced`);
      r.set(F_STEP, step);
    },
  },
};

/** Replacements are over; the last to come is a tank that is repaired. Ruling R103. */
function endArrivals(t: Tables, s: State, play: Play): void {
  if (!offerRepair(t, s)) closeStage(t, s, play);
}

/** A lost tank that is repaired in the Tractor Factory. */
export const arriveRepair: Decision = {
  rules: ["SOS 16.72", "SOS 16.71"],
  asks: (t, s) => `${now(t, s)}: choose a lost tank that is repaired and comes back beside the repair unit, or pass.`,
  waits: (_t, _s, by) => ({ text: `The ${by} side repairs a tank.`, rule: "SOS 16.72" }),
  marks: fillRepairs,
  acts: {
    pass: { means: () => "Repair no tank in this turn", does: (t, s, _i, play) => endRepair(t, s, play) },
    unit: {
      means: (t, s, u) => ({ text: `Repair ${unitText(t, s, u)}`, units: [unitId(t, u)] }),
      does(t, s, u, play) {
        repair(t, s, u, play);
        endRepair(t, s, play);
      },
    },
  },
  closes: endRepair,
  frame: {
    on: ["arrive.replace"],
    hex: "none",
    unit: "none",
    read(r) {
      if (r.actor !== SOVIET) r.refuse("actor", "only the Soviet side repairs tanks");
      r.s[r.frame - FRAME_WORDS + F_STEP] = REPAIRED;
    },
  },
};

/** The stage is over with the repair. */
function endRepair(t: Tables, s: State, play: Play): void {
  pop(t, s);
  closeStage(t, s, play);
}
