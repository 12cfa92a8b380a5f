import type { Agent, Decisions } from "../../agents/agent.js";
import { type Belief, BelievingAgent } from "../../agents/search/belief.js";
import { GumbelAgent } from "../../agents/search/gumbel-agent.js";
import type { Evaluator } from "../../agents/search/leaves.js";
import { PlanAgent } from "../../agents/search/plan-agent.js";
import { type DecisionBatch, SeatedBatch } from "../../agents/seats.js";
import { Batch, expectedReturns, type Game, InvariantError, type Rng, type State } from "../../env/index.js";
import { type Interval, meanInterval } from "../report/stats.js";
import { table } from "../report/table.js";

export interface OracleOptions {
  readonly games: number;
  /** Simulations of a search's decision, or playouts of its plan. */
  readonly iterations: number;
  readonly root: "gumbel" | "plan";
  /** The player who is measured; the net plays the others. */
  readonly seat: number;
  readonly seed: string;
  /** Weighs worlds for one more search that knows what the seat knows; `close` is the caller's. */
  readonly belief?: Belief;
  readonly progress?: (done: number, all: number) => void;
}

/** Returns of one way to play, -1..1, with a 95 % interval; and what it got more than the net alone, game by game. */
export interface OracleRow {
  readonly agent: "net" | "search" | "belief" | "oracle";
  readonly mean: number;
  readonly interval: Interval;
  readonly more: { readonly mean: number; readonly interval: Interval };
}

/** Games played side by side: their leaves go through the net together. */
const WIDTH = 64;

/**
 * What knowing all that is hidden is worth to a seat: returns of the net, of a search with it that knows what the seat
 * knows, if asked for also with beliefs, and of the same search dealt the true world, coming dice excepted. The last
 * one is no bound that was proved, but play that nobody can have without looking. All meet the same games. Where a game
 * ends by a roll that no decision follows, that roll's exact chance is its return.
 */
export async function oracleReturns(game: Game, net: Evaluator, options: OracleOptions): Promise<OracleRow[]> {
  const { games, iterations, root, seat, seed, belief, progress } = options;
  const ways = (["net", "search", "belief", "oracle"] as const).filter(
    (way) => way !== "belief" || belief !== undefined,
  );
  const Search = root === "plan" ? PlanAgent : GumbelAgent;
  const expected = new Float32Array(game.players.length);
  const all: Float64Array[] = [];
  for (const [k, way] of ways.entries()) {
    const returns = new Float64Array(games);
    const plays = new GumbelAgent("net", game, seed, 0, net);
    const search = new Search(way, game, `${seed}/${way}`, iterations, net);
    const measured =
      way === "net" ? plays : way === "belief" ? new BelievingAgent(search, belief!, `${seed}/${way}`) : search;
    for (let from = 0; from < games; from += WIDTH) {
      const batch = new Batch(game, { size: Math.min(WIDTH, games - from), autoreset: "disabled" });
      const agent = way === "oracle" ? knowing(batch, measured) : measured;
      const seated = new SeatedBatch(batch, () => game.players.map((_, p) => (p === seat ? agent : plays)));
      batch.open(Array.from({ length: batch.size }, (_, i) => `${seed}/game/${from + i}`));
      while ((await seated.round()) > 0)
        progress?.(k * games + from + batch.states.filter((_, i) => batch.over(i)).length, ways.length * games);
      if (batch.truncated.includes(1))
        throw new InvariantError(`${game.type.id} exceeded its bound of ${game.maxDecisions} decisions`);
      for (const [i, state] of batch.states.entries()) {
        expectedReturns(game, state, expected);
        returns[from + i] = expected[seat]!;
      }
    }
    all.push(returns);
  }
  const meanOf = (x: Float64Array): { mean: number; interval: Interval } =>
    meanInterval(
      x.reduce((a, b) => a + b, 0),
      x.reduce((a, b) => a + b * b, 0),
      x.length,
    );
  return ways.map((agent, i) => ({
    agent,
    ...meanOf(all[i]!),
    more: meanOf(all[i]!.map((r, n) => r - all[0]![n]!)),
  }));
}

/**
 * The agent, dealt the true worlds of a batch wherever it samples one, but no coming die: for the referee alone, never
 * to play against.
 */
function knowing(batch: Batch, agent: Agent): Agent {
  return {
    name: agent.name,
    act(decisions: DecisionBatch, out) {
      const sample = (i: number, world: State, rng: Rng): boolean => {
        world.set(batch.states[decisions.rows[i]!]!);
        rng.freshStream(world);
        return true;
      };
      return agent.act(Object.create(decisions, { sample: { value: sample } }) as Decisions, out);
    },
  };
}

/** The rows as text. */
export function oracleText(rows: readonly OracleRow[], iterations: number): string {
  const cell = ({ mean, interval: [low, high] }: { mean: number; interval: Interval }): string =>
    `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const names = {
    net: "the net alone",
    search: `search, ${iterations}`,
    belief: `search with beliefs, ${iterations}`,
    oracle: `oracle, ${iterations}`,
  };
  return table(
    ["agent", "return [95 %]", "more than the net"],
    rows.map((r) => [names[r.agent], cell(r), r.agent === "net" ? "" : cell(r.more)]),
  );
}
