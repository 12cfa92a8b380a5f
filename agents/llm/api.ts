import type { LlmSettings } from "./settings.js";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Why an answer says nothing that could be an action. */
export type Silence = "refused" | "filtered" | "cut off" | "too long a request" | "empty";

export interface Answer {
  /** What it says, without the thoughts that a model marks as such; empty when it says nothing. */
  readonly text: string;
  /** Null for an answer that says something. */
  readonly silence: Silence | null;
  /** Why it ended, in the server's word: `stop`, `length`, `content_filter`, `completed`, `max_output_tokens`. */
  readonly finish: string | null;
  /** What the model thought, as far as the server shows it. */
  readonly thoughts: string;
  /** Tokens of the request and of the answer, as the server counts them; 0 if it does not report them. */
  readonly asked: number;
  readonly answered: number;
  /** Tokens of thoughts, part of `answered`; 0 if the server does not report them. */
  readonly thought: number;
  /** Tokens that the server had in a cache, part of `asked`; 0 if it does not report them. */
  readonly cached: number;
}

/** An answer that says nothing. */
export const silent = (silence: Silence): Answer => ({
  text: "",
  silence,
  finish: null,
  thoughts: "",
  asked: 0,
  answered: 0,
  thought: 0,
  cached: 0,
});

/** The function that a model may call in place of writing its answer (`calls=yes`), with words for each argument. */
export interface Offer {
  readonly name: "act" | "answer";
  readonly about: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** What goes into a request. */
export interface Question {
  readonly messages: readonly Message[];
  readonly settings: Pick<LlmSettings, "model" | "temperature" | "effort" | "stream" | "body">;
  /** Most tokens of the answer. */
  readonly tokens: number;
  readonly offer: Offer | null;
  /** True for a parameter that the server has refused. */
  readonly refused: (parameter: string) => boolean;
}

/** What a server says in place of an answer. */
export interface Fault {
  readonly fault: string;
}

/** An interface of model servers. */
export interface Api {
  /** Behind the address. */
  readonly path: string;
  /** Parameters that a request can do without, or that have another name. */
  readonly spare: readonly string[];
  request(question: Question): Record<string, unknown>;
  /** The answer in a body; a fault that it reports; null for what is neither. */
  read(body: unknown): Answer | Fault | null;
  /** The events of a stream as one body; null where it broke off. */
  joined(events: readonly unknown[], done: boolean): unknown;
}

/** The function as a request offers it, its parameters as JSON Schema. */
export const functionOf = ({ name, about, arguments: given }: Offer): object => ({
  name,
  description: about,
  parameters: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(given).map(([argument, description]) => [argument, { type: "string", description }]),
    ),
  },
});

/** Arguments of a call that are answers, in the order in which their lines are written: the last line counts. */
const SPOKEN = ["notes", "ask", "order", "action", "answer"] as const;

/**
 * What a model says: its words, then what it calls a function with, as lines such as `Action: 2`.
 *
 * @param call the arguments of its first call
 */
export function said(words: string, call: unknown): string {
  if (typeof call !== "string") return words;
  const given = objectIn(call);
  const lines = SPOKEN.flatMap((name) => {
    const value = given?.[name];
    const isSaid = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
    return isSaid ? [`${name[0]!.toUpperCase()}${name.slice(1)}: ${value}`] : [];
  });
  if (lines.length === 0) return words === "" ? call : words;
  return [...(words === "" ? [] : [words]), ...lines].join("\n");
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** A text without its thoughts, and the thoughts: `<think>...</think>`. What is cut off within them says nothing. */
export function withoutThoughts(text: string): { readonly text: string; readonly thoughts: string } {
  const [OPEN, CLOSE] = ["<think>", "</think>"];
  const end = text.lastIndexOf(CLOSE);
  const open = text.indexOf(OPEN);
  // some servers have written the first mark themselves
  const begin = open < 0 && end >= 0 ? 0 : open;
  if (begin < 0) return { text: text.trim(), thoughts: "" };
  const from = open < 0 ? 0 : open + OPEN.length;
  if (end < begin) return { text: text.slice(0, begin).trim(), thoughts: text.slice(from).trim() };
  return {
    text: `${text.slice(0, begin)}${text.slice(end + CLOSE.length)}`.trim(),
    thoughts: text.slice(from, end).trim(),
  };
}

/** A number of tokens; 0 for what is none. */
export const count = (n: unknown): number => (typeof n === "number" && n >= 0 ? n : 0);

/** A fault that a body or an event reports: its code and its message. */
export function faultOf(error: unknown): Fault {
  if (typeof error === "string") return { fault: error };
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const words = [code, message].filter((x) => typeof x === "string" || typeof x === "number");
  return { fault: words.length === 0 ? JSON.stringify(error) : words.join(": ") };
}
