import { type Agent, canPlay } from "../../agents/agent.js";
import { ServerDown } from "../../agents/llm/endpoint.js";
import { Env, type Game, KesselError, loadGame } from "../../env/index.js";
import type { Puzzle, PuzzleBook } from "../puzzles/puzzle.js";
import { OneDecision } from "../session/one-decision.js";

/** The result of an agent in a puzzle. */
export interface Solved {
  readonly right: boolean;
  /**
   * Mean return of the best action minus that of the action played. If the answer has no legal action, minus the mean
   * over all legal actions.
   */
  readonly regret: number;
}

/**
 * Lets an agent solve the puzzles of a game. A puzzle is not solved if the agent names no legal action (KesselError
 * `bad-answer`).
 *
 * @param book null for a game without puzzles
 * @param together whether to ask all at once, for an agent that can wait for several answers
 * @param agentFor makes the agent for a game; once for all puzzles with the same options
 * @returns for each puzzle whether its action is right, or null if its server was down. Puzzles of sides that it does
 *   not play are left out
 */
export async function solvePuzzles(
  book: PuzzleBook | null,
  together: boolean,
  agentFor: (game: Game) => Agent | Promise<Agent>,
): Promise<(Solved | null)[]> {
  const made = new Map<string, { readonly game: Game; readonly agent: Agent }>();
  const asked: { readonly agent: Agent; readonly decision: OneDecision; readonly puzzle: Puzzle }[] = [];
  try {
    for (const puzzle of book?.puzzles ?? []) {
      const { id: name, side, options, position } = puzzle;
      const key = JSON.stringify(options);
      let found = made.get(key);
      if (found === undefined) {
        const game = loadGame(book!.game, options);
        found = { game, agent: await agentFor(game) };
        made.set(key, found);
      }
      const { game, agent } = found;
      if (!canPlay(agent, game.players.indexOf(side))) continue;
      const env = new Env(game);
      env.resetTo(position, name);
      asked.push({ agent, decision: new OneDecision(env, asked.length), puzzle });
    }
    const solve = async ({ agent, decision, puzzle }: (typeof asked)[number]): Promise<Solved | null> => {
      const choice = new Int32Array(1);
      const { values, best, accepted } = puzzle;
      try {
        await agent.act(decision, choice);
      } catch (e) {
        if (e instanceof ServerDown) return null;
        if (!(e instanceof KesselError) || e.code !== "bad-answer") throw e;
        const all = Object.values(values);
        return { right: false, regret: values[best]! - all.reduce((a, b) => a + b, 0) / all.length };
      }
      const taken = decision.game.actions[choice[0]!]!;
      return { right: accepted.includes(taken), regret: values[best]! - values[taken]! };
    };
    if (together) return await Promise.all(asked.map(solve));
    const scores: (Solved | null)[] = [];
    for (const one of asked) scores.push(await solve(one));
    return scores;
  } finally {
    for (const { agent } of made.values()) await agent.close?.();
  }
}
