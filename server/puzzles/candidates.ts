import { type Game, promptOf, type State } from "../../env/index.js";
import type { Evaluator } from "../analysis/evaluator.js";
import { lookAt } from "../analysis/found.js";
import { lossOf, valuesOfActions } from "../analysis/lookahead.js";
import type { GameRecord } from "../analysis/record.js";

/** A decision of a recorded game that may make a puzzle. */
export interface Candidate {
  readonly state: State;
  /** Actions by what the net expects of them, the best first. */
  readonly actions: readonly number[];
  /** What the best seems to be worth more than the next; when it was looked at again, at least. */
  readonly gap: number;
  /** Record and decision. */
  readonly record: number;
  readonly t: number;
  /** What is decided, as the prompt calls it. */
  readonly kind: string;
}

/** Fewest legal actions: of two, one is guessed half of the time. */
const FEWEST = 3;
/** Decisions between two puzzles of one game, and puzzles of one game. */
const APART = 12;
const EACH_GAME = 2;
/** Candidates, at least, that the net looks at again, each with so many actions in so many worlds: most wide gaps of a first look are noise. */
const AGAIN = 800;
const [AGAIN_ACTIONS, AGAIN_WORLDS] = [4, 64];
/**
 * Shares of candidates with the same answer, at least so many, and of one kind: variety is worth more than the widest
 * margins.
 */
const [SAME_ANSWER, FEW] = [0.02, 4];
const SAME_KIND = 0.4;

/** Decisions in which the net sees one action stand out, of one game. */
export async function candidatesOf(
  { game, steps }: GameRecord,
  record: number,
  evaluator: Evaluator,
  least: number,
): Promise<Candidate[]> {
  const open = steps.flatMap((step, t) => (step.legal >= FEWEST ? [t] : []));
  const judged = await evaluator.judge(open.map((t) => steps[t]!.before));
  const found = await lookAt(game, evaluator, steps, new Map(open.map((t, i) => [t, judged[i]!])), () => undefined);
  return found.flatMap(({ step, t, actions }): Candidate[] => {
    const valued = actions.filter((a) => a.value !== null).sort((a, b) => b.value! - a.value!);
    if (valued.length < 2) return [];
    const gap = valued[0]!.value! - valued[1]!.value!;
    if (gap < least) return [];
    const { kind } = promptOf(game, step.before, step.actor);
    return [{ state: step.before, actions: valued.map((a) => a.action), gap, record, t, kind }];
  });
}

/** Looks at the widest gaps again, in other and more worlds: those that stay, with what the gap is at least. */
export async function sharpened(
  game: Game,
  all: readonly Candidate[],
  evaluator: Evaluator,
  { least, looked }: { readonly least: number; readonly looked: number },
): Promise<Candidate[]> {
  const widest = [...all].sort((a, b) => b.gap - a.gap).slice(0, Math.max(AGAIN, 4 * looked));
  const answers = await valuesOfActions(
    game,
    evaluator,
    widest.map(({ state, actions, record, t }) => ({
      state,
      actions: actions.slice(0, AGAIN_ACTIONS),
      samples: AGAIN_WORLDS,
      depth: 0,
      seed: `puzzle/${record}/${t}`,
    })),
  );
  return widest.flatMap((c, i): Candidate[] => {
    const [best, next, ...others] = answers[i]!.toSorted((a, b) => b.mean - a.mean);
    const { loss, interval } = lossOf(next!, best!);
    if (loss < least || interval[0] <= 0) return [];
    const looked = [best!, next!, ...others].map((v) => v.action);
    return [{ ...c, gap: interval[0], actions: [...looked, ...c.actions.filter((a) => !looked.includes(a))] }];
  });
}

/** The candidates that are looked at closely: the widest gaps, from many games, of many kinds. */
export function chosenOf(game: Game, all: readonly Candidate[], most: number): Candidate[] {
  const chosen: Candidate[] = [];
  const kindOf = (c: Candidate): string => `${game.actor(c.state)} ${c.kind}`;
  const rest = [...all].sort((a, b) => b.gap - a.gap || a.record - b.record || a.t - b.t);
  const fits = (c: Candidate): boolean => {
    const near = chosen.filter((o) => o.record === c.record);
    return (
      near.length < EACH_GAME &&
      near.every((o) => Math.abs(o.t - c.t) >= APART) &&
      chosen.filter((o) => kindOf(o) === kindOf(c) && o.actions[0] === c.actions[0]).length <
        Math.max(FEW, SAME_ANSWER * most) &&
      chosen.filter((o) => kindOf(o) === kindOf(c)).length < Math.max(2, SAME_KIND * most)
    );
  };
  for (const c of rest) if (chosen.length < most && fits(c)) chosen.push(c);
  return chosen;
}
