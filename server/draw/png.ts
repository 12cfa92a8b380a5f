import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import { SANS } from "./theme.js";

const { resolve } = createRequire(import.meta.url);
const font = (path: string): string => resolve(`@expo-google-fonts/${path}.ttf`);

/** Letters of our own, so that a picture is the same on every machine. resvg reads TTF; woff draws no text and says nothing. */
const FONTS = [
  "barlow-condensed/500Medium/BarlowCondensed_500Medium",
  "barlow-condensed/500Medium_Italic/BarlowCondensed_500Medium_Italic",
  "barlow-condensed/600SemiBold/BarlowCondensed_600SemiBold",
  "source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic",
  "source-serif-4/600SemiBold/SourceSerif4_600SemiBold",
  "source-serif-4/600SemiBold_Italic/SourceSerif4_600SemiBold_Italic",
];

const render = (svg: string) =>
  new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: FONTS.map(font), defaultFontFamily: SANS } }).render();

/** An SVG document of `drawScene`, theme light or dark, as a PNG file. */
export const pngOf = (svg: string): Buffer => render(svg).asPng();

/** The same as pixels: uint8 `[height, width, 4]`, RGBA, row-major. */
export function pixelsOf(svg: string): { width: number; height: number; rgba: Uint8Array } {
  const image = render(svg);
  return { width: image.width, height: image.height, rgba: image.pixels };
}
