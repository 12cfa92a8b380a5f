import { Worker } from "node:worker_threads";
import type { Json } from "../../env/index.js";
import type { Where } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import type { Help } from "../slice/frame-writers.js";
import { FrameBlocks, type Mail, MOST_BLOCKS, ring, WORDS } from "./observation-helper-worker.js";
import type { ThreadStart } from "./slice-worker.js";

/**
 * A thread that helps the thread of the socket to write observations, of which most of a step consists: while this one
 * plays a batch block by block, the scribe writes the blocks that have moved; what it hasn't begun when all have moved,
 * both write. Nobody waits for a scribe that is late: whoever is free takes the next block.
 */
export class Scribe {
  private readonly control = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  private worker: Worker | null = null;
  private state: "new" | "starting" | "ready" | "ended" = "new";
  private desks = 0;
  private frames = 0;
  /** Blocks written up to the frame before the last. */
  private blocks = 0;
  private frame: FrameBlocks | null = null;

  constructor(
    private readonly start: ThreadStart,
    private readonly log: (event: string, facts: Readonly<Record<string, Json>>) => void,
  ) {}

  /** A place for a batch whose states and viewers are in memory that threads share. */
  desk(request: RequestOf<"make">, states: SharedArrayBuffer, viewers: SharedArrayBuffer): ScribeDesk {
    this.begin();
    const desk = this.desks++;
    this.send({ op: "open", desk, request, states, viewers });
    return {
      slot: (slot, where) => this.send({ op: "slot", desk, slot, where }),
      help: (slot, blocks) => (this.state === "ready" && blocks <= MOST_BLOCKS ? this.next(desk, slot, blocks) : null),
      leave: () => this.send({ op: "close", desk }),
    };
  }

  /** Blocks that it has written so far. */
  get written(): number {
    return this.blocks + (this.frame?.written ?? 0);
  }

  async close(): Promise<void> {
    this.state = "ended";
    await this.worker?.terminate();
  }

  private next(desk: number, slot: number, blocks: number): FrameBlocks {
    this.blocks = this.written;
    return (this.frame = new FrameBlocks(this.control, this.frames++, desk, slot, blocks));
  }

  private begin(): void {
    if (this.state !== "new") return;
    this.state = "starting";
    this.worker = new Worker(new URL("./worker-entry.mjs", import.meta.url), {
      workerData: { ...this.start, control: this.control },
      execArgv: [],
    });
    this.worker.on("message", () => {
      if (this.state === "starting") this.state = "ready";
    });
    this.worker.on("error", (e) => this.log("scribe-failed", { name: e instanceof Error ? e.name : "unknown" }));
    this.worker.on("exit", () => {
      if (this.state !== "ended") this.log("scribe-lost", {});
      this.state = "ended"; // batches are written without it from now on
      this.worker = null;
    });
  }

  private send(mail: Mail): void {
    if (this.worker === null) return;
    this.worker.postMessage(mail);
    ring(this.control);
  }
}

/** A batch's place with a scribe. */
export interface ScribeDesk {
  /** Says where the frames of a slot are written. */
  slot(slot: number, where: Where): void;
  /** Begins a frame of so many blocks; null when there is nobody to help. */
  help(slot: number, blocks: number): Help | null;
  leave(): void;
}
