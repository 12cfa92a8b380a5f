import { gameIds, InvariantError } from "../env/index.js";
import { printable, withoutSecrets } from "../env/core/safe-text.js";
import { shortageOf } from "./shortages.js";

/** Where an error was thrown. */
const stackLines = (e: unknown): string[] =>
  (e instanceof Error ? (e.stack ?? "") : "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8)
    .map((line) => line.trim());

/** Characters of a reason in a log. */
const MOST_REASON = 500;

/** Frames of a game at play. */
const OF_GAMES = new RegExp(`[\\\\/]env[\\\\/](?:core|${gameIds().join("|")})[\\\\/]`);

/**
 * Why something failed, and why that did. What fails inside a game may speak of its state, in which something is
 * hidden.
 */
function reasonOf(e: unknown): string {
  if (!(e instanceof Error)) return String(e);
  if (e instanceof InvariantError || OF_GAMES.test(e.stack ?? "")) return "inside a game: its words stay there";
  const [first = ""] = e.message.split("\n    at "); // an error of another thread has its stack in its message
  return e.cause === undefined ? first : `${first}: ${reasonOf(e.cause)}`;
}

/** A fault in a log. */
export type Fault = {
  readonly name: string;
  readonly says?: string;
  /** Where it was thrown. */
  readonly where?: readonly string[];
};

/** What a log says of a failure in a thread that plays for others: its place, or what ran out, and no other words. */
export function failureOf(e: unknown): Fault {
  const says = shortageOf(e);
  return { name: e instanceof Error ? e.name : typeof e, ...(says === null ? { where: stackLines(e) } : { says }) };
}

/** What a log says of a fault of the page or of the tools: with its reason, without the secrets of addresses. */
export function faultOf(e: unknown): Fault {
  const says = withoutSecrets(reasonOf(e).slice(0, 10 * MOST_REASON)).slice(0, MOST_REASON);
  return { says, ...failureOf(e) };
}

/** The same as a text. */
export function faultText(e: unknown): string {
  const { name, says = "", where = [] } = faultOf(e);
  return [`${name}: ${says}`, ...where].join("\n");
}

/** A line of a log. */
export const logLine = (facts: Readonly<Record<string, unknown>>): string =>
  `${printable(withoutSecrets(JSON.stringify(facts)))}\n`;
