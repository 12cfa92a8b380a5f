import { type Game, type StateView, sceneOf, type Viewer } from "../../env/index.js";
import { drawScene, type PictureOptions } from "./picture.js";
import { pngOf } from "./png.js";

/** The board of a game as `viewer` sees it, as an SVG document. */
export const renderSvg = (game: Game, s: StateView, viewer: Viewer, options?: PictureOptions): string =>
  drawScene(sceneOf(game, s, viewer), options);

/** The same as a PNG file. */
export const renderPng = (game: Game, s: StateView, viewer: Viewer, options?: PictureOptions): Buffer =>
  pngOf(renderSvg(game, s, viewer, options));
