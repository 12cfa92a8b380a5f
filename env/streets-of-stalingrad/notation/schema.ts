import { z } from "zod";
import { optionsSchema } from "../../core/position-options.js";
import { frameSchema } from "../decisions/frame.js";
import { DRMS, ROLLS, STAGES, TABLES, TASKS, WEATHERS } from "../layout.js";
import { GAME } from "../names.js";
import { SIDES } from "../roster.js";
import { MOST_OF_ARROW } from "../rules/movement/crossing.js";
import { MOST_PHASES } from "../rules/units/tasks.js";
import { BOXES, overrideSchema } from "../schema.js";

export const NOTATION = 1;

const id = z.string();
const ids = z.array(id);
const whole = z.number().int().min(0);
const side = z.enum(SIDES);
const turn = z.number().int().min(1).max(67);
/** Of a whole campaign no side gets as many. */
const points = whole.max(9999).default(0);
/** Points that a side can have saved in all turns of the campaign. */
const SAVED = 999_999;
const ammunition = z.strictObject({ short: points, saved: whole.max(SAVED).default(0) });

export const unitSchema = overrideSchema.extend({
  type: z.string().optional(),
  formation: z.string().optional(),
  tag: z.string().optional(),
  name: z.string().optional(),
  at: z.string().optional(),
  untold: z.boolean().default(false),
  used: z.boolean().default(false),
  silenced: z.boolean().default(false),
  aside: z.boolean().default(false),
  pinned: z.boolean().default(false),
  spent: z.boolean().default(false),
  pinHeld: z.boolean().default(false),
  shown: z.boolean().default(false),
  ordered: z.boolean().default(false),
  opFired: z.boolean().default(false),
  defFired: z.boolean().default(false),
  opFiredIn: z.number().int().min(1).max(15).optional(),
  oos: z.number().int().min(1).max(4).optional(),
  dismounted: z.boolean().default(false),
  modeChanged: z.boolean().default(false),
  unready: z.boolean().default(false),
  fresh: z.boolean().default(false),
  aaFired: z.boolean().default(false),
  rim: z.number().int().min(0).max(5).optional(),
  onWay: z.boolean().default(false),
  noMove: z.boolean().default(false),
  noSpot: z.boolean().default(false),
  firedAf: z.boolean().default(false),
  newPin: z.boolean().default(false),
  unpinned: z.boolean().default(false),
  bereft: z.boolean().default(false),
  liesOpen: z.boolean().default(false),
  noMoveNext: z.boolean().default(false),
  zoned: z.boolean().optional(),
  stopped: z.boolean().default(false),
  from: z.enum(BOXES).optional(),
  isolated: z.boolean().optional(),
  task: z.strictObject({ kind: z.enum(TASKS), hex: id, left: whole.max(MOST_PHASES) }).optional(),
  rests: z.boolean().default(false),
  carried: z.boolean().default(false),
  unloads: z.boolean().default(false),
  aboard: z.boolean().default(false),
  tookTroop: z.boolean().default(false),
  tookChief: z.boolean().default(false),
  ifPhase: z.number().int().min(1).max(15).optional(),
  lost: z.tuple([z.number().int(), z.number().int().min(1).max(15)]).optional(),
  spotted: z
    .array(
      z.strictObject({
        hex: id.optional(),
        box: z.enum(BOXES).optional(),
        units: ids,
        drm: z.number().int().min(-1).max(4).optional(),
        named: z.boolean().optional(),
      }),
    )
    .default([]),
});
export type UnitDoc = z.infer<typeof unitSchema>;

/** Ten times the greatest number by which an ammunition die is multiplied. */
const MOST_RESULT = 500;

const recordSchema = z.strictObject({
  kind: z.enum(ROLLS),
  table: z.enum(["CRT", "WBBT", "EBBT", "ICA"]).optional(),
  hex: id.optional(),
  points: whole.optional(),
  column: z.string().optional(),
  die: z.number().int().min(1).max(10),
  drms: z.partialRecord(z.enum(DRMS), z.number().int().min(-8).max(7)).optional(),
  drm: z.number().int().optional(),
  mdr: z.number().int().optional(),
  result: z.union([z.string(), z.number().int().min(1).max(MOST_RESULT)]).optional(),
});
export type RecordDoc = z.infer<typeof recordSchema>;

