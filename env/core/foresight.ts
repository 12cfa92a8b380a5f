import { createHash } from "node:crypto";
import { canonical } from "./describe.js";
import { type Dice, SeededDice } from "./dice/dice.js";
import { EnumeratingDice } from "./dice/enumerating-dice.js";
import { Rng } from "./dice/rng.js";
import { type Game, NOBODY, type Viewer } from "./game.js";
import { newState, type State, type StateView } from "./layout.js";
import { type Choice, EventLog, type Prompt } from "./narration.js";
import { summed } from "./odds-tally.js";
import { orderRulesOf } from "./orders/order.js";
import { promptOf } from "./prompts.js";

/** What an action leads to when both sides do no more than they must, or what `presumes` says. */
export interface Foreseen {
  /** Most likely first; probabilities sum to 1. Outcomes as those of odds. */
  readonly results: readonly { readonly outcomes: readonly string[]; readonly probability: number }[];
  /** Each single outcome with the chance that it is among those that happen, most likely first. */
  readonly each: readonly { readonly outcome: string; readonly probability: number }[];
  /** True when every way that the dice can fall was looked at; otherwise `count` samples. */
  readonly exact: boolean;
  readonly count: number;
  /** What is presumed of decisions that follow, in words. */
  readonly presumes: string;
}

/** Ways in which the dice may fall for what is foreseen to be exact, and samples where they may fall in more. */
const [EXACT_WAYS, SAMPLES] = [200, 60];
/** Decisions that are looked ahead at most. */
const MOST_STEPS = 60;

const TOO_MANY = new Error("the dice can fall in too many ways");

/**
 * What a legal action of the actor leads to after all that must follow: decisions that follow are answered as
 * `OrderRules.foresight` says, otherwise by the choice that does nothing, until the turn ends, the same question is
 * asked about the same place again, or a decision has no such answer. As far as `viewer` can know: the same in all
 * worlds that the viewer can't tell apart.
 *
 * @param viewer the actor
 * @returns null where the game doesn't look ahead from such a decision, or nothing worth a word happens
 */
export function foresee(game: Game, s: StateView, viewer: Viewer, action: number): Foreseen | null {
  const { kind, choices } = promptOf(game, s, viewer);
  const choice = choices.find((c) => c.action === action);
  if (choice === undefined || !orderRulesOf(game).foresight.from.includes(kind)) return null;
  const ahead = new LookAhead(game, viewer, choice);
  const known = canonical(game.view(s, viewer));
  const found = (known === canonical(game.write(s)) ? ahead.enumerate(s) : null) ?? ahead.sample(s, known);
  return found.results.every((r) => r.outcomes.length === 0) ? null : found;
}

class LookAhead {
  private readonly weights = new Map<string, number>();
  private readonly log: EventLog;
  private readonly work: State;

  constructor(
    private readonly game: Game,
    private readonly viewer: Viewer,
    private readonly choice: Choice,
  ) {
    this.log = new EventLog([viewer]);
    this.work = newState(game.stateSize);
  }

  /** Null when the dice can fall in too many ways. */
  enumerate(s: StateView): Foreseen | null {
    const dice = new EnumeratingDice();
    let count = 0;
    try {
      dice.walk(
        () => {
          if (++count > EXACT_WAYS) throw TOO_MANY;
          this.work.set(s as ArrayLike<number>);
          this.work.fill(0, 0, 4); // no rule reads the stream but through dice
          this.carryOut(dice);
        },
        (p) => this.add(p),
      );
    } catch (e) {
      if (e !== TOO_MANY) throw e;
      this.weights.clear();
      this.log.clear();
      return null;
    }
    return this.found(true, count);
  }

  /** @param known what the viewer knows, in canonical JSON */
  sample(s: StateView, known: string): Foreseen {
    const { game, viewer, work } = this;
    const seed = createHash("sha256").update(`foresight\n${this.choice.name}\n${known}`).digest("hex");
    const rng = new Rng(seed);
    const dice = new SeededDice();
    for (let k = 0; k < SAMPLES; k++) {
      game.resample(s, viewer, work, rng);
      this.carryOut(dice);
      this.add(1 / SAMPLES);
    }
    return this.found(false, SAMPLES);
  }

  private found(exact: boolean, count: number): Foreseen {
    const results = [...this.weights]
      .map(([key, probability]) => ({ outcomes: JSON.parse(key) as string[], probability: Math.min(1, probability) }))
      .sort((a, b) => b.probability - a.probability || (a.outcomes.join() < b.outcomes.join() ? -1 : 1));
    const each = new Map<string, number>();
    for (const r of results) for (const o of new Set(r.outcomes)) each.set(o, (each.get(o) ?? 0) + r.probability);
    return {
      results,
      each: [...each]
        .map(([outcome, probability]) => ({ outcome, probability: Math.min(1, probability) }))
        .sort((a, b) => b.probability - a.probability || (a.outcome < b.outcome ? -1 : 1)),
      exact,
      count,
      presumes: orderRulesOf(this.game).foresight.presumes ?? "if both sides do no more than they must",
    };
  }

  /** Outcomes where the choice is about, or anywhere when it is about no place. */
  private add(weight: number): void {
    const { places } = this.choice;
    const { silent } = orderRulesOf(this.game).foresight;
    const events = this.log
      .take(this.viewer)
      .filter((e) => !silent.includes(e.what))
      .filter((e) => places.length === 0 || e.places === undefined || e.places.some((p) => places.includes(p)));
    const key = JSON.stringify(summed(events));
    this.weights.set(key, (this.weights.get(key) ?? 0) + weight);
  }

  private carryOut(dice: Dice): void {
    const { game, work, log } = this;
    const asked = new Set<string>();
    dice.begin(work);
    game.apply(work, this.choice.action, dice, log);
    if (this.choice.ends === "turn") return;
    for (let n = 0; n < MOST_STEPS; n++) {
      const actor = game.actor(work);
      if (actor === NOBODY) return;
      const prompt = promptOf(game, work, actor);
      const answer = this.answerTo(prompt, asked);
      if (answer === null) return;
      game.apply(work, answer.action, dice, log);
      if (answer.ends === "turn") return;
    }
  }

  /** @param asked kinds that were answered about the place of the choice */
  private answerTo({ kind, choices }: Prompt, asked: Set<string>): Choice | null {
    const { foresight, declines } = orderRulesOf(this.game);
    const { places } = this.choice;
    if (choices.length === 1) return choices[0]!;
    const named = foresight.answers[kind] ?? null;
    if (named?.length === 0) return null;
    for (const name of named ?? []) {
      if (name === "*") return choices[0]!;
      if (name === "@") {
        const about = choices.find((c) => c.places.some((p) => places.includes(p)));
        if (about === undefined) continue;
        if (asked.has(kind)) return null;
        asked.add(kind);
        return about;
      }
      const one = choices.find((c) => c.name === name);
      if (one !== undefined) return one;
    }
    return choices.find((c) => declines.includes(c.name)) ?? null;
  }
}
