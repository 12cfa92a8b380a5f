import type { State, StateView } from "../../core/layout.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import { hexId, hexText, knownIds, namesFor, unitId, unitsIn, unitsWith, unitText } from "../events/words.js";
import {
  ASK_AFTER_UNIT,
  ASK_ICA,
  type AskName,
  ASKS,
  ATTACKER,
  CAUSE_ATTACK,
  CAUSE_BOMBARDMENT,
  CAUSE_COUNTER,
  CAUSE_COUNTER_LOST,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  CAUSE_SACRIFICE,
  CAUSES,
  COUNTER,
  ENTERED,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_CAUSE,
  F_FLAG,
  F_LEADER,
  F_NEED,
  F_STEP,
  F_STEPS,
  F_THEN,
  F_UNIT,
  FIRST_LOSS,
  LEFT,
  THEN,
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
  frameUnit,
  give,
  has,
  placeOf,
  pop,
  takeAll,
  type Tables,
  topFrame,
} from "../state.js";
import { isHeldByGermans } from "../victory.js";
import { decline } from "./decline.js";
import type { Decision } from "./decision.js";
import { type FrameReader, names, type Notation, positive, some, yes } from "./frame.js";

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
  frame: {
    on: ["bomb.target", "op.fire", "df.target", "attack.unit", "ica.unit", "after.unit"],
    step: 9,
    write: (t, s, frame) => ({
      need: s[frame + F_NEED]!,
      from: names(t, s, EXPOSED),
      cause: CAUSES[s[frame + F_CAUSE]!]!,
      pin: yes(s[frame + F_FLAG] === 1),
      prior: some(names(t, s, FIRST_LOSS)),
      losses: positive(s[frame + F_LEADER]! >> 4),
      sniper: positive(s[frame + F_LEADER]! & 15),
    }),
    read(r) {
      const { doc } = r;
      const from = r.list("from", EXPOSED);
      const need = doc.need ?? 1;
      if (need >= from.length) r.refuse("need", `${need} of ${from.length} units leave nothing to choose`);
      r.set(F_NEED, need);
      r.set(F_CAUSE, readCause(r));
      r.set(F_FLAG, doc.pin === true ? 1 : 0);
      r.set(F_LEADER, ((doc.losses ?? 0) << 4) | (doc.sniper ?? 0));
      r.list("prior", FIRST_LOSS);
    },
  },
};

/** What losses come from, by the kind of the frame below; the first by default. */
const CAUSES_ON: { readonly [K in AskName]?: readonly number[] } = {
  "bomb.target": [CAUSE_BOMBARDMENT],
  "op.fire": [CAUSE_OPPORTUNITY],
  "df.target": [CAUSE_DEFENSE],
  "attack.unit": [CAUSE_ATTACK, CAUSE_SACRIFICE],
  "ica.unit": [CAUSE_COUNTER, CAUSE_COUNTER_LOST],
  "after.unit": [CAUSE_SACRIFICE],
};

function readCause(r: FrameReader): number {
  const below = ASKS[r.below]!;
  const fitting = CAUSES_ON[below] ?? [];
  const cause = r.doc.cause === undefined ? fitting[0]! : CAUSES.indexOf(r.doc.cause);
  if (!fitting.includes(cause)) r.refuse("cause", `losses of that kind can't follow ${below}`);
  return cause;
}

/**
 * A loss is named; when the losses of the result are complete, a P that came with them is carried out. Rule: SOS 9.81
 */
function lose(t: Tables, s: State, unit: UnitId, play: Play): void {
  const frame = topFrame(t, s);
  const hex = frameHex(s, frame);
  const owner = s[frame + F_ACTOR]!;
  const cause = s[frame + F_CAUSE]!;
  const pins = s[frame + F_FLAG] === 1;
  if (!loseOne(t, s, unit, play)) return;
  if (cause === CAUSE_ATTACK) return afterLosses(t, s, true, pins, play);
  if (cause === CAUSE_BOMBARDMENT) {
    afterBombs(t, s, owner, hex, true, pins, play);
    return;
  }
  settleLosses(t, s, owner, play);
  if (cause === CAUSE_DEFENSE && pins) pinHex(t, s, owner, hex, play);
  else if (cause === CAUSE_OPPORTUNITY && pins) pinMovers(t, s, owner, hex, play);
}

/** True when a counter-attack is under way. */
const counters = (t: Tables, s: StateView): boolean => frameOf(t, s, ASK_ICA) >= 0;

const retreats: Decision["waits"] = (_t, _s, by, hex) => ({
  text: `The ${by} side retreats from ${hex}.`,
  rule: "SOS 9.87",
});

