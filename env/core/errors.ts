import { withoutSecrets } from "./safe-text.js";
import { either } from "./words.js";

/** A stable code for each kind of error, the same in a server reply and on the command line. */
export type ErrorCode =
  | "illegal-action" // an action outside the mask
  | "bad-action" // no action of that name or number
  | "bad-answer" // words that name no action, or more than one
  | "bad-position" // a position document that breaks the schema or the rules
  | "bad-seed"
  | "bad-dice" // a scripted die that is missing, left over or impossible
  | "bad-option"
  | "bad-data" // a replaced data file
  | "bad-state" // saved bytes that do not fit
  | "bad-replay"
  | "bad-case"
  | "bad-query" // a question about the board that can't be asked
  | "bad-agent"
  | "bad-model"
  | "bad-config"
  | "bad-message"
  | "bad-version"
  | "bad-seat"
  | "not-reset" // stepping before reset, or after the end without a reset
  | "not-privileged"
  | "bad-session" // a saved game that can't go on
  | "stale" // an answer to a question that is no longer asked
  | "unknown-game"
  | "unknown-rule"
  | "unknown-batch"
  | "batch-lost" // the thread that played it has ended
  | "unsupported"
  | "limit" // a limit of the server
  | "time-limit" // an agent that thinks for too long
  | "missing-library"
  | "busy"
  | "closed"
  | "internal";

/** A caller's mistake: one sentence with what came and what is allowed. */
export class KesselError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(clipped(withoutSecrets(message)));
    this.name = "KesselError";
  }
}

/** Characters of a word of a message, and of all of it: names that come from outside may be of any length. */
const [LONGEST_WORD, LONGEST] = [300, 4000];

function clipped(message: string): string {
  if (message.length <= LONGEST_WORD) return message;
  const words = message.split(" ").map((w) => (w.length > LONGEST_WORD ? `${w.slice(0, 57)}...` : w));
  const text = words.join(" ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}

/** A fault in this program: a state that the rules cannot reach. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InvariantError";
  }
}

/** `a, b or c`, cut after eight, for messages that list what is allowed. */
export function oneOf(names: readonly string[], most = 8): string {
  if (names.length === 0) return "nothing";
  if (names.length > most) return `${names.slice(0, most).join(", ")}, ... (${names.length} in all)`;
  return either(names);
}

/** A value as JSON, cut to the length of a message. */
export function shown(value: unknown): string {
  // what is cut can no longer be recognised as a secret
  const text =
    typeof value === "string"
      ? JSON.stringify(withoutSecrets(value.slice(0, 5000)).slice(0, 100))
      : typeof value === "bigint"
        ? `${value}n`
        : withoutSecrets(JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
