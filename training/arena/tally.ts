import { type Game, type Options, schemaHash } from "../../env/index.js";
import type { Match } from "./matches.js";
import type { ChunkResult, GameResult } from "./chunk.js";
import { adjust, type Adjusted } from "./control-variate.js";
import { bradleyTerry, isConnected, type Interval, meanInterval, type Meeting, wilson } from "../report/stats.js";

/** Games of one agent in one seat, or over several. */
export interface Tally {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** Wins and half the draws, as a share of the games, with Wilson's 95 % interval. */
  readonly score: number;
  readonly interval: Interval;
  readonly meanReturn: number;
  readonly meanReturnInterval: Interval;
}

export interface PairResult {
  /** Indices into `agents`. */
  readonly a: number;
  readonly b: number;
  /** All games, as `a` sees them, and those with `a` in the first and in the second seat. */
  readonly total: Tally;
  readonly seats: readonly [Tally, Tally];
  readonly meanDecisions: number;
  /**
   * Variance of the score of a seed (both seatings) over that of two independent games. Below 1, common dice made the
   * comparison more precise. Null when it cannot be estimated.
   */
  readonly pairingRatio: number | null;
}

/** In solitaire games: return of `a` minus return of `b` on the same seeds. */
export interface Difference {
  readonly a: number;
  readonly b: number;
  readonly mean: number;
  readonly interval: Interval;
}

/** Mean return of `a` against `b` (null in solitaire games), raw and adjusted for luck. */
export interface LuckAdjustedResult extends Adjusted {
  readonly a: number;
  readonly b: number | null;
}

export interface Standing {
  readonly agent: string;
  readonly total: Tally;
  /** By seat. */
  readonly seats: readonly Tally[];
  /** Elo points (Bradley-Terry, mean 0), null in solitaire games. */
  readonly elo: number | null;
  readonly eloInterval: Interval | null;
  /** By seat, rating each agent in each seat as a separate player; null with fewer than three agents. */
  readonly seatElo: readonly { readonly elo: number; readonly interval: Interval }[] | null;
}

export interface Timing {
  readonly seconds: number;
  /** Decisions that agents took, and their rate over all workers. */
  readonly decisions: number;
  readonly decisionsPerSecond: number;
  /** Microseconds a decision, by agent. */
  readonly microseconds: Readonly<Record<string, number>>;
}

export interface ArenaResult {
  readonly game: string;
  readonly version: number;
  readonly schema: string;
  /** The part of the game's data that is reconstructed. */
  readonly reconstructed: string | null;
  readonly options: Options;
  readonly players: readonly string[];
  readonly seed: string;
  /** The secret that game and agent seeds were made with; null when they follow from `seed` alone. */
  readonly secret: string | null;
  readonly agents: readonly string[];
  /** Best first. */
  readonly standings: readonly Standing[];
  readonly pairs: readonly PairResult[];
  readonly differences: readonly Difference[];
  /** With the model that estimated luck, null for that of the last roll alone; null where nothing gives it. */
  readonly luckAdjusted: { readonly valueModel: string | null; readonly results: readonly LuckAdjustedResult[] } | null;
  /** Row agent's score against the column agent; null on the diagonal and in solitaire games. */
  readonly payoff: readonly (readonly (number | null)[])[];
  /**
   * All games, from the first seat: shows whether the game is balanced. Its intervals, and that of `firstSeatElo`, are
   * as wide as the seeds differ: games of one seed have their dice in common, and those of an agent against itself may
   * be equal.
   */
  readonly firstSeat: Tally;
  /**
   * Elo points that the first seat is worth; null in solitaire games, and where no two agents have met in both
   * seatings.
   */
  readonly firstSeatElo: { readonly elo: number; readonly interval: Interval } | null;
  readonly meanDecisions: number;
  /** Shares of the named ends of games: by agent in solitaire games, otherwise of all games in one entry. */
  readonly endings: readonly { readonly agent: string | null; readonly shares: Readonly<Record<string, number>> }[];
  /** The only part that differs between equal runs. */
  readonly timing: Timing;
}

const points = (p: GameResult): number => (p.firstReturn > 0 ? 1 : p.firstReturn < 0 ? 0 : 0.5);
const negated = (p: GameResult): GameResult => ({
  ...p,
  firstReturn: p.firstReturn === 0 ? 0 : -p.firstReturn,
  luck: -p.luck,
});

export function pairScore(chunks: readonly ChunkResult[]): { points: number; games: number } {
  const all = chunks.flatMap((c) => c.seatings.flat());
  return { points: all.reduce((sum, p) => sum + points(p), 0), games: all.length };
}

