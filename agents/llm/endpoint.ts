import { setTimeout as pause } from "node:timers/promises";
import { KesselError, shown } from "../../env/index.js";
import { type Answer, type Api, type Message, type Offer, type Silence, silent } from "./api.js";
import { CHAT } from "./chat.js";
import { fewerTokens, isAbout, parsed, silenceIn, waitOf } from "./complaints.js";
import { post, type Reply, Silent } from "./http.js";
import { RESPONSES } from "./responses.js";
import type { LlmSettings } from "./settings.js";
import { eventsIn } from "./stream.js";

export type { Answer, Message, Silence };

/** The first pause before a request is sent again, ms; it doubles each time. */
const FIRST_PAUSE = 500;
/** Longest pause that a busy server may ask for, ms. */
const LONGEST_PAUSE = 60_000;
/** Characters of a server's complaint that are passed on. */
const COMPLAINT = 200;

/** Statuses that may be about what was asked, not about who asks. */
const REFUSALS: readonly number[] = [400, 403, 413, 422];
/** Statuses below 500 after which asking again may help: a timeout, a conflict, too early, too many requests. */
const BUSY: readonly number[] = [408, 409, 425, 429];

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

const APIS: Readonly<Record<LlmSettings["api"], Api>> = { chat: CHAT, responses: RESPONSES };

/**
 * A model behind an OpenAI-compatible interface (`POST URL/chat/completions` or `POST URL/responses`). The key goes to
 * it and nowhere else.
 */
export class Endpoint {
  private free: number;
  /** Requests in a row that the server has let fall. */
  private down = 0;
  private readonly api: Api;
  /** Parameters that the server has refused: newer models take no `max_tokens`, some no temperature. */
  readonly refused = new Set<string>();
  /** Most tokens of one answer: those of the settings, or fewer where the model has less. */
  private tokens: number;
  /** True after the first answer: what is refused from then on has to do with what is asked. */
  private works = false;
  private readonly waiting: (() => void)[] = [];
  private readonly used: { tokens: number; money: number };

  constructor(private readonly settings: LlmSettings) {
    this.free = settings.atOnce;
    this.api = APIS[settings.api];
    this.tokens = settings.tokens;
    const name = `${settings.url} ${settings.model}`;
    this.used = USED.get(name) ?? { tokens: 0, money: 0 };
    USED.set(name, this.used);
  }

  /**
   * One answer of the model; at most `atOnce` are under way.
   *
   * @param offer the function that the model may call in place of writing its answer
   * @throws KesselError `limit` when budget or money are used up, `bad-agent` when the server has refused all so far
   * @throws ServerDown when it fails or stays silent for all retries, or refuses one request after it answered others
   */
  async ask(messages: readonly Message[], offer: Offer | null = null): Promise<Answer> {
    if (this.free === 0) await new Promise<void>((go) => this.waiting.push(go));
    else this.free--;
    try {
      return await this.tryUntilAnswered(messages, offer);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }

  private async tryUntilAnswered(messages: readonly Message[], offer: Offer | null): Promise<Answer> {
    for (let k = 0; ; k++) {
      this.checkBudget();
      const found = await this.once(messages, offer, this.tokens);
      if ("text" in found) {
        this.count(found);
        this.down = 0;
        this.works = true;
        return found;
      }
      const words = `the language model at ${this.settings.url} ${found.why}`;
      if (found.final) throw this.works ? new ServerDown(words) : new KesselError("bad-agent", words);
      if (k >= this.settings.retries || this.down >= MOST_DOWN) {
        this.down++;
        throw new ServerDown(words);
      }
      await pause(Math.min(LONGEST_PAUSE, found.after ?? FIRST_PAUSE * 2 ** k));
    }
  }

  /** One request, and more of them while the server refuses a parameter that can be left out or lowered. */
  private async once(messages: readonly Message[], offer: Offer | null, tokens: number): Promise<Answer | Failure> {
    const { url, key, seconds, stream } = this.settings;
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (key !== null) headers["Authorization"] = `Bearer ${process.env[key]!}`;
    const refused = (name: string): boolean => this.refused.has(name);
    const body = this.api.request({ messages, settings: this.settings, tokens, offer, refused });
    let reply: Reply;
    try {
      const ms = Math.round(1000 * seconds);
      reply = await post(`${url}${this.api.path}`, headers, JSON.stringify(body), { ms, stream });
    } catch (e) {
      const { code, message } = e as NodeJS.ErrnoException;
      const why = e instanceof Silent ? `has not answered for ${seconds} s` : `can't be reached (${code ?? message})`;
      return { why, final: false };
    }
    const { status, text } = reply;
    if (status >= 200 && status < 300) return this.read(text);
    if (REFUSALS.includes(status)) {
      const fewer = fewerTokens(text, tokens);
      if (fewer?.always === true) this.tokens = Math.min(this.tokens, fewer.tokens);
      if (fewer !== null) return this.once(messages, offer, fewer.tokens);
      // another request may have been refused for it meanwhile: what counts is that this one had it
      const own = (name: string): boolean => name in body && !(name in this.settings.body);
      const spare = this.api.spare.find((name) => own(name) && isAbout(text, name));
      if (spare !== undefined) {
        this.refused.add(spare);
        return this.once(messages, offer, tokens);
      }
      const silence = status === 413 ? "too long a request" : silenceIn(text);
      if (silence !== null) return silent(silence);
    }
    const wait = waitOf(reply.headers);
    return {
      why: `answers ${status}: ${this.shown(text)}`,
      final: !BUSY.includes(status) && status < 500,
      ...(wait > 0 ? { after: wait } : {}),
    };
  }

  /** What a body that came without complaint holds. */
  private read(text: string): Answer | Failure {
    const stream = eventsIn(text);
    const body = stream === null ? parsed(text) : this.api.joined(stream.events, stream.done);
    if (stream !== null && body === null)
      return { why: `broke off: ${this.shown(text.slice(-COMPLAINT))}`, final: false };
    const found = this.api.read(body);
    if (found === null) return { why: `answers no completion: ${this.shown(text)}`, final: false };
    if (!("fault" in found)) return found;
    const silence = silenceIn(found.fault);
    return silence === null
      ? { why: `answers with a fault: ${this.shown(found.fault)}`, final: false }
      : silent(silence);
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
