import { importGame } from "../../agents/import-game.js";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { endOf, KesselError, loadGame, parseReplay, type Replay } from "../../env/index.js";
import { linkOf } from "./store.js";

/** A recorded game of a folder. */
export interface RecordedGame {
  readonly file: string;
  /** Where the page shows it: `/g/LINK`. */
  readonly link: string;
  readonly game: string;
  readonly version: number;
  readonly seed: string;
  readonly decisions: number;
  /** By side. */
  readonly agents: Readonly<Record<string, string>>;
  /** By side; null for a game that is not over. */
  readonly returns: Readonly<Record<string, number>> | null;
  /** The side that has won; `draw`; `nobody` in a lost game for one; null for a game that is not over. */
  readonly won: string | null;
}

/** What a game must be to be listed; what is absent does not matter. */
export interface GameFilter {
  readonly game?: string | undefined;
  readonly seed?: string | undefined;
  /** Part of the name of an agent, or `SIDE=PART`. */
  readonly agent?: string | undefined;
  /** A side, `draw` or `nobody`. */
  readonly won?: string | undefined;
  /** Decisions. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** Larger files are no replays. */
const MOST_BYTES = 4 << 20;

interface Known {
  readonly changed: number;
  readonly game: RecordedGame | null;
}

/** The replays in a folder. Files are read once, one at a time, and again when they change. */
export class Library {
  private known = new Map<string, Known>();
  private looking: Promise<void> | null = null;

  constructor(private readonly dir: string) {}

  /** All games, by file name; files that hold none are left out. @throws KesselError `bad-option` for no folder */
  async list(filter: GameFilter = {}): Promise<readonly RecordedGame[]> {
    // who asks while somebody looks waits for the same
    this.looking ??= this.look().finally(() => (this.looking = null));
    await this.looking;
    const numeric = new Intl.Collator("en", { numeric: true });
    return [...this.known.values()]
      .flatMap(({ game }) => game ?? [])
      .filter((g) => fits(g, filter))
      .sort((a, b) => numeric.compare(a.file, b.file));
  }

  /** The replay that a link leads to, among the games that have been listed. */
  async replay(link: string): Promise<Replay | null> {
    for (const { game } of this.known.values())
      if (game?.link === link) return parseReplay(JSON.parse(await readFile(join(this.dir, game.file), "utf8")));
    return null;
  }

  private async look(): Promise<void> {
    const names = await readdir(this.dir).catch(() => {
      throw new KesselError("bad-option", `cannot read the folder ${this.dir}`);
    });
    const now = new Map<string, Known>();
    for (const name of names.filter((n) => n.endsWith(".json"))) {
      const file = await stat(join(this.dir, name)).catch(() => null);
      if (file === null || !file.isFile() || file.size > MOST_BYTES) continue;
      const old = this.known.get(name);
      now.set(name, old?.changed === file.mtimeMs ? old : { changed: file.mtimeMs, game: await this.read(name) });
    }
    this.known = now;
  }

  private async read(file: string): Promise<RecordedGame | null> {
    try {
      const text = await readFile(join(this.dir, file), "utf8");
      const replay = parseReplay(JSON.parse(text));
      const { game, version, seed, actions, agents = {}, resigned } = replay;
      const { won, returns } = endOf(replay, resigned === undefined ? [] : await sidesOf(replay));
      return { file, link: linkOf(text), game, version, seed, decisions: actions.length, agents, returns, won };
    } catch {
      return null;
    }
  }
}

/** All sides of a game; of one whose options are no longer known, those that somebody played. */
async function sidesOf({ game, options, agents = {} }: Replay): Promise<readonly string[]> {
  try {
    await importGame(game);
    return loadGame(game, options).players;
  } catch {
    return Object.keys(agents);
  }
}

/** `SIDE=PART`, where the part before the first `=` is a side of the game; otherwise all of it is a part of a name. */
function playsIn(agents: Readonly<Record<string, string>>, wanted: string): boolean {
  const at = wanted.indexOf("=");
  const side = at < 0 ? undefined : agents[wanted.slice(0, at)];
  if (side !== undefined) return side.includes(wanted.slice(at + 1));
  return Object.values(agents).some((name) => name.includes(wanted));
}

function fits(g: RecordedGame, { game, seed, agent, won, least = 0, most = Infinity }: GameFilter): boolean {
  return (
    (game === undefined || g.game === game) &&
    (seed === undefined || g.seed === seed) &&
    (agent === undefined || playsIn(g.agents, agent)) &&
    (won === undefined || g.won === won) &&
    g.decisions >= least &&
    g.decisions <= most
  );
}
