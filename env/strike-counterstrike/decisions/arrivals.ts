import { fault } from "../../core/decision.js";
import { counted } from "../../core/words.js";
import { ARMY, type Decision, DONE, firstHex } from "../actions.js";
import { JANUARY, NO_HEX } from "../data.js";
import { armyText, hexIds, hexText } from "../events/words.js";
import { PARTISAN_ON_TRACK } from "../layout.js";
import { armyHere, countArmies, worth } from "../narration/words.js";
import {
  afterReplacements,
  convert,
  enterArmy,
  markEntries,
  markPartisanHexes,
  markReduced,
  mayReplace,
  replaceStep,
  waiting,
} from "../rules/reinforcement.js";
import { comes } from "./held.js";

export const replace: Decision = {
  rules: ["SC 7.4", "SC 6.3"],
  caption: "replacements",
  asks: (t, s) =>
    `Turn ${s[t.L.turn]!}: which reduced army gains a step? ${counted(s[t.L.replacements]!, "step is", "steps are")} left; what is not used lapses.`,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markReduced(t, s, mask, at + ARMY);
  },
  acts: {
    done: {
      means(t, s) {
        const reduced = countArmies(t, (a) => mayReplace(t, s, a));
        const lapse = counted(s[t.L.replacements]!, "replacement step lapses", "replacement steps lapse");
        return {
          text: "No more replacements",
          ends: "phase",
          warning: reduced === 0 ? null : `${lapse}; ${counted(reduced, "army is", "armies are")} below full strength.`,
        };
      },
      does: (t, s, _i, play) => afterReplacements(t, s, play),
    },
    army: {
      means(t, s, army) {
        const { text, ...at } = armyHere(t, s, army);
        const steps = s[t.L.armySteps + army]!;
        return { ...at, text: `${text}: ${steps} to ${steps + 1} of ${counted(t.armies[army]!.strength, "step")}` };
      },
      does: replaceStep,
    },
  },
  fault(t, s) {
    const left = s[t.L.replacements]!;
    return (
      comes(t, s, "from turn 2 on", s[t.L.turn]! >= 2) ??
      (left >= 1 && left <= t.replacements ? null : fault("replacements", `1 to ${t.replacements} steps are left`))
    );
  },
};

/** `done` of an arrival: where no hex is left, it is given up. */
function elseDone(n: number, mask: Uint8Array, at: number): number {
  if (n > 0) return n;
  mask[at + DONE] = 1;
  return 1;
}

export const enter: Decision = {
  rules: ["SC 7.2", "SC 6.2"],
  caption: "an army enters the map",
  asks: () => "Where does the waiting army enter? A free Soviet hex of the north, south or east edge, Moscow or Tula.",
  hexes: markEntries,
  marks: (t, s, mask, at) => elseDone(markEntries(t, s, mask, at + firstHex(t), 1), mask, at),
  acts: {
    done: {
      means: () => ({ text: "No free hex to enter", warning: "The army is lost." }),
      does: (t, s, _i, play) => enterArmy(t, s, NO_HEX, play),
    },
    hex: {
      means(t, s, hex) {
        const army = waiting(t, s);
        return {
          text: `${armyText(t, army)} enters in ${hexText(t, hex)}`,
          places: hexIds(t, [hex]),
          units: [t.armies[army]!.id],
        };
      },
      does: enterArmy,
    },
  },
  fault: (t, s) => comes(t, s, `on turn ${JANUARY} while an army waits`, s[t.L.turn] === JANUARY && waiting(t, s) >= 0),
};

export const partisan: Decision = {
  rules: ["SC 7.3", "SC 8.4"],
  caption: "the partisans land",
  asks: () => "Which German hex do the partisans take? It counts in all checks at once and blocks German ways west.",
  about: (t) => ({ units: [t.partisanId] }),
  hexes: markPartisanHexes,
  marks: (t, s, mask, at) => elseDone(markPartisanHexes(t, s, mask, at + firstHex(t), 1), mask, at),
  acts: {
    done: {
      means: () => ({ text: "No hex for the partisans", ends: "phase", warning: "The marker is lost." }),
      does: (t, s, _i, play) => convert(t, s, NO_HEX, play),
    },
    hex: {
      means: (t, _s, hex) => ({
        text: `Partisans take ${hexText(t, hex)}${worth(t, hex)}`,
        places: hexIds(t, [hex]),
        units: [t.partisanId],
      }),
      does: convert,
    },
  },
  fault: (t, s) =>
    comes(
      t,
      s,
      `on turn ${JANUARY} while the marker waits`,
      s[t.L.turn] === JANUARY && s[t.L.partisan] === PARTISAN_ON_TRACK,
    ),
};
