import { Packr, Unpackr } from "msgpackr";
import { KesselError } from "../../env/index.js";

/** Limits of a header, checked before anything is built from it. */
export const HEADER_LIMITS = {
  /** Bytes of a header frame. */
  bytes: 8 * 1024 * 1024,
  /** Maps and arrays inside each other. */
  depth: 64,
  /** Values in all. */
  values: 1_000_000,
  /** Bytes of a key. */
  key: 256,
} as const;

const packr = new Packr({ useRecords: false, variableMapSize: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: "number" });

/** Packs a header; whole numbers are integers at every size. Keys whose value is undefined must not be there. */
export function pack(header: unknown): Buffer {
  return packr.pack(hasLarge(header) ? withIntegers(header) : header);
}

/** A whole number that msgpackr would write as float64: its integers end at 32 bits, unless they are BigInt. */
const isLarge = (n: number): boolean => Number.isSafeInteger(n) && (n > 0xffffffff || n < -0x80000000);

function hasLarge(value: unknown): boolean {
  if (typeof value === "number") return isLarge(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLarge);
  for (const key in value) if (hasLarge((value as Record<string, unknown>)[key])) return true;
  return false;
}

function withIntegers(value: unknown): unknown {
  if (typeof value === "number") return isLarge(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withIntegers);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIntegers(inner)]));
}

/** A value that is packed already. */
export class Packed {
  constructor(readonly bytes: Uint8Array) {}
}

/** Packs a header of less than 15 keys, and one more whose value is packed already. */
export function packWith(header: Record<string, unknown>, key: string, { bytes }: Packed): Buffer {
  const packed = pack(header);
  return Buffer.concat([Uint8Array.of(packed[0]! + 1), packed.subarray(1), pack(key), bytes]);
}

/** The header of a `step`. */
export interface StepHeader {
  readonly id: number;
  readonly batch: string;
  readonly free: number[] | undefined;
}

const STEP = Buffer.from([0xa4, ...Buffer.from("step")]);
const [OP, ID, BATCH, FREE] = ["op", "id", "batch", "free"].map((key) =>
  Buffer.from([0xa0 | key.length, ...Buffer.from(key)]),
) as [Buffer, Buffer, Buffer, Buffer];
const TOKEN = 32;

/**
 * Reads the header of a `step` in the form that clients commonly write, without building a map: the hot path.
 *
 * @returns null for any other header and any other form, which `unpack` reads
 */
export function readStep(b: Buffer): StepHeader | null {
  if (b[0] !== 0x83 && b[0] !== 0x84) return null;
  let id = -1;
  let batch = "";
  let free: number[] | undefined;
  let stepping = false;
  let at = 1;
  for (let left = b[0] & 15; left > 0; left--) {
    if (!stepping && startsWith(b, at, OP) && startsWith(b, at + 3, STEP)) {
      stepping = true;
      at += 8;
    } else if (id < 0 && startsWith(b, at, ID)) {
      const bytes = extraBytes(b, at + 3);
      if (bytes < 0) return null;
      id = wholeAt(b, at + 3, bytes);
      if (id > Number.MAX_SAFE_INTEGER) return null;
      at += 4 + bytes;
    } else if (
      batch === "" &&
      startsWith(b, at, BATCH) &&
      b[at + 6] === 0xd9 &&
      b[at + 7] === TOKEN &&
      at + 8 + TOKEN <= b.length
    ) {
      batch = b.toString("latin1", at + 8, at + 8 + TOKEN);
      at += 8 + TOKEN;
    } else if (free === undefined && startsWith(b, at, FREE) && b[at + 5]! >> 4 === 9) {
      const n = b[at + 5]! & 15;
      free = [];
      for (let i = 0; i < n; i++) {
        const slot = b[at + 6 + i];
        if (slot === undefined || slot >= 0x80) return null;
        free.push(slot);
      }
      at += 6 + n;
    } else return null;
  }
  return stepping && id >= 0 && batch !== "" && at === b.length ? { id, batch, free } : null;
}

const PING = Buffer.from([...OP, 0xa4, ...Buffer.from("ping")]);

/** Bytes of a `ping` that names as many batches as a connection may hold. */
const LONGEST_PING = 16_384;

/** True when it is a `ping` that names batches, in the form that clients commonly write. */
export const renewsLeases = (frames: readonly Buffer[]): boolean =>
  frames.length === 1 && frames[0]![0] === 0x83 && frames[0]!.length <= LONGEST_PING && startsWith(frames[0]!, 1, PING);

/**
 * The id of a header that begins with `op` and `id`, as clients commonly write; null for any other. Unpacks nothing.
 */
export function readId(b: Buffer): number | null {
  if (b[0]! >> 4 !== 8 || !startsWith(b, 1, OP) || b[4]! >> 5 !== 5) return null;
  const at = 5 + (b[4]! & 31);
  if (!startsWith(b, at, ID)) return null;
  const bytes = extraBytes(b, at + 3);
  const id = bytes < 0 ? Infinity : wholeAt(b, at + 3, bytes);
  return id > Number.MAX_SAFE_INTEGER ? null : id;
}

