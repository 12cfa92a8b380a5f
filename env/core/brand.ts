declare const brand: unique symbol;

/**
 * A number that stands for one kind of thing, such as a unit or a hex. It is a plain number at run time; where another
 * kind of number is wanted, it is a type error. A loop counts with `++` from a branded first one.
 */
export type Brand<Name extends string> = number & { readonly [brand]: Name };

/** A table that only an `I` reads: a value for each unit, each hex. */
export type By<I extends number, V = number> = { readonly [i in I]: V };

/** A row of numbers that stand for things: the hexes of an edge, the neighbours of each hex. */
export type Row<I extends number, A = Int16Array> = A & { readonly [n: number]: I };

/** Names by number: who goes through them gets branded numbers. */
export type Names<I extends number> = {
  map<X>(f: (name: string, i: I) => X): X[];
  flatMap<X>(f: (name: string, i: I) => readonly X[]): X[];
  filter(f: (name: string, i: I) => unknown): string[];
  forEach(f: (name: string, i: I) => void): void;
  /** @returns -1 when nothing is called so */
  indexOf(name: string, from?: number): I;
} & readonly string[];

/** Things by number, as `Names`. */
export type List<I extends number, X> = {
  map<Y>(f: (x: X, i: I) => Y): Y[];
  flatMap<Y>(f: (x: X, i: I) => readonly Y[]): Y[];
  filter(f: (x: X, i: I) => boolean): X[];
  forEach(f: (x: X, i: I) => void): void;
  some(f: (x: X, i: I) => boolean): boolean;
  /** @returns -1 when there is none */
  findIndex(f: (x: X, i: I) => boolean): I;
} & readonly X[];
