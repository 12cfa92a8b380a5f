import { z } from "zod";
import { oneOf } from "../core/errors.js";
import type { ArmyId, HexId, Tables } from "./data.js";

const whole = z.number().int().min(0);
const id = z.string();

/** The moving army. */
export const activeSchema = z.strictObject({ army: id, mp: whole });
/** Its battle. */
export const battleSchema = z.strictObject({
  hex: id,
  from: id,
  relief: z.boolean().optional(),
  pocket: z.array(id).optional(),
  round: z.number().int().min(1).default(1),
  units: z.array(id),
  support: z.array(id).default([]),
  interceptor: z.boolean().default(false),
  hits: whole.default(0),
  stage: z.enum(["A", "B"]).optional(),
  shockFirst: z.boolean().optional(),
});
/** What a schema gives, without `undefined` for keys left out. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };
export type Active = z.infer<typeof activeSchema>;
export type Battle = Given<z.infer<typeof battleSchema>>;

/** What documents hold of open decisions, as it was read. */
export interface HeldDoc {
  readonly active?: Active | undefined;
  readonly battle?: Battle | undefined;
}

/** The hex of that number, or why there is none. */
export function hexNamed(tables: Tables, name: string): HexId | string {
  const h = tables.grid.index(name);
  return h >= 0 ? h : `hex ${name} is not on the map`;
}

/** The army of that name, or why there is none. */
export function armyNamed(tables: Tables, name: string): ArmyId | string {
  const names = tables.armies.map((a) => a.id);
  const a = names.indexOf(name);
  return a >= 0 ? (a as ArmyId) : `there is no army ${name}; armies are ${oneOf(names, 20)}`;
}
