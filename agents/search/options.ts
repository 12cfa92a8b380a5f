import { type Game, KesselError, oneOf, shown } from "../../env/index.js";

/** The text behind `search:`: `name=value` pairs separated by commas. */
export interface SearchOptions {
  /** Simulations a decision. Default 200, unless `ms` is given. */
  readonly iterations: number | null;
  /** Milliseconds a decision instead: then results depend on the machine. */
  readonly ms: number | null;
  /** ONNX file whose value evaluates leaves and whose policy gives priors, instead of rollouts. */
  readonly net: string | null;
  /** ONNX file of `kessel model belief`, which weighs the worlds that the search meets. Goes with `net`. */
  readonly belief: string | null;
  /** Leaves of one tree that a net evaluates in one run. Default 8. */
  readonly batch: number;
  /** Rollout policy: `random` (default) or `heuristic:NAME` of this game. */
  readonly rollout: string;
  /** Longest rollout in decisions, then an estimate is taken. Default: to the end of the game. */
  readonly depth: number;
  /** Turns played on, counted by the game's field `turn`: 1 is to the end of this turn. Default: to its end. */
  readonly turns: number;
  /** Estimate of unfinished games: a named potential, or `outlook` where the game has one (default there). */
  readonly potential: string | null;
  /** Weight of exploration, in parts of the range of values seen. Default 0.7; with priors (net, heuristic) 1. */
  readonly explore: number;
  /**
   * `heuristic:NAME` of this game, whose choice gets a high prior; null for none. Default: the rollout policy, if it is
   * a heuristic.
   */
  readonly prior: string | null;
  /** Prior probability of that choice; the rest is shared by all, as a net says where there is one. Default 0.5. */
  readonly trust: number;
  /**
   * First turn, counted by the game's field `turn`, with simulations; before it the heuristic of `prior` plays alone.
   * Default 0.
   */
  readonly from: number;
  /**
   * `puct` (default), or with a net `gumbel`: the root halves the likeliest actions by what it finds, and below it
   * visits follow the improved policy (`GumbelSearch`); or `plan`: it chooses among plans for all decisions up to the
   * next roll, the next decision of another player or the end of the turn (`PlanAgent`), and `iterations` are the
   * playouts that a plan is chosen by, but at least two of each plan in each round.
   */
  readonly root: (typeof ROOTS)[number];
}

const ROOTS = ["puct", "gumbel", "plan"] as const;

const NAMES = [
  "iterations",
  "ms",
  "net",
  "belief",
  "batch",
  "rollout",
  "depth",
  "turns",
  "potential",
  "explore",
  "prior",
  "trust",
  "from",
  "root",
] as const;
type Name = (typeof NAMES)[number];

/**
 * @param outlook whether the game has an outlook
 *
 * @throws KesselError `bad-agent` with the option, what came and what is allowed
 */
export function parseSearch(argument: string, game: Game, outlook: boolean): SearchOptions {
  const given = new Map<Name, string>();
  for (const pair of argument === "" ? [] : argument.split(",")) {
    const at = pair.indexOf("=");
    const name = NAMES.find((n) => n === (at < 0 ? pair : pair.slice(0, at)));
    if (at < 0 || name === undefined)
      throw new KesselError(
        "bad-agent",
        `options of search are ${oneOf(
          NAMES.map((n) => `${n}=...`),
          NAMES.length,
        )}, not ${shown(pair)}`,
      );
    given.set(name, pair.slice(at + 1));
  }
  const together = (a: Name, b: Name): void => {
    if (given.has(a) && given.has(b)) throw new KesselError("bad-agent", `search takes ${a}=... or ${b}=..., not both`);
  };
  together("iterations", "ms");
  together("depth", "turns");
  for (const name of ["rollout", "depth", "turns", "potential", "from"] as const) together("net", name);
  for (const name of ["batch", "belief"] as const)
    if (given.has(name) && !given.has("net"))
      throw new KesselError("bad-agent", `${name}=... of search goes with net=...`);
  const asRoot = given.get("root") ?? "puct";
  const root = ROOTS.find((r) => r === asRoot);
  if (root === undefined) throw new KesselError("bad-agent", `root of search is ${oneOf(ROOTS)}, not ${shown(asRoot)}`);
  if (root !== "puct") {
    if (!given.has("net")) throw new KesselError("bad-agent", `root=${root} of search goes with net=...`);
    for (const name of ["ms", "batch", "explore", "prior", "trust"] as const) together("root", name);
  }
  const ms = number(given, "ms", 1, 600_000, true);
  const potentials = [...(outlook ? ["outlook"] : []), ...Object.keys(game.potentials)];
  const potential = given.get("potential") ?? potentials[0] ?? null;
  if (potential !== null && !potentials.includes(potential))
    throw new KesselError(
      "bad-agent",
      `${game.type.id} has no potential ${shown(potential)}; it has ${oneOf(potentials)}`,
    );
  const rollout = given.get("rollout") ?? "random";
  if (rollout !== "random" && !rollout.startsWith("heuristic:"))
    throw new KesselError("bad-agent", `rollout of search is random or heuristic:NAME, not ${shown(rollout)}`);
  const counted = game.fields.some((f) => f.name === "turn");
  if (root === "plan" && !counted)
    throw new KesselError("bad-agent", `${game.type.id} counts no turns; take root=gumbel`);
  if (given.has("turns") && !counted)
    throw new KesselError("bad-agent", `${game.type.id} counts no turns; take depth=...`);
  if (given.has("from") && !counted)
    throw new KesselError("bad-agent", `${game.type.id} counts no turns; leave from=... out`);
  const net = given.get("net") ?? null;
  const asked = given.get("prior");
  if (asked !== undefined && !asked.startsWith("heuristic:"))
    throw new KesselError("bad-agent", `prior of search is heuristic:NAME, not ${shown(asked)}`);
  const prior = asked ?? (rollout === "random" ? null : rollout);
  if (given.has("trust") && prior === null)
    throw new KesselError("bad-agent", "trust=... of search goes with prior=heuristic:NAME or rollout=heuristic:NAME");
  if (given.has("from") && prior === null)
    throw new KesselError("bad-agent", "from=... of search goes with prior=heuristic:NAME or rollout=heuristic:NAME");
  return {
    iterations: ms === null ? (number(given, "iterations", 1, 10_000_000, true) ?? 200) : null,
    ms,
    net,
    belief: given.get("belief") ?? null,
    batch: number(given, "batch", 1, 1024, true) ?? 8,
    rollout,
    depth: number(given, "depth", 0, game.maxDecisions, true) ?? game.maxDecisions,
    turns: number(given, "turns", 1, 1000, true) ?? Infinity,
    potential,
    explore: number(given, "explore", 0, 100, false) ?? (net !== null || prior !== null ? 1 : 0.7),
    prior,
    trust: number(given, "trust", 0, 1, false) ?? 0.5,
    from: number(given, "from", 0, 1000, true) ?? 0,
    root,
  };
}

function number(
  given: ReadonlyMap<string, string>,
  name: string,
  least: number,
  most: number,
  whole: boolean,
): number | null {
  const text = given.get(name);
  if (text === undefined) return null;
  const value = Number(text);
  if (text === "" || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
    throw new KesselError(
      "bad-agent",
      `${name} of search is a ${whole ? "whole " : ""}number from ${least} to ${most}, not ${shown(text)}`,
    );
  return value;
}
