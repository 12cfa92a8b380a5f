import { actorName } from "./env.js";
import { EVERYTHING, type Game, SPECTATOR, type Viewer } from "./game.js";
import type { StateView } from "./layout.js";
import { type Board, emptyBoard, hexBounds, LOOKS, type Scene } from "./scene.js";

/** Neighbours of a hex map are one unit apart; drawing data are rounded. */
const NEAR = 1e-3;

/** The scene of any game: its own, or one made from `statics` and `render`. */
export const sceneOf = (game: Game, s: StateView, viewer: Viewer): Scene =>
  game.scene?.(s, viewer) ?? genericScene(game, s, viewer);

/** Rows of `map` that a board shows: those with neighbours. Boxes where nothing can be may be left out. */
export const boardRows = ({ observation, statics }: Game): string[] =>
  observation.mapRows.filter((_, i) => statics.neighbours[i]!.length > 0);

/**
 * A board of named places and their links with the board as text beside it: enough to play a game that has no scene of
 * its own.
 */
export function genericScene(game: Game, s: StateView, viewer: Viewer): Scene {
  const actor = actorName(game, s);
  return {
    game: game.type.id,
    title: game.type.title,
    viewer: game.players[viewer] ?? null,
    caption: actor === null ? "The game is over." : `${actor} decides.`,
    ...(game.type.reconstructed === null ? {} : { notice: `Reconstructed: ${game.type.reconstructed}.` }),
    sides: game.players.map((name, i) => ({ id: name, name, look: LOOKS[i] ?? "neutral" })),
    board: genericBoard(game),
    counters: [],
    overlays: [],
    tracks: [],
    trays: [],
    text: game.render(s, viewer === EVERYTHING ? SPECTATOR : viewer),
  };
}

function genericBoard(game: Game): Board {
  const { points, neighbours, placeNames } = game.statics;
  const ids = game.observation.mapRows;
  const gap = (a: number, b: number): number =>
    Math.hypot(points[a]![0] - points[b]![0], points[a]![1] - points[b]![1]);
  const hexes = ids.every((id, i) => /^\d{4}$/.test(id) && neighbours[i]!.every((n) => Math.abs(gap(i, n) - 1) < NEAR));
  if (hexes)
    return {
      ...emptyBoard("hexes"),
      bounds: hexBounds(points, 0.25),
      places: ids.map((id, i) => ({
        id,
        name: placeNames[i]!.replace(id, "").trim(),
        at: [...points[i]!],
        terrain: "clear",
      })),
    };
  let least = Infinity;
  for (let a = 0; a < ids.length; a++) for (let b = 0; b < a; b++) least = Math.min(least, gap(a, b));
  if (!Number.isFinite(least) || least === 0) least = 1; // one place, or several drawn in one spot
  const size: [number, number] = [least * 0.8, least * 0.5];
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  return {
    ...emptyBoard("areas"),
    counterSize: least * 0.15,
    bounds: [Math.min(...xs) - least, Math.min(...ys) - least, Math.max(...xs) + least, Math.max(...ys) + least],
    places: ids.map((id, i) => ({ id, name: placeNames[i]!, at: [...points[i]!], size, terrain: "city" })),
    links: ids.flatMap((id, i) =>
      neighbours[i]!.filter((n) => n > i || !neighbours[n]!.includes(i)).map((n) => ({ from: id, to: ids[n]! })),
    ),
  };
}
