import { KesselError } from "../../env/index.js";
import type { AnswerCount } from "../text/through-text.js";
import type { Answer, Message, Offer, Silence } from "./api.js";
import { Endpoint } from "./endpoint.js";
import { SENT, settingsText, written } from "./named.js";
import type { LlmSettings } from "./settings.js";
import { idOf, Transcript } from "./transcript.js";

/** What a model's answers came to. Those that a transcript gives again count as when they were first given. */
export interface Usage extends AnswerCount {
  /** Tokens of requests and of answers. */
  asked: number;
  answered: number;
  money: number;
  /** Answers that called a tool or made a proposal to check, and decided nothing. */
  asides: number;
  /** Numbers of empty answers, by reason. */
  readonly silent: Partial<Record<Silence, number>>;
}

/** Who waits for an answer to the same words, in the order of asking: of all models of this process. */
const WAITING = new Map<string, ((answer: Promise<Answer>) => void)[]>();

/**
 * Asks; the first answer goes to the earliest caller with the same words, whichever request it came from. So answers
 * are in the transcript in the order in which a run that is begun again takes them.
 *
 * @param words names what is asked of which model
 */
function inTurn(words: string, ask: () => Promise<Answer>): Promise<Answer> {
  return new Promise((go) => {
    const line = WAITING.get(words) ?? [];
    WAITING.set(words, line);
    line.push(go);
    const answer = ask();
    const next = (): void => {
      line.shift()!(answer);
      if (line.length === 0) WAITING.delete(words);
    };
    answer.then(next, next);
  });
}

/** A language model with its transcript and what it has used. */
export class LanguageModel {
  readonly usage: Usage = { answers: 0, illegal: 0, asked: 0, answered: 0, money: 0, asides: 0, silent: {} };

  /** The settings that change what is sent, in words; `sent` without the temperature, which ids have by itself. */
  private readonly settingsText: string;
  private readonly sent: string;

  constructor(
    readonly settings: LlmSettings,
    private readonly endpoint = new Endpoint(settings),
    private readonly transcript = Transcript.of(settings.transcript),
  ) {
    const of = (key: keyof LlmSettings): string => written(settings, key);
    this.settingsText = settingsText(of, SENT);
    this.sent = settingsText(
      of,
      SENT.filter((key) => key !== "temperature"),
    );
  }

  /**
   * One answer, from the transcript of an earlier run if it has one.
   *
   * @param about game and seat, for the transcript; `offer` is the function that the model may call with `calls=yes`
   * @param read the answer's meaning in words; throws KesselError `bad-answer` when it has none
   * @returns the meaning, or null and why there is none
   * @throws KesselError as `Endpoint.ask`
   */
  async ask(
    messages: readonly Message[],
    { offer, ...about }: { readonly game: string; readonly seat: string; readonly offer?: Offer },
    read: (text: string) => string,
  ): Promise<{ readonly text: string; readonly meant: string | null; readonly wrong: string }> {
    const { url, model, temperature, calls, price } = this.settings;
    const id = idOf(model, temperature, messages, this.sent);
    const recorded = this.transcript.take(id);
    const began = performance.now();
    const called = calls ? (offer ?? null) : null;
    const { text, silence, finish, thoughts, asked, answered, thought, cached } =
      recorded ?? (await inTurn(`${url} ${id}`, () => this.endpoint.ask(messages, called)));
    let meant: string | null = null;
    let wrong = "";
    try {
      meant = read(text);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      wrong = silence === null ? e.message : `the answer says nothing (${silence})`;
    }
    const { usage } = this;
    usage.answers++;
    if (meant === null) usage.illegal++;
    if (silence !== null) usage.silent[silence] = (usage.silent[silence] ?? 0) + 1;
    usage.asked += asked;
    usage.answered += answered;
    usage.money += (asked * price[0] + answered * price[1]) / 1e6;
    if (recorded === undefined)
      this.transcript.add({
        model,
        ...about,
        id,
        settings: this.settingsText,
        messages: [...messages],
        answer: text,
        silence,
        finish,
        thoughts,
        thought,
        cached,
        ms: Math.round(performance.now() - began),
        asked,
        answered,
        action: meant,
      });
    return { text, meant, wrong };
  }
}
