import { setTimeout as pause } from "node:timers/promises";
import { KesselError, shown } from "../../env/index.js";
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
  /** Why it ended, in the server's word: `stop`, `length`, `content_filter`, `tool_calls`. */
  readonly finish: string | null;
  /** Tokens of the request and of the answer, as the server counts them; 0 if it does not report them. */
  readonly asked: number;
  readonly answered: number;
  /** Tokens of thoughts, part of `answered`; 0 if the server does not report them. */
  readonly thought: number;
}

/** The first pause before a request is sent again, ms; it doubles each time. */
const FIRST_PAUSE = 500;
/** Longest pause that a busy server may ask for, ms. */
const LONGEST_PAUSE = 60_000;
/** Characters of a server's complaint that are passed on. */
const COMPLAINT = 200;

/** A server stayed silent, unreachable, busy or broken for all retries: what was asked may be asked again later. */
export class ServerDown extends KesselError {
  constructor(why: string) {
    super("bad-agent", why);
  }
}

/** Requests in a row that a server lets fall before others are sent once only: with retries each would take minutes. */
const MOST_DOWN = 4;

/** What all agents of this process with one model have used, so that limits hold for them together. */
const USED = new Map<string, { tokens: number; money: number }>();

/** A model behind an OpenAI-compatible interface (`POST URL/chat/completions`). The key goes to it and nowhere else. */
export class Endpoint {
  private free: number;
  /** Requests in a row that the server has let fall. */
  private down = 0;
  /** Parameters that the server has refused: newer models take no `max_tokens`, some no temperature. */
  private readonly refused = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  private readonly used: { tokens: number; money: number };

  constructor(private readonly settings: LlmSettings) {
    this.free = settings.atOnce;
    const name = `${settings.url} ${settings.model}`;
    this.used = USED.get(name) ?? { tokens: 0, money: 0 };
    USED.set(name, this.used);
  }

  /**
   * One answer of the model; at most `atOnce` are under way.
   *
   * @throws KesselError `limit` when budget or money are used up, `bad-agent` when the server refuses
   * @throws ServerDown when it fails or stays silent for all retries
   */
  async ask(messages: readonly Message[]): Promise<Answer> {
    if (this.free === 0) await new Promise<void>((go) => this.waiting.push(go));
    else this.free--;
    try {
      return await this.tryUntilAnswered(messages);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }

  private async tryUntilAnswered(messages: readonly Message[]): Promise<Answer> {
    for (let k = 0; ; k++) {
      this.checkBudget();
      const found = await this.once(messages);
      if ("text" in found) {
        this.count(found);
        this.down = 0;
        return found;
      }
      const words = `the language model at ${this.settings.url} ${found.why}`;
      if (found.final) throw new KesselError("bad-agent", words);
      if (k >= this.settings.retries || this.down >= MOST_DOWN) {
        this.down++;
        throw new ServerDown(words);
      }
      await pause(Math.min(LONGEST_PAUSE, found.after ?? FIRST_PAUSE * 2 ** k));
    }
  }

  /** One request. */
  private async once(messages: readonly Message[]): Promise<Answer | Failure> {
    const { url, key, seconds } = this.settings;
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (key !== null) headers["Authorization"] = `Bearer ${process.env[key]!}`;
    const signal = AbortSignal.timeout(Math.round(1000 * seconds));
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify(this.request(messages)),
        signal,
      });
      text = await response.text();
    } catch (e) {
      const silent = e instanceof DOMException && e.name === "TimeoutError";
      return { why: silent ? `has not answered for ${seconds} s` : "can't be reached", final: false };
    }
    if (response.ok) return answerIn(text) ?? { why: `answers no completion: ${this.shown(text)}`, final: false };
    if (response.status === 400) {
      if (isTooLong(text))
        return { text: "", silence: "too long a request", finish: null, asked: 0, answered: 0, thought: 0 };
      const refused = PARAMETERS.find((name) => !this.refused.has(name) && isAbout(text, name));
      if (refused !== undefined) {
        this.refused.add(refused);
        return this.once(messages);
      }
    }
    const wait = waitOf(response.headers.get("retry-after"));
    return {
      why: `answers ${response.status}: ${this.shown(text)}`,
      final: response.status !== 429 && response.status < 500,
      ...(wait > 0 ? { after: wait } : {}),
    };
  }

  /** The body of a request, without what the server has refused. */
  private request(messages: readonly Message[]): object {
    const { model, temperature, tokens, effort } = this.settings;
    return {
      model,
      messages,
      ...(temperature === null || this.refused.has("temperature") ? {} : { temperature }),
      ...(this.refused.has("max_tokens") ? { max_completion_tokens: tokens } : { max_tokens: tokens }),
      ...(effort === null ? {} : { reasoning_effort: effort }),
    };
  }

  private count({ asked, answered }: Answer): void {
    const { price } = this.settings;
    this.used.tokens += asked + answered;
    this.used.money += (asked * price[0] + answered * price[1]) / 1e6;
  }

  private checkBudget(): void {
    const { budget, spend } = this.settings;
    if (this.used.tokens >= budget)
      throw new KesselError("limit", `${this.settings.model} has used ${this.used.tokens} tokens of budget=${budget}`);
    if (this.used.money >= spend)
      throw new KesselError("limit", `${this.settings.model} has cost ${this.used.money.toFixed(4)} of spend=${spend}`);
  }

  /** The beginning of what a server said; a server that repeats the key doesn't make us repeat it. */
  private shown(text: string): string {
    const key = this.settings.key === null ? "" : process.env[this.settings.key]!;
    return shown((key === "" ? text : text.replaceAll(key, "***")).slice(0, COMPLAINT));
  }
}

