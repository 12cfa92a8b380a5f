import type { Dice } from "../../core/dice/dice.js";
import type { State, StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { hexId, hexText, knownIds, namesFor, unitId, unitsIn, unitsWith, unitText } from "../events/words.js";
import {
  ASK_ICA,
  CAUSE_ATTACK,
  CAUSE_BOMBARDMENT,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  COUNTER,
  EXPOSED,
  F_ACTOR,
  F_CAUSE,
  F_FLAG,
  F_NEED,
  F_STEP,
  LEFT,
  type UnitId,
} from "../layout.js";
import { counterOdds } from "../narration/numbers.js";
import { aboutHex, aboutPicks, enemiesIn, hexMeaning, unitFrom, unitMeaning } from "../narration/words.js";
import { afterBombs } from "../rules/artillery/bombardment.js";
import * as advance from "../rules/combat/advance.js";
import * as after from "../rules/combat/after.js";
import { afterLosses } from "../rules/combat/attack.js";
import * as ica from "../rules/combat/ica.js";
import { pinMovers } from "../rules/movement/opportunity.js";
import { settleLosses } from "../rules/units/leaders.js";
import { fillLosses, loseOne, pinHex } from "../rules/units/losses.js";
import {
  actorOf,
  anyHas,
  askedHex,
  askedUnit,
  frameHex,
  frameOf,
  give,
  placeOf,
  pop,
  type Tables,
  topFrame,
} from "../state.js";
import { isHeldByGermans } from "../victory.js";
import { decline } from "./decline.js";
import type { Decision } from "./decision.js";

export const lossPick: Decision = {
  rules: ["SOS 9.82", "SOS 9.81"],
  asks: (t, s) =>
    `${counted(s[topFrame(t, s) + F_NEED]!, "loss", "losses")} to take in ${hexText(t, askedHex(t, s))}: choose a unit.`,
  about: aboutPicks(EXPOSED),
  waits: (_t, _s, by, hex) => ({ text: `The ${by} side chooses its losses in ${hex}.`, rule: "SOS 9.82" }),
  marks: fillLosses,
  acts: {
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Lose ${unitText(t, s, u)} in ${hexId(t, placeOf(t, s, u))}`),
      does: lose,
    },
  },
};

/**
 * A loss is named; when the losses of the result are complete, a P that came with them is carried out. Rule: SOS 9.81
 */
function lose(t: Tables, s: State, unit: UnitId, dice: Dice): void {
  const frame = topFrame(t, s);
  const hex = frameHex(s, frame);
  const owner = s[frame + F_ACTOR]!;
  const cause = s[frame + F_CAUSE]!;
  const pins = s[frame + F_FLAG] === 1;
  if (!loseOne(t, s, unit)) return;
  if (cause === CAUSE_ATTACK) return afterLosses(t, s, true, pins, dice);
  if (cause === CAUSE_BOMBARDMENT) {
    afterBombs(t, s, owner, hex, true, pins, dice);
    return;
  }
  settleLosses(t, s, owner, dice);
  if (cause === CAUSE_DEFENSE && pins) pinHex(t, s, owner, hex);
  else if (cause === CAUSE_OPPORTUNITY && pins) pinMovers(t, s, owner, hex);
}

/** Is a counter-attack under way? */
const counters = (t: Tables, s: StateView): boolean => frameOf(t, s, ASK_ICA) >= 0;

const retreats: Decision["waits"] = (_t, _s, by, hex) => ({
  text: `The ${by} side retreats from ${hex}.`,
  rule: "SOS 9.87",
});

/** Do the defenders retreat, or is a unit given up? */
export const afterChoice: Decision = {
  rules: ["SOS 9.88", "SOS 9.87"],
  asks(t, s, viewer) {
    const left = namesFor(t, s, unitsWith(t, s, LEFT), viewer);
    return `${hexText(t, askedHex(t, s))}: does ${left} retreat, or is one unit given up to stay?`;
  },
  about: aboutPicks(LEFT),
  waits: retreats,
  marks: after.fillChoice,
  acts: {
    retreat: {
      means: (t, s) => `Retreat from ${hexText(t, askedHex(t, s))}`,
      does: after.chooseRetreat,
    },
    sacrifice: {
      means: (t, s) => ({
        text: `Stay in ${hexText(t, askedHex(t, s))} and lose a unit`,
        warning: "A unit is lost at once.",
      }),
      does: (t, s, _i, dice) => after.sacrifice(t, s, dice),
    },
  },
  closes: after.chooseRetreat,
};

/** Who retreats next. */
export const afterUnit: Decision = {
  rules: ["SOS 9.87"],
  cites: (t, s) => [counters(t, s) ? "SOS 12.6" : "SOS 9.87"],
  asks(t, s, viewer) {
    const left = namesFor(t, s, unitsWith(t, s, LEFT), viewer);
    return `${hexText(t, askedHex(t, s))}: ${left} must leave. Choose who goes next; who can't go is lost.`;
  },
  about: aboutPicks(LEFT),
  waits: retreats,
  marks: after.fillUnits,
  acts: {
    unit: { means: (t, s, u) => unitMeaning(t, s, u, `Retreat ${unitFrom(t, s, u)}`), does: after.nameUnit },
  },
  closes: after.closeAfter,
};

/** Where to. */
export const afterHex: Decision = {
  rules: ["SOS 9.87"],
  cites: (t, s) => [counters(t, s) ? "SOS 12.6" : "SOS 9.87"],
  asks(t, s) {
    const unit = askedUnit(t, s);
    return `Choose where ${unitText(t, s, unit)} retreats to from ${hexId(t, placeOf(t, s, unit))}.`;
  },
  about: (t, s, viewer) => ({ units: knownIds(t, s, [askedUnit(t, s)], viewer), ...aboutHex(t, s) }),
  waits: retreats,
  marks: after.fillHexes,
  acts: {
    hex: {
      means: (t, s, hex) => hexMeaning(t, hex, `Retreat ${unitId(t, askedUnit(t, s))} to ${hexText(t, hex)}`),
      does: after.goTo,
    },
  },
};

/** Who enters a hex that was cleared. */
export const advanceUnit: Decision = {
  rules: ["SOS 9.85", "SOS 12.1"],
  cites: (t, s) => [counters(t, s) ? "SOS 12.6" : "SOS 9.85", "SOS 12.1"],
  asks: (t, s) =>
    `${hexText(t, askedHex(t, s))} is cleared: choose who advances into it. Nobody may fire at them as they enter.`,
  about: aboutHex,
  waits: (_t, _s, by, hex) => ({ text: `The ${by} side decides who advances into ${hex}.`, rule: "SOS 9.85" }),
  marks: advance.fillAdvance,
  acts: {
    done: {
      means(t, s) {
        const hex = askedHex(t, s);
        const side = actorOf(t, s);
        const nobody = unitsIn(t, s, side, hex).length === 0;
        const empty = nobody && t.points[hex]! > 0 && (side !== 0 || !isHeldByGermans(t, s, hex));
        return {
          text: `Nobody ${nobody ? "" : "else "}advances`,
          warning: empty ? `${hexId(t, hex)} counts for victory and stays empty.` : null,
        };
      },
      does(t, s) {
        decline(t, s, "SOS 9.85", "Nobody else advances into");
        advance.closeAdvance(t, s);
      },
    },
    unit: {
      means(t, s, u) {
        const hex = hexId(t, askedHex(t, s));
        return { text: `Advance ${unitFrom(t, s, u)} to ${hex}`, units: [unitId(t, u)], places: [hex] };
      },
      does: advance.advance,
    },
  },
  closes: advance.closeAdvance,
  work: { due: advance.isEntering, does: advance.continueAdvance },
};

/** Who counter-attacks at once. */
export const icaUnit: Decision = {
  rules: ["SOS 12.6", "SOS 12.1", "SOS 12.5"],
  asks(t, s, viewer) {
    const hex = askedHex(t, s);
    const picked = unitsWith(t, s, COUNTER);
    const so =
      picked.length === 0 ? "Choose units beside it, or decline." : `So far ${counterOdds(t, s, picked, hex)}.`;
    return `Instant counter-attack at ${hexText(t, hex)}, just entered by ${enemiesIn(t, s, hex, viewer)}? ${so}`;
  },
  about: aboutPicks(COUNTER),
  waits: (_t, _s, by, hex) => ({
    text: `The ${by} side decides on an instant counter-attack at ${hex}.`,
    rule: "SOS 12.1",
  }),
  marks: ica.fillIca,
  acts: {
    pass: {
      means: () => "Don't counter-attack",
      does(t, s) {
        decline(t, s, "SOS 12.1", "There is no counter-attack at");
        pop(t, s);
      },
    },
    done: {
      means: (t, s) => `Roll the counter-attack: ${counterOdds(t, s, unitsWith(t, s, COUNTER), askedHex(t, s))}`,
      does: (t, s, _i, dice) => ica.rollIca(t, s, dice),
    },
    all: {
      means(t, s, _i, { units }) {
        const together = [...unitsWith(t, s, COUNTER), ...units];
        return `Counter-attack with everybody: ${counterOdds(t, s, together, askedHex(t, s))}`;
      },
      does: ica.counterWithAll,
    },
    unit: {
      means(t, s, u) {
        const odds = counterOdds(t, s, [...unitsWith(t, s, COUNTER), u], askedHex(t, s));
        return unitMeaning(t, s, u, `Counter-attack with ${unitFrom(t, s, u)} (attack ${t.roster.af[u]!}). ${odds}`);
      },
      does: (t, s, u) => give(t, s, u, COUNTER),
    },
  },
  closes(t, s, dice) {
    if (anyHas(t, s, COUNTER)) ica.rollIca(t, s, dice);
    else pop(t, s);
  },
  work: { due: (t, s) => s[topFrame(t, s) + F_STEP] !== ica.ICA_ASKS, does: ica.continueIca },
};
