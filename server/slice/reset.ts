import { randomUUID } from "node:crypto";
import { type Game, KesselError, newState, SeededDice, seedStream, type Seed, type State } from "../../env/index.js";
import type { RequestOf } from "../wire/protocol.js";

/** What a reset does. */
export interface ResetPlan {
  /** Environments to reset; undefined for all. */
  readonly which: readonly number[] | undefined;
  /** A seed for each of them, or one from which theirs are made. */
  readonly seeds: Seed | readonly Seed[];
  /** States to start from; null for the game's start. */
  readonly states: readonly State[] | null;
  /** Seed of the agents' streams when they start over too; else null. */
  readonly root: string | null;
}

/**
 * The seeds of a batch's resets. A reset of all environments with a seed starts the agents' streams over too, so the
 * same seed repeats the whole play. A reset without one continues the sequence of the last seed.
 */
export class SeedSequence {
  private root: string = randomUUID();
  private resets = 0;

  constructor(
    private readonly game: Game,
    private readonly size: number,
  ) {}

  /** @throws KesselError `bad-seed`, `bad-position` */
  plan({ seed, seeds: list, which, positions }: RequestOf<"reset">): ResetPlan {
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
