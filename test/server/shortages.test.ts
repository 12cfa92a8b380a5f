import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadGame, Rng } from "../../env/index.js";
import { startSession } from "../../server/session/open.js";
import { actionsOf } from "../../server/session/record.js";
import { SessionStore } from "../../server/session/store.js";
import { lowest, Peer } from "./ask.js";

// Real processes that lack files, memory or disk. The limits are those of a shell of their own.

const bin = fileURLToPath(new URL("../../server/cli/kessel.mjs", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "kessel-short-"));
const children: ChildProcess[] = [];
const peers: Peer[] = [];
afterEach(() => {
  for (const p of peers.splice(0)) p.close();
  for (const c of children.splice(0)) c.kill("SIGKILL");
});

/** Starts `kessel ARGS...` under limits such as `ulimit -n 60`; standard error goes to a file. */
function start(limits: string, args: string, more = "", node = ""): { child: ChildProcess; errors: () => string } {
  const errors = join(dir, `${Math.random()}.txt`);
  writeFileSync(errors, "");
  const line = `ulimit -c 0; ${limits}; exec ${process.execPath} ${node} ${bin} ${args} ${more} 2>${errors}`;
  // as npm starts it, so that it watches for npm's end, which takes a file to open
  const env = { ...process.env, XDG_STATE_HOME: dir, npm_lifecycle_event: "start" };
  const child = spawn("sh", ["-c", line], { stdio: ["pipe", "pipe", "ignore"], env });
  children.push(child);
  return { child, errors: () => readFileSync(errors, "utf8") };
}

/** Runs it to its end. */
async function run(
  limits: string,
  args: string,
  more = "",
  input = "",
): Promise<{ status: number | null; err: string }> {
  const { child, errors } = start(limits, args, more);
  child.stdin!.on("error", () => undefined).end(input);
  child.stdout!.resume();
  const status = await new Promise<number | null>((done) => child.once("exit", done));
  return { status, err: errors() };
}

async function serve(
  limits: string,
  args = "",
  node = "",
): Promise<{ peer: (receiveTimeout?: number) => Peer; errors: () => string; pid: number }> {
  const { child, errors } = start(limits, `serve --port 0 --json --no-page ${args}`, "", node);
  const line = await new Promise<string>((done) => createInterface({ input: child.stdout! }).once("line", done));
  const { address, pid } = JSON.parse(line) as { address: string; pid: number };
  const peer = (receiveTimeout?: number): Peer => {
    const p = new Peer(address, receiveTimeout === undefined ? {} : { receiveTimeout });
    peers.push(p);
    return p;
  };
  return { peer, errors, pid };
}

/** One line, and what it says. */
function oneLine(err: string, says: RegExp): void {
  expect(err).toMatch(/^kessel: [^\n]*\n$/);
  expect(err).toMatch(says);
}

describe.runIf(process.platform === "linux")("a program that lacks", () => {
  it.each([20, 24, 60, 100])("files to open (%i of them) says so before it reads any", async (n) => {
    const { status, err } = await run(`ulimit -n ${n}`, "list");
    oneLine(err, new RegExp(`only ${n} files .* 200 are needed; .*ulimit -n 1024`));
    expect(status).toBe(1);
  });

  it.each([3, 8, 16])("addresses (%i GiB) says so before Node.js fails", async (gib) => {
    const { status, err } = await run(`ulimit -v ${gib * 2 ** 20}`, "list");
    oneLine(err, new RegExp(`only ${gib}.0 GiB of addresses .*ulimit -v unlimited`));
    expect(status).toBe(1);
  });

  it("disk for its output says so", async () => {
    for (const command of ["list", "describe savage-streets --json", "rule savage-streets 7.31"]) {
      const { status, err } = await run("true", command, ">/dev/full");
      oneLine(err, /the disk is full; make room/);
      expect(status, command).toBe(1);
    }
  });

  it("disk for its messages goes on without them", async () => {
    const line = `exec ${process.execPath} ${bin} lst 2>/dev/full`;
    const child = spawn("sh", ["-c", line], { stdio: "ignore" });
    expect(await new Promise((done) => child.once("exit", done))).toBe(2);
  });
});

