import { createHash } from "node:crypto";
import {
  type Game,
  newState,
  type Observation,
  Rng,
  type Seed,
  type State,
  TENSORS,
  tensorSizes,
} from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import type { Evaluator } from "./leaves.js";
import { differing, type Lane, type Plan, type PlanRoot, Plans } from "./plans.js";
import { openRows, thinksTooLong } from "./rows.js";

/** Plans drawn from the policy, equal ones included. */
const DRAWN = 32;
/** Decisions of plans that are kept at most. */
const KEPT = 100_000;
/** Playouts that run side by side. */
const LANES = 2048;

interface Task extends PlanRoot {
  readonly row: number;
  readonly world: State;
  /** The first is what the net would do. */
  plans: Plan[];
  /** Playouts of a round: each halves the plans. */
  playouts: number;
  /** Worlds that the plans were tried in. */
  worlds: number;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * Chooses among plans and not among actions, for games in which a turn is many decisions and only together do they come
 * to anything. A net's policy draws plans: what a seat does until dice roll, another player decides or the turn ends.
 * Each is tried in sampled worlds: played, and then the net plays all sides to the end of the turn, where its value is
 * taken. After each round the worse half goes; what the net itself would do stays, and is replaced only by a plan that
 * is better by more than a standard error. A plan is followed as long as the seat sees what it was made for.
 */
export class PlanAgent implements Agent {
  private readonly rng: Rng;
  private readonly plans: Plans;
  private readonly states: State[] = [];
  /** Planned action by what the seat sees and may do then (`keyOf`). */
  private readonly planned = new Map<string, number>();
  private readonly sizes;
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
    this.plans = new Plans(game, net, this.rng, () => {
      if (performance.now() > this.end) throw thinksTooLong(name, limit);
    });
    this.sizes = tensorSizes(game.observation);
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
        tasks.push({ row, actor: decisions.actors[row]!, world, plans: [], playouts: 0, worlds: 0 });
      }
    }
    if (tasks.length === 0) return;
    this.end = performance.now() + this.limit * tasks.length;
    for (const [task, plans] of differing(await this.plans.draw(tasks, DRAWN))) task.plans = plans;
    let left = tasks.filter((t) => t.plans.length > 1);
    for (const task of left) task.playouts = this.iterations / (1 + Math.floor(Math.log2(task.plans.length - 1)));
    while (left.length > 0) {
      await this.tryPlans(decisions, left);
      left = left.filter((t) => t.plans.length > 2);
      for (const task of left) task.plans = halved(task.plans);
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

  /** Tries every plan in the same worlds, for one round. */
  private async tryPlans(decisions: Decisions, tasks: readonly Task[]): Promise<void> {
    const { game, plans, states } = this;
    const world = newState(game.stateSize);
    let lanes: Lane[] = [];
    for (const task of tasks) {
      const worlds = Math.max(2, Math.floor(task.playouts / task.plans.length));
      for (let w = 0; w < worlds; w++) {
        decisions.sample(task.row, world, this.rng);
        for (const plan of task.plans) {
          const state = (states[lanes.length] ??= newState(game.stateSize));
          state.set(world);
          plans.follow(plan, task.actor, world, state);
          lanes.push({ root: task, plan, state, world: task.worlds });
        }
        task.worlds++;
        if (lanes.length + task.plans.length > LANES) {
          await plans.playOut(lanes);
          lanes = [];
        }
      }
    }
    await plans.playOut(lanes);
  }

  /** Keeps what the plan does, by what the seat will see; plays it in the task's world. */
  private remember({ actions }: Plan, { actor, world }: Task): void {
    const { plans } = this;
    const row = plans.rows[0]!;
    for (const action of actions) {
      plans.force(world, actor, 0);
      this.game.observe(world, actor, row);
      this.planned.set(this.keyOf(row, plans.mask, 0), action);
      plans.apply(world, action);
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
}

/** The better half of the plans, by their mean, after the first. */
function halved([first, ...others]: readonly Plan[]): Plan[] {
  others.sort((a, b) => sum(b.values) - sum(a.values));
  return [first!, ...others.slice(0, Math.max(1, Math.floor(others.length / 2)))];
}

/** The best plan that is better than the first by more than a standard error of the difference; otherwise the first. */
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
