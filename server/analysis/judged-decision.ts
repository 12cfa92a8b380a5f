import type { Game, State } from "../../env/index.js";
import type { Evaluator, JudgedAction, Judgement } from "./evaluator.js";
import { type Question, valuesOfActions } from "./lookahead.js";
import type { Step } from "./record.js";
import { seedOfKnown } from "./seat-seed.js";

/** Most actions of a decision that are looked at; further ones must be likelier than these. */
const MOST_ACTIONS = 12;

/** A decision with what was found of it, before it is written down. */
export interface Found {
  readonly step: Step;
  /** From 0. */
  readonly t: number;
  /** Null where the deciding seat's knowledge is not used. */
  readonly judged: Judgement | null;
  /** Likeliest first, with values where they were looked at; empty for forced decisions. */
  readonly actions: readonly JudgedAction[];
  /** Those that may be better than the one taken, the best first. */
  readonly rivals: readonly JudgedAction[];
  readonly loss: number | null;
}

/** Looks one step ahead at the decisions that were judged. */
export async function lookAt(
  game: Game,
  evaluator: Evaluator,
  steps: readonly Step[],
  judgements: ReadonlyMap<number, Judgement>,
  progress: (done: number) => void,
): Promise<Found[]> {
  const asked: { t: number; question: Question }[] = [];
  const known = steps.map((step, t) => {
    const judged = judgements.get(t) ?? null;
    const actions = judged === null || step.legal === 1 ? [] : likeliest(judged, step.action);
    const missing = actions.filter((a) => a.value === null).map((a) => a.action);
    if (missing.length > 0)
      asked.push({
        t,
        question: {
          state: step.before,
          actions: missing,
          samples: evaluator.effort.coarse,
          depth: 0,
          seed: seedOfKnown(game, step.before, step.actor, "actions"),
        },
      });
    return { step, t, judged, actions };
  });
  const answers = await valuesOfActions(
    game,
    evaluator,
    asked.map((a) => a.question),
    progress,
  );
  const means = new Map(asked.map(({ t }, i) => [t, new Map(answers[i]!.map((v) => [v.action, v.mean]))]));
  return known.map((f): Found => {
    const actions = f.actions.map((a) => ({ ...a, value: a.value ?? means.get(f.t)?.get(a.action) ?? null }));
    if (actions.length === 0) return { ...f, actions, rivals: [], loss: null };
    // a search knows best what it visited most: means of few visits say little
    const searched = f.judged!.actions.some((a) => a.value !== null);
    const valued = actions.filter((a) => a.value !== null);
    const ordered = searched ? valued : valued.toSorted((a, b) => b.value! - a.value!);
    const chosen = actions.find((a) => a.action === f.step.action)!;
    const rivals = ordered.filter((a) => a !== chosen);
    const best = ordered[0]!;
    return { ...f, actions, rivals, loss: Math.max(0, best.value! - chosen.value!) };
  });
}

/** Judges one position and looks one step ahead at its likeliest actions, and at `taken`. */
export async function lookAtOne(
  game: Game,
  evaluator: Evaluator,
  state: State,
  taken: number,
): Promise<{ readonly value: number; readonly actions: readonly JudgedAction[] }> {
  const [judged] = await evaluator.judge([state]);
  const { value, actions } = judged!;
  if (actions.length === 1) return { value, actions };
  const step = {
    before: state,
    after: state,
    actor: game.actor(state),
    action: taken,
    legal: actions.length,
    events: [],
  };
  const [found] = await lookAt(game, evaluator, [step], new Map([[0, judged!]]), () => undefined);
  return { value, actions: found!.actions };
}

/** The actions that are looked at: the likeliest, and the one that was taken. */
function likeliest({ actions }: Judgement, taken: number): JudgedAction[] {
  const sorted = [...actions].sort((a, b) => b.probability - a.probability || a.action - b.action);
  const list = sorted.slice(0, MOST_ACTIONS);
  if (!list.some((a) => a.action === taken))
    list.push(sorted.find((a) => a.action === taken) ?? { action: taken, probability: 0, value: null });
  return list;
}
