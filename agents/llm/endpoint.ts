import { setTimeout as pause } from "node:timers/promises";
import { KesselError, shown } from "../../env/index.js";
import type { LlmSettings } from "./settings.js";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Answer {
  readonly text: string;
  /** Tokens of the request and of the answer, as the server counts them; 0 where it tells none. */
  readonly asked: number;
  readonly answered: number;
}

/** The first pause before a request is sent again, ms; it doubles each time. */
const FIRST_PAUSE = 500;
/** Longest pause that a busy server may ask for, ms. */
const LONGEST_PAUSE = 60_000;
/** Characters of a server's complaint that are passed on. */
const COMPLAINT = 200;

/** What all agents of this process with one model have used, so that limits hold for them together. */
const USED = new Map<string, { tokens: number; money: number }>();

/** A model behind an OpenAI-compatible interface (`POST URL/chat/completions`). The key goes to it and nowhere else. */
export class Endpoint {
  private free: number;
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
   * @throws KesselError `limit` when budget or money are used up, `bad-agent` when the server refuses, or fails or stays
   *   silent for all retries
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
        return found;
      }
      if (k >= this.settings.retries || found.final) throw this.bad(found.why);
      await pause(Math.min(LONGEST_PAUSE, found.after ?? FIRST_PAUSE * 2 ** k));
    }
  }

  /** One request. */
  private async once(messages: readonly Message[]): Promise<Answer | Failure> {
    const { url, model, temperature, tokens, key, seconds } = this.settings;
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (key !== null) headers["Authorization"] = `Bearer ${process.env[key]!}`;
    const signal = AbortSignal.timeout(Math.round(1000 * seconds));
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model, messages, temperature, max_tokens: tokens }),
        signal,
      });
      text = await response.text();
    } catch (e) {
      const silent = e instanceof DOMException && e.name === "TimeoutError";
      return { why: silent ? `has not answered for ${seconds} s` : "can't be reached", final: false };
    }
    if (response.ok) return answerIn(text) ?? { why: `answers no completion: ${this.shown(text)}`, final: false };
    const wait = Number(response.headers.get("retry-after"));
    return {
      why: `answers ${response.status}: ${this.shown(text)}`,
      final: response.status !== 429 && response.status < 500,
      ...(wait > 0 ? { after: 1000 * wait } : {}),
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

  private bad(why: string): KesselError {
    return new KesselError("bad-agent", `the language model at ${this.settings.url} ${why}`);
  }
}

interface Failure {
  readonly why: string;
  /** Asking again would not help. */
  readonly final: boolean;
  /** ms that the server asks to wait. */
  readonly after?: number;
}

function answerIn(text: string): Answer | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { choices, usage } = (value ?? {}) as {
    choices?: { message?: { content?: unknown } }[];
    usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
  };
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined;
  if (typeof content !== "string") return null;
  const count = (n: unknown): number => (typeof n === "number" && n >= 0 ? n : 0);
  return { text: content, asked: count(usage?.prompt_tokens), answered: count(usage?.completion_tokens) };
}
