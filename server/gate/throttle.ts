/**
 * A request without data (so no step) that held this thread for longer than `LONG_MS` makes its connection wait `REST`
 * times as long, while others ask too: what takes long (one's own data files, pictures) keeps them waiting for a
 * hundredth of the time, so that their 99th percentile doesn't show it. `BURST_MS` of the thread come without a wait: a
 * batch begins at once.
 */
const LONG_MS = 2;
const REST = 100;
const BURST_MS = 50;
const MOST_REST_MS = 3_000;
/** Others ask too when one of them has asked so recently. */
const RECENT_MS = 1_000;
/**
 * Large messages also cost time when the memory that they took is collected: beyond `SMALL` bytes a message that comes
 * in, and a reply to a request without data, makes its connection wait as if this many bytes took a millisecond.
 */
const SMALL = 4096;
const BYTES_PER_MS = 20_000;
/** Shorter waits are put off until they come to more: timers are no finer than a millisecond. */
const TOLERATED_MS = 5;

/** A request that waits is looked at again after this time: by then, others may have stopped asking. */
export const LOOK_MS = 100;

interface Rest {
  /** Until when its bytes make it wait. */
  until: number;
  /** When the time that it held the thread is paid for; it waits as long as that is more than a burst away. */
  paid: number;
  /** What the latest reply cost, in ms: the next, whose size is not known yet, is expected to cost as much. */
  cost: number;
  /** What was waited for of replies that are not there yet, in ms. */
  ahead: number;
}

/** Which connections wait, and how long, because what they ask keeps the socket's thread from others. */
export class Throttle {
  private readonly rests = new Map<string, Rest>();
  /** Who asked last, when, and when anybody else did before. */
  private readonly asked = { client: "", at: -Infinity, otherAt: -Infinity };

  /** A connection asks. */
  hear(client: string, now: number): void {
    const { asked } = this;
    if (asked.client !== client) {
      asked.client = client;
      asked.otherAt = asked.at;
    }
    asked.at = now;
  }

  /** How long a connection has to wait, in ms; not at all while nobody else asks. */
  left(client: string, now: number): number {
    const rest = this.rests.get(client);
    if (rest === undefined || this.isAlone(client, now)) return 0;
    const left = Math.max(rest.until, rest.paid - REST * BURST_MS) - now;
    return left > TOLERATED_MS ? left : 0;
  }

  /** A request held the thread for `ms` milliseconds. */
  held(client: string, ms: number, now: number): void {
    if (ms <= LONG_MS || this.isAlone(client, now - ms)) return; // while it held the thread nobody could be heard
    const rest = this.of(client, now);
    rest.paid = Math.min(now + REST * BURST_MS + MOST_REST_MS, Math.max(now, rest.paid) + REST * ms);
  }

  /** A message of `bytes` bytes is carried out. */
  came(client: string, bytes: number, now: number): void {
    if (bytes > SMALL && !this.isAlone(client, now)) this.lengthen(this.of(client, now), bytes / BYTES_PER_MS, now);
  }

  /** A reply of a size that isn't known yet is being made. */
  expect(client: string, now: number): void {
    const rest = this.rests.get(client);
    if (rest === undefined || rest.cost === 0 || this.isAlone(client, now)) return;
    rest.ahead += rest.cost;
    this.lengthen(rest, rest.cost, now);
  }

  /** A reply of `bytes` bytes, which nobody uses again, is there. */
  replied(client: string, bytes: number, now: number): void {
    const cost = bytes <= SMALL ? 0 : bytes / BYTES_PER_MS;
    if (cost === 0 && !this.rests.has(client)) return;
    const rest = this.of(client, now);
    const ahead = Math.min(rest.ahead, cost);
    rest.ahead -= ahead;
    rest.cost = cost;
    if (!this.isAlone(client, now)) this.lengthen(rest, cost - ahead, now);
  }

  /** Forgets those who have waited. */
  sweep(now: number): void {
    for (const [client, { until, paid }] of this.rests) if (Math.max(until, paid) < now) this.rests.delete(client);
  }

  /**
   * True when no other client has asked for a while. Then nobody is kept waiting, and nothing is written down for
   * later.
   */
  isAlone(client: string, now: number): boolean {
    const { asked } = this;
    return now - (asked.client === client ? asked.otherAt : asked.at) > RECENT_MS;
  }

  private of(client: string, now: number): Rest {
    let rest = this.rests.get(client);
    if (rest === undefined) this.rests.set(client, (rest = { until: now, paid: now, cost: 0, ahead: 0 }));
    return rest;
  }

  private lengthen(rest: Rest, ms: number, now: number): void {
    rest.until = Math.min(now + MOST_REST_MS, Math.max(now, rest.until) + ms);
  }
}
