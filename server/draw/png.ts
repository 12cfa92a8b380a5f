import { createRequire } from "node:module";
import { workerData } from "node:worker_threads";
import { renderAsync, Resvg } from "@resvg/resvg-js";
import { PICTURE_FONTS } from "./fonts.js";
import { SANS } from "./theme.js";

const { resolve } = createRequire(import.meta.url);

const OPTIONS = {
  font: { loadSystemFonts: false, fontFiles: PICTURE_FONTS.map((font) => resolve(font)), defaultFontFamily: SANS },
};

/** An SVG document of `drawScene`, theme light or dark, as a PNG file. */
export const pngOf = (svg: string): Buffer => new Resvg(svg, OPTIONS).render().asPng();

/** Pixels of a drawing. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** uint8 `[height, width, 3]`, row-major. */
  readonly rgb: Uint8Array;
}

/** True when this thread gives way to others. It was started so (env/worker.ts). */
const GIVES_WAY = (workerData as { nice?: number } | null)?.nice !== undefined;

/** The same as pixels, drawn by a thread of libuv's, or by this one where that gives way to others. */
export async function pixelsOf(svg: string): Promise<Pixels> {
  const { width, height, pixels } = GIVES_WAY ? new Resvg(svg, OPTIONS).render() : await renderAsync(svg, OPTIONS);
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, j = 0; j < rgb.length; i += 4, j += 3) {
    rgb[j] = pixels[i]!;
    rgb[j + 1] = pixels[i + 1]!;
    rgb[j + 2] = pixels[i + 2]!;
  }
  return { width, height, rgb };
}
