// `npm run soak -- churn --minutes 30`: clients that connect, play, are killed and leave, beside hostile ones of every
// kind in turn, with the server's memory and batches meanwhile. Exit status 1 when a client was refused, the server
// logged a fault, a batch is left, or, in 30 minutes or more, memory at the end is more than 10 % above what it was
// after a third of the time.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Rng } from "../../env/index.js";
import { type Answer, lowest, Peer } from "./ask.js";
import { HOSTILE } from "./hostile.js";
import { Levels, startServer, type Stats } from "./own-server.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    clients: { type: "string", default: "24" },
    workers: { type: "string", default: "1" },
    game: { type: "string", default: "pocket-stalingrad" },
    hostile: { type: "string", default: "1" },
  },
});
const minutes = Number(values.minutes);
const GRACE = 2;
/**
 * Growth of the server's memory, from a third of the time to the end, that is still no leak; and minutes it is judged
 * after.
 */
const MOST_GROWTH = 1.1;
const JUDGED_MINUTES = 30;
const SAMPLE_MS = 2000;
/** A level of memory is the mean over a round of all hostile kinds; longest round, in ms. */
const ROUND_MS = Math.min(240_000, 15_000 * minutes);

/** A reply that takes longer is none. */
const PATIENT = { receiveTimeout: 300_000 };
/** Clients that are still there this long after the end are stuck, in ms. */
const LATEST_MS = 330_000;
const done = { batches: 0, steps: 0, dropped: 0, killed: 0, hostile: 0, ended: 0, refused: 0 };

const server = await startServer("--limit", `grace-seconds=${GRACE}`, "--workers", values.workers);
const { address } = server;
const end = Date.now() + 60_000 * minutes;

/** What each client waits for, and since when, to report those that are stuck. */
const waits = new Map<string, { readonly what: string; readonly since: number }>();

class WatchedPeer extends Peer {
  constructor(private readonly name: string) {
    super(address, PATIENT);
  }

  override async ask(header: Record<string, unknown>, data?: ArrayBufferView): Promise<Answer> {
    const { op, batch, size } = header;
    waits.set(this.name, { what: [op, batch, size].join(" ").trimEnd(), since: Date.now() });
    const answer = await super.ask(header, data);
    waits.delete(this.name);
    return answer;
  }
}

/** One client after another at the same place: most close their batch, some just go. */
async function comeAndGo(k: number): Promise<void> {
  const rng = new Rng(`churn/${k}`);
  while (Date.now() < end) {
    const p = new WatchedPeer(`client ${k}`);
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
    const child: ChildProcess = spawn(process.execPath, ["env/run.mjs", script, address, values.game], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    waits.set("client to be killed", { what: "its first steps", since: Date.now() });
    await new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).once("line", () => resolve());
      child.once("exit", () => resolve()); // it has said why
    });
    waits.delete("client to be killed");
    child.kill("SIGKILL");
    done.killed++;
    await pause(3000);
  }
}

/** Hostile clients of one kind after another, each killed in the middle of it. */
async function attack(first: number): Promise<void> {
  const script = fileURLToPath(new URL("./hostile-child.ts", import.meta.url));
  const kinds = Object.keys(HOSTILE);
  for (let k = first; Date.now() < end; k++) {
    const child = spawn(process.execPath, ["env/run.mjs", script, kinds[k % kinds.length]!, address], {
      stdio: "ignore",
    });
    await pause(Math.min(ROUND_MS / kinds.length, end - Date.now()));
    if (child.exitCode !== null) done.ended++;
    child.kill("SIGKILL");
    done.hostile++;
  }
}

const watcher = new Peer(address, PATIENT);
const began = Date.now();
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
  ...Array.from({ length: Number(values.clients) }, (_, k) => comeAndGo(k)),
  kill(),
  ...Array.from({ length: Number(values.hostile) }, (_, k) => attack(7 * k)),
]);
const levels = new Levels();
for (let told = began; Date.now() < end;) {
  await pause(SAMPLE_MS);
  levels.note(Date.now() - began, (await statsNow()).processBytes);
  if (Date.now() - told < Math.min(60_000, 6_000 * minutes)) continue;
  told = Date.now();
  await report();
}
const ended = await Promise.race([all.then(() => true), pause(LATEST_MS, false, { ref: false })]);
if (!ended)
  for (const [name, { what, since }] of waits)
    process.stdout.write(
      `${LATEST_MS / 1000} s after the end, ${name} has waited for ${((Date.now() - since) / 1000).toFixed(0)} s: ${what}\n`,
    );
// leases of the dropped ones run out; that a searching client is gone is noticed when its first decision is over
for (let i = 0; i < 90 && (await statsNow()).batches > 0; i++) await pause(1000);
const last = await report();
watcher.close();
await server.close();
for (const fault of server.faults) process.stdout.write(`${fault}\n`);
const early = levels.mean(20_000 * minutes + ROUND_MS / 2, ROUND_MS);
const late = levels.mean(60_000 * minutes, ROUND_MS);
process.stdout.write(
  `${done.batches} batches of ${values.clients} clients, ${done.steps} decisions, ${done.dropped} connections dropped, ${done.killed} clients and ${done.hostile} hostile ones killed (${done.ended} had ended by themselves), ${done.refused} refused, ${server.faults.length} faults logged; left: ${last.batches} batches\n`,
);
process.stdout.write(
  `memory: ${early.toFixed(0)} MiB after ${(minutes / 3).toFixed(1)} minutes, ${late.toFixed(0)} MiB at the end (${((late / early - 1) * 100).toFixed(1)} %)\n`,
);
process.exitCode =
  !ended ||
  last.batches > 0 ||
  done.refused + server.faults.length > 0 ||
  (minutes >= JUDGED_MINUTES && !(late <= MOST_GROWTH * early))
    ? 1
    : 0;
