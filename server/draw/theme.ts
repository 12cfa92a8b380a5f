/** Colours of a drawn board by what they stand for. */
const LIGHT = {
  page: "#efe9da", panel: "#fbf9f3", ink: "#1d1b16", muted: "#5c574b", line: "#8a8371", faint: "#d9d0bb", sheet: "#f3eddc",
  clear: "#ece4cb", rough: "#ddd2ab", hill: "#d8c69a", field: "#e6e0b0", woods: "#bccb9d", town: "#dccabb", suburb: "#e2d5c4",
  city: "#d6c2b2", industrial: "#c9c1b6", rubble: "#cdbfb0", balka: "#d5c59f", cliff: "#cbb891", marsh: "#c6d6c4",
  water: "#aecbdb", box: "#e7dfcb",
  woodsInk: "#8fa56c", townInk: "#8d7566", waterInk: "#7fa9c0", roughInk: "#b3a473", marshInk: "#87a58c",
  grid: "#a89d7f", number: "#4a4437", river: "#1f5f8f", road: "#7a4a1e", roadEdge: "#f6efdc", rail: "#3a352b",
  may: "#0a4da3", careful: "#a8071a", halo: "#ffffff", shadow: "#1d1b16", goal: "#7a1f5c",
  germanLine: "#46606d", sovietLine: "#a9560c", neutralLine: "#5c574b", fire: "#c2410c", light: "#f2c230", star: "#8a5a00",
} as const; // prettier-ignore

export type Token = keyof typeof LIGHT;
export type Theme = Readonly<Record<Token, string>>;

const DARK: Theme = {
  page: "#17181a", panel: "#202225", ink: "#ece8dc", muted: "#aaa594", line: "#6f6b60", faint: "#3a3832", sheet: "#26261f",
  clear: "#4a4638", rough: "#554d36", hill: "#5c5033", field: "#504b30", woods: "#3c4a31", town: "#574940", suburb: "#50463d",
  city: "#5f4d40", industrial: "#4e4a46", rubble: "#554a42", balka: "#544a33", cliff: "#5d5037", marsh: "#3b4c45",
  water: "#2b4658", box: "#33322c",
  woodsInk: "#67814c", townInk: "#937a66", waterInk: "#4f7a94", roughInk: "#786c45", marshInk: "#5f7f6b",
  grid: "#6d6750", number: "#d8d0b8", river: "#6fb4e0", road: "#d9b58a", roadEdge: "#2b2820", rail: "#cfc7b2",
  may: "#8cc4ff", careful: "#ff9d8a", halo: "#000000", shadow: "#000000", goal: "#e59ad0",
  germanLine: "#9fbccb", sovietLine: "#f0a04b", neutralLine: "#aaa594", fire: "#ff7a3d", light: "#ffd54a", star: "#f0c04a",
}; // prettier-ignore

/** `css` draws with `var(--token)`, for a page that switches without drawing again; resvg can't read it. */
export const THEMES = {
  light: LIGHT as Theme,
  dark: DARK,
  css: Object.fromEntries(Object.keys(LIGHT).map((t) => [t, `var(--${t})`])) as Theme,
} as const;
export type ThemeName = keyof typeof THEMES;

/** The tokens of a theme as CSS declarations. */
export const cssTokens = (name: "light" | "dark"): string =>
  Object.entries(THEMES[name])
    .map(([token, colour]) => `--${token}:${colour};`)
    .join("");

/** A counter's face: cardboard has one colour by day and night. */
export interface Face {
  readonly face: string;
  /** Lit and shaded edge of the cardboard. */
  readonly lit: string;
  readonly shaded: string;
  /** Symbol box and the symbol in it. */
  readonly box: string;
  readonly symbol: string;
  readonly emblem: string;
}
export const INK = "#16130d";
export const PAPER = "#fbf6e9";
export const FACES: Readonly<Record<"german" | "soviet" | "neutral", Face>> = {
  german: { face: "#869da9", lit: "#b4c5ce", shaded: "#5d727d", box: PAPER, symbol: INK, emblem: "#2c3a41" },
  soviet: { face: "#e6ac70", lit: "#f6cf9f", shaded: "#b27c42", box: "#3a2413", symbol: PAPER, emblem: "#6b3510" },
  neutral: { face: "#e9e1ca", lit: "#fbf6e9", shaded: "#b8ad92", box: PAPER, symbol: INK, emblem: "#5c574b" },
};

/** Letters of a counter and a map; letters of a title. */
export const SANS = "Barlow Condensed";
export const SERIF = "Source Serif 4";
