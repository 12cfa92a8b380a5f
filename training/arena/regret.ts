import { z } from "zod";
import type { Agent, Decisions } from "../../agents/agent.js";
import { GumbelAgent } from "../../agents/search/gumbel-agent.js";
import type { Evaluator } from "../../agents/search/leaves.js";
import { type DecisionBatch, SeatedBatch } from "../../agents/seats.js";
import {
  Batch,
  expectedReturns,
  type Game,
  InvariantError,
  newState,
  observationRows,
  parseWith,
  Rng,
  SeededDice,
  type State,
  TENSORS,
  tensorSizes,
} from "../../env/index.js";
import { meanInterval } from "../report/stats.js";

export interface RegretOptions {
  /** Games of the net against itself. */
  readonly games: number;
  /** Share of the decisions with a choice at which the search looks. */
  readonly share: number;
  /** Simulations of a decision. */
  readonly iterations: number;
  /** Worlds in which the net's action and the search's are played to the end, where they differ. */
  readonly worlds: number;
  readonly seed: string;
  readonly progress?: (done: number, all: number) => void;
}

const mean = z.strictObject({ mean: z.number(), interval: z.tuple([z.number(), z.number()]) });
const kindSchema = z.strictObject({
  /** As positions name it. */
  kind: z.string(),
  /** Decisions with a choice in a game, of all seats. */
  perGame: z.number(),
  /** At how many the search looked, and at how many of those it chose another action. */
  looked: z.int(),
  overruled: z.int(),
  /** Return that the search's action brings more than the net's, in the mean of all it looked at. */
  regret: mean,
});
export type KindRegret = z.infer<typeof kindSchema>;
const rowSchema = z.strictObject({
  game: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  model: z.string(),
  version: z.int(),
  games: z.int(),
  share: z.number(),
  iterations: z.int(),
  worlds: z.int(),
  kinds: z.array(kindSchema),
});
export type RegretRow = z.infer<typeof rowSchema>;

/** `models/regret.json`. @throws KesselError `bad-data` */
export const readRegret = (doc: unknown): readonly RegretRow[] =>
  parseWith(z.strictObject({ rows: z.array(rowSchema) }), doc, "bad-data", "models/regret.json").rows;

/** Games played side by side, and most lanes of playouts: their positions go through the net together. */
const WIDTH = 128;
const LANES = 1024;

/** What one look says of a regret: returns are -1 to 1. */
const WIDEST = [-2, 2] as const;

/** What the search found at one decision. */
interface Look {
  readonly kind: string;
  readonly actor: number;
  /**
   * The world of each lane's beginning, one after another: the net's action done, then the search's, from the same
   * world.
   */
  readonly lanes: readonly State[];
}

/**
 * What a net leaves to a search, by kind of decision. The net plays itself; at a share of its decisions a search with
 * it chooses too. Where it chooses another action, both are carried out in worlds that fit what the seat knows, with
 * the same dice, and the net plays them to the end. So the search only names an action: what it is worth is counted in
 * games.
 */
export async function regretByKind(game: Game, net: Evaluator, options: RegretOptions): Promise<KindRegret[]> {
  const { games, share, iterations, worlds, seed, progress } = options;
  const plays = new GumbelAgent("net", game, seed, 0, net);
  const search = new GumbelAgent("search", game, `${seed}/search`, iterations, net);
  const rng = new Rng(`${seed}/looks`);
  const dice = new SeededDice();
  const counts = new Map<string, number>();
  const regrets = new Map<string, number[]>();
  const overruled = new Map<string, number>();
  const looks: Look[] = [];

  const look = async (decisions: DecisionBatch, batch: Batch, choices: Int32Array): Promise<void> => {
    const rows: number[] = [];
    const kinds: string[] = [];
    for (let i = 0; i < decisions.size; i++) {
      const at = decisions.rows[i]!;
      const kind = game.narration?.prompt(batch.states[at]!, decisions.actors[i]!).kind ?? "decision";
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (rng.float() >= share) continue;
      rows.push(i);
      kinds.push(kind);
    }
    if (rows.length === 0) return;
    const found = new Int32Array(rows.length);
    await search.act(rowsOf(decisions, rows), found);
    rows.forEach((i, k) => {
      const kind = kinds[k]!;
      const known = regrets.get(kind) ?? [];
      regrets.set(kind, known);
      if (found[k] === choices[i]) return void known.push(0);
      overruled.set(kind, (overruled.get(kind) ?? 0) + 1);
      const lanes: State[] = [];
      for (let w = 0; w < worlds; w++) {
        const world = newState(game.stateSize);
        decisions.sample(i, world, rng);
        for (const action of [choices[i]!, found[k]!]) {
          const lane = world.slice();
          dice.begin(lane);
          game.apply(lane, action, dice);
          lanes.push(lane);
        }
      }
      looks.push({ kind, actor: decisions.actors[i]!, lanes });
    });
  };

  const settle = async (): Promise<void> => {
    const returns = await playedOut(game, plays, looks);
    looks.forEach(({ kind }, k) => {
      const [own, others] = [0, 1].map((side) =>
        returns[k]!.filter((_, n) => n % 2 === side).reduce((a, b) => a + b, 0),
      );
      regrets.get(kind)!.push((others! - own!) / worlds);
    });
    looks.length = 0;
  };

  for (let from = 0; from < games; from += WIDTH) {
    const batch = new Batch(game, { size: Math.min(WIDTH, games - from), autoreset: "disabled" });
    const agent: Agent = {
      name: "net",
      async act(decisions: DecisionBatch, out) {
        await plays.act(decisions, out);
        await look(decisions, batch, out);
      },
    };
    const seated = new SeatedBatch(batch, () => game.players.map(() => agent));
    batch.open(Array.from({ length: batch.size }, (_, i) => `${seed}/game/${from + i}`));
    while ((await seated.round()) > 0) if (looks.length * 2 * worlds >= LANES) await settle();
    if (batch.truncated.includes(1))
      throw new InvariantError(`${game.type.id} exceeded its bound of ${game.maxDecisions} decisions`);
    await settle();
    progress?.(from + batch.size, games);
  }
  return [...regrets]
    .map(([kind, values]) => {
      const sum = (f: (x: number) => number): number => values.reduce((s, x) => s + f(x), 0);
      const found = meanInterval(
        sum((x) => x),
        sum((x) => x * x),
        values.length,
      );
      const [low, high] = values.length > 1 ? found.interval : WIDEST;
      return {
        kind,
        perGame: counts.get(kind)! / games,
        looked: values.length,
        overruled: overruled.get(kind) ?? 0,
        regret: { mean: found.mean, interval: [low, high] as [number, number] },
      };
    })
    .sort((a, b) => b.perGame * b.regret.mean - a.perGame * a.regret.mean);
}

