import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SessionFile } from "../../../server/session/session-file.js";

/** A disk that finishes a sync on command, and forgets what it had to write when the sync is made to fail. */
const disk = vi.hoisted(() => ({ syncs: [] as ((why?: Error) => void)[], closed: 0, closes: true }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    fdatasync: (_fd: number, done: (why: Error | null) => void) => void disk.syncs.push((why) => done(why ?? null)),
    closeSync: (fd: number) => {
      disk.closed++;
      real.closeSync(fd);
      if (!disk.closes) throw Object.assign(new Error("stale handle"), { code: "ESTALE" });
    },
  };
});

let file: SessionFile;
let path: string;
let told: string[];
let refused: string[];
beforeEach(() => {
  path = join(fs.mkdtempSync(join(tmpdir(), "kessel-group-")), "s.jsonl");
  file = new SessionFile(fs.openSync(path, "wx"), path, 0);
  refused = [];
  file.group(({ message }) => refused.push(message));
  disk.syncs.length = 0;
  disk.closed = 0;
  disk.closes = true;
  told = [];
});
const write = (name: string): void => {
  file.append({ do: name });
  file.whenOnDisk(() => told.push(name));
};

/** Lines are gathered for a moment before the disk is asked. */
const asked = (times: number) => expect.poll(() => disk.syncs.length).toBe(times);

test("nothing is shown before it is on the disk, and then in order", async () => {
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

test("a file whose disk complains when it is let go ends nothing else", async () => {
  disk.closes = false;
  write("a");
  await asked(1);
  file.close();
  disk.syncs.shift()!();
  expect(disk.closed).toBe(1);
});

describe("a sync that fails", () => {
  /** Loses the file's contents after `kept` bytes, as a system does that drops pages it couldn't write. */
  const fail = (kept: number): void => {
    fs.truncateSync(path, kept);
    disk.syncs.shift()!(new Error("I/O error"));
  };
  const inFile = (): string[] =>
    fs
      .readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { do: string }).do);

  test("confirms nothing; its lines count as unsaved, and the failure is reported", async () => {
    write("a");
    await asked(1);
    fail(0);
    expect(told).toEqual([]);
    expect(file.unsaved).toBe(1);
    expect(refused).toEqual(["I/O error"]);
  });

  test("is not trusted afterwards: its lines and those written meanwhile are written again, behind what is safe", async () => {
    write("safe");
    await asked(1);
    disk.syncs.shift()!();
    const safe = fs.statSync(path).size;
    write("a");
    await asked(1);
    write("b");
    fail(safe);
    expect(file.unsaved).toBe(2);
    expect(file.retry()).toBe(true);
    expect(inFile()).toEqual(["safe", "a", "b"]);
    expect(file.unsaved).toBe(0);
    expect(told, "the disk may refuse again").toEqual(["safe"]);
    await asked(1);
    fail(safe);
    write("c");
    await asked(1);
    disk.syncs.shift()!();
    expect(inFile()).toEqual(["safe", "a", "b", "c"]);
    expect(told).toEqual(["safe", "a", "b", "c"]);
  });

  test("lets nothing later be shown before what it holds up", async () => {
    write("a");
    await asked(1);
    fail(0);
    file.whenOnDisk(() => told.push("later"));
    expect(told).toEqual([]);
    file.retry();
    await asked(1);
    disk.syncs.shift()!();
    expect(told).toEqual(["a", "later"]);
  });

  test("at the end of a session lets the file go, and confirms nothing", async () => {
    write("a");
    await asked(1);
    file.close();
    fail(0);
    expect(disk.syncs).toHaveLength(0);
    expect(disk.closed).toBe(1);
    expect(told).toEqual([]);
  });
});
