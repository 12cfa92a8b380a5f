import { L } from "./layout.js";

/** Who may raise a die of a combat. Rule: SS 9.1, SS 9.21. */
export interface Raiser {
  /** The bit of `dieChoicesDone`. */
  readonly done: number;
  /** Position of the dice that it may choose from, and their number. */
  readonly dice: number;
  readonly count: number;
  readonly side: "G" | "S";
  readonly rule: string;
  /** In a sentence: `Pioniers raise`. */
  readonly raises: string;
}

const german = { dice: L.germanDice, count: L.germanDiceCount, side: "G" } as const;
const soviet = { dice: L.sovietDice, count: L.sovietDiceCount, side: "S" } as const;
export const PIONIERS: Raiser = { done: 1, ...german, rule: "SS 9.1", raises: "Pioniers raise" };
export const ARMOR: Raiser = { done: 2, ...german, rule: "SS 9.21", raises: "unopposed armour raises" };
export const ENGINEERS: Raiser = { done: 4, ...soviet, rule: "SS 9.1", raises: "Engineers raise" };
