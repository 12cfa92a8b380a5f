import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { libraryOf, Shelf } from "./library.js";
import { type Target, targetAt, type Where } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import { BlockWriter, type Help } from "../slice/frame-writers.js";
import { seatsFrom } from "../slice/seats.js";
import { frameShape } from "../slice/slice.js";
import type { ThreadStart } from "./slice-worker.js";

/**
 * Words of the memory through which the thread of the socket and its scribe share out the blocks of a frame.
 *
 * `CLAIM` holds the number of the frame and, in its low bits, the next block to be taken, so that whoever takes one by
 * compare-and-exchange has taken it of the frame whose `DESK`, `SLOT` and `COUNT` he has read before.
 */
export const WORDS = 9;
/** Changes whenever there is something to do. */
const WAKE = 0;
const CLAIM = 1;
/** Blocks whose environments have moved. */
const READY = 2;
/** Blocks of the frame that the scribe has written. */
const DONE = 3;
const DESK = 4;
const SLOT = 5;
const COUNT = 6;
/** 1: the scribe could not write a block of the frame. */
const FAILED = 7;
/** Messages sent to the scribe. */
const MAIL = 8;

const LOW_BITS = 10;
/** In the low bits of `CLAIM`: no block is to be taken. */
const CLOSED = 2 ** LOW_BITS - 1;
const FRAMES = 2 ** (31 - LOW_BITS);
export const MOST_BLOCKS = CLOSED - 1;

/** Looks at memory before a waiting thread goes to sleep, which costs the other the time to wake it. */
const SPINS = 20_000;
/** How long a thread sleeps between looks whether the scribe goes on, and how many in a row that it doesn't mean it has ended. */
const PATIENCE_MS = 100;
const PATIENCE = 100;

export type Mail =
  | {
      readonly op: "open";
      readonly desk: number;
      readonly request: RequestOf<"make">;
      readonly states: SharedArrayBuffer;
      readonly viewers: SharedArrayBuffer;
    }
  | { readonly op: "slot"; readonly desk: number; readonly slot: number; readonly where: Where }
  | { readonly op: "close"; readonly desk: number };

/** Tells the scribe that a message was sent. */
export function ring(control: Int32Array): void {
  Atomics.add(control, MAIL, 1);
  wake(control);
}

function wake(control: Int32Array): void {
  Atomics.add(control, WAKE, 1);
  Atomics.notify(control, WAKE);
}

/** May a block be taken? */
export const isOpen = (control: Int32Array): boolean => {
  const k = Atomics.load(control, CLAIM) & CLOSED;
  return k !== CLOSED && k < Atomics.load(control, COUNT);
};

/** One frame's blocks, as the thread sees them that plays the batch. One at a time. */
export class FrameBlocks implements Help {
  /** Blocks taken by this thread. */
  private own = 0;
  private woken = false;

  /**
   * @param number of the frame, which differs from those of the frames before
   * @param patience looks, each `PATIENCE_MS` after the other, after which a scribe of whom nothing was heard has ended
   */
  constructor(
    private readonly control: Int32Array,
    private readonly number: number,
    desk: number,
    slot: number,
    private readonly count: number,
    private readonly patience = PATIENCE,
  ) {
    control[DESK] = desk;
    control[SLOT] = slot;
    control[COUNT] = count;
    control[READY] = 0;
    control[DONE] = 0;
    control[FAILED] = 0;
    Atomics.store(control, CLAIM, (number % FRAMES) << LOW_BITS);
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
        this.own++;
        return k;
      }
    }
  }

  finish(): boolean {
    const { control } = this;
    const taken = Atomics.exchange(control, CLAIM, ((this.number % FRAMES) << LOW_BITS) | CLOSED) & CLOSED;
    if (taken === CLOSED) return true; // has been finished before
    return this.heard(taken - this.own) && taken === this.count && Atomics.load(control, FAILED) === 0;
  }

  /** Blocks that the scribe has written. */
  get written(): number {
    return Atomics.load(this.control, DONE);
  }

  /** Waits until the scribe has written `n` blocks. */
  private heard(n: number): boolean {
    const { control } = this;
    for (let i = 0; i < SPINS; i++) if (Atomics.load(control, DONE) === n) return true;
    for (let silent = 0; silent < this.patience;) {
      const done = Atomics.load(control, DONE);
      if (done === n) return true;
      if (Atomics.wait(control, DONE, done, PATIENCE_MS) === "timed-out") silent++;
      else silent = 0;
    }
    return false;
  }
}

interface Kept {
  readonly blocks: BlockWriter;
  readonly slots: Map<number, Target>;
}

/** Writes blocks of frames for as long as the thread lives, which it spends asleep otherwise. */
export async function writeBlocks(
  port: MessagePort,
  { library: module }: ThreadStart,
  control: Int32Array,
): Promise<never> {
  const library = await libraryOf(module);
  const shelf = new Shelf(library.load);
  const desks = new Map<number, Kept>();
  let read = 0;

  const open = ({ request, states: words, viewers }: Extract<Mail, { op: "open" }>): Kept => {
    const game = shelf.game(request);
    const all = new Int32Array(words);
    const states = Array.from({ length: request.size }, (_, i) =>
      all.subarray(i * game.stateSize, (i + 1) * game.stateSize),
    );
    const shape = frameShape(game, request, request.size, seatsFrom(game, request.seats));
    return { blocks: new BlockWriter(shape, { game, states, viewers: new Int32Array(viewers) }, 0), slots: new Map() };
  };

  const readMail = (): void => {
    for (const sent = Atomics.load(control, MAIL); read !== sent; read = (read + 1) | 0) {
      const mail = receiveMessageOnPort(port)!.message as Mail;
      if (mail.op === "open") desks.set(mail.desk, open(mail));
      else if (mail.op === "close") desks.delete(mail.desk);
      else desks.get(mail.desk)!.slots.set(mail.slot, targetAt(mail.where));
    }
  };

  /** Takes blocks until there are none to be had, for a while at least. */
  const work = (): void => {
    for (let idle = 0; idle < SPINS;) {
      if (!isOpen(control)) return;
      const claim = Atomics.load(control, CLAIM);
      const k = claim & CLOSED;
      if (k >= Atomics.load(control, READY)) {
        idle++;
        continue;
      }
      const desk = control[DESK]!;
      const slot = control[SLOT]!;
      readMail();
      if (Atomics.compareExchange(control, CLAIM, claim, claim + 1) !== claim) continue;
      idle = 0;
      try {
        const { blocks, slots } = desks.get(desk)!;
        blocks.write(k, slots.get(slot)!);
      } catch {
        Atomics.store(control, FAILED, 1); // the thread of the batch does it itself then, and fails for all to see
      }
      Atomics.add(control, DONE, 1);
      Atomics.notify(control, DONE);
    }
  };

  port.postMessage("ready");
  for (;;) {
    const seen = Atomics.load(control, WAKE);
    readMail();
    work();
    Atomics.wait(control, WAKE, seen);
  }
}
