import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import type { Evaluation } from "../../../agents/onnx-session.js";
import { makeAgent } from "../../../agents/registry.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { SearchAgent } from "../../../agents/search/index.js";
import { parseSearch } from "../../../agents/search/options.js";
import { Tree } from "../../../agents/search/tree.js";
import {
  Batch,
  Env,
  type Game,
  loadGame,
  type Observation,
  resolveOptions,
  Rng,
  type State,
  writeKnown,
} from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import { TOYS } from "../../toys/index.js";
import { smallModel } from "../../training/models.js";
import { raceGame } from "../../training/arena/race.js";

/** A search agent without a net. */
const searcher = (argument: string, game: Game, seed: string): Promise<Agent> =>
  makeAgent(`search:${argument}`, { game, seed });

/** What an agent is asked about one situation. */
async function ask(env: Env, agent: Agent): Promise<string> {
  const { game } = env;
  const seat = env.actor;
  const out = new Int32Array(1);
  await agent.act(
    {
      game,
      size: 1,
      actors: Int32Array.of(seat),
      observation: env.observe(seat),
      mask: env.mask,
      view: () => game.view(env.state, seat),
      sample: (_row: number, to: State, rng: Rng) => game.resample(env.state, seat, to, rng),
      known: (_row: number, to: State) => writeKnown(game, env.state, seat, to),
    },
    out,
  );
  return game.actions[out[0]!]!;
}

test.each(["iterations=1", "ms=1"])(
  "a search with a net and %s, which is hardly one, still chooses",
  async (effort) => {
    const game = loadGame("pocket-stalingrad");
    const env = new Env(game);
    env.reset("hardly");
    while (env.mask.filter((m) => m === 1).length < 2) env.step(env.mask.indexOf(1));
    const agent = await searcher(`net=pocket-stalingrad/recruit.onnx,${effort}`, game, "hardly");
    expect(env.mask[game.actions.indexOf(await ask(env, agent))]).toBe(1);
    await agent.close?.();
  },
);

function nightFight(position: object): Env {
  const env = new Env(loadGame("night-fight"));
  env.resetTo({ turn: 12, columns: ["gone", "gone"], ...position }, "search");
  return env;
}

const OUT = Object.fromEntries(
  ["vs-1", "vs-2", "vs-3", "vs-4", "vs-5", "gren-2", "gren-3", "truck-1", "truck-2", "sdk-1"].map((u) => [
    u,
    { hex: "exited" },
  ]),
);

test("search leaves the map when that is all there is to win by", async () => {
  // the last unit is at the edge with one point: leaving makes eleven
  const env = nightFight({
    phase: "step",
    german: { ...OUT, "gren-1": { hex: "3010" } },
    active: { unit: "gren-1", mp: 1 },
  });
  expect(await ask(env, await searcher("iterations=400", env.game, "edge"))).toBe("exit");
});

test("search doesn't walk into the fire, whichever way the dice fall in its simulations", async () => {
  // no unit has exited yet, so its death loses the game at once
  const env = nightFight({
    phase: "step",
    turn: 1,
    german: { "gren-1": { hex: "2821" } },
    active: { unit: "gren-1", mp: 3 },
  });
  const choice = await ask(env, await searcher("iterations=300,depth=4", env.game, "fire"));
  expect(["hex 2822", "hex 2721"]).not.toContain(choice);
});

test.each(["iterations=30,depth=20", "iterations=30,rollout=heuristic:greedy,turns=1"])(
  "the same seed gives the same choices (%s)",
  async (argument) => {
    const play = async (): Promise<string[]> => {
      const env = new Env(loadGame("pocket-stalingrad"));
      env.reset("same");
      const agent = await searcher(argument, env.game, "same");
      const choices: string[] = [];
      while (choices.length < 12) {
        choices.push(await ask(env, agent));
        env.step(choices.at(-1)!);
      }
      return choices;
    };
    expect(await play()).toEqual(await play());
  },
);

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

/** A net that likes an action, sees a value in the pot, and counts how it is asked. */
class Scripted {
  runs = 0;
  rows = 0;

