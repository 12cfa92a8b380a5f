import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Agent, Decisions } from "../../../agents/agent.js";
import { makeAgent } from "../../../agents/registry.js";
import { Belief, VERDICTS, worldGame } from "../../../agents/search/belief.js";
import { DecisionBatch } from "../../../agents/seats.js";
import {
  Batch,
  loadGame,
  newObservation,
  newState,
  type Observation,
  Rng,
  type StateView,
  TENSORS,
} from "../../../env/index.js";
import { recordWorlds } from "../../../training/learn/belief.js";
import { imitateSchema } from "../../../training/learn/imitate.js";
import { startBackend } from "../../../training/nets/backend.js";
import { trainBelief } from "../../../training/runs/train-belief.js";
import type { Evaluator } from "../../../agents/search/leaves.js";
import { oracleReturns } from "../../../training/arena/oracle.js";
import { smallModel } from "../models.js";
import { COIN, Pennies } from "../pennies.js";

/** The hider sees where the coin is; `resample` deals it left as often as right. */
class OpenPennies extends Pennies {
  override observe(s: StateView, viewer: number, out: Observation): void {
    super.observe(s, viewer, out);
    out.units[0] = viewer === 0 && s[COIN] === 1 ? 1 : 0;
  }
}

const game = new OpenPennies();
const [HIDER, GUESSER] = [0, 1];

/** Hides right `right` times of ten. */
const habitual = (seed: string, right = 1): Agent => {
  const rng = new Rng(seed);
  return {
    name: "habitual",
    act({ size }: Decisions, out) {
      for (let i = 0; i < size; i++) out[i] = rng.below(10) < right ? 1 : 0;
    },
  };
};

/** A belief of where such a one hides. */
const learnt = (right = 1) => {
  const imitate = imitateSchema.parse({ net: { kind: "mlp", hidden: [8] }, epochs: 30, rate: 0.02, minibatch: 256 });
  const agents = [habitual("hides", right), habitual("guesses")];
  const quiet = { recorded: () => undefined, epoch: () => undefined };
  const run = { agents, games: 1000, seats: [GUESSER!], share: 1, seed: "pennies", imitate };
  return trainBelief(game, run, { command: "kessel model belief", by: ["habitual"] }, quiet);
};

beforeAll(() => startBackend("onnx").then(() => undefined));

describe("a belief of where the coin is", () => {
  test("is learnt from games: how much likelier a world is than it was dealt", async () => {
    const { bytes, measured } = await learnt();
    // the true coin has 0.9 / 0.5 or 0.1 / 0.5 of what it is dealt with
    const most = 0.9 * Math.log(0.9 / 0.5) + 0.1 * Math.log(0.1 / 0.5);
    expect(measured.decisions).toBe(100);
    expect(measured.interval[0]).toBeLessThan(most);
    expect(measured.interval[1]).toBeGreaterThan(most);
    expect(measured.gain).toBeGreaterThan(0.1);
    const belief = await Belief.load(bytes, game, "belief.onnx");
    const worlds = [1, 2].map((coin) => {
      const state = newState(game.stateSize);
      state[COIN] = coin;
      return { state, viewer: GUESSER };
    });
    const [left, right] = await belief.logRatios(worlds);
    expect(Math.exp(left! - right!)).toBeGreaterThan(6);
    expect(Math.exp(left! - right!)).toBeLessThan(13); // nine, as far as a thousand games show
    await belief.close();
  });

  test("makes samples as frequent as they are likely, each with dice of its own", async () => {
    const belief = await Belief.load((await learnt()).bytes, game, "belief.onnx");
    const batch = new Batch(game, { size: 1, autoreset: "disabled" });
    batch.reset("a");
    batch.step([1]); // hidden right, which nobody can know
    const decisions = new DecisionBatch(batch, false);
    decisions.add(0, habitual("guesses"));
    const rng = new Rng("samples");
    const out = newState(game.stateSize);
    let left = 0;
    const streams = new Set<string>();
    for (let k = 0; k < 20; k++) {
      const weighed = await belief.weigh(decisions, [0], rng);
      for (let n = 0; n < 50; n++) {
        weighed.sample(0, out, rng);
        if (out[COIN] === 1) left++;
        streams.add(out.subarray(0, 4).join());
      }
    }
    expect(left / 1000).toBeGreaterThan(0.85);
    expect(left / 1000).toBeLessThan(0.95);
    expect(streams.size).toBe(1000);
    await belief.close();
  });
});

