import { EVERYTHING, type Viewer } from "../../core/game.js";
import { type Choice, endersLast, type Prompt } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { ARMY, COMMIT, CONCEDE, DONE, firstHex, HOLD, LOSE, PRESS, STOP } from "../actions.js";
import type { Tables } from "../data.js";
import { BATTLE, PHASE, PHASES } from "../layout.js";
import { mayActivate } from "../rules/movement.js";
import { mayReplace } from "../rules/reinforcement.js";
import { resultOfCheck, returnOfResult } from "../rules/victory.js";
import { activeArmy, battleHex } from "../state.js";
import { setLegal } from "../turn.js";
import { type ChoiceText, hexChoice } from "./hex-choices.js";
import { endingText } from "./turn-events.js";
import {
  armyText,
  battleText,
  CLASS_TEXT,
  counted,
  counterIds,
  countersAt,
  counterTexts,
  hexIds,
  hexText,
  hexTexts,
  INTERCEPTOR_TEXT,
  pocketHexes,
  SOVIET,
} from "./words.js";

type Question = Pick<Prompt, "text" | "rule" | "seeAlso" | "units" | "places">;

const nothing: Pick<Question, "units" | "places"> = { units: [], places: [] };

/** Says what is to be decided and what each choice means. */
export class PromptWriter {
  private readonly mask: Uint8Array;

  constructor(
    private readonly tables: Tables,
    private readonly actions: readonly string[],
  ) {
    this.mask = new Uint8Array(actions.length);
  }

  /** The question is public; the choices are for the player, and for who sees everything. */
  prompt(s: StateView, viewer: Viewer): Prompt {
    const { tables } = this;
    const phase = s[tables.L.phase]!;
    const over = phase === PHASE.over;
    return {
      by: over ? null : SOVIET,
      kind: PHASES[phase]!,
      ...question(tables, s),
      choices: over || (viewer !== 0 && viewer !== EVERYTHING) ? [] : this.choices(s),
    };
  }

  private choices(s: StateView): Choice[] {
    const { tables, actions, mask } = this;
    mask.fill(0);
    setLegal(tables, s, mask, 0);
    const choices: Choice[] = [];
    for (let action = 0; action < mask.length; action++)
      if (mask[action] === 1)
        choices.push({
          action,
          name: actions[action]!,
          ends: null,
          warning: null,
          ...nothing,
          ...choice(tables, s, action),
        });
    // stopping is no way to begin a list either
    choices.sort((a, b) => Number(a.action === STOP) - Number(b.action === STOP));
    return endersLast(choices);
  }
}

/** What is asked, whoever looks. */
function question(tables: Tables, s: StateView): Question {
  const { L } = tables;
  const turn = s[L.turn]!;
  const army = activeArmy(tables, s);
  switch (s[L.phase]) {
    case PHASE.setup:
      return {
        text: `Which army does ${tables.engineer.id} (${counted(s[L.engineer]!, "step")}) ride with? Its steps fire with that army and are lost first.`,
        rule: "SC 3.5",
        seeAlso: ["SC 6.3"],
        ...nothing,
        units: [tables.engineer.id],
      };
    case PHASE.replace:
      return {
        text: `Turn ${turn}: which reduced army gains a step? ${counted(s[L.replacements]!, "step is", "steps are")} left; what is not used lapses.`,
        rule: "SC 7.4",
        seeAlso: ["SC 6.3"],
        ...nothing,
      };
    case PHASE.enter:
      return {
        text: "Where does the waiting army enter? A free Soviet hex of the north, south or east edge, Moscow or Tula.",
        rule: "SC 7.2",
        seeAlso: ["SC 6.2"],
        ...nothing,
      };
    case PHASE.partisan:
      return {
        text: "Which German hex do the partisans take? It counts in all checks at once and blocks German ways west.",
        rule: "SC 7.3",
        seeAlso: ["SC 8.4"],
        ...nothing,
        units: [tables.partisanId],
      };
    case PHASE.activate:
      return {
        text: `Turn ${turn} (${tables.turnNames[turn - 1]!}): which army moves next? ${checkText(tables, s)}`,
        rule: "SC 9.1",
        seeAlso: ["SC 9.2", ...(turn <= 1 ? ["SC 4.2"] : turn <= 3 ? ["SC 4.3"] : ["SC 4.5", "SC 4.6"])],
        ...nothing,
      };
    case PHASE.move:
      return {
        text: `Where does ${armyText(tables, army)} in ${hexText(tables, s[L.armyHex + army]!)} go? It has ${s[L.mp]!} MP and ${stepsText(tables, s)}.`,
        rule: "SC 9.7",
        seeAlso: ["SC 9.2", "SC 9.10", "SC 10.13"],
        units: [tables.armies[army]!.id],
        places: hexIds(tables, [s[L.armyHex + army]!]),
      };
    case PHASE.attach:
      return {
        text: `The turn ends. Which army does ${tables.engineer.id} (${counted(s[L.engineer]!, "step")}) ride with next turn? ${checkText(tables, s)}`,
        rule: "SC 6.3",
        seeAlso: ["SC 4.1"],
        ...nothing,
        units: [tables.engineer.id],
      };
    case PHASE.over:
      return {
        text: `The game is over: ${endingText(tables, s, s[L.result]!)}`,
        rule: "SC 4.1",
        seeAlso: [],
        ...nothing,
      };
    default:
      return battleQuestion(tables, s);
  }
}