  constructor(
    private readonly game: Game,
    private readonly liked: string,
  ) {}

  run(observation: Observation, _mask: Uint8Array, n: number): Promise<Evaluation> {
    this.runs++;
    this.rows += n;
    const A = this.game.actions.length;
    const policy = new Float32Array(n * A);
    for (let i = 0; i < n; i++) policy[i * A + this.game.actions.indexOf(this.liked)] = 3;
    return Promise.resolve({
      policy,
      value: Float32Array.from({ length: n }, (_, i) => 0.1 * observation.globals[i * 3 + 1]!),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

test("a net judges the leaves of many games and of one tree together", async () => {
  const game = raceGame();
  const net = new Scripted(game, "roll 2");
  const agent = new SearchAgent("search", game, "net", parseSearch("iterations=33,net=x,batch=8", game, false), net);
  const batch = new Batch(game, { size: 6, autoreset: "disabled" });
  const asked: number[] = [];
  const counting: Agent = {
    name: "counting",
    act: (d, out) => {
      let open = 0;
      for (let i = 0; i < d.size; i++)
        open +=
          d.mask.subarray(i * game.actions.length, (i + 1) * game.actions.length).reduce((a, b) => a + b) > 1 ? 1 : 0;
      asked.push(open);
      return agent.act(d, out);
    },
  };
  await new SeatedBatch(batch, () => [counting, counting]).reset("net");
  const decisions = asked.reduce((a, b) => a + b);
  expect(net.runs).toBe(5 * asked.filter((n) => n > 0).length); // the root, then 32 leaves in four groups of eight
  expect(net.rows).toBeGreaterThan(decisions);
  expect(net.rows).toBeLessThanOrEqual(33 * decisions); // ends of games need no net
});

test("a net's policy says where search looks first", async () => {
  const game = raceGame();
  const env = new Env(game);
  env.reset("first");
  const rolls = env.legal().filter((a) => a.startsWith("roll"));
  expect(rolls.length).toBeGreaterThan(1);
  for (const liked of rolls) {
    const agent = new SearchAgent(
      "search",
      game,
      "first",
      parseSearch("iterations=2,net=x,batch=1", game, false),
      new Scripted(game, liked),
    );
    expect(await ask(env, agent)).toBe(liked);
  }
});

test.each(["", ",root=gumbel", ",root=plan"])(
  "search by an ONNX file%s plays whole games legally, and the same ones from the same seed",
  async (root) => {
    const game = raceGame();
    await startBackend();
    const folder = mkdtempSync(join(tmpdir(), "kessel-search-"));
    writeFileSync(join(folder, "small.onnx"), (await smallModel(game)).bytes);
    const play = async (): Promise<number[]> => {
      const agent = await makeAgent(`search:iterations=20,net=small.onnx${root}`, {
        game,
        seed: "file",
        models: folder,
      });
      const batch = new Batch(game, { size: 4, autoreset: "disabled" });
      await new SeatedBatch(batch, () => [agent, agent]).reset("file");
      await agent.close!();
      return [...batch.rewards];
    };
    expect(await play()).toEqual(await play());
  },
);

test("simulations under way keep others from following them", () => {
  const tree = new Tree(4, 1, 0);
  tree.clear();
  tree.setPolicy(0, Float32Array.of(0.2, 0.1, 0, -5), Uint8Array.of(1, 1, 1, 1), 0, 0);
  const seen = new Set<number>();
  for (let i = 0; i < 3; i++) {
    const k = tree.select(0, 0, Uint8Array.of(1, 1, 1, 1), 4, new Rng(1));
    seen.add(tree.actionOf(k));
    tree.addPending(0);
    tree.addPending(k);
  }
  expect([...seen].sort()).toEqual([0, 1, 2]);
});

test("a guide is followed until something else proves better", () => {
  const run = (better: number): number => {
    const tree = new Tree(3, 1, 0.6);
    tree.clear();
    tree.setGuideChoice(0, 2);
    for (let i = 0; i < 60; i++) {
      const k = tree.select(0, 0, Uint8Array.of(1, 1, 1), 3, new Rng(1));
      for (const n of [0, k]) {
        tree.addPending(n);
        tree.backUp(n, tree.actionOf(k) === better ? 1 : 0);
      }
    }
    return tree.mostVisited(0);
  };
  expect(run(-1)).toBe(2);
  expect(run(1)).toBe(1);
});

test("a guide shares with a net what the net leaves", () => {
  const first = (trust: number): number => {
    const tree = new Tree(3, 1, trust);
    tree.clear();
    tree.setPolicy(0, Float32Array.of(2, 0, 0), Uint8Array.of(1, 1, 1), 0, 0);
    tree.setGuideChoice(0, 2);
    return tree.actionOf(tree.select(0, 0, Uint8Array.of(1, 1, 1), 3, new Rng(1)));
  };
  // the net's choice has a prior of 79 %: of the whole, then of a fifth
  expect(first(0)).toBe(0);
  expect(first(0.8)).toBe(2);
});

test("with a prior search begins with the heuristic's choice, whatever plays the rollouts", async () => {
  const game = loadGame("savage-streets");
  const env = new Env(game);
  const rng = new Rng("prior");
  let asked = 0;
  for (env.reset("prior"); asked < 12 && !env.terminated;) {
    const legal = env.legal();
    if (env.actor === 0 && legal.length > 1) {
      const one = await ask(
        env,
        await makeAgent("search:prior=heuristic:g-storm,iterations=1,depth=0", { game, seed: asked }),
      );
      // of equal choices the heuristic takes any: what it plans is the same
      if (game.view(env.state, 0)["phase"] === "ger-move")
        expect(one).toBe(await ask(env, await makeAgent("heuristic:g-storm", { game, seed: asked })));
      asked++;
    }
    env.step(legal[rng.below(legal.length)]!);
  }
  expect(asked).toBe(12);
});

test("until its first turn search plays as its prior does", async () => {
  const game = loadGame("strike-counterstrike");
  const env = new Env(game);
  const planner = await makeAgent("heuristic:encircler", { game, seed: 1 });
  const search = await makeAgent("search:prior=heuristic:encircler,trust=0,iterations=12,depth=0,from=2", {
    game,
    seed: 1,
  });
  const differs = [0, 0, 0];
  for (env.reset("from"); !env.terminated;) {
    const turn = game.view(env.state, 0)["turn"] as number;
    if (turn > 2) break;
    const usual = await ask(env, planner);
    if (env.legal().length > 1 && (await ask(env, search)) !== usual) differs[turn]!++;
    env.step(usual);
  }
  expect(differs[1]).toBe(0);
  expect(differs[2]).toBeGreaterThan(0);
});

/** Games that search plays in a toy: as many as its lead over random play needs to stand out. */
const SEARCHED = new Map([
  ["toy-race", 120],
  ["toy-ambush", 300],
  ["toy-patrol", 60],
]);
/** Random games cost next to nothing. */
const RANDOM_GAMES = 3000;

test.each(TOYS.map((type) => [type.id, type.load(resolveOptions(type), type.data)] as const))(
  "search beats random play in the toy %s",
  async (id, game) => {
    const games = SEARCHED.get(id)!;
    for (let seat = 0; seat < game.players.length; seat++) {
      const searched = await meanReturn(game, "search:iterations=60", seat, games);
      const random = await meanReturn(game, "random", seat, RANDOM_GAMES);
      // returns are in -1..1: two standard errors of the difference are at most this
      expect(searched).toBeGreaterThan(random + 2 * Math.sqrt(1 / games + 1 / RANDOM_GAMES));
    }
  },
);

test("search beats random play in Pocket Stalingrad from the seat that random play loses", async () => {
  const game = loadGame("pocket-stalingrad");
  const games = 20;
  const german = await meanReturn(game, "search:iterations=60", 1, games);
  expect(german).toBeGreaterThan((await meanReturn(game, "random", 1, 10 * games)) + 2 * Math.sqrt(1 / games));
});