interface Failure {
  readonly why: string;
  /** Asking again would not help. */
  readonly final: boolean;
  /** ms that the server asks to wait. */
  readonly after?: number;
}

/** Parameters that servers refuse for some models. */
const PARAMETERS = ["max_tokens", "temperature"] as const;

/** True when a complaint names a parameter as what is wrong. */
function isAbout(complaint: string, parameter: string): boolean {
  const error = (parsed(complaint) as { error?: { param?: unknown; message?: unknown } } | null)?.error;
  return error?.param === parameter || (typeof error?.message === "string" && error.message.includes(`'${parameter}'`));
}

const isTooLong = (complaint: string): boolean =>
  complaint.includes("context_length_exceeded") || complaint.includes("maximum context length");

/** Milliseconds that `Retry-After` asks to wait: seconds or a date; 0 for neither. */
function waitOf(header: string | null): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? 1000 * seconds : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Said {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: readonly { readonly function?: { readonly arguments?: unknown } }[];
}

interface Completion {
  readonly choices?: readonly { readonly message?: Said; readonly delta?: Said; readonly finish_reason?: unknown }[];
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
    readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown };
  };
}

/** The answer in a completion, whole or in the pieces of a stream; null for what is none. */
function answerIn(body: string): Answer | null {
  const completion = (body.startsWith("data:") ? streamed(body) : parsed(body)) as Completion | null;
  const choice = Array.isArray(completion?.choices) ? (completion.choices as Completion["choices"])![0] : undefined;
  const message = choice?.message;
  if (typeof message !== "object" || message === null) return null;
  const count = (n: unknown): number => (typeof n === "number" && n >= 0 ? n : 0);
  const finish = typeof choice?.finish_reason === "string" ? choice.finish_reason : null;
  const text = textOf(message);
  const { usage } = completion!;
  return {
    text,
    silence: text === "" ? silenceOf(message, finish) : null,
    finish,
    asked: count(usage?.prompt_tokens),
    answered: count(usage?.completion_tokens),
    thought: count(usage?.completion_tokens_details?.reasoning_tokens),
  };
}

/** The pieces of a stream of events as one completion. */
function streamed(body: string): Completion {
  let content = "";
  let finish: unknown = null;
  let usage: Completion["usage"];
  for (const line of body.split("\n")) {
    if (!line.startsWith("data:")) continue;
    const piece = parsed(line.slice("data:".length)) as Completion | null;
    const choice = piece?.choices?.[0];
    if (typeof choice?.delta?.content === "string") content += choice.delta.content;
    finish = choice?.finish_reason ?? finish;
    usage = piece?.usage ?? usage;
  }
  return { choices: [{ message: { content }, finish_reason: finish }], ...(usage === undefined ? {} : { usage }) };
}

/** What a message says: its text, the texts of its parts, or the arguments of its tool call. */
function textOf({ content, tool_calls: calls }: Said): string {
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [{ text: content }];
  const text = withoutThoughts(parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n"));
  if (text !== "") return text;
  const given = Array.isArray(calls) ? calls[0]?.function?.arguments : undefined;
  if (typeof given !== "string") return "";
  const { action } = (parsed(given) ?? {}) as { readonly action?: unknown };
  return typeof action === "string" || typeof action === "number" ? `Action: ${action}` : given;
}

/** Without `<think>...</think>`; thoughts that are cut off are followed by nothing. */
function withoutThoughts(text: string): string {
  const begin = text.indexOf("<think>");
  if (begin < 0) return text.trim();
  const end = text.lastIndexOf("</think>");
  return end < begin
    ? text.slice(0, begin).trim()
    : `${text.slice(0, begin)}${text.slice(end + "</think>".length)}`.trim();
}

function silenceOf({ refusal }: Said, finish: string | null): Silence {
  if (typeof refusal === "string" && refusal !== "") return "refused";
  if (finish === "content_filter") return "filtered";
  return finish === "length" ? "cut off" : "empty";
}
