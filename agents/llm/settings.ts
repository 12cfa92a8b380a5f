import { readFileSync } from "node:fs";
import { GUIDE_LENGTHS, KesselError, oneOf, shown } from "../../env/index.js";
import type { RulesLength } from "../text/briefing.js";
import { pieces } from "./pieces.js";

/** The settings of an `llm:` agent, written after its address. */
export interface LlmSettings {
  /** Base of an OpenAI-compatible interface: `http://127.0.0.1:8000/v1`. */
  readonly url: string;
  readonly model: string;
  /** The interface that its server speaks: chat completions, or the Responses API. */
  readonly api: "chat" | "responses";
  /** Further keys of every request, such as `top_k`: JSON, or what a file of this name holds. */
  readonly body: Readonly<Record<string, unknown>>;
  /** True when the answer is to come in pieces, so that a long thought does not pass for silence. */
  readonly stream: boolean;
  /** True when the model may call a function in place of writing its answer. */
  readonly calls: boolean;
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
  /** Seconds that one request may take; with `stream`, seconds without a piece of the answer. */
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

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** How each setting is read, and its default. */
const READERS: { readonly [K in keyof Omit<LlmSettings, "url">]: (text: string | undefined) => LlmSettings[K] } = {
  model: (text) => {
    if (text === undefined || text === "") throw bad("say which model answers: model=NAME");
    return text;
  },
  api: (text) => wordOf("api", text ?? "chat", ["chat", "responses"]),
  body: (text) => (text === undefined || text === "none" ? {} : bodyIn(text)),
  stream: (text) => wordOf("stream", text ?? "no", ["no", "yes"]) === "yes",
  calls: (text) => wordOf("calls", text ?? "no", ["no", "yes"]) === "yes",
  key: (text) => {
    const name = text ?? DEFAULT_KEY;
    if (text !== undefined && process.env[name] === undefined)
      // who writes the key itself does not want to see it again
      throw bad(
        /^[A-Z][A-Z\d_]*$/.test(name)
          ? `the environment has no variable ${shown(name)}, which key= names`
          : "key= names the environment variable that holds the key, such as key=OPENAI_API_KEY; it is not the key itself",
      );
    return process.env[name] === undefined ? null : name;
  },
  temperature: (text) => (text === "default" ? null : numberIn("temperature", text, 0, 0, 2)),
  effort: (text) => (text === undefined ? null : wordOf("effort", text, EFFORTS)),
  tokens: (text) => wholeIn("tokens", text, 8192, 1, 1_000_000),
  rules: (text) => wordOf("rules", text ?? "short", ["none", ...GUIDE_LENGTHS]),
  memory: (text = "none") =>
    /^\d/.test(text)
      ? wholeIn("memory", text, 1, 1, 10_000)
      : ((["none", "all", "notes"] as const).find((word) => word === text) ??
        never(`memory is none, all, notes or a number of decisions, not ${shown(text)}`)),
  tools: (text = "none") => {
    if (text === "none" || text === "all") return text === "all" ? TOOLS : [];
    const asked = text.split("+").map((name) => TOOLS.find((tool) => tool === name));
    if (asked.includes(undefined))
      throw bad(`tools is none, all, or ${oneOf(TOOLS)} with + between them, not ${shown(text)}`);
    return asked.filter((tool) => tool !== undefined);
  },
  asks: (text) => wholeIn("asks", text, 4, 1, 100),
  form: (text) => wordOf("form", text ?? "actions", ["actions", "orders"]),
  answer: (text) => wordOf("answer", text ?? "once", ["once", "check"]),
  tries: (text) => wholeIn("tries", text, 3, 1, 100),
  illegal: (text) => wordOf("illegal", text ?? "random", ["random", "error"]),
  atOnce: (text) => wholeIn("atOnce", text, 8, 1, 1000),
  retries: (text) => wholeIn("retries", text, 4, 0, 100),
  seconds: (text) => numberIn("seconds", text, 300, 0.01, 86_400),
  budget: (text) => (text === undefined ? Infinity : wholeIn("budget", text, 0, 1, Number.MAX_SAFE_INTEGER)),
  price: (text = "0/0") => {
    const prices = text.split("/").map(Number);
    if (prices.length !== 2 || !prices.every((p) => p >= 0 && Number.isFinite(p)))
      throw bad(`price is money for a million tokens asked and answered, such as price=0.5/1.5, not ${shown(text)}`);
    return [prices[0]!, prices[1]!];
  },
  spend: (text) => (text === undefined ? Infinity : numberIn("spend", text, 0, 0, 1e9)),
  transcript: (text) => (text === "" ? never("transcript is the name of a file") : (text ?? null)),
};

/**
 * Reads `http://127.0.0.1:8000/v1,model=NAME,tries=2`.
 *
 * @throws KesselError `bad-agent` that names what is wrong
 */
export function parseLlm(argument: string): LlmSettings {
  const [url = "", ...parts] = pieces(argument);
  const end = /\/(chat\/completions|responses|completions)\/*$/.exec(url)?.[1];
  if (end !== undefined) throw bad(`its address ends before /${end}: api= says what comes behind it`);
  if (!isAddress(url))
    throw bad(
      `it is named by the address of its interface, such as llm:http://127.0.0.1:8000/v1${/[@?#]/.test(url) ? "" : `, not ${shown(url)}`}; a key is in the environment, and key=NAME names it`,
    );
  const given = new Map<string, string>();
  for (const piece of parts) {
    const at = piece.indexOf("=");
    const name = at < 0 ? piece : piece.slice(0, at);
    // its value may be a secret
    if (at < 0 || !Object.hasOwn(READERS, name))
      throw bad(`there is no setting ${shown(name)}; settings are ${oneOf(Object.keys(READERS), 30)}`);
    if (given.has(name)) throw bad(`${name} is given twice`);
    given.set(name, piece.slice(at + 1));
  }
  const read = Object.fromEntries(Object.entries(READERS).map(([name, of]) => [name, of(given.get(name))]));
  const settings = { url: withoutSlashes(url), ...read } as unknown as LlmSettings;
  checkBody(settings);
  return settings;
}

/** Names of all settings. */
export const SETTINGS = Object.keys(READERS);

/** Keys of a request that the agent writes itself, with the setting that changes each; null: none does. */
const OWN: Readonly<Record<string, string | null>> = {
  model: "model",
  messages: null,
  input: null,
  instructions: "rules",
  temperature: "temperature",
  max_tokens: "tokens",
  max_completion_tokens: "tokens",
  max_output_tokens: "tokens",
  reasoning_effort: "effort",
  stream: "stream",
  stream_options: "stream",
};

/** A name that a secret may have: requests are shown, and a submission has them. */
const SECRET =
  /^key$|(^|[_-])(api[_-]?key|secret|password|passwd|authorization|bearer|credentials?|(access|auth)[_-]token)$/i;

/** The object that `body=` names: JSON, or a file that holds it. */
function bodyIn(text: string): Readonly<Record<string, unknown>> {
  const example = 'body is a JSON object, such as body={"top_k":1}, or a file that holds one';
  const isInline = /^\s*[{[]/.test(text);
  let json = text;
  try {
    if (!isInline) json = readFileSync(text, "utf8");
  } catch (e) {
    throw bad(`${example}; the file ${shown(text)} can't be read: ${(e as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
  const where = isInline ? "this" : `the file ${shown(text)}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (e) {
    // the message of the parser quotes the text
    const at = /position \d+/.exec((e as Error).message)?.[0];
    throw bad(`${example}; ${where} is not JSON${at === undefined ? "" : ` (${at})`}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw bad(`${example}; ${where} is no object`);
  return value as Record<string, unknown>;
}

/** @throws KesselError `bad-agent` for a key of `body` that the agent writes itself, or that may be a secret */
function checkBody({ api, body, calls, key }: LlmSettings): void {
  const own = (name: string, setting: string | null): KesselError =>
    bad(`body can't set ${shown(name)}, which the agent writes${setting === null ? " itself" : `: say ${setting}=`}`);
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(OWN, name)) throw own(name, OWN[name]!);
    if (calls && /^(tools|functions)$/.test(name)) throw own(name, "calls");
  }
  if (api === "responses" && "reasoning" in body) {
    const { reasoning } = body;
    if (typeof reasoning !== "object" || reasoning === null || Array.isArray(reasoning))
      throw bad('body can set "reasoning" to an object only');
    if ("effort" in reasoning) throw own("reasoning.effort", "effort");
  }
  const secret = key === null ? undefined : process.env[key];
  for (const [name, value] of keysIn(body))
    if (SECRET.test(name) || (secret !== undefined && secret !== "" && String(value).includes(secret)))
      throw bad(
        `body can't hold a secret (${shown(name)}): requests are shown; put it in the environment, and key=NAME names it`,
      );
}

/** All keys of an object with their values, those within it as well. */
function keysIn(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [
    ...(Array.isArray(value) && typeof inner === "object" ? [] : [[name, inner] as [string, unknown]]),
    ...keysIn(inner),
  ]);
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

const never = (what: string): never => {
  throw bad(what);
};

const bad = (what: string): KesselError => new KesselError("bad-agent", `a language model as agent: ${what}`);
