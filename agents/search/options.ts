import { type Game, KesselError, oneOf, shown } from "../../env/index.js";

/** What stands behind `search:`, as `name=value` pairs with commas between. */
export interface SearchOptions {
  /** Simulations a decision. Default 200, unless `ms` is given. */
  readonly iterations: number | null;
  /** Milliseconds a decision instead: then results depend on the machine. */
  readonly ms: number | null;
  /** Who plays on from a leaf: `random` (default) or `heuristic:NAME` of this game. */
  readonly rollout: string;
  /** Decisions played on from a leaf before it is judged by `potential`. Default: to the end of the game. */
  readonly depth: number;
  /** Named potential of the game that judges unfinished games. Default: its first one. */
  readonly potential: string | null;
  /** Weight of exploration, in parts of the range of values seen. Default 0.7. */
  readonly explore: number;
}

const NAMES = ["iterations", "ms", "rollout", "depth", "potential", "explore"] as const;

/** @throws KesselError `bad-agent` naming the option, what came and what would do */
export function parseSearch(argument: string, game: Game): SearchOptions {
  const given = new Map<string, string>();
  for (const pair of argument === "" ? [] : argument.split(",")) {
    const at = pair.indexOf("=");
    const name = at < 0 ? pair : pair.slice(0, at);
    if (at < 0 || !(NAMES as readonly string[]).includes(name)) throw new KesselError("bad-agent", `options of search are ${oneOf(NAMES.map((n) => `${n}=...`))}, not ${shown(pair)}`);
    given.set(name, pair.slice(at + 1));
  }
  if (given.has("iterations") && given.has("ms")) throw new KesselError("bad-agent", "search takes iterations=... or ms=..., not both");
  const ms = number(given, "ms", 1, 600_000, true);
  const potentials = Object.keys(game.potentials);
  const potential = given.get("potential") ?? potentials[0] ?? null;
  if (potential !== null && !potentials.includes(potential)) throw new KesselError("bad-agent", `${game.type.id} has no potential ${shown(potential)}; it has ${oneOf(potentials)}`);
  const rollout = given.get("rollout") ?? "random";
  if (rollout !== "random" && !rollout.startsWith("heuristic:")) throw new KesselError("bad-agent", `rollout of search is random or heuristic:NAME, not ${shown(rollout)}`);
  return {
    iterations: ms === null ? (number(given, "iterations", 1, 10_000_000, true) ?? 200) : null,
    ms,
    rollout,
    depth: number(given, "depth", 0, game.maxDecisions, true) ?? game.maxDecisions,
    potential,
    explore: number(given, "explore", 0, 100, false) ?? 0.7,
  };
}

function number(given: ReadonlyMap<string, string>, name: string, least: number, most: number, whole: boolean): number | null {
  const text = given.get(name);
  if (text === undefined) return null;
  const value = Number(text);
  if (text === "" || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
    throw new KesselError("bad-agent", `${name} of search is a ${whole ? "whole " : ""}number from ${least} to ${most}, not ${shown(text)}`);
  return value;
}
