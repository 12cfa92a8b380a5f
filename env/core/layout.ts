/**
 * A game state is one flat buffer of 32-bit integers. Copying, comparing, hashing and saving are written once, here; a
 * game names its fields with `layout` and reads and writes them through accessors of its own.
 */
export type State = Int32Array;

/** A state for functions that only read it. */
export interface StateView {
  readonly [index: number]: number;
  readonly length: number;
}

/** The first words of every state hold the random stream, so that a copy of a state plays on with the same dice. */
export const RNG_WORDS = 4;

export interface Field {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

export type Layout<T> = { readonly [K in keyof T]: number } & {
  /** Words of a whole state, the random stream included. */
  readonly size: number;
  readonly fields: readonly Field[];
};

/**
 * Gives each named field its offset in the buffer, in the order written; the random stream comes first.
 *
 * @param sizes words per field
 */
export function layout<T extends Record<string, number>>(sizes: T): Layout<T> {
  const fields: Field[] = [{ name: "rng", offset: 0, size: RNG_WORDS }];
  const offsets: Record<string, number> = {};
  let offset = RNG_WORDS;
  for (const [name, size] of Object.entries(sizes)) {
    if (name === "size" || name === "fields" || name === "rng")
      throw new RangeError(`a field may not be called ${name}`);
    if (!Number.isInteger(size) || size < 0) throw new RangeError(`field ${name} has size ${size}, not a whole number`);
    offsets[name] = offset;
    fields.push({ name, offset, size });
    offset += size;
  }
  // the spread makes a plain record of what was built key by key; V8 then folds the offsets into constants
  return Object.freeze({ ...offsets, size: offset, fields }) as unknown as Layout<T>;
}

export function newState(size: number): State {
  return new Int32Array(size);
}

/** True when everything but the random stream is equal. */
export function sameSituation(a: StateView, b: StateView): boolean {
  if (a.length !== b.length) return false;
  for (let i = RNG_WORDS; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** True when both have the same random stream. Where one followed from the other, no dice have rolled since. */
export function sameStream(a: StateView, b: StateView): boolean {
  for (let i = 0; i < RNG_WORDS; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** 53-bit hash of a state from word `from` on (0 takes the random stream in), as a number. */
export function hashState(s: StateView, from = RNG_WORDS): number {
  let h1 = 0x9e3779b9 | 0;
  let h2 = 0x85ebca6b | 0;
  for (let i = from; i < s.length; i++) {
    const w = s[i]!;
    h1 = Math.imul(h1 ^ w, 0x01000193);
    h2 = Math.imul((h2 << 5) | (h2 >>> 27), 0xcc9e2d51 | 1) ^ w;
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 0x7feb352d);
  h2 = Math.imul(h2 ^ (h2 >>> 15), 0x846ca68b);
  return ((h1 >>> 0) & 0x1fffff) * 0x100000000 + (h2 >>> 0);
}

/** The first field in which two states differ, for messages of tests; null when they agree. */
export function firstDifference(fields: readonly Field[], a: StateView, b: StateView): string | null {
  for (const f of fields) {
    for (let i = 0; i < f.size; i++) {
      const x = a[f.offset + i];
      const y = b[f.offset + i];
      if (x !== y) return `${f.name}[${i}]: ${x} against ${y}`;
    }
  }
  return null;
}
