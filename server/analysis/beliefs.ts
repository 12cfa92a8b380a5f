import {
  type Counter,
  EVERYTHING,
  type Game,
  InvariantError,
  newState,
  Rng,
  type Scene,
  sceneOf,
  type State,
} from "../../env/index.js";
import { type Belief as HabitNet, weightsOf } from "../../agents/search/belief.js";
import { readModelFile } from "../../agents/model-file.js";
import { seedOfKnown } from "./seat-seed.js";

/** What a viewer may believe of one side's counters that are face down to that viewer on one place. */
export interface Belief {
  readonly place: string;
  readonly side: string;
  /** How many are face down there. */
  readonly hidden: number;
  /** Most likely first. */
  readonly what: readonly Guess[];
}

export interface Guess {
  /** A counter as its owner sees it: its title. Counters with one title are alike. */
  readonly title: string;
  /** Chance that one of the counters there, picked blindly, is such a one; these sum to 1. */
  readonly share: number;
  /** Chance that at least one such counter is there. */
  readonly present: number;
}

/** What all beliefs of a position rest on. */
export interface Beliefs {
  readonly model: typeof UNIFORM | typeof HABITS;
  /** Worlds looked at. */
  readonly worlds: number;
  /** The number of equally weighted worlds that would be as informative (Kish's effective sample size). */
  readonly effective: number;
  readonly places: readonly Belief[];
  /** All that is face down anywhere in some world, with the greatest number of each at one time. */
  readonly pool: ReadonlyMap<string, number>;
}

/** Every world counts alike. The other side's habits count for nothing: where it would put what is not asked. */
export const UNIFORM = "uniform over consistent worlds";

/** Worlds count as a net weighs them that has learnt from games how the other side hides (`kessel model belief`). */
export const HABITS = "consistent worlds, weighed by habits learnt from games";

/** Worlds looked at by default; by habits more, as few of them have most of the weight. */
export const BELIEF_WORLDS = 200;
const HABIT_WORLDS = 500;

/**
 * How likely each face-down counter is what, for `seat`, from worlds that fit what it knows (`Game.resample`). They are
 * drawn from the seat's view alone: the same answer in every state that it can't tell apart.
 *
 * @param worlds how many; 200 give a chance within 7 points, 19 times of 20
 */
export function beliefsOf(game: Game, s: State, seat: number, worlds = BELIEF_WORLDS): Beliefs {
  const tally = new WorldTally(game, s, seat);
  if (tally.groups.length > 0) for (const world of dealtWorlds(game, s, seat, worlds)) tally.add(world, 1);
  return tally.result(UNIFORM, worlds);
}

/**
 * As `beliefsOf`, with worlds weighed by what a net has learnt. A seat that it knows nothing of gets what `beliefsOf`
 * gives.
 */
export async function habitBeliefsOf(
  game: Game,
  s: State,
  seat: number,
  net: HabitNet,
  worlds = HABIT_WORLDS,
): Promise<Beliefs> {
  if (!net.players.includes(seat)) return beliefsOf(game, s, seat);
  const tally = new WorldTally(game, s, seat);
  if (tally.groups.length > 0) {
    const dealt = Array.from(dealtWorlds(game, s, seat, worlds), (state) => ({ state: state.slice(), viewer: seat }));
    const weights = weightsOf(await net.logRatios(dealt));
    dealt.forEach(({ state }, k) => tally.add(state, weights[k]!));
  }
  return tally.result(HABITS, worlds);
}

/** The net of habits that comes with Kessel for a game; null for none. */
export async function shippedHabits(game: Game): Promise<HabitNet | null> {
  const [{ beliefFile }, { Belief }] = await Promise.all([
    import("../../agents/roster.js"),
    import("../../agents/search/belief.js"),
  ]);
  const file = beliefFile(game);
  return file === null ? null : Belief.load(readModelFile(file), game, file);
}

