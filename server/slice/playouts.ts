import { type Agent, canPlay } from "../../agents/agent.js";
import { pickLegal } from "../../agents/random.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, type Game, KesselError, NOBODY, Rng, type Dice, type State } from "../../env/index.js";
import { FrameLayout, type PackedFrame } from "../wire/tensors.js";

/** Games that are played out in one go, from one stream; then other clients have their turn. */
export const PLAYOUT_ROWS = 16;

/** How games ended, or stood when they were cut off. */
export class Playouts {
  /** float32 [n, players] */
  readonly returns: Float32Array;
  readonly terminated: Uint8Array;
  readonly decisions: Int32Array;
  /** The states at the end. */
  readonly ends: State[] = [];

  constructor(
    private readonly game: Game,
    readonly size: number,
  ) {
    this.returns = new Float32Array(size * game.players.length);
    this.terminated = new Uint8Array(size);
    this.decisions = new Int32Array(size);
  }

  /** Plays at random from copies of `states`, for at most `depth` decisions. */
  random(states: readonly State[], depth: number, seed: string, dice: Dice): void {
    const { game } = this;
    const A = game.actions.length;
    const mask = new Uint8Array(A);
    const rng = new Rng(seed);
    states.forEach((from, k) => {
      const s = from.slice();
      rng.freshStream(s);
      let n = 0;
      for (; game.actor(s) !== NOBODY && n < depth; n++) {
        game.legalMask(s, mask, 0, n > 0);
        dice.begin(s);
        game.apply(s, pickLegal(mask, 0, A, rng), dice);
      }
      this.note(k, s, n);
    });
  }

  /** As `random`, but `agent` decides for all players. */
  async by(agent: Agent, states: readonly State[], depth: number, seed: string, dice: Dice): Promise<void> {
    const { game, size } = this;
    for (const [p, name] of game.players.entries())
      if (!canPlay(agent, p)) throw new KesselError("bad-seat", `${agent.name} does not play ${name}`);
    const batch = new Batch(game, { size, autoreset: "disabled", maxDecisions: depth, deferObservations: true, dice });
    const agents = game.players.map(() => agent);
    const seated = new SeatedBatch(batch, () => agents);
    batch.open(seed);
    const rng = new Rng(seed);
    batch.load(
      states.map((_, k) => k),
      states.map((from) => {
        const s = from.slice();
        rng.freshStream(s);
        return s;
      }),
    );
    await seated.finish();
    batch.states.forEach((s, k) => this.note(k, s, batch.decisions[k]!));
  }

  frame(): PackedFrame {
    const { size, returns, terminated, decisions } = this;
    const layout = new FrameLayout();
    const parts = [
      [layout.add("returns", "float32", [size, this.game.players.length]), returns],
      [layout.add("terminated", "uint8", [size]), terminated],
      [layout.add("decisions", "int32", [size]), decisions],
    ] as const;
    const data = new Uint8Array(layout.bytes);
    for (const [at, a] of parts) data.set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), at);
    return { tensors: layout.entries, data };
  }

  private note(k: number, s: State, decisions: number): void {
    const P = this.game.players.length;
    this.ends[k] = s;
    this.decisions[k] = decisions;
    this.terminated[k] = this.game.actor(s) === NOBODY ? 1 : 0;
    if (this.terminated[k] === 1) this.game.returns(s, this.returns.subarray(k * P, (k + 1) * P));
  }
}
