import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, KesselError } from "../../env/index.js";
import type { Limits } from "../wire/limits.js";
import { renewsLeases } from "../wire/msgpack.js";
import type { Op, Reply } from "../wire/protocol.js";
import type { Pass, Rest } from "./pass.js";
import { LOOK_MS, Throttle } from "./throttle.js";
import { EventLoopYield } from "./event-loop-yield.js";
import { FileWatch, HeapWatch } from "./watches.js";

/** A step has a data frame and a header no longer than this: what it takes is its batch's. */
const STEP_HEADER = 4096;
/** Bytes of a connection's requests that may wait, in largest messages. */
const HELD_MESSAGES = 4;
/**
 * A connection with this many replies that libzmq can't take over yet gets `busy`; with twice as many its requests are
 * dropped.
 */
export const UNSENT = 64;
/** A gate that closes waits this long for requests that are being carried out, */
const FINISH_MS = 1_000;
/** then this long for libzmq to take over their replies. */
const DELIVER_MS = 500;
const SHUTTING_DOWN = "the server is shutting down";
/** Carried out though the heap is nearly full: playing on and ending. Any other operation may need much memory. */
const FRUGAL: readonly Op[] = ["hello", "list", "reset", "step", "close", "ping", "stats"];

/** What the gate admits requests to. */
export interface Inside {
  readonly limits: Pick<Limits, "inFlight" | "messageBytes">;
  /** Never throws and never rejects. */
  handle(client: string, frames: readonly Buffer[], pass: Pass): Reply | Promise<Reply>;
  /** Answers a message with an error, without carrying it out. */
  refuse(frames: readonly Buffer[], code: ErrorCode, message: string): Reply;
}

/** A connection as the gate knows it: what is on its way. The gate alone changes the counts. */
export abstract class Guest {
  /** Requests that have come in and have not left. */
  waiting = 0;
  /** Those of them whose replies have been given out. */
  unsent = 0;
  /** Those of them that are held back, oldest first. */
  readonly held: Visit[] = [];
  /** Bytes of those. */
  heldBytes = 0;

  constructor(readonly client: string) {}

  /**
   * Sends a reply, then has it `leave` the gate.
   *
   * @param delimited its request came with an empty frame, and so does the reply
   */
  abstract send(reply: Reply, delimited: boolean): void;
}

/** Milliseconds, never going back. */
export type Clock = () => number;

const sizeOf = (frames: readonly Buffer[]): number => frames.reduce((sum, { length }) => sum + length, 0);
/** Bytes of a reply whose memory is collected when it is sent. */
const collected = ({ header, data, kept }: Reply): number => header.length + (kept === true ? 0 : (data?.length ?? 0));

/**
 * The one way in: it lets requests through, refuses them or holds them back, and counts what they cost their
 * connection. A request enters, is carried out inside, is given out with its reply, and leaves when libzmq has taken
 * that over.
 */
export class Gate {
  readonly throttle = new Throttle();
  readonly eventLoop: EventLoopYield;
  readonly heap: HeapWatch;
  private readonly files: FileWatch;
  /** Requests that are held back or being carried out, which a closing gate refuses instead. */
  private readonly unanswered = new Set<Visit>();
  /** Requests that have entered and not left. */
  private open = 0;
  private closing = false;
  private emptied: (() => void) | null = null;

  constructor(
    private readonly inside: Inside,
    log: ConstructorParameters<typeof HeapWatch>[0],
    readonly clock: Clock = () => performance.now(),
  ) {
    this.eventLoop = new EventLoopYield(clock);
    this.heap = new HeapWatch(log);
    this.files = new FileWatch(log);
  }

  /**
   * A message comes in. Messages of a connection enter in their order; they may be answered in another.
   *
   * @param delimited came with an empty frame, as its reply is to
   * @returns what to wait for before the next message is read: a turn of the event loop when one is due
   */
  enter(guest: Guest, frames: readonly Buffer[], delimited = false): Promise<void> | null {
    if (guest.unsent < 2 * UNSENT) this.admit(new Visit(this, guest, frames, delimited)); // else it sends without reading: drop
    return this.eventLoop.due ? this.eventLoop.turn() : null;
  }

  /** The oldest reply given out to a connection is on its way, or can't be sent. */
  leave(guest: Guest): void {
    guest.unsent--;
    this.out(guest);
  }

  /** The connection is gone: nobody waits for what it has asked. */
  lost(guest: Guest): void {
    guest.heldBytes = 0;
    for (const visit of guest.held.splice(0)) if (this.unanswered.delete(visit)) this.out(guest);
  }

  /** For once a second. */
  sweep(): void {
    this.files.look();
    this.throttle.sweep(this.clock());
  }

  /**
   * Ends within 1.5 seconds. Requests get their answer if it is there within a second; all others are refused with
   * `closed`.
   */
  async close(): Promise<void> {
    this.closing = true;
    await this.empty(FINISH_MS);
    for (const visit of this.unanswered) this.giveOut(visit, this.inside.refuse(visit.frames, "closed", SHUTTING_DOWN));
    this.unanswered.clear();
    await this.empty(DELIVER_MS);
  }

