import { GUMBEL } from "../../agents/search/gumbel-agent.js";
import type { Evaluator } from "../../agents/search/leaves.js";
import { expectedReturns, type Game, KesselError } from "../../env/index.js";
import { playExpertGames } from "../learn/expert-play.js";
import { type Interval, meanInterval } from "../report/stats.js";
import { table } from "../report/table.js";

export interface OracleOptions {
  readonly games: number;
  /** Simulations of a search's decision. */
  readonly iterations: number;
  readonly seed: string;
  readonly progress?: (done: number, all: number) => void;
}

/** Returns of one way to play, -1..1, with a 95 % interval; and what it got more than the net alone, game by game. */
export interface OracleRow {
  readonly agent: "net" | "search" | "oracle";
  readonly mean: number;
  readonly interval: Interval;
  readonly more: { readonly mean: number; readonly interval: Interval };
}

/** Games played side by side: their leaves go through the net together. */
const WIDTH = 64;

/**
 * What knowing all that is hidden is worth in a game for one: returns of the net, of a search with it that knows what the
 * player knows, and of the same search dealt the true world, coming dice excepted. The last one is no bound that was
 * proved, but play that nobody can have without looking. All three meet the same games. Where a game ends by a roll that no
 * decision follows, that roll's exact chance is its return.
 *
 * @throws KesselError `bad-option` for a game of two
 */
export async function oracleReturns(
  game: Game,
  net: Evaluator,
  { games, iterations, seed, progress }: OracleOptions,
): Promise<OracleRow[]> {
  if (game.players.length !== 1)
    throw new KesselError("bad-option", `${game.type.id} is a game of two; an oracle is measured in games for one`);
  const expected = new Float32Array(1);
  const all: Float64Array[] = [];
  let done = 0;
  for (const [simulations, oracle] of [
    [0, false],
    [iterations, false],
    [iterations, true],
  ] as const) {
    const returns = new Float64Array(games);
    await playExpertGames(
      game,
      net,
      { ...GUMBEL, simulations, fullShare: 1, doubt: 0, target: "choice", play: "search", oracle },
      {
        count: games,
        width: WIDTH,
        seed: (n) => `${seed}/game/${n}`,
        onEnd: (n, _searched, _returns, _decisions, state) => {
          expectedReturns(game, state, expected);
          returns[n] = expected[0]!;
          progress?.(++done, 3 * games);
        },
      },
    );
    all.push(returns);
  }
  const meanOf = (x: Float64Array): { mean: number; interval: Interval } =>
    meanInterval(
      x.reduce((a, b) => a + b, 0),
      x.reduce((a, b) => a + b * b, 0),
      x.length,
    );
  return (["net", "search", "oracle"] as const).map((agent, i) => ({
    agent,
    ...meanOf(all[i]!),
    more: meanOf(all[i]!.map((r, n) => r - all[0]![n]!)),
  }));
}

/** The rows as text. */
export function oracleText(rows: readonly OracleRow[], iterations: number): string {
  const cell = ({ mean, interval: [low, high] }: { mean: number; interval: Interval }): string =>
    `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const names = { net: "the net alone", search: `search, ${iterations}`, oracle: `oracle, ${iterations}` };
  return table(
    ["agent", "return [95 %]", "more than the net"],
    rows.map((r) => [names[r.agent], cell(r), r.agent === "net" ? "" : cell(r.more)]),
  );
}
