import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { loadGame } from "../../../env/index.js";
import { RandomAgent } from "../../../agents/random.js";
import { OnnxAgent, OnnxModel } from "../../../agents/onnx.js";
import { startBackend } from "../../../training/nets/backend.js";
import { exportOnnx } from "../../../training/nets/export.js";
import { goldenFrom } from "../../../training/models/golden-pairs.js";
import { imitateRunSchema, parseRun, RunFolder } from "../../../training/runs/run-folder.js";
import { trainByImitation } from "../../../training/runs/train-imitate.js";
import { imitate, imitateSchema } from "../../../training/learn/imitate.js";
import { playGames } from "../../../training/learn/play.js";
import { recordExpert } from "../../../training/learn/record.js";
import { Minibatch, type RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { RaceExpert, raceGame } from "../arena/race.js";
import { nightly } from "../../nightly.js";

const game = raceGame();
const config = imitateSchema.parse({ net: { kind: "mlp", hidden: [64, 64] }, epochs: 20, rate: 3e-3, minibatch: 256 });
let samples: RolloutBuffer;

beforeAll(async () => {
  await startBackend("wasm");
  samples = await recordExpert(game, {
    experts: [new RaceExpert(), new RaceExpert()],
    games: 1500,
    epsilon: 0.2,
    seed: "race",
  });
});

test("a net with heads that imitation can't teach is refused before anything is recorded", () => {
  const net = { kind: "graph", embed: 4, hidden: [8], auxiliary: ["finalMap"] };
  expect(() =>
    parseRun(imitateRunSchema, { method: "imitate", game: "toy-race", experts: ["random"], imitate: { net } }),
  ).toThrow("imitate.net.auxiliary: imitation teaches no auxiliary heads; leave them out");
});

test("experts are let go when their games are recorded, and not made for a recording that is there", async () => {
  const close = vi.spyOn(OnnxAgent.prototype, "close");
  const folder = new RunFolder(mkdtempSync(join(tmpdir(), "kessel-experts-")));
  const run = parseRun(imitateRunSchema, {
    method: "imitate",
    game: "pocket-stalingrad",
    experts: ["onnx:pocket-stalingrad/recruit.onnx"],
    games: 1,
    imitate: { net: { kind: "mlp", hidden: [8] }, epochs: 1 },
  });
  const begun = { learnt: () => expect(close).toHaveBeenCalledTimes(1) };
  await trainByImitation(loadGame("pocket-stalingrad"), run, folder, false, begun);
  await trainByImitation(loadGame("pocket-stalingrad"), run, folder, true, {});
  expect(close).toHaveBeenCalledTimes(1);
  close.mockRestore();
});

/** True when every action of a recording is the expert's. */
function expectExpert(recorded: RolloutBuffer): void {
  const expert = new RaceExpert();
  const out = new Int32Array(1);
  const batch = new Minibatch(game, 1);
  for (let k = 0; k < recorded.size; k++) {
    batch.load(recorded, [k], 0, 1);
    expert.act(
      {
        game,
        size: 1,
        observation: batch.observation,
        mask: batch.mask,
        actors: recorded.actor.subarray(k, k + 1),
        view: () => ({}),
        sample: () => false,
        known: () => {},
      },
      out,
    );
    expect(recorded.action[k]).toBe(out[0]);
  }
}

describe("recording", () => {
  const recording = { experts: [new RaceExpert(), new RaceExpert()], games: 50, epsilon: 0, seed: "noise" };

  test("keeps what the expert would do, also where chance played instead", async () => {
    expectExpert(await recordExpert(game, { ...recording, epsilon: 1 }));
  });

  test("records the expert's choice, also where another agent played", async () => {
    const others = await recordExpert(game, { ...recording, rolloutPolicy: new RandomAgent("random") });
    expectExpert(others);
    expect([...others.target.subarray(0, others.size)]).not.toEqual([
      ...(await recordExpert(game, recording)).target.subarray(0, others.size),
    ]);
  });

  test("keeps each deciding player's own outcome", () => {
    const last: Record<number, number> = {};
    for (let k = 0; k < samples.size; k++) {
      expect([-1, 0, 1]).toContain(samples.target[k]);
      last[samples.actor[k]!] = (last[samples.actor[k]!] ?? 0) + samples.target[k]!;
    }
    expect(Object.keys(last)).toEqual(["0", "1"]);
  });

  test("the same seed records the same games", async () => {
    const again = await recordExpert(game, {
      experts: [new RaceExpert(), new RaceExpert()],
      games: 1500,
      epsilon: 0.2,
      seed: "race",
    });
    expect(again.size).toBe(samples.size);
    for (let k = 0; k < again.size; k += 97) expect([...again.state(k)]).toEqual([...samples.state(k)]);
  });
});

test("imitation learns most of the expert's choices in a few epochs", async () => {
  let agreement = 0;
  const few = { ...config, epochs: 4 };
  await imitate(game, samples, few, { seed: "few", report: (e) => (agreement = e.heldOut!.agreement) });
  expect(agreement).toBeGreaterThan(0.9);
});

test("imitation learns the expert's choices, and then plays as well as the expert", nightly, async () => {
  let agreement = 0;
  const net = await imitate(game, samples, config, {
    seed: "learn",
    report: (e) => (agreement = e.heldOut!.agreement),
  });
  expect(agreement).toBeGreaterThan(0.99);

  const model = await OnnxModel.load(exportOnnx(net, {}, await goldenFrom(net, samples, 8)), game, "race");
  const learnt = new OnnxAgent("onnx", model, 0, "agent");
  const score = async (agent: OnnxAgent | RaceExpert): Promise<number> => {
    const random = new RandomAgent("random");
    let points = 0;
    await playGames(game, {
      count: 2000,
      width: 256,
      seed: (n) => `match/${n >> 1}`,
      seats: (n) => (n % 2 === 0 ? [agent, random] : [random, agent]),
      onEnd: (n, returns) => (points += (returns[n % 2]! + 1) / 2),
    });
    return points / 2000;
  };
  const expert = await score(new RaceExpert());
  expect(expert).toBeGreaterThan(0.6); // far from random, or the comparison says nothing
  expect(Math.abs((await score(learnt)) - expert)).toBeLessThan(0.02);
});

test("the same seed trains the same weights, another seed others", async () => {
  const short = { ...config, epochs: 1 };
  const weights = async (seed: string) =>
    Buffer.from((await imitate(game, samples, short, { seed })).params.all.buffer).toString("base64");
  const first = await weights("a");
  expect(await weights("a")).toBe(first);
  expect(await weights("b")).not.toBe(first);
});

test("learns from the decisions of some seats alone, keeping back the same ones as a net of all seats", async () => {
  const learntFrom = async (learnt?: number[]): Promise<number> => {
    let count = 0;
    await imitate(
      game,
      samples,
      { ...config, epochs: 1 },
      { seed: "seats", ...(learnt && { learnt }), report: (e) => (count = e.samples) },
    );
    return count;
  };
  const [first, second, all] = [await learntFrom([0]), await learntFrom([1]), await learntFrom()];
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(0);
  expect(first + second).toBe(all);
  const folder = new RunFolder(join(tmpdir(), "nobody"));
  const run = parseRun(imitateRunSchema, {
    method: "imitate",
    game: "toy-race",
    experts: ["random"],
    learnt: ["nobody"],
  });
  await expect(trainByImitation(game, run, folder, false, {})).rejects.toThrow(
    'configuration: learnt: toy-race has the seats north, south, not "nobody"',
  );
});
