import { KesselError, oneOf, shown } from "../env/index.js";
import type { Agent, AgentContext, AgentMaker } from "./agent.js";
import { importHeuristics, makeHeuristic } from "./heuristics/index.js";
import { RandomAgent } from "./random.js";
import { fromShortName, roster } from "./roster.js";

/** Kinds of agents by the word before the colon. Code of the larger ones is loaded when one is made. */
const KINDS: Readonly<Record<string, AgentMaker>> = {
  random: (_argument, { seed }) => new RandomAgent(seed),
  onnx: async (argument, context) => (await import("./onnx.js")).makeOnnxAgent(argument, context),
  heuristic: makeHeuristic,
  search: async (argument, context) => (await import("./search/index.js")).makeSearch(argument, context),
  external: async (argument, context) => (await import("./external.js")).makeExternal(argument, context),
  llm: async (argument, context) => (await import("./llm/llm.js")).makeLlm(argument, context),
};

export const agentKinds = (): string[] => Object.keys(KINDS);

/**
 * Makes an agent from its name: `random`, `heuristic:NAME`, `search:iterations=200`, `onnx:FILE`, `external:ADDRESS`,
 * `llm:URL,model=NAME`,
 * or a short one of the game's roster: `recruit`, `greedy`.
 *
 * @throws KesselError `bad-agent` for an unknown name, `bad-model` for a model that doesn't fit
 */
export async function makeAgent(name: string, context: AgentContext): Promise<Agent> {
  await importHeuristics(context.game.type.id);
  const colon = name.indexOf(":");
  const kind = colon < 0 ? name : name.slice(0, colon);
  const maker = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const full = maker === undefined && colon < 0 ? fromShortName(name, context.game) : null;
  if (full !== null) return makeAgent(full, withoutFolder(context));
  if (maker === undefined)
    throw new KesselError(
      "bad-agent",
      `there is no agent ${shown(name)}; kinds are ${oneOf(agentKinds())}; short names are ${oneOf(
        roster(context.game).map((e) => e.short),
        20,
      )}`,
    );
  return maker(colon < 0 ? "" : name.slice(colon + 1), context);
}

/**
 * Short names mean the models that come with Kessel, which can be trusted, whatever a server's own models folder is.
 */
function withoutFolder({ models: _, modelSeconds: __, ...rest }: AgentContext): AgentContext {
  return rest;
}
