import { type GumbelOptions, GumbelSearch, newBoard } from "../../agents/search/gumbel.js";
import { type Evaluator, LeafBatch } from "../../agents/search/leaves.js";
import { Batch, type Game, InvariantError, Rng, type State } from "../../env/index.js";
import type { SearchedDecision } from "./replay.js";

/**
 * What is learnt of a search: the improved policy, the action that it chose, or how much more than the policy each
 * action returns.
 */
export type ExpertTarget = "policy" | "choice" | "gains";

export interface ExpertPlayOptions extends GumbelOptions {
  /** Simulations of a full search; the others have a quarter. */
  readonly simulations: number;
  /** Share of the decisions with a full search, which are learnt from. */
  readonly fullShare: number;
  /** Draws values of few visits in what is learnt towards the mean, see `improvePolicy`. */
  readonly doubt: number;
  readonly target: ExpertTarget;
  /**
   * Who plays: the searches, or the net, whose policy is drawn from; only decisions with a full search are searched
   * then.
   */
  readonly play: "search" | "policy";
}

/** Games to play, numbered 0 .. count - 1. */
export interface ExpertGames {
  readonly count: number;
  /** Games played at the same time. */
  readonly width: number;
  seed(n: number): string;
  /**
   * @param searched the decisions with a full search, with the return that the actor expects after it
   * @param returns float32 [players], valid during the call
   * @param decisions length of the game, forced decisions included
   * @param state the true final state
   */
  onEnd(
    n: number,
    searched: readonly (SearchedDecision & { readonly value: number })[],
    returns: Float32Array,
    decisions: number,
    state: State,
  ): void;
}

/** One of the games played side by side. */
interface Table {
  readonly search: GumbelSearch;
  rng: Rng;
  full: boolean;
  /** Number of the game, -1 when there are no more. */
  game: number;
  searched: (SearchedDecision & { readonly value: number })[];
}

/** Shares of the simulations of a full search that the other decisions get. */
const FAST = 0.25;

/**
 * Plays whole games of search against itself. Every game searches its own decision; each run of the net evaluates a
 * leaf of every game. A search knows what its seat knows: worlds come from `resample`, with fresh dice. Few decisions
 * get a full search (playout cap randomisation; Wu 2019), so that games are many and targets good. The games depend on
 * seeds and net only, up to how an engine rounds in batches of other sizes.
 */
export async function playExpertGames(
  game: Game,
  net: Evaluator,
  options: ExpertPlayOptions,
  games: ExpertGames,
): Promise<void> {
  const width = Math.min(games.width, games.count);
  if (width < 1) return;
  const P = game.players.length;
  const A = game.actions.length;
  const batch = new Batch(game, { size: width, autoreset: "disabled" });
  const leaves = new LeafBatch(game, net, width);
  const board = newBoard(game);
  const fast = options.play === "policy" ? 0 : Math.max(1, Math.round(FAST * options.simulations));
  let next = 0;
  const seat = (table: Table): void => {
    table.game = next < games.count ? next++ : -1;
    if (table.game >= 0) table.rng = new Rng(`${games.seed(table.game)}/search`);
  };
  const tables = Array.from({ length: width }, (): Table => {
    const table = {
      search: new GumbelSearch(game, options, board),
      rng: new Rng(0),
      full: false,
      game: -1,
      searched: [],
    };
    seat(table);
    return table;
  });
  batch.open(tables.map((t) => games.seed(t.game)));

  /** Ends games at table `i`, begins the next, and the search of its decision. */
  const beginSearch = (i: number): void => {
    const table = tables[i]!;
    while (batch.over(i)) {
      if (batch.truncated[i] === 1)
        throw new InvariantError(`${game.type.id} exceeded its bound of ${game.maxDecisions} decisions`);
      const returns = batch.rewards.subarray(i * P, (i + 1) * P);
      games.onEnd(table.game, table.searched, returns, batch.decisions[i]!, batch.states[i]!);
      table.searched = [];
      seat(table);
      if (table.game < 0) return;
      batch.open([games.seed(table.game)], [i]);
    }
    const { rng } = table;
    const state = batch.states[i]!;
    const actor = batch.actors[i]!;
    table.full = rng.float() < options.fullShare;
    table.search.begin({
      actor,
      mask: batch.mask,
      at: i * A,
      simulations: table.full ? options.simulations : fast,
      // a choice that noise made teaches noise; the searches that nothing is learnt from explore, and one without
      // simulations draws from the policy
      noise: options.target !== "policy" && table.full ? null : rng,
      deal: (out: State): void => void game.resample(state, actor, out, rng),
    });
  };
  const play = (i: number): void => {
    const { search, full, searched, rng } = tables[i]!;
    let action = search.best();
    if (full) {
      const policy = new Float32Array(A);
      const gains = options.target === "gains" ? new Float32Array(A) : null;
      const value = search.improvedPolicy(policy, options.doubt);
      if (options.target === "choice") policy.fill(0)[action] = 1;
      if (gains !== null) search.gains(policy, gains, options.doubt);
      searched.push({ state: batch.states[i]!.slice(), actor: batch.actors[i]!, policy, gains, value });
    }
    if (full && options.play === "policy") action = search.drawFromPolicy(rng);
    batch.playDecision(i, action);
  };

  for (let i = 0; i < width; i++) beginSearch(i);
  for (;;) {
    let running = false;
    for (let i = 0; i < width; i++) {
      const table = tables[i]!;
      while (table.game >= 0) {
        running = true;
        if (table.search.step(leaves) !== "done") break;
        play(i);
        beginSearch(i);
      }
      if (leaves.size === leaves.capacity) await leaves.evaluate();
    }
    if (!running) return;
    await leaves.evaluate();
  }
}
