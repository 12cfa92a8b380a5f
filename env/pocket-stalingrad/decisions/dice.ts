import { bothOf, fault } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { type Decision, DONE, REROLL } from "../actions.js";
import { CITY_LAST, type Tables } from "../data.js";
import { faceName } from "../events/dice.js";
import { areaId, facesAt, unitsOf } from "../events/words.js";
import { areaWith, cmdText, diceText, keepSpecialMeaning, keepUnitsMeaning, looseDice } from "../narration/words.js";
import {
  endFortify,
  fortify as build,
  lose as loseUnit,
  markForts,
  markLosses,
  markPlaces,
  place as placeUnit,
} from "../rules/resolve.js";
import { keepSpecial, keepUnits, markDice, reroll as throwAgain, roll } from "../rules/roll.js";
import {
  activeOf,
  actorOf,
  area6,
  areaOfDie,
  controller,
  GERMAN,
  L,
  NO_SIDE,
  RATT,
  reserveOf,
  room,
  SOVIET,
  TACTICS,
} from "../state.js";
import { RATT_DIE } from "../steps.js";
import { byActive, faceFault, heldPending } from "./held.js";

export const dice: Decision = {
  rules: ["PS 2", "PS 3 Unit dice", "PS 3 Command", "PS 3"],
  asks(_t, s) {
    const loose = looseDice(s);
    if (loose === 0) return "throw the dice.";
    if (loose === 1) return "keep the last loose die, or throw it again?";
    return s[L.picked] === 1
      ? `keep more of the ${diceText(loose, "loose die")}, or throw again?`
      : `which of the ${diceText(loose, "loose die")} do you keep?`;
  },
  marks: markDice,
  acts: {
    roll: {
      means(_t, s) {
        const loose = looseDice(s);
        if (loose === 0) return "Throw all eight dice";
        return loose === 1 ? "Throw the loose die again" : `Throw the ${loose} loose dice again`;
      },
      does: (t, s, _i, play) => roll(t, s, play),
    },
    keepUnit: { means: (t, s, face) => keepUnitsMeaning(t, s, actorOf(s), face), does: keepUnits },
    keepDie: { means: (t, s, die) => keepSpecialMeaning(t, s, actorOf(s), die), does: keepSpecial },
  },
  by: byActive,
};

export const place: Decision = {
  rules: ["PS 3 Unit dice"],
  asks: (_t, s) =>
    `the reserve holds only ${unitsOf(reserveOf(s, actorOf(s)))}; which unit die brings the next one (${facesAt(s, L.pending).join(" ")})?`,
  marks: markPlaces,
  acts: {
    place: {
      means(t, s, face) {
        const area = areaOfDie(actorOf(s), face);
        return { text: `Place a unit in ${areaWith(t, s, area)}`, places: [areaId(area)] };
      },
      does: placeUnit,
    },
  },
  by: byActive,
  holds: { pending: heldPending },
  fault(t, s) {
    const side = actorOf(s);
    let n = 0;
    for (let f = 0; f < 6; f++) {
      n += s[L.pending + f]!;
      if (s[L.pending + f]! > Math.min(s[L.kept + f]!, room(t, s, side, areaOfDie(side, f + 1))))
        return fault("decision.pending", `too many dice of number ${f + 1}`);
    }
    if (n <= reserveOf(s, side))
      return fault("decision.pending", "the reserve covers all dice, nothing is to be chosen");
    return reserveOf(s, side) === 0 ? fault("decision.pending", "the reserve is empty") : null;
  },
};

export const reroll: Decision = {
  rules: ["PS Area 2", "PS 3"],
  asks: (t, s) =>
    `Pavlov's House lets you have ${s[L.active] === actorOf(s) ? "your own" : "the enemy's"} Ratt die thrown again (now ${rattText(t, s)}). Throw it again?`,
  optional: true,
  marks: bothOf(DONE, REROLL),
  acts: {
    done: { means: () => "Leave the Ratt die as it is", does: () => RATT_DIE },
    reroll: {
      means: () => "Have the Ratt die thrown again",
      does: (t, s, _i, play) => throwAgain(t, s, play),
    },
  },
  by: (t, s) => (t.pavlov < 0 ? NO_SIDE : controller(s, t.pavlov)),
};

function rattText(t: Tables, s: StateView): string {
  const face = s[L.keptSpecialDice + RATT]!;
  return `${face}: ${faceName(t, GERMAN, RATT, face)}`;
}

export const lose: Decision = {
  rules: ["PS 3 Ratt 1"],
  asks: () => "the Sniper takes one of your units. From where?",
  marks: markLosses,
  acts: {
    lose: {
      means(t, s, a) {
        const area = a > CITY_LAST ? area6(actorOf(s)) : a;
        return { text: `Lose a unit in ${areaWith(t, s, area)}`, places: [areaId(area)] };
      },
      does: loseUnit,
    },
  },
  by: byActive,
  fault: (t, s) => faceFault(s, "lose", RATT, "loseUnit", t.ratt),
};

export const fortify: Decision = {
  rules: ["PS Fortify"],
  asks: (t, s) => `build a Fortification for ${t.costs.fortify} CMD (you have ${cmdText(s, actorOf(s))})?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markForts(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Build no more Fortifications", does: (t, s, _i, play) => endFortify(t, s, play) },
    fort: {
      means: (t, s, area) => ({
        text: `Fortify (${t.costs.fortify} CMD) ${areaWith(t, s, area)}`,
        places: [areaId(area)],
      }),
      does: build,
    },
  },
  by: () => SOVIET,
  turnOf: () => SOVIET,
  fault: (t, s) => faceFault(s, "fortify", TACTICS, "fortify", t.tactics[activeOf(s)]!),
};
