import { createHash } from "node:crypto";
import { canonical, type Game, type JsonObject, Rng, sampleFor, type State } from "../../env/index.js";
import type { Evaluator, Judgement } from "../analysis/evaluator.js";
import { type ActionValue, lossOf, valuesOfActions } from "../analysis/lookahead.js";
import type { Candidate } from "./candidates.js";
import type { Puzzle } from "./puzzle.js";

/** Actions of a candidate that are looked at. */
const LOOKED_AT = 8;

/** A candidate with what a search expects of its actions. */
export interface Weighed {
  readonly candidate: Candidate;
  /** The best first. */
  readonly values: readonly ActionValue[];
  readonly margin: number;
  readonly interval: readonly [number, number];
}

/**
 * Carries out the actions of a candidate in worlds that fit what its side knows, the same worlds and throws for all, and lets
 * a search value what came.
 *
 * @returns null where no action stands out by `least`
 */
export async function weighed(
  game: Game,
  candidate: Candidate,
  search: Evaluator,
  worlds: number,
  least: number,
): Promise<Weighed | null> {
  const { state, actions } = candidate;
  const seed = `puzzle/${keyOf(game, state)}`;
  const question = { state, actions: actions.slice(0, LOOKED_AT), samples: worlds, depth: 0, seed };
  const [answer] = await valuesOfActions(game, search, [question]);
  const values = answer!.toSorted((a, b) => b.mean - a.mean);
  const { loss: margin, interval } = lossOf(values[1]!, values[0]!);
  return margin >= least && interval[0] > 0 ? { candidate, values, margin, interval } : null;
}

/** Does a stronger search take the same action? @returns the share of its visits, or null where it takes another */
export async function confirmed(check: Evaluator, { candidate, values }: Weighed): Promise<number | null> {
  const [{ actions }] = (await check.judge([candidate.state])) as [Judgement];
  const preferred = actions.reduce((a, b) => (b.probability > a.probability ? b : a));
  return preferred.action === values[0]!.action ? preferred.probability : null;
}

/**
 * Key of a position: the same for all worlds that the side to decide can't tell apart. Of the options it has those that are not
 * the defaults: a game that gets new ones keeps its puzzles.
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

/** The position of a puzzle: hidden things are dealt anew from what the side to decide knows. */
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
  { candidate: { state }, values, margin, interval }: Weighed,
  visits: number,
  solvers: ReadonlyMap<string, Evaluator>,
): Promise<Puzzle> {
  const best = values[0]!.action;
  return {
    id: keyOf(game, state),
    side: game.players[game.actor(state)]!,
    options: { ...game.options },
    position: positionOf(game, state),
    best: game.actions[best]!,
    margin: round(margin),
    interval: [round(interval[0]), round(interval[1])],
    values: Object.fromEntries(values.map((v) => [game.actions[v.action]!, bounded(v.mean)])),
    visits: round(visits),
    solvedBy: await solversOf(game, state, best, solvers),
  };
}

/** How often each level's net, and anybody at random, takes the best action. */
export async function solversOf(
  game: Game,
  state: State,
  best: number,
  solvers: ReadonlyMap<string, Evaluator>,
): Promise<Record<string, number>> {
  const mask = new Uint8Array(game.actions.length);
  const solvedBy: Record<string, number> = {};
  for (const [name, net] of solvers) {
    const [{ actions }] = (await net.judge([state])) as [Judgement];
    solvedBy[name] = round(actions.find((a) => a.action === best)!.probability);
  }
  solvedBy["random"] = round(1 / game.legalMask(state, mask, 0));
  return solvedBy;
}
