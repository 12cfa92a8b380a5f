import { z } from "zod";
import { GERMANS, GERMAN_TYPES, HEXES, SOVIETS, SOVIET_TYPES, TERRAINS, WEIGHTS } from "./codes.js";

const whole = z.number().int().min(0);
const few = whole.max(99);
const cost = z.number().int().min(1).max(9);
const face = z.number().int().min(1).max(6);
const modifier = z.number().int().min(-9).max(9);
const hexId = z.string().regex(/^\d{4}$/, "a hex is written with four digits");
const head = { game: z.literal("night-fight"), version: z.literal(1), provenance: z.record(z.string(), z.string()) };

export const mapSchema = z.strictObject({
  ...head,
  grid: z.strictObject({ columns: z.tuple([few, few]), rows: z.tuple([few, few]), lower: z.enum(["odd", "even"]) }),
  exitColumn: few,
  entryColumn: few,
  contacts: z.array(hexId).max(SOVIETS),
  columnEntries: z.array(hexId).length(6, "six entry hexes, one for each face of a die"),
  hexes: z
    .array(
      z.strictObject({
        id: hexId,
        terrain: z.enum(TERRAINS),
        road: z.boolean().optional(),
        ablaze: z.boolean().optional(),
      }),
    )
    .length(HEXES),
});

const counter = {
  /** What texts call one counter of the type; where there are several, its number follows. */
  called: z.string().min(1),
  strength: whole.max(8),
  antitank: z.boolean(),
  weight: z.enum(WEIGHTS).nullable(),
  count: few,
  range: whole.max(8),
};
export const unitsSchema = z.strictObject({
  ...head,
  budget: z.number().int().min(1).max(999),
  german: z.array(
    z.strictObject({
      type: z.enum(GERMAN_TYPES),
      name: z.string(),
      cost: few.min(1),
      ...counter,
      mp: z.number().int().min(1).max(6),
      kind: z.enum(["infantry", "vehicle"]),
      night: whole.max(3),
      panzerfaust: z.boolean().optional(),
      restoredRange: whole.max(8).optional(),
    }),
  ),
  soviet: z.array(
    z.strictObject({
      type: z.enum(SOVIET_TYPES),
      name: z.string().optional(),
      ...counter,
      kind: z.enum(["infantry", "vehicle", "dummy"]),
      engineer: z.boolean().optional(),
    }),
  ),
});

const terrainCosts = z.strictObject({ clear: cost, woods: cost, town: cost });
const result = z.enum(["-", "S", "E"]);
export const tablesSchema = z.strictObject({
  ...head,
  turns: z.number().int().min(1).max(15),
  stacking: z.number().int().min(1).max(GERMANS),
  moveCost: z.strictObject({
    infantry: terrainCosts,
    vehicle: terrainCosts,
    road: cost,
    perFriendlyUnitOrWreck: few,
    exit: cost,
  }),
  spotting: z.strictObject({
    needBeyondDistance: modifier,
    maxRange: z.number().int().min(1).max(8),
    flareInOrAdjacent: modifier,
    targetInWoodsOrTown: modifier,
    adjacent: modifier,
    nightVoidAblazeDistance: few,
  }),
  sovietSpotting: z.strictObject({ needBeyondDistance: modifier, lit: modifier, unspottedReach: whole.max(8) }),
  attackModifiers: z.strictObject({
    coverTarget: modifier,
    infantryCloseVehicleInCover: modifier,
    panzerfaust: modifier,
    engineerAdjacentVehicle: modifier,
    ace: modifier,
    antitank: z.strictObject({ light: modifier, medium: modifier, heavy: modifier }),
  }),
  crt: z.strictObject({
    rows: z.array(z.string()),
    upTo: z.array(z.number().int()).min(1),
    results: z.array(z.array(result).length(6)),
  }),
  columns: z.strictObject({
    unitsEach: whole.max(9),
    firstTurn: z.number().int().min(1),
    enterOn: z.array(face),
    moveOn: z.array(face),
    moveHexes: few,
  }),
  flare: z.strictObject({ on: z.array(face) }),
  victory: z.strictObject({ dice: z.literal(2), perTruckLost: few }),
});

export type MapFile = z.infer<typeof mapSchema>;
export type UnitsFile = z.infer<typeof unitsSchema>;
export type TablesFile = z.infer<typeof tablesSchema>;
