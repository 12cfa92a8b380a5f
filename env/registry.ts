import { InvariantError, KesselError, oneOf, shown } from "./core/errors.js";
import type { Game, GameData, GameSummary, GameType } from "./core/game.js";
import { resolveOptions } from "./core/options.js";
import nightFight from "./night-fight/game.json" with { type: "json" };
import pocketStalingrad from "./pocket-stalingrad/game.json" with { type: "json" };
import savageStreets from "./savage-streets/game.json" with { type: "json" };
import streetsOfStalingrad from "./streets-of-stalingrad/game.json" with { type: "json" };
import strikeCounterstrike from "./strike-counterstrike/game.json" with { type: "json" };

/** What a game's code adds to its summary. */
type Code = Omit<GameType, keyof GameSummary>;

/** Parts of `Code`: reading one before the code is loaded is a mistake of the caller. */
const PARTS: readonly (keyof Code)[] = [
  "data",
  "rules",
  "guide",
  "rulebook",
  "teaching",
  "briefings",
  "events",
  "tried",
  "dataFor",
  "query",
  "mapQuestions",
  "load",
];

/** A game whose code is loaded on demand. */
class Entry {
  readonly type: GameType;
  private loading: Promise<GameType> | null = null;

  constructor(
    readonly summary: GameSummary,
    private readonly importCode: () => Promise<GameType>,
  ) {
    const { id } = summary;
    const missing = (part: string) => () => {
      throw new InvariantError(
        `${id}: its code is not loaded, and its ${part} is asked for; await importGame("${id}")`,
      );
    };
    this.type = Object.defineProperties(
      { ...summary },
      Object.fromEntries(PARTS.map((part) => [part, { get: missing(part), configurable: true }])),
    ) as GameType;
  }

  /** True once the code is loaded. */
  loaded = false;

  /** Has the type ask `code` for each of its parts. */
  adopt(code: () => GameType): void {
    Object.defineProperties(
      this.type,
      Object.fromEntries(PARTS.map((part) => [part, { get: () => code()[part], configurable: true }])),
    );
  }

  /** Loads the code, once. */
  import(): Promise<GameType> {
    this.loading ??= this.importCode().then((code) => {
      this.loaded = true;
      for (const part of PARTS) delete (this.type as Partial<Record<keyof Code, unknown>>)[part];
      return Object.defineProperties(this.type, Object.getOwnPropertyDescriptors(code));
    });
    return this.loading;
  }
}

/** Every game: one entry each. */
const ENTRIES: readonly Entry[] = [
  new Entry(pocketStalingrad, async () => (await import("./pocket-stalingrad/index.js")).pocketStalingrad),
  new Entry(savageStreets, async () => (await import("./savage-streets/index.js")).savageStreets),
  new Entry(nightFight, async () => (await import("./night-fight/index.js")).nightFight),
  new Entry(strikeCounterstrike, async () => (await import("./strike-counterstrike/index.js")).strikeCounterstrike),
  new Entry(streetsOfStalingrad, async () => (await import("./streets-of-stalingrad/index.js")).streetsOfStalingrad),
];

/** All games. Until `importGame` has loaded a game's code, only its summary can be read. */
export const GAMES: readonly GameType[] = ENTRIES.map(({ type }) => type);

export const gameIds = (): string[] => GAMES.map((g) => g.id);

function entryOf(id: string): Entry {
  const found = ENTRIES.find(({ summary }) => summary.id === id);
  if (found === undefined)
    throw new KesselError("unknown-game", `there is no game ${shown(id)}; there are ${oneOf(gameIds())}`);
  return found;
}

/**
 * A game by its id, with code if that is loaded.
 *
 * @throws KesselError `unknown-game`
 */
export const gameType = (id: string): GameType => entryOf(id).type;

/** True if the code of a game is loaded. */
export const isLoaded = (id: string): boolean => entryOf(id).loaded;

/**
 * Loads the code of a game, unless it is loaded.
 *
 * @throws KesselError `unknown-game`
 */
export const importGame = async (id: string): Promise<GameType> => entryOf(id).import();

/** Loads the code of all games. */
export const importGames = (): Promise<readonly GameType[]> => Promise.all(ENTRIES.map((e) => e.import()));

/**
 * Takes the code of a game from a caller that loads modules its own way, such as `npm run mutants`.
 *
 * @public
 * @param code the code as it is now
 */
export const adoptGame = (id: string, code: () => GameType): void => entryOf(id).adopt(code);

/**
 * Makes a game, whose code is loaded, with options and data files, some of them possibly replaced by the user.
 *
 * @throws KesselError `unknown-game`, `bad-option`, `bad-data`
 */
export function loadGame(id: string, options: unknown = {}, replaced: GameData = {}): Game {
  const type = gameType(id);
  for (const file of Object.keys(replaced))
    if (!(file in type.data))
      throw new KesselError(
        "bad-data",
        `${id} has no data file ${shown(file)}; it has ${oneOf(Object.keys(type.data), 20)}`,
      );
  return type.load(resolveOptions(type, options), { ...type.data, ...replaced });
}
