import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killOnce } from "./kill.js";

test("a program that is killed at any moment loses no decision that it had confirmed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kessel-kill-"));
  let confirmed = 0;
  for (const after of [0, 3, 11, 30, 70]) {
    const one = await killOnce(folder, after);
    confirmed += one.confirmed;
    expect(one.lost).toBe(0);
  }
  expect(confirmed).toBeGreaterThan(0);
});
