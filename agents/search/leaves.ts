import { type Game, type Observation, observationRows, type ObservationRows, type State } from "../../env/index.js";
import type { Evaluation } from "../onnx.js";
import type { Tree } from "./tree.js";

/** Who judges leaves: a net. */
export interface Evaluator {
  /** Policy and value of the first `n` rows, each as its deciding player sees it. */
  run(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation>;
  close(): Promise<void>;
}

/** Leaves judged by one run of a net at most. */
const MOST = 256;

/** Leaves that wait for a net, of one tree or of many. */
export class Leaves {
  size = 0;
  readonly capacity: number;
  private readonly buffers: ObservationRows;
  /** uint8 [capacity, A] */
  private readonly mask: Uint8Array;
  private readonly actors: Int32Array;
  private readonly trees: Tree[] = [];
  private readonly paths: number[][] = [];

  /** @param wanted leaves that may come together */
  constructor(
    private readonly game: Game,
    private readonly net: Evaluator,
    wanted: number,
  ) {
    this.capacity = Math.min(MOST, wanted);
    this.buffers = observationRows(game, this.capacity);
    this.mask = new Uint8Array(this.capacity * game.actions.length);
    this.actors = new Int32Array(this.capacity);
  }

  /** Adds the leaf at the end of `path`: its state with a decision of `actor`. */
  add(tree: Tree, path: readonly number[], state: State, actor: number): void {
    const k = this.size++;
    this.trees[k] = tree;
    this.paths[k] = [...path];
    this.actors[k] = actor;
    this.game.observe(state, actor, this.buffers.rows[k]!);
    this.game.legalMask(state, this.mask, k * this.game.actions.length);
  }

  /** Runs the net, gives leaves their priors and credits their values; then there are none. */
  async judge(): Promise<void> {
    if (this.size === 0) return;
    const { policy, value } = await this.net.run(this.buffers.all, this.mask, this.size);
    for (let k = 0; k < this.size; k++) {
      const tree = this.trees[k]!;
      const path = this.paths[k]!;
      tree.setPolicy(path.at(-1)!, policy, this.mask, k * this.game.actions.length);
      const v = Math.max(-1, Math.min(1, this.actors[k] === 0 ? value[k]! : -value[k]!));
      for (const node of path) tree.credit(node, v);
    }
    this.size = 0;
  }
}
