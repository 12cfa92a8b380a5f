import { counted } from "../../core/words.js";
import { ScriptedDice } from "../../core/dice/dice.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import { newState, type State, type StateView } from "../../core/layout.js";
import { type Choice, endersLast, type Prompt } from "../../core/narration.js";
import { ACTIONS, REROLL, ROLL, setLegal } from "../actions.js";
import { AREA_IDS, type Tables } from "../data.js";
import {
  cmdOf,
  DECISION,
  DECISION_KINDS,
  type DecisionKind,
  GERMAN,
  L,
  NO_SIDE,
  phaseOf,
  RATT,
  REASONS,
  SIDES,
  TACTICS,
} from "../state.js";
import { applyAction } from "../turn.js";
import { resultText } from "../events/action.js";
import { choiceOf } from "./choices.js";
import { faceName } from "../events/dice.js";
import { areaText, facesAt, forces, SIDE_WORDS, unitsOf } from "../events/words.js";

/** The rule that asks, then others that help, by kind of decision; all without their prefix. */
const RULES: Readonly<Record<DecisionKind, readonly string[]>> = {
  dice: ["2", "3 Unit dice", "3 Command", "3"],
  place: ["3 Unit dice"],
  reroll: ["Area 2", "3"],
  lose: ["3 Ratt 1"],
  fortify: ["Fortify"],
  announce: ["4.1", "Night", "Sturm"],
  reduce: ["Night", "4.1"],
  air: ["4.1", "Fortify", "Artillery"],
  cancel: ["Night", "4.1"],
  raze: ["Fortify", "5"],
  sturm: ["Sturm", "4.1"],
  cross: ["4.2", "Area 6 Soviet"],
  ratzel: ["3 Ratt 3", "4.3"],
  deployOut: ["3 Deploy", "4.3"],
  deployIn: ["3 Deploy", "4.3"],
  artillery: ["Artillery", "5"],
  fight: ["5 Area Z", "Area Z"],
  pioneer: ["Pioneers", "Fortify"],
  guards: ["Guards", "6"],
  over: ["Victory"],
  chance: ["2"],
};

/** What is to be decided. Choices are for the side that decides and for `EVERYTHING`; others get none. */
export function prompt(tables: Tables, s: StateView, viewer: Viewer): Prompt {
  const kind = DECISION_KINDS[s[L.kind]!]!;
  const actor = s[L.actor]!;
  const decides = actor !== NO_SIDE && (viewer === actor || viewer === EVERYTHING);
  const [rule, ...seeAlso] = [...RULES[kind], ...faceRules(s)].map((id) => `PS ${id}`);
  return {
    by: actor === NO_SIDE ? null : SIDES[actor]!,
    kind,
    text: actor === NO_SIDE ? quietText(tables, s) : `${SIDE_WORDS[actor]}: ${questionText(tables, s, kind, actor)}`,
    rule: rule!,
    seeAlso,
    units: [],
    places: s[L.area] === 0 ? [] : [AREA_IDS[s[L.area]! - 1]!],
    choices: decides ? choicesOf(tables, s) : [],
  };
}

/** Rules of the faces that the loose Tactics and Ratt dice show. */
function faceRules(s: StateView): string[] {
  const [tactics, ratt] = [s[L.looseSpecialDice + TACTICS]!, s[L.looseSpecialDice + RATT]!];
  return [
    ...(tactics === 0 ? [] : [`3 ${SIDE_WORDS[s[L.active]!]} ${tactics}`]),
    ...(ratt === 0 ? [] : [`3 Ratt ${ratt}`]),
  ];
}

function quietText(tables: Tables, s: StateView): string {
  if (s[L.kind] === DECISION.chance) return "Chance decides how the dice fall.";
  return resultText(tables, s, s[L.winner]!, REASONS[s[L.reason]!]!);
}

