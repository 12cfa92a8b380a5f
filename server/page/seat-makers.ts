import { randomBytes } from "node:crypto";
import { type Game, KesselError, oneOf, shown } from "../../env/index.js";
import { seatInThread } from "../session/agent-thread.js";
import type { SeatMaker } from "../session/open.js";
import { offered } from "./offers.js";
import type { RunShelf } from "./runs/run-library.js";

/** The agents that can sit at a table of the page. */
export class SeatMakers {
  constructor(private readonly runs: RunShelf | undefined) {}

  /** Nets of runs are in their folder. */
  readonly make: SeatMaker = async (who, game, seed) =>
    who.startsWith("run:") ? servedRuns(this.runs).seat(who, game, seed) : seatInThread(who, game, seed);

  /** The best agent for advice. */
  readonly advisor = async (game: Game) => {
    const best =
      offered(game)
        .filter((e) => e.kind === "level")
        .at(-1) ?? offered(game)[0]!;
    return this.make(best.name, game, randomBytes(8).toString("hex"));
  };

  /** The best agent that doesn't search. */
  readonly quick = async (game: Game, player: number) => {
    const best = offered(game).find((e) => e.kind !== "search" && e.players.includes(player))!;
    return this.make(best.name, game, randomBytes(8).toString("hex"));
  };

  /**
   * The agent's full name for one from the list. Browsers name none by path or address.
   *
   * @throws KesselError `bad-agent`
   */
  named(game: Game, player: number, who: string): string {
    if (who === "human" || (who.startsWith("run:") && this.runs?.has(who) === true)) return who;
    const list = offered(game).filter((e) => e.players.includes(player));
    const found = list.find((e) => e.short === who || e.name === who);
    if (found === undefined)
      throw new KesselError(
        "bad-agent",
        `${shown(who)} can't play here; there are ${oneOf(
          list.map((e) => e.short),
          20,
        )}`,
      );
    return found.name;
  }
}

/** The runs that are served. @throws KesselError `unsupported` where none are */
export function servedRuns(runs: RunShelf | undefined): RunShelf {
  if (runs === undefined)
    throw new KesselError("unsupported", "this server shows no training runs; kessel serve --runs DIR does");
  return runs;
}