export function tally(games: readonly GameResult[]): Tally {
  const n = games.length;
  const wins = games.filter((p) => p.firstReturn > 0).length;
  const losses = games.filter((p) => p.firstReturn < 0).length;
  const draws = n - wins - losses;
  const { mean, interval } = meanInterval(
    games.reduce((s, p) => s + p.firstReturn, 0),
    games.reduce((s, p) => s + p.firstReturn ** 2, 0),
    n,
  );
  return {
    games: n,
    wins,
    draws,
    losses,
    score: n === 0 ? 0.5 : (wins + draws / 2) / n,
    interval: wilson(wins + draws / 2, n),
    meanReturn: mean,
    meanReturnInterval: interval,
  };
}

/**
 * Games of one seat against several opponents, a list for each: those of one seed share their dice, so the interval
 * counts seeds.
 */
function tallyOfSeat(lists: readonly (readonly GameResult[])[]): Tally {
  const all = tally(lists.flat());
  const played = lists.filter((games) => games.length > 0);
  if (played.length < 2) return all;
  return widened(all, designEffect(played[0]!.map((_, seed) => played.flatMap((l) => l[seed] ?? []).map(points))));
}

const mean = (values: readonly number[]): number => values.reduce((s, v) => s + v, 0) / values.length;
const variance = (values: readonly number[]): number => {
  const m = mean(values);
  return values.reduce((s, v) => s + (v - m) ** 2, 0) / (values.length - 1);
};

/** See `PairResult.pairingRatio`. */
export function pairingRatio(first: readonly GameResult[], second: readonly GameResult[]): number | null {
  if (first.length < 2 || first.length !== second.length) return null;
  const independent = (variance(first.map(points)) + variance(second.map(points))) / 4;
  return independent === 0 ? null : variance(first.map((p, i) => (points(p) + points(second[i]!)) / 2)) / independent;
}

/** Combines the results of all chunks, in an order that does not depend on the workers. */
export function summarise(
  game: Game,
  agents: readonly string[],
  matches: readonly Match[],
  results: readonly (readonly ChunkResult[])[],
  seed: string,
  seconds: number,
  valueModel: string | null,
  secret: string | null = null,
): ArenaResult {
  const solo = game.players.length === 1;
  /** Games by agent, seat and opponent, as that agent sees them; those of each opponent are of the same seeds. */
  const bySeat: GameResult[][][][] = agents.map(() => game.players.map(() => []));
  const pairs: PairResult[] = [];
  const meetings: Meeting[] = [];
  const adjusts = valueModel !== null || game.expectedReturns !== undefined;
  const luckAdjusted: LuckAdjustedResult[] = [];
  matches.forEach((match, m) => {
    const [a, b] = [match.agents[0]!, match.agents[1]];
    const seatings = game.players.map((_, seat) => results[m]!.flatMap((c) => c.seatings[seat] ?? []));
    seatings.forEach((games, seat) => {
      bySeat[a]![seat]!.push(games);
      if (b !== undefined) bySeat[b]![1 - seat]!.push(games.map(negated));
    });
    if (adjusts)
      luckAdjusted.push({ a, b: b ?? null, ...adjust(...meansBySeed(seatings.filter((games) => games.length > 0))) });
    if (b === undefined) return;
    const [first, second] = [seatings[0]!, seatings[1]!];
    const sum = (games: readonly GameResult[]) => games.reduce((s, p) => s + points(p), 0);
    meetings.push(
      { first: a, second: b, games: first.length, score: sum(first) },
      { first: b, second: a, games: second.length, score: second.length - sum(second) },
    );
    const all = [...first, ...second];
    pairs.push({
      a,
      b,
      total: tally(all),
      seats: [tally(first), tally(second)],
      meanDecisions: mean(all.map((p) => p.decisions)),
      pairingRatio: pairingRatio(first, second),
    });
  });

  // the value of the seat can be separated from strength only where two agents have met in both seatings
  const swapped = pairs.some(({ seats }) => seats[0].games > 0 && seats[1].games > 0);
  const ratings = solo ? null : bradleyTerry(agents.length, meetings, { seat: swapped });
  const seatRatings = solo ? null : rateSeats(agents.length, meetings);
  const standings = agents.map((agent, i): Standing => ({
    agent,
    total: tally(bySeat[i]!.flat(2)),
    seats: bySeat[i]!.map(tallyOfSeat),
    elo: ratings?.elo[i] ?? null,
    eloInterval: ratings?.interval[i] ?? null,
    seatElo:
      seatRatings === null
        ? null
        : [i, agents.length + i].map((k) => ({ elo: seatRatings.elo[k]!, interval: seatRatings.interval[k]! })),
  }));
  const everything = bySeat.flatMap((seats) => seats[0]!.flat());
  const wider = solo ? 1 : designEffect(firstSeatBySeed(results));
  const payoff = agents.map(() => agents.map((): number | null => null));
  for (const p of pairs) {
    payoff[p.a]![p.b] = p.total.score;
    payoff[p.b]![p.a] = 1 - p.total.score;
  }
  return {
    game: game.type.id,
    version: game.type.version,
    schema: schemaHash(game),
    reconstructed: game.type.reconstructed,
    options: game.options,
    players: game.players,
    seed,
    secret,
    agents,
    standings: standings.sort((x, y) => (y.elo ?? y.total.meanReturn) - (x.elo ?? x.total.meanReturn)),
    pairs,
    differences: solo ? differences(bySeat.map((seats) => seats[0]!.flat())) : [],
    luckAdjusted: !adjusts ? null : { valueModel, results: luckAdjusted },
    payoff,
    firstSeat: widened(tally(everything), wider),
    firstSeatElo:
      ratings === null || !swapped
        ? null
        : {
            elo: ratings.firstSeat,
            interval: stretched(ratings.firstSeatInterval, ratings.firstSeat, Math.sqrt(wider)),
          },
    meanDecisions: mean(everything.map((p) => p.decisions)),
    endings: solo
      ? agents.map((agent, i) => ({ agent, shares: shares(bySeat[i]![0]!.flat()) }))
      : [{ agent: null, shares: shares(everything) }],
    timing: timing(agents, results.flat(), seconds),
  };
}

