import { type Game, promptOf, Rng, type State } from "../../env/index.js";
import type { Evaluator } from "../analysis/evaluator.js";
import { valuesOfActions } from "../analysis/lookahead.js";
import type { GameRecord, Step } from "../analysis/record.js";

/** A decision of a recorded game that may make a puzzle. */
export interface Candidate {
  readonly state: State;
  /** All legal actions. */
  readonly actions: readonly number[];
  /** What the good ones seem to be worth more than the others; when it was looked at again, again. */
  readonly gap: number;
  /** The action that seems best. */
  readonly best: number;
  /** Record and decision. */
  readonly record: number;
  readonly t: number;
  /** What is decided, as the prompt calls it. */
  readonly kind: string;
}

/** Legal actions: of two, one is guessed half of the time; all of them are judged, so there can't be many. */
export const [FEWEST, MOST] = [3, 16];
/** Most of the legal actions that may be right. */
export const mostRight = (legal: number): number => Math.max(1, Math.floor(legal / 3));
/** Decisions of a game that are looked at, and worlds of each action. */
const EACH_RECORD = 30;
const FIRST_WORLDS = 8;
/** Decisions between two puzzles of one game, and puzzles of one game. */
const APART = 12;
const EACH_GAME = 2;
/** Fewest candidates that the net looks at again in more worlds: most wide gaps of a first look are noise. */
const AGAIN = 800;
const AGAIN_WORLDS = 64;
/** Limits of candidates with the same answer, and of one kind: higher than a book's, as not all hold. */
const [SAME_ANSWER, FEW] = [0.006, 4];
const SAME_KIND = 0.3;

/** The widest step down in the values of the best actions. */
export function gapOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => b - a);
  const steps = sorted.slice(0, mostRight(sorted.length)).map((v, i) => v - sorted[i + 1]!);
  return Math.max(...steps);
}

function legalOf(game: Game, s: State): number[] {
  const mask = new Uint8Array(game.actions.length);
  game.legalMask(s, mask, 0);
  return [...mask.keys()].filter((a) => mask[a] === 1);
}

/** Decisions of one game in which a net sees few actions far ahead of the others. */
export async function candidatesOf(
  { game, steps }: GameRecord,
  record: number,
  evaluator: Evaluator,
  least: number,
): Promise<Candidate[]> {
  const all = steps.flatMap((step, t) => (step.legal >= FEWEST && step.legal <= MOST ? [{ step, t }] : []));
  const rng = new Rng(`puzzles/${record}`);
  const open: { readonly step: Step; readonly t: number }[] = [];
  while (all.length > 0 && open.length < EACH_RECORD) open.push(all.splice(rng.below(all.length), 1)[0]!);
  const found = open
    .sort((a, b) => a.t - b.t)
    .map(({ step: { before }, t }): Candidate => ({
      state: before,
      actions: legalOf(game, before),
      gap: 0,
      best: -1,
      record,
      t,
      kind: promptOf(game, before, game.actor(before)).kind,
    }));
  return looked(game, found, evaluator, least, FIRST_WORLDS);
}

/** Looks at the widest gaps again, in other and more worlds: those that stay. */
export function sharpened(
  game: Game,
  all: readonly Candidate[],
  evaluator: Evaluator,
  { least, looked: wanted }: { readonly least: number; readonly looked: number },
): Promise<Candidate[]> {
  const widest = [...all].sort((a, b) => b.gap - a.gap).slice(0, Math.max(AGAIN, 4 * wanted));
  return looked(game, widest, evaluator, least, AGAIN_WORLDS);
}

async function looked(
  game: Game,
  candidates: readonly Candidate[],
  evaluator: Evaluator,
  least: number,
  samples: number,
): Promise<Candidate[]> {
  const answers = await valuesOfActions(
    game,
    evaluator,
    candidates.map(({ state, actions, record, t }) => ({
      state,
      actions,
      samples,
      depth: 0,
      seed: `puzzle/${record}/${t}/${samples}`,
    })),
  );
  return candidates.flatMap((c, i): Candidate[] => {
    const values = answers[i]!;
    const gap = gapOf(values.map((v) => v.mean));
    const best = values.reduce((a, b) => (b.mean > a.mean ? b : a)).action;
    return gap < least ? [] : [{ ...c, gap, best }];
  });
}

/** The candidates that are judged: the widest gaps, from many games, of many kinds. */
export function chosenOf(game: Game, all: readonly Candidate[], most: number): Candidate[] {
  const chosen: Candidate[] = [];
  const kindOf = (c: Candidate): string => `${game.actor(c.state)} ${c.kind}`;
  const rest = [...all].sort((a, b) => b.gap - a.gap || a.record - b.record || a.t - b.t);
  const fits = (c: Candidate): boolean => {
    const near = chosen.filter((o) => o.record === c.record);
    return (
      near.length < EACH_GAME &&
      near.every((o) => Math.abs(o.t - c.t) >= APART) &&
      chosen.filter((o) => kindOf(o) === kindOf(c) && o.best === c.best).length < Math.max(FEW, SAME_ANSWER * most) &&
      chosen.filter((o) => kindOf(o) === kindOf(c)).length < Math.max(2, SAME_KIND * most)
    );
  };
  for (const c of rest) if (chosen.length < most && fits(c)) chosen.push(c);
  return chosen;
}
