import { Env, type Game, InvariantError, type State } from "../../env/index.js";
import type { SuiteDocument } from "./document.js";

/** Positions of recorded games. Asking for those of a game in order is fastest. */
export class Positions {
  private readonly env: Env;
  private game = -1;
  private at = 0;

  constructor(
    game: Game,
    private readonly games: SuiteDocument["games"],
  ) {
    this.env = new Env(game);
  }

  /** The state of game `game` after `at` decisions; valid until the next call. */
  of({ game, at }: { readonly game: number; readonly at: number }): State {
    const recorded = this.games[game];
    if (recorded === undefined || at >= recorded.actions.length)
      throw new InvariantError(`the suite has no decision ${at} of game ${game}`);
    if (game !== this.game || at < this.at) {
      this.env.reset(recorded.seed);
      this.game = game;
      this.at = 0;
    }
    for (; this.at < at; this.at++) this.env.step(recorded.actions[this.at]!);
    return this.env.state;
  }
}
