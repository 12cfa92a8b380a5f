import { randomUUID } from "node:crypto";
import { type Game, KesselError, newState, SeededDice, seedStream, type Seed, type State } from "../../env/index.js";
import type { RequestOf } from "../wire/protocol.js";

/** What a reset comes to. */
export interface Opening {
  /** Environments that start anew; all if undefined. */
  readonly which: readonly number[] | undefined;
  /** One seed for each of them, or one to make theirs from. */
  readonly seeds: Seed | readonly Seed[];
  /** Situations they start from, if not at the beginning. */
  readonly states: readonly State[] | null;
  /** What the agents' streams are made from when they begin anew too, else null. */
  readonly root: string | null;
}

/**
 * Works out the seeds of a batch's resets: with a seed for all environments, agents' streams begin anew too, so that the
 * whole is repeated by the same seed; without one, streams go on from the last such reset.
 */
export class Opener {
  private root: string = randomUUID();
  private resets = 0;

  constructor(
    private readonly game: Game,
    private readonly size: number,
  ) {}

  /** @throws KesselError `bad-seed`, `bad-position` */
  open({ seed, seeds: list, which, positions }: RequestOf<"reset">): Opening {
    if (seed !== undefined && list !== undefined)
      throw new KesselError(
        "bad-seed",
        "give either seed (one for the batch) or seeds (one per environment), not both",
      );
    const count = which?.length ?? this.size;
    if (positions !== undefined && positions.length !== count)
      throw new KesselError("bad-position", `${positions.length} positions came for ${count} environments`);
    const seeds = list ?? seed ?? `${this.root}+${++this.resets}`;
    const states = positions === undefined ? null : this.read(positions, seeds);
    if ((seed ?? list) === undefined || count < this.size) return { which, seeds, states, root: null };
    this.root = typeof seeds === "object" ? seeds.join() : String(seeds);
    this.resets = 0;
    return { which, seeds, states, root: this.root };
  }

  private read(docs: RequestOf<"reset">["positions"] & object, seeds: Seed | readonly Seed[]): State[] {
    const dice = new SeededDice();
    return docs.map((doc, k) => {
      const s = newState(this.game.stateSize);
      seedStream(typeof seeds === "object" ? seeds[k]! : `${seeds}/${k}`, s);
      dice.begin(s);
      this.game.read(doc, s, dice);
      return s;
    });
  }
}
