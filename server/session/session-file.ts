import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { unlock } from "./lock.js";
import type { SessionHeader, SessionLine } from "./record.js";

/** Milliseconds that lines of a group wait for others: an answer of an agent goes to the disk with what it answers. */
const GATHER_MS = 8;

/** A caller that waits until `lines` lines of this file are on the disk. */
interface Waiter {
  readonly lines: number;
  readonly then: () => void;
}

/**
 * Writes lines at the end of a session's file. A line is on the disk when `append` returns true, or with `group` when
 * `whenOnDisk` says so. What can't be written (a full disk, a drive of the network that is away) waits in memory and
 * goes out with the next line, or with `retry`. No error of the disk is thrown: it is this file's alone.
 */
export class SessionFile {
  /** Lines that are not in the file, or that a failed sync may have lost there. */
  private waiting: Buffer[] = [];
  /** Lines in the file that no sync has taken in yet. */
  private written: Buffer[] = [];
  /** How many of `written` the sync under way takes in. */
  private syncing = 0;
  /** Lines that have come to the disk since the file was opened. */
  private onDisk = 0;
  private waiters: Waiter[] = [];
  /** What the disk answered when it last refused a line. */
  refusal: unknown = null;
  private closed = false;
  private grouped = false;
  private refused: (why: NodeJS.ErrnoException) => void = () => undefined;
  /** Lines are being gathered for the next sync. */
  private gathering: NodeJS.Timeout | null = null;

  constructor(
    /** Null for a file that keeps nothing. */
    private readonly fd: number | null,
    private readonly path: string,
    /** Length of the whole lines in the file. */
    private bytes: number,
  ) {}

  /** Lines that are not on the disk yet, and not on the way to it. */
  get unsaved(): number {
    return this.waiting.length;
  }

  append(line: SessionHeader | SessionLine): boolean {
    if (this.fd === null) return true;
    this.waiting.push(Buffer.from(`${JSON.stringify(line)}\n`));
    return this.retry();
  }

  /** Tries to write what waits. @returns whether everything is on the disk, or with `group` on the way to it */
  retry(): boolean {
    const { fd, waiting } = this;
    if (this.closed || fd === null) return waiting.length === 0;
    while (waiting.length > 0) {
      const line = waiting[0]!;
      try {
        let done = 0;
        while (done < line.length) done += writeSync(fd, line, done, line.length - done, this.bytes + done);
        if (!this.grouped) fdatasyncSync(fd);
      } catch (e) {
        this.refusal = e;
        this.cutOff(fd);
        return false;
      }
      this.bytes += line.length;
      waiting.shift();
      if (this.grouped) this.written.push(line);
      else this.onDisk++;
    }
    this.gather();
    return true;
  }

  /**
   * From now on several lines are brought to the disk together, in another thread: nobody waits for the disk here.
   *
   * @param refused hears of a sync that failed
   */
  group(refused: (why: NodeJS.ErrnoException) => void): void {
    this.grouped = true;
    this.refused = refused;
  }

  /**
   * Calls `then` when every line written so far is on the disk; in the order of the calls. After a sync that failed
   * that is when its lines were written again and another went well.
   */
  whenOnDisk(then: () => void): void {
    const last = this.waiters.at(-1);
    const lines = Math.max(last?.lines ?? 0, this.onDisk + this.written.length);
    if (last === undefined && lines === this.onDisk) then();
    else this.waiters.push({ lines, then });
  }

  /**
   * Tries once more to write what waits. What the disk still refuses is lost; nobody has been promised that it is kept.
   */
  close(): void {
    if (this.closed || this.fd === null) return;
    this.retry();
    this.closed = true;
    this.sync();
    unlock(this.path);
    if (this.syncing === 0) letGo(this.fd);
  }

  /** Part of a line may have gone out. */
  private cutOff(fd: number): void {
    try {
      if (fstatSync(fd).size > this.bytes) ftruncateSync(fd, this.bytes);
    } catch {
      // the next try writes over it, and who reads the file leaves it out
    }
  }

  /** Waking a thread of the disk's costs more than writing a line. */
  private gather(): void {
    if (this.written.length > 0 && this.syncing === 0) this.gathering ??= setTimeout(() => this.sync(), GATHER_MS);
  }

  private sync(): void {
    const { fd } = this;
    if (this.gathering !== null) clearTimeout(this.gathering);
    this.gathering = null;
    if (fd === null || this.syncing > 0 || this.written.length === 0) return;
    this.syncing = this.written.length;
    fdatasync(fd, (why) => {
      if (why === null) this.confirm();
      else this.writeAgain(why);
      if (this.closed) this.sync();
      else this.gather();
      if (this.closed && this.syncing === 0) letGo(fd);
    });
  }

  private confirm(): void {
    this.onDisk += this.syncing;
    this.written.splice(0, this.syncing);
    this.syncing = 0;
    while (this.waiters.length > 0 && this.waiters[0]!.lines <= this.onDisk) this.waiters.shift()!.then();
  }

  /**
   * After a sync that failed the system may have dropped what it couldn't write, and yet report that the next sync went
   * well (Linux does). The next `retry` therefore writes all lines since the last good sync once more, to the same
   * place.
   */
  private writeAgain(why: NodeJS.ErrnoException): void {
    this.syncing = 0;
    this.bytes -= this.written.reduce((sum, line) => sum + line.length, 0);
    this.waiting.unshift(...this.written.splice(0));
    this.refused(why);
  }
}

function letGo(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // a drive of the network tells here once more what it refused; the file is let go all the same
  }
}
