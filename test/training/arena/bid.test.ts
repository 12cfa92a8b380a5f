import { describe, expect, it } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import { resolveOptions } from "../../../env/index.js";
import { arena } from "../../../training/arena/arena.js";
import { bidding, bidText, priceOf } from "../../../training/arena/bid.js";
import { patrol } from "../../toys/patrol.js";
import { race } from "../../toys/race.js";
import { Fixed, playOut } from "./fixed.js";

const game = race.load(resolveOptions(race), race.data);

const agentFor = (name: string): Agent => new Fixed(name);

/** Score of the first seat in games played by hand. */
function scoreOf(first: string, second: string, games: number): number {
  let points = 0;
  for (let k = 0; k < games; k++) points += (playOut(game, `b/${k}`, [first, second]) + 1) / 2;
  return points / games;
}

describe("bidding", () => {
  it("bids what the first seat brings an agent against itself, and lets who bids more play there", async () => {
    const { bidders, matches } = await bidding(game, { agents: ["first", "last"], games: 60, seed: "b", agentFor });
    const own = ["first", "last"].map((name) => scoreOf(name, name, 60));
    expect(bidders.map(({ bid }) => bid)).toEqual(own.map((x) => x - 0.5));
    const [x, y] = own[0]! >= own[1]! ? ["first", "last"] : ["last", "first"];
    const score = scoreOf(x, y, 60);
    const [match] = matches;
    expect([bidders[match!.first]!.agent, bidders[match!.second]!.agent]).toEqual([x, y]);
    expect(match!.total.score).toBeCloseTo(score, 12);
    expect(match!.net).toBeCloseTo(score - match!.price, 12);
    expect(match!.price).toBe(priceOf(Math.max(...own) - 0.5, Math.min(...own) - 0.5));
    expect(match!.netInterval[1] - match!.netInterval[0]).toBeCloseTo(
      match!.total.interval[1] - match!.total.interval[0],
      12,
    );
  });

  it("is even after the price for two that play alike", async () => {
    const alike = (name: string): Agent => new Fixed(name === "twin" ? "first" : name);
    const { matches } = await bidding(game, { agents: ["first", "twin"], games: 60, seed: "b", agentFor: alike });
    expect(matches[0]!.net).toBeCloseTo(0.5, 12);
  });

  it("has the higher bid paid; nobody pays where each prefers the other seat", () => {
    expect(priceOf(0.3, 0.1)).toBe(0.3);
    expect(priceOf(-0.1, -0.3)).toBe(-0.3);
    expect(priceOf(0.2, -0.1)).toBe(0);
  });

  it("reports who plays what and what was paid", async () => {
    const text = bidText(await bidding(game, { agents: ["first", "last"], games: 20, seed: "b", agentFor }));
    expect(text).toContain("against itself");
    expect(text).toMatch(/% of a game, 50 after the price is an even match/);
  });

  it("with an agent outside draws one secret for all its games, and prints it; with it they are the same again", async () => {
    const options = { agents: ["first", "external:somewhere"], games: 20, seed: "b", agentFor };
    const drawn = await bidding(game, options);
    expect(drawn.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(bidText(drawn)).toContain(`--secret ${drawn.secret}`);
    expect(await bidding(game, { ...options, secret: drawn.secret! })).toEqual(drawn);
    expect((await bidding(game, { ...options, agents: ["first", "last"] })).secret).toBeNull();
  });

  it("of one agent is what the first seat brings it", async () => {
    const result = await bidding(game, { agents: ["first"], games: 60, seed: "b", agentFor });
    expect([result.bidders.map(({ bid }) => bid), result.matches]).toEqual([[scoreOf("first", "first", 60) - 0.5], []]);
    expect(bidText(result)).toMatch(/bids/);
    expect(bidText(result)).not.toMatch(/paid/);
  });

  it.each([[["first", "first"], /"first" is named twice/]])("refuses %j", async (agents, message) => {
    await expect(bidding(game, { agents, games: 2, agentFor })).rejects.toThrow(message);
  });

  it("refuses a game for one", async () => {
    const solo = patrol.load(resolveOptions(patrol), patrol.data);
    await expect(bidding(solo, { agents: ["first", "last"], games: 2, agentFor })).rejects.toThrow(/games for two/);
  });
});

it("an agent may meet itself in one seating only", async () => {
  const twice = { agents: ["first", "first"], games: 10, seed: "b", agentFor };
  await expect(arena(game, twice)).rejects.toThrow(/named twice/);
  expect((await arena(game, { ...twice, seat: game.players[0]! })).pairs[0]!.seats[0].score).toBe(
    scoreOf("first", "first", 10),
  );
});
