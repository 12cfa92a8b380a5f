import { listed } from "../../core/words.js";
import { type Tables, type UnitId, type TypeId, type GunId } from "../data.js";

/** A counter's name in a text. */
export const titleOf = (tables: Tables, u: UnitId): string => tables.unitTitles[u]!;

/** A counter's name at the beginning of a sentence. */
export function begun(tables: Tables, u: UnitId): string {
  const name = titleOf(tables, u);
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Names of counters, as a person lists them. */
export function listOf(tables: Tables, units: readonly UnitId[]): string {
  return listed(units.map((u) => titleOf(tables, u)));
}

export const typeName = (tables: Tables, type: TypeId): string => tables.types[type]!.name;

/** The vehicle that has shells again when a truck is given up. */
export const gunName = (tables: Tables, r: GunId): string => titleOf(tables, tables.firstOfType[tables.gunType[r]!]!);

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
