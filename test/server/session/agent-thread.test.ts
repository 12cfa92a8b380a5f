import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Env, loadGame } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { ThreadAgent } from "../../../server/session/agent-thread.js";

const threads = (): number => readdirSync("/proc/self/task").length;

test.runIf(process.platform === "linux")(
  "a thread with nothing to think about ends, and another answers later",
  async () => {
    const game = loadGame("pocket-stalingrad");
    const env = new Env(game);
    env.reset("idle");
    const agent = new ThreadAgent("search:iterations=2", game, "1", 100);
    const out = new Int32Array(1);
    const before = threads();
    for (let i = 0; i < 2; i++) {
      const answered = agent.act(new OneDecision(env), out);
      await expect.poll(threads).toBeGreaterThan(before);
      await answered;
      expect(env.mask[out[0]!]).toBe(1);
      await expect.poll(threads).toBeLessThanOrEqual(before);
    }
    await agent.close();
  },
);
