import { expect, test } from "vitest";
import { loadGame } from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import { Ppo, ppoSchema } from "../../../training/learn/ppo.js";
import { wilson } from "../../../training/report/stats.js";
import { evaluateNet } from "../../../training/runs/train-self-play.js";
import { nightly } from "../../nightly.js";

test("a short run of self-play alone learns to beat random play at Pocket Stalingrad", nightly, async () => {
  await startBackend();
  const game = loadGame("pocket-stalingrad");
  const ppo = new Ppo(
    game,
    ppoSchema.parse({
      net: { kind: "mlp", hidden: [96, 64] },
      updates: 12,
      games: 128,
      minibatch: 1024,
      rate: [2e-3, 5e-4],
    }),
    "learn",
  );
  while (ppo.update < 12) await ppo.step();
  const { random } = await evaluateNet(game, ppo.net, ["random"], 200, "measure");
  const seats = Object.values(random as Readonly<Record<string, { rate: number; games: number }>>);
  const games = seats.reduce((sum, x) => sum + x.games, 0);
  const [low] = wilson(
    seats.reduce((sum, x) => sum + x.rate * x.games, 0),
    games,
  );
  expect(games).toBe(200);
  expect(low).toBeGreaterThan(0.6);
});
