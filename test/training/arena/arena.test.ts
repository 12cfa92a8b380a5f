import { describe, expect, it, test } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import { RandomAgent } from "../../../agents/random.js";
import { type Game, type GameType, loadGame, resolveOptions } from "../../../env/index.js";
import { arena } from "../../../training/arena/arena.js";
import { endingOf } from "../../../training/arena/chunk.js";
import { arenaPage } from "../../../training/arena/page.js";
import { designEffect, type LuckAdjustedResult } from "../../../training/arena/tally.js";
import { arenaText } from "../../../training/arena/report.js";
import { bradleyTerry, wilson } from "../../../training/report/stats.js";
import { patrol } from "../../toys/patrol.js";
import { race } from "../../toys/race.js";
import { Fixed, playOut } from "./fixed.js";

const load = (type: GameType): Game => type.load(resolveOptions(type), type.data);

const agentFor = (name: string, seed: string | number): Agent =>
  name === "random" ? new RandomAgent(seed) : new Fixed(name);

test.each([
  [
    "games of a seed that end alike count once",
    [
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 0],
    ],
    (2 * 4) / 3,
  ],
  [
    "games of a seed that end unlike each other are no better than independent ones",
    [
      [1, 0],
      [0, 1],
      [1, 0],
    ],
    1,
  ],
  ["one game a seed is as good as independent", Array.from({ length: 1000 }, (_, i) => [i % 2]), 1000 / 999],
  [
    "nothing is estimated where all ended alike",
    [
      [1, 1],
      [1, 1],
    ],
    1,
  ],
  ["or by one seed", [[1, 0]], 1],
])("%s", (_says, seeds, effect) => {
  expect(designEffect(seeds)).toBeCloseTo(effect, 12);
});

