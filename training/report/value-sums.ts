import { type Game, NOBODY, type Observation, observationRows, type State, type StateView } from "../../env/index.js";

/**
 * Expected returns of the acting player, for the first `n` rows. Any function is valid; a better one saves more games.
 */
export type ValueFunction = (observation: Observation, mask: Uint8Array, n: number) => Promise<Float32Array>;

/** Positions that are valued at a time. */
const ROWS = 512;

/** Sums weighted values of positions, as parts of player 0's return; evaluates the value function in batches. */
export class ValueSums {
  private n = 0;
  private readonly rows;
  private readonly mask: Uint8Array;
  /** By row: index of the sum, and weight of the value. */
  private readonly indices: Int32Array;
  private readonly weights: Float64Array;
  private readonly returns: Float32Array;

  /**
   * @param capacity most positions that wait for their value
   * @param returnsOf writes the returns of an ended game; as `Game.returns` when left out
   */
  constructor(
    private readonly game: Game,
    private readonly valueFunction: ValueFunction,
    private readonly sums: Float64Array,
    private readonly capacity = ROWS,
    private readonly returnsOf = (s: StateView, out: Float32Array): void => game.returns(s, out),
  ) {
    this.rows = observationRows(game, capacity);
    this.mask = new Uint8Array(capacity * game.actions.length);
    this.indices = new Int32Array(capacity);
    this.weights = new Float64Array(capacity);
    this.returns = new Float32Array(game.players.length);
  }

  /** Adds `weight` times the value of `s` to `sums[index]`, at the latest when `flush` is done. */
  async add(s: State, index: number, weight: number): Promise<void> {
    this.put(s, index, weight);
    if (this.n === this.capacity) await this.flush();
  }

  /** As `add`, for who flushes before there are more than `capacity`. */
  put(s: State, index: number, weight: number): void {
    const { game } = this;
    const actor = game.actor(s);
    if (actor === NOBODY) {
      this.returnsOf(s, this.returns);
      this.sums[index]! += weight * this.returns[0]!;
      return;
    }
    const k = this.n++;
    game.observe(s, actor, this.rows.rows[k]!);
    game.legalMask(s, this.mask, k * game.actions.length);
    this.indices[k] = index;
    this.weights[k] = actor === 0 ? weight : -weight;
  }

  async flush(): Promise<void> {
    if (this.n === 0) return;
    const values = await this.valueFunction(this.rows.all, this.mask, this.n);
    for (let k = 0; k < this.n; k++) this.sums[this.indices[k]!]! += this.weights[k]! * values[k]!;
    this.n = 0;
  }
}
