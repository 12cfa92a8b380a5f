import { type Game, type StateView, sceneOf, type Viewer } from "../../env/index.js";
import { drawScene, type PictureOptions } from "./picture.js";
import { pixelsOf, pngOf } from "./png.js";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** uint8 `[height, width, 3]`, row-major. */
  readonly rgb: Uint8Array;
}

/** The board of a game as `viewer` sees it, as an SVG document. */
export const renderSvg = (game: Game, s: StateView, viewer: Viewer, options?: PictureOptions): string =>
  drawScene(sceneOf(game, s, viewer), options);

/** The same as a PNG file. */
export const renderPng = (game: Game, s: StateView, viewer: Viewer, options?: PictureOptions): Buffer =>
  pngOf(renderSvg(game, s, viewer, options));

/** The same as pixels. */
export function renderPixels(game: Game, s: StateView, viewer: Viewer, options?: PictureOptions): Pixels {
  const { width, height, rgba } = pixelsOf(renderSvg(game, s, viewer, options));
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, j = 0; j < rgb.length; i += 4, j += 3) {
    rgb[j] = rgba[i]!;
    rgb[j + 1] = rgba[i + 1]!;
    rgb[j + 2] = rgba[i + 2]!;
  }
  return { width, height, rgb };
}
