import { getEncoding } from "js-tiktoken";
import { RandomAgent } from "../../../agents/random.js";
import { makeAgent } from "../../../agents/registry.js";
import { roster } from "../../../agents/roster.js";
import type { Game } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { Session } from "../../../server/session/session.js";
import { TextSeat } from "../../../server/text/decision.js";
import { playedBy, retold } from "../../orders/retold.js";

/** Tokens of the texts of decisions, sorted: texts with changes only, and the same decisions in full. */
export interface TokenCount {
  readonly changes: number[];
  readonly full: number[];
}

/**
 * Plays games between scripted players, or at random where `scripted` is false, and counts the tokens (o200k_base) of
 * each decision's text.
 *
 * @param every how many decisions there are for each one that is also counted in full
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

/** A script of each seat's, for `countTokensByOrder`. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  "pocket-stalingrad": ["planner", "planner"],
  "savage-streets": ["g-storm", "s-bluff"],
  "night-fight": ["stalker"],
  "strike-counterstrike": ["encircler"],
  "streets-of-stalingrad": ["elastic", "planner"],
};

/** Games of scripts played with orders: the tokens of the text before each order, without the first text; sorted. */
export async function countTokensByOrder(game: Game, games: number): Promise<number[]> {
  const encoding = getEncoding("o200k_base");
  const counts: number[] = [];
  for (let g = 0; g < games; g++) {
    const agents = await Promise.all(
      SCRIPTS[game.type.id]!.map((p) => makeAgent(`heuristic:${p}`, { game, seed: `tokens/${g}` })),
    );
    const played = await playedBy(game, agents, `tokens/${g}`);
    const session = new Session(
      game,
      game.players.map(() => "human"),
      `tokens/${g}`,
    );
    const seats = game.players.map((_, i) => new TextSeat(session, i));
    const begun = new Set<number>();
    /** Takes played decisions up to one; those that the session has taken by itself are over. */
    const playTo = async (end: number): Promise<void> => {
      for (; at < end; at++) {
        await session.advance();
        if (session.env.state.every((x, i) => x === played[at]!.before[i])) session.choose(played[at]!.action);
      }
      await session.advance();
    };
    let at = 0;
    for (const { decisions } of retold(game, played)) {
      const next = played.findIndex((p, i) => i >= at && !p.forced);
      await playTo(next);
      const { actor } = played[at]!;
      const text = seats[actor]!.next();
      if (begun.has(actor)) counts.push(encoding.encode(text).length);
      begun.add(actor);
      await playTo(at + decisions);
    }
  }
  return counts.sort((a, b) => a - b);
}

export const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1]!;
