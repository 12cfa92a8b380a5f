import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { KesselError } from "../../env/index.js";

const lockOf = (path: string): string => `${path}.lock`;

/** Locks that this thread, alone in its process, has: an earlier process may have had its number. */
const TAKEN_HERE = new Set<string>();

const isCode = (e: unknown, code: string): boolean => (e as NodeJS.ErrnoException).code === code;

/** Text of a lock, null where there is none. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (e) {
    if (isCode(e, "ENOENT")) return null;
    throw e;
  }
}

/** The process that has a lock, or null; processes that have ended don't count, nor what isn't one. */
function holder(file: string, text: string | null): number | null {
  if (text === null) return null;
  const pid = Number(text.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (pid === process.pid) return TAKEN_HERE.has(file) ? pid : null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (e) {
    return isCode(e, "EPERM") ? pid : null;
  }
}

/** @throws KesselError `bad-session` when a process has it open, or opens it at this moment; Error of the system */
export function lock(path: string, id: string): void {
  const file = lockOf(path);
  const other = take(file);
  if (other === OPENING) throw new KesselError("bad-session", `session ${id} is being opened by another process`);
  if (other !== null) throw new KesselError("bad-session", `session ${id} is open already, in process ${other}`);
  TAKEN_HERE.add(file);
}

export function unlock(path: string): void {
  const file = lockOf(path);
  TAKEN_HERE.delete(file);
  rmSync(file, { force: true });
}

/** In place of the number of a process that was there for a moment only. */
const OPENING = 0;

/**
 * Takes a lock for this process. A lock whose process has ended is replaced by whoever has the lock that is named by its
 * text, which no other lock ever has: of many that find it at once one replaces it, and none replaces what that one put there.
 *
 * @returns null, or the process that has it
 */
function take(file: string): number | null {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(draft, `${process.pid} ${randomBytes(8).toString("hex")}`, { flag: "wx", mode: 0o600 });
    if (linked(draft, file)) return null;
    const text = textOf(file);
    if (text === null) return OPENING; // given back at this moment, and perhaps taken again
    const pid = holder(file, text);
    if (pid !== null) return pid;
    const right = `${file}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    if (take(right) !== null) return OPENING;
    try {
      if (textOf(file) !== text) return OPENING;
      renameSync(draft, file);
      return null;
    } finally {
      rmSync(right, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives a file that is written a second name, whole at once. @returns false where another file has that name */
function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (e) {
    if (isCode(e, "EEXIST")) return false;
    throw e;
  }
}