describe.runIf(process.platform === "linux")("a server that lacks", () => {
  it("files for all its connections serves those that it has, says so once, and recovers", async () => {
    const { peer, errors } = await serve("ulimit -n 256", "--workers 1");
    const first = peer();
    await first.ask({ op: "ping" });
    let answered = 0;
    const crowd = Array.from({ length: 300 }, () => peer());
    for (const p of crowd)
      void p.ask({ op: "ping" }).then(
        () => answered++,
        () => undefined,
      );
    await expect.poll(errors).toMatch(/"files-short".*"most":256.*ulimit -n 4096/);
    expect(answered).toBeGreaterThan(100);
    expect(answered).toBeLessThan(256);
    expect((await first.ask({ op: "ping" })).header.error).toBeUndefined();
    // a thread needs files too
    const make = { op: "make", game: "pocket-stalingrad", size: 64, privileged: true };
    const { error } = (await first.ask(make)).header;
    expect(error?.code).toMatch(/^(limit|batch-lost|internal)$/);
    for (const p of crowd) p.close();
    await expect.poll(async () => (await first.ask(make)).header.error, { interval: 1000 }).toBeUndefined();
    expect(errors().match(/files-short/g)).toHaveLength(1);
  });

  it("memory for a batch refuses that one with a typed error, and serves on", async () => {
    const { peer, errors, pid } = await serve("true", "--workers 0 --limit memory=100000 --limit environments=100000");
    const p = peer();
    const small = { op: "make", game: "streets-of-stalingrad", size: 2 };
    const { batch } = (await p.ask(small)).header;
    await p.ask({ op: "reset", batch, seed: 1 });
    const now = Number(/VmSize:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))![1]);
    execFileSync("prlimit", ["--pid", String(pid), `--as=${1024 * now + 400 * 2 ** 20}`]);
    const { error } = (await p.ask({ ...small, size: 60_000 })).header;
    expect(error).toEqual({
      code: "limit",
      message:
        "the server ran short: there is no memory left; ask for less at a time, or lift the limit (ulimit -v unlimited)",
    });
    expect((await p.ask({ op: "legal", batch })).header.error).toBeUndefined();
    expect((await p.ask(small)).header.error).toBeUndefined();
    expect(errors()).toMatch(/"shortage".*there is no memory left/);
    expect(errors()).not.toMatch(/internal-error/);
  });

  const HEAP = "--max-old-space-size=64"; // MiB
  const RAISE = "raise its limit (NODE_OPTIONS=--max-old-space-size=8192, in MiB)";

  it("heap for more batches refuses them in one line before V8 ends it, plays on, and recovers", async () => {
    const { peer, errors } = await serve("true", "--workers 0", HEAP);
    const p = peer(120_000); // with so little heap V8 collects garbage most of the time, on a busy machine for longer
    const make = { op: "make", game: "pocket-stalingrad", size: 2000 };
    const batches: unknown[] = [];
    let made = await p.ask(make);
    for (; made.header.error === undefined; made = await p.ask(make)) {
      const { batch } = made.header;
      batches.push(batch);
      expect((await p.ask({ op: "reset", batch, seed: 1 })).header.error).toBeUndefined();
      expect(batches.length).toBeLessThan(30);
    }
    const says = `the JavaScript heap is nearly full; close batches, or ${RAISE}`;
    expect(made.header.error).toEqual({ code: "limit", message: `the server is out of resources: ${says}` });
    const [batch] = batches;
    for (let k = 0; k < 3; k++) {
      const last = await p.ask({ op: "reset", batch, seed: k });
      expect((await p.ask({ op: "step", batch }, lowest(last))).header.error).toBeUndefined();
    }
    for (const b of batches) expect((await p.ask({ op: "close", batch: b })).header.error).toBeUndefined();
    await expect.poll(async () => (await p.ask(make)).header.error, { interval: 500 }).toBeUndefined();
    const logged = errors().trimEnd().split("\n");
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/"heap-short","usedMiB":\d+,"mostMiB":64,/);
    expect(logged[0]).toContain(says);
  });

  it("no heap, once garbage is collected, refuses nothing", () => {
    const script = `
      import { load } from "${new URL("../../env/source.mjs", import.meta.url).href}";
      const { HeapWatch } = await load("${new URL("../../server/gate/watches.ts", import.meta.url).href}");
      const events = [];
      const watch = new HeapWatch((event) => events.push(event));
      let kept = [];
      while (watch.shortage() === null) kept.push(new Array(50_000).fill(0.5));
      const full = watch.shortage() !== null;
      kept = [];
      const clock = new Int32Array(new SharedArrayBuffer(4));
      let then;
      for (let k = 0; k < 40 && then !== null; k++, then = watch.shortage()) Atomics.wait(clock, 0, 0, 500);
      console.log(JSON.stringify({ full, events, then }));`;
    const flags = [HEAP, "--input-type=module", "--eval", script];
    const said = execFileSync(process.execPath, flags, { encoding: "utf8" });
    expect(JSON.parse(said)).toEqual({ full: true, events: ["heap-short"], then: null });
  });

  it("heap in a thread loses the batches of that thread, and says so in one line", async () => {
    const { peer, errors } = await serve(
      "true",
      "--workers 2 --limit environments=100000 --limit client-environments=100000",
      HEAP,
    );
    const p = peer();
    const make = { op: "make", game: "pocket-stalingrad", privileged: true };
    const spared = (await p.ask({ ...make, size: 64 })).header["batch"]; // on the first thread
    let last = await p.ask({ op: "reset", batch: spared, seed: 1 });
    const whole = (await p.ask({ ...make, size: 90_000, ready: 32 })).header; // in one piece, on the second
    const error = whole.error ?? (await p.ask({ op: "reset", batch: whole["batch"], seed: 1 })).header.error;
    expect(error?.code).toBe("batch-lost");
    for (let k = 0; k < 3; k++) {
      last = await p.ask({ op: "step", batch: spared }, lowest(last));
      expect(last.header.error).toBeUndefined();
    }
    const lines = errors().split("\n");
    const failed = lines.filter((l) => l.includes('"thread-failed"'));
    expect(failed.length).toBeGreaterThan(0);
    for (const line of failed)
      expect(line).toContain(`the JavaScript heap of a thread is full; ask for less at a time, or ${RAISE}"}`);
    expect(lines.filter((l) => !/^(|\{.*"event":"thread-(failed|lost)".*\})$/.test(l))).toEqual([]);
    expect((await p.ask({ ...make, size: 8 })).header.error).toBeUndefined();
  });

  it("disk for its log serves on", async () => {
    const line = `exec ${process.execPath} ${bin} serve --port 0 --json --no-page --stats 1 2>/dev/full`;
    const child = spawn("sh", ["-c", line], { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    const told = await new Promise<string>((done) => createInterface({ input: child.stdout }).once("line", done));
    const p = new Peer((JSON.parse(told) as { address: string }).address);
    peers.push(p);
    await pause(2500); // it has tried to log twice
    expect((await p.ask({ op: "ping" })).header.error).toBeUndefined();
  });
});

