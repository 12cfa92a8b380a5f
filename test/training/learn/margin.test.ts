import { expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import { gameIds, loadGame } from "../../../env/index.js";
import { playGames } from "../../../training/learn/play.js";
import { nightly } from "../../nightly.js";

/** Who wins some games in each seat against random play; in Pocket Stalingrad some of them by points alone. */
const PLAYERS: Readonly<Record<string, string>> = {
  "pocket-stalingrad": "first-keep",
  "savage-streets": "g-storm",
  "night-fight": "stalker",
  "strike-counterstrike": "drainer",
  "streets-of-stalingrad": "odds",
};

/** Margins of games that player 0 won, and of the others, between a scripted and a random player in either seat. */
async function playedMargins(id: string): Promise<{ won: number[]; lost: number[] }> {
  const game = loadGame(id);
  const scripted = await makeAgent(`heuristic:${PLAYERS[id]!}`, { game, seed: "scripted" });
  const random = await makeAgent("random", { game, seed: "random" });
  const won: number[] = [];
  const lost: number[] = [];
  await playGames(game, {
    count: 60,
    width: 60,
    seed: (n) => `margin/${n}`,
    seats: (n) => (n % 2 === 0 ? [scripted, random] : [random, scripted]).slice(0, game.players.length),
    onEnd: (_n, returns, _decisions, state) => (returns[0]! > 0 ? won : lost).push(game.margin!(state)),
  });
  return { won, lost };
}

const mean = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;

/** Its games take ten times as long as the others'. */
const LONG = "streets-of-stalingrad";

const short = gameIds().filter((id) => id !== LONG);

async function checkMargins(id: string): Promise<void> {
  const { won, lost } = await playedMargins(id);
  expect(Math.min(won.length, lost.length)).toBeGreaterThan(2);
  expect(mean(won)).toBeGreaterThan(mean(lost) + 0.2);
  // where points alone decide, who is ahead has won
  if (["pocket-stalingrad", "streets-of-stalingrad"].includes(id)) {
    expect(Math.min(...won)).toBeGreaterThan(0);
    expect(Math.max(...lost)).toBeLessThan(0);
  }
}

test.each(short)("in %s who won was further ahead at the end", checkMargins);
test(`in ${LONG} who won was further ahead at the end`, nightly, () => checkMargins(LONG));
