import { beforeAll, describe, expect, test } from "vitest";
import { startBackend } from "../../../training/nets/backend.js";
import { packCheckpoint, unpackCheckpoint } from "../../../training/learn/checkpoint.js";
import type { Evaluator } from "../../../agents/search/leaves.js";
import { type ExpertGames, type ExpertPlayOptions, playExpertGames } from "../../../training/learn/expert-play.js";
import { ExpertIteration, expertSchema } from "../../../training/learn/expert.js";
import { Minibatch, RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { Bandit } from "../bandit.js";
import { MOST, nim, pileOf } from "../nim.js";
import { raceGame } from "../arena/race.js";
import { nightlyUnless } from "../../nightly.js";

const game = nim.load({}, {});
const config = expertSchema.parse({
  net: { kind: "mlp", hidden: [32] },
  updates: 40,
  games: 128,
  width: 32,
  simulations: 16,
  fullShare: 0.75,
  minibatch: 128,
  rate: [5e-3, 5e-4],
  replay: 4000,
  valueScale: 1,
});

beforeAll(() => startBackend("wasm").then(() => undefined));

/** A net that answers every position with the same logits, and expects a return of 0. */
const answering = (logits: readonly number[]): Evaluator => ({
  run: (_observation, _mask, n) =>
    Promise.resolve({
      policy: Float32Array.from({ length: logits.length * n }, (_, k) => logits[k % logits.length]!),
      value: new Float32Array(n),
    }),
  close: () => Promise.resolve(),
});

type Searched = Parameters<ExpertGames["onEnd"]>[1];

/** Plays games of a bandit. @returns the decisions that were searched */
async function searchedOf(
  bandit: Bandit,
  logits: readonly number[],
  count: number,
  options: Partial<ExpertPlayOptions> & Pick<ExpertPlayOptions, "target" | "play" | "simulations" | "fullShare">,
): Promise<Searched> {
  const searched: Searched[number][] = [];
  await playExpertGames(
    bandit,
    answering(logits),
    { considered: 3, visitOffset: 50, valueScale: 1, doubt: 0, ...options },
    { count, width: 7, seed: (n) => `games/${n}`, onEnd: (_n, decisions) => searched.push(...decisions) },
  );
  return searched;
}

for (const target of ["policy", "gains"] as const)
  test(
    `search against itself learns Nim to its known optimum with the target ${target}: leave a multiple of four`,
    nightlyUnless(target === "policy"),
    async () => {
      const run = new ExpertIteration(game, { ...config, target }, "learn");
      while (run.update < config.updates) await run.step();
      const samples = new RolloutBuffer(game);
      for (let pile = 1; pile <= MOST; pile++) samples.add(pileOf(pile), 0, 0);
      const batch = new Minibatch(game, MOST);
      batch.load(
        samples,
        Int32Array.from({ length: MOST }, (_, i) => i),
        0,
        MOST,
      );
      const { policy, value } = await run.net.evaluate(batch.observation, batch.mask, MOST);
      // a pile of one leaves no choice: such decisions are neither searched nor learnt
      for (let pile = 2; pile <= MOST; pile++) {
        const row = policy.subarray(3 * (pile - 1), 3 * pile);
        const best = pile % 4;
        if (best > 0) expect([pile, row.indexOf(Math.max(...row)) + 1]).toEqual([pile, best]);
        expect(value[pile - 1]! * (best > 0 ? 1 : -1)).toBeGreaterThan(0.5);
      }
    },
  );

test.each(["policy", "gains"] as const)(
  "of a hidden coin it learns the sure return (%s), and no search looks under the cup",
  async (target) => {
    // the sure arm is better than the side that three coins of four show, and worse than the side of this coin
    const bandit = new Bandit([
      [1, -1],
      [-1, 1],
      [0.7, 0.7],
    ]);
    const settings = {
      net: { kind: "mlp", hidden: [8] },
      games: 64,
      minibatch: 64,
      rate: [0.03, 0.03],
      fullShare: 1,
      replay: 128,
      doubt: 0,
      target,
    };
    const run = new ExpertIteration(bandit, expertSchema.parse(settings), "coin");
    for (let k = 0; k < 12; k++) await run.step();
    // the choices of the games alone meet the coin that is there
    expect(bandit.choices.filter((c) => !c.dealt).length).toBe(12 * 64);
    expect(bandit.choices.filter((c) => c.dealt).length).toBe(12 * 64 * 32);
    const batch = new Minibatch(bandit, 1);
    batch.loadDecision(0, new Int32Array(bandit.stateSize), 0);
    const { policy, value } = await run.net.evaluate(batch.observation, batch.mask, 1);
    expect(policy.indexOf(Math.max(...policy))).toBe(2);
    expect(Math.abs(value[0]! - 0.7)).toBeLessThan(0.15);
  },
);

describe.each(["policy", "gains"] as const)("a run is determined by its seed (%s)", (target) => {
  const short = { ...config, updates: 6, games: 24, width: 8, replay: 300, target };
  async function ended(seed: string, breakAt?: number): Promise<string> {
    let run = new ExpertIteration(game, short, seed);
    while (run.update < short.updates) {
      await run.step();
      if (run.update !== breakAt) continue;
      const bytes = packCheckpoint(run.save());
      run = new ExpertIteration(game, short, seed);
      run.restore(unpackCheckpoint(bytes, "checkpoint"));
    }
    return Buffer.from(packCheckpoint(run.save())).toString("base64");
  }

  test("same seed, same weights, optimiser and replay buffer; another seed, others", async () => {
    const first = await ended("a");
    expect(await ended("a")).toBe(first);
    expect(await ended("b")).not.toBe(first);
  });

  test("stopped half-way and resumed, it ends bit for bit where the straight run ends", async () => {
    const straight = await ended("a");
    expect(await ended("a", 1)).toBe(straight); // the buffer is not full yet
    expect(await ended("a", 4)).toBe(straight);
  });
});

test("with the target `choice` the best action is learnt without noise, and the quick searches explore", async () => {
  const bandit = new Bandit([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  const searched = await searchedOf(bandit, [0, 1, 0], 60, {
    valueScale: 0.1,
    simulations: 8,
    fullShare: 0.5,
    target: "choice",
    play: "search",
  });
  const learnt = searched.map((d) => [...d.policy]);
  expect(learnt.length).toBeGreaterThan(10);
  expect(new Set(learnt.map(String))).toEqual(new Set(["0,1,0"]));
  const played = bandit.choices.filter((c) => !c.dealt).map((c) => c.arm);
  expect(played.length).toBe(60);
  expect(new Set(played)).toEqual(new Set([0, 1, 2]));
});

test("with `play` `policy` the games are the net's, drawn from its policy, and a search only shows what was better", async () => {
  const better = 2;
  const bandit = new Bandit([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  const policy = [0.6, 0.3, 0.1];
  const games = 3000;
  const searched = await searchedOf(bandit, policy.map(Math.log), games, {
    simulations: 8,
    fullShare: 0.5,
    target: "gains",
    play: "policy",
  });
  const gains = searched.map((d) => [...d.gains!]);
  const played = bandit.choices.filter((c) => !c.dealt).map((c) => c.arm);
  policy.forEach((p, arm) => {
    const n = played.filter((a) => a === arm).length;
    expect(Math.abs(n - games * p)).toBeLessThan(4 * Math.sqrt(games * p * (1 - p)));
  });
  expect(Math.abs(gains.length - games / 2)).toBeLessThan(4 * Math.sqrt(games / 4));
  for (const g of gains) expect(g.indexOf(Math.max(...g))).toBe(better);
  // eight simulations for every second decision, and none for the others
  expect(bandit.choices.filter((c) => c.dealt).length).toBe(8 * gains.length);
});

test("gains are searched without noise: of one action considered it is always the likeliest", async () => {
  const bandit = new Bandit([
    [1, 1],
    [0, 0],
    [-1, -1],
  ]);
  const searched = await searchedOf(bandit, [1, 1.5, 1], 40, {
    considered: 1,
    simulations: 4,
    fullShare: 1,
    target: "gains",
    play: "policy",
  });
  expect(searched.length).toBe(40);
  for (const { gains } of searched) expect([...gains!]).toEqual([0, 0, 0]); // what was tried returns 0, as the net says
});

test("with the target `gains` the magnet holds the policy near the one that searched", async () => {
  const bandit = new Bandit([
    [1, 1],
    [-1, -1],
  ]);
  const likes = async (magnet: number): Promise<number> => {
    const settings = {
      net: { kind: "mlp", hidden: [8] },
      games: 64,
      minibatch: 64,
      rate: [0.01, 0.01],
      replay: 64,
      fullShare: 1,
      reuse: 20,
      target: "gains",
      magnet,
    };
    const run = new ExpertIteration(bandit, expertSchema.parse(settings), "magnet");
    await run.step();
    const batch = new Minibatch(bandit, 1);
    batch.loadDecision(0, new Int32Array(bandit.stateSize), 0);
    const { policy } = await run.net.evaluate(batch.observation, batch.mask, 1);
    return 1 / (1 + Math.exp(policy[1]! - policy[0]!));
  };
  const [free, held] = [await likes(0.01), await likes(1000)];
  expect(Math.abs(held - 0.5)).toBeLessThan(0.01);
  expect(free).toBeGreaterThan(0.6);
});

test("auxiliary heads are refused at the start", () => {
  const net = { kind: "graph", embed: 4, hidden: [8], auxiliary: ["otherUnits"] };
  expect(() => new ExpertIteration(raceGame(), expertSchema.parse({ net }), "x")).toThrow(
    "expert.net.auxiliary: expert iteration teaches no auxiliary heads",
  );
});