function battleQuestion(tables: Tables, s: StateView): Question {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const enemies = countersAt(tables, s, BATTLE);
  const pocket = pocketHexes(tables, s);
  const who = `${armyText(tables, army)} (${stepsText(tables, s)}) in ${battleText(tables, s)} against ${counterTexts(tables, enemies)}`;
  const cutOff = pocket.length === 0 ? "" : ` A win calls a breakout from ${hexTexts(tables, pocket)}.`;
  const at: Pick<Question, "units" | "places"> = {
    units: [tables.armies[army]!.id, ...counterIds(tables, enemies)],
    places: hexIds(tables, [battleHex(tables, s)]),
  };
  switch (s[L.phase]) {
    case PHASE.commit:
      return {
        text: `Round ${s[L.round]!}: ${who}. Send ${INTERCEPTOR_TEXT}, once a turn: a die against each unit left at the end of the round?${cutOff}`,
        rule: "SC 10.11",
        seeAlso: ["SC 10.1"],
        ...at,
      };
    case PHASE.losses:
      return {
        text: `${counted(s[L.hits]!, "hit")} on the Germans in ${battleText(tables, s)}: which unit is lost? They are ${counterTexts(tables, enemies)}.`,
        rule: "SC 10.14",
        seeAlso: ["SC 10.1", "SC 2.6"],
        ...at,
      };
    default:
      return {
        text: `Round ${s[L.round]!} was undecided: ${who}. Press on for ${tables.extraRoundCost} of ${s[L.mp]!} MP or fall back to ${hexText(tables, s[L.from]! - 1)}?${cutOff}`,
        rule: "SC 9.3",
        seeAlso: ["SC 9.5", "SC 10.3"],
        ...at,
      };
  }
}

/** `8 steps, 6 more of 1E` of the moving force. */
function stepsText(tables: Tables, s: StateView): string {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const engineer = s[L.host] === army + 1 ? `, ${s[L.engineer]!} more of ${tables.engineer.id}` : "";
  return counted(s[L.armySteps + army]!, "step") + engineer;
}

/** What the check at the end of this turn needs; empty when none comes. */
function checkText(tables: Tables, s: StateView): string {
  const { L, win, draw } = tables;
  switch (s[L.turn]) {
    case 1:
      return s[L.beside] === 0
        ? "No German hex touches Moscow or Tula: the check is met."
        : `${counted(s[L.beside]!, "German hex touches", "German hexes touch")} Moscow or Tula; none may at the end of the turn.`;
    case 2:
    case 3:
      return `K-Line: ${s[L.kHeld]!} of ${tables.kRequired} needed at the end of turn 3.`;
    default:
      return `Fortified ${s[L.forts]!}, western ${s[L.westHeld]!}; ${win.fortified} and ${win.west} win after turn 6, ${draw.fortified} and ${draw.west} draw.`;
  }
}

/** What a legal action means. */
function choice(tables: Tables, s: StateView, action: number): ChoiceText {
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
        warning: `${INTERCEPTOR_TEXT} is spent until the next turn, whether it still finds a target or not.`,
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
