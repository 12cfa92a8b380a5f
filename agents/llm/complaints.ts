import type { Silence } from "./api.js";

interface Complaint {
  readonly error?: { readonly param?: unknown; readonly message?: unknown } | string;
  readonly message?: unknown;
  readonly detail?: unknown;
}

/** True when a complaint names a parameter as what is wrong. */
export function isAbout(complaint: string, parameter: string): boolean {
  const { error, message, detail } = (parsed(complaint) ?? {}) as Complaint;
  if (typeof error === "object" && error?.param === parameter) return true;
  const words = [typeof error === "object" ? error?.message : error, message, detail];
  return words.some((w) => w !== undefined && new RegExp(`['"\`]${parameter}\\\\?['"\`]`).test(JSON.stringify(w)));
}

const TOO_LONG =
  /context_length_exceeded|maximum context length|context (window|size|length)|exceed_context_size|prompt is too long|too many (input )?tokens|input token count/i;
const FILTERED =
  /content_filter|content_policy|content management policy|invalid_prompt|usage polic|moderation|flagged/i;

/** The item that a complaint is about has no answer: why; null for a complaint about something else. */
export function silenceIn(complaint: string): Silence | null {
  if (TOO_LONG.test(complaint)) return "too long a request";
  return FILTERED.test(complaint) ? "filtered" : null;
}

/** Fewest tokens that an answer is asked for when a server has no room for more. */
const FEWEST = 64;
const LIMITS = ["max_tokens", "max_completion_tokens", "max_output_tokens"];

/**
 * Fewer tokens that would fit, when a complaint is about the limit of an answer's tokens.
 *
 * @returns null where it is about something else, or nothing would fit; `always` where the model's limit is meant and
 *   not the room behind one request
 */
export function fewerTokens(complaint: string, tokens: number): { tokens: number; always: boolean } | null {
  if (tokens <= FEWEST) return null;
  const half = Math.max(FEWEST, tokens >> 1);
  if (TOO_LONG.test(complaint)) {
    const most = Number(/context (?:length|window|size)\D{1,20}(\d+)/i.exec(complaint)?.[1]);
    const asked = Number(
      /(?<!\d)(\d{1,9}) (?:tokens )?(?:in (?:the|your) (?:messages|prompt|input)|input tokens)/i.exec(complaint)?.[1],
    );
    if (Number.isFinite(most - asked))
      return most - asked < FEWEST || most - asked >= tokens ? null : { tokens: most - asked, always: false };
    const isLimit = /max_(completion_|output_)?tokens|(in|for) the completion/.test(complaint);
    return isLimit ? { tokens: half, always: false } : null;
  }
  const isMost = /too (large|big|high|many)|at most|maximum|less than|greater than|exceed/i.test(complaint);
  return isMost && LIMITS.some((name) => isAbout(complaint, name)) ? { tokens: half, always: true } : null;
}

/** Milliseconds that a busy server asks to wait: `Retry-After` in seconds or as a date, or `retry-after-ms`. */
export function waitOf(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const [exact, header] = [headers["retry-after-ms"], headers["retry-after"]].map((h) => [h].flat()[0]);
  const ms = Number(exact ?? Number.NaN);
  if (ms > 0) return ms;
  if (header === undefined) return 0;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? 1000 * seconds : Date.parse(header) - Date.now();
  return wait > 0 ? wait : 0;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