/** What the actor has to decide, with what it costs and what there is. */
function questionText(tables: Tables, s: StateView, kind: DecisionKind, actor: number): string {
  const { costs } = tables;
  const cmd = `${cmdOf(s, actor)} CMD`;
  const where = s[L.area] === 0 ? "" : areaText(tables, s[L.area]! - 1);
  switch (kind) {
    case "dice":
      return diceText(s);
    case "place":
      return `the reserve holds only ${unitsOf(s[L.reserve + actor]!)}; which unit die brings the next one (${facesAt(s, L.pending).join(" ")})?`;
    case "reroll":
      return `Pavlov's House lets you have ${s[L.active] === actor ? "your own" : "the enemy's"} Ratt die thrown again (now ${rattText(tables, s)}). Throw it again?`;
    case "lose":
      return "the Sniper takes one of your units. From where?";
    case "fortify":
      return `build a Fortification for ${costs.fortify} CMD (you have ${cmd})?`;
    case "announce": {
      const night = s[L.night] === 1 ? "; Night wastes the first, and the number is final" : "";
      return `pay for air attacks, 1 CMD each (you have ${cmd}${night})?`;
    }
    case "reduce":
      return `${counted(s[L.attacks]!, "air attack")} are coming; cancel some for ${costs.nightCancel} CMD each (you have ${cmd})?`;
    case "air":
      return `${counted(s[L.attacks]!, "air attack")} to assign. Where does the next one strike?`;
    case "cancel":
      return `an air attack strikes ${where} (${forces(s, s[L.area]! - 1)}). Cancel it for ${costs.nightCancel} CMD (you have ${cmd})?`;
    case "raze":
      return `${counted(s[L.kills]!, "kill")} in ${where} (${forces(s, s[L.area]! - 1)}). Give the Fortification up to save a unit?`;
    case "sturm": {
      const cost = s[L.surchargePaid] === 0 && tables.sturmSurcharge > 0 ? ` for ${tables.sturmSurcharge} CMD` : "";
      return `Sturm: ${unitsOf(s[L.left]!)} of Gumrak may infiltrate${cost}. Where to?`;
    }
    case "cross":
      return `send a unit across the Volga for ${costs.volgaCrossing} CMD (you have ${cmd})?`;
    case "ratzel":
      return "Ratzel: move one enemy unit among Z and areas 1 to 5?";
    case "deployOut":
      return `Deploy: move units out of Z (${forces(s, 0)}) into city areas?`;
    case "deployIn":
      return `Deploy: bring units from city areas into Z (${forces(s, 0)})?`;
    case "artillery":
      return `${artilleryText(tables, s, where)} Use Artillery for ${costs.artillery} CMD (you have ${cmd})?`;
    case "fight":
      return `both sides stand in Z (${forces(s, 0)}). Pay ${costs.zCombat} CMD for combat there (you have ${cmd})?`;
    case "pioneer":
      return `send Pioneers into ${where} for ${costs.pioneer} CMD (you have ${cmd})?`;
    case "guards":
      return `before areas are captured a Guards unit may infiltrate (you have ${cmd}). Where to?`;
    case "over":
    case "chance":
      return quietText(tables, s);
  }
}

function diceText(s: StateView): string {
  const loose = facesAt(s, L.loose).length + [0, 1, 2].filter((d) => s[L.looseSpecialDice + d]! > 0).length;
  if (loose === 0) return "throw the dice.";
  if (loose === 1) return "keep the last loose die, or throw it again?";
  return s[L.picked] === 1
    ? `keep more of the ${counted(loose, "loose die").replace("dies", "dice")}, or throw again?`
    : `which of the ${counted(loose, "loose die").replace("dies", "dice")} do you keep?`;
}

function rattText(tables: Tables, s: StateView): string {
  const face = s[L.keptSpecialDice + 2]!;
  return `${face}: ${faceName(tables, GERMAN, 2, face)}`;
}

function artilleryText(tables: Tables, s: StateView, where: string): string {
  const marker =
    s[L.artillery] === 0 ? "Artillery lies nowhere" : `Artillery lies on ${areaText(tables, s[L.artillery]!)}`;
  if (where === "") return `combat is over; ${marker}.`;
  return `combat in ${where} is next (${forces(s, s[L.area]! - 1)}); ${marker}.`;
}

function choicesOf(tables: Tables, s: StateView): Choice[] {
  const mask = new Uint8Array(ACTIONS.length);
  setLegal(tables, s, mask, 0);
  const after = newState(s.length);
  const list: Choice[] = [];
  for (let action = 0; action < ACTIONS.length; action++) {
    if (mask[action] === 0) continue;
    const ends = endOf(tables, s, action, after);
    const choice = choiceOf(tables, s, action, ends);
    const lost = ends === "turn" && after[L.winner] === 2 - s[L.actor]!;
    list.push(lost ? { ...choice, warning: `The ${SIDE_WORDS[1 - s[L.actor]!]} side wins the game by this.` } : choice);
  }
  if (list.length === 1) return [{ ...list[0]!, warning: null }];
  return endersLast(list);
}

/** What an action ends, found by carrying it out on a copy; what throws dice ends nothing. */
function endOf(tables: Tables, s: StateView, action: number, after: State): Choice["ends"] {
  if (action === ROLL || action === REROLL) return null;
  for (let i = 0; i < after.length; i++) after[i] = s[i]!;
  applyAction(tables, after, action, new ScriptedDice([]));
  if (after[L.kind] === DECISION.over || after[L.turn] !== s[L.turn] || after[L.active] !== s[L.active]) return "turn";
  return phaseOf(after) === phaseOf(s) ? null : "phase";
}
