import { GUIDE_LENGTHS, KesselError, oneOf, shown } from "../../env/index.js";
import type { RulesLength } from "../text/briefing.js";

/** The settings of an `llm:` agent, written after its address. */
export interface LlmSettings {
  /** Base of an OpenAI-compatible interface: `http://127.0.0.1:8000/v1`. */
  readonly url: string;
  readonly model: string;
  /** Environment variable that holds the key; null: the server needs none. */
  readonly key: string | null;
  /** Null: the server's own. */
  readonly temperature: number | null;
  /** How long a model that reasons thinks, in the server's word; null: the server's own. */
  readonly effort: string | null;
  /** Most tokens of one answer. */
  readonly tokens: number;
  /** How much of the rules the model reads. */
  readonly rules: RulesLength;
  /**
   * What it is reminded of from earlier decisions of its seat in the same game: nothing, up to N, all, or the notes
   * that it wrote.
   */
  readonly memory: number | "none" | "all" | "notes";
  /** What it may ask before it answers. */
  readonly tools: readonly Tool[];
  /** Questions to tools in one decision. */
  readonly asks: number;
  /** What it answers with: one action, or orders for many decisions as well. */
  readonly form: "actions" | "orders";
  /** Its first answer counts, or is a proposal: it reads what that leads to, and answers again. */
  readonly answer: "once" | "check";
  /** Answers it may give to one decision before `illegal` decides. */
  readonly tries: number;
  /** What follows when none of them named a legal action: a random one, or an error that ends the run. */
  readonly illegal: "random" | "error";
  /** Requests under way at once. */
  readonly atOnce: number;
  /** Times that a request is sent again when the server is busy, fails or stays silent. */
  readonly retries: number;
  /** Seconds that one request may take. */
  readonly seconds: number;
  /** Most tokens of all requests of this process; Infinity: no limit. */
  readonly budget: number;
  /** Money for a million tokens, asked and answered. */
  readonly price: readonly [number, number];
  /** Most money that this process may spend; Infinity: no limit. */
  readonly spend: number;
  /** File that every request is written to, and that answers are taken from when a run is begun again; null: none. */
  readonly transcript: string | null;
}

export const TOOLS = ["odds", "rule", "look"] as const;
export type Tool = (typeof TOOLS)[number];

const DEFAULT_KEY = "OPENAI_API_KEY";

/** How each setting is read, and its default. */
const READERS: { readonly [K in keyof Omit<LlmSettings, "url">]: (text: string | undefined) => LlmSettings[K] } = {
  model: (text) => {
    if (text === undefined || text === "") throw bad("say which model answers: model=NAME");
    return text;
  },
  key: (text) => {
    const name = text ?? DEFAULT_KEY;
    if (text !== undefined && process.env[name] === undefined)
      throw bad(`the environment has no variable ${shown(name)}, which key= names`);
    return process.env[name] === undefined ? null : name;
  },
  temperature: (text) => (text === "default" ? null : numberIn("temperature", text, 0, 0, 2)),
  effort: (text) => (text === undefined ? null : wordOf("effort", text, ["none", "minimal", "low", "medium", "high"])),
  tokens: (text) => wholeIn("tokens", text, 1024, 1, 1_000_000),
  rules: (text) => wordOf("rules", text ?? "short", ["none", ...GUIDE_LENGTHS]),
  memory: (text = "none") =>
    /^\d/.test(text)
      ? wholeIn("memory", text, 1, 1, 10_000)
      : wordOf<"none" | "all" | "notes">("memory", text, ["none", "all", "notes"]),
  tools: (text = "none") => {
    if (text === "none" || text === "all") return text === "all" ? TOOLS : [];
    return text.split("+").map((name) => wordOf("tools", name, TOOLS));
  },
  asks: (text) => wholeIn("asks", text, 4, 1, 100),
  form: (text) => wordOf("form", text ?? "actions", ["actions", "orders"]),
  answer: (text) => wordOf("answer", text ?? "once", ["once", "check"]),
  tries: (text) => wholeIn("tries", text, 3, 1, 100),
  illegal: (text) => wordOf("illegal", text ?? "random", ["random", "error"]),
  atOnce: (text) => wholeIn("atOnce", text, 8, 1, 1000),
  retries: (text) => wholeIn("retries", text, 4, 0, 100),
  seconds: (text) => numberIn("seconds", text, 120, 0.01, 86_400),
  budget: (text) => (text === undefined ? Infinity : wholeIn("budget", text, 0, 1, Number.MAX_SAFE_INTEGER)),
  price: (text = "0/0") => {
    const prices = text.split("/").map(Number);
    if (prices.length !== 2 || !prices.every((p) => p >= 0 && Number.isFinite(p)))
      throw bad(`price is money for a million tokens asked and answered, such as price=0.5/1.5, not ${shown(text)}`);
    return [prices[0]!, prices[1]!];
  },
  spend: (text) => (text === undefined ? Infinity : numberIn("spend", text, 0, 0, 1e9)),
  transcript: (text) => text ?? null,
};

/**
 * Reads `http://127.0.0.1:8000/v1,model=NAME,tries=2`.
 *
 * @throws KesselError `bad-agent` that names what is wrong
 */
export function parseLlm(argument: string): LlmSettings {
  const [url = "", ...pieces] = argument.split(",");
  if (!isAddress(url))
    throw bad(
      `it is named by the address of its interface, such as llm:http://127.0.0.1:8000/v1, not ${shown(url)}; a key is in the environment, and key=NAME names it`,
    );
  const given = new Map<string, string>();
  for (const piece of pieces) {
    const at = piece.indexOf("=");
    const name = at < 0 ? piece : piece.slice(0, at);
    if (at < 0 || !Object.hasOwn(READERS, name))
      throw bad(`there is no setting ${shown(piece)}; settings are ${oneOf(Object.keys(READERS), 30)}`);
    if (given.has(name)) throw bad(`${name} is given twice`);
    given.set(name, piece.slice(at + 1));
  }
  const settings = Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, read(given.get(name))]));
  return { url: withoutSlashes(url), ...settings } as unknown as LlmSettings;
}

function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  // a key in the address would appear in names and logs; a path is added behind it
  return (
    url !== null && /^https?:$/.test(url.protocol) && [url.username, url.password, url.search, url.hash].join("") === ""
  );
}

function numberIn(name: string, text: string | undefined, without: number, least: number, most: number): number {
  if (text === undefined) return without;
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= most))
    throw bad(`${name} is a number from ${least} to ${most}, not ${shown(text)}`);
  return value;
}

function wholeIn(name: string, text: string | undefined, without: number, least: number, most: number): number {
  const value = numberIn(name, text, without, least, most);
  if (!Number.isInteger(value)) throw bad(`${name} is a whole number, not ${shown(text)}`);
  return value;
}

function wordOf<W extends string>(name: string, text: string, words: readonly W[]): W {
  const found = words.find((w) => w === text);
  if (found === undefined) throw bad(`${name} is ${oneOf(words)}, not ${shown(text)}`);
  return found;
}

const bad = (what: string): KesselError => new KesselError("bad-agent", `a language model as agent: ${what}`);
