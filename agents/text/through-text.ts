import { type Game, InvariantError, type Seed } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { readAnswer } from "./answer.js";
import { Briefings } from "./briefing.js";

/** How often answers were read, and how many of them named no legal action. */
export interface AnswerCount {
  answers: number;
  illegal: number;
}

/**
 * An agent that plays as a language model does: each of its choices is written as an answer to the decision's text, by
 * number or by name in turn, and read back. It chooses exactly what the agent itself would.
 */
export class ThroughText implements Agent {
  readonly count: AnswerCount = { answers: 0, illegal: 0 };
  readonly players?: readonly number[];
  private readonly briefings: Briefings;

  constructor(
    readonly name: string,
    private readonly inner: Agent,
    game: Game,
    seed: Seed,
  ) {
    this.briefings = new Briefings(game, seed, "none");
    if (inner.players !== undefined) this.players = inner.players;
  }

  /** @throws InvariantError when the text does not offer what the agent chose */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    await this.inner.act(decisions, out);
    for (let i = 0; i < decisions.size; i++) {
      const { choices, texts } = this.briefings.of(decisions, i);
      if (texts === null) continue;
      const names = choices.map((c) => c.name);
      const answer = this.written(names, decisions.game.actions[out[i]!]!, texts[1]);
      this.count.answers++;
      out[i] = choices[names.indexOf(readAnswer(names, answer))]!.action;
    }
  }

  private written(names: readonly string[], chosen: string, text: string): string {
    const number = names.indexOf(chosen) + 1;
    const list = text.slice(text.lastIndexOf("Legal actions")).replaceAll("\u00a0", " ");
    const line = new RegExp(`^ *${number} .*$`, "m").exec(list);
    const numbered = line?.[0].includes(chosen) === true;
    const family = `${chosen.slice(0, chosen.lastIndexOf(" "))} X`;
    if (number === 0 || !(numbered || list.includes(family)))
      throw new InvariantError(`${this.name}: the text offers no ${chosen}`);
    return numbered && this.count.answers % 2 === 0
      ? `Action: ${number}`
      : `I have thought about it.\n\n**Move:** ${chosen}`;
  }

  close(): void | Promise<void> {
    return this.inner.close?.();
  }
}
