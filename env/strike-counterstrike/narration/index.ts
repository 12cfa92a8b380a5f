import type { Narration, Prompt, Standing } from "../../core/narration.js";
import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { HOLD, LOSE } from "../actions.js";
import type { Tables } from "../data.js";
import { countersAt } from "../events/words.js";
import { BATTLE, PHASE } from "../layout.js";
import { PromptWriter } from "./prompt.js";
import { standing } from "./standing.js";

/** What the game says of a state. Everything that can be said is public but for the marker's counters, which it never names. */
export class Voice implements Narration {
  private readonly prompts: PromptWriter;

  constructor(
    private readonly tables: Tables,
    actions: readonly string[],
  ) {
    this.prompts = new PromptWriter(tables, actions);
  }

  prompt(s: StateView, viewer: Viewer): Prompt {
    return this.prompts.prompt(s, viewer);
  }

  standing(s: StateView, _viewer: Viewer): Standing {
    return standing(this.tables, s);
  }

  /** In a battle VI IC is held back, and the first class of units named takes the hits. */
  presumed(s: StateView): number {
    const { tables } = this;
    const phase = s[tables.L.phase];
    if (phase === PHASE.commit) return HOLD;
    if (phase !== PHASE.losses) return -1;
    return LOSE + Math.min(...countersAt(tables, s, BATTLE).map((c) => tables.cls[c]!));
  }
}
