import { cpus } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // one more than there are cores: the tests of the Python client mostly wait
  test: { include: ["test/**/*.test.ts"], testTimeout: 900_000, hookTimeout: 900_000, pool: "forks", maxWorkers: cpus().length + 1 },
});
