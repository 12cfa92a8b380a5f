// `npm run soak -- floor`: what `npm run soak -- fairness` could show at best on this machine. A server that does
// nothing but send each message back answers a quiet client, alone and beside 1, 2, ... processes that are never idle.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Dealer, Router } from "zeromq";
import { quantile } from "./quantile.js";

/** Seconds with each number of busy processes, and the most of them. */
const SECONDS = 5;
const MOST = 4;

const [role] = process.argv.slice(2);
if (role === "busy") for (;;);
else if (role === "echo") await echo();
else await measure();

async function echo(): Promise<void> {
  const router = new Router();
  await router.bind("tcp://127.0.0.1:*");
  process.send!(router.lastEndpoint);
  for await (const frames of router) await router.send(frames);
}

async function measure(): Promise<void> {
  const own = (...args: string[]) => fork("env/run.mjs", [fileURLToPath(import.meta.url), ...args]);
  const children = [own("echo")];
  const [address] = (await once(children[0]!, "message")) as [string];
  const quiet = new Dealer();
  quiet.connect(address);
  for (let busy = 0; busy <= MOST; busy++) {
    if (busy > 0) children.push(own("busy"));
    await pause(1500);
    const took: number[] = [];
    for (const end = performance.now() + 1000 * SECONDS; performance.now() < end; await pause(2)) {
      const began = performance.now();
      await quiet.send("?");
      await quiet.receive();
      took.push(performance.now() - began);
    }
    took.sort((a, b) => a - b);
    const ms = (q: number): string => quantile(took, q).toFixed(2).padStart(7);
    process.stdout.write(`${busy} busy processes: median ${ms(0.5)}, p99 ${ms(0.99)}, most ${ms(1)} ms\n`);
  }
  for (const child of children) child.kill("SIGKILL");
  quiet.close();
}
