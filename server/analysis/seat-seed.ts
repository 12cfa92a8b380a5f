import { createHash } from "node:crypto";
import { canonical, type Game, type StateView } from "../../env/index.js";

/**
 * A seed for what is sampled of a position, from what a seat knows of it: it depends neither on what is hidden from the
 * seat nor on how many decisions went before, which can be hidden too.
 *
 * @param purpose different samples of one position have different ones
 */
export const seedOfKnown = (game: Game, s: StateView, seat: number, purpose: string): string =>
  createHash("sha256")
    .update(`${purpose}\n${canonical(game.view(s, seat))}`)
    .digest("hex");
