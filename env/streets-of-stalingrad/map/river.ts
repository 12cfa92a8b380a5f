import { bitWords, setBit } from "../../core/bits.js";
import type { Board } from "./board.js";
import type { Ground } from "../charts.js";
import { BOXES, type BoxesFile, type HexRow } from "../schema.js";

/** Boxes of the East Bank come first in `BOXES`. */
export const EAST_BOXES = 3;
export const NO_ARROW = 0;
/** Out of reach of every gun. */
export const FAR = 255;

/**
 * A way over the river: the Volga hex that it passes, the bank hex that it leads to, the arrow that joins them or
 * `NO_ARROW`.
 */
export interface Crossing {
  readonly volga: number;
  readonly bank: number;
  readonly arrow: number;
}

/** The river inside the bounds, and the boxes that are in play. Rule: SOS 2.14, SOS 2.15, SOS 8.63 */
export class River {
  /** By box: true when a unit can be in it. Ruling R119. */
  readonly inPlay: readonly boolean[];
  /** False: what came with the river is left out. */
  readonly open: boolean;
  /** True when any box is in play. */
  readonly any: boolean;
  /**
   * By box of the East Bank: the ways from it to the other bank, in ascending order of the Volga hex, then of the bank.
   */
  readonly crossings: readonly (readonly Crossing[])[];
  /** By box: its name. */
  readonly names: readonly string[];
  /** True when the river inside the bounds supplies the Soviet side. */
  readonly supplies: boolean;
  /** By box: those that a unit may go to along the bank, or off the map. Rule: SOS 8.42, SOS 8.47 */
  readonly beside: readonly (readonly number[])[];
  /** By arrow: true when it is in play. Ruling R17. */
  readonly arrows: readonly boolean[];
  /**
   * By box of the East Bank, then by hex: hexes that guns in the box fire over to reach it, and those at the box; `FAR`
   * none. Rule: SOS 14.53
   */
  readonly ranges: readonly Uint8Array[];
  /** By box of the East Bank: points of anti-aircraft fire that it has of itself. Rule: SOS 15.43 */
  readonly aa: readonly number[];
  /** Bits of the cliffs, which every box of the East Bank sees. Rule: SOS 14.28 */
  readonly cliffs: Int32Array;
  /** Bits of the hexes by which Germans leave the map and are supplied. Rule: SOS 19.6, ruling R72 */
  readonly exits: Int32Array;
  /**
   * By box off the map: hexes by which units come from it and go to it, in ascending order. Rule: SOS 8.46, SOS 21.2
   */
  readonly entries: readonly (readonly number[])[];
  /** By hex: half MP of foot and of vehicles for such a hex, 0 none; on a road to the box its rate. Ruling R133 */
  readonly entryCost: { readonly foot: Uint8Array; readonly vehicle: Uint8Array };
  /** By hex: true when a crossing off the arrows leads there. */
  readonly isBank: readonly boolean[];
  /** By side, then by hex: true when vehicles of the side arrive there from a box. Ruling R57. */
  readonly gates: readonly Uint8Array[];

