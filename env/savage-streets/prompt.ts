import { EVERYTHING, type Viewer } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import type { Prompt } from "../core/narration.js";
import type { Tables } from "./data.js";
import { deciderOf, decisions, isHiddenDecision } from "./decisions/index.js";
import { knowsSoviet, SIDE_NAMES, SIDES } from "./events/words.js";
import { DECISION, decisionOf } from "./state.js";

/** The decision at hand for one viewer; the choices only for the side that decides, and for `EVERYTHING`. */
export function prompt(tables: Tables, actions: readonly string[], s: StateView, viewer: Viewer): Prompt {
  const kind = decisionOf(s);
  const over = kind === DECISION.none;
  const decider = deciderOf(kind);
  const decides = !over && (viewer === decider || viewer === EVERYTHING);
  const knows = knowsSoviet(viewer);
  const by = over ? null : SIDES[decider]!;
  const asked = decisions.prompt(tables, s, kind, viewer, { names: actions, by, decides, knows, warnsAlone: true });
  return over || decides || (isHiddenDecision(kind) && !knows)
    ? asked
    : { ...asked, text: `The ${SIDE_NAMES[decider]!} player decides: ${asked.text}` };
}
