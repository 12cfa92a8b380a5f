import { importGame } from "../../../agents/import-game.js";
import { OnnxAgent } from "../../../agents/onnx.js";
import { Env, loadGame, KesselError, type Options, toReplay } from "../../../env/index.js";
import { NetEvaluator } from "../../analysis/evaluator.js";
import { OneDecision } from "../../session/one-decision.js";
import { type Differing, differencesOf, type OpenDecision } from "./differ.js";
import { RunShelf } from "./run-library.js";

/** What the thread is started with. */
export interface CompareStart {
  readonly dir: string;
  readonly game: string;
  readonly options: Options;
}

/** Two nets of a run. */
export interface CompareTask {
  readonly run: string;
  readonly one: string;
  readonly other: string;
  readonly seed: string;
}

export interface Compared extends Differing {
  readonly replay: string;
  readonly decisions: number;
}

/** So warm are the nets in their game: the likeliest actions most of the time, and other games with other seeds. */
const TEMPERATURE = 0.5;

/** Lets two nets play a game, the first in the first seat, and asks both about every decision of it. */
export async function open({
  dir,
  game: id,
  options,
}: CompareStart): Promise<(task: CompareTask) => Promise<Compared>> {
  await importGame(id);
  const game = loadGame(id, options);
  const shelf = new RunShelf(dir);
  return async ({ run, one, other, seed }) => {
    const nets = [one, other];
    const names = nets.map((net) => `run:${run}/${net}`);
    const agents = await Promise.all(names.map((who, p) => shelf.seat(who, game, `${seed}/${p}`, TEMPERATURE)));
    try {
      const env = new Env(game);
      env.reset(seed);
      const actions: string[] = [];
      const steps: OpenDecision[] = [];
      const choice = new Int32Array(1);
      while (env.actor >= 0 && !env.truncated) {
        if (env.legalCount === 1) choice[0] = env.mask.indexOf(1);
        else {
          await agents[env.actor]!.act(new OneDecision(env), choice);
          steps.push({ at: actions.length, state: env.state.slice(), taken: choice[0]! });
        }
        actions.push(game.actions[choice[0]!]!);
        env.step(choice[0]!);
      }
      const evaluators = agents.map((agent, i) => {
        if (!(agent instanceof OnnxAgent)) throw new KesselError("bad-agent", `${names[i]!} is no net`);
        return new NetEvaluator(nets[i]!, agent.model, game);
      });
      const sides = Object.fromEntries(game.players.map((p, i) => [p, names[i]!]));
      return {
        replay: JSON.stringify(toReplay(game, seed, actions, env, { agents: sides })),
        decisions: actions.length,
        ...(await differencesOf(game, steps, evaluators[0]!, evaluators[1]!)),
      };
    } finally {
      for (const agent of agents) await agent.close?.();
    }
  };
}
