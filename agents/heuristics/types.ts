import type { Agent, AgentContext } from "../agent.js";

/** Scripted players of one game by name, weakest first. The same name plays every seat of the game. */
export type Heuristics = Readonly<Record<string, (context: AgentContext) => Agent>>;
