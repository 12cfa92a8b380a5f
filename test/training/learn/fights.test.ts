import { beforeAll, expect, test } from "vitest";
import { loadGame } from "../../../env/index.js";
import { RandomAgent } from "../../../agents/random.js";
import { SINGLE_LEARNER } from "../../../training/learn/allreduce.js";
import { packCheckpoint, unpackCheckpoint } from "../../../training/learn/checkpoint.js";
import { type EpochReport, imitate, imitateSchema } from "../../../training/learn/imitate.js";
import { recordExpert } from "../../../training/learn/record.js";
import { startBackend } from "../../../training/nets/backend.js";
import { parseRun, ppoRunSchema } from "../../../training/runs/run-folder.js";
import { makeTrainer, type Trainer } from "../../../training/runs/trainers.js";

beforeAll(() => startBackend("onnx").then(() => undefined));

const SOS = "streets-of-stalingrad";
const [block, landing] = [{ scenario: "sandbox-1" }, { scenario: "drill-landing" }];
const net = { kind: "pooled", embed: 4, hidden: [8] };

const run = parseRun(ppoRunSchema, {
  method: "ppo",
  game: SOS,
  options: landing,
  seed: "fights",
  fights: [{ options: block, games: 3, opponents: ["random"], minibatch: 64 }],
  ppo: { net, updates: 3, games: 2, epochs: 1, minibatch: 128, snapshotEvery: 1, magnet: { weight: 0.1, every: 2 } },
});
const trainer = (config = run): Trainer => makeTrainer(loadGame(SOS, config.options), config, SINGLE_LEARNER, []);

/** Checkpoint after three updates, through bytes after the update `breakAt`. */
async function trained(breakAt: number): Promise<string> {
  let one = trainer();
  for (let u = 1; u <= 3; u++) {
    await one.step();
    if (u !== breakAt) continue;
    const saved = packCheckpoint(one.save());
    one = trainer();
    one.restore(unpackCheckpoint(saved, "checkpoint"));
  }
  return Buffer.from(packCheckpoint(one.save())).toString("base64");
}

test("one net learns two fights; stopped and resumed it ends bit for bit where the straight run ends", async () => {
  expect(await trained(2)).toBe(await trained(0));
});

test("an update plays each fight and counts the games of both", async () => {
  const report = await trainer().step();
  expect(report["games"]).toBe(5);
  const fights = report["fights"] as Record<string, { games: number; decisions: number }>;
  expect(Object.entries(fights).map(([name, { games }]) => [name, games])).toEqual([
    ["scenario=drill-landing", 2],
    ["scenario=sandbox-1", 3],
  ]);
  expect(report["decisions"]).toBe(Object.values(fights).reduce((sum, f) => sum + f.decisions, 0));
});

test("a net with weights of its own for each row can't learn two fights", () => {
  const graph = { kind: "graph", embed: 4, hidden: [8] };
  expect(() => trainer(parseRun(ppoRunSchema, { ...run, ppo: { net: graph } }))).toThrow(
    "a net of kind graph has other weights in each fight, so it can't learn several; one of kind pooled can",
  );
});

test("imitation of several fights reports what the net agrees on in each", async () => {
  const record = (options: typeof block) => {
    const game = loadGame(SOS, options);
    const experts = game.players.map((p) => new RandomAgent(p));
    return recordExpert(game, { experts, games: 6, epsilon: 0, seed: "lessons" });
  };
  const [first, second] = [await record(block), await record(landing)];
  const reports: EpochReport[] = [];
  await imitate(first.game, first, imitateSchema.parse({ net, epochs: 2, minibatch: 64, heldOut: 0.5 }), {
    seed: "lessons",
    more: [{ game: second.game, samples: second, minibatch: 32 }],
    report: (epoch) => reports.push(epoch),
  });
  const half = (size: number) => Math.floor(size / 2);
  const [a, b] = [half(first.size), half(second.size)];
  for (const { heldOut, samples } of reports) {
    expect(samples).toBe(first.size - a + second.size - b);
    const [x, y] = heldOut!.fights as [number, number];
    expect(heldOut!.agreement).toBeCloseTo((a * x + b * y) / (a + b));
  }
  expect(reports[1]!.train["policy"]).toBeLessThan(reports[0]!.train["policy"]!);
});
