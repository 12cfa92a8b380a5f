import { createHash } from "node:crypto";
import {
  expectedReturns,
  type Game,
  hashState,
  newState,
  NOBODY,
  type Observation,
  Rng,
  sameStream,
  SeededDice,
  type Seed,
  type State,
  type StateView,
  TENSORS,
  tensorSizes,
} from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { argmaxLegal, type ModelInput, sampleLegal } from "../onnx.js";
import { type Evaluator, MAX_BATCH, rowsOf } from "./leaves.js";
import { openRows, thinksTooLong } from "./rows.js";

/** Plans drawn from the policy, equal ones included. */
const DRAWN = 32;
/** Longest plan, and longest play after one until its value is taken, in decisions. */
const LONGEST = 300;
/** Decisions of plans that are kept at most. */
const KEPT = 100_000;
/** Playouts that run side by side. */
const LANES = 2048;

/** A seat's decisions up to a roll of dice, a decision of another player or the end of the turn. */
export interface Plan {
  readonly actions: number[];
  /** Value for the player by playout: the i-th of each plan is played in the same world. */
  readonly values: number[];
}

interface Task {
  readonly row: number;
  readonly actor: number;
  /** The world that plans are drawn in. */
  readonly world: State;
  /** The first is what the net would do. */
  plans: Plan[];
  /** Playouts of a round: each halves the plans. */
  playouts: number;
}

/** A plan that is made or tried. */
interface Lane {
  readonly task: Task;
  readonly plan: Plan;
  readonly state: State;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * Chooses among plans and not among actions, for games in which a turn is many decisions and only together do they come
 * to anything. A net's policy draws plans: what a seat does until dice roll, another player decides or the turn ends. Each is tried in
 * sampled worlds: played, and then the net plays all sides to the end of the turn, where its value is taken. After each
 * round the worse half goes; what the net itself would do stays, and is replaced only by a plan that is better by more than
 * a standard error. A plan is followed as long as the seat sees what it was made for.
 */
export class PlanAgent implements Agent {
  private readonly rng: Rng;
  private readonly dice = new SeededDice();
  private readonly input: ModelInput;
  private readonly rows: readonly Observation[];
  private readonly mask: Uint8Array;
  private readonly states: State[] = [];
  private readonly returns: Float32Array;
  /** Planned action by what the seat sees and may do then (`keyOf`). */
  private readonly planned = new Map<string, number>();
  private readonly sizes;
  private readonly turnOf: (state: StateView) => number;
  private end = Infinity;

  constructor(
    readonly name: string,
    private readonly game: Game,
    seed: Seed,
    /** Playouts a plan that is chosen. */
    private readonly iterations: number,
    private readonly net: Evaluator,
    /** Milliseconds that it may think about one decision. */
    private readonly limit = Infinity,
  ) {
    this.rng = new Rng(`${seed}/search`);
    ({ rows: this.rows, input: this.input } = rowsOf(net, game, MAX_BATCH));
    this.sizes = tensorSizes(game.observation);
    this.mask = new Uint8Array(MAX_BATCH * game.actions.length);
    this.returns = new Float32Array(game.players.length);
    const { offset } = game.fields.find((f) => f.name === "turn")!;
    this.turnOf = (state) => state[offset]!;
  }

  /** @throws KesselError `time-limit` */
  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    const { game, planned } = this;
    const tasks: Task[] = [];
    if (planned.size > KEPT) planned.clear();
    for (const row of openRows(decisions, out)) {
      const action = planned.get(this.keyOf(decisions.observation, decisions.mask, row));
      if (action !== undefined) out[row] = action;
      else {
        const world = newState(game.stateSize);
        decisions.sample(row, world, this.rng);
        tasks.push({ row, actor: decisions.actors[row]!, world, plans: [], playouts: 0 });
      }
    }
    if (tasks.length === 0) return;
    this.end = performance.now() + this.limit * tasks.length;
    await this.draw(tasks);
    let left = tasks.filter((t) => t.plans.length > 1);
    for (const task of left) task.playouts = this.iterations / (1 + Math.floor(Math.log2(task.plans.length - 1)));
    while (left.length > 0) {
      await this.tryPlans(decisions, left);
      for (const task of left) task.plans = halved(task.plans);
      left = left.filter((t) => t.plans.length > 2);
    }
    for (const task of tasks) {
      const plan = chosen(task.plans);
      this.remember(plan, task);
      out[task.row] = plan.actions[0]!;
    }
  }

  close(): Promise<void> {
    return this.net.close();
  }