/** Some rows of waiting decisions. */
const rowsOf = (decisions: DecisionBatch, rows: readonly number[]): Decisions => {
  const { game } = decisions;
  const A = game.actions.length;
  const mask = new Uint8Array(rows.length * A);
  rows.forEach((i, k) => mask.set(decisions.mask.subarray(i * A, (i + 1) * A), k * A));
  const { all: observation } = observationRows(game, rows.length);
  const sizes = tensorSizes(game.observation);
  for (const t of TENSORS)
    rows.forEach((i, k) =>
      observation[t].set(decisions.observation[t].subarray(i * sizes[t], (i + 1) * sizes[t]), k * sizes[t]),
    );
  return {
    game,
    size: rows.length,
    actors: Int32Array.from(rows, (i) => decisions.actors[i]!),
    observation,
    mask,
    view: (k) => decisions.view(rows[k]!),
    sample: (k, out, rng) => decisions.sample(rows[k]!, out, rng),
    known: (k, out) => decisions.known(rows[k]!, out),
  };
};

/** Returns of the deciding seat of each look, lane by lane, when `plays` has all seats to the end. */
async function playedOut(game: Game, plays: Agent, looks: readonly Look[]): Promise<number[][]> {
  const lanes = looks.flatMap(({ actor, lanes }, k) => lanes.map((state) => ({ k, actor, state })));
  const returns: number[][] = looks.map(() => []);
  const expected = new Float32Array(game.players.length);
  for (let from = 0; from < lanes.length; from += LANES) {
    const part = lanes.slice(from, from + LANES);
    const batch = new Batch(game, { size: part.length, autoreset: "disabled", deferObservations: true });
    batch.open("lanes");
    part.forEach(({ state }, i) => batch.restore(i, state));
    const seated = new SeatedBatch(batch, () => game.players.map(() => plays));
    while ((await seated.round()) > 0);
    part.forEach(({ k, actor }, i) => {
      expectedReturns(game, batch.states[i]!, expected);
      returns[k]!.push(expected[actor]!);
    });
  }
  return returns;
}

/** The file with one model a line. */
export const regretText = (rows: readonly RegretRow[]): string =>
  `{\n  "rows": [\n${rows.map((r) => `    ${JSON.stringify(r)}`).join(",\n")}\n  ]\n}\n`;

/** Most kinds of a game in the table. */
const SHOWN = 5;

/** The rows of a Markdown table: of each game the kinds that cost most in a game, if they cost anything. */
export function regretTable(rows: readonly RegretRow[]): string[] {
  const cell = (x: number, digits = 3): string => x.toFixed(digits);
  return [
    "| model | games | kind | a game | looked at | overruled | regret of a decision | of a game |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.flatMap(({ model, games, kinds }) =>
      kinds
        .filter((k, i) => i === 0 || k.regret.mean > 0)
        .slice(0, SHOWN)
        .map((k, i) => {
          const [low, high] = k.regret.interval;
          const share = ((100 * k.overruled) / k.looked).toFixed(1);
          const cells = [
            i === 0 ? `\`${model}\`` : "",
            i === 0 ? String(games) : "",
            `\`${k.kind}\``,
            cell(k.perGame, 1),
            String(k.looked),
            `${share} %`,
            `${cell(k.regret.mean)} [${cell(low)}, ${cell(high)}]`,
            cell(k.perGame * k.regret.mean),
          ];
          return `| ${cells.join(" | ")} |`;
        }),
    ),
  ];
}
