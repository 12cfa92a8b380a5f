import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { decisions } from "../decisions/index.js";
import { clearDecision, DECISION, decisionOf, L } from "../state.js";
import { type DrawNames, run } from "./run.js";

/** Carries out a legal action and runs on to the next decision. */
export function apply(tables: Tables, s: State, action: number, play: Play, names: DrawNames): void {
  const kind = decisionOf(s);
  s[L.decision] = DECISION.none; // what it is about stays for its act, until the next one is asked
  run(tables, s, play, names, decisions.apply(tables, s, kind, action, play) === true);
  if (decisionOf(s) === DECISION.none) clearDecision(s);
}
