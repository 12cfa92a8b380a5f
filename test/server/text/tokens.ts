import { getEncoding } from "js-tiktoken";
import { RandomAgent } from "../../../agents/random.js";
import { makeAgent } from "../../../agents/registry.js";
import { roster } from "../../../agents/roster.js";
import type { Game } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { Session } from "../../../server/session/session.js";
import { TextSeat } from "../../../server/text/decision.js";

/** Tokens of the texts of decisions, sorted: those told as changes, and the same decisions told in full. */
export interface TokenCount {
  readonly changes: number[];
  readonly full: number[];
}

/**
 * Plays games between scripted players, or at random where `scripted` is false, and counts the tokens (o200k_base) of each
 * decision's text.
 *
 * @param every decisions also counted in full: each so many
 */
export async function countTokens(game: Game, games: number, scripted: boolean, every: number): Promise<TokenCount> {
  const encoding = getEncoding("o200k_base");
  const changes: number[] = [];
  const full: number[] = [];
  const out = new Int32Array(1);
  for (let g = 0; g < games; g++) {
    const player = g % game.players.length;
    const seats = await Promise.all(
      game.players.map((_, i) => {
        const scripts = roster(game).filter((e) => e.kind === "scripted" && e.players.includes(i));
        const script = scripts[Math.trunc(g / 2) % Math.max(1, scripts.length)];
        return scripted && script !== undefined
          ? makeAgent(script.name, { game, seed: `tokens/${g}/${i}` })
          : new RandomAgent(`tokens/${g}/${i}`);
      }),
    );
    const mover = seats[player]!;
    const session = new Session(
      game,
      seats.map((who, i) => (i === player ? "human" : who)),
      `tokens/${g}`,
    );
    const seat = new TextSeat(session, player);
    for (let n = 0; ; n++) {
      await session.advance();
      if (session.over) break;
      changes.push(encoding.encode(seat.next()).length);
      if (n % every === 0) full.push(encoding.encode(seat.next(true)).length);
      await mover.act(new OneDecision(session.env), out);
      session.choose(out[0]!);
    }
  }
  return { changes: changes.sort((a, b) => a - b), full: full.sort((a, b) => a - b) };
}

export const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1]!;
