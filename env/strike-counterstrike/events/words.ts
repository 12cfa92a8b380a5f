import { listed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import {
  type ArmyId,
  type ClassId,
  type CounterId,
  FIRST_COUNTER,
  FIRST_HEX,
  type HexId,
  MECH,
  NONMECH,
  SEC,
  SUPPORT,
  type Tables,
} from "../data.js";
import { battleHex } from "../state.js";

export const SOVIET = "soviet";
export const GERMAN = "german";

/** What a class of German units is called in sentences. */
export const CLASS_TEXT: readonly string[] = ["mechanized", "non-mechanized", "security", "support"];

/** `2211 Kaluga` */
export function hexText(tables: Tables, hex: HexId): string {
  const id = tables.ids[hex]!;
  return tables.names[hex] === "" ? id : `${id} ${tables.names[hex]}`;
}

export const hexTexts = (tables: Tables, hexes: readonly HexId[]): string =>
  listed(hexes.map((h) => hexText(tables, h)));

export const hexIds = (tables: Tables, hexes: readonly HexId[]): string[] => hexes.map((h) => tables.ids[h]!);

export const armyText = (tables: Tables, army: ArmyId): string => tables.armies[army]!.name;

/** `2 Panzer` */
export const counterText = (tables: Tables, counter: CounterId): string =>
  tables.counters[counter]!.name.replace(/ Division$/, "");

export const counterTexts = (tables: Tables, counters: readonly CounterId[]): string =>
  listed(counters.map((c) => counterText(tables, c)));

export const counterIds = (tables: Tables, counters: readonly CounterId[]): string[] =>
  counters.map((c) => tables.counters[c]!.id);

/** Counters at a place, support markers included, in slot order. */
export function countersAt(tables: Tables, s: StateView, place: number, site?: HexId): CounterId[] {
  const { L } = tables;
  const found: CounterId[] = [];
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
    if (s[L.place + c] === place && (site === undefined || s[L.site + c] === site)) found.push(c);
  return found;
}

/** Hexes for which `test` holds, ascending. */
export function hexesWhere(tables: Tables, test: (hex: HexId) => boolean): HexId[] {
  const found: HexId[] = [];
  for (let h = FIRST_HEX; h < tables.hexCount; h++) if (test(h)) found.push(h);
  return found;
}

export const pocketHexes = (tables: Tables, s: StateView): HexId[] =>
  hexesWhere(tables, (h) => s[tables.L.pocket + h] === 1);

export const battleText = (tables: Tables, s: StateView): string => hexText(tables, battleHex(tables, s));

/** Most counters that a sentence lists by name. */
const NAMED = 8;

/** Names of a few counters; of many how many there are of each class, and the support markers among them. */
export function summaryText(tables: Tables, counters: readonly CounterId[]): string {
  if (counters.length <= NAMED) return counterTexts(tables, counters);
  const ofClass = (cls: ClassId): CounterId[] => counters.filter((c) => tables.cls[c] === cls);
  return listed([
    ...[MECH, NONMECH, SEC].flatMap((cls) => {
      const n = ofClass(cls).length;
      return n === 0 ? [] : [`${n} ${CLASS_TEXT[cls]}`];
    }),
    ...ofClass(SUPPORT).map((c) => counterText(tables, c)),
  ]);
}

/** What a die needs in a CRT column: `4+`, `4+, two hits on 6`, `nothing hits`. Rule: SC 10.1 */
export function neededText(tables: Tables, column: number, modifier: number): string {
  const hitsOf = (face: number): number => tables.crt[column * 8 + Math.min(7, Math.max(0, face + modifier))]!;
  const leastFor = (hits: number): number => [1, 2, 3, 4, 5, 6].find((face) => hitsOf(face) >= hits) ?? 0;
  const one = leastFor(1);
  const two = leastFor(2);
  if (one === 0) return "nothing hits";
  if (two === 0) return `${one}+`;
  return two === one ? `two hits on ${one}+` : `${one}+, two hits on ${two}${two < 6 ? "+" : ""}`;
}

export const INTERCEPTOR_TEXT = "VI Interceptor Corps";
