/**
 * A request without data (so no step) that held this thread for longer than `LONG_MS` makes its connection wait `REST` times
 * as long, while others ask too: what takes long (one's own data files, pictures) keeps them waiting for little of the time.
 */
const LONG_MS = 2;
const REST = 30;
const MOST_REST_MS = 3_000;
/** Others ask too when one of them has asked so recently. */
const RECENT_MS = 1_000;
/**
 * A reply to such a request also costs time when the memory that it took is collected: beyond `SMALL_REPLY` bytes it makes its
 * connection wait in the same way, as if so many bytes took a millisecond.
 */
const SMALL_REPLY = 4096;
const BYTES_PER_MS = 20_000;

interface Rest {
  until: number;
  /** What the latest reply cost, in ms: the next, whose size is not known yet, is expected to cost as much. */
  cost: number;
}

/** Which connections wait, and how long, because what they ask keeps the socket's thread from others. */
export class Rests {
  private readonly rests = new Map<string, Rest>();
  /** Who asked last, when, and when anybody else did before. */
  private asked = { client: "", at: -Infinity, otherAt: -Infinity };

  /** A connection asks. */
  hear(client: string, now: number): void {
    const { asked } = this;
    this.asked = { client, at: now, otherAt: asked.client === client ? asked.otherAt : asked.at };
  }

  /** How long a connection has to wait, in ms; not at all while nobody else asks. */
  left(client: string, now: number): number {
    const until = this.rests.get(client)?.until;
    if (until === undefined) return 0;
    const { asked } = this;
    const otherAt = asked.client === client ? asked.otherAt : asked.at;
    return now - otherAt > RECENT_MS ? 0 : until - now;
  }

  /** A request held the thread for so many ms. */
  held(client: string, ms: number, now: number): void {
    if (ms > LONG_MS) this.of(client, now).until = now + Math.min(MOST_REST_MS, REST * ms);
  }

  /** A reply is being made elsewhere. @returns what it is expected to cost, for `replied` */
  expect(client: string, now: number): number {
    const rest = this.rests.get(client);
    if (rest === undefined) return 0;
    this.lengthen(rest, rest.cost, now);
    return rest.cost;
  }

  /** A reply of so many bytes, which nobody uses again, is there. */
  replied(client: string, expected: number, bytes: number, now: number): void {
    const cost = bytes < SMALL_REPLY ? 0 : bytes / BYTES_PER_MS;
    if (cost === 0 && expected === 0) return;
    const rest = this.of(client, now);
    rest.cost = cost;
    this.lengthen(rest, cost - expected, now);
  }

  /** Forgets those who have waited. */
  sweep(now: number): void {
    for (const [client, { until }] of this.rests) if (until < now) this.rests.delete(client);
  }

  private of(client: string, now: number): Rest {
    let rest = this.rests.get(client);
    if (rest === undefined) this.rests.set(client, (rest = { until: now, cost: 0 }));
    return rest;
  }

  private lengthen(rest: Rest, ms: number, now: number): void {
    rest.until = Math.min(now + MOST_REST_MS, Math.max(now, rest.until) + ms);
  }
}
