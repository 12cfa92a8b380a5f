import { bitWords } from "../core/bits.js";
import { InvariantError } from "../core/errors.js";
import type { State, StateView } from "../core/layout.js";
import type { Play } from "../core/play.js";
import { decisionOfKind, decisions } from "./decisions/index.js";
import { ASKS, UNPINNED } from "./layout.js";
import { clearRecords } from "./rules/units/fire.js";
import { lookRound } from "./rules/units/hidden.js";
import { tellTasks } from "./rules/units/tasks.js";
import { askOf, takeAll } from "./state.js";
import type { Tables } from "./state.js";

/** Carries out a legal action and runs on to the next decision. Spec 4.1. */
export function act(tables: Tables, s: State, action: number, play: Play): void {
  clearRecords(tables, s);
  takeAll(tables, s, UNPINNED);
  s.fill(0, tables.layout.outOfSight, tables.layout.outOfSight + bitWords(tables.units));
  tables.stirred.clear();
  decisions.apply(tables, s, askOf(tables, s), action, play);
  run(tables, s, play);
  tellTasks(tables, s, play);
}

/** Runs on to a decision with something to choose, or to the end, in a state that may not have been looked at yet. */
export function proceed(tables: Tables, s: State, play: Play): void {
  tables.stirred.all = true;
  run(tables, s, play);
}

function run(tables: Tables, s: State, play: Play): void {
  const { found } = tables;
  const { mask } = found;
  let n = 0;
  found.count = 0;
  while (s[tables.layout.over] === 0) {
    const kind = askOf(tables, s);
    const { closes, optional, work } = decisionOfKind(kind);
    if (work?.due(tables, s) === true) {
      work.does(tables, s, play);
      continue;
    }
    mask.fill(0);
    n = decisions.mark(tables, s, kind, mask, 0);
    if (n === 0) {
      if (closes === undefined) throw new InvariantError(`streets-of-stalingrad: ${ASKS[kind]} has no legal action`);
      closes(tables, s, play);
    } else if (n === 1 && (tables.autoSingle || optional === true))
      decisions.apply(tables, s, kind, mask.indexOf(1), play);
    else break;
  }
  // a face that is seen now may change what is legal
  if (!lookRound(tables, s, play) && s[tables.layout.over] === 0) found.count = n;
}

/** True when the top frame is work of the engine, and asks nothing. */
export const isEngineFrame = (tables: Tables, s: StateView): boolean =>
  decisionOfKind(askOf(tables, s)).work?.due(tables, s) ?? false;
