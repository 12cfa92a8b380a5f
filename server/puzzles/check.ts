import { createHash } from "node:crypto";
import { canonical, type Game, type JsonObject, Rng, sampleFor, type State } from "../../env/index.js";
import type { Evaluator, Judgement } from "../analysis/evaluator.js";
import { type ActionValue, valuesOfActions } from "../analysis/lookahead.js";
import { type Interval, Z95 } from "../../training/report/stats.js";
import { type Candidate, mostRight } from "./candidates.js";
import type { Puzzle } from "./puzzle.js";

/** Worlds that are played out between two looks at the values. */
const ROUND = 64;
/** An action leaves the race when it is worse by this number of standard errors: there are many looks. */
const SURELY = 3;
/** Decisions to the end of any game. */
const TO_THE_END = 100_000;

/** How the first judge tries actions. */
export interface Trial {
  /** Worlds at most; actions that are surely worse are tried in fewer. */
  readonly worlds: number;
  /** Decisions that are played on, before what came is valued by the same net; null: to the end of the game. */
  readonly depth: number | null;
  /** Least margin of what is right over what is wrong, in return. */
  readonly least: number;
}

/** A candidate with what came of its actions, played out. */
export interface Weighed {
  readonly candidate: Candidate;
  /** All legal actions, the best first. */
  readonly values: readonly ActionValue[];
  /** As good as the best, as far as the playouts show; the best first. */
  readonly accepted: readonly number[];
  /** Of the best over the best of those that are worse. */
  readonly margin: number;
  readonly interval: Interval;
}

/**
 * Carries out each legal action in worlds that fit what its side knows, the same worlds for all, and has `playing` play
 * both sides on. Whatever is not worse by an interval above 0 is accepted.
 *
 * @returns null where the others aren't worse by `least`, or too many are accepted
 */
export async function weighed(
  game: Game,
  candidate: Candidate,
  playing: Evaluator,
  { worlds, depth, least }: Trial,
): Promise<Weighed | null> {
  const { state, actions } = candidate;
  const key = keyOf(game, state);
  const right = mostRight(actions.length);
  const values = new Map(actions.map((action): [number, number[]] => [action, []]));
  const valued = (): ActionValue[] =>
    [...values]
      .map(([action, list]) => ({ action, values: list, mean: list.reduce((a, b) => a + b, 0) / list.length }))
      .sort((a, b) => b.mean - a.mean);
  let open = actions;
  for (let done = 0; done < worlds; done += ROUND) {
    const samples = Math.min(ROUND, worlds - done);
    const question = { state, actions: open, samples, depth: depth ?? TO_THE_END, seed: `puzzle/${key}/${done}` };
    const [answer] = await valuesOfActions(game, playing, [question]);
    for (const { action, values: more } of answer!)
      values.get(action)!.push(...(more.length === samples ? more : Array<number>(samples).fill(more[0]!)));
    const [best, ...others] = valued().filter((v) => open.includes(v.action));
    const losses = others.map((v) => ({ action: v.action, ...behind(v, best!) }));
    open = [best!.action, ...losses.filter((l) => l.loss <= SURELY * l.error).map((l) => l.action)];
    // no puzzle where several are hardly worse, whatever comes
    if (losses.filter((l) => l.loss < least / 2).length >= right + (done < 2 * ROUND ? right : 0)) return null;
    if (open.length === 1) break;
  }
  const all = valued();
  const best = all.find((v) => v.action === open[0])!;
  const others = all.filter((v) => v !== best).map((v) => ({ ...v, ...behind(v, best) }));
  const alike = others.filter((o) => o.loss <= Z95 * o.error);
  const worse = others.filter((o) => o.loss > Z95 * o.error).sort((a, b) => a.loss - b.loss)[0];
  if (worse === undefined || worse.loss < least || alike.length + 1 > right) return null;
  return {
    candidate,
    values: [best, ...all.filter((v) => v !== best)],
    accepted: [best.action, ...alike.map((o) => o.action)],
    margin: worse.loss,
    interval: [worse.loss - Z95 * worse.error, worse.loss + Z95 * worse.error],
  };
}

