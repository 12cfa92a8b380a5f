import type { Agent } from "../../agents/agent.js";
import { checkChoice, DecisionBatch } from "../../agents/seats.js";
import { Batch, type Game, InvariantError, type State } from "../../env/index.js";

/** What is to be played, and who wants to know about it. Games are numbered 0 .. count - 1. */
export interface Play {
  readonly count: number;
  /** How many are played side by side. */
  readonly width: number;
  /** The seed of game `n`, which fixes its dice. */
  seed(n: number): string;
  /** Who fills the seats of game `n`, in the order of the players. */
  seats(n: number): readonly Agent[];
  /**
   * Called for every decision after `agent` was asked and before its choice is carried out.
   *
   * @param row the decision's row in what the agent was given
   * @param state the true state: for training, which may know it, and never for an agent
   */
  chosen?(n: number, agent: Agent, row: number, state: State, actor: number, action: number): void;
  /**
   * @param returns float32 [players], valid during the call
   * @param decisions length of the game, forced ones included
   * @param state how it ended; not for agents
   */
  ended(n: number, returns: Float32Array, decisions: number, state: State): void;
}

/** Plays whole games, agents asked in batches; what happens depends on seeds and agents only, `width` included. */
export async function playGames(game: Game, play: Play): Promise<void> {
  const width = Math.min(play.width, play.count);
  if (width < 1) return;
  const batch = new Batch(game, { size: width, autoreset: "disabled" });
  const P = game.players.length;
  const numbers = Int32Array.from({ length: width }, (_, i) => i);
  const seats = Array.from({ length: width }, (_, i) => play.seats(i));
  const gathered = new Map<Agent, DecisionBatch>();
  const choices = new Int32Array(width);
  batch.open(seats.map((_, i) => play.seed(i)));
  let next = width;
  /** Reports ended games and gives their places to the next ones. @returns places to be opened */
  const renew = (): number[] => {
    const fresh: number[] = [];
    for (let i = 0; i < width; i++) {
      if (numbers[i]! < 0 || !batch.over(i)) continue;
      if (batch.truncated[i] === 1)
        throw new InvariantError(`${game.type.id} went on past its own bound of ${game.maxDecisions} decisions`);
      play.ended(numbers[i]!, batch.rewards.subarray(i * P, (i + 1) * P), batch.decisions[i]!, batch.states[i]!);
      numbers[i] = next < play.count ? next++ : -1;
      if (numbers[i]! < 0) continue;
      seats[i] = play.seats(numbers[i]!);
      fresh.push(i);
    }
    return fresh;
  };
  for (;;) {
    for (let fresh = renew(); fresh.length > 0; fresh = renew())
      batch.open(
        fresh.map((i) => play.seed(numbers[i]!)),
        fresh,
      );
    for (const g of gathered.values()) g.size = 0;
    let running = false;
    for (let i = 0; i < width; i++) {
      if (numbers[i]! < 0) continue;
      running = true;
      const agent = seats[i]![batch.actors[i]!]!;
      let g = gathered.get(agent);
      if (g === undefined) {
        g = new DecisionBatch(batch);
        gathered.set(agent, g);
      }
      g.add(i);
    }
    if (!running) return;
    for (const [agent, g] of gathered) {
      if (g.size === 0) continue;
      const pending = agent.act(g, choices);
      if (pending !== undefined) await pending;
      for (let k = 0; k < g.size; k++) {
        const i = g.rows[k]!;
        checkChoice(batch, i, agent, choices[k]!);
        play.chosen?.(numbers[i]!, agent, k, batch.states[i]!, g.actors[k]!, choices[k]!);
        batch.playDecision(i, choices[k]!);
      }
    }
  }
}
