import { Env, type JsonObject, type Options, type ScriptEntry, stepScripted } from "../../../env/index.js";
import rules from "../../../env/night-fight/data/rules.json" with { type: "json" };
import { loadOnce } from "../../load-once.js";
import { ruleTests } from "../../rule.js";

export const rule = ruleTests(rules);

const EMPTY = { turn: 1, columns: ["gone", "gone"] };

/** A table set up as written, the rest of it empty. */
export function table(position: JsonObject, options: Options = {}): Env {
  const env = new Env(loadOnce("night-fight", options));
  env.resetTo({ ...EMPTY, ...position }, "table");
  return env;
}

/** Plays actions in turn, the last one with these dice, and reads the position. */
export function after(env: Env, actions: readonly string[], dice: readonly ScriptEntry[] = []): Position {
  actions.forEach((action, i) => stepScripted(env, action, i === actions.length - 1 ? dice : []));
  return env.game.write(env.state) as unknown as Position;
}

export interface Position {
  turn: number;
  phase: string;
  budget: number;
  exited: number;
  result?: number;
  drawn?: number;
  ace?: string;
  columns: string[];
  flares: string[];
  wrecks: Record<string, number>;
  active?: { unit: string; mp?: number; target?: string };
  german: Record<string, { hex: string; moved?: boolean; fired?: boolean; supp?: boolean }>;
  soviet: Record<string, { hex: string; seen?: boolean; supp?: boolean }>;
  silent?: Record<string, Record<string, number[]>>;
}
