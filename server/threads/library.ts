import { importGame, isImported } from "../../agents/import-game.js";
import { makeAgent } from "../../agents/registry.js";
import { canonical, type Game, type GameData, gameIds, type Json, loadGame } from "../../env/index.js";
import type { AgentFactory } from "../slice/slice.js";
import { load } from "../../env/source.mjs";
import { noteData } from "../wire/saved-states.js";

/** Makes games and agents. */
export interface Library {
  /**
   * Loads the code of a game, which `load` needs; null where there is nothing to wait for. `load` refuses unknown
   * games.
   */
  readonly prepare: (id: string) => Promise<unknown> | null;
  /** As `loadGame` of the registry. */
  readonly load: (id: string, options: unknown, data: GameData) => Game;
  readonly makeAgent: AgentFactory;
}

export const KESSEL: Library = {
  prepare: (id) => (gameIds().includes(id) && !isImported(id) ? importGame(id) : null),
  load: loadGame,
  makeAgent,
};

/**
 * Kessel's library for a worker thread, with whatever a module's export `library` replaces. Node.js never tries a
 * module again that it could not read once, for example without free files. So a thread that fails to load a game
 * ends; the next one tries.
 */
export async function libraryOf(module: string | undefined): Promise<Library> {
  const own = module === undefined ? {} : ((await load(module)) as { library: Partial<Library> }).library;
  const library = { ...KESSEL, ...own };
  return { ...library, prepare: (id) => library.prepare(id)?.catch(endThread) ?? null };
}

/** Fails what waits, then the thread. */
export function endThread(why: unknown): never {
  setImmediate(() => {
    throw why;
  });
  throw why;
}

/** A game by its id, options and perhaps data files of one's own. */
export interface GameRequest {
  readonly game: string;
  readonly options?: Record<string, unknown> | undefined;
  readonly data?: GameData | undefined;
}

const keyOf = ({ game, options }: GameRequest): string => `${game} ${canonical((options ?? {}) as Json)}`;

/** Most games that are kept loaded. */
const CACHED_GAMES = 64;

/** Keeps loaded games by id and options. A game with an owner's own data files is loaded each time. */
export class GameCache {
  private readonly loaded = new Map<string, Game>();

  constructor(private readonly library: Pick<Library, "prepare" | "load">) {}

  /** The same as `game`, after loading the game's code where that is needed. */
  prepared(request: GameRequest): Game | Promise<Game> {
    return this.library.prepare(request.game)?.then(() => this.game(request)) ?? this.game(request);
  }

  /** A game whose code is loaded. @throws KesselError `bad-option`, `bad-data` */
  game(request: GameRequest): Game {
    const { game: id, options, data } = request;
    if (data !== undefined) {
      const own = this.library.load(id, options ?? {}, data);
      noteData(own, data);
      return own;
    }
    const key = keyOf(request);
    let game = this.loaded.get(key);
    if (game === undefined) {
      game = this.library.load(id, options ?? {}, {});
      if (this.loaded.size >= CACHED_GAMES) this.loaded.delete(this.loaded.keys().next().value!);
      this.loaded.set(key, game);
    }
    return game;
  }
}
