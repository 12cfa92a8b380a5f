import { expect } from "vitest";
import { type JsonObject, newState, Rng } from "../../../../env/index.js";
import { Table } from "../table.js";

export type Units = Record<string, string | JsonObject>;

export const of = (type: string, at: string, formation: string, more = {}) => ({ type, at, formation, ...more });

/** 15 AF beside 2010. */
export const strong = { g1: { type: "g-inf", at: "2009", af: 15 } };

export const REGIMENT = "51K/71ID/191";

/** A part of the map of which 2009, or another hex, is the very first. */
export const corner = (first: string): JsonObject => ({
  bounds: { cols: [Number(first.slice(0, 2)), 36], rows: [Number(first.slice(2)), 40] },
});

export const NEAR = { gf: "g-inf 3030", sf: "s-inf 3035" };

export const support: Units = {
  g1: "g-inf 2009",
  s1: "s-inf 2010",
  g2: "g-inf 2108",
  s2: "s-inf 2207",
  s3: "s-inf 2207",
  st: "s-tank 2110",
};

/** One column of the map. */
export const column = (hexes: Record<string, JsonObject> = {}): JsonObject => ({
  bounds: { cols: [20, 20], rows: [5, 40] },
  map: { base: "blank", hexes },
});

export const ENDS = { gf: "g-inf 2035", sf: "s-inf 2040" };

export const rows = (from: number, to: number, hex: JsonObject) =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, i) => [`20${from + i}`, hex]));

export const plot = (rest: JsonObject = {}): JsonObject => ({ phase: 2, stage: "plot-first", ...rest });

export const BATTALION = "51K/71ID/191/II";

export const one = { stukas: { available: 1 } };

/** Modifiers of a Stuka that bombs 2010 by the CRT. */
export const bombed = (units: Units, rest: JsonObject = {}) =>
  new Table({ g1: "g-inf 3008", ...units }, plot({ ...one, ...rest })).play("hex 2010", "crt: 10").rolls[0]!["drms"];

export const next = (hex: string, side: number): string => {
  const [c, r] = [Number(hex.slice(0, 2)), Number(hex.slice(2))];
  const up = c % 2 === 0 ? 1 : 0;
  const [column, row] = [
    [c, r + 1],
    [c - 1, r + up],
    [c - 1, r - 1 + up],
    [c, r - 1],
    [c + 1, r - 1 + up],
    [c + 1, r + up],
  ][side]!;
  return `${String(column)}${String(row)}`;
};

/** What `viewer` may think the position is. */
export function* samples({ env: { game, state } }: Table, viewer: number, n: number) {
  const out = newState(game.stateSize);
  const rng = new Rng("held");
  for (let i = 0; i < n; i++) {
    expect(game.resample(state, viewer, out, rng)).toBe(true);
    yield out;
  }
}
