import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { playReplay, type Replay } from "../../../env/index.js";
import { pocketStalingrad } from "../../../env/pocket-stalingrad/index.js";
import { Peer, tensor } from "../ask.js";
import { leastOf } from "../../patience.js";
import { kessel } from "./kessel.js";

type Child = ChildProcessByStdio<null, Readable, Readable>;
const children: Child[] = [];
/** Where servers keep the key of their user. */
const state = mkdtempSync(join(tmpdir(), "kessel-state-"));
const peers: Peer[] = [];
afterEach(() => {
  for (const p of peers.splice(0)) p.close();
  for (const c of children.splice(0)) c.kill("SIGKILL");
});

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));

/** `kessel serve` on a free port, in a process of its own. */
async function serve(...args: string[]): Promise<{ child: Child; address: string; ended: Promise<number | null> }> {
  const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--page-port", "0", "--json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  children.push(child);
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  const ended = new Promise<number | null>((resolve) => child.once("exit", (status) => resolve(status)));
  return { child, address: (JSON.parse(line) as { address: string }).address, ended };
}

describe("saved states", () => {
  const make = { op: "make", game: "pocket-stalingrad", size: 1, privileged: true };
  /** Saves in one server, and loads in each of the others. @returns their errors */
  async function across(first: string[], ...others: string[][]): Promise<(string | undefined)[]> {
    const servers = await Promise.all([first, ...others].map((args) => serve("--no-page", ...args)));
    const [from, ...to] = servers.map((s) => new Peer(s.address));
    peers.push(from!, ...to);
    const { batch } = (await from!.ask(make)).header;
    await from!.ask({ op: "reset", batch, seed: 1 });
    const saved = await from!.ask({ op: "save", batch });
    return Promise.all(
      to.map(async (peer) => {
        const other = (await peer.ask(make)).header["batch"];
        await peer.ask({ op: "reset", batch: other, seed: 2 });
        return (await peer.ask({ op: "load", batch: other }, saved.data)).header.error?.code;
      }),
    );
  }
  const dir = mkdtempSync(join(tmpdir(), "kessel-state-key-"));
  const key = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  it("load on a server with the same state key, and on no other", async () => {
    const [one, other] = [key("one", "1".repeat(64)), key("other", "2".repeat(64))];
    const codes = await across(["--state-key", one], ["--state-key", one], ["--state-key", other]);
    expect(codes).toEqual([undefined, "bad-state"]);
  });

  it("load on another server of the same user", async () => {
    expect(await across([], [])).toEqual([undefined]);
  });
});

describe("kessel serve --keyed-dice", () => {
  /** The replay of the beginning of a game whose seed everybody knows; the client takes the first legal action. */
  async function played(peer: Peer) {
    const make = { op: "make", game: "pocket-stalingrad", size: 1, record: true, privileged: true };
    const { batch, error } = (await peer.ask({ ...make, seats: { german: "random" } })).header;
    expect(error).toBeUndefined();
    let shown = await peer.ask({ op: "reset", batch, seed: "known" });
    for (let t = 0; t < 20; t++) {
      const action = tensor(shown, "mask").indexOf(1);
      shown = await peer.ask({ op: "step", batch }, Int32Array.of(action));
    }
    const { replay } = (await peer.ask({ op: "replay", batch, env: 0 })).header as unknown as { replay: Replay };
    playReplay(pocketStalingrad, replay); // without the key
    return { dice: replay.dice !== undefined, actions: replay.actions.join() };
  }

  it("plays one seed differently on each server, in threads and out of them", async () => {
    const seen = [];
    for (const args of [["--keyed-dice"], ["--keyed-dice", "--workers", "0"], [], ["--workers", "0"]]) {
      const { address } = await serve("--no-page", ...args);
      const peer = new Peer(address);
      peers.push(peer);
      seen.push(await played(peer));
      expect(await played(peer), args.join(" ")).toEqual(seen.at(-1)); // the same seed again, the same dice
    }
    const [keyed, keyedHere, plain, plainHere] = seen;
    expect(plainHere).toEqual(plain);
    expect(new Set([keyed, keyedHere, plain].map((p) => p!.actions)).size).toBe(3);
    expect(seen.map((p) => p.dice)).toEqual([true, true, false, false]);
  });
});

describe("kessel serve, stopped while its threads are busy", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s: ends within 5 seconds, answers what waits, and leaves no memory behind",
    async (signal) => {
      expect(await leastOf(() => stopped(signal), 5000)).toBeLessThan(5000);
    },
  );

  /** Stops a server with that signal while a search goes on. @returns ms until it has ended */
  async function stopped(signal: "SIGTERM" | "SIGINT"): Promise<number> {
    const { child, address, ended } = await serve("--workers", "1");
    const peer = new Peer(address);
    peers.push(peer);
    const make = { op: "make", game: "pocket-stalingrad", size: 1, shared: true };
    const endless = await peer.ask({ ...make, seats: { soviet: "search:iterations=1000000" } });
    const { path } = endless.header["memory"] as { path: string };
    expect(existsSync(path)).toBe(true);
    const waiting = 12;
    for (let i = 0; i < waiting; i++) await peer.put({ op: "reset", batch: endless.header["batch"], seed: i });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    child.kill(signal);
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < waiting; i++) codes.push((await peer.take()).header.error?.code);
    expect(codes).toEqual(new Array(waiting).fill("closed"));
    expect(await ended).toBe(0);
    const took = performance.now() - began;
    expect(existsSync(path)).toBe(false);
    return took;
  }
});

describe("kessel serve --stop-with-input", () => {
  it("ends by itself at a signal, though its input is still open", async () => {
    const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--stop-with-input", "--json"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, XDG_STATE_HOME: state },
    });
    await once(createInterface({ input: child.stdout }), "line");
    child.kill("SIGTERM");
    // where something keeps it alive, it is killed in the end: [null, "SIGKILL"]
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe.runIf(process.platform === "linux")("npm start", () => {
  it.each(["SIGTERM", "SIGKILL"] as const)("%s to npm ends the server too", async (signal) => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const npm = spawn("npm", ["start", "--silent", "--", "--port", "0", "--page-port", "0", "--json"], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, XDG_STATE_HOME: state },
    });
    const [line] = (await once(createInterface({ input: npm.stdout }), "line")) as [string];
    const { pid } = JSON.parse(line) as { pid: number };
    const lives = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(lives()).toBe(true);
    npm.kill(signal);
    await expect.poll(lives).toBe(false);
  });
});

describe("kessel serve, whose page has no port left", () => {
  it("ends, and names the port", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const { status, out, err } = await kessel(["serve", "--port", "0", "--page-port", String(port)]);
    expect([status, out]).toEqual([2, ""]); // nor does it say before that it serves
    expect(err).toContain(`127.0.0.1:${port}`);
    taken.close();
  });
});

describe.runIf(process.platform === "linux")("background threads", () => {
  it("give way to the one that answers", async () => {
    const { child } = await serve();
    const others = readdirSync(`/proc/${child.pid}/task`)
      .map(Number)
      .filter((thread) => thread !== child.pid);
    expect(getPriority(child.pid)).toBe(getPriority());
    // V8 has at least one; the threads of ZeroMQ came later and don't
    expect(others.filter((thread) => getPriority(thread) > getPriority()).length).toBeGreaterThanOrEqual(1);
    expect(others.filter((thread) => getPriority(thread) === getPriority()).length).toBeGreaterThanOrEqual(2);
  });
});
