import { type Agent, canPlay } from "../../agents/agent.js";
import { pickLegal } from "../../agents/random.js";
import { type DecisionBatch, SeatedBatch } from "../../agents/seats.js";
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
  /** What the policy chose first; -1 where the game was over. */
  readonly actions: Int32Array;
  /** The states at the end. */
  readonly ends: State[] = [];

  constructor(
    private readonly game: Game,
    readonly size: number,
  ) {
    this.returns = new Float32Array(size * game.players.length);
    this.terminated = new Uint8Array(size);
    this.decisions = new Int32Array(size);
    this.actions = new Int32Array(size).fill(-1);
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
        const action = pickLegal(mask, 0, A, rng);
        if (n === 0) this.actions[k] = action;
        dice.begin(s);
        game.apply(s, action, dice);
      }
      this.note(k, s, n);
    });
  }

  /** As `random`, but `agent` decides for all players. */
  async by(agent: Agent, states: readonly State[], depth: number, seed: string, dice: Dice): Promise<void> {
    const { game, size } = this;
    for (const [p, name] of game.players.entries())
      if (!canPlay(agent, p)) throw new KesselError("bad-seat", `${agent.name} does not play ${name}`);
    const batch = new Batch(game, {
      ...{ size, autoreset: "disabled", maxDecisions: depth, deferObservations: true, dice },
      skipForced: false,
    });
    const agents = game.players.map(() => new Listened(agent, this.actions));
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
    const A = game.actions.length;
    // an agent may leave forced decisions to its caller
    for (let k = 0; k < size; k++)
      if (batch.legalCounts[k] === 1) this.actions[k] = batch.mask.indexOf(1, k * A) - k * A;
    await seated.finish();
    batch.states.forEach((s, k) => this.note(k, s, batch.decisions[k]!));
  }

  frame(): PackedFrame {
    const { size, returns, terminated, decisions, actions } = this;
    const layout = new FrameLayout();
    const parts = [
      [layout.add("returns", "float32", [size, this.game.players.length]), returns],
      [layout.add("terminated", "uint8", [size]), terminated],
      [layout.add("decisions", "int32", [size]), decisions],
      [layout.add("actions", "int32", [size]), actions],
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

/** An agent whose first choice in each environment is noted. */
class Listened implements Agent {
  readonly name: string;
  readonly joined?: boolean;
  readonly leavesForced?: boolean;

  /** @param first int32, -1 where nothing was chosen yet */
  constructor(
    private readonly agent: Agent,
    private readonly first: Int32Array,
  ) {
    this.name = agent.name;
    if (agent.joined !== undefined) this.joined = agent.joined;
    if (agent.leavesForced !== undefined) this.leavesForced = agent.leavesForced;
  }

  async act(decisions: DecisionBatch, out: Int32Array): Promise<void> {
    await this.agent.act(decisions, out);
    for (let k = 0; k < decisions.size; k++) {
      const environment = decisions.rows[k]!;
      if (this.first[environment] === -1) this.first[environment] = out[k]!;
    }
  }
}
