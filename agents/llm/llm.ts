import { percent } from "../../env/core/words.js";
import { type Game, KesselError, Rng, type Seed } from "../../env/index.js";
import type { Agent, AgentMaker, Decisions } from "../agent.js";
import { readAnswer } from "../text/answer.js";
import { type Briefing, Briefings } from "../text/briefing.js";
import type { Message } from "./endpoint.js";
import { LanguageModel, type Usage } from "./model.js";
import { parseLlm } from "./settings.js";

/**
 * A language model as a player. The prompt contains what the deciding seat may know, as text: rules, board, standing,
 * and the question with all legal actions. Each decision is a conversation of its own.
 */
export class LlmAgent implements Agent {
  private readonly rng: Rng;
  private readonly briefings: Briefings;

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
    private readonly model: LanguageModel,
  ) {
    this.rng = new Rng(`${seed}/llm/illegal`);
    this.briefings = new Briefings(game, seed, model.settings.rules);
  }

  /** @throws KesselError as `Endpoint.ask`; `bad-answer` when all tries named no legal action and `illegal` is `error` */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const briefings = Array.from({ length: decisions.size }, (_, i) => this.briefings.of(decisions, i));
    // drawn before anything is asked: a run that is begun again draws the same, whoever answers first
    const drawn = briefings.map(({ choices }) => choices[this.rng.below(choices.length)]!.action);
    await Promise.all(
      briefings.map(async (briefing, i) => {
        out[i] = await this.answer(decisions.game, briefing, drawn[i]!);
      }),
    );
  }

  /** Asks until an answer names a legal action, each time with what was wrong. @param drawn what is done when none does */
  private async answer(game: Game, { seat, choices, texts }: Briefing, drawn: number): Promise<number> {
    if (texts === null) return choices[0]!.action;
    const { model, tries, illegal } = this.model.settings;
    const told: Message[] = [
      { role: "system", content: texts[0] },
      { role: "user", content: texts[1] },
    ];
    const names = choices.map((c) => c.name);
    let why = "";
    for (let k = 0; k < tries; k++) {
      const about = { game: game.type.id, seat };
      const { text, meant, wrong } = await this.model.ask([...told], about, (answer) => readAnswer(names, answer));
      if (meant !== null) return choices[names.indexOf(meant)]!.action;
      why = wrong;
      told.push({ role: "assistant", content: text }, { role: "user", content: `${wrong}. Action: NUMBER` });
    }
    if (illegal === "error") throw new KesselError("bad-answer", `${model} named no legal action in ${tries}: ${why}`);
    return drawn;
  }
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
  MODELS.push({ name, usage: model.usage });
  return new LlmAgent(name, game, seed, model);
};

const MODELS: { readonly name: string; readonly usage: Usage }[] = [];

/** What the language models that this process made agents of have answered, a sentence for each name. */
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
