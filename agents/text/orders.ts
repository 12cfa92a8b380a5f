import { type Game, orderForms, type StateView, type Viewer } from "../../env/index.js";

/** Names of units in one line. */
const MOST_UNITS = 40;

/** The orders that fit a decision, a line each. */
export function formsLines(game: Game, s: StateView, viewer: Viewer): string[] {
  const forms = orderForms(game, s, viewer);
  if (forms.length === 0) return ["No order fits this decision: name one action."];
  return forms.map(({ form, says, units }) => {
    const names = units.length > MOST_UNITS ? [...units.slice(0, MOST_UNITS), "..."] : units;
    return `${form}: ${says}${names.length > 0 ? ` Units: ${names.join(", ")}.` : ""}`;
  });
}
