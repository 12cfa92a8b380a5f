import { EVERYTHING, type Game, InvariantError, NOBODY, Rng, newState, type State } from "../../env/index.js";
import type { Alternative, Analysis, BySide, DecisionAnalysis, SideSummary } from "./document.js";
import type { Evaluator, Judgement } from "./evaluator.js";
import { type Found, lookAt } from "./judged-decision.js";
import { knowsAll, luckOfSteps } from "./lookahead.js";
import type { GameRecord } from "./record.js";
import { turningPointsOf, worstOf } from "./verdicts.js";
import { seedOfKnown } from "./seat-seed.js";

export interface AnalyseOptions {
  /**
   * Analyse from this player's knowledge alone, and its decisions only; null: both sides, with everything that is known
   * now.
   */
  readonly seat: number | null;
  /** Decisions listed as the worst of each side, and turning points. */
  readonly worst: number;
  /** Parts of the work done. */
  readonly progress?: (done: number, all: number) => void;
}

/**
 * Analyses a recorded game: what each side expected before each decision, how much of it was luck, what its choices
 * cost, which were the worst, and where the game turned.
 *
 * @param record with the events of the seat's viewer, if `seat` is given
 */
export async function analyse(record: GameRecord, evaluator: Evaluator, options: AnalyseOptions): Promise<Analysis> {
  const { game, steps } = record;
  const { seat } = options;
  if (record.viewer !== (seat ?? EVERYTHING)) throw new InvariantError("the record was made for another viewer");
  const stage = stages(options.progress, 4 * steps.length + 1);
  const eyes = seat === null ? [...game.players.keys()] : [seat];
  const used = (actor: number): boolean => eyes.includes(actor);

  // where a side gave up the last position is valued as it stood: that it was given up was no choice of the last
  // decision
  const goesOn = !record.over || record.resigned;
  const open = steps.length > 0 && goesOn ? [...steps.map((s) => s.before), steps.at(-1)!.after] : null;
  const states = open ?? (steps.length === 0 ? [record.start] : steps.map((s) => s.before));
  const own = states.flatMap((s, t) => (used(game.actor(s)) ? [{ s, t }] : []));
  const judgements = new Map<number, Judgement>();
  (
    await evaluator.judge(
      own.map(({ s }) => s),
      stage,
    )
  ).forEach((j, i) => judgements.set(own[i]!.t, j));
  stage(steps.length);
  const values = await valuesOfSeats(game, evaluator, states, judgements, eyes, stage.next());
  const tellsLuck = seat === null || steps.every((s) => knowsAll(game, s.before, seat));
  const luck = tellsLuck ? await luckOfSteps(game, evaluator, steps, "analysis/luck", stage.next()) : null;
  const found = await lookAt(game, evaluator, steps, judgements, stage.next());
  const last = goesOn ? values.at(-1)! : record.returns!;
  const curve = [...values.slice(0, steps.length), last];

  const names = (v: readonly number[]): BySide => Object.fromEntries(eyes.map((p) => [game.players[p]!, round(v[p]!)]));
  const sides: SideSummary[] = [];
  for (const p of eyes) {
    const ofSide = found.filter((f) => f.step.actor === p && f.loss !== null);
    const sum = luck?.reduce((a, b) => a + b, 0) ?? null;
    sides.push({
      side: game.players[p]!,
      decisions: ofSide.length,
      loss: round(ofSide.reduce((n, f) => n + f.loss!, 0)),
      luck: sum === null ? null : round(p === 0 ? sum : -sum),
      worst: await worstOf(game, evaluator, ofSide, options.worst),
    });
  }
  const mean = curve.map((v) => eyes.reduce((n, p) => n + (p === 0 ? v[p]! : -v[p]!), 0) / eyes.length);
  const turningPoints = turningPointsOf(record, seat, mean, luck, found, options.worst);
  stage.done();
  return {
    format: 1,
    game: game.type.id,
    title: game.type.title,
    version: game.type.version,
    options: game.options,
    evaluator: evaluator.name,
    knowledge: seat === null ? "everything" : game.players[seat]!,
    players: game.players,
    agents: record.replay.agents ?? {},
    over: record.over,
    returns: record.returns === null ? null : names(record.returns),
    decisions: found.map((f) => written(game, f, seat, names(curve[f.t]!), luck)),
    end: names(record.returns ?? last),
    sides,
    turningPoints,
  };
}

function written(
  game: Game,
  { step, t, actions, loss }: Found,
  seat: number | null,
  value: BySide,
  luck: Float64Array | null,
): DecisionAnalysis {
  const name = (a: number): string => game.actions[a]!;
  return {
    number: t + 1,
    by: game.players[step.actor]!,
    action:
      seat === null || seat === step.actor
        ? name(step.action)
        : game.describeFor(step.before, step.action, step.after, seat),
    forced: step.legal === 1,
    value,
    luck: luck === null ? null : round(luck[t]!),
    alternatives: actions.map((a): Alternative => ({
      action: name(a.action),
      probability: round(a.probability),
      value: a.value === null ? null : round(a.value),
    })),
    loss: loss === null ? null : round(loss),
  };
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

/**
 * What each seat of `eyes` expects in each state: the deciding seat by the evaluator, another one as the mean over
 * worlds that fit what it knows of what the deciding seat would expect there.
 */
async function valuesOfSeats(
  game: Game,
  evaluator: Evaluator,
  states: readonly State[],
  judgements: ReadonlyMap<number, Judgement>,
  eyes: readonly number[],
  progress: (done: number) => void,
): Promise<number[][]> {
  const players = game.players.length;
  const into = new Float64Array(states.length * players);
  const sums = evaluator.sums(into);
  const { worlds } = evaluator.effort;
  const work = newState(game.stateSize);
  for (const [t, s] of states.entries()) {
    const actor = game.actor(s);
    if (actor === NOBODY) continue;
    for (const p of eyes) {
      const at = t * players + p;
      const own = judgements.get(t);
      // the value of player 0 is summed, whoever asks
      if (own !== undefined && (p === actor || knowsAll(game, s, p))) {
        into[at] = actor === 0 ? own.value : -own.value;
        continue;
      }
      const rng = new Rng(seedOfKnown(game, s, p, "value"));
      for (let k = 0; k < worlds; k++) {
        game.resample(s, p, work, rng);
        await sums.add(work, at, 1 / worlds);
      }
    }
    progress(t);
  }
  await sums.flush();
  return states.map((_, t) =>
    Array.from({ length: players }, (_, p) => (p === 0 ? 1 : -1) * Math.max(-1, Math.min(1, into[t * players + p]!))),
  );
}

/** Counts work that is done in stages of equal length. */
function stages(progress: AnalyseOptions["progress"], all: number) {
  const each = (all - 1) / 4;
  let before = 0;
  const report = (done: number): void => progress?.(Math.min(all - 1, Math.round(before + Math.min(each, done))), all);
  return Object.assign(report, {
    /** Begins the next stage. */
    next: () => {
      before += each;
      return report;
    },
    done: () => progress?.(all, all),
  });
}
