import { type Game, KesselError } from "../../env/index.js";

/** Agents that play each other, and in which seats. */
export interface Match {
  /** Indices into the list of agents: two, or one in a solitaire game. */
  readonly agents: readonly number[];
  /** Seats of the first agent for which both agents can take their seat. */
  readonly seatings: readonly number[];
}

/**
 * All pairs of agents that can play each other, with their seatings.
 *
 * @param canPlay by agent: which seats it can take
 * @param only the seat of the first agent, null for both
 * @throws KesselError `bad-option` for an agent without an opponent
 */
export function pairsOf(
  game: Game,
  agents: readonly string[],
  canPlay: readonly ((seat: number) => boolean)[],
  only: number | null,
): Match[] {
  const meets = (a: number, b: number): number[] =>
    [0, 1].filter((seat) => canPlay[a]!(seat) && canPlay[b]!(1 - seat) && (a > 0 || only === null || seat === only));
  const pairs = agents
    .flatMap((_, a) => agents.slice(a + 1).map((_b, k) => ({ agents: [a, a + 1 + k], seatings: meets(a, a + 1 + k) })))
    .filter((m) => m.seatings.length > 0);
  const unmatched = agents.findIndex((_, i) => !pairs.some((m) => m.agents.includes(i)));
  if (unmatched >= 0)
    throw new KesselError(
      "bad-option",
      `${agents[unmatched]!} plays ${game.players.filter((_, seat) => canPlay[unmatched]!(seat)).join(" and ")} only; name an agent that plays the other side`,
    );
  return pairs;
}
