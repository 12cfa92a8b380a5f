import { type Game, type Rng, sceneOf, type State } from "../../env/index.js";
import { sideNames } from "../../agents/text/sentences.js";
import { beliefsOf, hiddenGroups } from "../analysis/beliefs.js";
import type { BeliefQuestion } from "./document.js";
import type { Positions } from "./positions.js";

/** Worlds that the shares come from. */
const WORLDS = 1000;
/** Most titles to choose between; where more may be hidden, the kind is asked: what a title ends on. */
const MOST_TITLES = 24;
/** A share above which there is nothing left to believe. */
const CERTAIN = 0.97;
/** Positions looked at for each question. */
const TRIES = 40;

type Place = { readonly game: number; readonly at: number };

/** What the counters of one group can be for `seat`, and how likely; null where it is known or can't be asked well. */
export function sharesOf(
  game: Game,
  s: State,
  seat: number,
  group: { readonly place: string; readonly side: string },
): Pick<BeliefQuestion, "what" | "shares"> | null {
  const { places, pool } = beliefsOf(game, s, seat, WORLDS);
  const belief = places.find((p) => p.place === group.place && p.side === group.side);
  if (belief === undefined) return null;
  const nameOf = (title: string): string => (pool.size > MOST_TITLES ? title.split(", ").at(-1)! : title);
  const shares = new Map([...pool.keys()].map((title) => [nameOf(title), 0]));
  for (const { title, share } of belief.what) shares.set(nameOf(title), shares.get(nameOf(title))! + share);
  const what = [...shares.keys()].sort();
  return {
    what,
    shares: what.map((name) => Math.round(1000 * shares.get(name)!) / 1000),
  };
}

/** `count` questions, at most one about a place in a game; fewer where a game hides less. */
export function makeBeliefs(
  game: Game,
  positions: Positions,
  places: readonly Place[],
  count: number,
  rng: Rng,
): BeliefQuestion[] {
  const found: BeliefQuestion[] = [];
  const known = new Set<string>();
  for (let k = 0; found.length < count && k < TRIES * count; k++) {
    const at = places[rng.below(places.length)]!;
    const seat = rng.below(game.players.length);
    const s = positions.of(at);
    const groups = hiddenGroups(sceneOf(game, s, seat));
    if (groups.length === 0) continue;
    const { place, side } = groups[rng.below(groups.length)]!;
    const key = `${at.game} ${seat} ${place}`;
    if (known.has(key)) continue;
    const shares = sharesOf(game, s, seat, { place, side });
    if (shares === null || shares.what.length < 2 || Math.max(...shares.shares) > CERTAIN) continue;
    known.add(key);
    found.push({ ...at, seat: game.players[seat]!, place, side, ...shares });
  }
  return found;
}

export function askBelief(game: Game, s: State, q: BeliefQuestion): string {
  const list = q.what.map((name, i) => `${i + 1}. ${name}`);
  return [
    `One of the face-down counters of the ${sideNames(game, s)(q.side)} side on ${q.place} is picked blindly. How likely is it to be each of these?`,
    ...list,
    "Answer with the percent of each that is possible, such as: 1=70, 3=30",
  ].join("\n");
}
