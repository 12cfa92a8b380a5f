import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { ARMY, COMMIT, CONCEDE, DONE, firstHex, HOLD, LOSE, PRESS, STOP } from "../actions.js";
import type { Tables } from "../data.js";
import { BATTLE, PHASE } from "../layout.js";
import { mayActivate } from "../rules/movement.js";
import { mayReplace } from "../rules/reinforcement.js";
import { resultOfCheck, returnOfResult } from "../rules/victory.js";
import { activeArmy, battleHex } from "../state.js";
import { type ChoiceText, hexChoice } from "./hex-choices.js";
import { endingText } from "../events/turn.js";
import {
  armyText,
  CLASS_TEXT,
  counterIds,
  countersAt,
  counterTexts,
  hexIds,
  hexText,
  INTERCEPTOR_TEXT,
} from "../events/words.js";

/** What a legal action means. */
export function choiceText(tables: Tables, s: StateView, action: number): ChoiceText {
  const { L } = tables;
  if (action >= firstHex(tables)) return hexChoice(tables, s, action - firstHex(tables));
  if (action >= ARMY) return armyChoice(tables, s, action - ARMY);
  switch (action) {
    case DONE:
      return doneChoice(tables, s);
    case STOP:
      return stopChoice(tables, s);
    case PRESS:
      return {
        text: `Press on for ${tables.extraRoundCost} MP (${s[L.mp]! - tables.extraRoundCost} left)`,
        places: hexIds(tables, [battleHex(tables, s)]),
      };
    case COMMIT:
      return {
        text: `Send ${INTERCEPTOR_TEXT} in this round`,
        units: [tables.interceptorId],
        places: hexIds(tables, [battleHex(tables, s)]),
        warning: tables.spentWhenFired
          ? null
          : `${INTERCEPTOR_TEXT} is spent until the next turn, whether it still finds a target or not.`,
      };
    case HOLD:
      return { text: `Hold ${INTERCEPTOR_TEXT} back for another round or battle`, units: [tables.interceptorId] };
    case CONCEDE:
      return { text: "Give up", ends: "turn", warning: "The game is lost at once." };
    case LOSE:
    case LOSE + 1:
    case LOSE + 2: {
      const cls = action - LOSE;
      const units = countersAt(tables, s, BATTLE).filter((c) => tables.cls[c] === cls);
      return {
        text: `A ${CLASS_TEXT[cls]!} unit: ${counterTexts(tables, units.slice(0, 1))}`,
        units: counterIds(tables, units.slice(0, 1)),
        places: hexIds(tables, [battleHex(tables, s)]),
      };
    }
    default:
      return {
        text: `Fall back to ${hexText(tables, s[L.from]! - 1)}; the army is done and ${s[L.mp]!} MP lapse`,
        places: hexIds(tables, [s[L.from]! - 1]),
      };
  }
}

function armyChoice(tables: Tables, s: StateView, army: number): ChoiceText {
  const { L } = tables;
  const hex = s[L.armyHex + army]!;
  const steps = s[L.armySteps + army]!;
  const where = `${armyText(tables, army)} in ${hexText(tables, hex)}`;
  const at = { units: [tables.armies[army]!.id], places: hexIds(tables, [hex]) };
  switch (s[L.phase]) {
    case PHASE.replace:
      return { ...at, text: `${where}: ${steps} to ${steps + 1} of ${counted(tables.armies[army]!.strength, "step")}` };
    case PHASE.activate: {
      const host = s[L.host] === army + 1 ? ` and ${s[L.engineer]!} of ${tables.engineer.id}` : "";
      return { ...at, text: `Move ${where}: ${counted(steps, "step")}${host}, ${tables.movement[s[L.turn]!]!} MP` };
    }
    default:
      return {
        ...at,
        text: `${where} (${counted(steps, "step")})`,
        ends: s[L.phase] === PHASE.attach ? "turn" : "phase",
      };
  }
}

function stopChoice(tables: Tables, s: StateView): ChoiceText {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const mp = s[L.mp]!;
  return {
    text: `${armyText(tables, army)} stops in ${hexText(tables, s[L.armyHex + army]!)}`,
    units: [tables.armies[army]!.id],
    places: hexIds(tables, [s[L.armyHex + army]!]),
    warning: `${mp} MP of ${armyText(tables, army)} lapse; it is done for the turn.`,
  };
}

function doneChoice(tables: Tables, s: StateView): ChoiceText {
  const { L } = tables;
  switch (s[L.phase]) {
    case PHASE.replace: {
      const reduced = countArmies(tables, (a) => mayReplace(tables, s, a));
      return {
        text: "No more replacements",
        ends: "phase",
        warning:
          reduced === 0
            ? null
            : `${counted(s[L.replacements]!, "replacement step lapses", "replacement steps lapse")}; ${counted(reduced, "army is", "armies are")} below full strength.`,
      };
    }
    case PHASE.enter:
      return { text: "No free hex to enter", warning: "The army is lost." };
    case PHASE.partisan:
      return { text: "No hex for the partisans", ends: "phase", warning: "The marker is lost." };
    default:
      return endOfTurnChoice(tables, s);
  }
}

/** Phase IV changes no hex before the check, so what the check says now is what it will say. */
function endOfTurnChoice(tables: Tables, s: StateView): ChoiceText {
  const { L } = tables;
  const turn = s[L.turn]!;
  const result = resultOfCheck(tables, s, turn);
  const unmoved = countArmies(tables, (a) => mayActivate(tables, s, a));
  const why: string[] = [];
  if (result !== 0 && returnOfResult(result) < 1)
    why.push(`The check at the end of turn ${turn} comes now: ${endingText(tables, s, result)}`);
  if (unmoved > 0) why.push(`${counted(unmoved, "army has", "armies have")} not moved yet.`);
  return { text: `End turn ${turn}`, ends: "turn", warning: why.length === 0 ? null : why.join(" ") };
}

function countArmies(tables: Tables, test: (army: number) => boolean): number {
  let n = 0;
  for (let a = 0; a < tables.armyCount; a++) if (test(a)) n++;
  return n;
}
