/** Fonts of the page: its own name for each, and the package's file. */
export const PAGE_FONTS = {
  "barlow-500.woff2": "@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2",
  "barlow-600.woff2": "@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2",
  "serif.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
} as const;
