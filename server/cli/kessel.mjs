#!/usr/bin/env node
// Starts the command line from any folder: TypeScript source in a checkout, JavaScript in an installed package.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";

// Node.js itself ends with many lines, or not at all, where it is short of these.
/** Files that are open at once while modules are read. */
const FILES = 200;
/** Addresses that Node.js reserves, in GiB; it uses little of that as memory. */
const ADDRESSES = 24;

/** What a limit of this process has too little of, and what to do; null where all is well or nothing is known. */
function shortage() {
  let limits;
  try {
    limits = readFileSync("/proc/self/limits", "latin1");
  } catch {
    return null; // not on Linux
  }
  const limit = (name) => Number(new RegExp(`^${name} +(\\d+)`, "m").exec(limits)?.[1] ?? Infinity);
  const files = limit("Max open files");
  if (files < FILES)
    return `only ${files} files may be open at once, ${FILES} are needed; raise the limit first: ulimit -n 1024`;
  const gib = limit("Max address space") / 2 ** 30;
  if (gib < ADDRESSES)
    return `only ${gib.toFixed(1)} GiB of addresses are allowed and Node.js reserves ${ADDRESSES}, most of them never used; lift the limit first (ulimit -v unlimited) and limit memory by another way, such as systemd-run -p MemoryMax=4G`;
  return null;
}

/** Added to the `nice` value of threads that collect garbage, compile and read files. */
const BACKGROUND_NICE = 10;

/**
 * Has the threads that this process has beside its own give way to those that answer clients: only V8's and libuv's are there yet. Linux alone
 * has priorities of threads; elsewhere, and where it fails, a server keeps its clients waiting for longer at times.
 */
function giveWay() {
  try {
    for (const thread of readdirSync("/proc/self/task"))
      if (Number(thread) !== process.pid) setPriority(Number(thread), BACKGROUND_NICE);
  } catch {
    // as it was
  }
}

if (process.argv[2] === "serve") giveWay();
const short = shortage();
if (short !== null) {
  process.stderr.write(`kessel: ${short}\n`);
  process.exit(1);
}

let load;
try {
  ({ load } = await import("../../env/source.mjs"));
} catch {
  const here = fileURLToPath(new URL("../../", import.meta.url));
  const remedy = existsSync(`${here}package-lock.json`) ? `run npm ci in ${here}` : "install the package again";
  process.stderr.write(`kessel: its libraries are not installed; ${remedy}\n`);
  process.exit(2);
}
const { start } = await load(new URL("./run.ts", import.meta.url));
await start();
