import { z } from "zod";
import { optionsSchema } from "../../core/position-options.js";
import type { Fault } from "../../core/decision.js";
import { badPosition } from "../../core/schema.js";
import { GAME, POSITION_VERSION } from "./write.js";
import { PHASES, RESULTS, type ResultName } from "../layout.js";
import type { ArmyId, HexId, Tables } from "../data.js";
import { HELD } from "../decisions/index.js";
import { armyNamed, type HeldDoc, hexNamed } from "../schema.js";

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
  ...HELD,
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

export type Doc = z.infer<typeof positionSchema> & HeldDoc;

export function refuse(path: string, reason: string): never {
  throw badPosition(GAME, path, reason);
}

export function refuseIf(wrong: Fault | null): void {
  if (wrong !== null) refuse(wrong.path, wrong.reason);
}

/** A hex named at `path`. */
export function hexAt(tables: Tables, path: string, name: string): HexId {
  const h = hexNamed(tables, name);
  return typeof h === "string" ? refuse(path, h) : h;
}

/** An army named at `path`. */
export function armyAt(tables: Tables, path: string, name: string): ArmyId {
  const a = armyNamed(tables, name);
  return typeof a === "string" ? refuse(path, a) : a;
}
