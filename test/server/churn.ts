// `npm run churn -- --minutes 30`: clients that connect, play, are killed and leave, with the server's memory and
// batches meanwhile.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Rng } from "../../env/index.js";
import { lowest, Peer } from "./ask.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    clients: { type: "string", default: "24" },
    workers: { type: "string", default: "1" },
    game: { type: "string", default: "pocket-stalingrad" },
  },
});
const minutes = Number(values.minutes);
const GRACE = 2;
/** Growth of the server's memory, from a quarter of the way to the end, that is still no leak, in MiB. */
const SLACK = 64;

const kessel = fileURLToPath(new URL("../../server/cli/kessel.mjs", import.meta.url));
const server = spawn(
  process.execPath,
  [
    kessel,
    "serve",
    "--port",
    "0",
    "--json",
    "--stop-with-input",
    "--grace",
    String(GRACE),
    "--workers",
    values.workers,
  ],
  { stdio: ["pipe", "pipe", "inherit"] },
);
const line = await new Promise<string>((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
const { address } = JSON.parse(line) as { address: string };
const end = Date.now() + 60_000 * minutes;
const done = { batches: 0, steps: 0, dropped: 0, killed: 0, refused: 0 };

/** One client after another at the same place: most close their batch, some just go. */
async function comeAndGo(rng: Rng): Promise<void> {
  while (Date.now() < end) {
    const p = new Peer(address);
    const size = [1, 4, 16, 64, 256, 600][rng.below(6)]!;
    const seats = rng.below(3) === 0 ? { german: "heuristic:greedy" } : {};
    const { header } = await p.ask({
      op: "make",
      game: values.game,
      size,
      seats,
      lease: 30,
      autoreset: rng.below(2) ? "same-step" : "next-step",
    });
    const { batch } = header;
    let answer = await p.ask({ op: "reset", batch, seed: rng.word() });
    for (let n = rng.below(60); n > 0 && answer.header.error === undefined; n--) {
      answer = await p.ask(
        { op: "step", batch, free: answer.header["slot"] === undefined ? [] : [answer.header["slot"]] },
        lowest(answer),
      );
      done.steps += size;
      await pause(5 + rng.below(20));
    }
    if (answer.header.error !== undefined) {
      done.refused++;
      process.stdout.write(`refused: ${answer.header.error.code}\n`);
    }
    done.batches++;
    if (rng.below(3) === 0) {
      done.dropped++;
      await p.put({ op: "legal", batch });
    } else await p.ask({ op: "close", batch });
    p.close();
  }
}

/** Whole processes that are killed while they step. */
async function kill(): Promise<void> {
  const script = fileURLToPath(new URL("./stepper.ts", import.meta.url));
  while (Date.now() < end) {
    const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, address, values.game], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve) => createInterface({ input: child.stdout! }).once("line", () => resolve()));
    child.kill("SIGKILL");
    done.killed++;
    await pause(3000);
  }
}

const watcher = new Peer(address);
const began = Date.now();
type Stats = Record<"batches" | "environments" | "batchBytes" | "processBytes" | "requests" | "errors", number>;
const statsNow = async (): Promise<Stats> => (await watcher.ask({ op: "stats" })).header["stats"] as Stats;
async function report(): Promise<Stats> {
  const stats = await statsNow();
  const mib = (n: number): string => (n / 2 ** 20).toFixed(0).padStart(5);
  process.stdout.write(
    `${((Date.now() - began) / 60_000).toFixed(1).padStart(5)} min: ${String(stats.batches).padStart(4)} batches, ${String(stats.environments).padStart(6)} environments, ${mib(stats.batchBytes)} MiB of batches, ${mib(stats.processBytes)} MiB of process; ${stats.requests} requests, ${stats.errors} errors\n`,
  );
  return stats;
}

const all = Promise.all([
  ...Array.from({ length: Number(values.clients) }, (_, k) => comeAndGo(new Rng(`churn/${k}`))),
  kill(),
]);
const samples: number[] = [];
while (Date.now() < end) {
  await pause(Math.min(60_000, 6_000 * minutes));
  samples.push((await report()).processBytes);
}
await all;
for (let i = 0; i < 60 && (await statsNow()).batches > 0; i++) await pause(1000); // leases of the dropped ones run out
const last = await report();
watcher.close();
server.stdin.end();
await new Promise((resolve) => server.once("exit", resolve));
const middle = (a: number[]): number => a.sort((x, y) => x - y)[a.length >> 1] ?? 0;
const grown =
  (middle(samples.slice(-3)) - middle(samples.slice(samples.length >> 2, (samples.length >> 2) + 3))) / 2 ** 20;
process.stdout.write(
  `${done.batches} batches, ${done.steps} decisions, ${done.dropped} connections dropped, ${done.killed} clients killed, ${done.refused} refused; left: ${last.batches} batches; memory grew by ${grown.toFixed(0)} MiB after the first quarter\n`,
);
process.exitCode = last.batches > 0 || done.refused > 0 || grown > SLACK ? 1 : 0;
