import type { Game, Observation, Replay, Seed } from "../../../env/index.js";
import { Env, tensorSizes, toReplay } from "../../../env/index.js";
import { NetEvaluator } from "../../../server/analysis/evaluator.js";

/**
 * An evaluator whose net is a function of one row of the observation.
 *
 * @param valueOf the value for the deciding seat
 * @param chosen the action that is taken; without it all are as likely
 */
export function evaluatorBy(
  game: Game,
  valueOf: (row: Observation) => number,
  chosen?: (row: Observation) => number,
): NetEvaluator {
  const size = tensorSizes(game.observation);
  return new NetEvaluator(
    "a function",
    {
      run: (o, _mask, n) => {
        const A = game.actions.length;
        const policy = new Float32Array(n * A);
        const value = new Float32Array(n);
        for (let i = 0; i < n; i++) {
          const part = (t: keyof typeof size): Float32Array => o[t].subarray(i * size[t], (i + 1) * size[t]);
          const row = { globals: part("globals"), map: part("map"), units: part("units"), decision: part("decision") };
          value[i] = valueOf(row);
          if (chosen !== undefined) policy[i * A + chosen(row)] = 50;
        }
        return Promise.resolve({ policy, value });
      },
      close: () => Promise.resolve(),
    },
    game,
  );
}

/** A value between -1 and 1 that changes with every number of the observation. */
export const arbitrary = (row: Observation): number => {
  let sum = 0;
  for (const t of ["globals", "map", "units", "decision"] as const)
    row[t].forEach((x, i) => (sum += x * Math.sin(1 + i)));
  return Math.sin(5 * sum);
};

/** The game of these actions; `more` are chosen by a rule after them. */
export function played(
  game: Game,
  seed: Seed,
  actions: readonly string[],
  more?: (env: Env) => number,
  most = Infinity,
): Replay {
  const env = new Env(game);
  env.reset(seed);
  const all: string[] = [];
  const take = (action: string): void => {
    env.step(action);
    all.push(action);
  };
  actions.forEach(take);
  while (more !== undefined && env.actor >= 0 && all.length < most) take(game.actions[more(env)]!);
  return toReplay(game, String(seed), all, env);
}

/** One legal action after another, as their number in the game says. */
export const inTurn = (env: Env): number => {
  const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
  return legal[env.decisions % legal.length]!;
};
