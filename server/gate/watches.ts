import { readdirSync, readFileSync } from "node:fs";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { RAISE_HEAP } from "../shortages.js";

/** How often a lasting shortage is logged. */
const TELL_MS = 60_000;
type Tell = (event: string, facts: Readonly<Record<string, string | number>>) => void;

/**
 * Shares of the heap for what lives long. With `LOOK_SHARE` of it in use garbage is collected; where more than
 * `LIVE_SHARE` stays, nothing is taken on until less does. From 0.8 on V8 counts collections that free little, and ends
 * the process with a page of its own after a few.
 */
const LOOK_SHARE = 0.72;
const LIVE_SHARE = 0.65;
/** V8's limit counts what is young too: three times a semi-space of 16 MiB, unless an option says otherwise. */
const YOUNG_BYTES = 48 * 2 ** 20;
/** While memory is short, the watch collects garbage at most once in this time, and in at most a tenth of the time. */
const COLLECT_MS = 1000;

/** Collects garbage. Node.js has no call for it without a flag, which may be set later. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** Watches whether the heap of this process is nearly full, since V8 then ends the process without an error. */
export class HeapWatch {
  private toldAt = -Infinity;
  private collectAt = -Infinity;
  private isShort = false;

  constructor(private readonly log: Tell) {}

  /**
   * What is short and what to do, said in the log once a minute; null while there is room. Takes microseconds, unless
   * it is short.
   */
  shortage(): string | null {
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
    const most = limit - YOUNG_BYTES;
    if (!this.isShort && used < LOOK_SHARE * most) return null;
    const now = performance.now();
    if (!this.isShort || now >= this.collectAt) {
      // what is in use may be garbage, such as batches that were closed; while all is refused, V8 has no cause to look
      collectGarbage();
      this.collectAt = now + Math.max(COLLECT_MS, 10 * (performance.now() - now));
      this.isShort = getHeapStatistics().used_heap_size >= LIVE_SHARE * most;
    }
    if (!this.isShort) return null;
    const mib = (n: number): number => Math.round(n / 2 ** 20);
    const says = `the JavaScript heap is nearly full; close batches, or ${RAISE_HEAP}`;
    if (now - this.toldAt >= TELL_MS) {
      this.toldAt = now;
      this.log("heap-short", { usedMiB: mib(getHeapStatistics().used_heap_size), mostMiB: mib(most), says });
    }
    return says;
  }
}

/** Share of the open files allowed beyond which the watch reports. */
const FILES_SHARE = 0.9;

/** Looks whether files are running out. Connections are files too: more than fit wait unanswered. */
export class FileWatch {
  private toldAt = -Infinity;
  private readonly most = mostFiles();

  constructor(private readonly log: Tell) {}

  /** Logs once a minute, while nearly as many are open as may be. */
  look(): void {
    if (performance.now() - this.toldAt < TELL_MS) return;
    const { most } = this;
    const open = openFiles(most);
    if (open < FILES_SHARE * most) return;
    this.toldAt = performance.now();
    this.log("files-short", {
      open,
      most,
      says: "more connections wait unanswered until others end; raise the limit of open files (ulimit -n 4096)",
    });
  }
}

/** How many files this process may have open; Infinity where the system doesn't say. */
function mostFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

function openFiles(most: number): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EMFILE" ? most : 0; // there is none left to look with
  }
}
