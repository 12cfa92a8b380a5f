import { type Agent, canPlay } from "../../agents/agent.js";
import { ServerDown } from "../../agents/llm/endpoint.js";
import { Env, type Game, loadGame } from "../../env/index.js";
import { puzzlesOf } from "../puzzles/puzzle.js";
import { OneDecision } from "../session/one-decision.js";

/**
 * Puts the puzzles of a game before an agent.
 *
 * @param id of the game
 * @param together all at once: for an agent that can wait for several answers
 * @param agentFor makes the agent for a game; once for all puzzles with the same options
 * @returns 1 for each puzzle whose best action it took, else 0, and null where its server was down; puzzles of sides that
 *   it doesn't play are left out
 */
export async function solvePuzzles(
  id: string,
  together: boolean,
  agentFor: (game: Game) => Agent | Promise<Agent>,
): Promise<(number | null)[]> {
  const made = new Map<string, { readonly game: Game; readonly agent: Agent }>();
  const asked: { readonly agent: Agent; readonly decision: OneDecision; readonly best: string }[] = [];
  try {
    for (const { id: name, side, options, position, best } of puzzlesOf(id)?.puzzles ?? []) {
      const key = JSON.stringify(options);
      let found = made.get(key);
      if (found === undefined) {
        const game = loadGame(id, options);
        found = { game, agent: await agentFor(game) };
        made.set(key, found);
      }
      const { game, agent } = found;
      if (!canPlay(agent, game.players.indexOf(side))) continue;
      const env = new Env(game);
      env.resetTo(position, name);
      asked.push({ agent, decision: new OneDecision(env), best });
    }
    const solve = async ({ agent, decision, best }: (typeof asked)[number]): Promise<number | null> => {
      const choice = new Int32Array(1);
      try {
        await agent.act(decision, choice);
      } catch (e) {
        if (e instanceof ServerDown) return null;
        throw e;
      }
      return decision.game.actions[choice[0]!] === best ? 1 : 0;
    };
    if (together) return await Promise.all(asked.map(solve));
    const scores: (number | null)[] = [];
    for (const puzzle of asked) scores.push(await solve(puzzle));
    return scores;
  } finally {
    for (const { agent } of made.values()) await agent.close?.();
  }
}
