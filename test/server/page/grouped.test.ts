import type * as fs from "node:fs";
import { expect, test, vi } from "vitest";
import { makeGame, newFolder, SocketGuest, startPage } from "./guest.js";

/** How often the page's thread itself waited for the disk, and how often another one did; whether the disk fails. */
const waited = vi.hoisted(() => ({ here: 0, elsewhere: 0 }));
const disk = vi.hoisted(() => ({ fails: false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    fdatasyncSync: (fd: number) => {
      waited.here++;
      real.fdatasyncSync(fd);
    },
    fdatasync: (fd: number, done: (e: Error | null) => void) => {
      waited.elsewhere++;
      if (disk.fails) setImmediate(done, Object.assign(new Error("I/O error"), { code: "EIO" }));
      else real.fdatasync(fd, done);
    },
  };
});

test("the page waits for the disk in no move, in games just made and in games gone on with", async () => {
  const folder = newFolder();
  const first = await startPage(folder);
  const links = await makeGame(first, {
    game: "pocket-stalingrad",
    options: {},
    seats: { german: "first-keep" },
    seed: "group",
  });
  const play = async (page: typeof first): Promise<void> => {
    const guest = await SocketGuest.sit(page, links["soviet"]!);
    for (let k = 0; k < 3; k++) {
      await guest.until(() => guest.asked);
      const { n, prompt } = guest.frame!;
      guest.send({ op: "act", n, action: prompt.choices[0]!.action });
      await guest.until(() => guest.frame!.n > n);
    }
    guest.close();
  };
  waited.here = waited.elsewhere = 0;
  await play(first);
  await first.close();
  const second = await startPage(folder);
  await play(second);
  await second.close();
  expect(waited.here).toBe(0);
  expect(waited.elsewhere).toBeGreaterThanOrEqual(6);
});

test("a move that the disk fails to take is not shown before it does; that it isn't saved is said, and logged", async () => {
  const told: unknown[] = [];
  const page = await startPage(newFolder(), { log: (what, about) => told.push({ what, ...about }) });
  const links = await makeGame(page, { game: "pocket-stalingrad", options: {}, seats: { german: "first-keep" } });
  const guest = await SocketGuest.sit(page, links["soviet"]!);
  await guest.until(() => guest.asked);
  disk.fails = true;
  let n: number;
  let reply: { readonly op: string; readonly code?: string };
  do {
    const { prompt } = guest.frame!; // on a busy machine another may come just now
    n = guest.frame!.n;
    reply = await guest.ask({ op: "act", n, action: prompt.choices[0]!.action });
  } while (reply.code === "stale");
  expect(reply).toMatchObject({
    op: "error",
    message: expect.stringMatching(/^not saved yet: the disk refuses/) as string,
  });
  expect(told).toContainEqual({ what: "session-not-saved", game: "pocket-stalingrad", code: "EIO" });
  expect(guest.frame!.n).toBe(n);
  disk.fails = false;
  await guest.until(() => guest.frame!.n > n); // it is tried again every few seconds
  expect(guest.frame!.unsaved).toBe(false);
  guest.close();
  await page.close();
});
