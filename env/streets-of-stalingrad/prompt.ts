import { EVERYTHING, type Viewer } from "../core/game.js";
import { newState, type StateView } from "../core/layout.js";
import type { Narration, Prompt } from "../core/narration.js";
import { HEX, unitBase } from "./actions.js";
import { decisionOfKind, decisions } from "./decisions/index.js";
import { hexId, SIDE_WORDS } from "./events/words.js";
import type { Knowledge } from "./knowledge.js";
import { ASKS } from "./layout.js";
import { resultNow, standing } from "./narration/standing.js";
import type { Survey } from "./narration/words.js";
import { SIDES } from "./roster.js";
import { actorOf, askedHex, askOf, isOver, type Tables } from "./state.js";

/** Prompts and standing, all of the state as the viewer knows it. */
export function makeNarration(tables: Tables, knowledge: Knowledge, names: readonly string[]): Narration {
  const known = newState(tables.layout.size);
  const seenBy = (s: StateView, viewer: Viewer): StateView => {
    knowledge.redact(s, viewer, known);
    return known;
  };
  return {
    prompt: (s, viewer) => prompt(tables, names, s, seenBy(s, viewer), viewer),
    standing: (s, viewer) => standing(tables, seenBy(s, viewer)),
  };
}

/**
 * The pending decision, as a viewer may know it. A viewer who does not decide reads only what is public.
 *
 * @param truth for the legal actions only
 * @param s the state as the viewer knows it
 */
function prompt(tables: Tables, names: readonly string[], truth: StateView, s: StateView, viewer: Viewer): Prompt {
  const nothing = { seeAlso: [], units: [], places: [], choices: [] };
  if (isOver(tables, s))
    return { by: null, kind: "end", text: `The game is over: ${resultNow(tables, s)}.`, rule: "SOS 3.3", ...nothing };
  const actor = actorOf(tables, truth);
  const by = SIDES[actor]!;
  const kind = askOf(tables, s);
  if (viewer === actor || viewer === EVERYTHING) {
    const survey = (mask: Uint8Array): Survey => surveyOf(tables, s, viewer, mask);
    const asked = { names, by, decides: true, truth, survey, warnsAlone: true };
    return decisions.prompt(tables, s, kind, viewer, asked);
  }
  const hex = askedHex(tables, s) < 0 ? "" : hexId(tables, askedHex(tables, s));
  const waiting = decisionOfKind(kind).waits(tables, s, SIDE_WORDS[actor]!, hex);
  return { by, kind: ASKS[kind]!, ...nothing, ...waiting, places: hex === "" ? [] : [hex] };
}

/** What the words of all choices share; also finds their ways in scratch space. */
function surveyOf(tables: Tables, s: StateView, viewer: Viewer, mask: Uint8Array): Survey {
  const units: number[] = [];
  const hexes: number[] = [];
  for (let h = 0; h < tables.hexes; h++) if (mask[HEX + h] === 1) hexes.push(h);
  for (let u = 0; u < tables.units; u++) if (mask[unitBase(tables.hexes) + u] === 1) units.push(u);
  decisionOfKind(askOf(tables, s)).prepares?.(tables, s);
  return { viewer, units, hexes, dangers: new Map() };
}
