import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { libraryOf, GameCache } from "./library.js";
import { type FrameTarget, targetAt, type FrameLocation } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import { BlockWriter, type FrameHelp } from "../slice/frame-writers.js";
import { seatsFrom } from "../slice/seats.js";
import { frameShape } from "../slice/slice.js";
import type { ThreadStart } from "./slice-worker.js";

/**
 * Words of the memory through which the socket's thread and the helper share out the blocks of a frame.
 *
 * `CLAIM` holds the frame's number and, in its low bits, the next block to take. A compare-and-exchange on it succeeds
 * only while the frame is still the one whose `BATCH`, `SLOT` and `COUNT` were read before.
 */
export const CONTROL_WORDS = 9;
/** Rises whenever there is something to do. */
const WAKE = 0;
const CLAIM = 1;
/** Blocks whose environments have moved. */
const READY = 2;
/** Blocks of the frame that the helper has written. */
const DONE = 3;
const BATCH = 4;
const SLOT = 5;
const COUNT = 6;
/** 1: the helper failed to write a block of the frame. */
const FAILED = 7;
/** Messages sent to the helper. */
const SENT = 8;

const BLOCK_BITS = 10;
/** In the low bits of `CLAIM`: no more blocks are given out. */
const CLOSED = 2 ** BLOCK_BITS - 1;
const FRAMES = 2 ** (31 - BLOCK_BITS);
export const MOST_BLOCKS = CLOSED - 1;

/** Looks at memory before a waiting thread goes to sleep: waking it costs the other thread time. */
const SPINS = 20_000;
/** Time between looks for progress of the helper, and how many in a row without any mean that it has ended. */
const LOOK_MS = 100;
const MOST_SILENT_LOOKS = 100;

export type HelperMessage =
  | {
      readonly op: "open";
      readonly batch: number;
      readonly request: RequestOf<"make">;
      readonly states: SharedArrayBuffer;
      readonly viewers: SharedArrayBuffer;
    }
  | { readonly op: "slot"; readonly batch: number; readonly slot: number; readonly where: FrameLocation }
  | { readonly op: "close"; readonly batch: number };

/** Tells the helper that a message was sent. */
export function notify(control: Int32Array): void {
  Atomics.add(control, SENT, 1);
  wake(control);
}

function wake(control: Int32Array): void {
  Atomics.add(control, WAKE, 1);
  Atomics.notify(control, WAKE);
}

/** True when there is a frame with blocks to take. */
export const isOpen = (control: Int32Array): boolean => {
  const k = Atomics.load(control, CLAIM) & CLOSED;
  return k !== CLOSED && k < Atomics.load(control, COUNT);
};

/** The blocks of the current frame, for the thread that plays the batch. */
export class FrameBlocks implements FrameHelp {
  /** Blocks that this thread took. */
  private takenHere = 0;
  private woken = false;

  /**
   * @param number of the frame, another one than those of the frames before
   * @param patience looks without progress, `LOOK_MS` apart, after which the helper counts as ended
   */
  constructor(
    private readonly control: Int32Array,
    private readonly number: number,
    batch: number,
    slot: number,
    private readonly count: number,
    private readonly patience = MOST_SILENT_LOOKS,
  ) {
    control[BATCH] = batch;
    control[SLOT] = slot;
    control[COUNT] = count;
    control[READY] = 0;
    control[DONE] = 0;
    control[FAILED] = 0;
    Atomics.store(control, CLAIM, (number % FRAMES) << BLOCK_BITS);
  }

  ready(n: number): void {
    Atomics.store(this.control, READY, n);
    if (!this.woken) wake(this.control);
    this.woken = true;
  }

  take(): number {
    const { control, count } = this;
    for (;;) {
      const claim = Atomics.load(control, CLAIM);
      const k = claim & CLOSED;
      if (k >= count) return -1;
      if (Atomics.compareExchange(control, CLAIM, claim, claim + 1) === claim) {
        this.takenHere++;
        return k;
      }
    }
  }

