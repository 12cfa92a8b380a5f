import { EVERYTHING, type Game } from "../../env/index.js";
import type { Found } from "./judged-decision.js";
import type { Blunder, TurningPoint } from "./document.js";
import type { Evaluator } from "./evaluator.js";
import { choiceText, explainChoice, explainOutcome } from "./explain.js";
import { lossOf, valuesOfActions } from "./lookahead.js";
import type { GameRecord } from "./record.js";
import { seedOfKnown } from "./seat-seed.js";

/** For each decision that is listed, so many that seem bad are looked at again. */
const SUSPECTS = 3;
/** Actions of such a decision that may turn out best. */
const RIVALS = 2;
/** Least loss that is listed. */
const LEAST_LOSS = 0.01;

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

/**
 * The decisions that cost most. Those that seem bad are looked at again in worlds of their own, with more of them: the
 * worst of many rough estimates looks worse than it is.
 *
 * @param found decisions of one side
 */
export async function worstOf(
  game: Game,
  evaluator: Evaluator,
  found: readonly Found[],
  many: number,
): Promise<Blunder[]> {
  const suspects = found
    .filter((f) => f.loss! > 0)
    .sort((a, b) => b.loss! - a.loss!)
    .slice(0, SUSPECTS * many);
  const rivals = suspects.map((f) => f.rivals.slice(0, RIVALS).map((a) => a.action));
  const answers = await valuesOfActions(
    game,
    evaluator,
    suspects.map(({ step }, i) => ({
      state: step.before,
      actions: [step.action, ...rivals[i]!],
      samples: evaluator.effort.fine,
      depth: evaluator.effort.depth,
      seed: seedOfKnown(game, step.before, step.actor, "again"),
    })),
  );
  return suspects
    .map((f, i) => {
      const [chosen, ...others] = answers[i]!;
      const best = others.reduce((a, b) => (b.mean > a.mean ? b : a));
      return { f, best: best.action, ...lossOf(chosen!, best) };
    })
    .filter(({ loss, interval }) => loss >= LEAST_LOSS && interval[0] > 0)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, many)
    .map(({ f, best, loss, interval }): Blunder => {
      const { before, action, actor } = f.step;
      return {
        number: f.t + 1,
        by: game.players[actor]!,
        action: game.actions[action]!,
        best: game.actions[best]!,
        text: choiceText(game, before, actor, action),
        bestText: choiceText(game, before, actor, best),
        value: round(f.judged!.value),
        loss: round(loss),
        interval: [round(interval[0]), round(interval[1])],
        why: explainChoice(game, before, action, best),
      };
    });
}

/** Decisions nearer to each other than this are one turning point. */
const APART = 2;
/** Least change that is listed. */
const LEAST_SWING = 0.1;
/**
 * Where the expected return changed most.
 *
 * @param curve expected return of player 0 before each decision and after the last
 * @param luck part of each change that dice made; null where it is not known
 * @param found what was found of each decision
 */
export function turningPointsOf(
  record: GameRecord,
  seat: number | null,
  curve: readonly number[],
  luck: Float64Array | null,
  found: readonly Found[],
  many: number,
): TurningPoint[] {
  const { game, steps } = record;
  const sign = seat === null || seat === 0 ? 1 : -1;
  const change = (t: number): number => curve[t + 1]! - curve[t]!;
  const chosen: number[] = [];
  const bySize = [...steps.keys()].sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
  for (const t of bySize) {
    if (chosen.length === many || Math.abs(change(t)) < LEAST_SWING) break;
    if (chosen.every((u) => Math.abs(t - u) > APART)) chosen.push(t);
  }
  return chosen
    .sort((a, b) => a - b)
    .map((t): TurningPoint => {
      const { before, action, actor, events } = steps[t]!;
      const loss = found[t]!.loss ?? 0;
      const mayAsk = seat === null || seat === actor;
      return {
        number: t + 1,
        by: game.players[actor]!,
        text: events.map((e) => e.text).join(" ") || (mayAsk ? game.actions[action]! : "something unseen"),
        before: round(sign * curve[t]!),
        after: round(sign * curve[t + 1]!),
        dice: luck === null ? null : round(sign * luck[t]!),
        choice: round(sign * (actor === 0 ? -loss : loss)) + 0,
        why: mayAsk ? explainOutcome(game, before, seat ?? EVERYTHING, action, events) : "",
      };
    });
}
