import { importGame } from "../../agents/import-game.js";
import { makeAgent } from "../../agents/registry.js";
import { Env, loadGame, type State } from "../../env/index.js";
import { OneDecision } from "../session/one-decision.js";
import type { ThreadStart } from "./agent-thread.js";

/** Opens one agent; each task is a state in which it has to decide. */
export async function open({ game: id, options, who, seed }: ThreadStart): Promise<(state: State) => Promise<number>> {
  await importGame(id);
  const game = loadGame(id, options);
  const agent = await makeAgent(who, { game, seed });
  const env = new Env(game);
  const choice = new Int32Array(1);
  return async (state) => {
    env.restore(state);
    await agent.act(new OneDecision(env), choice);
    return choice[0]!;
  };
}
