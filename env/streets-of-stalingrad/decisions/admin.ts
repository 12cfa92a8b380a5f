import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import { CONTINUE, DECLARE_END } from "../actions.js";
import { hexId, turnText, unitId, unitText } from "../events/words.js";
import { AMMO_SHORT, F_ACTOR, F_FLAG, F_NEED, F_STEP, F_UNIT, FRAME_WORDS } from "../layout.js";
import { now, unitFrom, unitMeaning } from "../narration/words.js";
import { ends } from "../events/common.js";
import { resultNow } from "../narration/standing.js";
import { closeStage } from "../sequence.js";
import { ammoOf, fillAmmunition, silenceLeast, silenceOne } from "../rules/administration/ammunition.js";
import {
  administer,
  AMMUNITION,
  beginAdministration,
  EXCHANGES,
  FIRST_STEP,
  isAdministering,
  WITHDRAWALS,
} from "../rules/administration/phase.js";
import {
  closePartners,
  exchangeUnits,
  fillExchange,
  fillPartners,
  nameExchange,
  onlyPartner,
} from "../rules/administration/exchange.js";
import { decideDivision, fillWithdrawals, rowOf, withdrawOne } from "../rules/administration/withdrawal.js";
import { counted } from "../../core/words.js";
import { askedUnit, finish, placeOf, pop, type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";
import { type FrameReader, positive } from "./frame.js";

/** The German side may end the game. */
export const adminEnd: Decision = {
  rules: ["SOS 3.1", "SOS 3.3"],
  asks: (t, s) => `${turnText(t, s)} begins with ${resultNow(t, s)}. End the game, or play on?`,
  waits: (_t, _s, by) => ({ text: `The ${by} side decides whether it ends the game.`, rule: "SOS 3.1" }),
  marks(t, s, mask, at) {
    // nothing has been played on the first turn. Rule: SOS 3.1, ruling R4
    if (s[t.layout.turn]! <= t.firstTurn) return 0;
    mask[at + DECLARE_END] = 1;
    mask[at + CONTINUE] = 1;
    return 2;
  },
  acts: {
    "declare-end": {
      means: (t, s) => ({
        text: `End the game now: ${resultNow(t, s)}`,
        ends: "turn",
        warning: `The game ends at once: ${resultNow(t, s)}.`,
      }),
      does: (t, s, _i, play) => declareEnd(t, s, play),
    },
    continue: {
      means: (t, s) => `Play on: turn ${s[t.layout.turn]!} of ${s[t.layout.lastTurn]!}`,
      does: beginAdministration,
    },
  },
  /** What the phase brings besides. Ruling R5. */
  work: {
    due: isAdministering,
    does(t, s, play) {
      if (administer(t, s, play)) closeStage(t, s, play);
    },
  },
  closes: beginAdministration,
  frame: {
    write: (_t, s, frame) => ({ step: positive(s[frame + F_STEP]!) }),
    read(r) {
      const { step = 0 } = r.doc;
      if (step !== 0 && (step < FIRST_STEP || step > EXCHANGES))
        r.refuse("step", `the phase has steps ${FIRST_STEP} to ${EXCHANGES}, and none while it is asked`);
      r.set(F_STEP, step);
    },
  },
};

/** Guns that stay silent because ammunition is short. */
export const adminAmmo: Decision = {
  rules: ["SOS 14.73", "SOS 14.74", "SOS 14.72"],
  asks: (t, s) =>
    `Turn ${s[t.layout.turn]!}: guns with ${s[topFrame(t, s) + F_NEED]!} more AF have to stay silent in this turn: ammunition is short. Choose one, or have the smallest chosen. Excess AF are saved.`,
  waits: (_t, _s, by) => ({ text: `The ${by} side chooses guns that stay silent.`, rule: "SOS 14.73" }),
  marks: fillAmmunition,
  acts: {
    auto: {
      means: () => "Let the smallest guns stay silent",
      does: (t, s, _i, play) => silenceLeast(t, s, play),
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Let ${unitFrom(t, s, u)} (AF ${t.roster.af[u]!}) stay silent`),
      does: silenceOne,
    },
  },
  closes: silenceLeast,
  /** Which guns are named, and so how many AF are left, only their owner knows. */
  hides(t, s) {
    const frame = topFrame(t, s);
    s[frame + F_NEED] = s[ammoOf(t, s[frame + F_ACTOR]!) + AMMO_SHORT]!;
  },
  frame: {
    on: ["admin.end"],
    hex: "none",
    unit: "none",
    write: (_t, s, frame) => ({ need: s[frame + F_NEED]! }),
    read(r) {
      atStep(r, AMMUNITION);
      const short = r.s[ammoOf(r.tables, r.actor) + AMMO_SHORT]!;
      const { need = 0 } = r.doc;
      if (need < 1 || need > short) r.refuse("need", `it is 1 to ${short}, what the side is short of`);
      r.set(F_NEED, need);
    },
  },
};

/** Units that leave, or a division that may stay. */
export const adminWithdraw: Decision = {
  rules: ["SOS 21.51", "SOS 21.52", "SOS 21.54"],
  asks(t, s) {
    const need = s[topFrame(t, s) + F_NEED]!;
    const { formation, counts, turn } = rowOf(t, s);
    if (need > 0)
      return `${now(t, s)}: ${counted(need, "unit")} of ${formation} has to leave. Choose one that goes for good.`;
    const early = s[t.layout.turn]! < turn;
    const first = t.setting.withdrawals[counts]!;
    const price = early
      ? `If the whole division leaves by turn ${first.bonusBy}, it brings ${counted(first.bonus, "point")}.`
      : `If it stays, it costs ${counted(-first.penalty, "point")}, unless that is counted already.`;
    return `${now(t, s)}: does ${formation} leave for good? ${price}`;
  },
  waits: (_t, _s, by) => ({ text: `The ${by} side withdraws units.`, rule: "SOS 21.51" }),
  marks: fillWithdrawals,
  acts: {
    yes: {
      means: (t, s) => `Withdraw ${rowOf(t, s).formation}`,
      does: (t, s, _i, play) => decideDivision(t, s, true, play),
    },
    no: {
      means: (t, s) => `Keep ${rowOf(t, s).formation}`,
      does: (t, s, _i, play) => decideDivision(t, s, false, play),
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Withdraw ${unitFrom(t, s, u)}`),
      does: withdrawOne,
    },
  },
  frame: {
    on: ["admin.end"],
    hex: "none",
    unit: "none",
    write: (t, s, frame) => ({
      focus: t.setting.withdrawals[s[frame + F_STEP]!]!.formation,
      need: positive(s[frame + F_NEED]!),
    }),
    read(r) {
      const { focus = "", need = 0 } = r.doc;
      const i = r.tables.setting.withdrawals.findIndex(({ formation }) => formation === focus);
      const row = r.tables.setting.withdrawals[i];
      if (row === undefined) r.refuse("focus", `no formation ${focus} is to be withdrawn`);
      if (need > row!.minimum || (need === 0) !== (row!.minimum === 0))
        r.refuse("need", row!.minimum === 0 ? "it may leave or stay" : `it is 1 to ${row!.minimum}`);
      atStep(r, WITHDRAWALS);
      r.s[r.frame - FRAME_WORDS + F_FLAG] = i + 1;
      r.set(F_STEP, i);
      r.set(F_NEED, need);
    },
  },
};

