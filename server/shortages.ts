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

export const RAISE_HEAP = "raise its limit (NODE_OPTIONS=--max-old-space-size=8192, in MiB)";

/** What this process has run out of, and what to do; null for any other error. */
export function shortageOf(e: unknown): string | null {
  const { code = "", message = "" } = (e ?? {}) as NodeJS.ErrnoException;
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return `the JavaScript heap of a thread is full; ask for less at a time, or ${RAISE_HEAP}`;
  return code === "ERR_WORKER_INIT_FAILED" || NO_MEMORY.test(message) ? BY_CODE["ENOMEM"]! : null;
}
