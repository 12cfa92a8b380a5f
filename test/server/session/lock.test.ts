import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadGame } from "../../../env/index.js";
import { startSession } from "../../../server/session/open.js";
import { SessionStore } from "../../../server/session/store.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "kessel-lock-"));
const lockOf = (store: SessionStore, id: string): string => join(store.folder, `${id}.jsonl.lock`);

async function closedSession(store: SessionStore): Promise<string> {
  const { type, options } = loadGame("pocket-stalingrad");
  const open = await startSession(store, { game: type.id, options, seats: {}, seed: "lock" });
  await open.close();
  return open.header.id;
}

/** A number of a process that has ended. */
const ended = (): number => spawnSync("true").pid;

/** Another process, and what it tells, line by line. */
class Opener {
  private readonly child: ChildProcess;
  private readonly told: AsyncIterator<string>;

  constructor(where: string) {
    const script = fileURLToPath(new URL("./open-child.ts", import.meta.url));
    this.child = spawn(process.execPath, ["env/run.mjs", script, where], { stdio: ["pipe", "pipe", "inherit"] });
    this.told = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  async hear(): Promise<unknown> {
    return JSON.parse((await this.told.next()).value as string);
  }

  say(what: unknown): void {
    this.child.stdin!.write(`${JSON.stringify(what)}\n`);
  }

  end(): void {
    this.child.stdin!.end();
  }
}

test("of processes that find the lock of an ended one at once, one alone gets the session", async () => {
  const store = new SessionStore(folder());
  const ids = await Promise.all(Array.from({ length: 100 }, () => closedSession(store)));
  const pid = String(ended());
  for (const id of ids) writeFileSync(lockOf(store, id), pid);
  const openers = [new Opener(store.folder), new Opener(store.folder)];
  for (const o of openers) expect(await o.hear()).toBe("ready");
  for (const o of openers) o.say({ ids, from: Date.now() + 200, every: 6 });
  const got = await Promise.all(openers.map((o) => o.hear() as Promise<string[]>));
  for (const o of openers) o.end();
  expect(got.flat().sort(), "each session is opened, and once").toEqual([...ids].sort());
});

test("a lock of an ended process, and what is none, are taken over; nothing is left beside the new one", async () => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  const names = (): string[] => readdirSync(store.folder).sort();
  const before = names();
  for (const text of [String(ended()), "", "oops"]) {
    writeFileSync(lockOf(store, id), text);
    const { file } = store.open(id);
    expect(names()).toEqual([`${id}.jsonl`, `${id}.jsonl.lock`]);
    expect(readFileSync(lockOf(store, id), "utf8")).toMatch(new RegExp(`^${process.pid} `));
    file.close();
    expect(names()).toEqual(before);
  }
});

test("a session that a living process has is refused, and its lock stays", async () => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  writeFileSync(lockOf(store, id), `${process.ppid} there`);
  expect(() => store.open(id)).toThrow(`session ${id} is open already, in process ${process.ppid}`);
  expect(readFileSync(lockOf(store, id), "utf8")).toBe(`${process.ppid} there`);
  expect(readdirSync(store.folder).sort()).toEqual([`${id}.jsonl`, `${id}.jsonl.lock`]);
});

test("a process that ended while it replaced a lock keeps nobody out", async () => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  const stale = `${ended()} stale`;
  writeFileSync(lockOf(store, id), stale);
  const right = createHash("sha256").update(stale).digest("hex").slice(0, 16);
  const names = (): string[] => readdirSync(store.folder).sort();
  writeFileSync(`${lockOf(store, id)}.${right}`, `${process.ppid} at work`);
  expect(() => store.open(id)).toThrow("is being opened by another process");
  writeFileSync(`${lockOf(store, id)}.${right}`, `${ended()} at work`);
  const { file } = store.open(id);
  expect(names()).toEqual([`${id}.jsonl`, `${id}.jsonl.lock`]);
  file.close();
});