/** Units on the map that are exchanged for eliminated ones. */
export const adminExchange: Decision = {
  rules: ["SOS 20.1", "SOS 20.3", "SOS 20.6"],
  asks: (t, s) =>
    `${now(t, s)}: choose a unit on the map that an eliminated one takes the place of, or end. Both are of one kind, with the same AF or the same DF.`,
  waits: (_t, _s, by) => ({ text: `The ${by} side exchanges units.`, rule: "SOS 20.1" }),
  marks: fillExchange,
  acts: {
    done: { means: () => "Exchange no more units", does: (t, s) => pop(t, s) },
    unit: {
      means(t, s, u) {
        const other = onlyPartner(t, s, u);
        const partner = other < 0 ? "" : ` for ${unitText(t, s, other)}${belongs(t, other)}`;
        return unitMeaning(t, s, u, `Exchange ${unitFrom(t, s, u)}${partner}`);
      },
      does: nameExchange,
    },
  },
  closes: (t, s) => pop(t, s),
  frame: {
    on: ["admin.end"],
    hex: "none",
    unit: "none",
    read: (r) => atStep(r, EXCHANGES),
  },
};

/** Who takes the place of the unit that was named. */
export const adminExchangeWith: Decision = {
  rules: ["SOS 20.4", "SOS 20.2", "SOS 20.6"],
  asks: (t, s) => `Which eliminated unit takes the place of ${unitFrom(t, s, askedUnit(t, s))}?`,
  about: (t, s) => ({
    units: [unitId(t, askedUnit(t, s))],
    places: [hexId(t, placeOf(t, s, askedUnit(t, s)))],
  }),
  waits: adminExchange.waits,
  marks: fillPartners,
  acts: {
    unit: {
      means: (t, s, u) => ({
        text: `Exchange ${unitId(t, askedUnit(t, s))} for ${unitText(t, s, u)}${belongs(t, u)}`,
        units: [unitId(t, u)],
      }),
      does: exchangeUnits,
    },
  },
  /** Who leaves shows when the other comes. */
  hides: closePartners,
  frame: {
    on: ["admin.end"],
    hex: "none",
    unit: "none",
    write: (t, s, frame) => ({ focus: unitId(t, s[frame + F_UNIT]! - 1) }),
    read(r) {
      atStep(r, EXCHANGES);
      if (r.doc.focus === undefined) r.refuse("focus", "it is the unit that leaves");
      r.set(F_UNIT, r.unit("focus", r.doc.focus ?? "") + 1);
    },
  },
};

/** ` of 51K/71ID/191/II`, empty for an independent unit. */
const belongs = ({ roster }: Tables, unit: number): string =>
  roster.path[unit]!.length === 0 ? "" : ` of ${roster.counters[unit]!.formation}`;

/** The frame of the phase below a decision is at a step, and its sides up to the one that decides have begun it. */
function atStep(r: FrameReader, step: number): void {
  const below = r.frame - FRAME_WORDS;
  if (r.s[below + F_STEP] !== 0 && r.s[below + F_STEP] !== step) r.refuse("ask", `it is asked in step ${step}`);
  r.s[below + F_STEP] = step;
  r.s[below + F_FLAG] = r.actor + 1;
}

function declareEnd(t: Tables, s: State, play: Play): void {
  finish(t, s);
  if (play.narrator !== null) ends(t, s, true, play);
}
