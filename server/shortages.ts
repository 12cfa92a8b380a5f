import { readdirSync, readFileSync } from "node:fs";

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

/** What this process has run out of, and what to do; null for any other error. */
export function shortageOf(e: unknown): string | null {
  const { code = "", message = "" } = e as NodeJS.ErrnoException;
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!;
  return code === "ERR_WORKER_OUT_OF_MEMORY" || code === "ERR_WORKER_INIT_FAILED" || NO_MEMORY.test(message)
    ? BY_CODE["ENOMEM"]!
    : null;
}

/** Share of the files that may be open from which on it is told, and how often. */
const FILES_SHARE = 0.9;
const TELL_MS = 60_000;

/** Looks whether files are running out. Connections are files too: more than fit wait unanswered. */
export class FileWatch {
  private toldAt = -Infinity;
  private readonly most = mostFiles();

  constructor(private readonly log: (event: string, facts: Readonly<Record<string, string | number>>) => void) {}

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
