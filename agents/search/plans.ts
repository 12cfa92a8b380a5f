import {
  expectedReturns,
  type Game,
  hashState,
  NOBODY,
  type Observation,
  type Rng,
  sameStream,
  SeededDice,
  type State,
  type StateView,
} from "../../env/index.js";
import { argmaxLegal, type ModelInput, sampleLegal } from "../onnx.js";
import { type Evaluator, MAX_BATCH, rowsOf } from "./leaves.js";

/** Longest plan, and longest play after one until its value is taken, in decisions. */
const LONGEST = 300;

/** A seat's decisions up to a roll of dice, a decision of another player or the end of the turn. */
export interface Plan {
  readonly actions: number[];
  /** Value for the player by world: the i-th of each plan is that in the same world. */
  readonly values: number[];
}

/** Where plans begin. */
export interface PlanRoot {
  readonly actor: number;
  /** The world that plans are drawn in. */
  readonly world: StateView;
}

/** A plan that is made or tried. */
export interface Lane<R extends PlanRoot = PlanRoot> {
  readonly root: R;
  readonly plan: Plan;
  readonly state: State;
  /** Number of the world that the plan is tried in. */
  readonly world: number;
}

/** Draws plans from a net's policy and finds what they are worth. */
export class Plans {
  /** uint8 [MAX_BATCH, A] */
  readonly mask: Uint8Array;
  readonly rows: readonly Observation[];
  private readonly dice = new SeededDice();
  private readonly input: ModelInput;
  private readonly returns: Float32Array;
  private readonly turnOf: (state: StateView) => number;

  constructor(
    private readonly game: Game,
    private readonly net: Evaluator,
    private readonly rng: Rng,
    /** Called before each run of the net; throws to end the search. */
    private readonly beforeRun: () => void = () => undefined,
  ) {
    ({ rows: this.rows, input: this.input } = rowsOf(net, game, MAX_BATCH));
    this.mask = new Uint8Array(MAX_BATCH * game.actions.length);
    this.returns = new Float32Array(game.players.length);
    const { offset } = game.fields.find((f) => f.name === "turn")!;
    this.turnOf = (state) => state[offset]!;
  }

  /**
   * Draws `count` plans from the policy for each root, the first with the best action of each decision.
   *
   * @returns the plans with the states that they end in, in the order of the roots
   */
  async draw<R extends PlanRoot>(roots: readonly R[], count: number): Promise<Lane<R>[]> {
    const { game, rows, mask } = this;
    const A = game.actions.length;
    const lanes = roots.flatMap((root) =>
      Array.from({ length: count }, (): Lane<R> => ({
        root,
        plan: { actions: [], values: [] },
        state: Int32Array.from(root.world),
        world: 0,
      })),
    );
    const best = new Set(lanes.filter((_, i) => i % count === 0));
    for (let live = lanes, d = 0; live.length > 0 && d < LONGEST; d++) {
      const next: typeof lanes = [];
      for (let from = 0; from < live.length; from += MAX_BATCH) {
        const part = live.slice(from, from + MAX_BATCH);
        part.forEach(({ root, state }, k) => {
          game.observe(state, root.actor, rows[k]!);
          game.legalMask(state, mask, k * A);
        });
        const { policy } = await this.run(part.length);
        part.forEach((lane, k) => {
          const { root, plan, state } = lane;
          const action = best.has(lane)
            ? argmaxLegal(policy, mask, k * A, A)
            : sampleLegal(policy, mask, k * A, A, 1, this.rng);
          plan.actions.push(action);
          this.apply(state, action);
          const goesOn = this.force(state, root.actor, k * A) && sameStream(root.world, state);
          if (goesOn && this.turnOf(state) === this.turnOf(root.world)) next.push(lane);
        });
      }
      live = next;
    }
    return lanes;
  }

  /**
   * Plays a plan in `state`, which begins as `world`, as far as this world lets it: to a roll, or to what isn't legal
   * here.
   */
  follow(plan: Plan, actor: number, world: StateView, state: State): void {
    for (const action of plan.actions) {
      if (!this.force(state, actor, 0) || !sameStream(world, state) || this.mask[action] !== 1) return;
      this.apply(state, action);
    }
  }

  /**
   * Plays the net's best action to the end of the turn; the value of that position is the plan's in the lane's world.
   */
  async playOut(lanes: readonly Lane[]): Promise<void> {
    const { game, mask, rows } = this;
    const A = game.actions.length;
    const value = ({ root, plan, world }: Lane, ofFirst: number): void => {
      plan.values[world] = root.actor === 0 ? ofFirst : -ofFirst;
    };
    for (let live = lanes, d = 0; live.length > 0; d++) {
      const next: Lane[] = [];
      for (let from = 0; from < live.length; from += MAX_BATCH) {
        const part: Lane[] = [];
        for (const lane of live.slice(from, from + MAX_BATCH)) {
          const { state } = lane;
          let actor = game.actor(state);
          while (actor !== NOBODY && !this.force(state, actor, part.length * A)) actor = game.actor(state);
          if (actor === NOBODY) {
            expectedReturns(game, state, this.returns);
            value(lane, this.returns[0]!);
            continue;
          }
          game.observe(state, actor, rows[part.length]!);
          part.push(lane);
        }
        if (part.length === 0) continue;
        const found = await this.run(part.length);
        part.forEach((lane, k) => {
          const { root, state } = lane;
          if (this.turnOf(state) > this.turnOf(root.world) || d === LONGEST) {
            const v = Math.max(-1, Math.min(1, found.value[k]!));
            value(lane, game.actor(state) === 0 ? v : -v);
          } else {
            this.apply(state, argmaxLegal(found.policy, mask, k * A, A));
            next.push(lane);
          }
        });
      }
      live = next;
    }
  }

  /** Plays the forced decisions of `actor`. @returns whether one with a choice follows; its mask is then at `at` */
  force(state: State, actor: number, at: number): boolean {
    const { game, mask } = this;
    for (let untouched = false; game.actor(state) === actor; untouched = true) {
      if (game.legalMask(state, mask, at, untouched) > 1) return true;
      this.apply(state, mask.indexOf(1, at) - at);
    }
    return false;
  }

  apply(state: State, action: number): void {
    this.dice.begin(state);
    this.game.apply(state, action, this.dice);
  }

  private run(n: number): ReturnType<Evaluator["run"]> {
    this.beforeRun();
    return this.net.run(this.input, this.mask, n);
  }
}

/** The plans of each root that end in different states, the first of those that end in the same. */
export function differing<R extends PlanRoot>(lanes: readonly Lane<R>[]): Map<R, Plan[]> {
  const plans = new Map<R, Plan[]>();
  const ends = new Map<R, Set<number>>();
  for (const { root, plan, state } of lanes) {
    if (!plans.has(root)) {
      plans.set(root, []);
      ends.set(root, new Set());
    }
    const known = ends.get(root)!;
    const end = hashState(state);
    if (!known.has(end)) plans.get(root)!.push(plan);
    known.add(end);
  }
  return plans;
}
