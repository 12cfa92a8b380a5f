import { counted, percent } from "../../env/core/words.js";
import { type Game, KesselError, type OrderRun, Rng, type Seed } from "../../env/index.js";
import type { Agent, AgentMaker, Decisions } from "../agent.js";
import { ACTION_LINE, type Briefing, Briefings, ORDER_LINE } from "../text/briefing.js";
import { type Meaning, meaningOf, notesIn } from "./answers.js";
import type { Message, Offer } from "./api.js";
import { LanguageModel, type Usage } from "./model.js";
import { settingsText, written } from "./named.js";
import { type LlmSettings, parseLlm } from "./settings.js";
import { consequences, TOOL_HELP, toolAnswer } from "./tools.js";

/** Characters of the notes that a model may keep. */
const MOST_NOTES = 2000;

/** What one seat of one game takes along from decision to decision. */
interface Thread {
  /** The order that is being carried out. */
  run: OrderRun | null;
  /** Why the last one went no further. */
  stopped: string | null;
  /** Earlier decisions and answers, as `memory` keeps them. */
  readonly messages: Message[];
  notes: string;
}

/** What an answer comes to. */
type Decided = Exclude<Meaning, { readonly ask: unknown }>;

/**
 * A language model as a player. The prompt contains what the deciding seat may know, as text: rules, board, standing,
 * and the question with all legal actions. Each decision is a conversation of its own, unless `memory` adds to it.
 */
export class LlmAgent implements Agent {
  private readonly rng: Rng;
  private readonly briefings: Briefings;
  /** By game and seat: nothing of one seat reaches another. */
  private readonly threads = new Map<string, Thread>();

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
    private readonly model: LanguageModel,
  ) {
    this.rng = new Rng(`${seed}/llm/illegal`);
    const { rules, form } = model.settings;
    this.briefings = new Briefings(game, seed, rules, form === "orders");
  }

  /**
   * @throws KesselError as `Endpoint.ask`; `bad-answer` when all tries named no legal action and `illegal` is `error`
   */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const briefings = Array.from({ length: decisions.size }, (_, i) => this.briefings.of(decisions, i));
    // drawn before anything is asked: a run that is begun again draws the same, whoever answers first
    const drawn = briefings.map(({ choices }) => choices[this.rng.below(choices.length)]!.action);
    await Promise.all(
      briefings.map(async (briefing, i) => {
        const thread = this.threadOf(`${decisions.rows?.[i] ?? 0}/${briefing.seat}`);
        out[i] =
          goesOn(briefing, thread) ??
          (briefing.texts === null
            ? briefing.choices[0]!.action
            : await this.answer(decisions, i, briefing, briefing.texts, thread, drawn[i]!));
      }),
    );
  }

  private threadOf(key: string): Thread {
    const found = this.threads.get(key) ?? { run: null, stopped: null, messages: [], notes: "" };
    this.threads.set(key, found);
    return found;
  }

  /**
   * Asks until an answer names a legal action, each time with what was wrong.
   *
   * @param drawn what is done when none does
   */
  private async answer(
    { game, actors }: Decisions,
    i: number,
    briefing: Briefing,
    texts: readonly [string, string],
    thread: Thread,
    drawn: number,
  ): Promise<number> {
    const { settings } = this.model;
    const known = { game, world: briefing.world, viewer: actors[i]!, choices: briefing.choices };
    const about = { game: game.type.id, seat: briefing.seat, offer: offerFor(settings) };
    const last = settings.form === "orders" ? ORDER_LINE : ACTION_LINE;
    const messages = this.opening(texts, thread);
    let asks = settings.tools.length === 0 ? 0 : settings.asks;
    let proposed: { readonly decided: Decided; readonly text: string } | null = null;
    let why = "";
    for (let k = 0; k < settings.tries;) {
      let meaning: Meaning | null = null;
      const { text, meant, wrong } = await this.model.ask([...messages], about, (answer) => {
        meaning = meaningOf(answer, known, { ...settings, asks });
        return wordsOf(meaning);
      });
      const found = meaning as Meaning | null;
      if (meant === null || found === null) {
        k++;
        why = wrong;
        // some servers refuse messages that say nothing
        const answer = text === "" ? "(nothing)" : text;
        messages.push({ role: "assistant", content: answer }, { role: "user", content: `${wrong}. ${last}` });
      } else if ("ask" in found) {
        asks--;
        this.model.usage.asides++;
        const left = asks === 0 ? "No questions are left. " : "";
        const answer = `${toolAnswer(known, found.ask, found.words)}\n${left}${last}`;
        messages.push({ role: "assistant", content: text }, { role: "user", content: answer });
      } else if (settings.answer === "check" && proposed === null) {
        proposed = { decided: found, text };
        this.model.usage.asides++;
        const leads = consequences(known, found);
        const content = `${leads}\nSay it again to do it, or say another. End with one line: ${last}`;
        messages.push({ role: "assistant", content: text }, { role: "user", content });
      } else return this.done(found, text, briefing, thread);
    }
    if (proposed !== null) return this.done(proposed.decided, proposed.text, briefing, thread);
    if (settings.illegal === "error")
      throw new KesselError("bad-answer", `${settings.model} named no legal action in ${settings.tries}: ${why}`);
    return drawn;
  }

  /** What a decision begins with: rules and map, what is remembered, the situation and the question. */
  private opening([rules, situation]: readonly [string, string], thread: Thread): Message[] {
    const { tools, asks, memory, form } = this.model.settings;
    const help = [
      ...(form === "orders" ? ["An order may cover many decisions; it stops where something comes to light."] : []),
      ...(tools.length === 0
        ? []
        : [
            `Before you answer you may ask, up to ${counted(asks, "time")} a decision, with one last line: ${tools.map((t) => TOOL_HELP[t]).join("; ")}.`,
          ]),
      ...(memory === "notes"
        ? [
            'You will remember nothing but your notes. A line "Notes: ..." before your last line is kept, in place of your earlier ones.',
          ]
        : []),
    ];
    const before = [
      ...(thread.stopped === null ? [] : [`Your order stopped: ${thread.stopped.replace(/\.$/, "")}.`]),
      ...(memory === "notes" ? [`Your notes: ${thread.notes === "" ? "none yet" : thread.notes}`] : []),
    ];
    thread.stopped = null;
    return [
      { role: "system", content: [rules, ...help].join("\n") },
      ...thread.messages,
      { role: "user", content: [...before, situation].join("\n") },
    ];
  }

  /** Keeps what `memory` says of a decision. @returns the action */
  private done(decided: Decided, text: string, { question }: Briefing, thread: Thread): number {
    const { memory } = this.model.settings;
    if ("run" in decided) thread.run = decided.run;
    if (memory === "notes") thread.notes = (notesIn(text) ?? thread.notes).slice(0, MOST_NOTES);
    else if (memory !== "none") {
      thread.messages.push({ role: "user", content: question }, { role: "assistant", content: text });
      if (memory !== "all") thread.messages.splice(0, thread.messages.length - 2 * memory);
    }
    return decided.action;
  }
}

