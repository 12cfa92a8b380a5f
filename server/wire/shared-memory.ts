import { randomUUID } from "node:crypto";
import { accessSync, closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";

/** Where a frame is written. */
export interface FrameTarget {
  put(bytes: Uint8Array, at: number): void;
  /** The first `bytes` of it, to be sent; undefined where the client reads them without that. */
  sent(bytes: number): Uint8Array | undefined;
}

/** A target as threads name it to each other. */
export type FrameLocation = { readonly memory: SharedArrayBuffer } | { readonly file: number; readonly from: number };

export const targetAt = (where: FrameLocation): FrameTarget =>
  "memory" in where ? new OwnMemory(new Uint8Array(where.memory)) : new MemoryFileSlot(where.file, where.from);

/** Memory that a reply is sent from. */
export class OwnMemory implements FrameTarget {
  constructor(private readonly bytes: Uint8Array) {}

  static of(bytes: number): OwnMemory {
    return new OwnMemory(new Uint8Array(bytes));
  }

  put(bytes: Uint8Array, at: number): void {
    this.bytes.set(bytes, at);
  }

  sent(bytes: number): Uint8Array | undefined {
    return this.bytes.subarray(0, bytes);
  }
}

/** One slot of a memory file. */
class MemoryFileSlot implements FrameTarget {
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

/**
 * A slot whose frame is gathered first, and written at once: what a small frame takes is its calls of the system. One
 * thread writes it.
 */
export class GatheredSlot extends OwnMemory {
  constructor(
    private readonly file: number,
    private readonly from: number,
    capacity: number,
  ) {
    super(new Uint8Array(capacity));
  }

  override sent(bytes: number): undefined {
    writeSync(this.file, super.sent(bytes)!, 0, bytes, this.from);
  }
}

/** Linux's file system in memory: nothing in it is ever copied to a disk. */
const FOLDER = "/dev/shm";
const PAGE = 4096;

/**
 * Memory that a client on this machine maps and reads replies from, so that they are copied once and not sent. Only the
 * user that the server runs as can open it.
 */
export class MemoryFile {
  readonly path = `${FOLDER}/kessel-${randomUUID()}`;
  /** Bytes from one slot to the next. */
  readonly slotBytes: number;
  private readonly file: number;
  /** Slots that the system has allotted memory to. */
  private readonly backed = new Set<number>();
  private closed = false;

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

  /** Where threads write a slot; null when the system has no memory left. */
  where(slot: number): FrameLocation | null {
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
    if (this.closed) return;
    this.closed = true;
    closeSync(this.file);
    rmSync(this.path, { force: true }); // a client that mapped it has removed it already
  }
}
