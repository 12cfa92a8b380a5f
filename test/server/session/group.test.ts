import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { SessionFile } from "../../../server/session/store.js";

/** A disk that finishes a sync when it is told to. */
const disk = vi.hoisted(() => ({ syncs: [] as (() => void)[], closed: 0 }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    fdatasync: (_fd: number, done: () => void) => void disk.syncs.push(done),
    closeSync: (fd: number) => {
      disk.closed++;
      real.closeSync(fd);
    },
  };
});

let file: SessionFile;
let told: string[];
beforeEach(() => {
  const path = join(fs.mkdtempSync(join(tmpdir(), "kessel-group-")), "s.jsonl");
  file = new SessionFile(fs.openSync(path, "wx"), path, 0);
  file.group();
  disk.syncs.length = 0;
  disk.closed = 0;
  told = [];
});
const write = (name: string): void => {
  file.append({ do: name });
  file.whenOnDisk(() => told.push(name));
};

/** Lines are gathered for a moment before the disk is asked. */
const asked = (times: number) => expect.poll(() => disk.syncs.length).toBe(times);

test("nothing is told before it is on the disk, and then in order", async () => {
  write("a");
  await asked(1);
  expect(told).toEqual([]);
  disk.syncs.shift()!();
  expect(told).toEqual(["a"]);
});

test("lines that come together go to the disk together", async () => {
  for (const name of ["a", "b", "c"]) write(name);
  expect(disk.syncs, "the first does not go alone").toHaveLength(0);
  await asked(1);
  expect(told).toEqual([]);
  disk.syncs.shift()!();
  expect(told).toEqual(["a", "b", "c"]);
  await new Promise((done) => setTimeout(done, 30));
  expect(disk.syncs).toHaveLength(0);
});

test("what is written while the disk works goes out together with the next sync", async () => {
  write("a");
  await asked(1);
  for (const name of ["b", "c"]) write(name);
  disk.syncs.shift()!();
  expect(told, "b and c may not be on the disk yet").toEqual(["a"]);
  await asked(1);
  disk.syncs.shift()!();
  expect(told).toEqual(["a", "b", "c"]);
  expect(disk.syncs).toHaveLength(0);
});

test("a file that is closed while lines are gathered brings them to the disk first", () => {
  write("a");
  file.close();
  expect(disk.syncs).toHaveLength(1);
  expect(disk.closed).toBe(0);
  disk.syncs.shift()!();
  expect(told).toEqual(["a"]);
  expect(disk.closed).toBe(1);
});

test("with nothing to write nobody waits", () => {
  file.whenOnDisk(() => told.push("at once"));
  expect(told).toEqual(["at once"]);
});

test("a file that is closed while the disk works is let go afterwards, once", async () => {
  write("a");
  await asked(1);
  file.close();
  expect(disk.closed).toBe(0);
  disk.syncs.shift()!();
  expect(disk.closed).toBe(1);
  file.close();
  expect(disk.closed).toBe(1);
});
