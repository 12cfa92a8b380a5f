/** Bytes of an answer at most: one names inputs, sizes or an error. */
const LONGEST = 1 << 20;

/** Reads what the process of a model says: JSON, each behind its length in four bytes. */
export class Answers {
  private got = Buffer.alloc(0);

  /** @returns the answer that is whole now; undefined while none is, and null for what can't be read */
  take(piece: Buffer): unknown {
    this.got = Buffer.concat([this.got, piece]);
    if (this.got.length < 4) return undefined;
    const whole = 4 + this.got.readUInt32LE(0);
    if (whole > LONGEST) return null;
    if (this.got.length < whole) return undefined;
    const text = this.got.toString("utf8", 4, whole);
    this.got = this.got.subarray(whole);
    try {
      const answer: unknown = JSON.parse(text);
      return typeof answer === "object" ? answer : null;
    } catch {
      return null;
    }
  }
}
