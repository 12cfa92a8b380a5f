import { readdirSync, readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";

/** Words for what a process may run out of, by the code of the error. */
const BY_CODE: Readonly<Record<string, string>> = {
  EMFILE: "too many files are open; raise the limit of open files (ulimit -n 4096)",
  ENFILE: "the system has too many files open; close other programs",
  ENOSPC: "the disk is full; make room and run it again",
  EDQUOT: "the disk quota is used up; make room and run it again",
  EFBIG: "a file grew beyond the limit of its size; raise it (ulimit -f unlimited)",
  ENOMEM: "there is no memory left; ask for less at a time, or lift the limit (ulimit -v unlimited)",
};
const NO_MEMORY = /allocation failed|out of memory|cannot allocate/i;

const RAISE_HEAP = "raise its limit (NODE_OPTIONS=--max-old-space-size=8192, in MiB)";

/** What this process has run out of, and what to do; null for any other error. */
export function shortageOf(e: unknown): string | null {
  const { code = "", message = "" } = e as NodeJS.ErrnoException;
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return `the JavaScript heap of a thread is full; ask for less at a time, or ${RAISE_HEAP}`;
  return code === "ERR_WORKER_INIT_FAILED" || NO_MEMORY.test(message) ? BY_CODE["ENOMEM"]! : null;
}

/** How often a shortage that lasts is told. */
const TELL_MS = 60_000;
type Tell = (event: string, facts: Readonly<Record<string, string | number>>) => void;

/**
 * Share of the heap for what lives long, from which on nothing is taken on. V8 collects garbage before half of what is free is
 * used up, so with 0.85 of it in use at least 0.7 are no garbage; full, it ends the process with a page of its own.
 */
const HEAP_SHARE = 0.85;
/** V8's limit counts what is young too: three times a semi-space of 16 MiB, unless an option says otherwise. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** Looks whether the heap of this process is nearly full, which no error tells: V8 ends the process. */
export class HeapWatch {
  private toldAt = -Infinity;

  constructor(private readonly log: Tell) {}

  /** What is short and what to do, said in the log once a minute; null while there is room. Takes microseconds. */
  shortage(): string | null {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const most = limit - YOUNG_BYTES;
    if (used < HEAP_SHARE * most) return null;
    const mib = (n: number): number => Math.round(n / 2 ** 20);
    const says = `the JavaScript heap is nearly full; close batches, or ${RAISE_HEAP}`;
    if (performance.now() - this.toldAt >= TELL_MS) {
      this.toldAt = performance.now();
      this.log("heap-short", { usedMiB: mib(used), mostMiB: mib(most), says });
    }
    return says;
  }
}

/** Share of the files that may be open from which on it is told. */
const FILES_SHARE = 0.9;

/** Looks whether files are running out. Connections are files too: more than fit wait unanswered. */
export class FileWatch {
  private toldAt = -Infinity;
  private readonly most = mostFiles();

  constructor(private readonly log: Tell) {}

  /** Says once a minute how it stands, when nearly as many are open as may be. */
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

/** How many files this process may have open; Infinity where the system doesn't tell. */
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