  finish(): boolean {
    const { control } = this;
    const taken = Atomics.exchange(control, CLAIM, ((this.number % FRAMES) << BLOCK_BITS) | CLOSED) & CLOSED;
    if (taken === CLOSED) return true; // finished before
    return this.waitForHelper(taken - this.takenHere) && taken === this.count && Atomics.load(control, FAILED) === 0;
  }

  /** Blocks that the helper has written. */
  get written(): number {
    return Atomics.load(this.control, DONE);
  }

  /** Waits until the helper has written `n` blocks. @returns false when it has ended */
  private waitForHelper(n: number): boolean {
    const { control } = this;
    for (let i = 0; i < SPINS; i++) if (Atomics.load(control, DONE) === n) return true;
    for (let silent = 0; silent < this.patience;) {
      const done = Atomics.load(control, DONE);
      if (done === n) return true;
      if (Atomics.wait(control, DONE, done, LOOK_MS) === "timed-out") silent++;
      else silent = 0;
    }
    return false;
  }
}

interface OpenBatch {
  readonly blocks: BlockWriter;
  readonly slots: Map<number, FrameTarget>;
}

/** What the helper's thread is started with. */
export interface HelperStart extends ThreadStart {
  /** int32: wakes the thread when there is work (`notify`). */
  readonly control: Int32Array;
}

/** Writes blocks of frames whenever there are some, and sleeps in between. */
export async function run(port: MessagePort, { library: module, control }: HelperStart): Promise<never> {
  const library = await libraryOf(module);
  const gameCache = new GameCache(library);
  const batches = new Map<number, OpenBatch>();
  /** Messages to follow, in order. One that opens a batch waits until the code of its game is loaded. */
  const inbox: HelperMessage[] = [];
  const loaded = new Set<string>();
  let read = 0;

  const open = ({ request, states: words, viewers }: Extract<HelperMessage, { op: "open" }>): OpenBatch => {
    const game = gameCache.game(request);
    const all = new Int32Array(words);
    const states = Array.from({ length: request.size }, (_, i) =>
      all.subarray(i * game.stateSize, (i + 1) * game.stateSize),
    );
    const shape = frameShape(game, request, request.size, seatsFrom(game, request.seats));
    return { blocks: new BlockWriter(shape, { game, states, viewers: new Int32Array(viewers) }, 0), slots: new Map() };
  };

  const readMessages = (): void => {
    for (const sent = Atomics.load(control, SENT); read !== sent; read = (read + 1) | 0)
      inbox.push(receiveMessageOnPort(port)!.message as HelperMessage);
    for (let first = inbox[0]; first !== undefined; first = inbox[0]) {
      if (first.op === "open") {
        if (!loaded.has(first.request.game)) return;
        batches.set(first.batch, open(first));
      } else if (first.op === "close") batches.delete(first.batch);
      else batches.get(first.batch)!.slots.set(first.slot, targetAt(first.where));
      inbox.shift();
    }
  };

  /** Takes blocks until none has come for a while. */
  const work = (): void => {
    for (let idle = 0; idle < SPINS;) {
      if (!isOpen(control)) return;
      const claim = Atomics.load(control, CLAIM);
      const k = claim & CLOSED;
      if (k >= Atomics.load(control, READY)) {
        idle++;
        continue;
      }
      const batch = control[BATCH]!;
      const slot = control[SLOT]!;
      readMessages();
      if (inbox.length > 0) return;
      if (Atomics.compareExchange(control, CLAIM, claim, claim + 1) !== claim) continue;
      idle = 0;
      try {
        const { blocks, slots } = batches.get(batch)!;
        blocks.write(k, slots.get(slot)!);
      } catch {
        Atomics.store(control, FAILED, 1); // the batch's thread writes the block itself then, and reports the failure
      }
      Atomics.add(control, DONE, 1);
      Atomics.notify(control, DONE);
    }
  };

  port.postMessage("ready");
  for (;;) {
    const seen = Atomics.load(control, WAKE);
    readMessages();
    for (let first = inbox[0]; first?.op === "open"; first = inbox[0]) {
      await library.prepare(first.request.game);
      loaded.add(first.request.game);
      readMessages();
    }
    work();
    if (inbox.length === 0) Atomics.wait(control, WAKE, seen);
  }
}
