import { Env, type Game, GAMES, loadGame, minutesOf, type OptionSpec, sceneOf, SPECTATOR } from "../../env/index.js";
import { renderSvg } from "../draw/render-scene.js";
import { type Asset, textAsset } from "./asset.js";
import { listedPuzzles } from "./learn/puzzle.js";
import { offer, offered } from "./offers.js";
import { prepared } from "./prepared.js";

/** What the lobby is made of, beside code. */
const INPUTS = ["../../env/", "../../agents/", "../../models/", "../puzzles/data/"].map(
  (folder) => new URL(folder, import.meta.url),
);

/** What the lobby shows: made when it is asked for first, and kept for later starts. */
export class Lobby {
  private readonly thumbnails = new Map<string, Promise<Asset>>();
  private listed: Promise<Asset> | undefined;

  /** @param code loads the code of all games */
  constructor(private readonly code: () => Promise<unknown>) {}

  /** Games, their options, and who plays them: what the page needs to offer a new game. */
  games(): Promise<Asset> {
    this.listed ??= prepared("games.json", INPUTS, async () => {
      await this.code();
      return textAsset("application/json", Buffer.from(JSON.stringify(this.list())), false);
    });
    return this.listed;
  }

  private list(): unknown {
    return GAMES.map((type) => {
      const game = loadGame(type.id);
      return {
        id: type.id,
        title: type.title,
        credits: type.credits,
        lobby: type.lobby ?? null,
        minutes: type.lobby === undefined ? null : minutesOf(type.briefings ?? [], type.lobby.minutes),
        reconstructed: type.reconstructed,
        players: game.players,
        names: namesOf(game),
        options: type.options.map(offeredOption),
        lesson: type.teaching === undefined ? null : type.teaching.lesson.about,
        puzzles: listedPuzzles(type.id).length,
        agents: offered(game).map(offer),
      };
    });
  }

  /** The board of a game at its start as a small drawing, or undefined for a game that isn't there. */
  thumbnail(id: string, theme: "light" | "dark"): Promise<Asset> | undefined {
    if (!GAMES.some((type) => type.id === id)) return undefined;
    const name = `${id} ${theme}`;
    let asset = this.thumbnails.get(name);
    if (asset === undefined) {
      asset = prepared(`${id}.${theme}.svg`, INPUTS, async () => {
        await this.code();
        const game = loadGame(id);
        const svg = renderSvg(game, opening(game), SPECTATOR, { width: THUMBNAIL, panels: false, theme });
        return textAsset("image/svg+xml", Buffer.from(svg), false, 11);
      });
      this.thumbnails.set(name, asset);
    }
    return asset;
  }
}

/** An option as people read it, with the values that they are offered and their names. */
function offeredOption(o: OptionSpec) {
  const { about, values: names } = o.words ?? { about: o.about, values: null };
  const values = o.values.filter((v) => names === null || String(v) in names);
  return {
    id: o.id,
    about,
    values,
    names: values.map((v) => names?.[String(v)] ?? String(v)),
    default: o.default,
    without: o.without,
  };
}

/** Width that a board in the lobby is drawn for, px. */
const THUMBNAIL = 400;

/** The state that a game of no importance begins in. */
function opening(game: Game): Env["state"] {
  const env = new Env(game);
  env.reset("opening");
  return env.state;
}

/** Sides as people call them, in the order of the players. */
export function namesOf(game: Game): readonly string[] {
  const { sides } = sceneOf(game, opening(game), SPECTATOR);
  return game.players.map((p) => sides.find((s) => s.id === p)?.name ?? p);
}
