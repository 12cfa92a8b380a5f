import { z } from "zod";
import { oneOf } from "../../core/errors.js";
import { optionsSchema } from "../../core/position-options.js";
import { badPosition } from "../../core/schema.js";
import { GAME, POSITION_VERSION } from "./write.js";
import { PHASES, RESULTS, type ResultName } from "../layout.js";
import type { Tables } from "../data.js";

const whole = z.number().int().min(0);
const id = z.string();

export const positionSchema = z.strictObject({
  game: z.literal(GAME).optional(),
  version: z.literal(POSITION_VERSION).optional(),
  options: optionsSchema.optional(),
  turn: z.number().int().min(1).max(6).default(1),
  phase: z.enum(PHASES).optional(),
  captured: z.array(id).default([]),
  armies: z
    .record(
      id,
      z.strictObject({
        hex: id.optional(),
        steps: whole.optional(),
        stopped: z.boolean().optional(),
        fired: z.boolean().optional(),
      }),
    )
    .default({}),
  engineer: z.strictObject({ host: id.nullable(), steps: whole }).optional(),
  front: z.record(id, id).default({}),
  garrisons: z.record(id, z.array(id)).default({}),
  pool: z.array(id).optional(),
  track: z.record(z.string().regex(/^[1-7]$/, "boxes are turns 1 to 7"), z.array(id)).default({}),
  removed: z.array(id).optional(),
  interceptor: z.enum(["ready", "spent"]).default("ready"),
  partisan: id.optional(),
  replacements: whole.optional(),
  active: z.strictObject({ army: id, mp: whole }).optional(),
  battle: z
    .strictObject({
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
    })
    .optional(),
  clock: whole.default(0),
  entered: z.record(id, whole).default({}),
  placed: z.record(id, whole).default({}),
  purge: whole.optional(),
  result: z.enum(RESULTS.slice(1) as [ResultName, ...ResultName[]]).optional(),
  poolSize: whole.optional(),
  control: z.record(id, z.enum(["german", "soviet"])).optional(),
  forts: whole.optional(),
  west: whole.optional(),
  kCount: whole.optional(),
});

export type Doc = z.infer<typeof positionSchema>;

export function refuse(path: string, reason: string): never {
  throw badPosition(GAME, path, reason);
}

/** Index of a hex named at `path`. */
export function hexAt(tables: Tables, path: string, name: string): number {
  const h = tables.grid.index(name);
  return h >= 0 ? h : refuse(path, `hex ${name} is not on the map`);
}

/** Slot of an army named at `path`. */
export function armyAt(tables: Tables, path: string, name: string): number {
  const a = tables.armies.findIndex((x) => x.id === name);
  return a >= 0
    ? a
    : refuse(
        path,
        `there is no army ${name}; armies are ${oneOf(
          tables.armies.map((x) => x.id),
          20,
        )}`,
      );
}
