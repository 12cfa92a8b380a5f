import { z } from "zod";
import { dataBlock, dataFile } from "../../core/schema.js";
import { AREAS, CHITS, GERMANS, SOVIETS } from "../layout.js";

const GAME = "savage-streets";

const point = z.tuple([z.number(), z.number()]);

/** A drawn map: outlines by the names of their corners, the room for counters by its middle and its size. */
export const boardSchema = dataBlock({
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  counterSize: z.number().positive(),
  corners: z.record(z.string(), point),
  areas: z.record(z.string(), z.strictObject({ outline: z.array(z.string()).min(3), room: z.tuple([point, point]) })),
  volga: z.array(point).min(3),
  volgaName: point,
});

export const mapSchema = dataFile(GAME, {
  board: boardSchema,
  areas: z
    .array(
      dataBlock({
        id: z.string().regex(/^[A-Z]$|^([2-9]|1[0-2])$/, "an area is a capital letter or a number from 2 to 12"),
        index: z.number().int(),
        kind: z.enum(["entry", "city"]),
        name: z.string().min(1),
        stars: z.number().int().min(1).max(3).nullable(),
        adjacent: z.array(z.string()).min(1),
        entryFor: z.array(z.string()).optional(),
        xy: z.tuple([z.number(), z.number()]),
      }),
    )
    .length(AREAS),
  edges: z.array(z.tuple([z.string(), z.string()])),
  landing: dataBlock({ normal: z.array(z.string()).length(2), redCircle: z.array(z.string()).length(1) }),
  victoryAreas: dataBlock({ areas: z.array(z.string()).length(2), pathTo: z.array(z.string()).min(1) }),
  solitairePriority: dataBlock({ order: z.array(z.string()) }),
});

const id = z.string().regex(/^[^:]+$/, "an id has no colon");
const germanSchema = dataBlock({
  slot: z.number().int(),
  id,
  side: z.literal("G"),
  type: z.enum(["infantry", "pionier", "hq", "armor"]),
  division: z.string(),
  regiment: z.string().nullable(),
  entryTurn: z.number().int().min(1).max(9),
  full: z.number().int().min(1).max(4),
  depleted: z.number().int().min(1).max(4),
  mp: z.number().int().min(1).max(3),
});
const sovietSchema = dataBlock({
  slot: z.number().int(),
  id,
  side: z.literal("S"),
  type: z.enum(["infantry", "engineer", "armor", "antitank"]),
  regiment: z.string().nullable(),
  entryTurn: z.number().int().min(0).max(9),
  redCircle: z.boolean(),
  smg: z.boolean(),
  cv: z.number().int().min(1).max(4),
});
const threes = dataBlock({ german: z.array(z.string()), soviet: z.array(z.string()) });
export const unitsSchema = dataFile(GAME, {
  german: z.array(germanSchema).length(GERMANS),
  soviet: z.array(sovietSchema).length(SOVIETS),
  regimentsOfThree: threes,
  battalionsOf: z.record(z.string(), z.array(z.string())),
});

export const CHIT_KINDS = [
  "sniper",
  "molotov",
  "artillery",
  "ambush",
  "strongpoint",
  "counterattack",
  "dummy",
] as const;
const kindName = z.enum(CHIT_KINDS);
export const chitsSchema = dataFile(GAME, {
  kinds: z.array(dataBlock({ kind: kindName, count: z.number().int().min(0) })).length(CHIT_KINDS.length),
  chits: z.array(dataBlock({ slot: z.number().int(), id, kind: kindName })).length(CHITS),
});

const count = z.number().int().min(0).max(9);
const faces = <T extends [string, ...string[]]>(names: T) =>
  z.strictObject({
    1: z.enum(names),
    2: z.enum(names),
    3: z.enum(names),
    4: z.enum(names),
    5: z.enum(names),
    6: z.enum(names),
  });
/** Results of a landing under fire (SS 2.2) and of an attack on a unit (SS 6.1), in the order of their codes. */
export const LANDINGS = ["land", "turned-away", "eliminated"] as const;
export const ATTACKS = ["none", "suppressed", "step-loss"] as const;
export const tablesSchema = dataFile(GAME, {
  underFire: dataBlock({ results: faces([...LANDINGS]) }),
  attackOnUnit: dataBlock({ results: faces([...ATTACKS]) }),
  command: dataBlock({
    drmHq: z.number().int().min(-5).max(0),
    moveUpTo: z.number().int().min(1).max(6),
  }),
  dicePool: dataBlock({
    greater: count,
    lesser: count,
    equal: count,
    moreThanDouble: count,
    perArtillery: count,
    perCounterattack: count,
    stuka: count,
    schwereAngriff: count,
  }),
  stacking: dataBlock({
    duel: dataBlock({ units: count, extraArmorOrAntitank: count, extraHqGerman: count, sovietChits: count }),
    solo: dataBlock({ sovietUnits: count, sovietExtraArmor: count, sovietChits: count }),
  }),
  chitsPerTurn: dataBlock({ draw: z.number().int().min(0).max(3) }),
  turns: dataBlock({ last: z.literal(9), sovietFirstMove: z.literal(2) }),
});

export const setupSchema = dataFile(GAME, {
  sovietAtStart: dataBlock({ units: z.array(z.string()) }),
  solo: dataBlock({
    oneEachIn: z.array(z.string()),
    byDiceRoll: count,
    eventChitsByDiceRoll: z.number().int().min(0).max(3),
  }),
  even: dataBlock({ draw: z.number().int().min(0).max(3), sovietDelay: z.number().int().min(0).max(1) }),
});
