import { type Game, KesselError, shown } from "../../env/index.js";
import type { Interval } from "../report/stats.js";
import { table } from "../report/table.js";
import { arena, type ArenaOptions } from "./arena.js";
import { points, secretText } from "./report.js";
import { isExternal, newSecret } from "./seeds.js";
import type { Tally } from "./tally.js";

/** What an agent expects of the seats. */
export interface Bidder {
  readonly agent: string;
  /** Against itself, in the first seat. */
  readonly mirror: Tally;
  /** What it gives for the first seat, as a share of a game (0.1 is a tenth of a won game); below 0 for the second. */
  readonly bid: number;
}

/** A match in one seating, the sides bought by bids. */
export interface BidMatch {
  /** Indices into `bidders`: who has the first seat, and who the second. */
  readonly first: number;
  readonly second: number;
  /** What the first seat paid the second, a share of a game; below 0 the second paid. */
  readonly price: number;
  /** The games, as the first seat sees them. */
  readonly total: Tally;
  /** Score of the first seat less the price, with its 95 % interval: one half is an even match. */
  readonly net: number;
  readonly netInterval: Interval;
}

export interface BidResult {
  readonly game: string;
  readonly players: readonly string[];
  readonly seed: string;
  /** As the arena's: what the seeds of all games were made with, null when they follow from `seed` alone. */
  readonly secret: string | null;
  readonly bidders: readonly Bidder[];
  readonly matches: readonly BidMatch[];
}

/**
 * Matches of agents in a game whose seats are not worth the same. Each agent plays itself first and learns what the
 * first seat is worth to it; what is above one half it bids for it. Of two agents the one that bids more for the same
 * seat takes it and pays its bid in points. Where each prefers the other seat, nobody pays. One agent alone only bids.
 *
 * @throws KesselError `bad-option` for a game for one or an agent that plays one seat; as `arena`
 */
export async function bidding(game: Game, options: Omit<ArenaOptions, "seat">): Promise<BidResult> {
  const [first] = game.players;
  if (game.players.length !== 2)
    throw new KesselError("bad-option", `--bid is for games for two; ${game.type.id} has ${game.players.length}`);
  const { agents } = options;
  const twice = agents.find((a, i) => agents.indexOf(a) !== i);
  if (twice !== undefined) throw new KesselError("bad-option", `the agent ${shown(twice)} is named twice`);
  const pairs = agents.flatMap((_, a) => agents.slice(a + 1).map((_b, k) => [a, a + 1 + k] as const));
  const secret = options.secret ?? (agents.some(isExternal) ? newSecret() : null); // one for all games, which the result names
  const secrecy = secret === null ? {} : { secret };
  const all = (agents.length + pairs.length) * options.games;
  let before = 0;
  const play = async (one: string, other: string): Promise<Tally> => {
    const progress = (done: number): void => options.progress?.(before + done, all);
    const result = await arena(game, { ...options, ...secrecy, agents: [one, other], seat: first!, progress });
    before += options.games;
    return result.pairs[0]!.seats[0];
  };
  const bidders: Bidder[] = [];
  for (const agent of agents) {
    const mirror = await play(agent, agent);
    bidders.push({ agent, mirror, bid: mirror.score - 0.5 });
  }
  const matches: BidMatch[] = [];
  for (const [a, b] of pairs) {
    const [x, y] = bidders[a]!.bid >= bidders[b]!.bid ? [a, b] : [b, a];
    const price = priceOf(bidders[x]!.bid, bidders[y]!.bid);
    const total = await play(agents[x]!, agents[y]!);
    const [low, high] = total.interval;
    matches.push({
      ...{ first: x, second: y, price, total },
      net: total.score - price,
      netInterval: [low - price, high - price],
    });
  }
  return { game: game.type.id, players: game.players, seed: String(options.seed ?? 0), secret, bidders, matches };
}

/**
 * What the first seat pays the second.
 *
 * @param more the bid for the first seat of who takes it
 * @param less the other's
 */
export function priceOf(more: number, less: number): number {
  if (less >= 0) return more;
  return more <= 0 ? less : 0;
}

/** The result as plain text. Points in percent of a game, intervals 95 %. */
export function bidText({ game, players, seed, secret, bidders, matches }: BidResult): string {
  const within = ([low, high]: Interval): string => `[${points(low)}..${points(high)}]`;
  const [first, second] = players as [string, string];
  const bids = bidders.map(({ agent, mirror, bid }) => [
    agent,
    `${points(mirror.score)} ${within(mirror.interval)}`,
    `${points(Math.abs(bid))} for ${bid >= 0 ? first : second}`,
  ]);
  const rows = matches.map((m) => [
    bidders[m.first]!.agent,
    bidders[m.second]!.agent,
    m.price === 0 ? "nothing" : `${points(Math.abs(m.price))} by ${m.price > 0 ? first : second}`,
    String(m.total.games),
    points(m.total.score),
    `${points(m.net)} ${within(m.netInterval)}`,
  ]);
  return [
    `${game}, seed ${seed}: sides bought by bids; points in % of a game, 50 after the price is an even match`,
    table(["agent", `as ${first} against itself`, "bids"], bids),
    ...(rows.length === 0
      ? []
      : [table([first, second, "paid", "games", `points of ${first}`, "after the price"], rows, 2)]),
    ...(secret === null ? [] : [secretText(seed, secret)]),
  ].join("\n\n");
}
