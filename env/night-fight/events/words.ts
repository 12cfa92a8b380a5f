import { listed } from "../../core/words.js";
import { RESTORABLE, type Tables } from "../data.js";

/** A counter's name in a text. */
export const titleOf = (tables: Tables, u: number): string => tables.unitTitles[u]!;

/** A counter's name at the beginning of a sentence. */
export function begun(tables: Tables, u: number): string {
  const name = titleOf(tables, u);
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Names of counters, as a person lists them. */
export function listOf(tables: Tables, units: readonly number[]): string {
  return listed(units.map((u) => titleOf(tables, u)));
}

export const typeName = (tables: Tables, type: number): string => tables.types[type]!.name;

/** The vehicle that has shells again when a truck is given up. */
export const gunName = (tables: Tables, r: number): string =>
  titleOf(tables, tables.firstOfType[tables.types.findIndex((t) => t.type === RESTORABLE[r])]!);

/**
 * What die an attack needs: `4+ suppresses, 6+ eliminates`.
 *
 * @param suppress least die that does so, 7 when none does; `eliminate` likewise
 */
export function attackNeeds(suppress: number, eliminate: number): string {
  if (suppress > 6) return "no die helps";
  if (suppress === eliminate) return `${eliminate}+ eliminates`;
  return eliminate > 6 ? `${suppress}+ suppresses` : `${suppress}+ suppresses, ${eliminate}+ eliminates`;
}
