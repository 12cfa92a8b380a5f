import { shortageOf } from "./shortages.js";

/** Where an error was thrown, for a log: without its text, which might hold what a game hides. */
export const stackLines = (e: unknown): string[] =>
  (e instanceof Error ? (e.stack ?? "") : "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8)
    .map((line) => line.trim());

/** What a log says of a thread that failed. */
export function failureOf(e: unknown): { readonly name: string; readonly [fact: string]: string | readonly string[] } {
  const says = shortageOf(e);
  return { name: e instanceof Error ? e.name : "unknown", ...(says === null ? { where: stackLines(e) } : { says }) };
}
