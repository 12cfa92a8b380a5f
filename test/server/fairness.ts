// `npm run soak -- fairness`: how long a quiet client waits for its replies beside one hostile client of each kind, and
// alone just before. Exit status 1 when the 99th percentile is above --limit milliseconds (measure on an idle machine;
// on a busy one only the two of a line can be compared).
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HOSTILE } from "./hostile.js";
import { lowest, Peer } from "./ask.js";
import { startServer } from "./own-server.js";
import { quantile } from "./quantile.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    limit: { type: "string", default: "5" },
    workers: { type: "string", default: "2" },
    kinds: { type: "string", default: Object.keys(HOSTILE).join() },
  },
});

const nodeWith = (...args: string[]): ChildProcess =>
  spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => createInterface({ input: child.stdout! }).once("line", resolve));
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const server = await startServer("--workers", values.workers);
const { address } = server;
let late = 0;
try {
  await startThreads();
  for (const kind of values.kinds.split(",")) {
    const alone = await waits();
    const hostile = nodeWith("env/run.mjs", pathOf("hostile-child.ts"), kind, address);
    await firstLine(hostile);
    const beside = await waits();
    if (hostile.exitCode !== null) throw new Error(`the hostile client of kind ${kind} has ended by itself`);
    hostile.kill("SIGKILL");
    tell(kind, alone, beside);
    if (quantile(beside, 0.99) > Number(values.limit)) late++;
    await pause(3500); // what it had asked is over by then: nobody waits for longer than 3 seconds
  }
} finally {
  await server.close();
}
for (const fault of server.faults) process.stdout.write(`${fault}\n`);
process.exitCode = late > 0 ? 1 : 0;

/**
 * Has the server start its threads, which it does when they are first needed and which takes a second of a core for
 * each.
 */
async function startThreads(): Promise<void> {
  const peer = new Peer(address);
  const { header } = await peer.ask({ op: "make", game: "savage-streets", size: 4096, lease: 30 });
  const { batch } = header;
  let answer = await peer.ask({ op: "reset", batch, seed: 1 });
  for (let n = 0; n < 20; n++) answer = await peer.ask({ op: "step", batch }, lowest(answer));
  await peer.ask({ op: "render", batch, env: 0, format: "rgb" });
  await peer.ask({ op: "close", batch });
  peer.close();
}

/** Milliseconds that each reply took, in order of length: steps of one environment, a pause after each. */
async function waits(): Promise<number[]> {
  const quiet = new Peer(address);
  const { header } = await quiet.ask({ op: "make", game: "savage-streets", size: 1, lease: 30 });
  const { batch } = header;
  let answer = await quiet.ask({ op: "reset", batch, seed: 1 });
  const took: number[] = [];
  for (const end = performance.now() + 1000 * Number(values.seconds); performance.now() < end;) {
    const began = performance.now();
    answer = await quiet.ask({ op: "step", batch }, lowest(answer));
    took.push(performance.now() - began);
    if (answer.header.error !== undefined) throw new Error(`refused: ${answer.header.error.message}`);
    await pause(2);
  }
  await quiet.ask({ op: "close", batch });
  quiet.close();
  return took.sort((a, b) => a - b);
}

function tell(kind: string, alone: readonly number[], beside: readonly number[]): void {
  const ms = (took: readonly number[], q: number): string => quantile(took, q).toFixed(2).padStart(7);
  const row = (took: readonly number[]): string => `median ${ms(took, 0.5)}, p99 ${ms(took, 0.99)}`;
  process.stdout.write(
    `${kind.padEnd(10)} ${row(beside)}, most ${ms(beside, 1)} ms (alone: ${row(alone)}): ${HOSTILE[kind]!.says}\n`,
  );
}