/** What documents hold of units that leave a hex. @param goes whether a unit is on its way */
const leavingFrame = (goes: boolean, ...on: readonly AskName[]): Notation => ({
  on,
  step: 9,
  write: (t, s, frame) => ({
    left: names(t, s, LEFT),
    steps: s[frame + F_STEPS]!,
    first: s[frame + F_NEED]! > 0 ? unitId(t, s[frame + F_NEED]! - 1) : undefined,
    retreated: some(gone(t, s, frame)),
    nkvd: yes(s[frame + F_FLAG] === 1),
  }),
  read(r) {
    const { doc, tables, s } = r;
    r.list("left", LEFT);
    readGone(r);
    r.set(F_STEPS, doc.steps ?? 1);
    r.set(F_FLAG, doc.nkvd === true ? 1 : 0);
    if (doc.first !== undefined) r.set(F_NEED, r.unit("first", doc.first) + 1);
    if (goes !== (doc.unit !== undefined)) r.refuse("unit", "after.hex names the unit that goes, nobody else does");
    if (doc.unit === undefined) return;
    const u = r.unit("unit", doc.unit);
    if (!has(tables, s, u, LEFT)) r.refuse("unit", `${doc.unit} has not to retreat`);
    r.set(F_UNIT, u + 1);
  },
});

/** The units that retreated after the first, in their order. */
const gone = (t: Tables, s: StateView, frame: number): string[] =>
  Array.from({ length: THEN }, (_, i) => s[frame + F_THEN + i]! - 1)
    .filter((u) => u >= 0)
    .map((u) => unitId(t, u));

function readGone(r: FrameReader): void {
  const list = r.doc.retreated ?? [];
  if (list.length > THEN) r.refuse("retreated", `at most ${THEN} go after the first`);
  if (list.length > 0 && r.doc.first === undefined) r.refuse("first", "somebody was the first to retreat");
  list.forEach((id, i) => {
    r.set(F_THEN + i, r.unit(`retreated[${i}]`, id) + 1);
  });
}

/** True when the defenders retreat; false when a unit is given up. */
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
      does: (t, s, _i, play) => after.chooseRetreat(t, s, play),
    },
    sacrifice: {
      means: (t, s) => ({
        text: `Stay in ${hexText(t, askedHex(t, s))} and lose a unit`,
        warning: "A unit is lost at once.",
      }),
      does: (t, s, _i, play) => after.sacrifice(t, s, play),
    },
  },
  closes: after.chooseRetreat,
  frame: leavingFrame(false, "attack.unit"),
};

/** Choose the unit that retreats next. */
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
  closes: (t, s, play) => after.closeAfter(t, s, play),
  frame: leavingFrame(false, "attack.unit", "ica.unit"),
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
      does: (t, s, hex, play) => after.goTo(t, s, hex, play),
    },
  },
  hides(t, s) {
    const frame = topFrame(t, s);
    if (placeOf(t, s, frameUnit(s, frame)) !== frameHex(s, frame)) return; // one of two steps is made
    s[frame + F_ASK] = ASK_AFTER_UNIT;
    s[frame + F_UNIT] = 0;
  },
  frame: leavingFrame(true, "attack.unit", "ica.unit"),
};

/** Choose the units that enter a cleared hex. */
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
      does(t, s, _i, play) {
        decline(t, s, "SOS 9.85", "Nobody else advances into", play);
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
  frame: {
    on: ["attack.unit", "ica.unit"],
    step: 10,
    write: (t, s, frame) => ({
      attackers: some(names(t, s, s[frame + F_FLAG] === 1 ? COUNTER : ATTACKER)),
      entered: some(names(t, s, ENTERED)),
    }),
    read(r) {
      const counter = r.below === ASK_ICA;
      r.list("attackers", counter ? COUNTER : ATTACKER);
      r.list("entered", ENTERED);
      r.set(F_FLAG, counter ? 1 : 0);
      if (r.doc.unit !== undefined) r.set(F_UNIT, r.unit("unit", r.doc.unit) + 1);
    },
  },
};

/** Choose the units that counter-attack at once. */
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
      does(t, s, _i, play) {
        decline(t, s, "SOS 12.1", "There is no counter-attack at", play);
        pop(t, s);
      },
    },
    done: {
      means: (t, s) => `Roll the counter-attack: ${counterOdds(t, s, unitsWith(t, s, COUNTER), askedHex(t, s))}`,
      does: (t, s, _i, play) => ica.rollIca(t, s, play),
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
  closes(t, s, play) {
    if (anyHas(t, s, COUNTER)) ica.rollIca(t, s, play);
    else pop(t, s);
  },
  work: { due: (t, s) => s[topFrame(t, s) + F_STEP] !== ica.ICA_ASKS, does: ica.continueIca },
  picks: COUNTER,
  hides(t, s) {
    if (s[topFrame(t, s) + F_STEP] === ica.ICA_ASKS) takeAll(t, s, COUNTER);
  },
  frame: {
    on: ["attack.unit"],
    step: 11,
    write: (t, s, frame) => ({
      list: some(names(t, s, COUNTER)),
      step: positive(s[frame + F_STEP]!),
      driven: yes(s[frame + F_FLAG] === 1),
    }),
    read(r) {
      r.list("list", COUNTER);
      r.set(F_STEP, r.doc.step ?? 0);
      r.set(F_FLAG, r.doc.driven === true ? 1 : 0);
    },
  },
};
