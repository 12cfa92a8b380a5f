import { roster } from "../../../agents/roster.js";
import type { Game } from "../../../env/index.js";
import { bradleyTerry, type Meeting } from "../../../training/report/stats.js";
import type { Chart } from "../../../training/runs/charts.js";
import type { MetricLine } from "../../../training/runs/metrics.js";
import type { SeatRates } from "../../../training/runs/progress.js";
import { cardMeetings } from "../learn/ratings.js";

/**
 * Ratings of a run's nets by what its evaluations measured, a curve for each seat with 95 % intervals, on the scale
 * that the agents of the game have by their cards. An agent in a seat is a player of its own; measurements against
 * agents that no card connects with the others are left out. `null` in games for one, and while nothing fits.
 */
export function ratingChart(game: Game, lines: readonly MetricLine[]): Chart | null {
  if (game.players.length !== 2) return null;
  const index = new Map<string, number>();
  const node = (who: string, seat: number): number => {
    const name = `${who}@${seat}`;
    if (!index.has(name)) index.set(name, index.size);
    return index.get(name)!;
  };
  const meetings: Meeting[] = cardMeetings(roster(game), node);
  if (meetings.length === 0) return null;
  const known = new Set(index.keys());
  const nets: { seat: number; at: number; player: number }[] = [];
  for (const { at, evaluation } of lines)
    for (const [seat, name] of game.players.entries())
      for (const [agent, rates] of Object.entries((evaluation ?? {}) as unknown as Record<string, SeatRates>)) {
        const measured = rates[name];
        if (measured === undefined || !known.has(`${agent}@${1 - seat}`)) continue;
        const [net, other] = [node(`update ${at}`, seat), node(agent, 1 - seat)];
        const { games, rate } = measured;
        meetings.push(
          seat === 0
            ? { first: net, second: other, games, score: rate * games }
            : { first: other, second: net, games, score: (1 - rate) * games },
        );
        if (nets.at(-1)?.player !== net) nets.push({ seat, at, player: net });
      }
  if (nets.length === 0) return null;
  const { elo, interval } = bradleyTerry(index.size, meetings, { seat: false });
  const curves = game.players.map((name, seat) => ({
    name: `as ${name}`,
    points: nets
      .filter((n) => n.seat === seat)
      .map(({ at, player }) => ({ x: at, y: elo[player]!, interval: interval[player]! })),
  }));
  return { title: "rating (Elo, on the scale of the agents)", curves: curves.filter((c) => c.points.length > 0) };
}
