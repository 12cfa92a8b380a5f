import { type Game, type Observation, observationRows, type State } from "../../env/index.js";
import type { ModelInput } from "../onnx.js";
import type { Evaluation } from "../onnx-session.js";
import type { Tree } from "./tree.js";

/** A net that evaluates leaves. */
export interface Evaluator {
  /** Memory for `n` observations, and what of it `run` takes. Default: `observationRows` and its whole tensors. */
  newRows?(n: number): { readonly input: ModelInput; readonly rows: readonly Observation[] };
  /** Policy and value of the first `n` rows, each as its deciding player sees it. */
  run(input: ModelInput, mask: Uint8Array, n: number): Promise<Evaluation>;
  close(): Promise<void>;
}

/** Most rows in one run of a net. */
export const MAX_BATCH = 256;

/** Memory for `n` observations, and what of it `run` of the net takes. */
export function rowsOf(net: Evaluator, game: Game, n: number): ReturnType<NonNullable<Evaluator["newRows"]>> {
  if (net.newRows !== undefined) return net.newRows(n);
  const { all, rows } = observationRows(game, n);
  return { input: all, rows };
}

/** Leaves of one tree or many that wait to be evaluated by a net in one run. */
export class LeafBatch {
  size = 0;
  readonly capacity: number;
  private readonly input: ModelInput;
  private readonly rows: readonly Observation[];
  /** uint8 [capacity, A] */
  private readonly mask: Uint8Array;
  private readonly actors: Int32Array;
  private readonly trees: Tree[] = [];
  private readonly paths: number[][] = [];

  /** @param wanted most leaves added between two runs */
  constructor(
    private readonly game: Game,
    private readonly net: Evaluator,
    wanted: number,
  ) {
    this.capacity = Math.min(MAX_BATCH, wanted);
    ({ rows: this.rows, input: this.input } = rowsOf(net, game, this.capacity));
    this.mask = new Uint8Array(this.capacity * game.actions.length);
    this.actors = new Int32Array(this.capacity);
  }

  /** Adds the leaf at the end of `path`: its state with a decision of `actor`. */
  add(tree: Tree, path: readonly number[], state: State, actor: number): void {
    const k = this.size++;
    this.trees[k] = tree;
    this.paths[k] = [...path];
    this.actors[k] = actor;
    this.game.observe(state, actor, this.rows[k]!);
    this.game.legalMask(state, this.mask, k * this.game.actions.length);
  }

  /** Runs the net, gives leaves their priors, backs up their values, and empties the batch. */
  async evaluate(): Promise<void> {
    if (this.size === 0) return;
    const { policy, value } = await this.net.run(this.input, this.mask, this.size);
    for (let k = 0; k < this.size; k++) {
      const tree = this.trees[k]!;
      const path = this.paths[k]!;
      const v = Math.max(-1, Math.min(1, this.actors[k] === 0 ? value[k]! : -value[k]!));
      tree.setPolicy(path.at(-1)!, policy, this.mask, k * this.game.actions.length, v);
      for (const node of path) tree.backUp(node, v);
    }
    this.size = 0;
  }
}
