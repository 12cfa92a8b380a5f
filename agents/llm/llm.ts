import {
  type Game,
  guideText,
  KesselError,
  newState,
  type Prompt,
  promptOf,
  Rng,
  type Seed,
  standingOf,
  type StateView,
} from "../../env/index.js";
import type { Agent, AgentMaker, Decisions } from "../agent.js";
import { readAnswer } from "../text/answer.js";
import { choicesText, promptText, sideNames, standingText } from "../text/sentences.js";
import { mapLines, situationLines } from "../text/situation.js";
import { Endpoint, type Message } from "./endpoint.js";
import { type LlmSettings, parseLlm } from "./settings.js";
import { idOf, Transcript } from "./transcript.js";

/** Requests are never broken into lines by us. */
const WIDTH = Infinity;

/** One decision as the model is asked it. */
interface Question {
  readonly seat: string;
  readonly choices: Prompt["choices"];
  /** Empty where only one action is legal. */
  readonly messages: readonly Message[];
}

/**
 * A language model as a player. It is told what the deciding seat may know, as text: rules, board, standing, the
 * question with all legal actions; each decision by itself, as if it sat down anew. The text is written from a world
 * that fits what the seat knows, as search does, so that nothing hidden can get into it.
 */
export class LlmAgent implements Agent {
  private readonly rng: Rng;
  private readonly world;

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
    private readonly settings: LlmSettings,
    private readonly endpoint = new Endpoint(settings),
    private readonly transcript = Transcript.of(settings.transcript),
  ) {
    this.rng = new Rng(`${seed}/llm`);
    this.world = newState(game.stateSize);
  }

  /** @throws KesselError as `Endpoint.ask`; `bad-answer` when all tries named no legal action and `illegal` is `error` */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const questions = Array.from({ length: decisions.size }, (_, i) => this.question(decisions, i));
    await Promise.all(
      questions.map(async (question, i) => {
        out[i] =
          question.choices.length === 1 ? question.choices[0]!.action : await this.answer(decisions.game, question);
      }),
    );
  }

  private question(decisions: Decisions, i: number): Question {
    const { game, actors } = decisions;
    const viewer = actors[i]!;
    if (!decisions.sample(i, this.world, this.rng)) decisions.known(i, this.world);
    const prompt = promptOf(game, this.world, viewer);
    const { choices } = prompt;
    return {
      seat: game.players[viewer]!,
      choices,
      messages:
        choices.length === 1
          ? []
          : [
              { role: "system", content: this.rules(game, this.world, viewer) },
              { role: "user", content: this.situation(game, this.world, viewer, prompt) },
            ],
    };
  }

  private rules(game: Game, s: StateView, viewer: number): string {
    const { rules } = this.settings;
    return [
      `You play ${game.type.title}, a board wargame, as well as you can.`,
      ...(rules === "none" ? [] : [guideText(game.type, rules)]),
      "The map:",
      ...mapLines(game, s, viewer),
    ].join("\n");
  }

  private situation(game: Game, s: StateView, viewer: number, prompt: Prompt): string {
    const nameOf = sideNames(game, s);
    return [
      "The board:",
      ...situationLines(game, s, viewer).values(),
      "How it stands:",
      standingText(standingOf(game, s, viewer), nameOf, WIDTH),
      `You are the ${nameOf(game.players[viewer]!)} side. ${promptText(prompt, WIDTH)}`,
      `Legal actions, ${prompt.choices.length}:`,
      choicesText(prompt.choices, WIDTH, Infinity),
      "Think briefly, then end with one line: Action: NUMBER",
    ].join("\n");
  }

  /** Asks until an answer names a legal action, each time with what was wrong. */
  private async answer(game: Game, { seat, choices, messages }: Question): Promise<number> {
    const { model, temperature, tries, illegal } = this.settings;
    const told = [...messages];
    const names = choices.map((c) => c.name);
    let wrong = "";
    for (let k = 0; k < tries; k++) {
      const id = idOf(model, temperature, told);
      const recorded = this.transcript.take(id);
      const { text, asked, answered } = recorded ?? (await this.endpoint.ask(told));
      let action: string | null = null;
      try {
        action = readAnswer(names, text);
      } catch (e) {
        if (!(e instanceof KesselError)) throw e;
        wrong = e.message;
      }
      if (recorded === undefined)
        this.transcript.add({
          model,
          game: game.type.id,
          seat,
          id,
          messages: [...told],
          answer: text,
          asked,
          answered,
          action,
        });
      if (action !== null) return choices[names.indexOf(action)]!.action;
      told.push({ role: "assistant", content: text }, { role: "user", content: `${wrong}. Action: NUMBER` });
    }
    if (illegal === "error")
      throw new KesselError("bad-answer", `${model} named no legal action in ${tries}: ${wrong}`);
    return choices[this.rng.below(choices.length)]!.action;
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
  return new LlmAgent(`llm:${settings.model}`, game, seed, settings);
};
