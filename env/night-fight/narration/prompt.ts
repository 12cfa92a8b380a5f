import { counted } from "../../core/words.js";
import { NOBODY, SPECTATOR, type Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { type Choice, endersLast, type Prompt } from "../../core/narration.js";
import { markLegal } from "../actions.js";
import type { Tables } from "../data.js";
import {
  activeOf, BUY, countAt, FIRE, FOLLOW, L, MOVE, mpOf, PHASES, phaseOf, placeOf, REINSTATE, STEP, TARGET, targetOf,
  turnOf, WAITING,
} from "../state.js"; // prettier-ignore
import { choiceOf } from "./choices.js";
import { standing } from "./standing.js";
import { begun } from "../events/words.js";
import { NO_UNIT } from "../data.js";

/** The rule that asks, then others that help, by phase; all without their prefix. */
const RULES: Readonly<Record<(typeof PHASES)[number], readonly string[]>> = {
  buy: ["11.3 A", "11.4", "11.3 C", "11.3"],
  reinstate: ["11.3 C", "11.3"],
  move: ["reconstructed turn", "reconstructed 8"],
  step: ["reconstructed 8", "11.3", "11.3 F", "11.1 (22.3)"],
  fire: ["reconstructed fire", "reconstructed soviet fire"],
  target: ["reconstructed fire", "reconstructed spotting", "reconstructed attack", "reconstructed target", "11.2"],
  follow: ["reconstructed fire", "reconstructed attack"],
  over: ["11.3"],
};

/** What is to be decided. There is one player, so every viewer reads the same; nothing in it is hidden. */
export function prompt(tables: Tables, s: StateView, viewer: Viewer, actor: number, names: readonly string[]): Prompt {
  const phase = phaseOf(s);
  const [rule, ...seeAlso] = RULES[PHASES[phase]!].map((id) => `NF ${id}`);
  const u = activeOf(s);
  const places = u === NO_UNIT || placeOf(s, u) < 0 ? [] : [tables.ids[placeOf(s, u)]!];
  return {
    by: actor === NOBODY ? null : "german",
    kind: PHASES[phase]!,
    text: questionText(tables, s, phase),
    rule: rule!,
    seeAlso,
    units: u === NO_UNIT ? [] : [tables.unitNames[u]!],
    places: phase === FOLLOW ? [...places, tables.ids[targetOf(s)]!] : places,
    choices: actor === NOBODY || viewer === SPECTATOR ? [] : choicesOf(tables, s, names),
  };
}

function questionText(tables: Tables, s: StateView, phase: number): string {
  const u = activeOf(s);
  const turn = `Turn ${turnOf(s)} of ${tables.rules.turns}`;
  switch (phase) {
    case BUY:
      return `Which unit do you buy? ${s[L.budget]} of ${tables.budget} points are left, ${counted(countAt(s, WAITING), "unit")} bought.`;
    case REINSTATE:
      return "Do you give a truck up to restore a gun?";
    case MOVE:
      return `${turn}: which unit moves?`;
    case STEP:
      return `${begun(tables, u)} moves, ${mpOf(s)} MP left. Where to?`;
    case FIRE:
      return `${turn}: which unit fires or looks?`;
    case TARGET:
      return `${begun(tables, u)} in ${tables.ids[placeOf(s, u)]}: which hex does it fire at or look into?`;
    case FOLLOW:
      return `${begun(tables, u)} has found its target in ${tables.ids[targetOf(s)]}. Fire at once?`;
    default:
      return standing(tables, s).ifEndedNow;
  }
}

function choicesOf(tables: Tables, s: StateView, names: readonly string[]): Choice[] {
  const mask = new Uint8Array(names.length);
  markLegal(tables, s, mask, 0);
  const list: Choice[] = [];
  for (let action = 0; action < names.length; action++)
    if (mask[action] === 1) list.push(choiceOf(tables, s, action, names[action]!));
  if (list.length === 1) return [{ ...list[0]!, warning: null }];
  return endersLast(list);
}