/** Bytes of a whole number from 0 after its first, at `at`; -1 for what is none or isn't all there. */
function extraBytes(b: Buffer, at: number): number {
  const t = b[at]!;
  const bytes = t < 0x80 ? 0 : t === 0xcc ? 1 : t === 0xcd ? 2 : t === 0xce ? 4 : t === 0xcf || t === 0xd3 ? 8 : -1;
  return at + 1 + bytes > b.length ? -1 : bytes;
}

function wholeAt(b: Buffer, at: number, extra: number): number {
  if (extra === 0) return b[at]!;
  return extra === 8 ? b.readUInt32BE(at + 1) * 2 ** 32 + b.readUInt32BE(at + 5) : b.readUIntBE(at + 1, extra);
}

function startsWith(b: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) if (b[at + i] !== what[i]) return false;
  return true;
}

/**
 * Unpacks a header: one MessagePack map with string keys, made of nil, booleans, numbers, strings, arrays and maps.
 *
 * @throws KesselError `bad-message` for anything else, `limit` beyond `HEADER_LIMITS`
 */
export function unpack(frame: Uint8Array): Record<string, unknown> {
  if (frame.length > HEADER_LIMITS.bytes)
    throw new KesselError("limit", `a header has at most ${HEADER_LIMITS.bytes} bytes, this one has ${frame.length}`);
  new Scan(frame).run();
  return unpackr.unpack(frame as Buffer) as Record<string, unknown>;
}

const bad = (what: string): KesselError =>
  new KesselError("bad-message", `the header is not a MessagePack map: ${what}`);

/** Checks a header without building anything, so that a claimed length is trusted only when its bytes are there. */
class Scan {
  private at = 0;
  private values = 0;

  constructor(private readonly b: Uint8Array) {}

  run(): void {
    const first = this.b[0];
    if (first === undefined) throw bad("it is empty");
    if (first >> 4 !== 8 && first !== 0xde && first !== 0xdf) throw bad(`it begins with byte ${first}`);
    this.value(0);
    if (this.at !== this.b.length) throw bad(`${this.b.length - this.at} bytes follow it`);
  }

  private value(depth: number): void {
    if (++this.values > HEADER_LIMITS.values)
      throw new KesselError("limit", `a header has at most ${HEADER_LIMITS.values} values`);
    const t = this.uint(1);
    if (t < 0x80 || t >= 0xe0) return;
    if (t < 0x90) return this.map(t & 15, depth);
    if (t < 0xa0) return this.array(t & 15, depth);
    if (t < 0xc0) return this.skip(t & 31);
    if (t === 0xc0 || t === 0xc2 || t === 0xc3) return;
    if (t === 0xca || t === 0xce || t === 0xd2) return this.skip(4);
    if (t === 0xcb || t === 0xcf || t === 0xd3) return this.skip(8);
    if (t === 0xcc || t === 0xd0) return this.skip(1);
    if (t === 0xcd || t === 0xd1) return this.skip(2);
    if (t >= 0xd9 && t <= 0xdb) return this.skip(this.uint(1 << (t - 0xd9)));
    if (t === 0xdc || t === 0xdd) return this.array(this.uint(t === 0xdc ? 2 : 4), depth);
    if (t === 0xde || t === 0xdf) return this.map(this.uint(t === 0xde ? 2 : 4), depth);
    throw bad(`byte ${t} at ${this.at - 1} is no type a header may hold (binary data travels in a frame of its own)`);
  }

  private array(n: number, depth: number): void {
    this.enter(depth);
    for (let i = 0; i < n; i++) this.value(depth + 1);
  }

  private map(n: number, depth: number): void {
    this.enter(depth);
    for (let i = 0; i < n; i++) {
      this.key();
      this.value(depth + 1);
    }
  }

  private key(): void {
    const t = this.uint(1);
    const short = t >> 5 === 5;
    if (!short && (t < 0xd9 || t > 0xdb)) throw bad(`the key at byte ${this.at - 1} is not a string`);
    const n = short ? t & 31 : this.uint(1 << (t - 0xd9));
    if (n > HEADER_LIMITS.key)
      throw new KesselError(
        "limit",
        `a key has at most ${HEADER_LIMITS.key} bytes, the one at byte ${this.at} has ${n}`,
      );
    this.skip(n);
  }

  private enter(depth: number): void {
    if (depth >= HEADER_LIMITS.depth)
      throw new KesselError("limit", `a header is nested at most ${HEADER_LIMITS.depth} deep`);
  }

  private skip(n: number): void {
    this.at += n;
    if (this.at > this.b.length) throw bad(`it ends after ${this.b.length} bytes, in the middle of a value`);
  }

  private uint(bytes: number): number {
    const from = this.at;
    this.skip(bytes);
    let n = 0;
    for (let i = 0; i < bytes; i++) n = n * 256 + this.b[from + i]!;
    return n;
  }
}
