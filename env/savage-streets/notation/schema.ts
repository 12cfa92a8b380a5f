import { z } from "zod";
import { type KesselError, oneOf } from "../../core/errors.js";
import { optionsSchema } from "../../core/position-options.js";
import { badPosition } from "../../core/schema.js";
import type { Tables } from "../data.js";
import { entrySchema } from "./public-log.js";
import { GERMANS, PHASE_NAMES } from "../state.js";

const names = z.array(z.string());
const areaSchema = z.strictObject({
  control: z.enum(["S", "G", "C"]).nullable().optional(),
  german: names.optional(),
  soviet: names.optional(),
  chits: names.optional(),
});
const face = z.number().int().min(1).max(6);
const answer = z.boolean().nullable().optional();
const side = z.enum(["S", "G"]);
export const positionSchema = z.strictObject({
  game: z.literal("savage-streets"),
  mode: z.enum(["duel", "solo"]).optional(),
  options: optionsSchema.optional(),
  turn: z.number().int().min(1).max(9),
  phase: z.enum(PHASE_NAMES),
  result: side.nullable().optional(),
  areas: z.record(z.string(), areaSchema).optional(),
  hand: names.optional(),
  pile: names.optional(),
  waiting: names.optional(),
  future: names.optional(),
  dead: names.optional(),
  tried: names.optional(),
  stuka: z.boolean().optional(),
  schwereAvailable: z.boolean().optional(),
  pending: names.optional(),
  free: names.optional(),
  queue: names.optional(),
  events: z
    .strictObject({
      area: z.string(),
      todo: names.optional(),
      targets: z.record(z.string(), z.string()).optional(),
      breakthrough: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  command: z
    .strictObject({ area: z.string(), drm: z.number().int().min(-5).max(0).optional() })
    .nullable()
    .optional(),
  breakthrough: z
    .strictObject({ area: z.string(), dest: z.string().nullable().optional(), units: names.optional() })
    .nullable()
    .optional(),
  combat: z
    .strictObject({
      area: z.string(),
      stage: z.enum(["stuka", "at", "decl", "mods", "shits", "ghits", "fin"]),
      stuka: answer,
      schwere: answer,
      pionier: answer,
      engineer: answer,
      targets: z.record(z.string(), z.string()).optional(),
      done: z.array(z.enum(["die-pionier", "die-armor", "die-engineer"])).optional(),
      germanDice: z.array(face).max(6).optional(),
      sovietDice: z.array(face).max(6).optional(),
      totals: z
        .tuple([z.number().int().min(0), z.number().int().min(0)])
        .nullable()
        .optional(),
      winner: side.nullable().optional(),
      sovietHits: z.number().int().min(0).max(6).optional(),
      germanHits: z
        .array(z.enum(["base", "extra", "ca"]))
        .max(8)
        .optional(),
      mustHq: z.boolean().optional(),
      mustPionier: z.boolean().optional(),
      firstHit: z.string().nullable().optional(),
      engineerFirst: z.boolean().optional(),
      breakthrough: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  decision: z
    .strictObject({
      actor: side,
      kind: z.string(),
      unit: z.string().optional(),
      area: z.string().optional(),
      chit: z.string().optional(),
      mp: z.number().int().min(1).max(3).optional(),
      first: z.boolean().optional(),
      drm: z.number().int().min(-5).max(0).optional(),
    })
    .nullable()
    .optional(),
  ledger: z.array(entrySchema).optional(),
});
export type PositionDocument = z.infer<typeof positionSchema>;

/** The error for a place in a document: path, then reason. */
export const bad = (path: string, reason: string): KesselError => badPosition("savage-streets", path, reason);

export function areaIndex(tables: Tables, id: string, path: string): number {
  const a = tables.data.areaIds.indexOf(id);
  if (a < 0) throw bad(path, `there is no area ${id}; there are ${oneOf(tables.data.areaIds, 20)}`);
  return a;
}

export function unitSlot(tables: Tables, id: string, path: string, side: "German" | "Soviet"): number {
  const u = tables.data.unitIds.indexOf(id);
  if (u < 0) throw bad(path, `there is no unit ${id}`);
  if (u < GERMANS !== (side === "German")) throw bad(path, `${id} is no ${side} unit`);
  return u;
}

export function chitSlot(tables: Tables, id: string, path: string): number {
  const c = tables.data.chitIds.indexOf(id);
  if (c < 0) throw bad(path, `there is no chit ${id}`);
  return c;
}
