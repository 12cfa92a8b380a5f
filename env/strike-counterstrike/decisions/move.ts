import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { ARMY, CONCEDE, type Decision, DONE, firstHex, STOP } from "../actions.js";
import type { HexId, Tables } from "../data.js";
import { endingText } from "../events/turn.js";
import { armyText, counterTexts, countersAt, hexIds, hexText, hexTexts } from "../events/words.js";
import { GARRISON, GARRISONED, RESULT } from "../layout.js";
import {
  activeAt,
  armyHere,
  checkText,
  countArmies,
  cutOffBy,
  hasWayOn,
  hostText,
  sizeText,
  stepsText,
  terrainText,
  worth,
} from "../narration/words.js";
import { activate as begin, costOf, markReady, markSteps, mayActivate, moveTo, stop } from "../rules/movement.js";
import { resultOfCheck, returnOfResult } from "../rules/victory.js";
import { activeArmy, finish, hexOfArmy, isGerman } from "../state.js";
import { administer } from "../turn.js";
import { activeFault, heldActive } from "./held.js";

export const activate: Decision = {
  rules: ["SC 9.1", "SC 9.2"],
  cites(t, s) {
    const turn = s[t.L.turn]!;
    return ["SC 9.1", "SC 9.2", ...(turn <= 1 ? ["SC 4.2"] : turn <= 3 ? ["SC 4.3"] : ["SC 4.5", "SC 4.6"])];
  },
  caption: "choose an army to move",
  asks(t, s) {
    const turn = s[t.L.turn]!;
    return `Turn ${turn} (${t.turnNames[turn - 1]!}): which army moves next? ${checkText(t, s)}`;
  },
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    if (t.mayConcede) mask[at + CONCEDE] = 1;
    return (t.mayConcede ? 2 : 1) + markReady(t, s, mask, at + ARMY);
  },
  acts: {
    done: { means: endOfTurn, does: (t, s, _i, play) => administer(t, s, play) },
    // Rule: SC 5.4
    concede: {
      means: () => ({ text: "Give up", ends: "turn", warning: "The game is lost at once." }),
      does: (t, s) => finish(t, s, RESULT.concede),
    },
    army: {
      means(t, s, army) {
        const { text, ...at } = armyHere(t, s, army);
        const steps = counted(s[t.L.armySteps + army]!, "step");
        return { ...at, text: `Move ${text}: ${steps}${hostText(t, s, army)}, ${t.movement[s[t.L.turn]!]!} MP` };
      },
      does: begin,
    },
  },
};

/** Phase IV changes no hex before the check, so what the check says now is what it will say. */
function endOfTurn(t: Tables, s: StateView): Meaning {
  const turn = s[t.L.turn]!;
  const result = resultOfCheck(t, s, turn);
  const unmoved = countArmies(t, (a) => mayActivate(t, s, a));
  const why: string[] = [];
  if (result !== 0 && returnOfResult(result) < 1)
    why.push(`The check at the end of turn ${turn} comes now: ${endingText(t, s, result)}`);
  if (unmoved > 0) why.push(`${counted(unmoved, "army has", "armies have")} not moved yet.`);
  return { text: `End turn ${turn}`, ends: "turn", warning: why.length === 0 ? null : why.join(" ") };
}

export const move: Decision = {
  rules: ["SC 9.7", "SC 9.2", "SC 9.10", "SC 10.13"],
  caption: "an army moves",
  asks(t, s) {
    const army = activeArmy(t, s);
    return `Where does ${armyText(t, army)} in ${hexText(t, hexOfArmy(t, s, army))} go? It has ${s[t.L.mp]!} MP and ${stepsText(t, s)}.`;
  },
  about: activeAt,
  hexes: markSteps,
  marks(t, s, mask, at) {
    mask[at + STOP] = 1;
    return 1 + markSteps(t, s, mask, at + firstHex(t), 1);
  },
  acts: {
    stop: {
      means(t, s) {
        const name = armyText(t, activeArmy(t, s));
        return {
          text: `${name} stops in ${hexText(t, hexOfArmy(t, s, activeArmy(t, s)))}`,
          ...activeAt(t, s),
          warning: `${counted(s[t.L.mp]!, `MP of ${name} lapses`, `MP of ${name} lapse`)}; it is done for the turn.`,
        };
      },
      does: (t, s, _i, play) => stop(t, s, play),
    },
    hex: {
      means: (t, s, hex) => (isGerman(t, s, hex) ? attack(t, s, hex) : march(t, s, hex)),
      does: moveTo,
    },
  },
  holds: { active: heldActive(1) },
  fault: (t, s) => activeFault(t, s, 1),
};

function march(t: Tables, s: StateView, hex: HexId): Meaning {
  const cost = costOf(t, hex);
  const left = s[t.L.mp]! - cost;
  const stuck = left > 0 && !hasWayOn(t, s, hex, left);
  return {
    text: `March to ${hexText(t, hex)} (${terrainText(t, hex)}, ${cost} of ${s[t.L.mp]!} MP)`,
    places: hexIds(t, [hex]),
    units: activeAt(t, s).units,
    cost,
    warning: stuck ? `No hex beside it can be entered with the ${left} MP left but the one it comes from.` : null,
  };
}

function attack(t: Tables, s: StateView, hex: HexId): Meaning {
  const { L } = t;
  const cost = costOf(t, hex);
  const rounds = 1 + Math.floor((s[L.mp]! - cost) / t.extraRoundCost);
  const pocket = cutOffBy(t, s, hex);
  const defence =
    s[L.marker + hex] === GARRISONED
      ? `garrison of ${counterTexts(t, countersAt(t, s, GARRISON, hex))}`
      : `the marker and ${sizeText(pocket.length > 0 ? t.relief : t.regular)} more`;
  const breakIn = pocket.length === 0 ? "" : `; cuts off ${hexTexts(t, pocket)}: break-in, then a breakout`;
  return {
    places: hexIds(t, [hex]),
    units: activeAt(t, s).units,
    cost,
    text: `Attack ${hexText(t, hex)}${worth(t, hex)} (${terrainText(t, hex)}, ${cost} of ${s[L.mp]!} MP, up to ${counted(rounds, "round")}) against ${defence}${breakIn}`,
  };
}
