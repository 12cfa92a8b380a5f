import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Measure, Sample } from "./core.js";

/** Three processes' worth of threads compile for seconds, and need a while to find back to their caches. */
const SERVED = { warm: 8, length: 3 };
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The Python to measure with: `KESSEL_PYTHON`, the repository's `.venv`, or null. */
export function findPython(): string | null {
  const named = process.env["KESSEL_PYTHON"];
  if (named !== undefined && named !== "") return named;
  const own = `${root}.venv/bin/python`;
  return existsSync(own) ? own : null;
}

/** A Python process that measures on demand (bench.py). */
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
    this.child.stdin!.on("error", () => undefined); // a process that has ended is told by `close`
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
      ...(what === "openspiel" || what === "pettingzoo" ? {} : SERVED),
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

/** What a bare server of zeromq.js gives Python: it answers each message with a frame of the size that it asks for. */
async function echo(closing: (() => unknown)[]): Promise<string> {
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
  closing.push(() => socket.close());
  return socket.lastEndpoint!;
}

export const FLIGHT = 16;

/** The server's other ways: many small batches, groups, an opponent of its own, many clients; and what ZeroMQ itself takes. */
export async function serverMeasures(python: Python, game: string, model: string | null, closing: (() => unknown)[]) {
  const address = await echo(closing);
  return Promise.all([
    python.measure(`Python over ZeroMQ, ${FLIGHT} batches of 1 in flight`, "flight", game, FLIGHT),
    python.measure("bare zeromq.js echo of a batch of 1's frames", "echo", `${game}@${address}`, 1, "messages"),
    python.measure(`bare zeromq.js echo, ${FLIGHT} in flight`, "echo", `${game}@${address}`, FLIGHT, "messages"),
    python.measure("Python over ZeroMQ, batch of 256, pipelined in two groups", "pipelined", game, 256),
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
    python.measure("peer: PettingZoo connect_four_v3", "pettingzoo", "connect_four_v3", 1),
  ]);
