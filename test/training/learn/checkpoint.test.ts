import type * as files from "node:fs";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  type Checkpoint,
  loadCheckpoint,
  packCheckpoint,
  saveCheckpoint,
  unpackCheckpoint,
} from "../../../training/learn/checkpoint.js";
import { disk } from "../runs/disk.js";

vi.mock("node:fs", async (original) => (await import("../runs/disk.js")).limited(await original<typeof files>()));
afterEach(() => {
  disk.left = Infinity;
});

const folder = mkdtempSync(join(tmpdir(), "kessel-checkpoint-"));
const sample: Checkpoint = {
  facts: { update: 7, note: "für später" },
  arrays: {
    weights: Float32Array.of(1.5, -2, Math.PI),
    ids: Int32Array.of(-1, 2 ** 31 - 1),
    none: new Float32Array(0),
  },
};

test("what is saved comes back exactly", () => {
  const back = unpackCheckpoint(packCheckpoint(sample), "a checkpoint");
  expect(back).toEqual(sample);
});

test("every way of cutting or changing a file is noticed", () => {
  const bytes = packCheckpoint(sample);
  for (let n = 0; n < bytes.length; n++)
    expect(() => unpackCheckpoint(bytes.slice(0, n), "c.bin")).toThrow(
      /^c\.bin is (not a checkpoint|truncated or damaged)$/,
    );
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.slice();
    changed[i]! ^= 1;
    expect(() => unpackCheckpoint(changed, "c.bin")).toThrow(/is (not a checkpoint|truncated or damaged)/);
  }
});

test("a full disk leaves the last checkpoint as it was, and no half one", () => {
  const file = join(folder, "full.bin");
  saveCheckpoint(file, sample);
  const before = readFileSync(file);
  disk.left = 20;
  expect(() => saveCheckpoint(file, { ...sample, facts: { update: 8 } })).toThrow(
    /cannot save .*full\.bin: ENOSPC.*; what was saved before is intact/,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((f) => f.startsWith("full"))).toEqual(["full.bin"]);
});

test("a file that is missing or something else is refused by name", () => {
  expect(() => loadCheckpoint(join(folder, "no.bin"))).toThrow(/there is no checkpoint .*no\.bin/);
  writeFileSync(join(folder, "text.bin"), "hello");
  expect(() => loadCheckpoint(join(folder, "text.bin"))).toThrow(/text\.bin is not a checkpoint/);
});

test("more than a file can hold is refused before anything is written, with what would help", () => {
  const states = new Int32Array(2 ** 29); // memory that is never touched
  expect(() => saveCheckpoint(join(folder, "huge.bin"), { facts: {}, arrays: { states } })).toThrow(
    "the checkpoint takes 2.0 GiB, and at most 2 GiB can be read back: record fewer games",
  );
  expect(readdirSync(folder).filter((f) => f.startsWith("huge"))).toEqual([]);
});
