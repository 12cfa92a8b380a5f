import type { Game } from "./game.js";
import { either } from "./words.js";

/** Printed names by id, and ids by either in small letters. */
interface Titles {
  readonly title: ReadonlyMap<string, string>;
  readonly id: ReadonlyMap<string, string>;
}

const known = new WeakMap<Game, Titles>();

function titlesOf(game: Game): Titles {
  let titles = known.get(game);
  if (titles === undefined) {
    const rows = game.observation.unitRows;
    const pairs = (game.unitTitles ?? []).map((title, i): [string, string] => [rows[i]!, title]);
    const id = new Map(pairs.map(([row, title]) => [title.toLowerCase(), row]));
    titles = { title: new Map(pairs), id };
    known.set(game, titles);
  }
  return titles;
}

/** The name of a unit as people read it: `Volkssturm 1` for `vs-1`. */
export const unitTitle = (game: Game, unit: string): string => titlesOf(game).title.get(unit) ?? unit;

/** The unit that a person names by its printed name; any other name as it is. */
export const unitNamed = (game: Game, name: string): string => titlesOf(game).id.get(name.toLowerCase()) ?? name;

/** Most units that a message names. */
const MOST = 12;

/** Printed names of units for a message, each once: `truck 1, truck 2 or Panther 1`. */
export const anyUnit = (game: Game, units: readonly string[]): string =>
  either([...new Set(units)].slice(0, MOST).map((u) => unitTitle(game, u)));