/** Worlds that fit what a seat knows, one after another in the same memory. */
function* dealtWorlds(game: Game, s: State, seat: number, n: number): Generator<State> {
  const rng = new Rng(seedOfKnown(game, s, seat, "beliefs"));
  const world = newState(game.stateSize);
  for (let k = 0; k < n; k++) {
    game.resample(s, seat, world, rng);
    yield world;
  }
}

/** Counts what is where in weighted worlds. */
class WorldTally {
  readonly groups: readonly HiddenGroup[];
  private readonly shown: Scene;
  private readonly counts: readonly Map<string, { copies: number; present: number }>[];
  private readonly pool = new Map<string, number>();
  private sum = 0;
  private squares = 0;

  constructor(
    private readonly game: Game,
    s: State,
    seat: number,
  ) {
    this.shown = sceneOf(game, s, seat);
    this.groups = hiddenGroups(this.shown);
    this.counts = this.groups.map(() => new Map());
  }

  add(world: State, weight: number): void {
    const { game, groups, shown, counts, pool } = this;
    this.sum += weight;
    this.squares += weight * weight;
    const now = new Map<string, number>();
    trueTitles(game, world, shown, groups).forEach((titles, g) => {
      for (const title of titles) now.set(title, (now.get(title) ?? 0) + 1);
      for (const title of new Set(titles)) {
        const known = counts[g]!.get(title) ?? { copies: 0, present: 0 };
        known.copies += weight * titles.filter((t) => t === title).length;
        known.present += weight;
        counts[g]!.set(title, known);
      }
    });
    for (const [title, n] of now) pool.set(title, Math.max(n, pool.get(title) ?? 0));
  }

  result(model: Beliefs["model"], worlds: number): Beliefs {
    const { groups, counts, pool, sum, squares } = this;
    const places = groups.map(({ place, side, hidden }, g): Belief => ({
      place,
      side,
      hidden,
      what: [...counts[g]!]
        .map(([title, { copies, present }]) => ({ title, share: copies / (sum * hidden), present: present / sum }))
        .sort((a, b) => b.share - a.share || (a.title < b.title ? -1 : 1)),
    }));
    return { model, worlds, effective: squares === 0 ? worlds : (sum * sum) / squares, places, pool };
  }
}

/** Counters of one side that are face down on one place. */
export interface HiddenGroup {
  readonly place: string;
  readonly side: string;
  readonly hidden: number;
}

/** The face-down counters of a viewer's scene, by place and side. */
export function hiddenGroups({ counters }: Scene): HiddenGroup[] {
  const groups = new Map<string, HiddenGroup>();
  for (const c of counters) {
    if (c.back === undefined || c.place === undefined || c.side === undefined) continue;
    const key = `${c.place}\n${c.side}`;
    const hidden = (groups.get(key)?.hidden ?? 0) + (c.count ?? 1);
    groups.set(key, { place: c.place, side: c.side, hidden });
  }
  return [...groups.values()];
}

/**
 * What the counters of each group are in a state: all that are there but those that the viewer sees.
 *
 * @param shown the viewer's scene
 * @throws InvariantError when there are more or fewer than the viewer sees backs
 */
export function trueTitles(game: Game, s: State, shown: Scene, groups: readonly HiddenGroup[]): string[][] {
  const whole = sceneOf(game, s, EVERYTHING).counters;
  return groups.map(({ place, side, hidden }) => {
    const stands = (c: Counter): boolean => c.place === place && c.side === side;
    const left = whole.filter(stands);
    for (const seen of shown.counters.filter((c) => stands(c) && c.back === undefined)) {
      // one that is known by its kind alone has another name for its owner
      const same = left.findIndex((c) => c.id === seen.id);
      const at = same >= 0 ? same : left.findIndex((c) => c.title === seen.title);
      if (at >= 0) left.splice(at, 1);
    }
    const titles = left.flatMap((c) => Array<string>(c.count ?? 1).fill(c.title));
    if (titles.length !== hidden)
      throw new InvariantError(
        `${game.type.id}: ${hidden} counters of ${side} are face down in ${place}, but ${titles.length} are there`,
      );
    return titles;
  });
}
