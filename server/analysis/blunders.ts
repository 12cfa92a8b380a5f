import { makeAgent } from "../../agents/registry.js";
import { Env, EVERYTHING, type Game, type Replay, Rng, toReplay } from "../../env/index.js";
import { OneDecision } from "../session/one-decision.js";
import { analyse } from "./analyse.js";
import type { Evaluator, Judgement } from "./evaluator.js";
import { type GameRecord, recordOf, type Step } from "./record.js";

/** What is compared: decisions called bad, and as a measure others of the same side in the same games. */
export interface Confirmed {
  readonly decisions: number;
  /** Those where the judge prefers something else than what was played. */
  readonly agreed: number;
  /** Mean of what the judge thinks that the action cost. */
  readonly meanLoss: number;
}

export interface BlunderCount {
  readonly games: number;
  readonly worst: Confirmed;
  readonly others: Confirmed;
}

/** What a judge thinks an action cost: its value less that of the action preferred; 0 for the preferred one itself. */
export function costOf({ actions }: Judgement, taken: number): number {
  const preferred = actions.reduce((a, b) => (b.probability > a.probability ? b : a));
  if (preferred.action === taken) return 0;
  const value = actions.find((a) => a.action === taken)?.value;
  // an action that a search never came back to is worth no more than it seemed, which was little
  return Math.max(0, preferred.value! - (value ?? -1));
}

/**
 * Plays games until one side has lost `many` of them. @returns their records, and who lost, by index
 */
export async function lostGames(
  game: Game,
  who: readonly string[],
  loser: number,
  many: number,
  seed: string,
): Promise<GameRecord[]> {
  const agents = await Promise.all(who.map((name, p) => makeAgent(name, { game, seed: `${seed}/agent ${p}` })));
  const choice = new Int32Array(1);
  const found: GameRecord[] = [];
  const returns = new Float32Array(game.players.length);
  try {
    for (let g = 0; found.length < many; g++) {
      const env = new Env(game);
      env.reset(`${seed}/${g}`);
      const actions: string[] = [];
      while (env.actor >= 0 && !env.truncated) {
        if (env.legalCount === 1) choice[0] = env.mask.indexOf(1);
        else await agents[env.actor]!.act(new OneDecision(env), choice);
        actions.push(game.actions[choice[0]!]!);
        env.step(choice[0]!);
      }
      game.returns(env.state, returns);
      if (returns[loser]! >= 0) continue;
      const replay: Replay = toReplay(game, `${seed}/${g}`, actions, env);
      found.push(recordOf(game.type, replay, () => EVERYTHING));
    }
  } finally {
    for (const agent of agents) await agent.close?.();
  }
  return found;
}

/**
 * Analyses lost games, and asks a judge about the loser's worst decisions, and about as many others picked at random.
 *
 * @param worst decisions of each game
 */
export async function countBlunders(
  records: readonly GameRecord[],
  loser: number,
  evaluator: Evaluator,
  judge: Evaluator,
  worst: number,
  progress?: (done: number, all: number) => void,
): Promise<BlunderCount> {
  const rng = new Rng("others");
  const tally = () => ({ decisions: 0, agreed: 0, loss: 0 });
  const [bad, others] = [tally(), tally()];
  const ask = async (steps: readonly Step[], into: ReturnType<typeof tally>): Promise<void> => {
    const judged = await judge.judge(steps.map((s) => s.before));
    judged.forEach((j, i) => {
      const cost = costOf(j, steps[i]!.action);
      into.decisions++;
      into.loss += cost;
      if (cost > 0) into.agreed++;
    });
  };
  for (const [g, record] of records.entries()) {
    const { sides } = await analyse(record, evaluator, { seat: null, worst });
    const numbers = sides[loser]!.worst.map((b) => b.number);
    await ask(
      numbers.map((n) => record.steps[n - 1]!),
      bad,
    );
    const rest = record.steps.filter((s, t) => s.actor === loser && s.legal > 1 && !numbers.includes(t + 1));
    const picked = Array.from({ length: Math.min(rest.length, numbers.length) }, () => rest[rng.below(rest.length)]!);
    await ask(picked, others);
    progress?.(g + 1, records.length);
  }
  const confirmed = ({ decisions, agreed, loss }: ReturnType<typeof tally>): Confirmed => ({
    decisions,
    agreed,
    meanLoss: loss / Math.max(1, decisions),
  });
  return { games: records.length, worst: confirmed(bad), others: confirmed(others) };
}
