import { randomUUID } from "node:crypto";
import { accessSync, closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";

/** Where a frame is written. */
export interface Target {
  put(bytes: Uint8Array, at: number): void;
  /** The first `bytes` of it, to be sent; undefined where the client reads them without that. */
  sent(bytes: number): Uint8Array | undefined;
}

/** A target as threads tell it each other. */
export type Where = { readonly memory: SharedArrayBuffer } | { readonly file: number; readonly from: number };

export const targetAt = (where: Where): Target =>
  "memory" in where ? new Frame(new Uint8Array(where.memory)) : new FilePart(where.file, where.from);

/** Memory that a reply is sent from. */
export class Frame implements Target {
  constructor(private readonly bytes: Uint8Array) {}

  put(bytes: Uint8Array, at: number): void {
    this.bytes.set(bytes, at);
  }

  sent(bytes: number): Uint8Array {
    return this.bytes.subarray(0, bytes);
  }
}

/** A part of a memory file. */
class FilePart implements Target {
  constructor(
    private readonly file: number,
    private readonly from: number,
  ) {}

  put(bytes: Uint8Array, at: number): void {
    writeSync(this.file, bytes, 0, bytes.length, this.from + at);
  }

  sent(): undefined {
    return undefined;
  }
}

/** A file system in memory, of Linux: what is written there and mapped elsewhere is never copied to a disk. */
const FOLDER = "/dev/shm";
const PAGE = 4096;

/**
 * Memory that a client of this machine maps and reads replies from, instead of having them sent: one copy here and none
 * there. Only the user that the server runs as can open it.
 */
export class MemoryFile {
  readonly path = `${FOLDER}/kessel-${randomUUID()}`;
  /** Bytes from one slot to the next. */
  readonly slotBytes: number;
  private readonly file: number;
  /** Slots that the system has given memory for. */
  private readonly backed = new Set<number>();

  private constructor(capacity: number, slots: number) {
    this.slotBytes = Math.ceil(capacity / PAGE) * PAGE;
    this.file = openSync(this.path, "wx", 0o600);
    ftruncateSync(this.file, slots * this.slotBytes); // takes no memory yet
  }

  /**
   * @param capacity bytes of the largest frame
   * @returns null where there is no such file system
   */
  static make(capacity: number, slots: number): MemoryFile | null {
    try {
      accessSync(FOLDER, constants.W_OK);
      return new MemoryFile(capacity, slots);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code === undefined) throw e;
      return null;
    }
  }

  /** Where threads write a slot; null when the system has no memory for it. */
  where(slot: number): Where | null {
    const from = slot * this.slotBytes;
    if (!this.backed.has(slot)) {
      try {
        if (writeSync(this.file, new Uint8Array(this.slotBytes), 0, this.slotBytes, from) < this.slotBytes) return null;
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code === "ENOSPC") return null;
        throw e;
      }
      this.backed.add(slot);
    }
    return { file: this.file, from };
  }

  close(): void {
    closeSync(this.file);
    rmSync(this.path, { force: true }); // clients remove it as soon as they have mapped it
  }
}
