import { type Game, Rng, type Seed } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { type GumbelOptions, GumbelSearch, newBoard } from "./gumbel.js";
import { type Evaluator, LeafBatch } from "./leaves.js";
import { openRows, thinksTooLong } from "./rows.js";

/** Measured in Pocket Stalingrad: half or twice the scale, or half the actions, plays no better. */
export const GUMBEL: GumbelOptions = { considered: 16, visitOffset: 50, valueScale: 1 };

/** Searches as expert iteration does (`GumbelSearch`), without noise; a net evaluates leaves of all its decisions. */
export class GumbelAgent implements Agent {
  private readonly rng: Rng;
  private readonly searches: GumbelSearch[] = [];
  private readonly board;

  constructor(
    readonly name: string,
    private readonly game: Game,
    seed: Seed,
    /** Simulations a decision. */
    private readonly iterations: number,
    private readonly net: Evaluator,
    /** Milliseconds that it may think about one decision. */
    private readonly limit = Infinity,
  ) {
    this.rng = new Rng(`${seed}/search`);
    this.board = newBoard(game);
  }

  /** @throws KesselError `time-limit` */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const { searches, game, board, rng } = this;
    const open = openRows(decisions, out);
    if (open.length === 0) return;
    const leaves = new LeafBatch(game, this.net, open.length);
    open.forEach((row, k) => {
      (searches[k] ??= new GumbelSearch(game, GUMBEL, board)).begin({
        actor: decisions.actors[row]!,
        mask: decisions.mask,
        at: row * game.actions.length,
        simulations: this.iterations,
        noise: null,
        deal: (world) => void decisions.sample(row, world, rng),
      });
    });
    const end = performance.now() + this.limit * open.length;
    for (let running = true; running;) {
      if (performance.now() > end) throw thinksTooLong(this.name, this.limit);
      running = false;
      for (let k = 0; k < open.length; k++) {
        if (searches[k]!.step(leaves) !== "done") running = true;
        if (leaves.size === leaves.capacity) await leaves.evaluate();
      }
      await leaves.evaluate();
    }
    open.forEach((row, k) => (out[row] = searches[k]!.best()));
  }

  close(): Promise<void> {
    return this.net.close();
  }
}
