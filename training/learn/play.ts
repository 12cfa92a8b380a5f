import type { Agent } from "../../agents/agent.js";
import { checkChoice, DecisionBatch } from "../../agents/seats.js";
import { Batch, type Game, InvariantError, type State } from "../../env/index.js";

/** Games to play, numbered 0 .. count - 1, with callbacks. */
export interface PlayOptions {
  readonly count: number;
  /** Games played at the same time. */
  readonly width: number;
  /** The seed of game `n`. */
  seed(n: number): string;
  /** The agents of game `n`, by player. */
  seats(n: number): readonly Agent[];
  /**
   * Called for every decision, before the action is applied.
   *
   * @param row the decision's row in the agent's batch
   * @param state the true state: only for training, never for an agent
   */
  onDecision?(n: number, agent: Agent, row: number, state: State, actor: number, action: number): void;
  /**
   * Called for every decision when its action and the forced ones after it are played.
   *
   * @param state as for `onDecision`
   */
  onPlayed?(n: number, state: State, action: number): void;
  /** Awaited when every running game has had a decision. */
  afterRound?(): Promise<void>;
  /**
   * @param returns float32 [players], valid during the call
   * @param decisions length of the game, forced decisions included
   * @param state the true final state; not for agents
   */
  onEnd(n: number, returns: Float32Array, decisions: number, state: State): void;
}

/** Plays whole games with batched agents. The games depend on seeds, agents and `width` only. */
export async function playGames(game: Game, play: PlayOptions): Promise<void> {
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
  /** Reports ended games and assigns their places to the next ones. @returns the places to reset */
  const replaceEndedGames = (): number[] => {
    const places: number[] = [];
    for (let i = 0; i < width; i++) {
      if (numbers[i]! < 0 || !batch.over(i)) continue;
      if (batch.truncated[i] === 1)
        throw new InvariantError(`${game.type.id} exceeded its bound of ${game.maxDecisions} decisions`);
      play.onEnd(numbers[i]!, batch.rewards.subarray(i * P, (i + 1) * P), batch.decisions[i]!, batch.states[i]!);
      numbers[i] = next < play.count ? next++ : -1;
      if (numbers[i]! < 0) continue;
      seats[i] = play.seats(numbers[i]!);
      places.push(i);
    }
    return places;
  };
  for (;;) {
    for (let places = replaceEndedGames(); places.length > 0; places = replaceEndedGames())
      batch.open(
        places.map((i) => play.seed(numbers[i]!)),
        places,
      );
    for (const g of gathered.values()) g.size = 0;
    let running = false;
    for (let i = 0; i < width; i++) {
      if (numbers[i]! < 0) continue;
      running = true;
      const agent = seats[i]![batch.actors[i]!]!;
      let g = gathered.get(agent);
      if (g === undefined) {
        g = new DecisionBatch(batch, agent.joined === true);
        gathered.set(agent, g);
      }
      g.add(i, agent);
    }
    if (!running) return;
    for (const [agent, g] of gathered) {
      if (g.size === 0) continue;
      const pending = agent.act(g, choices);
      if (pending !== undefined) await pending;
      for (let k = 0; k < g.size; k++) {
        const i = g.rows[k]!;
        checkChoice(batch, i, agent, choices[k]!);
        play.onDecision?.(numbers[i]!, agent, k, batch.states[i]!, g.actors[k]!, choices[k]!);
        batch.playDecision(i, choices[k]!);
        play.onPlayed?.(numbers[i]!, batch.states[i]!, choices[k]!);
      }
    }
    await play.afterRound?.();
  }
}
