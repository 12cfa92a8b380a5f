import { cpus } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that put something else in a module's place, which others mustn't get. */
const MOCKING = [
  "agents/models/missing-library",
  "training/runs/accidents",
  "training/learn/checkpoint",
  "training/runs/metrics",
  "server/session/disk-full",
  "server/session/group",
  "server/page/grouped",
  "server/page/thread",
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    globalSetup: "test/temporary.mjs",
    testTimeout: 60_000, // a test that takes longer on a busy machine says so itself
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: cpus().length + 2, // more than there are cores: many tests mostly wait, for the Python client, a browser or a time limit
    projects: [
      {
        extends: true,
        test: {
          name: "kessel",
          include: ["test/**/*.test.ts"],
          exclude: MOCKING,
          isolate: false, // modules are loaded once a process, not once a file
          // compiled once, as users run them: rewritten by vitest, games take two to four times as long
          experimental: { viteModuleRunner: false, nodeLoader: false },
          runner: "test/runner.mjs",
        },
      },
      { extends: true, test: { name: "mocking", include: MOCKING } },
    ],
  },
});
