import type { Worker } from "node:worker_threads";
import type { Json } from "../../env/index.js";
import { startWorker } from "../../env/worker.js";
import type { FrameLocation } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import type { FrameHelp } from "../slice/frame-writers.js";
import {
  FrameBlocks,
  type HelperMessage,
  type HelperStart,
  MOST_BLOCKS,
  notify,
  CONTROL_WORDS,
} from "./observation-helper-worker.js";
import type { ThreadStart } from "./slice-worker.js";

/**
 * A thread that helps the socket's thread write observations, the larger part of a step. While the socket's thread
 * plays a batch block by block, the helper writes the blocks that have moved; when all have moved, both take the blocks
 * that are left. The socket's thread never waits for a block that the helper hasn't begun.
 */
export class ObservationHelper {
  private readonly control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS));
  private worker: Worker | null = null;
  private state: "new" | "starting" | "ready" | "ended" = "new";
  private batches = 0;
  private frames = 0;
  /** Blocks that the helper wrote of all frames before the current one. */
  private blocks = 0;
  private frame: FrameBlocks | null = null;

  constructor(
    private readonly start: ThreadStart,
    private readonly log: (event: string, facts: Readonly<Record<string, Json>>) => void,
  ) {}

  /** Starts helping with a batch whose states and viewers are in shared memory. */
  add(request: RequestOf<"make">, states: SharedArrayBuffer, viewers: SharedArrayBuffer): HelpedBatch {
    this.begin();
    const batch = this.batches++; // its number in messages
    this.send({ op: "open", batch, request, states, viewers });
    return {
      setSlot: (slot, where) => this.send({ op: "slot", batch, slot, where }),
      beginFrame: (slot, blocks) =>
        this.state === "ready" && blocks <= MOST_BLOCKS ? this.next(batch, slot, blocks) : null,
      leave: () => this.send({ op: "close", batch }),
    };
  }

  /** Blocks that the helper has written so far. */
  get written(): number {
    return this.blocks + (this.frame?.written ?? 0);
  }

  async close(): Promise<void> {
    this.state = "ended";
    await this.worker?.terminate();
  }

  private next(batch: number, slot: number, blocks: number): FrameBlocks {
    this.blocks = this.written;
    return (this.frame = new FrameBlocks(this.control, this.frames++, batch, slot, blocks));
  }

  private begin(): void {
    if (this.state !== "new") return;
    this.state = "starting";
    const start: HelperStart = { ...this.start, control: this.control };
    this.worker = startWorker(new URL("./observation-helper-worker.ts", import.meta.url), start);
    this.worker.on("message", () => {
      if (this.state === "starting") this.state = "ready";
    });
    this.worker.on("error", (e) => this.log("helper-failed", { name: e instanceof Error ? e.name : "unknown" }));
    this.worker.on("exit", () => {
      if (this.state !== "ended") this.log("helper-lost", {});
      this.state = "ended"; // from now on batches are written without it
      this.worker = null;
    });
  }

  private send(message: HelperMessage): void {
    if (this.worker === null) return;
    this.worker.postMessage(message);
    notify(this.control);
  }
}

/** A batch that the helper helps with. */
export interface HelpedBatch {
  /** Tells the helper where frames of a slot are written. */
  setSlot(slot: number, where: FrameLocation): void;
  /**
   * Begins a frame of `blocks` blocks. @returns null when the helper is not running
   */
  beginFrame(slot: number, blocks: number): FrameHelp | null;
  leave(): void;
}
