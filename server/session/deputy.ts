import type { Agent } from "../../agents/agent.js";
import { counted, listed } from "../../env/core/words.js";
import {
  type Choice,
  type Errand,
  type Game,
  orderRulesOf,
  stageNow,
  type Prompt,
  promptOf,
  type StateView,
  unitTitle,
} from "../../env/index.js";

/** What a player hands over: the rest of a phase or of a turn, or what some units do, one after another. */
export type HandedOver = "phase" | "turn" | readonly string[];

/** The errand that a decision begins or goes on with. */
const errandAt = (game: Game, kind: string): Errand | undefined =>
  orderRulesOf(game).errands.find((e) => e.choose === kind || e.go.includes(kind));

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Decides in the place of a person, from one decision of this player's on, until what was handed over is done. */
export class Deputy {
  /** Decisions that may still be taken before the person is asked whether it goes on. */
  granted = 0;
  /** Actions that it has taken, by name. */
  readonly actions: string[] = [];
  private readonly stage: string;
  private readonly errand: Errand | undefined;
  private readonly waiting: string[];
  /** A choice has ended what was handed over. */
  private ended = false;

  constructor(
    private readonly game: Game,
    s: StateView,
    readonly player: number,
    readonly agent: Agent,
    readonly who: string,
    private readonly what: HandedOver,
  ) {
    this.stage = stageNow(this.game, s, this.player, this.span);
    const prompt = promptOf(game, s, player);
    this.errand = typeof what === "string" ? undefined : errandAt(game, prompt.kind);
    this.waiting = typeof what === "string" ? [] : [...what];
    if (this.errand?.go.includes(prompt.kind) === true) this.waiting.shift(); // it is under way
  }

  private get span(): "phase" | "turn" {
    return this.what === "turn" ? "turn" : "phase";
  }

  /** `stalker plays this phase for you`. */
  get text(): string {
    const what =
      typeof this.what === "string" ? `this ${this.what}` : listed(this.what.map((u) => unitTitle(this.game, u)));
    return `${this.who} plays ${what} for you`;
  }

  /** True when the deputy is done at this decision of the player. */
  isOver(s: StateView): boolean {
    if (this.ended || stageNow(this.game, s, this.player, this.span) !== this.stage) return true;
    if (this.errand === undefined) return false;
    const prompt = promptOf(this.game, s, this.player);
    if (prompt.kind === this.errand.choose) return this.waitingIn(prompt) === undefined;
    return Object.values(orderRulesOf(this.game).phases).some((kinds) => kinds.includes(prompt.kind));
  }

  /** The action that names the next unit, or null where the agent is to choose. */
  takeUnit(s: StateView): number | null {
    if (this.errand === undefined) return null;
    const prompt = promptOf(this.game, s, this.player);
    if (prompt.kind !== this.errand.choose) return null;
    const choice = this.waitingIn(prompt);
    if (choice === undefined) return null;
    this.waiting.splice(0, 1 + this.waiting.findIndex((name) => sameName(name, choice.units[0]!)));
    return choice.action;
  }

  /** An action of the player's is carried out, one that is forced too. */
  note(action: number, choices: readonly Choice[]): void {
    const { name, ends } = choices.find((c) => c.action === action)!;
    this.actions.push(name);
    if (choices.length > 1) this.granted--;
    if (ends === "turn" || (ends === "phase" && this.what !== "turn")) this.ended = true;
  }

  /** What it did, in sentences. */
  get report(): string {
    const shown = this.actions.length > MOST_TOLD ? [...this.actions.slice(0, MOST_TOLD), "..."] : this.actions;
    const did =
      this.actions.length === 0 ? "nothing" : `${counted(this.actions.length, "action")}: ${shown.join(", ")}`;
    return `${this.who} did ${did}.`;
  }

  private waitingIn({ choices }: Prompt): Choice | undefined {
    for (const name of this.waiting) {
      const choice = choices.find((c) => c.units[0] !== undefined && sameName(c.units[0], name));
      if (choice !== undefined) return choice;
    }
    return undefined;
  }
}

/** Most actions that are listed by name. */
const MOST_TOLD = 12;