  private admit(visit: Visit): void {
    const { guest, frames } = visit;
    guest.waiting++;
    this.open++;
    const now = this.clock();
    const renews = renewsLeases(frames); // nobody waits for the answer, and it can't wait
    if (!renews) this.throttle.hear(guest.client, now);
    const refused = this.refusal(guest, visit.bytes);
    if (refused !== null) return this.giveOut(visit, this.inside.refuse(frames, ...refused));
    if (!renews && (guest.held.length > 0 || this.throttle.left(guest.client, now) > 0)) this.hold(visit);
    else this.carryOut(visit);
  }

  /** Why a request is not carried out, if it isn't. */
  private refusal({ waiting, unsent, held, heldBytes }: Guest, bytes: number): [ErrorCode, string] | null {
    if (this.closing) return ["closed", SHUTTING_DOWN];
    const { inFlight, messageBytes } = this.inside.limits;
    if (waiting > inFlight || unsent >= UNSENT)
      return [
        "busy",
        `${waiting - 1} requests of this connection wait for an answer or to be read; at most ${inFlight} may`,
      ];
    if (held.length > 0 && heldBytes + bytes > HELD_MESSAGES * messageBytes)
      return [
        "busy",
        `requests of ${heldBytes} bytes of this connection wait; at most ${HELD_MESSAGES * messageBytes} may`,
      ];
    return null;
  }

  private carryOut(visit: Visit): void {
    const { throttle } = this;
    const { frames, asks } = visit;
    const { client } = visit.guest;
    const began = this.clock();
    const reply = this.inside.handle(client, frames, visit);
    const now = this.clock();
    throttle.came(client, visit.bytes, began);
    if (frames.length !== 2 || frames[0]!.length > STEP_HEADER) throttle.held(client, now - began, now);
    if (reply instanceof Promise) {
      this.unanswered.add(visit);
      void reply.then((later) => {
        if (asks) throttle.replied(client, collected(later), this.clock());
        if (this.unanswered.delete(visit)) this.giveOut(visit, later);
      });
      return;
    }
    if (asks) throttle.replied(client, collected(reply), now);
    this.giveOut(visit, reply);
  }

  private hold(visit: Visit): void {
    const { guest } = visit;
    this.unanswered.add(visit);
    guest.heldBytes += visit.bytes;
    guest.held.push(visit);
    if (guest.held.length === 1) this.releaseLater(guest);
  }

  /** Carries out one held request at a time, so that other connections' requests come in between. */
  private releaseLater(guest: Guest): void {
    const release = (): void => {
      if (guest.held.length > 0 && this.throttle.left(guest.client, this.clock()) <= 0) {
        const visit = guest.held.shift()!;
        guest.heldBytes -= visit.bytes;
        if (this.unanswered.delete(visit)) this.carryOut(visit);
      }
      if (guest.held.length > 0) this.releaseLater(guest);
    };
    const left = this.throttle.left(guest.client, this.clock());
    if (left > 0) setTimeout(release, Math.min(left, LOOK_MS));
    else setImmediate(release);
  }

  private giveOut(visit: Visit, reply: Reply): void {
    visit.guest.unsent++;
    visit.guest.send(reply, visit.delimited);
  }

  private out(guest: Guest): void {
    guest.waiting--;
    if (--this.open === 0) this.emptied?.();
  }

  /** Waits until all requests have left, at most this long. */
  private async empty(ms: number): Promise<void> {
    if (this.open === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, ms);
      this.emptied = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

/** One request on its way through the server, and its pass there. */
export class Visit implements Pass {
  readonly bytes: number;

  constructor(
    private readonly gate: Gate,
    readonly guest: Guest,
    readonly frames: readonly Buffer[],
    readonly delimited: boolean,
  ) {
    this.bytes = sizeOf(frames);
  }

  /** Without a data frame, it is neither a step nor a load. */
  get asks(): boolean {
    return this.frames.length === 1;
  }

  admit(op: Op): void {
    const short = FRUGAL.includes(op) ? null : this.gate.heap.shortage();
    if (short !== null) throw new KesselError("limit", `the server is out of resources: ${short}`);
  }

  begin(): void {
    if (this.asks) this.gate.throttle.expect(this.guest.client, this.gate.clock());
  }

  behind<T>(earlier: Promise<unknown>, isStep: boolean, { check, run }: Rest<T>): Promise<T> {
    const { throttle, eventLoop, clock } = this.gate;
    const { client } = this.guest;
    // what comes in while nobody else asks costs nothing yet
    const uncounted = !isStep && !this.asks && throttle.isAlone(client, clock()) ? this.frames[1]!.length : 0;
    const goOn = (): T | Promise<T> => {
      check();
      const left = isStep ? 0 : throttle.left(client, clock());
      if (left > 0)
        return sleep(Math.min(left, LOOK_MS), undefined, { ref: false })
          .then(() => eventLoop.turn())
          .then(goOn);
      if (uncounted > 0) throttle.came(client, uncounted, clock());
      const began = clock();
      this.begin();
      const answer = run();
      const now = clock();
      if (this.asks) throttle.held(client, now - began, now);
      return answer;
    };
    return earlier.then(() => (eventLoop.due ? eventLoop.turn().then(goOn) : goOn()));
  }
}
