import { z } from "zod";
import type { Fault } from "../../core/decision.js";
import type { KesselError } from "../../core/errors.js";
import { optionsSchema } from "../../core/position-options.js";
import { badPosition } from "../../core/schema.js";
import type { Tables } from "../data.js";
import { decisions } from "../decisions/index.js";
import { areaNamed, chitNamed, unitNamed } from "../names.js";
import { entrySchema } from "./public-log.js";
import { type AreaId, type ChitId, PHASE_NAMES, type UnitId } from "../state.js";

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
      ...decisions.shape,
    })
    .nullable()
    .optional(),
  ledger: z.array(entrySchema).optional(),
});
export type PositionDocument = z.infer<typeof positionSchema>;

/** The error for a place in a document: path, then reason. */
export const bad = (path: string, reason: string): KesselError => badPosition("savage-streets", path, reason);

/** @throws KesselError `bad-position` for what is wrong with a state */
export function refuse(wrong: Fault | null): void {
  if (wrong !== null) throw bad(wrong.path, wrong.reason);
}

/** What a document names, by its number. @throws KesselError `bad-position` when there is no such thing */
const found = <I>(named: I | string, path: string): I => {
  if (typeof named === "string") throw bad(path, named);
  return named;
};
export const areaIndex = (tables: Tables, id: string, path: string): AreaId => found(areaNamed(tables, id), path);
export const unitSlot = (tables: Tables, id: string, path: string, side: "German" | "Soviet"): UnitId =>
  found(unitNamed(tables, id, side), path);
export const chitSlot = (tables: Tables, id: string, path: string): ChitId => found(chitNamed(tables, id), path);