  /**
   * @param open false: nobody may come or go over the river, and no box is in play
   * @param around hexes outside the bounds: their numbers count for ranges
   */
  constructor(board: Board, ground: Ground, file: BoxesFile, open: boolean, around: ReadonlyMap<string, HexRow>) {
    this.open = open;
    this.aa = file.eastBank.map(({ aa }) => aa);
    this.cliffs = new Int32Array(bitWords(board.size));
    board.hexes.forEach((hex, h) => {
      if (open && (hex.t === "cliff" || board.hasFeature(h, "cliff"))) setBit(this.cliffs, 0, h, true);
    });
    this.ranges = file.eastBank.map(({ id }) => rangesOf(board, id, open ? around : new Map<string, HexRow>(), open));
    const rows = (hex: number): number => board.rows[hex]!;
    const solid = [...board.hexes.keys()].filter((h) => open && board.volga[h] === 1);
    const banksOf = (volga: number) =>
      [...board.neighbours.subarray(volga * 6, volga * 6 + 6)]
        .filter((h) => h >= 0 && board.volga[h] === 0)
        .sort((a, b) => a - b);
    this.supplies = solid.length > 0;
    const landings = new Map(
      solid.flatMap((volga): [number, Crossing][] => {
        const { arrow } = board.hexes[volga]!;
        const bank = arrow === undefined ? undefined : banksOf(volga).find((h) => board.hexes[h]!.landing === arrow);
        return arrow === undefined || bank === undefined ? [] : [[bank, { volga, bank, arrow }]];
      }),
    );
    const most = Math.max(NO_ARROW, ...[...landings.values()].map(({ arrow }) => arrow));
    this.arrows = Array.from({ length: most + 1 }, (_, n) => [...landings.values()].some(({ arrow }) => arrow === n));
    const ways = solid.flatMap((volga) =>
      banksOf(volga).flatMap((bank): Crossing[] => {
        const landing = landings.get(bank);
        // a landing is come to by its arrow alone
        if (landing !== undefined) return landing.volga === volga ? [landing] : [];
        return [{ volga, bank, arrow: NO_ARROW }];
      }),
    );
    this.isBank = board.ids.map((_, h) => ways.some(({ bank, arrow }) => bank === h && arrow === NO_ARROW));
    this.crossings = file.eastBank.map(({ rows: [first, last], alsoReaches = [] }) =>
      ways.filter(
        ({ volga, bank }) => (rows(volga) >= first && rows(volga) <= last) || alsoReaches.includes(board.ids[bank]!),
      ),
    );
    this.inPlay = [
      ...this.crossings.map((list) => list.length > 0),
      ...file.offMap.map(({ between }) => open && between.some((id) => board.index(id) >= 0)),
    ];
    this.exits = exitsOf(board, file);
    this.entries = BOXES.map((id) => {
      const box = file.offMap.find((b) => b.id === id);
      const hexes = new Set([...(box?.roads ?? []), ...(box?.between ?? [])]);
      return board.ids.flatMap((hex, h) => (open && hexes.has(hex) && board.volga[h] === 0 ? [h] : []));
    });
    const roads = new Set(file.offMap.flatMap((b) => b.roads));
    const costs = (vehicle: boolean) =>
      Uint8Array.from(board.hexes, (hex, h) =>
        this.entries.some((list) => list.includes(h))
          ? 2 * (ground.cost(hex, vehicle, roads.has(board.ids[h]!)) ?? 0)
          : 0,
      );
    this.entryCost = { foot: costs(false), vehicle: costs(true) };
    const fromBox = new Set(file.offMap.flatMap(({ between }) => (open ? between : [])));
    this.gates = [
      Uint8Array.from(board.ids, (id) => (fromBox.has(id) ? 1 : 0)),
      Uint8Array.from(board.ids, (_, h) =>
        ways.some(({ bank, arrow }) => bank === h && (arrow !== NO_ARROW || board.steep[h] === 0)) ? 1 : 0,
      ),
    ];
    this.names = [...file.eastBank, ...file.offMap].map(({ name }) => name);
    this.any = this.inPlay.includes(true);
    this.beside = BOXES.map((_, k) =>
      [...file.eastBank, ...file.offMap][k]!.adjacent.flatMap((id) => {
        const box = BOXES.indexOf(id);
        return this.inPlay[k] === true && this.inPlay[box] === true ? [box] : [];
      }),
    );
  }
}

/** The last row of the map, from which the northern group's corridor leads on. Ruling R72. */
const LAST_ROW = 79;

/**
 * The entry hexes of the boxes off the map and the land of the last row; inside bounds without any of them, the
 * westernmost column.
 */
function exitsOf(board: Board, file: BoxesFile): Int32Array {
  const land = board.ids.flatMap((_, h) => (board.volga[h] === 1 ? [] : [h]));
  const entries = new Set(file.offMap.flatMap(({ roads, between }) => [...roads, ...between]));
  const out = land.filter((h) => entries.has(board.ids[h]!) || board.rows[h] === LAST_ROW);
  const west = Math.max(...board.columns);
  const bits = new Int32Array(bitWords(board.size));
  for (const h of out.length > 0 ? out : land.filter((h) => board.columns[h] === west)) setBit(bits, 0, h, true);
  return bits;
}

/**
 * Hexes from a box to each hex: the least sum of the number of a Volga hex and the distance from there. Rule: SOS 2.16,
 * SOS 14.53
 */
function rangesOf(
  board: Board,
  box: (typeof BOXES)[number],
  around: ReadonlyMap<string, HexRow>,
  open: boolean,
): Uint8Array {
  const numbered = [...board.hexes.map((hex, h) => [board.ids[h]!, hex] as const), ...around].flatMap(
    ([id, { east }]) => {
      const number = east?.[box as "eb-s"];
      return number === undefined ? [] : [{ column: Number(id.slice(0, 2)), row: Number(id.slice(2)), number }];
    },
  );
  return Uint8Array.from(board.ids, (_, h) => {
    if (!open) return FAR;
    let least = FAR;
    for (const { column, row, number } of numbered)
      least = Math.min(least, number + distance(column, row, board.columns[h]!, board.rows[h]!));
    return least;
  });
}

/** Even columns are half a hex further north. Ruling R1. */
function distance(c1: number, r1: number, c2: number, r2: number): number {
  const columns = Math.abs(c1 - c2);
  const rows = Math.abs(r1 - r2 + (c1 % 2 === 0 ? 0.5 : 0) - (c2 % 2 === 0 ? 0.5 : 0));
  return columns + Math.max(0, rows - columns / 2);
}