/** What a model may call in place of its last line. */
function offerFor({ form, tools, memory }: LlmSettings): Offer {
  return {
    name: "act",
    about: "Answers the question that was asked last. Give one argument beside notes.",
    arguments: {
      action: "number or name of a legal action",
      ...(form === "orders" ? { order: "an order in words, for many decisions" } : {}),
      ...(tools.length > 0 ? { ask: `a question in place of an answer: ${tools.join(", ")}, then its words` } : {}),
      ...(memory === "notes" ? { notes: "what you want to remember" } : {}),
    },
  };
}

/** The next action of the order that is being carried out; null where there is none, or it goes no further. */
function goesOn({ world, choices }: Briefing, thread: Thread): number | null {
  const action = thread.run?.next(world) ?? null;
  if (action !== null && choices.some((c) => c.action === action)) return action;
  thread.stopped = thread.run?.stopped ?? thread.stopped;
  thread.run = null;
  return null;
}

/** For the transcript. */
function wordsOf(meaning: Meaning): string {
  if ("ask" in meaning) return `ask ${meaning.ask} ${meaning.words}`.trim();
  return "order" in meaning ? `order ${meaning.order}` : meaning.name;
}

/** `llm:http://127.0.0.1:8000/v1,model=NAME`. Only for callers that may open connections from this machine. */
export const makeLlm: AgentMaker = (argument, { game, seed, connect = false }) => {
  if (!connect)
    throw new KesselError(
      "bad-agent",
      "language models are for kessel arena and kessel play; a server doesn't connect to any",
    );
  const settings = parseLlm(argument);
  const name = `llm:${settings.model}`;
  const model = new LanguageModel(settings);
  MODELS.push({ name: `${name} (settings: ${settingsText((key) => written(settings, key))})`, usage: model.usage });
  return new LlmAgent(name, game, seed, model);
};

const MODELS: { readonly name: string; readonly usage: Usage }[] = [];

/**
 * What the language models that this process made agents of have answered, a sentence for each name and the settings
 * that are compared.
 */
export function usageLines(): string[] {
  return [...new Set(MODELS.map(({ name }) => name))].map((name) => {
    const all = MODELS.filter((m) => m.name === name).map((m) => m.usage);
    const sum = (key: "answers" | "illegal" | "asked" | "answered"): number => all.reduce((n, u) => n + u[key], 0);
    const answers = sum("answers");
    const share = answers === 0 ? "" : ` (${percent(sum("illegal") / answers, 1)})`;
    const legality = `${sum("illegal")} without a legal action${share}, empty: ${silences(all)}`;
    return `${name}: ${answers} answers, ${legality}; ${sum("asked")} tokens asked, ${sum("answered")} answered`;
  });
}

/** Numbers of empty answers by reason: `3 cut off, 1 refused`. */
export function silences(all: readonly Pick<Usage, "silent">[]): string {
  const counts = new Map<string, number>();
  for (const { silent } of all)
    for (const [why, n] of Object.entries(silent)) counts.set(why, (counts.get(why) ?? 0) + n);
  return [...counts].map(([why, n]) => `${n} ${why}`).join(", ") || "none";
}
