import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { importGame, loadGame } from "../../../env/index.js";
import { type SeatMaker, startSession } from "../../../server/session/open.js";
import { actionsOf } from "../../../server/session/record.js";
import { SessionStore } from "../../../server/session/store.js";

const disk = vi.hoisted(() => ({
  full: false,
  code: "ENOSPC",
  opened: new Map<number, string>(),
  synced: [] as string[],
}));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const full = (): never => {
    throw Object.assign(new Error("no space"), { code: disk.code });
  };
  /** A full disk takes a part of the data, then refuses. */
  const writeSync = (fd: number, data: Buffer, offset: number, length: number, at: number): number =>
    !disk.full
      ? real.writeSync(fd, data, offset, length, at)
      : offset > 0
        ? full()
        : real.writeSync(fd, data, 0, 5, at);
  /** A drive of the network that is away does nothing more. */
  const ftruncateSync = (fd: number, length: number): void =>
    disk.full && disk.code === "ESTALE" ? full() : real.ftruncateSync(fd, length);
  const openSync = (path: string, flags: string, mode?: number): number => {
    const fd = real.openSync(path, flags, mode);
    disk.opened.set(fd, path);
    return fd;
  };
  const fsyncSync = (fd: number): void => {
    if (disk.full) full();
    real.fsyncSync(fd);
    disk.synced.push(disk.opened.get(fd)!);
  };
  return { ...real, writeSync, ftruncateSync, openSync, fsyncSync };
});

beforeAll(() => importGame("pocket-stalingrad"));

const REFUSALS = ["ENOSPC", "EROFS", "EACCES", "EFBIG", "ESTALE"];
test.each(REFUSALS)("decisions that a disk refuses (%s) wait, show as unsaved, and are written later", async (code) => {
  disk.code = code;
  const store = new SessionStore(fs.mkdtempSync(join(tmpdir(), "kessel-full-")));
  const game = loadGame("pocket-stalingrad");
  const open = await startSession(store, { game: game.type.id, options: game.options, seats: {}, seed: "full" });
  const choose = async (): Promise<void> => {
    await open.session.advance();
    open.session.choose(open.session.env.mask.indexOf(1));
  };
  await choose();
  const saved = [...open.session.actions];
  disk.full = true;
  await choose();
  await choose();
  expect(open.file.unsaved).toBe(open.session.actions.length - saved.length);
  expect(actionsOf(store.read(open.header.id).lines)).toEqual(saved); // no half line is left
  disk.full = false;
  await choose();
  expect(open.file.unsaved).toBe(0);
  expect(actionsOf(store.read(open.header.id).lines)).toEqual(open.session.actions);
  await open.close();
});

test("a session that the disk refuses at its beginning leaves no file behind, and its agents are closed", async () => {
  disk.code = "ENOSPC";
  const store = new SessionStore(fs.mkdtempSync(join(tmpdir(), "kessel-full-")));
  const game = loadGame("pocket-stalingrad");
  const wanted = { game: game.type.id, options: game.options, seats: { german: "random" }, seed: "full" };
  let closed = 0;
  const makeSeat: SeatMaker = async (who) =>
    who === "human" ? who : { name: who, act: () => undefined, close: async () => void closed++ };
  disk.full = true;
  await expect(startSession(store, wanted, makeSeat)).rejects.toThrow(/sessions can't be kept in .*: the disk is full/);
  disk.full = false;
  expect(fs.readdirSync(store.folder)).toEqual([]);
  expect(closed).toBe(1);
});

test("a session's name is brought to the disk, and the names of folders that are made for it", () => {
  const outer = fs.mkdtempSync(join(tmpdir(), "kessel-names-"));
  const folder = join(outer, "state", "sessions");
  const header = (id: string) => ({
    ...({ kessel: "session", format: 1, id, game: "pocket-stalingrad", version: 1, options: {}, seed: "n" } as const),
    ...{ seats: {}, created: "", data: null },
  });
  const store = new SessionStore(folder);
  for (const [id, names] of [
    ["firstsession", [folder, join(outer, "state"), outer]],
    ["anothersession", [folder]],
  ] as const) {
    disk.synced = [];
    store.create(header(id)).close();
    expect(disk.synced).toEqual(names);
  }
});
