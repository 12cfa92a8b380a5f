import {
  AUTORESETS,
  Batch,
  type BatchOptions,
  Env,
  type Game,
  hashState,
  NOBODY,
  type Observation,
  type Rng,
  TENSORS,
} from "../../env/index.js";
import { pickLegal } from "../../agents/random.js";
import type { Complaints } from "./complaints.js";

const same = (a: Observation, b: Observation) => TENSORS.every((t) => a[t].every((x, i) => x === b[t][i]));

/**
 * A batch beside one `Env` for each of its games: same states, masks, observations, rewards and flags step by step, in
 * all three autoreset modes, with and without forced decisions, with and without a limit.
 */
export function checkBatch(game: Game, size: number, steps: number, rng: Rng, complaints: Complaints): void {
  for (const autoreset of AUTORESETS)
    for (const extra of [{ skipForced: false }, { skipForced: true }, { skipForced: true, maxDecisions: 7 }]) {
      const options = { size, autoreset, ...extra };
      const wrong = compareBatch(game, options, steps, rng);
      if (wrong !== null) complaints.add("batch", `${JSON.stringify(options)}: ${wrong}`);
    }
}

function compareBatch(game: Game, options: BatchOptions, steps: number, rng: Rng): string | null {
  const { size, autoreset, ...envOptions } = options;
  const batch = new Batch(game, options);
  const envs = Array.from({ length: size }, () => new Env(game, envOptions));
  const A = game.actions.length;
  const actions = new Int32Array(size);
  /** The player last asked, for whom an ended episode is observed. */
  const asked = new Int32Array(size);
  const begin = (i: number): void => {
    envs[i]!.reset(batch.seedOf(i));
    asked[i] = Math.max(envs[i]!.actor, 0);
  };
  const compare = (i: number): string | null => {
    const env = envs[i]!;
    const ended = env.terminated || env.truncated;
    if (hashState(batch.states[i]!, 0) !== hashState(env.state, 0)) return "states differ";
    if (batch.actors[i] !== (ended ? NOBODY : env.actor)) return `actor ${batch.actors[i]} against ${env.actor}`;
    if (batch.legalCounts[i] !== (ended ? 0 : env.legalCount))
      return `${batch.legalCounts[i]} legal actions against ${env.legalCount}`;
    for (let a = 0; a < A; a++)
      if (batch.mask[i * A + a] !== (ended ? 0 : env.mask[a])) return `masks differ at ${game.actions[a]}`;
    if (batch.decisions[i] !== env.decisions) return `${batch.decisions[i]} decisions against ${env.decisions}`;
    const viewer = env.truncated ? env.actor : env.terminated ? asked[i]! : env.actor;
    return same(batch.observations.rows[i]!, env.observe(viewer))
      ? null
      : `observations for ${game.players[viewer]} differ`;
  };
  batch.reset("batch");
  for (let i = 0; i < size; i++) begin(i);
  for (let step = 0; step <= steps; step++) {
    for (let i = 0; i < size; i++) {
      const wrong = compare(i);
      if (wrong !== null) return `environment ${i}, step ${step}: ${wrong}`;
    }
    if (step === steps) break;
    if (autoreset === "disabled") {
      const over = envs.flatMap((e, i) => (e.terminated || e.truncated ? [i] : []));
      if (over.length > 0) {
        batch.reset(`again ${step}`, over);
        over.forEach(begin);
        continue;
      }
    }
    const ended = envs.map((e) => e.terminated || e.truncated);
    for (let i = 0; i < size; i++) actions[i] = ended[i] ? -1 : pickLegal(batch.mask, i * A, A, rng);
    batch.step(actions);
    for (let i = 0; i < size; i++) {
      const wrong = ended[i] ? follow(i) : take(i);
      if (wrong !== null) return `environment ${i}, step ${step}: ${wrong}`;
    }
  }
  return null;

  /** The step after an end in `next-step` mode: a new episode, no reward. */
  function follow(i: number): string | null {
    begin(i);
    if (batch.terminated[i] !== 0 || batch.truncated[i] !== 0)
      return "the first observation of an episode is flagged as its end";
    return rewards(i).every((r) => r === 0) ? null : "a reward without an action";
  }

  function take(i: number): string | null {
    const env = envs[i]!;
    asked[i] = env.actor;
    const result = env.step(actions[i]!);
    const got = rewards(i);
    if (!got.every((r, p) => r === result.rewards[p]))
      return `rewards ${got.join(", ")} against ${result.rewards.join(", ")}`;
    const ended = result.terminated || result.truncated;
    const flags = `${batch.terminated[i]}${batch.truncated[i]}`;
    if (flags !== `${Number(result.terminated)}${Number(result.truncated)}`)
      return `flags ${flags} against ${Number(result.terminated)}${Number(result.truncated)}`;
    if (batch.final === null) return null;
    if (batch.finalWritten[i] !== Number(ended)) return "finalWritten does not say that the episode ended";
    if (!ended) return null;
    if (!same(batch.final.rows[i]!, env.observe(result.truncated ? env.actor : asked[i]!)))
      return "the final observation is not that of the end";
    begin(i);
    return null;
  }

  function rewards(i: number): number[] {
    const n = game.players.length;
    return [...batch.rewards.subarray(i * n, (i + 1) * n)];
  }
}
