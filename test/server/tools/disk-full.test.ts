import type * as fs from "node:fs";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { SessionStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { type Guest, guestOf, sessionOf } from "./guest.js";

const disk = vi.hoisted(() => ({ full: false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (...args: Parameters<typeof fs.writeSync>): number => {
    if (disk.full) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    return real.writeSync(...args);
  };
  return { ...real, writeSync };
});

let guest: Guest;
let table: SeatTable;
const folder = mkdtempSync(join(tmpdir(), "kessel-tools-full-"));
afterEach(async () => {
  disk.full = false;
  await guest.close();
  await table.close();
});

const start = async (most?: number): Promise<void> => {
  table = new SeatTable(new SessionStore(folder), false, most);
  guest = await guestOf(table);
};
const begin = async (): Promise<string> =>
  sessionOf(await guest.call("new_game", { game: "pocket-stalingrad", seat: "soviet", opponent: "random" }));
const decisions = (session: string): number =>
  readFileSync(join(folder, `${session}.jsonl`), "utf8").split("\n").length - 2;

test("with a full disk every answer says that the game is not saved, until it is", async () => {
  await start();
  const session = await begin();
  const before = decisions(session);
  disk.full = true;
  for (let i = 0; i < 3; i++) {
    const { text, facts, isError } = await guest.call("act", { session, action: 1 });
    expect(isError).toBe(false);
    expect(text).toMatch(/^Not saved: the disk refuses \d+ lines? of this game\./);
    expect((JSON.parse(facts!) as { unsaved: number }).unsaved).toBeGreaterThan(i);
  }
  expect((await guest.call("observe", { session })).text).toMatch(/^Not saved/);
  expect(decisions(session)).toBe(before);
  disk.full = false;
  const { text, facts } = await guest.call("act", { session, action: 1 });
  expect(text).not.toContain("Not saved");
  expect(JSON.parse(facts!)).not.toHaveProperty("unsaved");
  expect(decisions(session)).toBeGreaterThanOrEqual(before + 3);
});

test("a game can't begin on a full disk", async () => {
  await start();
  disk.full = true;
  const answer = await guest.call("new_game", { game: "pocket-stalingrad", seat: "soviet" });
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^bad-session: .*disk is full/) as string,
  });
});

test("what waits is written without a further call", async () => {
  await start();
  const session = await begin();
  const before = decisions(session);
  disk.full = true;
  await guest.call("act", { session, action: 1 });
  disk.full = false;
  await vi.waitFor(() => expect(decisions(session)).toBeGreaterThan(before), { timeout: 20_000, interval: 200 });
});

test("a game that waits for the disk is not closed for another", async () => {
  await start(1);
  const [other, session] = [await begin(), await begin()]; // the first is closed for the second
  disk.full = true;
  await guest.call("act", { session, action: 1 });
  const before = decisions(session);
  expect((await guest.call("observe", { session: other })).isError).toBe(false);
  disk.full = false;
  expect((await guest.call("observe", { session })).text).not.toContain("Not saved");
  expect(decisions(session)).toBeGreaterThan(before);
});
