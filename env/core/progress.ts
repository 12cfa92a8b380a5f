import { EVERYTHING, type Game } from "./game.js";
import type { StateView } from "./layout.js";
import type { Condition } from "./narration.js";
import { standingOf } from "./prompts.js";

/** How far along one condition of victory is, 0 to 1. */
const shareOf = ({ have, need, met, fewer = false }: Condition): number => {
  if (met) return 1;
  if (fewer) return have <= need ? 1 : (need + 1) / (have + 1);
  return need <= 0 ? 1 : Math.min(1, Math.max(0, have / need));
};

/** The share of the way to victory, 0 to 1, on the mean of a side's conditions; null for a side that has none. */
function wayOf(conditions: readonly Condition[], side: string): number | null {
  const own = conditions.filter((c) => c.side === side).map(shareOf);
  return own.length === 0 ? null : own.reduce((a, b) => a + b, 0) / own.length;
}

/**
 * The progress of a seat in points of 0 to 100: in games for one the share of its way to victory, otherwise 50 where
 * both sides are as far along. Whoever has won has 100, and nobody else.
 *
 * @param won whether the game is over and won by the seat
 */
export function progressOf(game: Game, s: StateView, seat: number, won = false): number {
  if (won) return 100;
  const { conditions } = standingOf(game, s, EVERYTHING);
  const [own, ...others] = [seat, ...game.players.keys()].map((i) => wayOf(conditions, game.players[i]!));
  if (game.players.length === 1) return Math.min(99, 100 * (own ?? 0));
  const other = others.find((_, i) => i !== seat) ?? 0;
  return Math.min(99, 50 * (1 + (own ?? 0) - (other ?? 0)));
}