test("a search with beliefs finds where the habitual hide, and one without guesses where finding gains more", async () => {
  /** Plays the hider's habit, and expects nothing. */
  const habits: Evaluator = {
    run: (_input, _mask, n) =>
      Promise.resolve({
        policy: Float32Array.from({ length: 2 * n }, (_, k) => (k % 2 === 1 ? 1 : 0)),
        value: new Float32Array(n),
      }),
    close: () => Promise.resolve(),
  };
  const games = { root: "gumbel", seat: GUESSER!, games: 4, iterations: 200, seed: "search" } as const;
  const hidesRight = await learnt(9);
  const belief = await Belief.load(hidesRight.bytes, game, "belief.onnx");
  const rows = await oracleReturns(game, habits, { ...games, belief });
  expect(rows.map((r) => [r.agent, r.mean])).toEqual([
    ["net", 0.5],
    ["search", -0.5],
    ["belief", 0.5],
    ["oracle", 0.5],
  ]);
  await belief.close();
});

test.each(["puct", "gumbel"])("belief=FILE is what a search with root=%s weighs by", async (root) => {
  const file = (name: string, bytes: Uint8Array): string => {
    const path = join(mkdtempSync(join(tmpdir(), "kessel-belief-")), name);
    writeFileSync(path, bytes);
    return path;
  };
  const net = file("net.onnx", (await smallModel(game)).bytes);
  const batch = new Batch(game, { size: 1, autoreset: "disabled" });
  batch.reset("a");
  batch.step([0]); // hidden left, against the habit
  const decisions = new DecisionBatch(batch, false);
  decisions.add(0, habitual("guesses"));
  const guessed = async (more: string) => {
    const out = new Int32Array(1);
    const agent = await makeAgent(`search:net=${net},root=${root},iterations=300${more}`, { game, seed: "s" });
    await agent.act(decisions, out);
    await agent.close?.();
    return game.actions[out[0]!];
  };
  expect(await guessed("")).toBe("left");
  expect(await guessed(`,belief=${file("belief.onnx", (await learnt(9)).bytes)}`)).toBe("right");
  await expect(guessed(`,belief=${net}`)).rejects.toThrow("the model was made for schema");
});

test("true worlds are recorded beside dealt ones, for the seats and in the order of the decisions", async () => {
  const agents = [habitual("hides"), habitual("guesses")];
  const { samples, gameOf } = await recordWorlds(game, {
    ...{ agents, games: 20, seats: [GUESSER], share: 1, dealt: 3, seed: "worlds" },
  });
  expect([...gameOf].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(samples.size).toBe(80);
  expect([...samples.actor.subarray(0, 80)].every((p) => p === GUESSER)).toBe(true);
  const verdicts = [...samples.action.subarray(0, 80)].map((a) => VERDICTS[a]);
  expect(verdicts).toEqual(gameOf.flatMap(() => ["true", "dealt", "dealt", "dealt"]));
  const coins = (verdict: string) => verdicts.flatMap((v, k) => (v === verdict ? [samples.state(k)[COIN]!] : []));
  expect(coins("true").filter((c) => c === 1).length).toBeGreaterThanOrEqual(14); // nine of ten
  expect(coins("dealt").filter((c) => c === 1).length).toBeLessThanOrEqual(45); // one of two
});

test("the net sees a world with the eyes of both sides", () => {
  const savage = loadGame("savage-streets");
  const batch = new Batch(savage, { size: 1, autoreset: "disabled" });
  batch.reset("world");
  const worlds = worldGame(savage);
  const [own, other] = [HIDER, GUESSER].map((viewer) => {
    const seen = newObservation(savage.observation);
    savage.observe(batch.states[0]!, viewer!, seen);
    return seen;
  }) as [Observation, Observation];
  const seen = newObservation(worlds.observation);
  worlds.observe(batch.states[0]!, HIDER!, seen);
  const F = savage.observation.units.length;
  savage.observation.unitRows.forEach((_, r) => {
    expect(seen.units.subarray(2 * r * F, (2 * r + 1) * F)).toEqual(own.units.subarray(r * F, (r + 1) * F));
    expect(seen.units.subarray((2 * r + 1) * F, (2 * r + 2) * F)).toEqual(other.units.subarray(r * F, (r + 1) * F));
  });
  for (const t of TENSORS) expect(seen[t].some((x) => x !== 0)).toBe(true);
  expect(worlds.observation.units[F]!.name).toBe(`other: ${savage.observation.units[0]!.name}`);
});

test("a model that plays is no belief, and a game for one has none", async () => {
  const { bytes } = await smallModel(game);
  await expect(Belief.load(bytes, game, "a.onnx")).rejects.toThrow("a.onnx: the model was made for schema");
  expect(() => worldGame(loadGame("night-fight"))).toThrow(
    "night-fight has one player, so that nobody chose what is hidden",
  );
});
