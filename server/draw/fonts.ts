/**
 * Letters of our own, so that a picture is the same on every machine. resvg reads TTF; woff draws no text and says
 * nothing.
 */
export const PICTURE_FONTS = [
  "barlow-condensed/500Medium/BarlowCondensed_500Medium",
  "barlow-condensed/500Medium_Italic/BarlowCondensed_500Medium_Italic",
  "barlow-condensed/600SemiBold/BarlowCondensed_600SemiBold",
  "source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic",
  "source-serif-4/600SemiBold/SourceSerif4_600SemiBold",
  "source-serif-4/600SemiBold_Italic/SourceSerif4_600SemiBold_Italic",
].map((name) => `@expo-google-fonts/${name}.ttf`);
