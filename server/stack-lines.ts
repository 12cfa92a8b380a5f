/** Where an error was thrown, for a log: without its text, which might hold what a game hides. */
export const stackLines = (e: unknown): string[] =>
  (e instanceof Error ? (e.stack ?? "") : "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8)
    .map((line) => line.trim());
