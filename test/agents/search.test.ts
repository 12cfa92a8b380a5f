import { expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { SearchAgent } from "../../agents/search/index.js";
import { Batch, Env, type Game, loadGame, resolveOptions, type Rng, type State } from "../../env/index.js";
import { TOYS } from "../toys/index.js";

/** What an agent is asked about one situation. */
function ask(env: Env, agent: SearchAgent): string {
  const { game } = env;
  const seat = env.actor;
  const out = new Int32Array(1);
  agent.act(
    {
      game,
      size: 1,
      actors: Int32Array.of(seat),
      observation: env.observe(seat),
      mask: env.mask,
      view: () => game.view(env.state, seat),
      sample: (_row: number, to: State, rng: Rng) => game.resample(env.state, seat, to, rng),
    },
    out,
  );
  return game.actions[out[0]!]!;
}

function nightFight(position: object): Env {
  const env = new Env(loadGame("night-fight"));
  env.resetTo({ turn: 12, columns: ["gone", "gone"], ...position }, "search");
  return env;
}

const OUT = Object.fromEntries(["vs-1", "vs-2", "vs-3", "vs-4", "vs-5", "gren-2", "gren-3", "truck-1", "truck-2", "sdk-1"].map((u) => [u, { hex: "exited" }]));

test("search leaves the map when that is all there is to win by", () => {
  // the last unit stands at the edge with one point: leaving makes eleven
  const env = nightFight({ phase: "step", german: { ...OUT, "gren-1": { hex: "3010" } }, active: { unit: "gren-1", mp: 1 } });
  expect(ask(env, new SearchAgent("iterations=400", env.game, "edge"))).toBe("exit");
});

test("search doesn't walk into the fire, whichever way the dice fall in its dreams", () => {
  // nobody is out yet, so its death loses the game at once
  const env = nightFight({ phase: "step", turn: 1, german: { "gren-1": { hex: "2821" } }, active: { unit: "gren-1", mp: 3 } });
  const choice = ask(env, new SearchAgent("iterations=300,depth=4", env.game, "fire"));
  expect(["hex 2822", "hex 2721"]).not.toContain(choice);
});

test("the same seed gives the same choices", () => {
  const choices = [1, 2].map(() => {
    const env = new Env(loadGame("pocket-stalingrad"));
    env.reset("same");
    const agent = new SearchAgent("iterations=30,depth=20", env.game, "same");
    return Array.from({ length: 12 }, () => {
      const action = ask(env, agent);
      env.step(action);
      return action;
    });
  });
  expect(choices[0]).toEqual(choices[1]);
});

/** Mean return of `agent` in one seat against random play, over whole games. */
async function meanReturn(game: Game, name: string, seat: number, games: number): Promise<number> {
  const batch = new Batch(game, { size: games, autoreset: "disabled" });
  const agent = await makeAgent(name, { game, seed: "mean" });
  const random = await makeAgent("random", { game, seed: "mean" });
  const seats = new SeatedBatch(batch, () => game.players.map((_, p) => (p === seat ? agent : random)));
  await seats.reset("mean");
  let sum = 0;
  for (let i = 0; i < games; i++) {
    const returns = new Float32Array(game.players.length);
    game.returns(batch.states[i]!, returns);
    sum += returns[seat]!;
  }
  return sum / games;
}

const GAMES = 200;

test.each(TOYS.map((type) => [type.id, type.load(resolveOptions(type), type.data)] as const))("search beats random play in the toy %s", async (_id, game) => {
  for (let seat = 0; seat < game.players.length; seat++) {
    const searched = await meanReturn(game, "search:iterations=60", seat, GAMES);
    const random = await meanReturn(game, "random", seat, GAMES);
    // returns lie in -1..1: two standard errors of the difference are at most 2 * sqrt(2 / GAMES)
    expect(searched).toBeGreaterThan(random + 2 * Math.sqrt(2 / GAMES));
  }
});

test("search beats random play in Pocket Stalingrad from the seat that random play loses", async () => {
  const game = loadGame("pocket-stalingrad");
  const games = 20;
  const german = await meanReturn(game, "search:iterations=60", 1, games);
  expect(german).toBeGreaterThan((await meanReturn(game, "random", 1, 10 * games)) + 2 * Math.sqrt(1 / games));
});

test.each([
  ["search:speed=9", 'options of search are iterations=..., ms=..., rollout=..., depth=..., potential=... or explore=..., not "speed=9"'],
  ["search:iterations=0", 'iterations of search is a whole number from 1 to 10000000, not "0"'],
  ["search:iterations=5,ms=5", "search takes iterations=... or ms=..., not both"],
  ["search:rollout=paulus", 'rollout of search is random or heuristic:NAME, not "paulus"'],
  ["search:potential=gold", 'night-fight has no potential "gold"; it has breakout'],
  ["search:rollout=heuristic:gold", "night-fight has no heuristic"],
])("%s is refused: %s", async (name, reason) => {
  await expect(makeAgent(name, { game: loadGame("night-fight"), seed: 1 })).rejects.toThrow(reason);
});