describe("arena", () => {
  it("counts exactly what the games of its seeds give, played one by one", async () => {
    const game = load(race);
    const r = await arena(game, { agents: ["first", "last"], games: 300, seed: "s", agentFor });
    const asNorth = Array.from({ length: 150 }, (_, k) => playOut(game, `s/${k}`, ["first", "last"]));
    const asSouth = Array.from({ length: 150 }, (_, k) => -playOut(game, `s/${k}`, ["last", "first"]));
    const won = (list: number[]) => list.filter((x) => x > 0).length;
    const lost = (list: number[]) => list.filter((x) => x < 0).length;
    const { total, seats } = r.pairs[0]!;
    expect([seats[0].wins, seats[0].losses, seats[0].games]).toEqual([won(asNorth), lost(asNorth), 150]);
    expect([seats[1].wins, seats[1].losses, seats[1].games]).toEqual([won(asSouth), lost(asSouth), 150]);
    expect(total.wins + total.draws + total.losses).toBe(300);
    expect(total.score).toBeCloseTo((total.wins + total.draws / 2) / 300, 12);
    expect(total.interval).toEqual(wilson(total.wins + total.draws / 2, 300));
    expect(won(asNorth)).toBeGreaterThan(0);
    expect(lost(asNorth)).toBeGreaterThan(0);
  });

  it("counts seeds and not games where an agent meets several in one seat", async () => {
    const r = await arena(load(race), { agents: ["last", "first", "twin"], games: 100, agentFor });
    const { interval, score, games } = r.standings.find((s) => s.agent === "last")!.seats[0]!;
    expect(games).toBe(100);
    // the other two are the same agent, so 100 games say what 50 do (a degree of freedom less)
    expect(interval[0]).toBeCloseTo(wilson(49 * score, 49)[0], 9);
    expect(interval[1]).toBeCloseTo(wilson(49 * score, 49)[1], 9);
  });

  it("shows each side's own rate: two equal agents that win by their seat only", async () => {
    const r = await arena(load(race), { agents: ["first", "twin"], games: 100, agentFor });
    const { total, seats, pairingRatio } = r.pairs[0]!;
    expect(total.score).toBe(0.5); // same dice in both seatings: what one wins, the other does
    expect(pairingRatio).toBe(0);
    expect(seats[0].score).toBeCloseTo(1 - seats[1].score, 12);
    expect(r.firstSeat.score).toBe(seats[0].score);
    // 100 games say of the seat what 50 do (a degree of freedom less)
    const { interval, score } = r.firstSeat;
    expect(interval[0]).toBeCloseTo(wilson(49 * score, 49)[0], 9);
    expect(interval[1]).toBeCloseTo(wilson(49 * score, 49)[1], 9);
    const counted = bradleyTerry(2, [
      { first: 0, second: 1, games: 50, score: 50 * score },
      { first: 1, second: 0, games: 50, score: 50 * score },
    ]);
    const width = ([low, high]: readonly [number, number]): number => high - low;
    expect(width(r.firstSeatElo!.interval) / width(counted.firstSeatInterval)).toBeCloseTo(Math.sqrt(100 / 49), 6);
    for (const s of r.standings) expect(s.elo).toBeCloseTo(0, 6);
  });

  it("rates three agents, in all and by seat, with a payoff matrix that mirrors itself", async () => {
    const r = await arena(load(race), { agents: ["random", "first", "last"], games: 200, agentFor });
    expect(r.pairs.map((p) => [p.a, p.b])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        expect(i === j ? r.payoff[i]![j] : r.payoff[i]![j]! + r.payoff[j]![i]!).toBe(i === j ? null : 1);
    expect(r.standings.map((s) => s.total.games)).toEqual([400, 400, 400]);
    expect(r.standings.reduce((sum, s) => sum + s.elo!, 0)).toBeCloseTo(0, 6);
    for (const s of r.standings) expect(s.seatElo!.length).toBe(2);
    const elos = r.standings.map((s) => s.elo!);
    expect(elos).toEqual([...elos].sort((x, y) => y - x));
  });

  it("seats an agent of one side there only, and doesn't let two of the same side meet", async () => {
    const game = load(race);
    const north = (name: string): Agent =>
      Object.assign(new Fixed(name === "north-first" ? "first" : "last"), { players: [0] });
    const make = (name: string, seed: string | number): Agent =>
      name.startsWith("north") ? north(name) : agentFor(name, seed);
    const r = await arena(game, {
      agents: ["north-first", "north-last", "first"],
      games: 60,
      seed: "s",
      agentFor: make,
    });
    expect(r.pairs.map((p) => [p.a, p.b, p.seats[0].games, p.seats[1].games])).toEqual([
      [0, 2, 60, 0],
      [1, 2, 60, 0],
    ]);
    const won = Array.from({ length: 60 }, (_, k) => playOut(game, `s/${k}`, ["last", "first"])).filter(
      (x) => x > 0,
    ).length;
    expect(r.pairs[1]!.total.wins).toBe(won);
    expect(r.payoff[0]![1]).toBe(null);
    expect(arenaText(r)).toMatch(/north-last +\S+ +\S+ +.*60/);
    expect(arenaPage(r)).toContain("north-last");
    await expect(arena(game, { agents: ["north-first", "north-last"], games: 10, agentFor: make })).rejects.toThrow(
      /north-first plays north only; name an agent that plays the other side/,
    );
  });

  it("keeps the first agent in one seat when asked to, with the games that it plays there anyway", async () => {
    const game = load(race);
    const both = await arena(game, { agents: ["first", "last", "random"], games: 60, seed: "k", agentFor });
    const south = await arena(game, {
      agents: ["first", "last", "random"],
      games: 30,
      seed: "k",
      seat: "south",
      agentFor,
    });
    expect(south.pairs.map((p) => p.seats.map((t) => t.games))).toEqual([
      [0, 30],
      [0, 30],
      [15, 15],
    ]);
    expect(south.pairs[0]!.seats[1]).toEqual(both.pairs[0]!.seats[1]);
    const apart = await arena(game, { agents: ["first", "last"], games: 20, seed: "k", seat: "south", agentFor });
    const drawn = (seat: string): boolean[] =>
      ["first", "last"].map((name) =>
        arenaPage(apart)
          .split("<h2>")
          .find((part) => part.startsWith(`Score as ${seat}`))!
          .includes(name),
      );
    expect([drawn("north"), drawn("south")]).toEqual([
      [false, true],
      [true, false],
    ]);
    await expect(arena(game, { agents: ["first", "last"], games: 2, seat: "west", agentFor })).rejects.toThrow(
      'toy-race has the seats north, south, not "west"',
    );
    await expect(arena(load(patrol), { agents: ["first"], games: 2, seat: "north", agentFor })).rejects.toThrow(
      "toy-patrol has one seat; leave the seat out",
    );
  });

  it("gives the same result again, timing apart, and another with another seed", async () => {
    const run = async (seed: string) => ({
      ...(await arena(load(race), { agents: ["random", "first"], games: 150, seed, agentFor })),
      timing: null,
    });
    const once = await run("a");
    expect(await run("a")).toEqual(once);
    expect((await run("b")).pairs).not.toEqual(once.pairs);
  });

  it("stops a pair when its interval is narrow enough, and not before", async () => {
    const r = await arena(load(race), { agents: ["random", "first"], games: 20_000, until: 0.08, agentFor });
    const { total } = r.pairs[0]!;
    expect(total.interval[1] - total.interval[0]).toBeLessThanOrEqual(0.08);
    expect(total.games).toBeLessThan(20_000);
    const [low, high] = wilson(total.games / 2 - 256, total.games - 512); // one look earlier, at the widest
    expect(high - low).toBeGreaterThan(0.08);
  });

  it("of a solitaire game compares returns on the same seeds", async () => {
    const game = load(patrol);
    const r = await arena(game, { agents: ["first", "last"], games: 100, seed: 3, agentFor });
    const difference = Array.from(
      { length: 100 },
      (_, k) => playOut(game, `3/${k}`, ["first"]) - playOut(game, `3/${k}`, ["last"]),
    );
    expect(r.differences[0]!.mean).toBeCloseTo(difference.reduce((s, d) => s + d, 0) / 100, 12);
    expect(r.pairs).toEqual([]);
    expect(r.standings.every((s) => s.elo === null && s.total.games === 100)).toBe(true);
    expect(arenaText(r)).toMatch(/agent +return/);
    expect(arenaPage(r)).toContain("<svg");
  });

  it("of a solitaire game compares agents that stopped after different numbers of games, on the seeds of both", async () => {
    const game = load(patrol);
    const r = await arena(game, { agents: ["first", "random"], games: 5000, until: 0.06, seed: 3, agentFor });
    const games = ["first", "random"].map((name) => r.standings.find((s) => s.agent === name)!.total.games);
    expect(games[0]).not.toBe(games[1]);
    expect(Math.abs(r.differences[0]!.mean)).toBeLessThanOrEqual(2);
    const { first, random } = Object.fromEntries(r.standings.map((s) => [s.agent, s.total.meanReturn]));
    expect(r.differences[0]!.mean).toBeCloseTo(first! - random!, 0);
  });

  it("does not say what a seat is worth where no two agents have met in both seatings", async () => {
    const r = await arena(load(race), { agents: ["first", "last"], games: 40, seed: "k", seat: "south", agentFor });
    expect(r.firstSeatElo).toBe(null);
    for (const shown of [arenaText(r), arenaPage(r)]) {
      expect(shown).toMatch(/of all games/);
      expect(shown).not.toMatch(/seat is worth/);
    }
    const { wins, losses } = r.pairs[0]!.total;
    const [first, last] = ["first", "last"].map((name) => r.standings.find((s) => s.agent === name)!.elo!);
    expect(first! - last!).toBeCloseTo(400 * Math.log10((wins + 0.5) / (losses + 0.5)), 6); // with one drawn game
  });

  it("closes the agents that were made when another can't be", async () => {
    let open = 0;
    const make = (name: string): Agent => {
      if (name === "gone" && open > 0) throw new Error("is gone"); // and not when it is looked at alone, before the games
      open++;
      return Object.assign(new Fixed("first"), { close: () => Promise.resolve(void open--) });
    };
    await expect(arena(load(race), { agents: ["first", "gone"], games: 2, agentFor: make })).rejects.toThrow("is gone");
    expect(open).toBe(0);
  });

  it("prints every agent and both seats, and a page that shows names as text", async () => {
    const r = await arena(load(race), { agents: ["random", "<b>"], games: 40, agentFor });
    const text = arenaText(r);
    for (const word of ["random", "<b>", "as north %", "as south %", "won/drawn/lost"]) expect(text).toContain(word);
    const page = arenaPage(r);
    expect(page).toContain("&lt;b&gt;");
    expect(page).not.toContain("<b>");
    expect(page).not.toMatch(/<script|<link|(src|href)=|https?:|@import|url\(/);
  });

  it("refuses what can't be played", async () => {
    const game = load(race);
    await expect(arena(game, { agents: ["random"], games: 10 })).rejects.toThrow(/needs at least two agents, not 1/);
    await expect(arena(game, { agents: ["random", "random"], games: 10 })).rejects.toThrow(/"random" is named twice/);
    await expect(arena(game, { agents: ["random", "chess"], games: 10 })).rejects.toThrow(/there is no agent "chess"/);
    await expect(arena(game, { agents: ["random", "first"], games: 0, agentFor })).rejects.toThrow(
      /games is a whole number/,
    );
    await expect(arena(game, { agents: ["random", "first"], games: 2, until: 0, agentFor })).rejects.toThrow(/width/);
  });
});

it("endings are named by a position's result", () => {
  expect(endingOf({ result: "territory" })).toBe("territory");
  expect(endingOf({ result: { winner: "soviet", reason: "vp", margin: 3 } })).toBe("soviet vp");
  expect(endingOf({ result: { winner: null, reason: "draw" } })).toBe("draw");
  expect(endingOf({})).toBe("");
});

describe("the luck of a last roll", () => {
  it("is adjusted for without a model where the game gives its chances, and says so", async () => {
    const played = await arena(loadGame("night-fight"), { agents: ["heuristic:runner"], games: 60, seed: "roll" });
    const { valueModel, results } = played.luckAdjusted!;
    expect(valueModel).toBeNull();
    const [{ mean, interval, adjustedMean, adjustedInterval, sampleFraction }] = results as [LuckAdjustedResult];
    expect(mean).toBeCloseTo(played.standings[0]!.total.meanReturn, 12);
    // the roll has mean 0 and most of the noise: the same mean, more precisely
    expect(Math.abs(adjustedMean - mean)).toBeLessThan(interval[1] - interval[0]);
    expect(adjustedInterval[1] - adjustedInterval[0]).toBeLessThan(0.85 * (interval[1] - interval[0]));
    expect(sampleFraction).toBeLessThan(0.72);
    expect(arenaText(played)).toContain("adjusted: for the luck of the last roll, whose chances are known");
    expect(arenaPage(played)).toContain("the luck of the last roll");
  });

  it("is nothing elsewhere", async () => {
    const played = await arena(load(race), { agents: ["first", "last"], games: 10, seed: "roll", agentFor });
    expect(played.luckAdjusted).toBeNull();
  });
});