/** How much worse an action is than the best in the worlds that both were tried in, and the standard error. */
function behind(value: ActionValue, best: ActionValue): { readonly loss: number; readonly error: number } {
  const n = Math.min(value.values.length, best.values.length);
  const differences = Array.from({ length: n }, (_, k) => best.values[k]! - value.values[k]!);
  const loss = differences.reduce((a, b) => a + b, 0) / n;
  const squares = differences.reduce((a, b) => a + (b - loss) ** 2, 0);
  return { loss, error: Math.sqrt(squares / Math.max(1, n - 1) / n) };
}

/**
 * True when another judge agrees: a search from what the side knows, with the values of a net and dice of its own.
 *
 * @returns the share of its visits that accepted actions have; null where it prefers another, or they have less than
 *   half
 */
export async function confirmed(check: Evaluator, { candidate, accepted }: Weighed): Promise<number | null> {
  const [{ actions }] = (await check.judge([candidate.state])) as [Judgement];
  const preferred = actions.reduce((a, b) => (b.probability > a.probability ? b : a));
  const visits = actions.reduce((sum, a) => sum + (accepted.includes(a.action) ? a.probability : 0), 0);
  return accepted.includes(preferred.action) && visits >= 0.5 ? visits : null;
}

/**
 * Key of a position: the same for all worlds that the side to decide can't tell apart. Of the options it has those that
 * are not the defaults: a game that gets new ones keeps its puzzles.
 */
export function keyOf(game: Game, state: State): string {
  const seat = game.actor(state);
  const view = Object.fromEntries(Object.entries(game.view(state, seat)).filter(([name]) => name !== "options"));
  const chosen = game.type.options
    .filter((o) => game.options[o.id] !== o.default)
    .map((o) => [o.id, game.options[o.id]!]);
  const known = [game.type.id, canonical(Object.fromEntries(chosen)), game.players[seat]!, canonical(view)];
  return createHash("sha256").update(known.join("\n")).digest("hex").slice(0, 16);
}

/** The position of a puzzle: hidden things are dealt again from what the side to decide knows. */
export function positionOf(game: Game, state: State): JsonObject {
  return game.write(sampleFor(game, state, game.actor(state), new Rng(`puzzle/${keyOf(game, state)}/position`)));
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4 + 0;
const bounded = (x: number): number => round(Math.max(-1, Math.min(1, x)));

/**
 * Writes a puzzle down.
 *
 * @param visits share of the checking search's
 * @param solvers levels' nets, by name
 */
export async function puzzleOf(
  game: Game,
  { candidate: { state, kind }, values, accepted, margin, interval }: Weighed,
  visits: number,
  solvers: ReadonlyMap<string, Evaluator>,
): Promise<Puzzle> {
  return {
    id: keyOf(game, state),
    side: game.players[game.actor(state)]!,
    kind,
    options: { ...game.options },
    position: positionOf(game, state),
    best: game.actions[accepted[0]!]!,
    accepted: accepted.map((a) => game.actions[a]!),
    margin: round(margin),
    interval: [round(interval[0]), round(interval[1])],
    values: Object.fromEntries(values.map((v) => [game.actions[v.action]!, bounded(v.mean)])),
    visits: round(visits),
    solvedBy: await solversOf(game, state, accepted, solvers),
  };
}

/** How often each level's net, and anybody at random, takes an accepted action. */
export async function solversOf(
  game: Game,
  state: State,
  accepted: readonly number[],
  solvers: ReadonlyMap<string, Evaluator>,
): Promise<Record<string, number>> {
  const mask = new Uint8Array(game.actions.length);
  const solvedBy: Record<string, number> = {};
  for (const [name, net] of solvers) {
    const [{ actions }] = (await net.judge([state])) as [Judgement];
    solvedBy[name] = round(actions.reduce((sum, a) => sum + (accepted.includes(a.action) ? a.probability : 0), 0));
  }
  solvedBy["random"] = round(accepted.length / game.legalMask(state, mask, 0));
  return solvedBy;
}
