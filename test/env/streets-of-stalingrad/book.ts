import type { JsonObject } from "../../../env/index.js";

/**
 * A scenario of the book: its id, counters of both sides without headquarters, hexes, first and last turn, points of
 * all hexes.
 */
export interface Book {
  readonly id: string;
  readonly counters: readonly [number, number];
  readonly hexes: number;
  readonly turns: readonly [number, number];
  readonly points: number;
}

/** From the table of the game's specification (6.6, 13). */
export const BOOK: readonly Book[] = [
  { id: "scenario-1", counters: [144, 106], hexes: 951, turns: [1, 13], points: 7 },
  { id: "scenario-2", counters: [195, 251], hexes: 1305, turns: [1, 13], points: 11 },
  { id: "scenario-4", counters: [305, 397], hexes: 1981, turns: [15, 26], points: 10 },
  { id: "scenario-5", counters: [264, 244], hexes: 1033, turns: [32, 37], points: 3 },
  { id: "scenario-6", counters: [178, 194], hexes: 827, turns: [38, 49], points: 5 },
  { id: "scenario-7", counters: [129, 76], hexes: 592, turns: [60, 67], points: 5 },
  { id: "scenario-8", counters: [449, 408], hexes: 1821, turns: [32, 67], points: 9 },
  { id: "campaign", counters: [630, 699], hexes: 3132, turns: [1, 67], points: 21 },
];

/** Counters by hex or box as a row deploys them. */
export const deployed = (row: JsonObject): [string, string][] =>
  Object.entries(row["deploy"] as Record<string, string[]>).flatMap(([place, ids]) =>
    ids.map((id): [string, string] => [id, place]),
  );
