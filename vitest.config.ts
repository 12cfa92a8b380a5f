import { cpus } from "node:os";
import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/patience.js";

/** Tests that put something else in a module's place, which others mustn't get, and tests of the page's own code. */
const BY_VITE = [
  "agents/models/missing-library",
  "training/runs/accidents",
  "training/learn/checkpoint",
  "training/runs/metrics",
  "server/session/disk-full",
  "server/session/group",
  "server/page/grouped",
  "server/tools/disk-full",
  "server/page/thread",
  "server/page/words",
].map((name) => `test/${name}.test.ts`);

/** Writes the CPU time of each test file to the file that KESSEL_CPU names. */
const CPU = process.env["KESSEL_CPU"] === undefined ? [] : ["test/cpu-time.ts"];

export default defineConfig({
  test: {
    globalSetup: "test/temporary.mjs",
    // for every test, on a slow and busy machine: none sets a limit of its own
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // a machine that pauses may spoil one attempt with real sockets, threads or browsers; the report names each retry
    retry: 1,
    tags: [{ name: "nightly", description: "takes minutes of CPU (test/nightly.ts)", timeout: 1_200_000 }],
    pool: "forks",
    maxWorkers: cpus().length + 2, // more than there are cores: many tests mostly wait, for the Python client, a browser or a time limit
    projects: [
      {
        extends: true,
        test: {
          name: "kessel",
          setupFiles: ["test/all-games.ts", ...CPU],
          include: ["test/**/*.test.ts"],
          exclude: BY_VITE,
          isolate: false, // modules are loaded once a process, not once a file
          // compiled once, as users run them: rewritten by vitest, games take two to four times as long
          experimental: { viteModuleRunner: false, nodeLoader: false },
          runner: "test/runner.mjs",
        },
      },
      { extends: true, test: { name: "vite", include: BY_VITE, setupFiles: CPU } },
    ],
  },
});
