import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
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

/** Another process, and its output, line by line. */
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

/** A process that has a session open, until it is asked to end or is killed. */
async function holding(store: SessionStore, id: string, wrapper: readonly string[] = []): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("./hold-child.ts", import.meta.url));
  const [command, ...args] = [...wrapper, process.execPath, "env/run.mjs", script, store.folder, id];
  const child = spawn(command!, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  expect(value).toBe("open");
  return child;
}
const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once("exit", done));

test("of processes that open sessions at once, one alone gets each", async () => {
  const store = new SessionStore(folder());
  const ids = await Promise.all(Array.from({ length: 100 }, () => closedSession(store)));
  const openers = [new Opener(store.folder), new Opener(store.folder)];
  for (const o of openers) expect(await o.hear()).toBe("ready");
  for (const o of openers) o.say({ ids, from: Date.now() + 200, every: 6 });
  const got = await Promise.all(openers.map((o) => o.hear() as Promise<string[]>));
  for (const o of openers) o.end();
  expect(got.flat().sort(), "each session is opened, and once").toEqual([...ids].sort());
});

/** Begins a process in a PID namespace of its own, as a container does; not every system lets its users. */
const APART = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
const hasApart = spawnSync(APART[0]!, [...APART.slice(1), "true"]).status === 0;

test.each<[string, readonly string[]]>([
  ["of this system", []],
  // numbers of processes mean nothing from one namespace to the other
  ...(hasApart ? [["in another PID namespace", APART] as [string, string[]]] : []),
])("a session that a living process has is refused, and says which: one %s", async (_where, wrapper) => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  const child = await holding(store, id, wrapper);
  try {
    const [pid] = readFileSync(lockOf(store, id), "utf8").split(" ");
    expect(() => store.open(id)).toThrow(
      `session ${id} is open already, in process ${pid} on "${hostname()}"; close it there, or end that process`,
    );
    expect(() => store.delete(id)).toThrow("is open already");
    expect(readdirSync(store.folder).sort()).toEqual([`${id}.jsonl`, `${id}.jsonl.lock`]);
  } finally {
    child.stdin!.end();
    await ended(child);
  }
  store.open(id).file.close();
});

test("a lock ends with its process, whoever gets its number", async () => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  const child = await holding(store, id);
  child.kill("SIGKILL");
  await ended(child);
  // the file stays, and names a process that is alive
  writeFileSync(lockOf(store, id), `${process.pid} ${hostname()}`);
  store.open(id).file.close();
  expect(readdirSync(store.folder)).toEqual([`${id}.jsonl`]);
});

test("a file that an earlier version left, or that holds anything else, keeps nobody out", async () => {
  const store = new SessionStore(folder());
  const id = await closedSession(store);
  for (const text of [`${process.ppid} 0123456789abcdef`, "", "oops", "x".repeat(10_000)]) {
    writeFileSync(lockOf(store, id), text);
    const { file } = store.open(id);
    expect(readFileSync(lockOf(store, id), "utf8")).toBe(`${process.pid} ${hostname()}`);
    expect(() => store.open(id)).toThrow(`is open already, in process ${process.pid}`);
    file.close();
    expect(readdirSync(store.folder)).toEqual([`${id}.jsonl`]);
  }
});

test("a lock that is taken and given back by several processes at once is never had by two", async () => {
  const path = join(folder(), "x");
  const script = fileURLToPath(new URL("./lock-child.ts", import.meta.url));
  const together = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ["env/run.mjs", script, path, "1500"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
      return Number(value);
    }),
  );
  expect(together).toEqual([0, 0, 0]);
});
