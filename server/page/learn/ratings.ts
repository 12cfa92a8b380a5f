import { type RosterEntry, roster } from "../../../agents/roster.js";
import { type Game, KesselError, oneOf, resolveOptions, shown, type Viewer } from "../../../env/index.js";
import { bradleyTerry, meanInterval, type Meeting } from "../../../training/report/stats.js";
import type { OpenSession } from "../../session/open.js";
import { isCasual } from "../evaluators.js";
import { meanReturns } from "../offers.js";
import type { PlayedSum, Rated, SeatRating } from "./rating.js";

/**
 * What a game that is over counts for the person at it; null where it counts nothing: played from a position, with
 * other options than the agents were measured with, not alone against one of them, or with hints from one.
 */
export function ratedOf(open: OpenSession, viewer: Viewer): Rated | null {
  const { session, header } = open;
  const { game } = session;
  const isStandard = JSON.stringify(game.options) === JSON.stringify(resolveOptions(game.type, {}));
  const isMeasured = roster(game).some((e) => e.results.length > 0);
  if (!isStandard || !isMeasured || header.position !== undefined || session.helped || !isCasual(open, viewer))
    return null;
  const others = game.players.filter((_, i) => i !== viewer).map((side) => header.seats[side]!);
  return { seat: game.players[viewer]!, opponent: others[0] ?? "", value: session.returns()[viewer]! };
}

/**
 * A person's rating in each seat, on the scale of the agents' in the same game; in games for one, the mean return.
 *
 * @throws KesselError `bad-option` for a seat that the game hasn't
 */
export function ratingsOf(game: Game, played: readonly PlayedSum[]): SeatRating[] {
  const wrong = played.find((p) => !game.players.includes(p.seat));
  if (wrong !== undefined)
    throw new KesselError("bad-option", `${game.type.id} has no seat ${shown(wrong.seat)}; ${oneOf(game.players)} are`);
  return game.players.length === 1 ? alone(game, played) : againstOthers(game, played);
}

function alone(game: Game, played: readonly PlayedSum[]): SeatRating[] {
  const sum = (of: (p: PlayedSum) => number): number => played.reduce((s, p) => s + of(p), 0);
  const games = sum((p) => p.games);
  if (games === 0) return [];
  const { mean, interval } = meanInterval(
    sum((p) => p.sum),
    sum((p) => p.squares),
    games,
  );
  const bounds = interval.map((x) => Math.max(-1, Math.min(1, x))) as [number, number];
  const agents = meanReturns(game).map((m) => ({ who: m.who, value: m.mean }));
  return [{ seat: game.players[0]!, scale: "return", games, value: mean, interval: bounds, agents }];
}

function againstOthers(game: Game, played: readonly PlayedSum[]): SeatRating[] {
  const all = roster(game);
  const index = new Map<string, number>();
  const node = (who: string, seat: number): number => {
    const name = `${who}@${seat}`;
    if (!index.has(name)) index.set(name, index.size);
    return index.get(name)!;
  };
  const meetings: Meeting[] = cardMeetings(all, node);
  const known = new Set(index.keys());
  const counted = played.filter((p) => {
    const seat = game.players.indexOf(p.seat);
    return known.has(`${p.opponent}@${1 - seat}`);
  });
  for (const p of counted) {
    const points = (p.sum + p.games) / 2;
    const seat = game.players.indexOf(p.seat);
    const [me, other] = [node("you", seat), node(p.opponent, 1 - seat)];
    meetings.push(
      seat === 0
        ? { first: me, second: other, games: p.games, score: points }
        : { first: other, second: me, games: p.games, score: p.games - points },
    );
  }
  if (counted.length === 0) return [];
  const { elo, interval } = bradleyTerry(index.size, meetings, { seat: false });
  return game.players.flatMap((side, seat): SeatRating[] => {
    const me = index.get(`you@${seat}`);
    if (me === undefined) return [];
    const agents = all
      .filter((e) => e.kind === "level" || e.kind === "random")
      .flatMap((e) => {
        const at = index.get(`${e.name}@${seat}`);
        return at === undefined ? [] : [{ who: e.short, value: elo[at]! }];
      })
      .sort((a, b) => b.value - a.value);
    const games = counted.filter((p) => p.seat === side).reduce((s, p) => s + p.games, 0);
    return [{ seat: side, scale: "elo", games, value: elo[me]!, interval: interval[me]!, agents }];
  });
}

/** Games between agents from their cards, each in each seat as a player of its own; only those who play both seats. */
export function cardMeetings(all: readonly RosterEntry[], node: (who: string, seat: number) => number): Meeting[] {
  const both = all.filter((e) => e.players.length === 2);
  return both.flatMap((e) =>
    e.results.flatMap((r): Meeting[] => {
      const other = both.find((o) => o.name === r.against || o.name.endsWith(`/${r.against}`));
      if (other === undefined) return [];
      const games = r.games / 2;
      const [first, second] = r.seats;
      if (typeof first !== "number" || typeof second !== "number") return [];
      return [
        { first: node(e.name, 0), second: node(other.name, 1), games, score: first * games },
        { first: node(other.name, 0), second: node(e.name, 1), games, score: (1 - second) * games },
      ];
    }),
  );
}
