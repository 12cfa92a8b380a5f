import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { KesselError, shown } from "../../env/index.js";
import { shortageOf } from "../shortages.js";
import { parseSession, type SessionHeader, type SessionLine, type SessionRecord } from "./record.js";

/** Where sessions lie: `$KESSEL_SESSIONS`, else `kessel/sessions` in the user's state folder. */
export const defaultFolder = (): string =>
  process.env["KESSEL_SESSIONS"] ??
  join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "kessel", "sessions");

/** Days after its last decision when a session may be deleted. */
export const EXPIRE_DAYS = 90;

/** Milliseconds that lines of a group wait for others: an answer of an agent goes to the disk with what it answers. */
const GATHER_MS = 8;

const ID = /^[a-z0-9]{12,64}$/;

/** 20 letters and digits that nobody guesses (100 bits). */
export const newId = (): string => lettersOf(randomBytes(20));

/** 20 letters and digits of a text: who doesn't have the text doesn't guess them. */
export const linkOf = (text: string): string => lettersOf(createHash("sha256").update(text).digest().subarray(0, 20));

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const lettersOf = (bytes: Uint8Array): string => [...bytes].map((b) => LETTERS[b & 31]!).join("");

/** A session on disk, open for writing by this process alone. */
export interface StoredSession extends SessionRecord {
  readonly file: SessionFile;
}

/** A folder of sessions: one file each, named by its id; a line for each decision. */
export class SessionStore {
  constructor(readonly folder = defaultFolder()) {}

  /** @throws KesselError `bad-session` when the folder can't be written */
  create(header: SessionHeader): SessionFile {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      lock(this.pathOf(header.id), header.id);
      const fd = openSync(this.pathOf(header.id), "wx", 0o600);
      const file = new SessionFile(fd, this.pathOf(header.id), 0);
      file.append(header);
      return file;
    } catch (e) {
      if (e instanceof KesselError) throw e;
      throw new KesselError(
        "bad-session",
        `sessions can't be kept in ${this.folder}: ${shortageOf(e) ?? (e as Error).message}`,
      );
    }
  }

  /**
   * Opens a session to go on with.
   *
   * @throws KesselError `bad-session` when there is none, it is damaged, or another process has it open
   */
  open(id: string): StoredSession {
    const path = this.pathOf(id);
    this.read(id); // whether there is one
    lock(path, id);
    try {
      const { wholeBytes, ...record } = this.read(id); // what who had it open has written until now
      const fd = openSync(path, "r+");
      ftruncateSync(fd, wholeBytes); // the rest of a line that was cut off
      return { ...record, file: new SessionFile(fd, path, wholeBytes) };
    } catch (e) {
      unlock(path);
      throw e;
    }
  }

  /** @throws KesselError `bad-session` */
  read(id: string): ReturnType<typeof parseSession> {
    const path = this.pathOf(id);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      throw new KesselError("bad-session", `there is no session ${shown(id)} in ${this.folder}`);
    }
    return parseSession(text, path);
  }

  /** Sessions in the folder, the latest first; files that can't be read are left out. */
  list(): { readonly id: string; readonly changed: Date; readonly record: SessionRecord }[] {
    return this.files()
      .flatMap(({ id, changed }) => {
        try {
          return [{ id, changed, record: this.read(id) }];
        } catch {
          return [];
        }
      })
      .sort((a, b) => b.changed.getTime() - a.changed.getTime());
  }

  /** @throws KesselError `bad-session` when there is no such session, or it is open */
  delete(id: string): void {
    this.read(id);
    const path = this.pathOf(id);
    lock(path, id);
    rmSync(path);
    unlock(path);
  }

  /** Deletes sessions in which nothing has happened for `days`. @returns how many */
  expire(days = EXPIRE_DAYS): number {
    const limit = Date.now() - days * 86_400_000;
    const old = this.files().filter(({ id, changed }) => changed.getTime() < limit && !isLocked(this.pathOf(id)));
    for (const { id } of old) rmSync(this.pathOf(id), { force: true });
    return old.length;
  }

  private files(): { id: string; changed: Date }[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch {
      return [];
    }
    return names.flatMap((name) => {
      const id = name.slice(0, -".jsonl".length);
      return name.endsWith(".jsonl") && ID.test(id) ? [{ id, changed: statSync(join(this.folder, name)).mtime }] : [];
    });
  }

  private pathOf(id: string): string {
    if (!ID.test(id))
      throw new KesselError("bad-session", `a session's id has 12 to 64 small letters and digits, not ${shown(id)}`);
    return join(this.folder, `${id}.jsonl`);
  }
}

/** Keeps nothing: for games that shall leave no trace. */
export class NullStore extends SessionStore {
  override create(_header: SessionHeader): SessionFile {
    return new SessionFile(null, "", 0);
  }
}

