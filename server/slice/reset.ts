import { randomUUID } from "node:crypto";
import {
  type Game,
  type JsonObject,
  KesselError,
  newState,
  SeededDice,
  seedStream,
  type Seed,
  type State,
} from "../../env/index.js";
import type { RequestOf } from "../wire/protocol.js";

/** What a reset does. */
export interface ResetPlan {
  /** Environments to reset; undefined for all. */
  readonly which: readonly number[] | undefined;
  /** A seed for each of them, or one from which theirs are made. */
  readonly seeds: Seed | readonly Seed[];
  /** States to start from; null for the game's start. */
  readonly states: readonly State[] | null;
  /** Seed of the agents' streams when they start over too; otherwise null. */
  readonly root: string | null;
}

/** A reset whose positions have not been read yet. */
export interface ResetDraft {
  readonly documents: { readonly documents: readonly JsonObject[]; readonly seeds: readonly Seed[] } | null;
  /** The plan, when all states are there. */
  readonly plan: (states: readonly State[] | null) => ResetPlan;
}

/**
 * The seeds of a batch's resets. A reset of all environments with a seed starts the agents' streams over too, so the
 * same seed repeats the whole play. A reset without one continues the sequence of the last seed.
 */
export class SeedSequence {
  private root: string = randomUUID();
  private resets = 0;

  constructor(private readonly size: number) {}

  /** @throws KesselError `bad-seed`, `bad-position` */
  draft({ seed, seeds: list, which, positions }: RequestOf<"reset">): ResetDraft {
    if (seed !== undefined && list !== undefined)
      throw new KesselError(
        "bad-seed",
        "give either seed (one for the batch) or seeds (one per environment), not both",
      );
    const count = which?.length ?? this.size;
    if (positions !== undefined && positions.length !== count)
      throw new KesselError(
        "bad-position",
        `expected ${count} positions (one per environment), got ${positions.length}`,
      );
    const seeds = list ?? seed ?? `${this.root}+${++this.resets}`;
    const restarts = (seed ?? list) !== undefined && count === this.size;
    const root = !restarts ? null : typeof seeds === "object" ? seeds.join() : String(seeds);
    return {
      documents:
        positions === undefined
          ? null
          : {
              documents: positions,
              seeds: positions.map((_, k) => (typeof seeds === "object" ? seeds[k]! : `${seeds}/${k}`)),
            },
      plan: (states) => {
        if (root !== null) {
          this.root = root;
          this.resets = 0;
        }
        return { which, seeds, states, root };
      },
    };
  }
}

/** The state of a position document. @throws KesselError `bad-position` */
export function readPosition(game: Game, doc: JsonObject, seed: Seed): State {
  const dice = new SeededDice();
  const s = newState(game.stateSize);
  seedStream(seed, s);
  dice.begin(s);
  game.read(doc, s, dice);
  return s;
}
