import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nightly } from "../../nightly.js";
import { startServer } from "../own-server.js";

const hasGo = spawnSync("go", ["version"]).status === 0;

test.skipIf(!hasGo)("a client in Go, with typed integers and nil for keys it leaves out, plays", nightly, async () => {
  const server = await startServer();
  try {
    const cwd = join(import.meta.dirname, "go-client");
    const { limits, observed, stepped } = JSON.parse(
      execFileSync("go", ["run", ".", server.address], { cwd, encoding: "utf8" }),
    ) as { limits: Record<string, number>; observed: number; stepped: number };
    expect(Object.keys(limits).length).toBeGreaterThan(0);
    expect(observed).toBeGreaterThan(0);
    expect(stepped).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
});
