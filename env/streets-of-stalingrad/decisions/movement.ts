import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { hexText, knownIds, unitId, unitsWith, unitText } from "../events/words.js";
import { F_HOLD, GROUP, STAGE_RESERVES, type UnitId } from "../layout.js";
import { groupOrders } from "../narration/numbers.js";
import { findWays, wayMeaning } from "../narration/ways.js";
import { enemiesIn, hexMeaning, now, unitFrom, unitMeaning } from "../narration/words.js";
import { openAttack } from "../rules/combat/attackers.js";
import { fillBreakthrough } from "../rules/movement/breakthrough.js";
import { changeMode } from "../rules/movement/mounting.js";
import { fillGroup, fillSelect, joinAll, moveOf, moveTo, selectMover, stayHere } from "../rules/movement/movement.js";
import { allowanceOf } from "../rules/movement/reach.js";
import { continueWalk } from "../rules/movement/walk.js";
import { closeStage, phaseName } from "../sequence.js";
import { give, type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";

/** Who is ordered is told when it moves. */
const moves: Decision["waits"] = (_t, _s, by) => ({ text: `The ${by} side moves.`, rule: "SOS 8.01" });

const mover: Decision["acts"]["unit"] = {
  means: (t, s, u) => unitMeaning(t, s, u, moverText(t, s, u)),
  does: selectMover,
};
const moverText = (t: Tables, s: StateView, u: UnitId): string =>
  `Move ${unitFrom(t, s, u)} with up to ${allowanceOf(t, s, u, moveOf(t, s)) / 2} MP`;

/** Who moves next, in a movement or reserves phase. */
export const moveSelect: Decision = {
  rules: ["SOS 8.01", "SOS 8.02", "SOS 11.1"],
  cites: (t, s) =>
    s[t.layout.stage] === STAGE_RESERVES ? ["SOS 8.31", "SOS 8.32", "SOS 8.34"] : ["SOS 8.01", "SOS 8.02", "SOS 11.1"],
  asks: (t, s) =>
    s[t.layout.stage] === STAGE_RESERVES
      ? `${now(t, s)}: choose a unit to move with half its MP, or end.`
      : `${now(t, s)}: choose a unit to move, or end movement.`,
  waits: moves,
  marks: fillSelect,
  acts: {
    done: {
      means(t, s, _i, { units }) {
        const names = units.map((u) => unitId(t, u));
        return {
          text: `End ${phaseName(s[t.layout.phase]!)}`,
          ends: "phase",
          warning: `${counted(units.length, "unit")} can still move: ${listed(names, "nobody")}.`,
        };
      },
      does: closeStage,
    },
    unit: mover,
  },
  closes: closeStage,
};

/** Armor that moves through zones of control, or a hex to break through at. */
export const btSelect: Decision = {
  rules: ["SOS 8.5", "SOS 10.1", "SOS 10.2", "SOS 10.6"],
  asks: (t, s) =>
    `${now(t, s)}: choose armor to move through zones of control, or a hex beside your units to break through, or go on to other movement.`,
  waits: moves,
  marks: fillBreakthrough,
  acts: {
    done: { means: () => "No more breakthroughs; other movement begins", does: closeStage },
    hex: {
      means: (t, s, hex, { viewer }) =>
        hexMeaning(t, hex, `Try to break through at ${hexText(t, hex)}: ${enemiesIn(t, s, hex, viewer)} there`),
      does: openAttack,
    },
    unit: mover,
  },
  closes: closeStage,
};

/** Who goes along, and where to. */
export const moveGroup: Decision = {
  rules: ["SOS 8.06", "SOS 8.07", "SOS 8.09", "SOS 11.4"],
  asks: (t, s) => groupOrders(t, s, topFrame(t, s), unitsWith(t, s, GROUP)),
  about: (t, s, viewer) => ({ units: knownIds(t, s, unitsWith(t, s, GROUP), viewer) }),
  waits: moves,
  marks: fillGroup,
  prepares: findWays,
  acts: {
    all: { means: () => "Take everybody of this kind in the hex along", does: joinAll },
    stay: {
      means: () => ({
        text: "Stay here; the order is used up",
        warning: "Units that stay can't be ordered again in this phase.",
      }),
      does: stayHere,
    },
    via: {
      means: () => "Name a hex to go by, before the hex to go to",
      does(t, s) {
        s[topFrame(t, s) + F_HOLD] = 1;
      },
    },
    dismount: {
      means: () => "Leave the vehicles: 8 MP, on foot for the whole phase",
      does: (t, s) => changeMode(t, s, true),
    },
    remount: {
      means: () => "Mount the vehicles again and move with their MP",
      does: (t, s) => changeMode(t, s, false),
    },
    hex: { means: wayMeaning, does: moveTo },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Take ${unitText(t, s, u)} along`),
      does: (t, s, u) => give(t, s, u, GROUP),
    },
  },
};

/** A group on its way: nothing is asked. */
export const walk: Decision = {
  rules: ["SOS 8.01"],
  asks: (t, s) => `${now(t, s)}: a group is on its way.`,
  waits: moves,
  marks: () => 0,
  acts: {},
  work: { due: () => true, does: continueWalk },
};
