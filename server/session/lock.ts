import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname, platform } from "node:os";
import { tryLock } from "fs-native-extensions";
import { KesselError, shown } from "../../env/index.js";

const lockOf = (path: string): string => `${path}.lock`;

/** The locked byte is behind the text, since Windows keeps others from reading a locked byte. */
const BEHIND = 2 ** 30;

/** Files that this thread has locked, by name. */
const HELD = new Map<string, number>();

/**
 * Locks a file for this thread by the operating system's lock on a file beside it. The lock ends with its process,
 * however that ends; it holds between containers that share a folder; and it is no number that another process may get.
 *
 * @throws KesselError `bad-session` when it is locked already; Error of the system
 */
export function lock(path: string, id: string): void {
  const file = lockOf(path);
  for (;;) {
    const fd = openSync(file, "a+", 0o600);
    try {
      if (!tryLock(fd, BEHIND, 1))
        throw new KesselError("bad-session", `session ${id} is open already, ${holder(file)}`);
      if (isNamed(fd, file)) {
        HELD.set(file, fd);
        sign(fd);
        return;
      }
    } finally {
      if (HELD.get(file) !== fd) closeSync(fd);
    }
  }
}

export function unlock(path: string): void {
  const file = lockOf(path);
  const fd = HELD.get(file);
  if (fd === undefined) return;
  HELD.delete(file);
  if (platform() !== "win32") rmSync(file, { force: true }); // there an open file keeps its name
  closeSync(fd);
}

/** Says whose lock it is. */
function sign(fd: number): void {
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, `${process.pid} ${hostname()}`);
  } catch {
    // a full disk: the lock holds without
  }
}

/** Who has a lock, as it says itself. */
function holder(file: string): string {
  const [pid, ...host] = readFileSync(file, "utf8").slice(0, 300).split(" ");
  return /^\d{1,10}$/.test(pid!)
    ? `in process ${pid} on ${shown(host.join(" "))}; close it there, or end that process`
    : "in another process; close it there, or end that process";
}

/** True when the opened file still has its name. Whoever had it locked before may have removed it. */
function isNamed(fd: number, file: string): boolean {
  const [opened, named] = [fstatSync(fd), statSync(file, { throwIfNoEntry: false })];
  return named !== undefined && opened.ino === named.ino && opened.dev === named.dev;
}