/**
 * Writes lines at the end of a session's file. A line is on the disk when `append` returns true, or with `group` when
 * `whenOnDisk` says so. What can't be written (a full disk) waits in memory and goes out with the next line, or with `retry`.
 */
export class SessionFile {
  private readonly waiting: string[] = [];
  private closed = false;
  private grouped = false;
  /** Lines were written that the sync under way may not take in. */
  private dirty = false;
  private syncing = false;
  /** Lines are being gathered for the next sync. */
  private gathering: NodeJS.Timeout | null = null;
  /** Who waits for the sync under way, and for the one after it. */
  private current: (() => void)[] = [];
  private next: (() => void)[] = [];

  constructor(
    /** Null for a file that keeps nothing. */
    private readonly fd: number | null,
    private readonly path: string,
    /** Length of the whole lines in the file. */
    private bytes: number,
  ) {}

  /** Lines that are not on the disk yet. */
  get unsaved(): number {
    return this.waiting.length;
  }

  append(line: SessionHeader | SessionLine): boolean {
    if (this.fd === null) return true;
    this.waiting.push(`${JSON.stringify(line)}\n`);
    return this.retry();
  }

  /** Tries to write what waits. @returns whether everything is on the disk */
  retry(): boolean {
    if (this.closed || this.fd === null) return this.waiting.length === 0;
    while (this.waiting.length > 0) {
      const data = Buffer.from(this.waiting[0]!);
      try {
        let done = 0;
        while (done < data.length) done += writeSync(this.fd, data, done, data.length - done, this.bytes + done);
        if (this.grouped) this.dirty = true;
        else fdatasyncSync(this.fd);
      } catch (e) {
        if (!["ENOSPC", "EDQUOT", "EIO"].includes((e as NodeJS.ErrnoException).code ?? "")) throw e;
        if (fstatSync(this.fd).size > this.bytes) ftruncateSync(this.fd, this.bytes); // part of a line may have gone out
        return false;
      }
      this.bytes += data.length;
      this.waiting.shift();
    }
    this.gather();
    return true;
  }

  /** From now on several lines are brought to the disk together, in another thread: nobody waits for the disk here. */
  group(): void {
    this.grouped = true;
  }

  /** Calls `then` when every line written so far is on the disk; in the order of the calls. */
  whenOnDisk(then: () => void): void {
    if (!this.dirty && !this.syncing) then();
    else (this.dirty ? this.next : this.current).push(then);
  }

  close(): void {
    if (this.closed || this.fd === null) return;
    this.retry();
    this.closed = true;
    this.sync();
    unlock(this.path);
    if (!this.syncing) closeSync(this.fd);
  }

  /** Waking a thread of the disk's costs more than writing a line. */
  private gather(): void {
    if (this.dirty && !this.syncing) this.gathering ??= setTimeout(() => this.sync(), GATHER_MS);
  }

  private sync(): void {
    const { fd } = this;
    if (this.gathering !== null) clearTimeout(this.gathering);
    this.gathering = null;
    if (fd === null || !this.dirty || this.syncing) return;
    this.dirty = false;
    this.syncing = true;
    [this.current, this.next] = [this.next, this.current];
    fdatasync(fd, () => {
      // a disk that can't sync says so when the next line is written
      this.syncing = false;
      for (const then of this.current.splice(0)) then();
      if (this.closed) this.sync();
      else this.gather();
      if (this.closed && !this.syncing) closeSync(fd);
    });
  }
}

const lockOf = (path: string): string => `${path}.lock`;

/** Paths of the sessions that this thread, alone in its process, has open: an earlier process may have had its number. */
const OPEN_HERE = new Set<string>();

/** The process that has a session open, or null; locks of processes that have ended don't count, nor what isn't one. */
function holder(path: string): number | null {
  let pid = 0;
  try {
    pid = Number(readFileSync(lockOf(path), "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return null; // the disk was full when it was written
    if (pid === process.pid) return OPEN_HERE.has(path) ? pid : null;
    process.kill(pid, 0);
    return pid;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM" ? pid : null;
  }
}

const isLocked = (path: string): boolean => holder(path) !== null;

function lock(path: string, id: string): void {
  const pid = holder(path);
  if (pid !== null) throw new KesselError("bad-session", `session ${id} is open already, in process ${pid}`);
  rmSync(lockOf(path), { force: true });
  try {
    writeFileSync(lockOf(path), String(process.pid), { flag: "wx", mode: 0o600 });
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === "EEXIST")
      throw new KesselError("bad-session", `session ${id} is being opened by another process`);
    rmSync(lockOf(path), { force: true });
    throw new KesselError("bad-session", `session ${id} can't be opened: ${(e as Error).message}`);
  }
  OPEN_HERE.add(path);
}

function unlock(path: string): void {
  OPEN_HERE.delete(path);
  rmSync(lockOf(path), { force: true });
}