/** A file system of a few KiB that is nearly full; null where this user may not mount one. */
function tinyDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "kessel-tiny-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  writeFileSync(join(folder, "fill"), Buffer.alloc(56_000));
  return folder;
}

describe.runIf(process.platform === "linux")("on a full disk", () => {
  let tiny: string | null = null;
  // not as the file is read: where all of its tests are left out, nothing would unmount it
  beforeAll(() => void (tiny = tinyDisk()));
  afterAll(() => {
    if (tiny !== null) execFileSync("umount", ["-l", tiny]);
  });
  beforeEach((context) => {
    if (tiny === null) context.skip();
  });

  it.each([
    ["a picture", () => `draw savage-streets --out ${tiny}/a.svg`],
    [
      "an arena's results",
      () => `arena pocket-stalingrad --agents random,heuristic:greedy --games 2 --json ${tiny}/a.json`,
    ],
    [
      "an arena's page",
      () => `arena pocket-stalingrad --agents random,heuristic:greedy --games 2 --html ${tiny}/a.html`,
    ],
    ["a run of training", () => `train ppo pocket-stalingrad --run ${tiny}/run --updates 1 --set ppo.games=2`],
  ])("%s is refused in one line", async (_what, args) => {
    const { status, err } = await run("true", args());
    oneLine(err.split("\n").slice(-2).join("\n"), /the disk is full|ENOSPC/);
    expect(status).not.toBe(0);
  });

  it("a game to be kept is refused in one line, one that is not kept is played", async () => {
    const play = "play pocket-stalingrad --seat soviet=human --seat german=random --seed 1";
    const state = `XDG_STATE_HOME=${tiny}/state KESSEL_SESSIONS=${tiny}/state`;
    const kept = await run(`export ${state}`, play, ">/dev/null", "1\n1\n");
    oneLine(kept.err, /sessions can't be kept in .*: the disk is full; make room/);
    expect(kept.status).not.toBe(0);
    expect(await run(`export ${state}`, `${play} --no-keep`, ">/dev/null", "1\n1\n")).toEqual({ status: 0, err: "" });
  });

  it("decisions that a disk has no room for are kept in memory, and written when there is room", async () => {
    const fill = join(tiny!, "fill");
    rmSync(fill);
    const rng = new Rng("full");
    const store = new SessionStore(join(tiny!, "sessions"));
    const game = loadGame("savage-streets"); // whose games are longer than a page of that disk
    const open = await startSession(store, { game: game.type.id, options: game.options, seats: {}, seed: "full" });
    const choose = async (): Promise<void> => {
      await open.session.advance();
      const legal = [...open.session.env.mask.keys()].filter((a) => open.session.env.mask[a] === 1);
      open.session.choose(legal[rng.below(legal.length)]!);
    };
    await choose();
    const written = open.session.actions.length;
    try {
      writeFileSync(fill, Buffer.alloc(100_000));
    } catch {
      // the disk is full now
    }
    while (open.file.unsaved === 0) await choose();
    expect(open.session.actions.length).toBeGreaterThan(written);
    const whole = actionsOf(store.read(open.header.id).lines);
    expect(whole).toEqual(open.session.actions.slice(0, whole.length));
    expect(whole.length).toBe(open.session.actions.length - open.file.unsaved);
    rmSync(fill);
    await choose();
    expect(open.file.unsaved).toBe(0);
    expect(actionsOf(store.read(open.header.id).lines)).toEqual(open.session.actions);
    await open.close();
  });
});
