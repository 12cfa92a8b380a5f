import type { Narration, Prompt, Standing } from "../../core/narration.js";
import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
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
}
