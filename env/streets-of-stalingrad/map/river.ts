import type { Board } from "./board.js";
import { BOXES, type BoxesFile } from "../schema.js";

/** Boxes of the East Bank come first in `BOXES`. */
export const EAST_BOXES = 3;
export const NO_ARROW = 0;

/** A way over the river: the Volga hex that it passes, the bank hex that it leads to, the arrow that joins them or `NO_ARROW`. */
export interface Crossing {
  readonly volga: number;
  readonly bank: number;
  readonly arrow: number;
}

/** The river inside the bounds, and the boxes that are in play. Rule: SOS 2.14, SOS 2.15, SOS 8.63 */
export class River {
  /** By box: can anybody be in it? Ruling R119. */
  readonly inPlay: readonly boolean[];
  /** False: what came with the river is left out. */
  readonly open: boolean;
  /** Is any box in play? */
  readonly any: boolean;
  /** By box of the East Bank: the ways from it to the other bank, in ascending order of the Volga hex, then of the bank. */
  readonly crossings: readonly (readonly Crossing[])[];
  /** By box: its name. */
  readonly names: readonly string[];
  /** Does the river inside the bounds supply the Soviet side? */
  readonly supplies: boolean;
  /** By box: those that a unit may go to along the bank. Rule: SOS 8.42 */
  readonly beside: readonly (readonly number[])[];
  /** By arrow: is it in play? Ruling R17. */
  readonly arrows: readonly boolean[];
  /** By hex: does a way over the river lead there off the arrows? */
  readonly isBank: readonly boolean[];

  /** @param open false: nobody may come or go over the river, and no box is in play */
  constructor(board: Board, file: BoxesFile, open: boolean) {
    this.open = open;
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
    this.names = [...file.eastBank, ...file.offMap].map(({ name }) => name);
    this.any = this.inPlay.includes(true);
    this.beside = BOXES.map((_, k) =>
      (file.eastBank[k]?.adjacent ?? []).flatMap((id) => {
        const box = BOXES.indexOf(id);
        return this.inPlay[k] === true && this.inPlay[box] === true ? [box] : [];
      }),
    );
  }
}