  /** Draws plans from the policy, the first with the best action of each decision. Of those that come to the same, one stays. */
  private async draw(tasks: readonly Task[]): Promise<void> {
    const { game, rows, mask } = this;
    const A = game.actions.length;
    const lanes = tasks.flatMap((task) =>
      Array.from({ length: DRAWN }, (): Lane => ({
        task,
        plan: { actions: [], values: [] },
        state: task.world.slice(),
      })),
    );
    const best = new Set(lanes.filter((_, i) => i % DRAWN === 0));
    for (let live = lanes, d = 0; live.length > 0 && d < LONGEST; d++) {
      const next: Lane[] = [];
      for (let from = 0; from < live.length; from += MAX_BATCH) {
        const part = live.slice(from, from + MAX_BATCH);
        part.forEach(({ task, state }, k) => {
          game.observe(state, task.actor, rows[k]!);
          game.legalMask(state, mask, k * A);
        });
        const { policy } = await this.run(part.length);
        part.forEach((lane, k) => {
          const { task, plan, state } = lane;
          const action = best.has(lane)
            ? argmaxLegal(policy, mask, k * A, A)
            : sampleLegal(policy, mask, k * A, A, 1, this.rng);
          plan.actions.push(action);
          this.apply(state, action);
          const goesOn = this.force(state, task.actor, k * A) && sameStream(task.world, state);
          if (goesOn && this.turnOf(state) === this.turnOf(task.world)) next.push(lane);
        });
      }
      live = next;
    }
    const ends = new Map(tasks.map((task) => [task, new Set<number>()]));
    for (const { task, plan, state } of lanes) {
      const known = ends.get(task)!;
      const end = hashState(state);
      if (!known.has(end)) task.plans.push(plan);
      known.add(end);
    }
  }

  /** Tries every plan in the same worlds, for one round. */
  private async tryPlans(decisions: Decisions, tasks: readonly Task[]): Promise<void> {
    const { game } = this;
    const world = newState(game.stateSize);
    let lanes: Lane[] = [];
    for (const task of tasks) {
      const worlds = Math.max(2, Math.floor(task.playouts / task.plans.length));
      for (let w = 0; w < worlds; w++) {
        decisions.sample(task.row, world, this.rng);
        for (const plan of task.plans) {
          const state = (this.states[lanes.length] ??= newState(game.stateSize));
          state.set(world);
          this.follow(plan, task.actor, world, state);
          lanes.push({ task, plan, state });
        }
        if (lanes.length + task.plans.length > LANES) {
          await this.playOut(lanes);
          lanes = [];
        }
      }
    }
    await this.playOut(lanes);
  }

  /** Plays a plan in `state`, which begins as `world`, as far as this world lets it: to a roll, or to what isn't legal here. */
  private follow(plan: Plan, actor: number, world: StateView, state: State): void {
    for (const action of plan.actions) {
      if (!this.force(state, actor, 0) || !sameStream(world, state) || this.mask[action] !== 1) return;
      this.apply(state, action);
    }
  }

  /** Keeps what the plan does, by what the seat will see; plays it in the task's world. */
  private remember({ actions }: Plan, { actor, world }: Task): void {
    const row = this.rows[0]!;
    for (const action of actions) {
      this.force(world, actor, 0);
      this.game.observe(world, actor, row);
      this.planned.set(this.keyOf(row, this.mask, 0), action);
      this.apply(world, action);
    }
  }

  /** A digest of row `row`: what a seat sees and may do. */
  private keyOf(observation: Observation, mask: Uint8Array, row: number): string {
    const A = this.game.actions.length;
    const hash = createHash("sha1").update(mask.subarray(row * A, (row + 1) * A));
    for (const t of TENSORS) {
      const seen = observation[t].subarray(row * this.sizes[t], (row + 1) * this.sizes[t]);
      hash.update(new Uint8Array(seen.buffer, seen.byteOffset, seen.byteLength));
    }
    return hash.digest("base64");
  }

  /** Plays on with the best action of the net to the end of the turn, and adds the value there to the plan's. */
  private async playOut(lanes: readonly Lane[]): Promise<void> {
    const { game, mask, rows } = this;
    const A = game.actions.length;
    const value = ({ task, plan }: Lane, ofFirst: number): void =>
      void plan.values.push(task.actor === 0 ? ofFirst : -ofFirst);
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
          const { task, state } = lane;
          if (this.turnOf(state) > this.turnOf(task.world) || d === LONGEST) {
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
  private force(state: State, actor: number, at: number): boolean {
    const { game, mask } = this;
    while (game.actor(state) === actor) {
      if (game.legalMask(state, mask, at) > 1) return true;
      this.apply(state, mask.indexOf(1, at) - at);
    }
    return false;
  }

  private run(n: number): ReturnType<Evaluator["run"]> {
    if (performance.now() > this.end) throw thinksTooLong(this.name, this.limit);
    return this.net.run(this.input, this.mask, n);
  }

  private apply(state: State, action: number): void {
    this.dice.begin(state);
    this.game.apply(state, action, this.dice);
  }
}

/** The better half of the plans, by their mean, after the first. */
function halved([first, ...others]: readonly Plan[]): Plan[] {
  others.sort((a, b) => sum(b.values) - sum(a.values));
  return [first!, ...others.slice(0, Math.max(1, Math.floor(others.length / 2)))];
}

/** The best plan that is better than the first by more than a standard error of the difference; else the first. */
export function chosen(plans: readonly Plan[]): Plan {
  const first = plans[0]!;
  let best = first;
  let most = 0;
  for (const plan of plans.slice(1)) {
    const gains = plan.values.map((v, i) => v - first.values[i]!);
    const n = gains.length;
    const mean = sum(gains) / n;
    const variance = sum(gains.map((g) => (g - mean) ** 2)) / (n - 1);
    const sure = mean - Math.sqrt(variance / n);
    if (sure > most) [best, most] = [plan, sure];
  }
  return best;
}
