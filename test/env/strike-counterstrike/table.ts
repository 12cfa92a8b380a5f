import { expect } from "vitest";
import type { GameData, Json, JsonObject } from "../../../env/core/game.js";
import { Env, stepScripted } from "../../../env/core/env.js";
import type { ScriptEntry } from "../../../env/core/dice/dice.js";
import { strikeCounterstrike } from "../../../env/strike-counterstrike/index.js";
import rules from "../../../env/strike-counterstrike/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";

export const type = strikeCounterstrike;
export const game = type.load({ concede: false }, type.data);

/** A test of a numbered rule; the rule index has to contain the number. */
export const rule = ruleTests(rules);

/** A game at a position. */
export function at(position: JsonObject, seed = "table"): Env {
  const env = new Env(game);
  env.resetTo(position, seed);
  return env;
}

/** Plays actions with dice, `["hex 2507", 3, "inf-161"]`; every position on the way holds together. */
export function play(env: Env, ...moves: (readonly [string, ...ScriptEntry[]])[]): Env {
  for (const [action, ...dice] of moves) {
    stepScripted(env, action, dice);
    expect(env.game.invariantViolation(env.state)).toBeNull();
  }
  return env;
}

/** The full position, loosely typed for tests. */
export interface Position {
  turn: number;
  phase: string;
  armies: Record<string, { hex: string; steps: number; stopped: boolean; fired: boolean }>;
  engineer: { host: string | null; steps: number };
  front: Record<string, string>;
  garrisons: Record<string, string[]>;
  pool: string[];
  poolSize: number;
  track: Record<string, string[]>;
  removed: string[];
  control: Record<string, string>;
  captured: string[];
  partisan: string;
  interceptor: string;
  clock: number;
  entered: Record<string, number>;
  placed: Record<string, number>;
  purge?: number;
  result?: string;
  kCount: number;
  forts: number;
  battle?: {
    hex: string;
    units: string[];
    support: string[];
    relief: boolean;
    pocket: string[];
    round: number;
    hits: number;
  };
  active?: { army: string; mp: number };
}
export const position = (env: Env): Position => env.game.write(env.state) as unknown as Position;

/** The data files with one value replaced, by path. */
export function changed(file: string, path: (string | number)[], value: Json): GameData {
  const copy = JSON.parse(JSON.stringify(type.data)) as Record<string, never>;
  let o: Record<string | number, never> = copy[file]!;
  for (const key of path.slice(0, -1)) o = o[key]!;
  o[path.at(-1)!] = value as never;
  return copy;
}
