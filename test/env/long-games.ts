import { makeAgent } from "../../agents/registry.js";
import type { Agent } from "../../agents/agent.js";
import { Env, type Game, newState, Rng, RNG_WORDS, SeededDice, type State, type StateView } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";

/** A game that was played to its end, and what was wrong in it. */
export interface LongGame {
  readonly decisions: number;
  /** Returns of the players, -1..1. */
  readonly returns: readonly number[];
  /** Positions that were written, read back and compared word by word. */
  readonly restored: number;
  /** Samples that were dealt at these positions, one for each player, and those that ignored some of the history. */
  readonly samples: number;
  readonly fallbacks: number;
  readonly end: State;
}

/** Thrown for what a game must never do; the message says in which decision it did. */
export class Broken extends Error {
  override readonly name = "Broken";
}

export interface LongGameOptions {
  /** Plays each seat: `random`, `heuristic:planner`. */
  readonly agents: readonly string[];
  readonly seed: string;
  /** About how many decisions there are to one that is written, read back and sampled; 0: none. */
  readonly every: number;
}

/** The first word in which a state read back differs from its own, -1 none. The random stream is not written. */
function differAt(a: StateView, b: StateView): number {
  for (let w = RNG_WORDS; w < a.length; w++) if (a[w] !== b[w]) return w;
  return -1;
}

/**
 * Plays a game to its end. After each decision the invariants are asked; at random decisions the position is written
 * and read back, and a sample is dealt to each player. Then the game is played again from its actions. Nobody
 * resigns or ends the game early: an action `declare-end` is left out where there is another.
 *
 * @throws Broken at the first fault
 */
export async function playLong(game: Game, { agents, seed, every }: LongGameOptions): Promise<LongGame> {
  const seats = await Promise.all(agents.map((name, i) => makeAgent(name, { game, seed: `${seed}/${i}` })));
  const env = new Env(game);
  const rng = new Rng(`${seed}/points`);
  const [again, sample] = [newState(game.stateSize), newState(game.stateSize)];
  const actions: number[] = [];
  let [restored, samples, fallbacks] = [0, 0, 0];
  const fault = (what: string | null): void => {
    if (what !== null) throw new Broken(`${game.type.id}, seed ${seed}, after decision ${actions.length}: ${what}`);
  };
  env.reset(seed);
  fault(game.invariantViolation(env.state));
  while (!env.terminated && !env.truncated) {
    actions.push(await chosen(env, seats, rng));
    env.step(actions.at(-1)!);
    fault(game.invariantViolation(env.state));
    if (every === 0 || env.terminated || rng.below(every) > 0) continue;
    again.fill(0);
    game.read(game.write(env.state), again, new SeededDice());
    const word = differAt(env.state, again);
    if (word >= 0) fault(`${game.fields.findLast((f) => f.offset <= word)!.name} is read back as another`);
    restored++;
    for (let player = 0; player < game.players.length; player++) {
      if (!game.resample(env.state, player, sample, rng)) fallbacks++;
      fault(game.invariantViolation(sample));
      samples++;
    }
  }
  const once = new Env(game);
  once.reset(seed);
  for (const [i, action] of actions.entries()) {
    if (once.mask[action] !== 1) fault(`its actions, played again, differ at decision ${i}`);
    once.step(action);
  }
  if (once.hash() !== env.hash()) fault("its actions, played again, lead to another end");
  const returns = new Float32Array(game.players.length);
  game.returns(env.state, returns);
  return {
    decisions: actions.length,
    returns: Array.from(returns),
    restored,
    samples,
    fallbacks,
    end: env.state.slice(),
  };
}

const out = new Int32Array(1);

/** The action of the seat that decides. */
async function chosen(env: Env, seats: readonly Agent[], rng: Rng): Promise<number> {
  const { game, mask } = env;
  if (env.legalCount === 1) return mask.indexOf(1);
  const end = game.actions.indexOf("declare-end");
  await seats[env.actor]!.act(new OneDecision(env), out);
  if (out[0] !== end) return out[0]!;
  let k = rng.below(env.legalCount - 1);
  for (let a = 0; ; a++) if (mask[a] === 1 && a !== end && k-- === 0) return a;
}
