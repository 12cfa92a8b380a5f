// `npm run soak -- page --minutes 10`: people at the page, a move a second each, beside a trainer that steps batches.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, platform, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lowest, Peer } from "../ask.js";
import { loadGame, Rng } from "../../../env/index.js";
import { makeGame, SocketGuest } from "./guest.js";
import { serve } from "./served.js";

const BATCH = 256;
/** What the page must reach: the median answer in ms, and of its fair share what the trainer must keep. */
const MEDIAN = 100;
const KEPT = 0.9;
const PEOPLE_NICE = 10;
/**
 * Seconds in which people move and then hold still, in turn: the trainer's two rates are taken close together, since
 * machines drift.
 */
const BUSY = 30;
const STILL = 10;
/** Seconds of each that are not counted. */
const SETTLING = 2;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    sessions: { type: "string", default: "100" },
    game: { type: "string", default: "pocket-stalingrad" },
    opponent: { type: "string", default: "recruit" },
    trainer: { type: "string" },
  },
});
const GAME = values.game;
/** People hold still: the trainer is alone beside what the page keeps open. */
let still = false;
if (values.trainer === undefined) await soak(Number(values.minutes) * 60_000, Number(values.sessions));
else await train(values.trainer);

/** Steps one batch for ever, and prints each second how many decisions that were. */
async function train(address: string): Promise<never> {
  const p = new Peer(address, { receiveTimeout: -1 }); // it is stopped for minutes while the page is measured alone
  const { batch } = (await p.ask({ op: "make", game: GAME, size: BATCH })).header;
  let answer = await p.ask({ op: "reset", batch, seed: 1 });
  let told = Date.now();
  for (let steps = 0; ; steps += BATCH) {
    if (Date.now() - told >= 1000) {
      process.stdout.write(`${(1000 * steps) / (Date.now() - told)}\n`);
      told = Date.now();
      steps = 0;
    }
    answer = await p.ask({ op: "step", batch }, lowest(answer));
  }
}

async function soak(ms: number, sessions: number): Promise<void> {
  const { process: server, address, page } = await serve();
  let trainer: ChildProcess | null = null;
  try {
    const rates: number[] = [];
    trainer = spawn(
      process.execPath,
      ["env/run.mjs", fileURLToPath(import.meta.url), "--game", GAME, "--trainer", address],
      { stdio: ["ignore", "pipe", "inherit"] },
    ); // prettier-ignore
    createInterface({ input: trainer.stdout! }).on("line", (line) => rates.push(Number(line)));
    while (rates.length < 3) await pause(200); // warm
    // people's browsers run on machines of their own: here they take only what trainer and server leave
    if (platform() === "linux") setPriority(0, PEOPLE_NICE);
    trainer.on("exit", (code) => {
      if (code !== null) process.stdout.write(`the trainer ended with ${code}\n`);
    });
    trainer.kill("SIGSTOP");
    const answers: number[] = [];
    const end = Date.now() + ms;
    const people = Array.from({ length: sessions }, (_, k) => sit(page, k, sessions, end, answers));
    await pause(Math.min(10_000, ms / 8)); // games are made, recruit is loaded
    const [cpu, then, moved] = [cpuSeconds(server.pid!), Date.now(), answers.length];
    await pause(ms / 8);
    const taken = 1000 * (cpuSeconds(server.pid!) - cpu);
    const share = taken / (Date.now() - then) / availableParallelism();
    const each = taken / (answers.length - moved);
    answers.length = 0;
    trainer.kill("SIGCONT");
    /** The trainer's rate in the next seconds. */
    const rateOf = async (seconds: number): Promise<number> => {
      await pause(SETTLING * 1000);
      rates.length = 0;
      await pause((seconds - SETTLING) * 1000);
      return median(rates);
    };
    const turns: { beside: number; alone: number }[] = [];
    while (turns.length === 0 || Date.now() + (BUSY + STILL) * 1000 < end) {
      const beside = await rateOf(BUSY);
      still = true;
      turns.push({ beside, alone: await rateOf(STILL) });
      still = false;
    }
    await Promise.all(people);
    answers.sort((a, b) => a - b);
    const kept = median(turns.map(({ beside, alone }) => beside / alone));
    const least = KEPT * (1 - share);
    const at = (q: number): string => answers[Math.floor(q * (answers.length - 1))]!.toFixed(1);
    process.stdout.write(
      [
        `page: ${sessions} sessions, ${answers.length} moves, answers: median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
        `page alone takes ${(100 * share).toFixed(1)} % of ${availableParallelism()} processors, ${each.toFixed(1)} ms a move with the opponent's`,
        `trainer: ${median(turns.map((t) => t.alone)).toFixed(0)} decisions/s alone, ${median(turns.map((t) => t.beside)).toFixed(0)} beside the page, medians of ${turns.length} turns`,
        `of its rate it keeps ${kept.toFixed(3)} beside the page (median of the turns); at least ${least.toFixed(3)} wanted`,
        "",
      ].join("\n"),
    );
    if (!(Number(at(0.5)) < MEDIAN && kept >= least)) process.exitCode = 1;
  } finally {
    trainer?.kill("SIGKILL");
    server.kill();
  }
}

/** One person: a move a second, game after game, until `end`. Times from a move to its first frame go to `answers`. */
async function sit(page: string, k: number, sessions: number, end: number, answers: number[]): Promise<void> {
  await pause((k / sessions) * 5000);
  const rng = new Rng(`soak/${k}`);
  const [me, ...others] = loadGame(GAME).players;
  const opponents = Object.fromEntries(others.map((side) => [side, values.opponent]));
  while (Date.now() < end) {
    const links = await makeGame({ address: page }, { game: GAME, options: {}, seats: opponents });
    const guest = await SocketGuest.sit({ address: page }, links[me!]!);
    while (Date.now() < end && guest.frame!.result === null) {
      await guest.until(() => guest.asked || guest.frame!.result !== null);
      if (guest.frame!.result !== null) break;
      await pause(1000);
      if (still) {
        while (still) await pause(100);
        await pause((k / sessions) * 1000); // not all at once
      }
      const { n, prompt } = guest.frame!;
      guest.raw.length = guest.replies.length = 0;
      const sent = performance.now();
      guest.send({ op: "act", n, action: prompt.choices[rng.below(prompt.choices.length)]!.action });
      await guest.until(() => guest.replies.length > 0);
      const [reply] = guest.replies;
      if (reply!.op === "error") throw new Error(reply!.message);
      answers.push(performance.now() - sent);
    }
    guest.close();
  }
}

/** Seconds of processor that a process has taken so far, all threads (Linux). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN;
}
