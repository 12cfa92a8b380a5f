import { expect, test } from "vitest";
import { Rng } from "../../../env/index.js";
import { League, logProbability } from "../../../training/learn/league.js";
import { nim } from "../nim.js";

const game = nim.load({}, {});

test("opponents that beat the learner are sampled more often, for each of its seats by itself", () => {
  const league = new League(game, ["random", "onnx:strong.onnx"], 5);
  for (let i = 0; i < 100; i++) {
    league.recordGames(0, 0, 1, 1); // as first player it beats random and loses to the other
    league.recordGames(1, 0, 1, 0);
    league.recordGames(0, 1, 1, 0); // as second player the other way round
    league.recordGames(1, 1, 1, 1);
  }
  const rng = new Rng("draws");
  for (const player of [0, 1]) {
    let strong = 0;
    for (let i = 0; i < 1000; i++) strong += league.sampleOpponent(player, rng);
    expect(player === 0 ? strong : 1000 - strong).toBeGreaterThan(900);
  }
});

test("of too many snapshots the one most easily beaten leaves; named agents and the newest stay", () => {
  const league = new League(game, ["random"], 2);
  const weights = new Float32Array(4);
  league.addSnapshot("snapshot:1", weights);
  league.addSnapshot("snapshot:2", weights);
  for (let i = 0; i < 20; i++) {
    league.recordGames(1, i % 2, 1, 0.2);
    league.recordGames(2, i % 2, 1, 0.9);
  }
  league.addSnapshot("snapshot:3", weights);
  expect(Object.keys(league.winRates())).toEqual(["random", "snapshot:1", "snapshot:3"]);
});

test("a snapshot is a copy", () => {
  const league = new League(game, [], 2);
  const weights = Float32Array.of(1, 2);
  league.addSnapshot("snapshot:1", weights);
  weights[0] = 9;
  expect([...league.weightsOf(0)!]).toEqual([1, 2]);
});

test("log-probabilities count legal actions only", () => {
  const logits = Float32Array.of(50, 1, 1, 2);
  const mask = Uint8Array.of(0, 1, 1, 1);
  const all = 2 * Math.exp(1) + Math.exp(2);
  expect(logProbability(logits, mask, 0, 4, 3)).toBeCloseTo(Math.log(Math.exp(2) / all), 6);
});