const bySide = z.strictObject({ german: ids.default([]), soviet: ids.default([]) });

export const positionSchema = z.strictObject({
  game: z.literal(GAME).optional(),
  notation: z.literal(NOTATION).optional(),
  scenario: z.string().optional(),
  options: optionsSchema.optional(),
  map: z.any().optional(),
  bounds: z.any().optional(),
  victory: z.any().optional(),
  schedule: z.any().optional(),
  turn: z.number().int().min(1).max(67).optional(),
  lastTurn: z.number().int().min(1).max(67).optional(),
  phase: z.number().int().min(1).max(15).optional(),
  stage: z.enum(STAGES).optional(),
  ended: z.boolean().optional(),
  nkvdChecked: ids.optional(),
  units: z.record(id, unitSchema).optional(),
  marks: z.record(id, z.array(z.enum(["attack", "attack-done", "breakthru"])).length(1)).default({}),
  announced: z.record(id, z.enum(["zoc", "none"])).default({}),
  attacked: ids.default([]),
  barraged: ids.default([]),
  bombs: z
    .record(
      id,
      z.array(
        z.strictObject({
          side,
          af: z.number().int().min(1).max(4095),
          mode: z.enum(["interdict", "fired"]),
          until: z.number().int().min(1).max(15),
        }),
      ),
    )
    .default({}),
  missions: z
    .array(
      z.strictObject({
        side,
        hex: id.optional(),
        box: z.enum(BOXES).optional(),
        units: ids.default([]),
        stukas: whole.max(31).default(0),
        table: z.enum(TABLES).optional(),
        points: whole.optional(),
        drms: z.partialRecord(z.enum(DRMS), z.number().int().min(-8).max(7)).optional(),
        done: z.boolean().default(false),
        flak: z.boolean().default(false),
      }),
    )
    .default([]),
  /** By arrow, or off the arrows by bank hex: who has passed the river in this phase. */
  crossed: z
    .record(
      id,
      z.strictObject({
        stacks: whole.max(255).optional(),
        units: whole.max(MOST_OF_ARROW).default(0),
        leader: z.boolean().optional(),
      }),
    )
    .default({}),
  /** As many as a mission can count. */
  stukas: z.strictObject({ available: whole.max(31).default(0), used: whole.max(31).default(0) }).optional(),
  weather: z.enum(WEATHERS).default("good"),
  ammo: z.strictObject({ german: ammunition.optional(), soviet: ammunition.optional() }).default({}),
  replacements: z
    .strictObject({
      german: z.strictObject({ pz: points, af: points }).optional(),
      soviet: z.strictObject({ af: points }).optional(),
    })
    .default({}),
  /** By side: the turn in which the leader of the army came back. */
  commandSince: z.strictObject({ german: turn.optional(), soviet: turn.optional() }).default({}),
  /** Sides whose leader came back in this phase. */
  returning: z.array(side).max(2).default([]),
  friendlyMines: ids.optional(),
  reserves: ids.optional(),
  known: bySide.optional(),
  outOfSight: ids.default([]),
  /** Points besides those of hexes, and whose withdrawal has been counted among them. */
  vp: z.strictObject({ adjust: z.number().int().min(-99).max(99), counted: ids.default([]) }).optional(),
  decision: frameSchema.optional(),
  frames: z.array(frameSchema).optional(),
  resolutions: z.array(recordSchema).max(16).default([]),
});
export type PositionDoc = z.infer<typeof positionSchema>;

/** Keys of a position that the game is made from; they can't change while it is played. */
export const FIXED_KEYS = ["map", "bounds", "victory", "schedule"] as const;
/** Keys of a unit that its counter is made from. */
export const COUNTER_KEYS = ["type", "formation", "tag", "name", ...Object.keys(overrideSchema.shape)] as const;
