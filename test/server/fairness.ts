// `npm run fairness`: how long a quiet client waits for its replies alone, and beside one hostile client of each kind. Exit
// status 1 when the 99th percentile is above --limit milliseconds (measure on an idle machine).
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HOSTILE } from "./hostile.js";
import { lowest, Peer } from "./ask.js";

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

const server = nodeWith(
  pathOf("../../server/cli/kessel.mjs"),
  ...["serve", "--port", "0", "--json", "--stop-with-input", "--workers", values.workers],
);
const { address } = JSON.parse(await firstLine(server)) as { address: string };
let late = 0;
try {
  const alone = await waits();
  tell("alone", alone);
  for (const kind of values.kinds.split(",")) {
    const hostile = nodeWith("--import", "tsx", pathOf("hostile-child.ts"), kind, address);
    await firstLine(hostile);
    const beside = await waits();
    hostile.kill("SIGKILL");
    tell(kind, beside);
    if (quantile(beside, 0.99) > Number(values.limit)) late++;
    await pause(500);
  }
} finally {
  server.stdin!.end();
}
await new Promise((resolve) => server.once("exit", resolve));
process.exitCode = late > 0 ? 1 : 0;

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

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Infinity;
}

function tell(name: string, took: readonly number[]): void {
  const ms = (q: number): string => quantile(took, q).toFixed(2).padStart(8);
  const about = name === "alone" ? "no other client" : HOSTILE[name]!.says;
  process.stdout.write(
    `${name.padEnd(10)} ${String(took.length).padStart(6)} replies, median ${ms(0.5)}, p99 ${ms(0.99)}, most ${ms(1)} ms: ${about}\n`,
  );
}
