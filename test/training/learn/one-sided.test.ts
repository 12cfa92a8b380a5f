/** Opponents that play one side only are met by a learner on the other. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadGame, Rng } from "../../../env/index.js";
import { League } from "../../../training/learn/league.js";
import { Ppo, ppoSchema } from "../../../training/learn/ppo.js";
import { startBackend } from "../../../training/nets/backend.js";
import { evaluateNet } from "../../../training/runs/train-self-play.js";
import { edited, setMeta, smallModel } from "../models.js";
import { nim } from "../nim.js";

const game = nim.load({}, {});
const SECOND = 1;
/** An agent that plays the second player alone. */
let second: string;

beforeAll(async () => {
  await startBackend("wasm");
  const { bytes } = await smallModel(game);
  const file = join(mkdtempSync(join(tmpdir(), "kessel-one-sided-")), "second.onnx");
  writeFileSync(
    file,
    edited(bytes, (m) => setMeta(m, "kessel.seats", '["second"]')),
  );
  second = `onnx:${file}`;
});

const ppo = (options: object) =>
  new Ppo(
    game,
    ppoSchema.parse({ net: { kind: "mlp", hidden: [8] }, games: 32, selfPlay: 0, epochs: 1, ...options }),
    "one-sided",
  );

test("a learner in the seat that an opponent plays meets others there", () => {
  const league = new League(game, ["random", "second"], 5);
  league.restrict("second", { players: [SECOND] });
  for (let i = 0; i < 100; i++) league.recordGames(0, SECOND, 1, 1); // random is beaten, and met all the same
  const rng = new Rng("draws");
  const met = [0, SECOND].map((seat) => new Set(Array.from({ length: 200 }, () => league.sampleOpponent(seat, rng))));
  expect(met.map((m) => [...m].sort())).toEqual([[0, 1], [0]]);
  expect(league.winRates()["second"]).toEqual({ first: 0.5 });
});

test("a resumed run knows the sides of its opponents", () => {
  const league = new League(game, ["second"], 5);
  league.addSnapshot("second", new Float32Array(1)); // a snapshot plays all, whatever its name
  const { facts, arrays } = league.save();
  const resumed = new League(game, ["second"], 5);
  resumed.restrict("second", { players: [SECOND] });
  resumed.restore(facts, arrays);
  const rng = new Rng("draws");
  expect(new Set(Array.from({ length: 100 }, () => resumed.sampleOpponent(SECOND, rng)))).toEqual(new Set([1]));
});

test("a run with an opponent for one side plays it there", async () => {
  const run = ppo({ opponents: [second, "random"], opponentsAtOnce: 8 });
  for (let u = 0; u < 3; u++) expect((await run.step())["leagueGames"]).toBe(32);
  expect(Object.keys(run.league.winRates()[second]!)).toEqual(["first"]);
});

test("a seat in which the learner would meet nobody is refused before a game is played", async () => {
  await expect(ppo({ opponents: [second] }).step()).rejects.toMatchObject({
    code: "bad-config",
    message: expect.stringContaining("no opponent can play the other side when the learner is second") as string,
  });
  await ppo({ opponents: [second], seats: ["first"] }).prepare();
  await ppo({ opponents: [second], selfPlay: 1 }).prepare();
});

test("an evaluation measures the seats in which an opponent can be met", async () => {
  const results = await evaluateNet(game, ppo({}).net, [second, "random"], 20, "measure");
  expect(results[second]).toEqual({ first: expect.objectContaining({ games: 20 }) as object });
  expect(Object.keys(results["random"]!)).toEqual(["first", "second"]);
});

test("in games for one the net plays alone, once, whoever is named", async () => {
  const solo = loadGame("night-fight");
  expect(solo.players).toHaveLength(1);
  const { net } = new Ppo(solo, ppoSchema.parse({ net: { kind: "mlp", hidden: [8] } }), "solo");
  const results = await evaluateNet(solo, net, ["random", "random"], 10, "measure");
  expect(results).toEqual({ alone: { [solo.players[0]!]: expect.objectContaining({ games: 10 }) as object } });
});
