import type { Viewer } from "../../core/game.js";
import { newState, type StateView } from "../../core/layout.js";
import type { Narration } from "../../core/narration.js";
import type { Knowledge } from "../knowledge.js";
import type { Tables } from "../state.js";
import { prompt } from "./prompt.js";
import { standing } from "./standing.js";

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