/** Points of the first seat in all games of each seed, over matches and seatings. */
function firstSeatBySeed(results: readonly (readonly ChunkResult[])[]): number[][] {
  const bySeed: number[][] = [];
  for (const chunks of results)
    for (const seat of [0, 1])
      chunks
        .flatMap((c) => c.seatings[seat] ?? [])
        .forEach((p, i) => (bySeed[i] ??= []).push(seat === 0 ? points(p) : 1 - points(p)));
  return bySeed;
}

/**
 * Variance of a mean over clusters, over that of as many independent games; at least 1. An interval of n games is that
 * of n / effect independent ones.
 */
export function designEffect(clusters: readonly (readonly number[])[]): number {
  const m = mean(clusters.flat());
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const apart = sum(clusters.flat().map((x) => (x - m) ** 2));
  if (clusters.length < 2 || apart === 0) return 1;
  const together = sum(clusters.map((c) => sum(c.map((x) => x - m)) ** 2));
  return Math.max(1, ((together / apart) * clusters.length) / (clusters.length - 1));
}

function widened(t: Tally, effect: number): Tally {
  return {
    ...t,
    interval: wilson((t.wins + t.draws / 2) / effect, t.games / effect),
    meanReturnInterval: stretched(t.meanReturnInterval, t.meanReturn, Math.sqrt(effect)),
  };
}

const stretched = ([low, high]: Interval, middle: number, by: number): Interval => [
  middle + (low - middle) * by,
  middle + (high - middle) * by,
];

/** Return and luck of each seed, averaged over its seatings: seeds are independent, seatings of one seed are not. */
function meansBySeed(seatings: readonly (readonly GameResult[])[]): [number[], number[]] {
  const over = (value: (p: GameResult) => number) =>
    seatings[0]!.map((_, i) => mean(seatings.map((games) => value(games[i]!))));
  return [over((p) => p.firstReturn), over((p) => p.luck)];
}

/** Ratings with each agent in each seat as a separate player. */
function rateSeats(agents: number, meetings: readonly Meeting[]): ReturnType<typeof bradleyTerry> | null {
  const split = meetings.map((m) => ({ ...m, second: agents + m.second }));
  return isConnected(2 * agents, split) ? bradleyTerry(2 * agents, split, { seat: false }) : null;
}

function differences(games: readonly (readonly GameResult[])[]): Difference[] {
  return games.flatMap((first, a) =>
    games.slice(a + 1).map((second, k) => {
      // with `--until` one may have stopped before the other: then the seeds that both played
      const both = Math.min(first.length, second.length);
      const d = first.slice(0, both).map((p, i) => p.firstReturn - second[i]!.firstReturn);
      return {
        a,
        b: a + 1 + k,
        ...meanInterval(
          d.reduce((s, v) => s + v, 0),
          d.reduce((s, v) => s + v * v, 0),
          d.length,
        ),
      };
    }),
  );
}

function shares(games: readonly GameResult[]): Record<string, number> {
  const count = new Map<string, number>();
  for (const p of games) if (p.ending !== "") count.set(p.ending, (count.get(p.ending) ?? 0) + 1);
  return Object.fromEntries(
    [...count].sort(([x, i], [y, j]) => j - i || (x < y ? -1 : 1)).map(([name, n]) => [name, n / games.length]),
  );
}

function timing(agents: readonly string[], chunks: readonly ChunkResult[], seconds: number): Timing {
  const decisions = chunks.reduce((s, c) => s + c.decisions, 0);
  const effort = chunks.flatMap((c) => c.effort);
  const microseconds = Object.fromEntries(
    agents.map((agent) => {
      const own = effort.filter((e) => e.agent === agent);
      return [
        agent,
        (1e6 * own.reduce((s, e) => s + e.seconds, 0)) /
          Math.max(
            1,
            own.reduce((s, e) => s + e.decisions, 0),
          ),
      ];
    }),
  );
  return { seconds, decisions, decisionsPerSecond: decisions / seconds, microseconds };
}
