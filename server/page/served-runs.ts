import type { GameCache } from "../threads/library.js";
import { namesOf } from "./lobby.js";
import { offered } from "./offers.js";
import type { Pace } from "./pace.js";
import type { BaseCache } from "./picture.js";
import type { Replays } from "./replays.js";
import { compareNets } from "./runs/compare.js";
import type { Comparison, ListedRun, NewComparison, RunView } from "./runs/runs-view.js";
import type { RunShelf } from "./runs/run-library.js";
import { servedRuns } from "./seat-makers.js";

/** Training runs that everybody who opens the page may watch. */
export class ServedRuns {
  constructor(
    private readonly shelf: RunShelf | undefined,
    private readonly games: GameCache,
    private readonly bases: BaseCache,
    private readonly replays: Replays,
    private readonly pace: Pace,
  ) {}

  /** @throws KesselError `unsupported` where none are served */
  list(): ListedRun[] {
    return servedRuns(this.shelf).list();
  }

  /** A run with its curves, and the agents that can play in its game. @throws KesselError as `RunShelf.view` */
  view(name: string): RunView {
    const shelf = servedRuns(this.shelf);
    const game = this.games.game(shelf.gameOf(name));
    const agents = offered(game).map(({ short, players }) => ({ short, players }));
    return { ...shelf.view(name, game), players: game.players, names: namesOf(game), agents };
  }

  /**
   * Lets two nets of a run play, and asks both about every decision.
   *
   * @param from who asks: a guest's address
   * @throws KesselError as `compareNets`
   */
  compare(asked: NewComparison, from: string): Promise<Comparison> {
    this.pace.check();
    return compareNets(servedRuns(this.shelf), asked, this.bases, (text) => this.replays.open(text, from));
  }
}
