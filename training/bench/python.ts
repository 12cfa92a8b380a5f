import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Measure, Sample } from "./core.js";

/**
 * Measures over the server need a longer warm-up and longer runs: several processes compile, and their caches refill.
 */
const SERVER_RUN = { warm: 8, length: 3 };
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The Python to measure with: `KESSEL_PYTHON`, the repository's `.venv`, or null. */
export function findPython(): string | null {
  const named = process.env["KESSEL_PYTHON"];
  if (named !== undefined && named !== "") return named;
  const own = `${root}.venv/bin/python`;
  return existsSync(own) ? own : null;
}

/** A Python process that runs measures on request (bench.py). */
export class Python {
  private readonly child: ChildProcess;
  private readonly waiting: ((line: string | null) => void)[] = [];
  private lastError = "";

  constructor(python: string) {
    this.child = spawn(python, [fileURLToPath(new URL("./bench.py", import.meta.url)), `${root}server/python`], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    createInterface({ input: this.child.stdout! }).on("line", (line) => this.waiting.shift()?.(line));
    this.child.stderr!.on("data", (b: Buffer) => (this.lastError = b.toString().trim().split("\n").at(-1) ?? ""));
    this.child.stdin!.on("error", () => undefined); // `close` reports a process that has ended
    const ended = (): void => this.waiting.splice(0).forEach((done) => done(null));
    this.child.on("error", (e) => {
      this.lastError = e.message;
      ended();
    });
    this.child.on("close", ended);
  }

  /** @returns the answer, or why there is none */
  private async ask(line: string): Promise<Readonly<Record<string, number | string>> & { readonly skip?: string }> {
    const answer = await new Promise<string | null>((done) => {
      if (this.child.exitCode !== null) return done(null);
      this.waiting.push(done);
      this.child.stdin!.write(`${line}\n`);
    });
    if (answer === null) return { skip: `Python ended: ${this.lastError}` };
    return JSON.parse(answer) as Record<string, number | string> & { skip?: string };
  }

  async versions(): Promise<Record<string, string>> {
    return Object.fromEntries(Object.entries(await this.ask("versions - 0 0")).map(([k, v]) => [k, String(v)]));
  }

  /** A measure that Python takes, or the reason why it can't. */
  async measure(
    name: string,
    what: string,
    game: string,
    size: number,
    unit = "decisions",
    kind: Measure["kind"] = "rate",
  ): Promise<Measure | { readonly name: string; readonly skip: string }> {
    const first = await this.ask(`${what} ${game} ${size} 0`);
    if (first.skip !== undefined) return { name, skip: first.skip };
    return {
      name,
      unit,
      kind,
      ...(what.startsWith("spiel") || what === "openspiel" || what === "pettingzoo" ? {} : SERVER_RUN),
      run: async (seconds) => {
        const sample = await this.ask(`${what} ${game} ${size} ${seconds}`);
        if (sample.skip !== undefined) throw new Error(`${name}: ${sample.skip}`);
        return sample as unknown as Sample;
      },
    };
  }

  close(): void {
    this.child.stdin!.end();
  }
}

/** Random play over ZeroMQ at several batch sizes. */
export const pythonBatches = (python: Python, game: string) =>
  Promise.all(
    [1, 64, 256, 1024].map((size) => python.measure(`Python over ZeroMQ, batch of ${size}`, "kessel", game, size)),
  );

/**
 * A minimal zeromq.js server that answers each message with a frame of the requested size: the upper bound for Kessel.
 */
async function echo(cleanups: (() => unknown)[]): Promise<string> {
  const { Router } = await import("zeromq");
  const socket = new Router({ linger: 0, sendTimeout: 0 });
  await socket.bind("tcp://127.0.0.1:*");
  const head = Buffer.alloc(12);
  let frame = Buffer.alloc(0);
  void (async () => {
    for await (const [client, header] of socket) {
      const size = header!.readUInt32LE(0);
      if (frame.length !== size) frame = Buffer.alloc(size);
      await socket.send([client!, head, frame]);
    }
  })();
  cleanups.push(() => socket.close());
  return socket.lastEndpoint!;
}

export const IN_FLIGHT = 16;

/**
 * Further measures of the server: small batches in flight, pipelined groups, a served opponent, idle clients, a search,
 * bare ZeroMQ.
 */
export async function serverMeasures(python: Python, game: string, model: string | null, cleanups: (() => unknown)[]) {
  const address = await echo(cleanups);
  return Promise.all([
    python.measure(`Python over ZeroMQ, ${IN_FLIGHT} batches of 1 in flight`, "flight", game, IN_FLIGHT),
    python.measure("bare zeromq.js echo of a batch of 1's frames", "echo", `${game}@${address}`, 1, "messages"),
    python.measure(`bare zeromq.js echo, ${IN_FLIGHT} in flight`, "echo", `${game}@${address}`, IN_FLIGHT, "messages"),
    python.measure("Python over ZeroMQ, batch of 256, pipelined in two groups", "pipelined", game, 256),
    python.measure("Python over a pipe, one environment of aec_env", "single", game, 1),
    python.measure("Python over ZeroMQ, search, 256 nodes at once", "expand", game, 256, "nodes"),
    python.measure("Python over ZeroMQ, search, child() one by one", "child", game, 1, "nodes"),
    ...(model === null
      ? []
      : [
          python.measure(
            `Python over ZeroMQ, batch of 256 against onnx:${model}`,
            "against",
            `${game}=onnx:${model}`,
            256,
          ),
          python.measure(
            `Python over ZeroMQ, the first 256 of 512 against onnx:${model}`,
            "async",
            `${game}=onnx:${model}`,
            256,
          ),
        ]),
    python.measure(
      "Python over ZeroMQ, batch of 1, 99th percentile with 50 idle clients",
      "latency",
      game,
      50,
      "step",
      "time",
    ),
  ]);
}

/** The same kind of loop in other libraries. */
export const peers = (python: Python) =>
  Promise.all([
    ...["backgammon", "leduc_poker", "connect_four"].map((g) =>
      python.measure(`peer: OpenSpiel ${g}`, "openspiel", g, 1),
    ),
    python.measure("peer: OpenSpiel backgammon, child() one by one", "spiel-child", "backgammon", 1, "nodes"),
    python.measure("peer: PettingZoo connect_four_v3", "pettingzoo", "connect_four_v3", 1),
  ]);
