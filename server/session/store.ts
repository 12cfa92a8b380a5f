import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import { KesselError, shown } from "../../env/index.js";
import { shortageOf } from "../shortages.js";
import { lock, unlock } from "./lock.js";
import { MOST_SESSION_BYTES, parseSession, type SessionHeader, type SessionRecord } from "./record.js";
import { SessionFile } from "./session-file.js";
import { stateFolder } from "./state-folder.js";

/** The folder of the sessions: `$KESSEL_SESSIONS`, by default `sessions` in the user's state folder. */
export const defaultFolder = (): string => process.env["KESSEL_SESSIONS"] || join(stateFolder(), "sessions");

/** Days after its last decision when a session may be deleted. */
export const EXPIRE_DAYS = 90;

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
  /** True when what is closed can be opened again. */
  readonly keeps: boolean = true;

  constructor(readonly folder = defaultFolder()) {}

  /** @throws KesselError `bad-session` when the folder can't be written */
  create(header: SessionHeader): SessionFile {
    const path = this.pathOf(header.id);
    try {
      const made = mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      lock(path, header.id);
      let fd: number | null = null;
      try {
        fd = openSync(path, "wx", 0o600);
        const file = new SessionFile(fd, path, 0);
        if (!file.append(header)) throw file.refusal;
        syncFolders(this.folder, made);
        return file;
      } catch (e) {
        if (fd !== null) {
          closeSync(fd);
          rmSync(path, { force: true });
        }
        unlock(path);
        throw e;
      }
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
    lockKept(path, id);
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
      const { size } = statSync(path);
      if (size > MOST_SESSION_BYTES)
        throw new KesselError("bad-session", `${path} has ${size} bytes; a session has at most ${MOST_SESSION_BYTES}`);
      text = readFileSync(path, "utf8");
    } catch (e) {
      throw e instanceof KesselError ? e : this.none(id);
    }
    return parseSession(text, path);
  }

  private readable(id: string): SessionRecord | null {
    try {
      return this.read(id);
    } catch {
      return null;
    }
  }

  private none(id: string): KesselError {
    return new KesselError("bad-session", `there is no session ${shown(id)} in ${this.folder}`);
  }

  /** Sessions in the folder, the latest first; files that can't be read are left out. */
  list(): { readonly id: string; readonly changed: Date; readonly record: SessionRecord }[] {
    return this.all().flatMap(({ id, changed, record }) => (record === null ? [] : [{ id, changed, record }]));
  }

  /** The same with those that can't be read, so that somebody can delete them: their record is null. */
  all(): { readonly id: string; readonly changed: Date; readonly record: SessionRecord | null }[] {
    return this.files()
      .map(({ id, changed }) => ({ id, changed, record: this.readable(id) }))
      .sort((a, b) => b.changed.getTime() - a.changed.getTime());
  }

  /** Damaged ones too. @throws KesselError `bad-session` when there is no such session, or it is open */
  delete(id: string): void {
    const path = this.pathOf(id);
    if (!existsSync(path)) throw this.none(id);
    lockKept(path, id);
    rmSync(path);
    unlock(path);
  }

  /** Deletes sessions in which nothing has happened for `days`. @returns how many */
  expire(days = EXPIRE_DAYS): number {
    const limit = Date.now() - days * 86_400_000;
    const isOld = (changed: Date): boolean => changed.getTime() < limit;
    const expired = this.files().filter(({ id, changed }) => isOld(changed) && this.deleteIf(id, isOld));
    return expired.length;
  }

  /** Deletes a session that nobody has open, unless it has changed in the meantime. @returns whether it is gone */
  private deleteIf(id: string, isOld: (changed: Date) => boolean): boolean {
    const path = this.pathOf(id);
    try {
      lock(path, id);
    } catch (e) {
      if (e instanceof KesselError && e.code === "bad-session") return false;
      throw e;
    }
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined || !isOld(found.mtime)) return false;
      rmSync(path);
      return true;
    } finally {
      unlock(path);
    }
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
      if (!name.endsWith(".jsonl") || !ID.test(id)) return [];
      const found = statSync(join(this.folder, name), { throwIfNoEntry: false }); // it may be gone since
      return found === undefined ? [] : [{ id, changed: found.mtime }];
    });
  }

  private pathOf(id: string): string {
    if (!ID.test(id))
      throw new KesselError("bad-session", `a session's id has 12 to 64 small letters and digits, not ${shown(id)}`);
    return join(this.folder, `${id}.jsonl`);
  }
}

/** Keeps nothing, and reaches nothing that others keep: for games that shall leave no trace. */
export class NullStore extends SessionStore {
  override readonly keeps = false;

  override create(_header: SessionHeader): SessionFile {
    return new SessionFile(null, "", 0);
  }

  override open(id: string): never {
    return this.read(id);
  }

  override read(id: string): never {
    throw new KesselError("bad-session", `there is no session ${shown(id)} here, and none is kept`);
  }

  override delete(id: string): never {
    return this.read(id);
  }

  override all(): [] {
    return [];
  }

  override expire(): number {
    return 0;
  }
}

/** Locks a session that there is. @throws KesselError `bad-session` */
function lockKept(path: string, id: string): void {
  try {
    lock(path, id);
  } catch (e) {
    if (e instanceof KesselError) throw e;
    throw new KesselError("bad-session", `session ${id} can't be opened: ${shortageOf(e) ?? (e as Error).message}`);
  }
}

/**
 * Brings the name of a new file to the disk: its own sync covers its contents only.
 *
 * @param made the outermost folder that was made for it, whose name is new too
 */
function syncFolders(folder: string, made: string | undefined): void {
  if (platform() === "win32") return; // folders can't be opened there
  const last = made === undefined ? resolve(folder) : dirname(resolve(made));
  for (let at = resolve(folder); ; at = dirname(at)) {
    const fd = openSync(at, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (at === last) return;
  }
}
