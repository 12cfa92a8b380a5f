// `npm run soak -- crowd --clients 200 --minutes 10`: 200 clients at once, all playing, each comparing every reply with
// what a server in this process answers to one client alone. Exit status 1 when a reply was another, a client got none,
// the server logged a fault, or a batch is left.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Peer } from "./ask.js";
import { crowd, expected, SCRIPTS } from "./crowd.js";
import { Levels, startServer, type Stats } from "./own-server.js";
import { quantile } from "./quantile.js";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "200" },
    minutes: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
    pause: { type: "string", default: "50" },
  },
});
const clients = Number(values.clients);
const ms = 60_000 * Number(values.minutes);
const SAMPLE_MS = 500;
/** A level of memory is the mean over a sixth of the time. */
const ROUND_MS = ms / 6;

const digests = await expected(SCRIPTS);
const server = await startServer("--workers", values.workers);
const watcher = new Peer(server.address, { receiveTimeout: 300_000 });
const statsNow = async (): Promise<Stats> => (await watcher.ask({ op: "stats" })).header["stats"] as Stats;

const levels = new Levels();
const began = performance.now();
let most = 0;
let over = false;
const watching = (async () => {
  for (; !over; await pause(SAMPLE_MS)) {
    const { processBytes, batches } = await statsNow();
    levels.note(performance.now() - began, processBytes);
    most = Math.max(most, batches);
  }
})();
const { replies, wrong, served, took } = await crowd(
  server.address,
  clients,
  ms,
  Number(values.pause),
  SCRIPTS,
  digests,
);
const seconds = (performance.now() - began) / 1000;
over = true;
await watching;
const { batches, decisions } = await statsNow();
watcher.close();
await server.close();

const wait = (q: number): string => quantile(took, q).toFixed(1);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
for (const line of [...wrong.slice(0, 10), ...server.faults]) tell(line);
tell(
  `${served} of ${clients} clients served for ${seconds.toFixed(0)} s, up to ${most} batches at once: ${replies} replies (${(replies / seconds).toFixed(0)}/s), ${decisions} decisions; median ${wait(0.5)}, p99 ${wait(0.99)}, most ${wait(1)} ms`,
);
const early = levels.mean(ms / 3 + ROUND_MS / 2, ROUND_MS);
const late = levels.mean(ms, ROUND_MS);
tell(
  `memory: ${early.toFixed(0)} MiB after a third, ${late.toFixed(0)} MiB at the end (${((late / early - 1) * 100).toFixed(1)} %)`,
);
tell(`${wrong.length} clients with a wrong reply, ${server.faults.length} faults logged; left: ${batches} batches`);
process.exitCode = wrong.length > 0 || served < clients || server.faults.length > 0 || batches > 0 ? 1 : 0;
