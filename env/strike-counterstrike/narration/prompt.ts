import { counted } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import { type Choice, endersLast, type Prompt } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { BATTLE, PHASE, PHASES } from "../layout.js";
import { activeArmy, battleHex } from "../state.js";
import { setLegal } from "../turn.js";
import { choiceText } from "./choices.js";
import { endingText } from "../events/turn.js";
import {
  armyText,
  battleText,
  counterIds,
  countersAt,
  counterTexts,
  hexIds,
  hexText,
  hexTexts,
  INTERCEPTOR_TEXT,
  pocketHexes,
  SOVIET,
} from "../events/words.js";

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

  /** The question is public; the choices are for the player and for `EVERYTHING`. */
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
          ...choiceText(tables, s, action),
        });
    return endersLast(choices);
  }
}

/** What is asked; the same for every viewer. */
function question(tables: Tables, s: StateView): Question {
  const { L } = tables;
  const turn = s[L.turn]!;
  const army = activeArmy(tables, s);
  switch (s[L.phase]) {
    case PHASE.setup:
      return {
        text: `Which army does ${tables.engineer.id}, the ${tables.engineer.name} (${counted(s[L.engineer]!, "step")}), ride with? Its steps fire with that army and are lost first.`,
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
